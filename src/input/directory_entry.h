#pragma once

#include <filesystem>
#include <system_error>

namespace previct {

/// What an entry of a directory is; a link is one, whatever it leads to. A file whose kind the system does not tell
/// must not be passed over: then there is an error, and the type is none.
[[nodiscard]] auto type_of(const std::filesystem::directory_entry& entry, std::error_code& error)
    -> std::filesystem::file_type;

}  // namespace previct
