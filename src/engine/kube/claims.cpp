#include "engine/kube/claims.h"

#include "cluster/claim_users.h"

#include <algorithm>

namespace previct::kube {

auto claims_of(const Snapshot& cluster, const Pod& pod) -> std::vector<PodClaim> {
  std::vector<PodClaim> claims;
  for (const Volume& volume : pod.spec.volumes) {
    PodClaim claim;
    if (volume.claim.claim_name) {
      claim.name = volume.claim.claim_name;
    } else if (volume.ephemeral) {
      claim.name = cluster.symbol(ephemeral_claim_name(cluster.symbols(), pod, volume.name));
      claim.ephemeral = true;
    } else {
      continue;
    }
    claim.volume = volume.name;
    claims.push_back(claim);
  }
  return claims;
}

auto class_of(const Snapshot& cluster, const PersistentVolumeClaim& claim) -> Symbol {
  const Symbol key = cluster.symbol("volume.beta.kubernetes.io/storage-class");
  const Symbol old = key ? claim.meta.annotations.get(key) : Symbol{};
  if (!old) return claim.spec.storage_class_name;
  return cluster.text(old).empty() ? Symbol{} : old;
}

auto waits_for_consumer(const Snapshot& cluster, Symbol class_name) -> bool {
  const StorageClass* found = class_name ? cluster.storage_class(class_name) : nullptr;
  return found != nullptr && cluster.text(found->volume_binding_mode) == "WaitForFirstConsumer";
}

auto owned_by(const PersistentVolumeClaim& claim, const Pod& pod) -> bool {
  const auto controller = std::find_if(claim.meta.owners.begin(), claim.meta.owners.end(),
                                       [](const OwnerReference& o) { return o.controller; });
  return controller != claim.meta.owners.end() && controller->uid == pod.meta.uid;
}

}  // namespace previct::kube
