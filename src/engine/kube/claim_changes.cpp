#include "engine/kube/claim_changes.h"

#include "cluster/claim_users.h"
#include "engine/kube/account.h"
#include "engine/kube/resource_claims.h"

#include <fmt/format.h>

#include <algorithm>

namespace previct::kube {
namespace {

auto only(const Snapshot& cluster, NodeId node) -> NodeSelector {
  NodeSelector selector;
  Requirement& name = selector.terms.emplace_back().match_fields.emplace_back();
  name.key = cluster.known().metadata_name;
  name.op = SelectorOperator::in;
  name.values.push_back(cluster.node(node).meta.name);
  return selector;
}

}  // namespace

auto claims_of_placed(const Snapshot& cluster, PodId id, NodeId node, const devices::Findings* findings)
    -> std::vector<ClaimChange> {
  const Pod& user = cluster.pod(id);
  Symbols& symbols = cluster.symbols();
  static const std::vector<devices::ChosenDevice> kNone;
  const auto* found =
      findings == nullptr || findings->nodes().size() <= node.index ? nullptr : &findings->nodes()[node.index];
  const auto& chosen = found == nullptr || !*found ? kNone : (*found)->chosen;
  const auto allocation_of = [&](const ResourceClaim* claim) {
    ClaimAllocation allocation;
    for (const devices::ChosenDevice& each : chosen) {
      if (each.claim != claim) continue;
      allocation.devices.results.push_back(each.device);
      if (each.slice->spec.node_name) allocation.node_selector = only(cluster, node);
    }
    return allocation;
  };
  std::vector<ClaimChange> changes;
  for (const ResourceClaim* claim : resource_claims_of(cluster, id).claims) {
    if (is_reserved_for(*claim, user)) continue;
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
    made.meta.name = symbols.intern(fmt::format("{}-extended-resources", symbols.text(user.meta.name)));
    made.meta.owners = {{symbols.intern("Pod"), user.meta.name, user.meta.uid, true}};
    made.meta.annotations.set(symbols.intern("resource.kubernetes.io/extended-resource-claim"), symbols.intern("true"));
    made.status.allocation = allocation_of(nullptr);
    made.status.reserved_for.push_back({user.meta.name, user.meta.uid});
    changes.push_back({nullptr, std::make_shared<const ResourceClaim>(std::move(made))});
  }
  return changes;
}

void apply(const std::vector<ClaimChange>& changes, std::vector<ResourceClaim>& claims) {
  for (const ClaimChange& change : changes) {
    if (change.before == nullptr) {
      claims.push_back(*change.after);
      continue;
    }
    const auto found = std::find_if(claims.begin(), claims.end(), [&](const ResourceClaim& each) {
      return each.meta.ns == change.before->meta.ns && each.meta.name == change.before->meta.name;
    });
    if (found == claims.end()) continue;
    if (change.after != nullptr) {
      *found = *change.after;
    } else {
      claims.erase(found);
    }
  }
}

auto devices_of(const Verdict& verdict) -> const devices::Findings* {
  const auto* const account = dynamic_cast<const EngineTrace*>(verdict.account.get());
  return account == nullptr ? nullptr : account->decision.devices.get();
}

}  // namespace previct::kube
