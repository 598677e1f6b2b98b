#include "system/beyond_posix.h"

namespace previct::system {

void each_child(pid_t /*process*/, void (* /*each*/)(pid_t child, int depth), int /*depth*/) {}

}  // namespace previct::system
