#include "engine/kai/snapshot/priority_classes.h"

#include "engine/required_kind.h"

#include <algorithm>
#include <array>
#include <utility>

namespace previct::kai {
namespace {

constexpr std::array<std::pair<std::string_view, std::int32_t>, 4> kOfChart = {
    {{"train", 50}, {"build-preemptible", 75}, {"build", 100}, {"inference", 125}}};

}  // namespace

PriorityClasses::PriorityClasses(const Snapshot& cluster) {
  const Objects& objects = cluster.objects();
  for (const PriorityClass& each : objects.priority_classes)
    values_.insert_or_assign(cluster.text(each.meta.name), each.value);
  if (!values_.empty()) return;
  for (const Pod& pod : cluster.pods()) {
    if (!pod.spec.priority_class_name || !pod.spec.has_priority) continue;
    // Values of a class that was created again: in no order of the input does another one count.
    std::int32_t& value = values_.emplace(cluster.text(pod.spec.priority_class_name), pod.spec.priority).first->second;
    value = std::max(value, pod.spec.priority);
  }
  if (lacks(objects, kinds::priority_classes)) values_.insert(kOfChart.begin(), kOfChart.end());
}

auto PriorityClasses::value_of(std::string_view name) const -> std::optional<std::int32_t> {
  const auto found = values_.find(name);
  return found == values_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace previct::kai
