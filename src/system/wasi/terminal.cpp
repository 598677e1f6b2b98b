#include "system/terminal.h"

namespace previct::system {

auto columns_of(int /*descriptor*/) -> std::size_t {
  return 0;
}

}  // namespace previct::system
