#include "tell/kai/undecided.h"

#include "base/text.h"

#include <fmt/format.h>

#include <utility>

namespace previct::kai {
namespace {

auto panic_words(const Explained& e) -> std::string {
  const std::string_view action = action_name(e.decision.cycle.crashed_in().value_or(Action::allocate));
  const GroupId at = e.decision.cycle.crashed_for();
  if (!at)
    return fmt::format(
        "stays pending: KAI's cycle would fail here: action {} panics, because its queueDepthPerAction of 0 allows "
        "no group",
        action);
  if (const GroupId split = e.decision.cycle.split())
    return fmt::format(
        "stays pending: KAI's cycle would fail here: action {} panics when it considers for group {} to evict fewer "
        "pods of group {} than its minMember ({})",
        action, e.cluster_info().key(at), e.cluster_info().key(split),
        e.cluster_info().sets()[e.cluster_info().group(split).first_set].min);
  if (const GroupId across = e.decision.cycle.across()) {
    const ClusterInfo& info = e.cluster_info();
    const TreeQueue* with = &info.queue(info.group(at).queue);
    const TreeQueue* without = &info.queue(info.group(across).queue);
    if (!with->parent) std::swap(with, without);
    return fmt::format(
        "stays pending: KAI's cycle would fail here: action {} panics when it considers for group {} to evict pods of "
        "group {}, because queue {} has no parent and queue {} has one (fixed in KAI 0.16.5)",
        action, info.key(at), info.key(across), without->name, with->name);
  }
  return fmt::format(
      "stays pending: KAI's cycle would fail here: action {} panics when it tries to place pods of group {} that the "
      "same cycle has evicted or moved",
      action, e.cluster_info().key(at));
}

}  // namespace

auto no_cycle_words(const Explained& e, NoCycle why) -> std::string {
  switch (why) {
    case NoCycle::none: break;
    case NoCycle::refused:
      return fmt::format("stays pending: KAI does not start with this configuration: {}", e.settings.cannot_start);
    case NoCycle::endless: {
      const auto& endless = e.cluster_info().endless_queues();
      const std::vector<std::string> names(endless.begin(), endless.end());
      const bool one = names.size() == 1;
      return fmt::format(
          "stays pending: KAI's cycle would never end here: queue{} {} {} above {}, and {} groups with pods",
          one ? "" : "s", joined(names, ", "), one ? "is" : "are", one ? "itself" : "themselves", one ? "has" : "have");
    }
    case NoCycle::crashed: return panic_words(e);
  }
  return {};
}

auto backing_off(const Explained& e, const PodGroup& group) -> std::string {
  const Pod* pod = e.subject.pod ? &e.cluster.pod(e.subject.pod) : nullptr;
  if (pod != nullptr && pod->spec.node_name)
    return fmt::format("is already on {}", e.cluster.text(pod->spec.node_name));
  return fmt::format(
      "stays pending: after a failed attempt, schedulingBackoff {} excludes group {}/{} from every cycle of this node "
      "pool, until its last scheduling condition is removed",
      group.spec.scheduling_backoff.value_or(-1), e.cluster.text(group.meta.ns), e.cluster.text(group.meta.name));
}

}  // namespace previct::kai
