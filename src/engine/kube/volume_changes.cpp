#include "engine/kube/volume_changes.h"

#include "base/contains.h"
#include "engine/kube/account.h"
#include "engine/kube/filters/volume_binding.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace previct::kube {
namespace {

template <class Object>
auto change_to(const Object& before, Object after) -> VolumeChanges::Change<Object> {
  return {std::make_shared<const Object>(before), std::make_shared<const Object>(std::move(after))};
}

auto bound_claim(const PersistentVolumeClaim& before, Symbol volume, Symbols& symbols)
    -> VolumeChanges::Change<PersistentVolumeClaim> {
  PersistentVolumeClaim claim = before;
  claim.spec.volume_name = volume;
  claim.meta.annotations.set(symbols.intern("pv.kubernetes.io/bind-completed"), symbols.intern("yes"));
  claim.status.phase = symbols.intern("Bound");
  return change_to(before, std::move(claim));
}

// Returns the selector of the nodes that share the topology of this one; nothing if the node lacks a label.
auto same_topology(const Node& node, const std::vector<Symbol>& keys) -> std::optional<NodeSelector> {
  NodeSelector selector;
  NodeSelectorTerm& term = selector.terms.emplace_back();
  for (const Symbol key : keys) {
    Requirement& of_key = term.match_expressions.emplace_back();
    of_key.key = key;
    of_key.op = SelectorOperator::in;
    of_key.values.push_back(node.meta.labels.get(key));
    if (!of_key.values.front()) return {};
  }
  return selector;
}

// Returns the volume that is provisioned for the claim; nothing if its location is not known.
auto provisioned_for(const PersistentVolumeClaim& claim, const Snapshot& cluster, NodeId id)
    -> std::optional<PersistentVolume> {
  const Node& node = cluster.node(id);
  const Symbol class_name = class_of(cluster, claim);
  const StorageClass* const storage_class = cluster.storage_class(class_name);
  const CsiNode* const csi_node = cluster.csi_node(node.meta.name);
  if (storage_class == nullptr || csi_node == nullptr) return {};
  const auto& drivers = csi_node->spec.drivers;
  const auto driver = std::find_if(drivers.begin(), drivers.end(),
                                   [&](const CsiNodeDriver& each) { return each.name == storage_class->provisioner; });
  if (driver == drivers.end()) return {};
  Symbols& symbols = cluster.symbols();
  PersistentVolume volume;
  if (!driver->topology_keys.empty()) {
    volume.spec.node_affinity.required = same_topology(node, driver->topology_keys);
    if (!volume.spec.node_affinity.required) return {};
  }
  volume.meta.name = symbols.intern(fmt::format(
      "pvc-{}", claim.meta.uid ? std::string(symbols.text(claim.meta.uid))
                               : fmt::format("{}-{}", symbols.text(claim.meta.ns), symbols.text(claim.meta.name))));
  volume.spec.capacity = claim.spec.resources.requests;
  volume.spec.access_modes = claim.spec.access_modes;
  volume.spec.storage_class_name = class_name;
  volume.spec.volume_mode = claim.spec.volume_mode;
  volume.spec.volume_attributes_class_name = claim.spec.volume_attributes_class_name;
  volume.spec.claim = ClaimReference{claim.meta.ns, claim.meta.name, claim.meta.uid};
  volume.spec.csi = CsiSource{driver->name, volume.meta.name};
  volume.status.phase = symbols.intern("Bound");
  return volume;
}

template <class Object>
void apply_to(std::vector<Object>& objects, const VolumeChanges::Change<Object>& change) {
  if (change.before == nullptr) return objects.push_back(*change.after);
  const auto found = std::find_if(objects.begin(), objects.end(), [&](const Object& each) {
    return each.meta.ns == change.before->meta.ns && each.meta.name == change.before->meta.name;
  });
  if (found == objects.end()) return;
  if (change.after == nullptr) {
    objects.erase(found);
  } else {
    *found = *change.after;
  }
}

auto is_settled(const PersistentVolumeClaim* claim) -> bool {
  return claim == nullptr || claim->spec.volume_name || claim->provisioned;
}

auto claim_of(const PersistentVolume& volume, const Snapshot& cluster) -> const PersistentVolumeClaim* {
  return cluster.claim(volume.spec.claim->ns, volume.spec.claim->name);
}

}  // namespace

auto volumes_of_placed(NodeInfoSnapshot& node_infos, const Profile& profile, PodId pod, NodeId node) -> VolumeChanges {
  VolumeChanges changes;
  if (!contains(profile.filters, find_filter("VolumeBinding"))) return changes;
  const Incoming incoming{node_infos, node_infos.incoming(pod)};
  VolumeBinding binding(incoming);
  const Prepared prepared = binding.prepare();
  if (prepared.skip || !prepared.rejection.ok()) return changes;
  binding.enter(node);
  const VolumeBinding::Plan plan = binding.plan();
  for (const auto& [claim, volume] : plan.matched) {
    PersistentVolume promised = *volume;
    promised.spec.claim = ClaimReference{claim->meta.ns, claim->meta.name, claim->meta.uid};
    changes.volumes.push_back(change_to(*volume, std::move(promised)));
  }
  Symbols& symbols = node_infos.cluster().symbols();
  for (const VolumeBinding::Plan::Made& made : plan.made) {
    PersistentVolumeClaim claim = *made.claim;
    claim.meta.annotations.set(symbols.intern("volume.kubernetes.io/selected-node"), node_infos.name(node));
    changes.claims.push_back(change_to(*made.claim, std::move(claim)));
  }
  return changes;
}

auto volumes_of_placed(const Verdict& verdict, NodeId node) -> VolumeChanges {
  const auto* const account = dynamic_cast<const EngineTrace*>(verdict.account.get());
  if (account == nullptr || account->profile == nullptr || !node) return {};
  return volumes_of_placed(account->node_infos, *account->profile, account->subject, node);
}

auto volumes_of_bound(const Snapshot& cluster, const VolumeChanges& placed, NodeId node) -> VolumeChanges {
  Symbols& symbols = cluster.symbols();
  VolumeChanges changes;
  for (const auto& [before, after] : placed.volumes) {
    const PersistentVolumeClaim* const claim = claim_of(*after, cluster);
    if (is_settled(claim)) continue;
    PersistentVolume volume = *after;
    volume.status.phase = symbols.intern("Bound");
    changes.volumes.push_back(change_to(*after, std::move(volume)));
    changes.claims.push_back(bound_claim(*claim, after->meta.name, symbols));
  }
  for (const auto& [before, after] : placed.claims) {
    const PersistentVolumeClaim* const claim = cluster.claim(after->meta.ns, after->meta.name);
    if (is_settled(claim)) continue;
    if (auto volume = provisioned_for(*claim, cluster, node)) {
      changes.claims.push_back(bound_claim(*claim, volume->meta.name, symbols));
      changes.volumes.push_back({nullptr, std::make_shared<const PersistentVolume>(*std::move(volume))});
    } else {
      PersistentVolumeClaim elsewhere = *claim;
      elsewhere.provisioned = true;
      changes.claims.push_back(change_to(*claim, std::move(elsewhere)));
    }
  }
  return changes;
}

auto reverted(const Snapshot& cluster, const VolumeChanges& placed) -> VolumeChanges {
  VolumeChanges changes;
  for (const auto& [before, after] : placed.volumes) {
    if (!is_settled(claim_of(*after, cluster))) changes.volumes.push_back({after, before});
  }
  for (const auto& [before, after] : placed.claims) {
    if (!is_settled(cluster.claim(after->meta.ns, after->meta.name))) changes.claims.push_back({after, before});
  }
  return changes;
}

void apply(const VolumeChanges& changes, ChangedCluster& changed) {
  for (const auto& change : changes.claims) apply_to(changed.volume_claims(), change);
  for (const auto& change : changes.volumes) apply_to(changed.volumes(), change);
}

}  // namespace previct::kube
