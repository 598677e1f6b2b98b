#pragma once

#include <string>
#include <string_view>

/// Escapes raw text for each medium. Every function first makes active and invisible characters visible, as base/text.h
/// does, and then escapes what has a meaning in the medium.
namespace previct {

/// For an element or attribute of XML 1.0, which cannot represent most control characters.
[[nodiscard]] auto xml_text(std::string_view raw) -> std::string;

/// For running text or a table cell of GitHub's Markdown: no markup, no HTML, no links, no mentions. Escapes only what
/// would have an effect, so that chats show the text unchanged. `begins_line`: no text of the line comes before it.
[[nodiscard]] auto markdown_text(std::string_view raw, bool begins_line) -> std::string;

/// The same as code, for copying.
[[nodiscard]] auto markdown_code(std::string_view raw, bool in_table) -> std::string;

/// The message of a GitHub workflow command.
[[nodiscard]] auto workflow_text(std::string_view raw) -> std::string;

/// A property of a GitHub workflow command.
[[nodiscard]] auto workflow_property(std::string_view raw) -> std::string;

/// For whole lines in a CI log: a backslash disables what a runner would take for a workflow command (`::name::`,
/// `##[name]`, `##vso[…]`, `##teamcity[…]`), which can only come from an input.
[[nodiscard]] auto without_ci_commands(std::string lines) -> std::string;

/// A path as a URI reference: relative to the checkout if the path is relative (`./a b.yaml` becomes `a%20b.yaml`),
/// else `file://…`.
[[nodiscard]] auto uri_of(std::string_view path) -> std::string;

}  // namespace previct
