#include "system/beyond_posix.h"

#include <csignal>
#include <system_error>
#include <thread>

#include <poll.h>
#include <unistd.h>

namespace previct::system {

// Nothing tells a process that its parent has ended: it looks.
auto end_copy_with(pid_t parent) -> bool {
  try {
    std::thread([parent] {
      constexpr int kMilliseconds = 200;
      while (::getppid() == parent) ::poll(nullptr, 0, kMilliseconds);
      ::kill(::getpid(), SIGKILL);
    }).detach();
  } catch (const std::system_error&) {
    return false;
  }
  return ::getppid() == parent;
}

// A program that outlives its parent ends when it writes to its closed pipe.
auto end_program_with(pid_t parent) -> bool {
  return ::getppid() == parent;
}

auto end_of(pid_t /*process*/) -> Descriptor {
  return {};
}

}  // namespace previct::system
