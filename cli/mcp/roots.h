#pragma once

#include "base/diagnostics.h"

#include <string>
#include <string_view>
#include <vector>

namespace previct::cli::mcp {

/// Fails if the file at `path`, or the target of the link there, is not in one of these folders, or below them.
/// `property` begins the message. A path that names several files, as -f A,B does, is refused.
[[nodiscard]] auto check_below_roots(const std::string& path, const std::vector<std::string>& roots,
                                     std::string_view property) -> Result<void>;

/// The folders without links and `..`. Fails if one does not exist or is not a folder.
[[nodiscard]] auto real_folders(const std::vector<std::string>& paths) -> Result<std::vector<std::string>>;

}  // namespace previct::cli::mcp
