// Claims in a simulation: what the scheduler and their controllers do with them.

#include "cluster/claim_users.h"
#include "engine/kube/claims.h"
#include "engine/kube/devices/inventory.h"
#include "overlay/claims.h"
#include "sequence/simulated_cluster.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace previct::sequence {

void SimulatedCluster::note_templates() {
  for (const ResourceClaimTemplate& each : objects_.claim_templates)
    templates_.try_emplace({each.meta.ns, each.meta.name}, each.spec.spec);
  for (const Pod& pod : objects_.pods) {
    for (const PodResourceClaim& ref : pod.spec.resource_claims) {
      for (const PodResourceClaimStatus& made : pod.status.resource_claim_statuses) {
        if (!ref.template_name || made.name != ref.name) continue;
        for (const ResourceClaim& claim : objects_.resource_claims) {
          if (claim.meta.ns == pod.meta.ns && claim.meta.name == made.claim_name)
            templates_.try_emplace({pod.meta.ns, ref.template_name}, claim.spec);
        }
      }
    }
  }
  for (const PodId id : cluster().pods().ids()) {
    const Pod& user = pod(id);
    for (const kube::PodClaim& ref : kube::claims_of(cluster(), user)) {
      const PersistentVolumeClaim* const known =
          ref.ephemeral && ref.name ? cluster().claim(user.meta.ns, ref.name) : nullptr;
      if (known != nullptr) ephemeral_claims_.emplace(std::pair(id, ref.volume), claim_like(*known, objects_.symbols));
    }
  }
}

void SimulatedCluster::claim_volumes(Pod& pod, Symbol name) {
  const auto joined = [&](Symbol volume, Symbol of) {
    return objects_.symbols.intern(fmt::format("{}-{}", objects_.symbols.text(volume), objects_.symbols.text(of)));
  };
  SharedList<Volume> volumes;
  kube::VolumeChanges made;
  for (Volume volume : std::as_const(pod.spec.volumes)) {
    if (volume.claim.claim_name && volume.claim.claim_name == joined(volume.name, pod.meta.name)) {
      const PersistentVolumeClaim* const like = cluster().claim(pod.meta.ns, volume.claim.claim_name);
      volume.claim.claim_name = joined(volume.name, name);
      if (like != nullptr && cluster().claim(pod.meta.ns, volume.claim.claim_name) == nullptr) {
        PersistentVolumeClaim claim = claim_like(*like, objects_.symbols);
        claim.meta.name = volume.claim.claim_name;
        made.claims.push_back({nullptr, std::make_shared<const PersistentVolumeClaim>(std::move(claim))});
      }
    }
    volumes.push_back(std::move(volume));
  }
  pod.spec.volumes = std::move(volumes);
  apply(made);
}

auto SimulatedCluster::new_volume_claims(PodId id) const -> std::vector<PersistentVolumeClaim> {
  const Pod& user = pod(id);
  std::vector<PersistentVolumeClaim> claims;
  for (const Volume& volume : user.spec.volumes) {
    const auto known = ephemeral_claims_.find({id, volume.name});
    if (!volume.ephemeral || known == ephemeral_claims_.end()) continue;
    const Symbol name = objects_.symbols.intern(ephemeral_claim_name(objects_.symbols, user, volume.name));
    if (cluster().claim(user.meta.ns, name) != nullptr) continue;
    PersistentVolumeClaim& claim = claims.emplace_back(known->second);
    claim.meta.name = name;
    claim.meta.owners = {{objects_.symbols.intern("Pod"), user.meta.name, user.meta.uid, true}};
  }
  return claims;
}

auto SimulatedCluster::awaits_volume_claims(PodId id) const -> bool {
  return !new_volume_claims(id).empty();
}

auto SimulatedCluster::make_volume_claims(PodId id) -> bool {
  kube::VolumeChanges made;
  for (PersistentVolumeClaim& claim : new_volume_claims(id))
    made.claims.push_back({nullptr, std::make_shared<const PersistentVolumeClaim>(std::move(claim))});
  apply(made);
  return !made.empty();
}

auto SimulatedCluster::detach_volumes(PodId id) -> bool {
  const NodeId left = cluster().find_node(pod(id).spec.node_name);
  if (!left) return false;
  std::vector<PodId> others = on_node_[left];
  std::erase(others, id);
  if (!previct::detach_volumes(cluster(), id, left, others, changed_)) return false;
  ++version_;
  return true;
}

void SimulatedCluster::drop_volume_claims(PodId id) {
  const Pod& gone = pod(id);
  kube::VolumeChanges dropped;
  for (const kube::PodClaim& ref : kube::claims_of(cluster(), gone)) {
    const PersistentVolumeClaim* const claim = ref.ephemeral ? cluster().claim(gone.meta.ns, ref.name) : nullptr;
    if (claim == nullptr || !kube::owned_by(*claim, gone)) continue;
    claims_bound_.erase({claim->meta.ns, claim->meta.name});
    dropped.claims.push_back({std::make_shared<const PersistentVolumeClaim>(*claim), nullptr});
    const PersistentVolume* const volume = cluster().volume(claim->spec.volume_name);
    if (volume != nullptr && new_volumes_.erase(volume->meta.name) > 0)
      dropped.volumes.push_back({std::make_shared<const PersistentVolume>(*volume), nullptr});
  }
  apply(dropped);
}

auto SimulatedCluster::awaited_claims(PodId id) const -> std::vector<const PodResourceClaim*> {
  const Pod& pod = objects_.pods[id];
  std::vector<const PodResourceClaim*> awaited;
  for (const PodResourceClaim& ref : pod.spec.resource_claims) {
    const auto& made = pod.status.resource_claim_statuses;
    const bool is_made = std::any_of(made.begin(), made.end(), [&](const auto& each) { return each.name == ref.name; });
    if (ref.template_name && !is_made && templates_.contains({pod.meta.ns, ref.template_name})) awaited.push_back(&ref);
  }
  return awaited;
}

auto SimulatedCluster::make_claims(PodId id) -> std::vector<ClaimChange> {
  std::vector<ClaimChange> changes;
  const auto awaited = awaited_claims(id);
  if (awaited.empty()) return changes;
  std::vector<PodResourceClaimStatus> made;
  for (const PodResourceClaim* ref : awaited) {
    const Pod& owner = pod(id);
    ResourceClaim claim;
    claim.meta.ns = owner.meta.ns;
    claim.meta.name = objects_.symbols.intern(
        fmt::format("{}-{}", objects_.symbols.text(owner.meta.name), objects_.symbols.text(ref->name)));
    claim.meta.owners = {{objects_.symbols.intern("Pod"), owner.meta.name, owner.meta.uid, true}};
    claim.spec = templates_.at({owner.meta.ns, ref->template_name});
    made.push_back({ref->name, claim.meta.name});
    changes.push_back({nullptr, std::make_shared<const ResourceClaim>(claim)});
    changed_.resource_claims().push_back(std::move(claim));
  }
  for (const PodResourceClaimStatus& each : made) change(id).status.resource_claim_statuses.push_back(each);
  forget_claims();
  return changes;
}

void SimulatedCluster::forget_claims() {
  ++version_;
  cluster().forget<kube::devices::Inventory>();
  for (const NodeId node : cluster().nodes().ids()) touched_.push_back({version_, node});
}

auto SimulatedCluster::use_claims(PodId id, NodeId node, const kube::devices::Findings* findings)
    -> std::vector<ClaimChange> {
  std::vector<ClaimChange> changes = kube::claims_of_placed(cluster(), id, node, findings);
  apply(changes);
  return changes;
}

// Source: pkg/controller/resourceclaim/controller.go syncClaim.
auto SimulatedCluster::leave_claims(PodId id) -> std::vector<ClaimChange> {
  const Pod& user = pod(id);
  std::vector<ClaimChange> changes;
  std::vector<ClaimChange> gone;
  for (const ResourceClaim& claim : objects_.resource_claims) {
    if (claim.meta.ns != user.meta.ns) continue;
    auto before = std::make_shared<const ResourceClaim>(claim);
    if (auto after = std::make_shared<ResourceClaim>(claim); leave(user, *after)) {
      changes.push_back({before, after});
      before = after;
    }
    if (is_claim_of(claim, user)) gone.push_back({before, nullptr});
  }
  changes.insert(changes.end(), gone.begin(), gone.end());
  apply(changes);
  return changes;
}

auto SimulatedCluster::uses_claims(PodId id) const -> bool {
  return previct::uses_claims(pod(id), objects_);
}

auto SimulatedCluster::claims_in_use(const std::function<std::string(PodId)>& name) const -> std::vector<std::string> {
  std::vector<std::string> claims;
  for (const ResourceClaim& claim : objects_.resource_claims) {
    if (!claim.status.allocation) continue;
    std::string text = "%";
    for (const AllocatedDevice& device : claim.status.allocation->devices.results)
      text += fmt::format(" {}.{}.{}", device.driver.index, device.pool.index, device.device.index);
    for (const ClaimConsumer& user : claim.status.reserved_for) {
      const PodId pod = cluster().find_pod(objects_.symbols.text(claim.meta.ns), objects_.symbols.text(user.name));
      text += " " + (pod ? name(pod) : std::to_string(user.name.index));
    }
    claims.push_back(text + "\n");
  }
  std::sort(claims.begin(), claims.end());
  return claims;
}

auto SimulatedCluster::deallocate(Symbol ns, Symbol name) -> std::vector<ClaimChange> {
  std::vector<ClaimChange> changes;
  for (const ResourceClaim& claim : objects_.resource_claims) {
    if (claim.meta.ns != ns || claim.meta.name != name) continue;
    auto after = std::make_shared<ResourceClaim>(claim);
    after->status.allocation.reset();
    after->status.reserved_for = {};
    changes.push_back({std::make_shared<const ResourceClaim>(claim), std::move(after)});
  }
  apply(changes);
  return changes;
}

void SimulatedCluster::add_volume_gaps(PodId id, std::vector<Gap>& gaps) const {
  const Pod& user = pod(id);
  for (const kube::PodClaim& ref : kube::claims_of(cluster(), user)) {
    const PersistentVolumeClaim* const claim = cluster().claim(user.meta.ns, ref.name);
    const std::string name = ref.ephemeral ? ephemeral_claim_name(objects_.symbols, user, ref.volume)
                                           : std::string(cluster().text(ref.name));
    if (claim == nullptr) {
      if (ref.ephemeral && !ephemeral_claims_.contains({id, ref.volume}))
        add_gaps({{GapRule::ephemeral_claim_awaited, {name}, true}}, gaps);
      continue;
    }
    const bool decided = claim->spec.volume_name || claim->to_be_made || claim->provisioned;
    if (!decided && !kube::waits_for_consumer(cluster(), kube::class_of(cluster(), *claim)))
      add_gaps({{GapRule::claim_stays_unbound, {name}}}, gaps);
    const PersistentVolume* const volume = cluster().volume(claim->spec.volume_name);
    if (volume != nullptr && new_volumes_.contains(volume->meta.name) && volume->spec.node_affinity.required)
      add_gaps({{GapRule::topology_of_new_volume, {name}}}, gaps);
    // The capacities are those of the input.
    const Symbol name_of_class = kube::class_of(cluster(), *claim);
    const StorageClass* const of_class = cluster().storage_class(name_of_class);
    const CsiDriver* const driver = of_class == nullptr ? nullptr : cluster().csi_driver(of_class->provisioner);
    if (decided || driver == nullptr || !driver->spec.storage_capacity) continue;
    const auto is_alike = [&](const PersistentVolumeClaim& each) {
      const bool same = each.meta.ns == claim->meta.ns && each.meta.name == claim->meta.name;
      return !same && kube::class_of(cluster(), each) == name_of_class;
    };
    const auto& claims = objects_.persistent_volume_claims;
    const bool follows =
        std::any_of(claims.begin(), claims.end(),
                    [&](const PersistentVolumeClaim& each) {
                      return is_alike(each) && (each.provisioned || new_volumes_.contains(each.spec.volume_name));
                    }) ||
        std::any_of(assumed_volumes_.begin(), assumed_volumes_.end(), [&](const auto& assumed) {
          const auto& of_pod = assumed.second.claims;
          return std::any_of(of_pod.begin(), of_pod.end(), [&](const auto& each) { return is_alike(*each.after); });
        });
    if (follows) add_gaps({{GapRule::capacity_for_all, {std::string(cluster().text(name_of_class))}}}, gaps);
  }
}

void SimulatedCluster::assume_volumes(PodId id, NodeId node, const kube::Profile& profile) {
  if (!pod(id).spec.has_storage()) return;
  kube::VolumeChanges placed = kube::volumes_of_placed(node_infos(), profile, id, node);
  if (placed.empty()) return;
  apply(placed);
  assumed_volumes_[id] = std::move(placed);
}

auto SimulatedCluster::bind_volumes(PodId id) -> bool {
  const auto found = assumed_volumes_.find(id);
  if (found == assumed_volumes_.end() || !node_of_[id]) return false;
  const kube::VolumeChanges bound = kube::volumes_of_bound(cluster(), found->second, node_of_[id]);
  for (const auto& [before, after] : bound.volumes) {
    if (before == nullptr) new_volumes_.insert(after->meta.name);
  }
  assumed_volumes_.erase(found);
  for (const auto& [before, after] : bound.claims) claims_bound_.emplace(after->meta.ns, after->meta.name);
  apply(bound);
  return true;
}

void SimulatedCluster::forget_volumes(PodId id) {
  const auto found = assumed_volumes_.find(id);
  if (found == assumed_volumes_.end()) return;
  apply(kube::reverted(cluster(), found->second));
  assumed_volumes_.erase(found);
}

void SimulatedCluster::apply(const std::vector<ClaimChange>& changes) {
  if (changes.empty()) return;
  kube::apply(changes, changed_.resource_claims());
  forget_claims();
}

}  // namespace previct::sequence
