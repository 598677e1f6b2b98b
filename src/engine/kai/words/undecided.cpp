#include "engine/kai/words/undecided.h"

#include "base/text.h"
#include "engine/kai/words/evidence.h"
#include "engine/need.h"

#include <fmt/format.h>

#include <algorithm>

namespace previct::kai {

auto no_cycle(const Explained& e, const Fate& fate) -> std::string {
  if (!e.settings.cannot_start.empty()) {
    return fmt::format("stays pending: KAI 0.17 does not start with this configuration: {}", e.settings.cannot_start);
  }
  if (const auto& endless = e.pool().endless_queues(); !endless.empty()) {
    std::vector<std::string> names(endless.begin(), endless.end());
    return fmt::format(
        "stays pending: KAI's cycle would never end here: queue{} {} {} above {}, and {} groups with pods",
        names.size() == 1 ? "" : "s", joined(names, ", "), names.size() == 1 ? "is" : "are",
        names.size() == 1 ? "itself" : "themselves", names.size() == 1 ? "has" : "have");
  }
  const auto& crashed = e.decision.cycle.crashed_in();
  if (!crashed || fate.placed > 0) return {};
  return fmt::format(
      "stays pending: KAI's cycle would fail here: action {} ends in a panic, because its queueDepthPerAction of 0 "
      "leaves it no group to take up",
      action_name(*crashed));
}

auto backing_off(const Explained& e, const PodGroup& group) -> Answer {
  Answer out;
  out.engine = "kai";
  const std::string key = fmt::format("{}/{}", e.cluster.text(group.meta.ns), e.cluster.text(group.meta.name));
  out.subject = e.subject.pod;
  out.subject_name = e.subject.pod ? e.cluster.key(e.subject.pod) : fmt::format("podgroup/{}", key);
  const Pod* pod = e.subject.pod ? &e.cluster.pod(e.subject.pod) : nullptr;
  if (pod != nullptr && pod->spec.node_name) {
    out.outcome = Outcome::scheduled;
    out.sentence = fmt::format("is already on node {}", e.cluster.text(pod->spec.node_name));
  } else {
    out.outcome = Outcome::pending;
    out.sentence = fmt::format(
        "stays pending: after a failed attempt, schedulingBackoff {} keeps group {} out of every cycle of this node "
        "pool, until its last scheduling condition is taken away",
        group.spec.scheduling_backoff.value_or(-1), key);
  }
  out.gaps = gaps(e);
  Session start(e.pool());
  out.evidence = evidence_of(e.decision.cycle, start, e.subject.group, e.question.now);
  return out;
}

auto unknown_config_maps(const Explained& e) -> std::vector<std::string> {
  std::vector<std::string> names;
  if (!e.subject.group || !lacks(e.cluster.objects(), "ConfigMap")) return names;
  const Group& group = e.group();
  for (std::uint32_t i = 0; i < group.sets; ++i) {
    for (const TaskId id : e.pool().tasks_of(group.set(i))) {
      if (e.pool().task(id).status != Status::pending) continue;
      const Pod& pod = e.cluster.pod(e.pool().task(id).pod);
      for (const Symbol name : e.pool().config_maps().missing(pod)) {
        std::string key = fmt::format("{}/{}", e.cluster.text(pod.meta.ns), e.cluster.text(name));
        if (std::find(names.begin(), names.end(), key) == names.end()) names.push_back(std::move(key));
      }
    }
  }
  return names;
}

auto config_maps_words(const std::vector<std::string>& names) -> std::string {
  return fmt::format("the ConfigMap{} {}", names.size() == 1 ? "" : "s", joined(names, ", "));
}

}  // namespace previct::kai
