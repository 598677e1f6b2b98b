#include "overlay/claims.h"

#include "api/decode.h"
#include "api/known_class.h"
#include "cluster/claim_users.h"
#include "overlay/refusal.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace previct {

auto find_claim_template(Symbol ns, Symbol name, const Objects& objects) -> const ResourceClaimTemplate* {
  const auto& all = objects.claim_templates;
  const auto found = std::find_if(all.begin(), all.end(), [&](const ResourceClaimTemplate& each) {
    return each.meta.name == name && each.meta.ns == ns;
  });
  return found == all.end() ? nullptr : &*found;
}

auto claim_of_template(const Pod& pod, Symbol reference, ResourceClaimSpec spec, Instant now, Symbols& symbols)
    -> ResourceClaim {
  ResourceClaim claim;
  claim.meta.ns = pod.meta.ns;
  claim.meta.name = symbols.intern(fmt::format("{}-{}-new", symbols.text(pod.meta.name), symbols.text(reference)));
  claim.meta.owners = {{symbols.intern("Pod"), pod.meta.name, pod.meta.uid, true}};
  if (now != Instant{}) claim.meta.created = now;
  claim.spec = std::move(spec);
  return claim;
}

auto claim_devices(Pod& pod, Instant now, Objects& objects) -> Result<void> {
  for (const PodResourceClaim& wanted : std::as_const(pod.spec.resource_claims)) {
    const auto& known = pod.status.resource_claim_statuses;
    const bool made = std::any_of(known.begin(), known.end(),
                                  [&](const PodResourceClaimStatus& status) { return status.name == wanted.name; });
    if (!wanted.template_name || made) continue;
    const ResourceClaimTemplate* const found = find_claim_template(pod.meta.ns, wanted.template_name, objects);
    if (found == nullptr) {
      return fail(
          fmt::format("pod {}/{} claims devices through the ResourceClaimTemplate {}, which is not in the input",
                      objects.symbols.text(pod.meta.ns), objects.symbols.text(pod.meta.name),
                      objects.symbols.text(wanted.template_name)),
          locate(objects.sources, pod.meta.source, "spec.resourceClaims"),
          "add it to the input, or pass it with --with");
    }
    ResourceClaim claim = claim_of_template(pod, wanted.name, found->spec.spec, now, objects.symbols);
    claim.meta.source = found->meta.source;
    pod.status.resource_claim_statuses.push_back({wanted.name, claim.meta.name});
    objects.resource_claims.push_back(std::move(claim));
    // The input has the kind from now on.
    ++objects.counts["resource.k8s.io/ResourceClaim"];
  }
  return {};
}

auto ephemeral_claims(const Tape& tape, std::uint32_t pod, FileId file, Objects& objects)
    -> Result<std::vector<PersistentVolumeClaim>> {
  std::vector<PersistentVolumeClaim> claims;
  const std::uint32_t volumes = tape.find(tape.find(pod, "spec"), "volumes");
  if (volumes >= tape.size() || tape[volumes].type != EventType::begin_list) return claims;
  for (std::uint32_t at = volumes + 1; at < tape[volumes].next; at = tape[at].next) {
    const std::uint32_t made_of = tape.find(tape.find(at, "ephemeral"), "volumeClaimTemplate");
    if (made_of >= tape.size()) continue;
    PersistentVolumeClaim& claim = claims.emplace_back();
    PREVICT_CHECK(Decoder(tape, file, objects.symbols, objects.diagnostics).decode(made_of, claim));
    claim.meta.name = objects.symbols.intern(tape.string(tape.find(at, "name")));
    claim.meta.source = {file, tape[made_of].line, tape[made_of].column};
  }
  return claims;
}

auto add_ephemeral_claims(const Pod& pod, const std::vector<PersistentVolumeClaim>& claims, Instant now,
                          Objects& objects) -> std::vector<std::string> {
  std::vector<std::string> added;
  for (PersistentVolumeClaim claim : claims) {
    const std::string name = ephemeral_claim_name(objects.symbols, pod, claim.meta.name);
    claim.meta.name = objects.symbols.intern(name);
    claim.meta.ns = pod.meta.ns;
    claim.meta.owners = {{objects.symbols.intern("Pod"), pod.meta.name, pod.meta.uid, true}};
    if (now != Instant{}) claim.meta.created = now;
    claim.to_be_made = true;
    set_default_class(claim, objects);
    if (add_claim(std::move(claim), objects))
      added.push_back(fmt::format("{}/{}", objects.symbols.text(pod.meta.ns), name));
  }
  return added;
}

auto claim_like(const PersistentVolumeClaim& claim, Symbols& symbols) -> PersistentVolumeClaim {
  PersistentVolumeClaim fresh = claim;
  fresh.meta = {};
  fresh.meta.ns = claim.meta.ns;
  fresh.meta.source = claim.meta.source;
  // The class may be in the annotation that preceded the field.
  const Symbol old_class = symbols.find("volume.beta.kubernetes.io/storage-class");
  if (old_class && claim.meta.annotations.has(old_class))
    fresh.meta.annotations.set(old_class, claim.meta.annotations.get(old_class));
  if (symbols.text(claim.status.phase) == "Bound") fresh.spec.volume_name = {};
  fresh.status = {};
  fresh.status.phase = symbols.intern("Pending");
  fresh.to_be_made = true;
  return fresh;
}

auto add_claim(PersistentVolumeClaim claim, Objects& objects) -> bool {
  auto& known = objects.persistent_volume_claims;
  const bool there = std::any_of(known.begin(), known.end(), [&](const PersistentVolumeClaim& other) {
    return other.meta.ns == claim.meta.ns && other.meta.name == claim.meta.name;
  });
  if (there) return false;
  claim.status.phase = objects.symbols.intern("Pending");
  known.push_back(std::move(claim));
  return true;
}

void set_default_class(PersistentVolumeClaim& claim, const Objects& objects) {
  if (const StorageClass* usual = default_class(claim, objects)) claim.spec.storage_class_name = usual->meta.name;
}

}  // namespace previct
