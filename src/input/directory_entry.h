#pragma once

#include <filesystem>
#include <system_error>

namespace previct {

/// The type of a directory entry; links are not followed. A file whose type the system does not report must not be
/// skipped: then `error` is set, and the type is none.
[[nodiscard]] auto type_of(const std::filesystem::directory_entry& entry, std::error_code& error)
    -> std::filesystem::file_type;

}  // namespace previct
