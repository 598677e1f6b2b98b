#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#define WIN32_LEAN_AND_MEAN
#define NOMINMAX
#include <windows.h>

/// What the files of this folder have in common.
namespace previct::system {

/// Texts of Windows are UTF-16; those of previct are UTF-8.
[[nodiscard]] auto wide(std::string_view utf8) -> std::wstring;
[[nodiscard]] auto narrow(std::wstring_view utf16) -> std::string;

/// Sets errno to what this error of Windows means.
void set_errno(DWORD error);
/// The handle of a descriptor; INVALID_HANDLE_VALUE for none.
[[nodiscard]] auto handle_of(int descriptor) -> HANDLE;
/// A descriptor that closes the handle; negative, with errno, if there are too many. It is not inherited.
[[nodiscard]] auto descriptor_of(HANDLE handle, int flags) -> int;

/// Nobody reads the output any more: does what end_by_broken_pipe() and IgnoredPipeSignal say (signals.h).
void on_broken_pipe();

/// A program that was started, with all that it starts itself. It ends with this process.
struct Child {
  HANDLE process = nullptr;
  HANDLE job = nullptr;
};
/// Starts a program with these standard streams. `memory`: the most bytes that it may use; 0: any. Null, with errno, if
/// the system refuses.
[[nodiscard]] auto start_child(const std::string& program, const std::wstring& command_line, HANDLE in, HANDLE out,
                               HANDLE errors, std::uint64_t memory) -> Child*;
/// The command line from which the program reads these words.
[[nodiscard]] auto command_line_of(const std::string& program, const std::vector<std::string>& words) -> std::wstring;
/// Ends it, unless it has ended, and what it started, and forgets it. Returns its exit status.
auto end_child(Child* child) -> int;

}  // namespace previct::system
