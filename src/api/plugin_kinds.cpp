#include "api/plugin_kinds.h"

#include <algorithm>
#include <array>

namespace previct {

auto find_plugin_kind(std::string_view kind) -> const PluginKind* {
  static constexpr std::array kKinds = {
#define PREVICT_PLUGIN_KIND(name, ...) PluginKind{.kind = name, __VA_ARGS__},
#include "api/schedulers.def"
  };
  const auto* const found =
      std::find_if(kKinds.begin(), kKinds.end(), [&](const PluginKind& each) { return each.kind == kind; });
  return found == kKinds.end() ? nullptr : found;
}

}  // namespace previct
