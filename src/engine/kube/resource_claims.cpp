#include "engine/kube/resource_claims.h"

#include "engine/required_kind.h"

#include <algorithm>

namespace previct::kube {
namespace {

// A DeviceClass also serves the resource of this name.
constexpr std::string_view kByName = "deviceclass.resource.kubernetes.io/";

auto find_claim(const Snapshot& cluster, Symbol ns, Symbol name) -> const ResourceClaim* {
  const auto& all = cluster.objects().resource_claims;
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const ResourceClaim& c) { return c.meta.ns == ns && c.meta.name == name; });
  return found == all.end() ? nullptr : &*found;
}

auto controlled_by(const ResourceClaim& claim, const Pod& pod) -> bool {
  return std::any_of(claim.meta.owners.begin(), claim.meta.owners.end(),
                     [&](const OwnerReference& o) { return o.controller && o.uid == pod.meta.uid; });
}

/// A claim reference of a pod, resolved to the claim's name.
struct Resolved {
  Symbol name;         // none: no claim was needed
  bool owned = false;  // it was created for the pod
  std::optional<Reason> fault;
};

auto resolve(const Pod& pod, PodId id, const PodResourceClaim& ref) -> Resolved {
  if (ref.claim_name) return {ref.claim_name, false, {}};
  if (!ref.template_name) return {{}, false, Reason{Rule::resource_claim_unsupported, operand(id), operand(ref.name)}};
  for (const PodResourceClaimStatus& status : pod.status.resource_claim_statuses) {
    if (status.name == ref.name) return {status.claim_name, true, {}};
  }
  return {{}, false, Reason{Rule::resource_claim_awaited, operand(id)}};
}

// Returns true if `a` takes precedence over `b`: among classes for one resource name, the newest counts, and among
// equally old ones the first by name.
auto is_newer(const Snapshot& cluster, const DeviceClass& a, const DeviceClass& b) -> bool {
  if (a.meta.created != b.meta.created) return a.meta.created > b.meta.created;
  return cluster.text(a.meta.name) < cluster.text(b.meta.name);
}

}  // namespace

auto PodResourceClaims::mixed() const -> bool {
  const auto allocated = [](const ResourceClaim* claim) { return claim->status.allocation.has_value(); };
  return std::any_of(claims.begin(), claims.end(), allocated) && !std::all_of(claims.begin(), claims.end(), allocated);
}

auto resource_claims_of(const Snapshot& cluster, PodId id) -> PodResourceClaims {
  const Pod& pod = cluster.pod(id);
  PodResourceClaims result;
  for (const PodResourceClaim& ref : pod.spec.resource_claims) {
    const Resolved resolved = resolve(pod, id, ref);
    if (resolved.fault) {
      result.fault = resolved.fault;
      return result;
    }
    if (!resolved.name) continue;
    const ResourceClaim* claim = find_claim(cluster, pod.meta.ns, resolved.name);
    if (claim == nullptr && may_hold_more(cluster.objects(), kinds::resource_claims)) {
      result.missing_kind = true;
      continue;
    }
    if (claim == nullptr) {
      result.fault = Reason{Rule::resource_claim_missing, operand(id), operand(resolved.name)};
    } else if (claim->meta.deleting) {
      result.fault = Reason{Rule::resource_claim_deleting, operand(resolved.name)};
    } else if (resolved.owned && !controlled_by(*claim, pod)) {
      result.fault = Reason{Rule::resource_claim_not_owned, operand(id), operand(resolved.name)};
    }
    if (result.fault) return result;
    result.claims.push_back(claim);
  }
  return result;
}

auto device_class_for(const NodeInfoSnapshot& node_infos, ResourceId resource) -> const DeviceClass* {
  const auto& classes = node_infos.cluster().objects().device_classes;
  if (classes.empty() || !node_infos.release().has(Change::extended_resources_of_devices)) return nullptr;
  const Symbol name = node_infos.resource_name(resource);
  const std::string_view text = node_infos.cluster().text(name);
  const bool by_name = text.starts_with(kByName);
  const DeviceClass* best = nullptr;
  for (const DeviceClass& each : classes) {
    if (by_name && node_infos.cluster().text(each.meta.name) == text.substr(kByName.size())) return &each;
    if (each.spec.extended_resource_name == name && (best == nullptr || is_newer(node_infos.cluster(), each, *best)))
      best = &each;
  }
  return best;
}

auto rival_of(const NodeInfoSnapshot& node_infos, ResourceId resource) -> const DeviceClass* {
  const Snapshot& cluster = node_infos.cluster();
  const DeviceClass* named = device_class_for(node_infos, resource);
  if (named == nullptr || !named->spec.extended_resource_name) return nullptr;
  if (!cluster.text(node_infos.resource_name(resource)).starts_with(kByName)) return nullptr;
  for (const DeviceClass& each : cluster.objects().device_classes) {
    const bool earlier = cluster.text(each.meta.name) < cluster.text(named->meta.name);
    const bool same = each.spec.extended_resource_name == named->spec.extended_resource_name;
    if (same && earlier && is_newer(cluster, each, *named)) return &each;
  }
  return nullptr;
}

auto resources_of_devices(const NodeInfoSnapshot& node_infos, const PodInfo& incoming)
    -> std::vector<std::pair<ResourceId, const DeviceClass*>> {
  std::vector<std::pair<ResourceId, const DeviceClass*>> found;
  for (const Amount& amount : node_infos.amounts(incoming)) {
    const DeviceClass* device_class = amount.value == 0 ? nullptr : device_class_for(node_infos, amount.resource);
    if (device_class != nullptr) found.emplace_back(amount.resource, device_class);
  }
  return found;
}

auto extended_claim_of(const Snapshot& cluster, const Pod& pod) -> const ResourceClaim* {
  const Symbol key = cluster.symbol("resource.kubernetes.io/extended-resource-claim");
  if (!key) return nullptr;
  const auto& all = cluster.objects().resource_claims;
  const auto found = std::find_if(all.begin(), all.end(), [&](const ResourceClaim& c) {
    return cluster.text(c.meta.annotations.get(key)) == "true" && controlled_by(c, pod);
  });
  return found == all.end() ? nullptr : &*found;
}

auto can_be_used(const ResourceClaim& claim, const Pod& pod) -> bool {
  constexpr std::size_t kMostConsumers = 256;
  const auto& users = claim.status.reserved_for;
  return users.size() < kMostConsumers ||
         std::any_of(users.begin(), users.end(), [&](const ClaimConsumer& user) { return user.uid == pod.meta.uid; });
}

auto can_be_deallocated(const ResourceClaim& claim, const Pod& pod) -> bool {
  const auto& users = claim.status.reserved_for;
  return users.empty() || (users.size() == 1 && users.begin()->uid == pod.meta.uid);
}

}  // namespace previct::kube
