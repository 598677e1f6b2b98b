#pragma once

#include <cstddef>
#include <ctime>
#include <string>

#include <sys/stat.h>
#include <sys/types.h>

/// Files: their owners, and replacing them. A negative number or false is a failure, and errno has the reason.
namespace previct::system {

/// The path of the running program; empty if the system does not tell it.
[[nodiscard]] auto program_file() -> std::string;

/// Creates a new file, open for writing, that programs which are started do not inherit. `path` ends with `XXXXXX` and
/// an ending of `ending` characters; a unique name replaces the former.
[[nodiscard]] auto create_unique(char* path, std::size_t ending) -> int;

/// Gives the file another name. Fails if there is a file of that name.
[[nodiscard]] auto rename_to_new(const char* from, const char* to) -> bool;
/// Exchanges two files, so that each has the other's name from one moment to the next.
[[nodiscard]] auto exchange(const char* one, const char* other) -> bool;

/// When the content of a file changed last.
[[nodiscard]] auto changed_at(const struct stat& status) -> timespec;

/// The user whose permissions decide what this process may read and write.
[[nodiscard]] auto current_user() -> uid_t;

/// Gives an open file these permissions, as far as the system knows any.
void set_permissions(int descriptor, mode_t mode);
/// The permissions of a new file that everybody may read and write, less those that the user withholds (umask).
[[nodiscard]] auto default_permissions() -> mode_t;
/// Gives an open file the owner, permissions and extended attributes of the file at `from`.
[[nodiscard]] auto copy_attributes(const std::string& from, int to) -> bool;

}  // namespace previct::system
