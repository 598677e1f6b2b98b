#pragma once

#include "cli/command.h"
#include "cli/output.h"

#include <string>
#include <vector>

namespace previct::cli {

/// `-o app=FILE`: not a report, but the page of a release (docs/page.md) with the loaded state inside, so that a reader
/// can ask further questions in a browser, without previct and without the dump. The state is a capture
/// (capture/capture.h): it contains what schedulers read, and no Secrets.
[[nodiscard]] auto app_format() -> const Format&;

/// The page without a state; empty if no -o asks for it. Fails if -o names no file, if the command does not explain a
/// state or runs with --watch, or if this installation has no page.
[[nodiscard]] auto page_for(const std::vector<Output>& outputs, const Options& options) -> Result<std::string>;

/// Puts the state that the command has loaded, and its question, into `page`, as the text of the outputs that ask for
/// it. Fails if the command has loaded none.
[[nodiscard]] auto add_app(const std::string& page, const Session& session, std::vector<Output>& outputs)
    -> Result<void>;

}  // namespace previct::cli
