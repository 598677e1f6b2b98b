#include "cluster/claim_users.h"

#include "base/contains.h"

#include <fmt/format.h>

#include <algorithm>

namespace previct {
namespace {

auto is_user(const ClaimConsumer& user, const Pod& pod) -> bool {
  return user.name == pod.meta.name && user.uid == pod.meta.uid;
}

// The PersistentVolumes that the claims of the pod are bound to.
auto volumes_of(const Snapshot& cluster, const Pod& pod) -> std::vector<Symbol> {
  std::vector<Symbol> volumes;
  for (const Volume& volume : pod.spec.volumes) {
    Symbol name = volume.claim.claim_name;
    if (!name && volume.ephemeral) name = cluster.symbol(ephemeral_claim_name(cluster.symbols(), pod, volume.name));
    const PersistentVolumeClaim* const claim = name ? cluster.claim(pod.meta.ns, name) : nullptr;
    if (claim != nullptr && claim->spec.volume_name) volumes.push_back(claim->spec.volume_name);
  }
  return volumes;
}

}  // namespace

auto is_reserved_for(const ResourceClaim& claim, const Pod& pod) -> bool {
  const auto& users = claim.status.reserved_for;
  return claim.meta.ns == pod.meta.ns &&
         std::any_of(users.begin(), users.end(), [&](const ClaimConsumer& each) { return is_user(each, pod); });
}

auto is_claim_of(const ResourceClaim& claim, const Pod& pod) -> bool {
  const OwnerReference* const owner = controller_of(claim.meta);
  return claim.meta.ns == pod.meta.ns && owner != nullptr && owner->uid == pod.meta.uid && owner->name == pod.meta.name;
}

auto uses_claims(const Pod& pod, const Objects& objects) -> bool {
  const auto& claims = objects.resource_claims;
  return std::any_of(claims.begin(), claims.end(), [&](const ResourceClaim& claim) {
    return is_claim_of(claim, pod) || is_reserved_for(claim, pod);
  });
}

auto leave(const Pod& pod, ResourceClaim& claim) -> bool {
  if (!is_reserved_for(claim, pod)) return false;
  erase_if(claim.status.reserved_for, [&](const ClaimConsumer& each) { return is_user(each, pod); });
  if (claim.status.reserved_for.empty()) claim.status.allocation.reset();
  return true;
}

void release_claims_of(const Pod& gone, std::vector<ResourceClaim>& claims) {
  for (ResourceClaim& claim : claims) leave(gone, claim);
  std::erase_if(claims, [&](const ResourceClaim& claim) { return is_claim_of(claim, gone); });
}

auto ephemeral_claim_name(const Symbols& symbols, const Pod& pod, Symbol volume) -> std::string {
  return fmt::format("{}-{}", symbols.text(pod.meta.name), symbols.text(volume));
}

auto detach_volumes(const Snapshot& cluster, PodId gone, NodeId node, const std::vector<PodId>& others,
                    ChangedCluster& changed) -> bool {
  const auto& attached = cluster.objects().volume_attachments;
  if (attached.empty() || !cluster.pod(gone).spec.has_storage()) return false;
  std::vector<Symbol> unused = volumes_of(cluster, cluster.pod(gone));
  for (const PodId other : others) {
    for (const Symbol used : volumes_of(cluster, cluster.pod(other))) std::erase(unused, used);
  }
  const Symbol name = cluster.node(node).meta.name;
  const auto ends = [&](const VolumeAttachment& each) {
    return each.spec.node_name == name && contains(unused, each.spec.source.persistent_volume_name);
  };
  if (std::none_of(attached.begin(), attached.end(), ends)) return false;
  std::erase_if(changed.volume_attachments(), ends);
  return true;
}

}  // namespace previct
