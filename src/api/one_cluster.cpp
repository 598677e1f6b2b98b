#include "api/one_cluster.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

namespace previct {

auto check_one_cluster(const Objects& objects) -> Result<void> {
  constexpr std::array<std::string_view, 3> kImmortal = {"kube-system", "default", "kube-public"};
  std::map<std::string_view, const ObjectMeta*> seen;
  for (const Namespace& each : objects.namespaces) {
    const std::string_view name = objects.symbols.text(each.meta.name);
    if (!each.meta.uid || std::find(kImmortal.begin(), kImmortal.end(), name) == kImmortal.end()) continue;
    const ObjectMeta& first = *seen.emplace(name, &each.meta).first->second;
    if (first.uid == each.meta.uid) continue;
    const Source& at = each.meta.source;
    const Source& before = first.source;
    return fail(fmt::format("objects of two clusters: Namespace {} has a different UID than at {}", name,
                            objects.files.describe({before.file, before.line, before.column})),
                {at.file, at.line, at.column}, "give the objects of one cluster");
  }
  return {};
}

}  // namespace previct
