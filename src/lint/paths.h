#pragma once

#include <string>
#include <string_view>

namespace previct::lint {

/// The folder of a path, without a trailing `/`; empty for the working folder.
[[nodiscard]] auto folder_of(std::string_view path) -> std::string;

/// Joins `folder` and the relative `path`, and removes `.` and `..`; empty for the working folder.
[[nodiscard]] auto resolved(std::string_view folder, std::string_view path) -> std::string;

/// Returns true if `path` is the folder itself, or below it.
[[nodiscard]] auto is_below(std::string_view path, std::string_view folder) -> bool;

/// The last part of a path.
[[nodiscard]] auto base_name(std::string_view path) -> std::string_view;

}  // namespace previct::lint
