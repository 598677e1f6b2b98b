#include "engine/kube/spread_selectors.h"

#include "cluster/label_syntax.h"
#include "cluster/matching.h"
#include "engine/required_kind.h"

#include <algorithm>
#include <array>

namespace previct::kube {
namespace {

auto controller_of(const Pod& pod) -> const OwnerReference* {
  const auto found = std::find_if(pod.meta.owners.begin(), pod.meta.owners.end(),
                                  [](const OwnerReference& o) { return o.controller; });
  return found == pod.meta.owners.end() ? nullptr : &*found;
}

template <class T>
auto find(const std::vector<T>& objects, Symbol ns, Symbol name) -> const T* {
  const auto found =
      std::find_if(objects.begin(), objects.end(), [&](const T& o) { return o.meta.ns == ns && o.meta.name == name; });
  return found == objects.end() ? nullptr : &*found;
}

auto holds_all(const SymbolMap& labels, const SymbolMap& wanted) -> bool {
  return std::all_of(wanted.begin(), wanted.end(), [&](const auto& w) { return labels.get(w.first) == w.second; });
}

// Adds the requirements of `more` to `selector`.
void add(const std::optional<LabelSelector>& more, LabelSelector& selector) {
  if (!more) return;
  for (const auto& [key, value] : more->match_labels) {
    Requirement& r = selector.match_expressions.emplace_back();
    r.key = key;
    r.op = SelectorOperator::in;
    r.values = {value};
  }
  selector.match_expressions.insert(selector.match_expressions.end(), more->match_expressions.begin(),
                                    more->match_expressions.end());
}

// Returns true if the owner has this kind and API version; a kind of the same name in another group does not count.
// Captures may lack the version.
// Source: pkg/scheduler/framework/plugins/helper/spread.go DefaultSelector.
auto is_a(const OwnerReference& owner, std::string_view version, std::string_view kind, const Snapshot& cluster)
    -> bool {
  return cluster.text(owner.kind) == kind && (!owner.api_version || cluster.text(owner.api_version) == version);
}

}  // namespace

auto has_malformed_constraint(const Snapshot& cluster, const Pod& pod, Symbol when_unsatisfiable) -> bool {
  const auto& all = pod.spec.topology_spread;
  return std::any_of(all.begin(), all.end(), [&](const TopologySpreadConstraint& each) {
    return when_unsatisfiable && each.when_unsatisfiable == when_unsatisfiable && each.selector &&
           !fault_of(*each.selector, cluster.symbols()).empty();
  });
}

auto spread_selector(const NodeInfoSnapshot& node_infos, const Pod& pod, const TopologySpreadConstraint& constraint)
    -> std::optional<LabelSelector> {
  std::optional<LabelSelector> selector = constraint.selector;
  const bool with_keys = node_infos.release().has(Change::spread_matches_label_keys);
  for (const Symbol key : constraint.match_label_keys) {
    const Symbol value = pod.meta.labels.get(key);
    if (!with_keys || !selector || !value) continue;
    Requirement& r = selector->match_expressions.emplace_back();
    r.key = key;
    r.op = SelectorOperator::in;
    r.values = {value};
  }
  return selector;
}

auto selector_by_default(const Snapshot& cluster, const Pod& pod) -> LabelSelector {
  LabelSelector selector;
  for (const Service& service : cluster.objects().services) {
    if (service.meta.ns != pod.meta.ns || service.spec.selector.empty()) continue;
    if (!holds_all(pod.meta.labels, service.spec.selector)) continue;
    for (const auto& [key, value] : service.spec.selector) selector.match_labels.set(key, value);
  }
  const OwnerReference* controller = controller_of(pod);
  if (controller == nullptr) return selector;
  const Objects& objects = cluster.objects();
  if (is_a(*controller, "v1", "ReplicationController", cluster)) {
    if (const auto* owner = find(objects.replication_controllers, pod.meta.ns, controller->name)) {
      for (const auto& [key, value] : owner->spec.selector) selector.match_labels.set(key, value);
    }
  } else if (is_a(*controller, "apps/v1", "ReplicaSet", cluster)) {
    if (const auto* owner = find(objects.replica_sets, pod.meta.ns, controller->name))
      add(owner->spec.selector, selector);
  } else if (is_a(*controller, "apps/v1", "StatefulSet", cluster)) {
    if (const auto* owner = find(objects.stateful_sets, pod.meta.ns, controller->name))
      add(owner->spec.selector, selector);
  }
  return selector;
}

auto lacking_for_default_spread(const Snapshot& cluster, const Pod& pod) -> std::string_view {
  if (may_hold_more(cluster.objects(), kinds::services)) return kinds::services.name;
  const OwnerReference* controller = controller_of(pod);
  if (controller == nullptr) return {};
  for (const KindInfo* const kind : {&kinds::replication_controllers, &kinds::replica_sets, &kinds::stateful_sets}) {
    if (is_a(*controller, kind->api_version, kind->name, cluster) && may_hold_more(cluster.objects(), *kind))
      return kind->name;
  }
  return {};
}

auto doubt_of_default_spread(const Snapshot& cluster, const Pod& pod) -> std::optional<Gap> {
  if (pod.meta.labels.empty()) return {};  // only an empty selector could match it
  const std::string_view kind = lacking_for_default_spread(cluster, pod);
  if (kind.empty()) return {};
  return Gap{GapRule::spread_scores, {std::string(kind)}};
}

}  // namespace previct::kube
