#include "system/files.h"

#include "system/windows/wide.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <random>

#include <aclapi.h>
#include <fcntl.h>
#include <io.h>
#include <sddl.h>

namespace previct::system {
namespace {

constexpr DWORD kShareAll = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;

auto failed() -> bool {
  set_errno(GetLastError());
  return false;
}

auto opened(const std::string& path, DWORD access, DWORD flags) -> HANDLE {
  const HANDLE handle = CreateFileW(wide(path).c_str(), access, kShareAll, nullptr, OPEN_EXISTING, flags, nullptr);
  if (handle == INVALID_HANDLE_VALUE) set_errno(GetLastError());
  return handle;
}

auto can_open(const std::string& path, DWORD access) -> bool {
  const HANDLE handle = opened(path, access, FILE_FLAG_BACKUP_SEMANTICS);
  if (handle == INVALID_HANDLE_VALUE) return false;
  CloseHandle(handle);
  return true;
}

auto text_of(PSID user) -> std::optional<User> {
  LPWSTR text = nullptr;
  if (ConvertSidToStringSidW(user, &text) == 0) return {};
  User name = narrow(text);
  LocalFree(text);
  return name;
}

// Gives the file of the handle the access list of the file at `like`.
auto copy_access(HANDLE to, const std::string& like) -> bool {
  PACL list = nullptr;
  PSECURITY_DESCRIPTOR all = nullptr;
  if (GetNamedSecurityInfoW(wide(like).data(), SE_FILE_OBJECT, DACL_SECURITY_INFORMATION, nullptr, nullptr, &list,
                            nullptr, &all) != ERROR_SUCCESS)
    return false;
  SECURITY_DESCRIPTOR_CONTROL control = 0;
  DWORD revision = 0;
  GetSecurityDescriptorControl(all, &control, &revision);
  const bool own = (control & SE_DACL_PROTECTED) != 0;  // inherits nothing of its folder
  const DWORD set = SetSecurityInfo(
      to, SE_FILE_OBJECT,
      DACL_SECURITY_INFORMATION | (own ? PROTECTED_DACL_SECURITY_INFORMATION : UNPROTECTED_DACL_SECURITY_INFORMATION),
      nullptr, nullptr, list, nullptr);
  LocalFree(all);
  return set == ERROR_SUCCESS;
}

// The access list of a new file that only this user, the system and administrators read, who read any file.
class OwnerOnly {
 public:
  explicit OwnerOnly(bool wanted) {
    const std::string text = "D:P(A;;FA;;;" + current_user() + ")(A;;FA;;;SY)(A;;FA;;;BA)";
    if (!wanted) return;
    if (ConvertStringSecurityDescriptorToSecurityDescriptorW(wide(text).c_str(), SDDL_REVISION_1, &list_, nullptr) == 0)
      static_cast<void>(failed());
  }
  OwnerOnly(const OwnerOnly&) = delete;
  auto operator=(const OwnerOnly&) -> OwnerOnly& = delete;
  ~OwnerOnly() { LocalFree(list_); }
  // Null: the list of the folder.
  [[nodiscard]] auto get() const -> SECURITY_ATTRIBUTES* {
    attributes_ = {.nLength = sizeof attributes_, .lpSecurityDescriptor = list_, .bInheritHandle = FALSE};
    return list_ == nullptr ? nullptr : &attributes_;
  }

 private:
  PSECURITY_DESCRIPTOR list_ = nullptr;
  mutable SECURITY_ATTRIBUTES attributes_{};
};

// Writes to a console, which takes UTF-16: the characters that are complete in the first few kilobytes.
auto write_to_console(HANDLE console, std::string_view bytes) -> std::ptrdiff_t {
  constexpr std::size_t kMost = 8192;
  std::size_t size = std::min(bytes.size(), kMost);
  const auto continues = [&](std::size_t at) { return (static_cast<unsigned char>(bytes[at]) & 0xc0U) == 0x80; };
  while (size < bytes.size() && size > 0 && continues(size)) --size;
  if (size == 0) size = std::min(bytes.size(), kMost);
  const std::wstring text = wide(bytes.substr(0, size));
  for (std::size_t at = 0; at < text.size();) {
    DWORD written = 0;
    if (WriteConsoleW(console, text.data() + at, static_cast<DWORD>(text.size() - at), &written, nullptr) == 0) {
      set_errno(GetLastError());
      return -1;
    }
    at += written;
  }
  return static_cast<std::ptrdiff_t>(size);
}

}  // namespace

auto program_file() -> std::string {
  constexpr std::size_t kLongest = 32'768;
  std::wstring path(kLongest, L'\0');
  path.resize(GetModuleFileNameW(nullptr, path.data(), static_cast<DWORD>(path.size())));
  return with_slashes(narrow(path));
}

auto home_folder() -> std::string {
  const wchar_t* const home = _wgetenv(L"USERPROFILE");
  return home == nullptr ? std::string() : with_slashes(narrow(home));
}

auto list_separator() -> char {
  return ';';
}

auto with_slashes(std::string path) -> std::string {
  // These mean what they say, letter by letter.
  if (path.starts_with(R"(\\?\)") || path.starts_with(R"(\\.\)")) return path;
  std::replace(path.begin(), path.end(), '\\', '/');
  return path;
}

auto create_unique(char* path, std::size_t ending, bool for_owner_only) -> int {
  constexpr std::size_t kUnique = 6;
  constexpr int kTries = 100;
  char* const unique = path + std::strlen(path) - ending - kUnique;
  std::random_device random;
  const OwnerOnly only(for_owner_only);
  if (for_owner_only && only.get() == nullptr) return -1;
  for (int i = 0; i < kTries; ++i) {
    for (std::size_t at = 0; at < kUnique; ++at) unique[at] = static_cast<char>('a' + random() % 26);
    const HANDLE handle =
        CreateFileW(wide(path).c_str(), GENERIC_WRITE | READ_CONTROL | WRITE_DAC, FILE_SHARE_READ | FILE_SHARE_DELETE,
                    only.get(), CREATE_NEW, FILE_ATTRIBUTE_NORMAL, nullptr);
    if (handle != INVALID_HANDLE_VALUE) return descriptor_of(handle, _O_WRONLY);
    set_errno(GetLastError());
    if (errno != EEXIST) break;
  }
  return -1;
}

auto open_to_write(const std::string& path) -> int {
  const HANDLE handle = opened(path, GENERIC_WRITE, 0);
  return handle == INVALID_HANDLE_VALUE ? -1 : descriptor_of(handle, _O_WRONLY);
}

auto write_some(int descriptor, std::string_view bytes) -> std::ptrdiff_t {
  constexpr std::size_t kMost = std::size_t{1} << 20U;
  const HANDLE handle = handle_of(descriptor);
  DWORD mode = 0;
  if (GetFileType(handle) == FILE_TYPE_CHAR && GetConsoleMode(handle, &mode) != 0)
    return write_to_console(handle, bytes);
  DWORD written = 0;
  if (WriteFile(handle, bytes.data(), static_cast<DWORD>(std::min(bytes.size(), kMost)), &written, nullptr) != 0)
    return static_cast<std::ptrdiff_t>(written);
  set_errno(GetLastError());
  if (errno == EPIPE) on_broken_pipe();
  return -1;
}

auto flush(int descriptor) -> bool {
  return FlushFileBuffers(handle_of(descriptor)) != 0 || failed();
}

auto close(int descriptor) -> bool {
  return _close(descriptor) == 0;
}

auto rename_to_new(const char* from, const char* to) -> bool {
  return MoveFileExW(wide(from).c_str(), wide(to).c_str(), MOVEFILE_WRITE_THROUGH) != 0 || failed();
}

auto rename_over(const char* from, const char* to) -> bool {
  return MoveFileExW(wide(from).c_str(), wide(to).c_str(), MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH) != 0 ||
         failed();
}

auto exchange(const char* /*one*/, const char* /*other*/) -> bool {
  errno = ENOTSUP;
  return false;
}

void remove(const char* path) {
  // Without memory of its own: it may be needed when there is none.
  std::array<wchar_t, 4096> name{};
  if (MultiByteToWideChar(CP_UTF8, 0, path, -1, name.data(), static_cast<int>(name.size())) > 0)
    DeleteFileW(name.data());
}

auto may_create_in(const std::string& folder) -> bool {
  return can_open(folder, FILE_ADD_FILE);
}

auto may_write(const std::string& file) -> bool {
  const DWORD attributes = GetFileAttributesW(wide(file).c_str());
  return attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_READONLY) == 0 &&
         can_open(file, GENERIC_WRITE);
}

auto current_user() -> User {
  HANDLE token = nullptr;
  if (OpenProcessToken(GetCurrentProcess(), TOKEN_QUERY, &token) == 0) return {};
  alignas(TOKEN_USER) std::array<char, sizeof(TOKEN_USER) + SECURITY_MAX_SID_SIZE> room{};
  DWORD size = 0;
  const bool told = GetTokenInformation(token, TokenUser, room.data(), static_cast<DWORD>(room.size()), &size) != 0;
  CloseHandle(token);
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): what the call writes
  return told ? text_of(reinterpret_cast<const TOKEN_USER*>(room.data())->User.Sid).value_or(User()) : User();
}

auto is_administrator(const User& user) -> bool {
  constexpr std::string_view kAdministrators = "S-1-5-32-544";
  constexpr std::string_view kSystem = "S-1-5-18";
  return user == kAdministrators || user == kSystem;
}

auto owner_of(const std::string& path, bool follow) -> std::optional<User> {
  const HANDLE handle =
      opened(path, READ_CONTROL, FILE_FLAG_BACKUP_SEMANTICS | (follow ? 0 : FILE_FLAG_OPEN_REPARSE_POINT));
  if (handle == INVALID_HANDLE_VALUE) return {};
  PSID owner = nullptr;
  PSECURITY_DESCRIPTOR all = nullptr;
  const DWORD told =
      GetSecurityInfo(handle, SE_FILE_OBJECT, OWNER_SECURITY_INFORMATION, &owner, nullptr, nullptr, nullptr, &all);
  CloseHandle(handle);
  if (told != ERROR_SUCCESS) return {};
  std::optional<User> name = text_of(owner);
  LocalFree(all);
  return name;
}

// A new file already has the permissions of its folder.
void copy_permissions(int descriptor, const std::string& like) {
  if (GetFileAttributesW(wide(like).c_str()) != INVALID_FILE_ATTRIBUTES)
    static_cast<void>(copy_access(handle_of(descriptor), like));
}

auto copy_attributes(const std::string& from, int to) -> bool {
  const HANDLE handle = handle_of(to);
  FILE_BASIC_INFO basic{};  // times of 0 stay as they are
  basic.FileAttributes = GetFileAttributesW(wide(from).c_str());
  return basic.FileAttributes != INVALID_FILE_ATTRIBUTES && copy_access(handle, from) &&
         SetFileInformationByHandle(handle, FileBasicInfo, &basic, sizeof basic) != 0;
}

}  // namespace previct::system
