#include "report/format.h"

#include <algorithm>

namespace previct {

auto find_format(std::string_view name) -> const Format* {
  const auto& all = formats();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Format* f) { return f->name == name; });
  return found == all.end() ? nullptr : *found;
}

}  // namespace previct
