#include "input/directory_entry.h"

namespace previct {

auto type_of(const std::filesystem::directory_entry& entry, std::error_code& error) -> std::filesystem::file_type {
  using enum std::filesystem::file_type;
  if (entry.is_symlink(error)) return symlink;
  if (!error && entry.is_directory(error)) return directory;
  if (!error && entry.is_regular_file(error)) return regular;
  return error ? none : unknown;
}

}  // namespace previct
