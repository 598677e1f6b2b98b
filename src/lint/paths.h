#pragma once

#include <string>
#include <string_view>

namespace previct::lint {

/// The folder of a path, without a `/` at its end; empty for the working folder.
[[nodiscard]] auto folder_of(std::string_view path) -> std::string;

/// `path`, which is relative to `folder`, without `.` and `..`; empty for the working folder.
[[nodiscard]] auto resolved(std::string_view folder, std::string_view path) -> std::string;

/// Is `path` the folder itself, or below it?
[[nodiscard]] auto is_below(std::string_view path, std::string_view folder) -> bool;

/// Its last part.
[[nodiscard]] auto base_name(std::string_view path) -> std::string_view;

}  // namespace previct::lint
