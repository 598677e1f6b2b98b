#pragma once

#include "base/diagnostics.h"
#include "cli/terminal.h"
#include "report/format.h"

#include <string>
#include <vector>

namespace previct::cli {

/// One `-o`: what to write and where to.
struct Output {
  const Format* format = nullptr;
  std::string file;  ///< empty: stdout
};

/// Reads the values of -o; none means text on stdout. At most one may go to stdout.
[[nodiscard]] auto outputs_of(const std::vector<std::string>& values) -> Result<std::vector<Output>>;

/// Fails if one of them writes findings or test results alone, and the report will hold none.
[[nodiscard]] auto check_formats(const std::vector<Output>& outputs, bool judges) -> Result<void>;

/// Which formats there are.
[[nodiscard]] auto formats_report() -> Report;

/// Fails, with nothing written, where a file to be written is one of the inputs. Renders everything first, then writes
/// the files beside their places, and puts them there at last, so that what fails leaves nothing half done.
[[nodiscard]] auto write(const Report& report, const std::vector<Output>& outputs, const Style& on_stdout)
    -> Result<void>;

}  // namespace previct::cli
