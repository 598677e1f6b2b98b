#include "overlay/pod_copies.h"

#include "overlay/claims.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace previct {
namespace {

class Copying {
 public:
  Copying(const Pod& like, Symbol name, Instant now, ChangedCluster& changed)
      : like_(like), copy_(like), now_(now), changed_(changed), symbols_(changed.objects().symbols) {
    copy_.meta.name = name;
    // Claims refer to their pods by UID.
    const bool has_own_claims = !like.spec.resource_claims.empty() || !changed.objects().device_classes.empty() ||
                                std::any_of(like.spec.volumes.begin(), like.spec.volumes.end(),
                                            [](const Volume& volume) { return volume.ephemeral; });
    copy_.meta.uid = has_own_claims
                         ? symbols_.intern(fmt::format("{}/{}", symbols_.text(like.meta.ns), symbols_.text(name)))
                         : Symbol{};
    copy_.status.nominated_node_name = {};
    copy_.status.resource_claim_statuses.clear();
  }

  auto run() -> PodId {
    for (const PodResourceClaim& ref : std::as_const(like_.spec.resource_claims)) {
      if (ref.template_name) claim_devices_of(ref);
    }
    const OwnerReference* const owner = controller_of(like_.meta);
    const bool of_set = owner != nullptr && symbols_.text(owner->kind) == kinds::stateful_sets.name;
    SharedList<Volume> volumes;
    for (Volume volume : std::as_const(like_.spec.volumes)) {
      const Symbol of_template = joined(volume.name, like_.meta.name);
      if (volume.ephemeral) {
        claim_volume(joined(like_.meta.name, volume.name), joined(copy_.meta.name, volume.name), true);
      } else if (of_set && of_template && volume.claim.claim_name == of_template) {
        volume.claim.claim_name = joined(volume.name, copy_.meta.name);
        claim_volume(of_template, volume.claim.claim_name, false);
      }
      volumes.push_back(std::move(volume));
    }
    copy_.spec.volumes = std::move(volumes);
    return changed_.add(std::move(copy_));
  }

 private:
  auto joined(Symbol first, Symbol second) -> Symbol {
    return symbols_.intern(fmt::format("{}-{}", symbols_.text(first), symbols_.text(second)));
  }

  // If neither the template nor the claim of the other pod is in the input, the copy waits for its claim.
  void claim_devices_of(const PodResourceClaim& ref) {
    std::optional<ResourceClaimSpec> spec;
    if (const auto* found = find_claim_template(like_.meta.ns, ref.template_name, changed_.objects()))
      spec = found->spec.spec;
    for (const PodResourceClaimStatus& made : std::as_const(like_.status.resource_claim_statuses)) {
      if (spec || made.name != ref.name) continue;
      for (const ResourceClaim& claim : changed_.objects().resource_claims) {
        if (claim.meta.ns == like_.meta.ns && claim.meta.name == made.claim_name) spec = claim.spec;
      }
    }
    if (!spec) return;
    ResourceClaim claim = claim_of_template(copy_, ref.name, *std::move(spec), now_, symbols_);
    copy_.status.resource_claim_statuses.push_back({ref.name, claim.meta.name});
    changed_.resource_claims().push_back(std::move(claim));
  }

  void claim_volume(Symbol of_like, Symbol name, bool owned) {
    std::vector<PersistentVolumeClaim>& claims = changed_.volume_claims();
    const auto called = [&](Symbol wanted) {
      return std::find_if(claims.begin(), claims.end(), [&, wanted](const PersistentVolumeClaim& each) {
        return each.meta.ns == like_.meta.ns && each.meta.name == wanted;
      });
    };
    const auto found = called(of_like);
    if (found == claims.end() || called(name) != claims.end()) return;
    PersistentVolumeClaim claim = claim_like(*found, symbols_);
    claim.meta.name = name;
    if (owned) claim.meta.owners = {{symbols_.intern("Pod"), copy_.meta.name, copy_.meta.uid, true}};
    claims.push_back(std::move(claim));
  }

  const Pod& like_;
  Pod copy_;
  Instant now_;
  ChangedCluster& changed_;
  Symbols& symbols_;
};

}  // namespace

auto add_copy(const Pod& like, Symbol name, Instant now, ChangedCluster& changed) -> PodId {
  const Pod kept = like;  // the pods may move in memory
  return Copying(kept, name, now, changed).run();
}

}  // namespace previct
