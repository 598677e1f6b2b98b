#include "prove/own_claims.h"

#include "cluster/claim_users.h"
#include "overlay/claims.h"

#include <fmt/format.h>

#include <algorithm>

namespace previct::prove {
namespace {

constexpr const char* kResourceClaims = "resource.k8s.io/ResourceClaim";

}  // namespace

OwnClaims::OwnClaims(Objects& objects)
    : objects_(objects),
      resource_claims_(objects.resource_claims.size()),
      volume_claims_(objects.persistent_volume_claims.size()),
      counted_(objects.counts.contains(kResourceClaims) ? static_cast<std::int64_t>(objects.counts.at(kResourceClaims))
                                                        : -1) {}

OwnClaims::~OwnClaims() {
  objects_.resource_claims.resize(resource_claims_);
  objects_.persistent_volume_claims.resize(volume_claims_);
  if (counted_ < 0) {
    objects_.counts.erase(kResourceClaims);
  } else {
    objects_.counts[kResourceClaims] = static_cast<std::size_t>(counted_);
  }
}

auto OwnClaims::give(Pod& pod, const Form& form, Instant now) -> Result<void> {
  PREVICT_CHECK(claim_devices(pod, now, objects_));
  for (const Volume& volume : std::as_const(form.pod.spec.volumes)) {
    if (!volume.ephemeral) continue;
    const PersistentVolumeClaim* known = claim_of_ephemeral(form, volume, objects_);
    if (known == nullptr) {
      return fail(fmt::format("the claim of the ephemeral volume {} of {} is not in the input",
                              objects_.symbols.text(volume.name), form.name));
    }
    PersistentVolumeClaim claim = *known;
    claim.meta.name = volume.name;
    claim.meta.uid = {};
    claim.meta.deleting.reset();
    claim.spec.volume_name = {};
    claim.status = {};
    add_ephemeral_claims(pod, {std::move(claim)}, now, objects_);
  }
  return {};
}

auto claim_of_ephemeral(const Form& form, const Volume& volume, const Objects& objects)
    -> const PersistentVolumeClaim* {
  const Symbol name = objects.symbols.find(ephemeral_claim_name(objects.symbols, form.pod, volume.name));
  const auto& all = objects.persistent_volume_claims;
  const auto found = std::find_if(all.begin(), all.end(), [&](const PersistentVolumeClaim& each) {
    return name && each.meta.name == name && each.meta.ns == form.pod.meta.ns;
  });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace previct::prove
