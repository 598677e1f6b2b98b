#include "base/descriptor.h"

#include "base/file_status.h"
#include "system/windows/wide.h"

#include <algorithm>
#include <cerrno>

#include <fcntl.h>
#include <io.h>

namespace previct {
namespace system {

auto wide(std::string_view utf8) -> std::wstring {
  const int size = static_cast<int>(utf8.size());
  std::wstring text(static_cast<std::size_t>(MultiByteToWideChar(CP_UTF8, 0, utf8.data(), size, nullptr, 0)), L'\0');
  MultiByteToWideChar(CP_UTF8, 0, utf8.data(), size, text.data(), static_cast<int>(text.size()));
  return text;
}

auto narrow(std::wstring_view utf16) -> std::string {
  const int size = static_cast<int>(utf16.size());
  const int bytes = WideCharToMultiByte(CP_UTF8, 0, utf16.data(), size, nullptr, 0, nullptr, nullptr);
  std::string text(static_cast<std::size_t>(bytes), '\0');
  WideCharToMultiByte(CP_UTF8, 0, utf16.data(), size, text.data(), bytes, nullptr, nullptr);
  return text;
}

void set_errno(DWORD error) {
  switch (error) {
    case ERROR_FILE_NOT_FOUND:
    case ERROR_PATH_NOT_FOUND:
    case ERROR_INVALID_NAME:
    case ERROR_INVALID_DRIVE:
    case ERROR_BAD_PATHNAME:
    case ERROR_BAD_NETPATH:
    case ERROR_BAD_NET_NAME: errno = ENOENT; return;
    case ERROR_ACCESS_DENIED:
    case ERROR_SHARING_VIOLATION:
    case ERROR_LOCK_VIOLATION: errno = EACCES; return;
    case ERROR_ALREADY_EXISTS:
    case ERROR_FILE_EXISTS: errno = EEXIST; return;
    case ERROR_DISK_FULL:
    case ERROR_HANDLE_DISK_FULL: errno = ENOSPC; return;
    case ERROR_BROKEN_PIPE:
    case ERROR_PIPE_NOT_CONNECTED:
    case ERROR_NO_DATA: errno = EPIPE; return;
    case ERROR_NOT_ENOUGH_MEMORY:
    case ERROR_OUTOFMEMORY:
    case ERROR_COMMITMENT_LIMIT: errno = ENOMEM; return;
    case ERROR_TOO_MANY_OPEN_FILES: errno = EMFILE; return;
    case ERROR_INVALID_HANDLE: errno = EBADF; return;
    case ERROR_WRITE_PROTECT: errno = EROFS; return;
    case ERROR_DIRECTORY: errno = ENOTDIR; return;
    case ERROR_FILENAME_EXCED_RANGE: errno = ENAMETOOLONG; return;
    case ERROR_NOT_SAME_DEVICE: errno = EXDEV; return;
    case ERROR_NOT_SUPPORTED: errno = ENOTSUP; return;
    case ERROR_BAD_EXE_FORMAT: errno = ENOEXEC; return;
    default: errno = EIO; return;
  }
}

auto handle_of(int descriptor) -> HANDLE {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): so the C library names handles
  return descriptor < 0 ? INVALID_HANDLE_VALUE : reinterpret_cast<HANDLE>(_get_osfhandle(descriptor));
}

auto descriptor_of(HANDLE handle, int flags) -> int {
  const int descriptor = _open_osfhandle(reinterpret_cast<std::intptr_t>(handle), flags | _O_BINARY | _O_NOINHERIT);
  if (descriptor < 0) CloseHandle(handle);
  return descriptor;
}

}  // namespace system

namespace {

// Windows counts tenths of microseconds since 1601.
constexpr std::int64_t kTicksPerSecond = 10'000'000;
constexpr std::int64_t kSecondsTo1970 = 11'644'473'600;

auto joined(DWORD high, DWORD low) -> std::uint64_t {
  return std::uint64_t{high} << 32U | low;
}

auto status_from(HANDLE handle) -> std::optional<FileStatus> {
  if (handle == INVALID_HANDLE_VALUE) {
    errno = EBADF;
    return {};
  }
  BY_HANDLE_FILE_INFORMATION told{};
  if (GetFileType(handle) != FILE_TYPE_DISK) return FileStatus{};
  if (GetFileInformationByHandle(handle, &told) == 0) {
    system::set_errno(GetLastError());
    return {};
  }
  const auto ticks =
      static_cast<std::int64_t>(joined(told.ftLastWriteTime.dwHighDateTime, told.ftLastWriteTime.dwLowDateTime));
  const bool folder = (told.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0;
  return FileStatus{.type = folder ? FileStatus::Type::folder : FileStatus::Type::file,
                    .device = told.dwVolumeSerialNumber,
                    .number = joined(told.nFileIndexHigh, told.nFileIndexLow),
                    .size = joined(told.nFileSizeHigh, told.nFileSizeLow),
                    .names = told.nNumberOfLinks,
                    .seconds = ticks / kTicksPerSecond - kSecondsTo1970,
                    .nanos = ticks % kTicksPerSecond * 100};
}

constexpr DWORD kShareAll = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;

// With FILE_FLAG_BACKUP_SEMANTICS, also a folder.
auto opened(const std::string& path, DWORD access) -> HANDLE {
  const HANDLE handle = CreateFileW(system::wide(path).c_str(), access, kShareAll, nullptr, OPEN_EXISTING,
                                    FILE_FLAG_BACKUP_SEMANTICS, nullptr);
  if (handle == INVALID_HANDLE_VALUE) system::set_errno(GetLastError());
  return handle;
}

}  // namespace

auto Descriptor::open(const std::string& path) -> Descriptor {
  const HANDLE handle = opened(path, GENERIC_READ);
  return handle == INVALID_HANDLE_VALUE ? Descriptor() : Descriptor(system::descriptor_of(handle, _O_RDONLY));
}

void Descriptor::reset() {
  const int number = std::exchange(number_, -1);
  if (number > kStandardInput) _close(number);
}

auto Descriptor::read(std::span<char> into, std::optional<std::uint64_t> offset) const -> std::ptrdiff_t {
  constexpr std::size_t kMost = std::size_t{1} << 30U;
  const HANDLE handle = system::handle_of(number_);
  DWORD got = 0;
  OVERLAPPED place{};
  LARGE_INTEGER before{};
  if (offset) {
    place.Offset = static_cast<DWORD>(*offset);
    place.OffsetHigh = static_cast<DWORD>(*offset >> 32U);
    SetFilePointerEx(handle, {}, &before, FILE_CURRENT);
  }
  const bool read = ReadFile(handle, into.data(), static_cast<DWORD>(std::min(into.size(), kMost)), &got,
                             offset ? &place : nullptr) != 0;
  const DWORD error = read ? ERROR_SUCCESS : GetLastError();
  if (offset) SetFilePointerEx(handle, before, nullptr, FILE_BEGIN);  // reading at a place has moved it
  if (read) return static_cast<std::ptrdiff_t>(got);
  if (error == ERROR_HANDLE_EOF || error == ERROR_BROKEN_PIPE || error == ERROR_PIPE_NOT_CONNECTED) return 0;
  system::set_errno(error);
  if (error == ERROR_NO_DATA) errno = EAGAIN;  // an empty pipe without a reader that waits
  return -1;
}

auto status_of(const std::string& path) -> std::optional<FileStatus> {
  const HANDLE handle = opened(path, FILE_READ_ATTRIBUTES);
  if (handle == INVALID_HANDLE_VALUE) return {};
  const auto status = status_from(handle);
  CloseHandle(handle);
  return status;
}

auto status_of(int descriptor) -> std::optional<FileStatus> {
  return status_from(system::handle_of(descriptor));
}

}  // namespace previct
