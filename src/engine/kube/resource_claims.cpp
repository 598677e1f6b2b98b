#include "engine/kube/resource_claims.h"

#include "engine/need.h"

#include <algorithm>

namespace previct::kube {
namespace {

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

/// What a pod calls a claim, resolved to the claim's name.
struct Resolved {
  Symbol name;         // none: no claim was needed
  bool owned = false;  // it was made for the pod
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

}  // namespace

auto PodResourceClaims::open() const -> bool {
  return missing_kind || std::any_of(claims.begin(), claims.end(),
                                     [](const ResourceClaim* claim) { return !claim->status.allocation; });
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
    if (lacks(cluster.objects(), "resource.k8s.io/ResourceClaim")) {
      result.missing_kind = true;
      continue;
    }
    const ResourceClaim* claim = find_claim(cluster, pod.meta.ns, resolved.name);
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

auto device_class_for(const World& world, ResourceId resource) -> const DeviceClass* {
  const auto& classes = world.cluster().objects().device_classes;
  if (classes.empty() || !world.release().has(Change::extended_resources_of_devices)) return nullptr;
  constexpr std::string_view kByName = "deviceclass.resource.kubernetes.io/";
  const Symbol name = world.resource_name(resource);
  const std::string_view text = world.cluster().text(name);
  const std::string_view class_name = text.starts_with(kByName) ? text.substr(kByName.size()) : std::string_view();
  const auto found = std::find_if(classes.begin(), classes.end(), [&](const DeviceClass& c) {
    return c.spec.extended_resource_name == name ||
           (!class_name.empty() && world.cluster().text(c.meta.name) == class_name);
  });
  return found == classes.end() ? nullptr : &*found;
}

auto can_be_deallocated(const ResourceClaim& claim, const Pod& pod) -> bool {
  const auto& users = claim.status.reserved_for;
  return users.empty() || (users.size() == 1 && users.begin()->uid == pod.meta.uid);
}

}  // namespace previct::kube
