#pragma once

#include "base/diagnostics.h"
#include "cli/terminal.h"
#include "report/format.h"
#include "report/packed_rows.h"

#include <optional>
#include <string>
#include <vector>

namespace previct::cli {

/// One `-o`: the format and the target.
struct Output {
  const Format* format = nullptr;
  std::string file;                   ///< empty: stdout
  std::optional<std::string> text{};  ///< what is written, if that is not the report (cli/app.h)
};

/// All formats: those of reports, and cli/app.h.
[[nodiscard]] auto output_formats() -> std::vector<const Format*>;

/// Those that a command can write. `judges`: it has findings or test results.
[[nodiscard]] auto output_formats_of(bool judges) -> std::vector<const Format*>;

/// Parses the values of -o; without any, text on stdout. At most one may write to stdout.
[[nodiscard]] auto outputs_of(const std::vector<std::string>& values) -> Result<std::vector<Output>>;

/// Fails if one of them only writes findings or test results, and the report will have none.
[[nodiscard]] auto check_formats(const std::vector<Output>& outputs, bool judges) -> Result<void>;

/// The list of formats.
[[nodiscard]] auto formats_report() -> Report;

/// Returns true if each of them that shows documents can write a list whose items are apart.
[[nodiscard]] auto take_packed_lists(const std::vector<Output>& outputs) -> bool;

/// Fails without writing if an output file is one of the inputs. Renders everything first, then writes temporary files,
/// and renames them last, so that a failure leaves no partial output. `items`: of the report's list (may be null).
[[nodiscard]] auto write(const Report& report, const PackedRows* items, const std::vector<Output>& outputs,
                         const Style& on_stdout) -> Result<void>;

}  // namespace previct::cli
