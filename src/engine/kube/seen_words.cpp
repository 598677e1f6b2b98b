#include "engine/kube/seen_words.h"

#include "api/event_reasons.h"
#include "api/scheduler_words.h"
#include "engine/engine.h"

#include <fmt/format.h>

#include <algorithm>

namespace previct::kube {

MessageEvidence::MessageEvidence(const Snapshot& cluster) {
  for (const PodId id : cluster.pods().ids()) {
    const Pod& pod = cluster.pod(id);
    if (pod.spec.node_name) continue;
    const Condition* condition = pod.condition(cluster.known().pod_scheduled);
    if (condition == nullptr || !condition->message) continue;
    add_message(scheduler_of(cluster, id), cluster.text(condition->message), fmt::format("Pod {}", cluster.key(id)));
  }
  for (const previct::ClusterEvent& event : cluster.objects().events) {
    if (cluster.text(event.reason) != event_reasons::failed_scheduling || !event.reporter) continue;
    const std::string_view note = cluster.text(event.note);
    if (!is_schedulers_message(note)) continue;
    add_message(std::string(cluster.text(event.reporter)), note,
                fmt::format("Pod {}/{}", cluster.text(event.regarding.ns), cluster.text(event.regarding.name)));
  }
}

auto MessageEvidence::of(std::string_view scheduler) const -> const Of& {
  static const Of kNothing;
  const auto found = by_scheduler_.find(scheduler);
  return found == by_scheduler_.end() ? kNothing : found->second;
}

void MessageEvidence::add_message(const std::string& scheduler, std::string_view message, const std::string& where) {
  const WordEvidence told = evidence_of_words(message);
  Of& of = by_scheduler_[scheduler];
  of.first = std::max(of.first, told.first);
  if (told.last != 0) of.last = of.last == 0 ? told.last : std::min(of.last, told.last);
  const bool by_default = told.plugin == ReleaseWords::Plugin::default_preemption;
  const bool by_other = told.plugin == ReleaseWords::Plugin::other_preemption;
  if (by_default && of.default_preemption.empty()) of.default_preemption = where;
  if (by_other && of.other_preemption.empty()) of.other_preemption = where;
}

}  // namespace previct::kube
