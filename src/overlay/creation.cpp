#include "overlay/creation.h"

#include "engine/required_kind.h"
#include "overlay/admission.h"
#include "overlay/limits.h"
#include "overlay/refusal.h"

#include <algorithm>

namespace previct {
namespace {

// Every cluster has the namespace default, so that the input has all namespaces if it has this one.
auto check_namespace(const Pod& pod, const Objects& objects) -> Result<void> {
  const auto named = [&](Symbol name) {
    return std::find_if(objects.namespaces.begin(), objects.namespaces.end(),
                        [&](const Namespace& each) { return each.meta.name == name; });
  };
  const auto none = objects.namespaces.end();
  const auto own = named(pod.meta.ns);
  if (own != none && own->meta.deleting)
    return refuse(pod, "metadata.namespace", "its namespace is being deleted", objects);
  const Symbol usual = objects.symbols.find("default");
  if (own != none || !usual || named(usual) == none || may_hold_more(objects, kinds::namespaces)) return {};
  return refuse(pod, "metadata.namespace", "its namespace does not exist", objects);
}

}  // namespace

auto create_pod(Pod& pod, Symbol runtime_class, bool all_runtime_classes, Instant now, Objects& objects)
    -> Result<std::vector<std::string>> {
  PREVICT_CHECK(check_namespace(pod, objects));
  PREVICT_CHECK(admit(pod, now, objects));
  PREVICT_CHECK(check_limits(pod, objects));
  std::vector<std::string> added(2);
  PREVICT_TRY(added[0], apply_limits(pod, objects.limit_ranges, objects));
  PREVICT_TRY(added[1], apply_runtime_class(pod, runtime_class, all_runtime_classes, objects));
  std::erase(added, "");
  return added;
}

auto has_all_runtime_classes(const Objects& objects) -> bool {
  const auto dumped = [](const auto& object) { return bool{object.meta.uid}; };
  const auto& classes = objects.runtime_classes;
  return objects.listed.contains(std::string(kinds::runtime_classes.key)) ||
         std::any_of(classes.begin(), classes.end(), dumped) ||
         (!classes.empty() && std::none_of(objects.nodes.begin(), objects.nodes.end(), dumped));
}

}  // namespace previct
