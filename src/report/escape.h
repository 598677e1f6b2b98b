#pragma once

#include <string>
#include <string_view>

/// How raw text gets into each medium. Every function first makes what would act or hide visible, as
/// base/text.h does, and then escapes what the medium itself gives a meaning.
namespace previct {

/// Within an element or attribute of XML 1.0, which has no way to write most controls.
[[nodiscard]] auto xml_text(std::string_view raw) -> std::string;

/// Running text or a table cell of GitHub's Markdown: no mark-up, no HTML, no link, nobody mentioned. Nothing is
/// escaped that would not act, so that chats show it as it is. `begins_line`: no text of the line stands before it.
[[nodiscard]] auto markdown_text(std::string_view raw, bool begins_line) -> std::string;

/// The same as code, to be copied.
[[nodiscard]] auto markdown_code(std::string_view raw, bool in_table) -> std::string;

/// The message of a GitHub workflow command.
[[nodiscard]] auto workflow_text(std::string_view raw) -> std::string;

/// A property of a GitHub workflow command.
[[nodiscard]] auto workflow_property(std::string_view raw) -> std::string;

/// Whole lines of text for a CI log: what a runner would take for a command of a workflow (`::name::`, `##[name]`,
/// `##vso[…]`, `##teamcity[…]`), which can only be text of an input, is told apart by a backslash.
[[nodiscard]] auto without_ci_commands(std::string lines) -> std::string;

/// A path as a URI reference: relative to the checkout if it is relative (`./a b.yaml` is `a%20b.yaml`), else
/// `file://…`.
[[nodiscard]] auto uri_of(std::string_view path) -> std::string;

}  // namespace previct
