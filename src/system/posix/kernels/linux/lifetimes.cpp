#include "system/beyond_posix.h"

#include <csignal>

#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace previct::system {

auto end_copy_with(pid_t parent) -> bool {
  return end_program_with(parent);
}

// The kernel then kills it, whatever signals it ignores.
auto end_program_with(pid_t parent) -> bool {
  return ::prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && ::getppid() == parent;
}

// Since Linux 5.3.
auto end_of(pid_t process) -> Descriptor {
  return Descriptor(static_cast<int>(::syscall(SYS_pidfd_open, process, 0)));
}

}  // namespace previct::system
