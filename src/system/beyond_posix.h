#pragma once

#include "base/descriptor.h"

#include <cstdint>
#include <mutex>
#include <span>

#include <sys/types.h>

/// What POSIX lacks or leaves open. posix/kernels/any does what every POSIX system can; a file in the folder of a
/// kernel (linux, macos) replaces the one of the same name there.
namespace previct::system {

/// lifetimes.cpp: arranges that this process, a new copy, ends with its parent. False if the parent has
/// ended already, or if the system refuses.
[[nodiscard]] auto end_copy_with(pid_t parent) -> bool;
/// The same before another program is executed, if the system can; only async-signal-safe functions are called.
[[nodiscard]] auto end_program_with(pid_t parent) -> bool;

/// children.cpp: calls `each` with every child of a process, and `depth`; async-signal-safe. None if the system does
/// not tell them.
void each_child(pid_t process, void (*each)(pid_t child, int depth), int depth);

/// lifetimes.cpp: a descriptor that can be read from, as poll() tells, when the process has ended; none if there is no
/// such.
[[nodiscard]] auto end_of(pid_t process) -> Descriptor;

/// pipe.cpp: held while a process is created, so that it inherits no descriptor of a pipe that is being opened.
[[nodiscard]] auto creating_process() -> std::unique_lock<std::mutex>;

/// file_system.cpp: gives an open file the extended attributes of the file at `from`, and its access control list.
[[nodiscard]] auto copy_extended_attributes(const char* from, int to) -> bool;

/// memory_use.cpp: limits the data of this process, if the system enforces such a limit. False if it refuses.
[[nodiscard]] auto limit_data(std::uint64_t bytes) -> bool;

/// ending_signals.cpp: the signals that end a program by default, and that POSIX does not have.
[[nodiscard]] auto more_ending_signals() -> std::span<const int>;

}  // namespace previct::system
