// ResourceClaims in a simulation: what the scheduler and the resourceclaim controller do with them.

#include "engine/kube/devices/inventory.h"
#include "engine/kube/resource_claims.h"
#include "sequence/simulated_cluster.h"

#include <fmt/format.h>

#include <algorithm>

namespace previct::sequence {
namespace {

auto is_user(const ClaimConsumer& user, const Pod& pod) -> bool {
  return user.name == pod.meta.name && user.uid == pod.meta.uid;
}

auto is_controlled_by(const ResourceClaim& claim, const Pod& pod) -> bool {
  const OwnerReference* owner = controller_of(claim.meta);
  return owner != nullptr && owner->uid == pod.meta.uid && owner->name == pod.meta.name;
}

}  // namespace

void SimulatedCluster::note_templates() {
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

// Source: plugins/dynamicresources Reserve and PreBind, bindClaim.
auto SimulatedCluster::use_claims(PodId id, NodeId node, const kube::devices::Findings* findings)
    -> std::vector<ClaimChange> {
  const Pod& user = pod(id);
  static const std::vector<kube::devices::ChosenDevice> kNone;
  const auto* found =
      findings == nullptr || findings->nodes().size() <= node.index ? nullptr : &findings->nodes()[node.index];
  const auto& chosen = found == nullptr || !*found ? kNone : (*found)->chosen;
  const std::vector<const ResourceClaim*> used = kube::resource_claims_of(cluster(), id).claims;
  std::vector<ClaimChange> changes;
  const auto allocation_of = [&](const ResourceClaim* claim) {
    ClaimAllocation allocation;
    for (const kube::devices::ChosenDevice& each : chosen) {
      if (each.claim != claim) continue;
      allocation.devices.results.push_back(each.device);
      if (each.slice->spec.node_name) allocation.node_selector = only(node);
    }
    return allocation;
  };
  for (const ResourceClaim* claim : used) {
    const auto& users = claim->status.reserved_for;
    if (std::any_of(users.begin(), users.end(), [&](const auto& each) { return is_user(each, user); })) continue;
    auto after = std::make_shared<ResourceClaim>(*claim);
    if (!after->status.allocation) after->status.allocation = allocation_of(claim);
    after->status.reserved_for.push_back({user.meta.name, user.meta.uid});
    changes.push_back({std::make_shared<const ResourceClaim>(*claim), std::move(after)});
  }
  const bool extended =
      std::any_of(chosen.begin(), chosen.end(), [](const auto& each) { return each.claim == nullptr; });
  if (extended) {
    ResourceClaim made;
    made.meta.ns = user.meta.ns;
    made.meta.name =
        objects_.symbols.intern(fmt::format("{}-extended-resources", objects_.symbols.text(user.meta.name)));
    made.meta.owners = {{objects_.symbols.intern("Pod"), user.meta.name, user.meta.uid, true}};
    made.meta.annotations.set(objects_.symbols.intern("resource.kubernetes.io/extended-resource-claim"),
                              objects_.symbols.intern("true"));
    made.status.allocation = allocation_of(nullptr);
    made.status.reserved_for.push_back({user.meta.name, user.meta.uid});
    changes.push_back({nullptr, std::make_shared<const ResourceClaim>(std::move(made))});
  }
  apply(changes);
  return changes;
}

auto SimulatedCluster::only(NodeId node) -> NodeSelector {
  NodeSelector selector;
  Requirement& name = selector.terms.emplace_back().match_fields.emplace_back();
  name.key = cluster().known().metadata_name;
  name.op = SelectorOperator::in;
  name.values.push_back(cluster().node(node).meta.name);
  return selector;
}

// Source: pkg/controller/resourceclaim/controller.go syncClaim.
auto SimulatedCluster::leave_claims(PodId id) -> std::vector<ClaimChange> {
  const Pod& user = pod(id);
  std::vector<ClaimChange> changes;
  std::vector<ClaimChange> gone;
  for (const ResourceClaim& claim : objects_.resource_claims) {
    if (claim.meta.ns != user.meta.ns) continue;
    auto before = std::make_shared<const ResourceClaim>(claim);
    const auto& users = claim.status.reserved_for;
    if (std::any_of(users.begin(), users.end(), [&](const auto& each) { return is_user(each, user); })) {
      auto after = std::make_shared<ResourceClaim>(claim);
      erase_if(after->status.reserved_for, [&](const auto& each) { return is_user(each, user); });
      if (after->status.reserved_for.empty()) after->status.allocation.reset();
      changes.push_back({before, after});
      before = after;
    }
    if (is_controlled_by(claim, user)) gone.push_back({before, nullptr});
  }
  changes.insert(changes.end(), gone.begin(), gone.end());
  apply(changes);
  return changes;
}

auto SimulatedCluster::uses_claims(PodId id) const -> bool {
  const Pod& user = pod(id);
  return std::any_of(objects_.resource_claims.begin(), objects_.resource_claims.end(), [&](const ResourceClaim& claim) {
    const auto& users = claim.status.reserved_for;
    return claim.meta.ns == user.meta.ns &&
           (is_controlled_by(claim, user) ||
            std::any_of(users.begin(), users.end(), [&](const auto& each) { return is_user(each, user); }));
  });
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

void SimulatedCluster::apply(const std::vector<ClaimChange>& changes) {
  if (changes.empty()) return;
  std::vector<ResourceClaim>& claims = changed_.resource_claims();
  for (const ClaimChange& change : changes) {
    if (change.before == nullptr) {
      claims.push_back(*change.after);
      continue;
    }
    const auto found = std::find_if(claims.begin(), claims.end(), [&](const ResourceClaim& each) {
      return each.meta.ns == change.before->meta.ns && each.meta.name == change.before->meta.name;
    });
    if (change.after != nullptr) {
      *found = *change.after;
    } else {
      claims.erase(found);
    }
  }
  forget_claims();
}

}  // namespace previct::sequence
