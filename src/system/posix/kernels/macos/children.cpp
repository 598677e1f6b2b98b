#include "system/beyond_posix.h"

#include <algorithm>
#include <array>

#include <libproc.h>

namespace previct::system {

// Source: libproc.h, proc_listchildpids(): the number of ids that it wrote, of as many bytes as it may write.
void each_child(pid_t process, void (*each)(pid_t child, int depth), int depth) {
  std::array<pid_t, 256> children{};
  const int found = ::proc_listchildpids(process, children.data(), static_cast<int>(sizeof children));
  for (int i = 0; i < std::min(found, static_cast<int>(children.size())); ++i)
    each(children[static_cast<std::size_t>(i)], depth);
}

}  // namespace previct::system
