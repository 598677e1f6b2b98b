#include "engine/yunikorn/predicates.h"

#include "base/contains.h"
#include "engine/kube/unknown_volumes.h"

#include <algorithm>

namespace previct::yunikorn {

Predicates::Predicates(const PartitionContext& core, PodId pod, bool volumes_everywhere)
    : cluster_(core.cluster()),
      core_(cluster_.derived<kube::NodeInfoSnapshot>()),
      incoming_{core_, core_.incoming(pod)} {
  static const kube::FilterSettings kDefaults;
  for (const kube::FilterInfo* info : kube::filters()) {
    if (volumes_everywhere && kube::looks_at_volumes(info)) continue;
    Asked asked;
    asked.filter = info->make(incoming_, kDefaults);
    asked.prepared = asked.filter->prepare();
    asked.at_reservation = info->at_reservation;
    if (!asked.prepared.skip) filters_.push_back(std::move(asked));
  }
}

/// Returns the result of PreFilter for the node.
auto Predicates::outside(const Asked& asked, NodeId node) const -> Refusal {
  if (!asked.prepared.rejection.ok()) {
    const kube::ReasonList& reasons = asked.prepared.rejection.reasons;
    return reasons.empty() ? kube::Reason{kube::Rule::not_helpful} : reasons.front();
  }
  const auto& only = asked.prepared.only_nodes;
  if (!only || std::find(only->begin(), only->end(), core_.name(node)) != only->end()) return {};
  return kube::Reason{kube::Rule::node_affinity, kube::operand(node)};
}

auto Predicates::check(NodeId node, Phase phase, std::span<const PodId> victims, Leaving leaving) -> Refusal {
  const auto counts = [&](const Asked& asked) { return phase == Phase::allocation || asked.at_reservation; };
  for (const Asked& asked : filters_) {
    if (!counts(asked)) continue;
    if (const Refusal refusal = outside(asked, node)) return refusal;
  }
  for (const Asked& asked : filters_) {
    if (!counts(asked)) continue;
    asked.filter->enter(node);
    for (const kube::PodInfo& placed : core_.pods_on(node)) {
      if (!contains(victims, placed.pod)) continue;
      leaving == Leaving::is_removed ? asked.filter->remove(placed) : asked.filter->remove_without_pre_filter(placed);
    }
    kube::ReasonList reasons;
    if (asked.filter->check(&reasons) == kube::Code::success) continue;
    return reasons.empty() ? kube::Reason{kube::Rule::not_helpful} : reasons.front();
  }
  return {};
}

}  // namespace previct::yunikorn
