#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

/// Files: writing and replacing them, and their owners. A negative number or false is a failure, and errno has the
/// reason.
namespace previct::system {

/// The path of the running program; empty if the system does not tell it.
[[nodiscard]] auto program_file() -> std::string;
/// The home folder of the user; empty if it is not known.
[[nodiscard]] auto home_folder() -> std::string;
/// The character between the paths of a list, such as PATH.
[[nodiscard]] auto list_separator() -> char;
/// A path that the user wrote, as previct prints it: with slashes.
[[nodiscard]] auto with_slashes(std::string path) -> std::string;

/// Creates a new file, open for writing, that programs which are started do not inherit. `path` ends with `XXXXXX` and
/// an ending of `ending` characters; a unique name replaces the former. `for_owner_only`: no other user may read it;
/// other files get their permissions by copy_permissions().
[[nodiscard]] auto create_unique(char* path, std::size_t ending, bool for_owner_only) -> int;
/// Opens a device or a pipe for writing.
[[nodiscard]] auto open_to_write(const std::string& path) -> int;
/// Writes the beginning of `bytes`; returns its size.
[[nodiscard]] auto write_some(int descriptor, std::string_view bytes) -> std::ptrdiff_t;
/// Waits until what was written is on the disk.
[[nodiscard]] auto flush(int descriptor) -> bool;
[[nodiscard]] auto close(int descriptor) -> bool;

/// Gives the file another name. Fails if there is a file of that name.
[[nodiscard]] auto rename_to_new(const char* from, const char* to) -> bool;
/// Gives the file another name, in place of the file of that name, if there is one.
[[nodiscard]] auto rename_over(const char* from, const char* to) -> bool;
/// Exchanges two files, so that each has the other's name from one moment to the next.
[[nodiscard]] auto exchange(const char* one, const char* other) -> bool;
/// Removes a file. A signal handler may call it.
void remove(const char* path);

/// Returns true if this process may create files in the folder.
[[nodiscard]] auto may_create_in(const std::string& folder) -> bool;
/// Returns true if the file is not marked as read-only, and this process may write to it.
[[nodiscard]] auto may_write(const std::string& file) -> bool;

/// An owner of files, as the system names users; empty if there is none.
using User = std::string;
/// The user whose permissions decide what this process may read and write.
[[nodiscard]] auto current_user() -> User;
/// Returns true for an administrator of this machine, who may change any file.
[[nodiscard]] auto is_administrator(const User& user) -> bool;
/// The owner of what is at `path`; with `follow`, of what a link there leads to.
[[nodiscard]] auto owner_of(const std::string& path, bool follow) -> std::optional<User>;

/// Gives an open file the permissions of the file at `like`; if there is none, those of a new file.
void copy_permissions(int descriptor, const std::string& like);
/// Gives an open file the owner, permissions and extended attributes of the file at `from`.
[[nodiscard]] auto copy_attributes(const std::string& from, int to) -> bool;

}  // namespace previct::system
