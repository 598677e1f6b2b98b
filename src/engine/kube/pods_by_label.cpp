#include "engine/kube/pods_by_label.h"

namespace previct::kube {

auto PodsByLabel::of(Symbol ns) -> OfNamespace& {
  if (namespaces_.empty()) {
    for (const PodId pod : cluster_.pods().ids()) namespaces_[cluster_.pod(pod).meta.ns.index].pods.push_back(pod);
  }
  return namespaces_[ns.index];
}

auto PodsByLabel::in(Symbol ns) -> std::span<const PodId> {
  return of(ns).pods;
}

auto PodsByLabel::with(Symbol ns, SymbolMap::Entry label) -> std::span<const PodId> {
  OfNamespace& all = of(ns);
  const auto [lists, is_new] = all.by_key.try_emplace(label.first.index);
  if (is_new) {
    for (const PodId pod : all.pods) {
      if (const Symbol value = cluster_.pod(pod).meta.labels.get(label.first))
        lists->second[value.index].push_back(pod);
    }
  }
  const auto found = lists->second.find(label.second.index);
  return found == lists->second.end() ? std::span<const PodId>() : std::span<const PodId>(found->second);
}

auto PodsByLabel::near(Symbol ns, const LabelSelector& selector) -> std::span<const PodId> {
  std::span<const PodId> shortest = in(ns);
  for (const SymbolMap::Entry& label : selector.match_labels) {
    if (!label.second) continue;
    const std::span<const PodId> pods = with(ns, label);
    if (pods.size() < shortest.size()) shortest = pods;
  }
  return shortest;
}

void PodsByLabel::add(PodId pod) {
  if (namespaces_.empty()) return;
  const ObjectMeta& meta = cluster_.pod(pod).meta;
  OfNamespace& all = namespaces_[meta.ns.index];
  all.pods.push_back(pod);
  for (auto& [key, lists] : all.by_key) {
    if (const Symbol value = meta.labels.get(Symbol{key})) lists[value.index].push_back(pod);
  }
}

}  // namespace previct::kube
