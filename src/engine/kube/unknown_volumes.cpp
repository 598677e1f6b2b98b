#include "engine/kube/unknown_volumes.h"

#include "base/text.h"
#include "cluster/claim_users.h"
#include "engine/kube/claims.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace previct::kube {
void make_decisive(const UnknownVolumes& unknown, std::vector<Gap>& gaps) {
  if (unknown.to_be_made) return gaps.push_back({GapRule::volume_to_be_made, {unknown.claims}, true});
  for (Gap& gap : gaps) {
    if (!gap.lacks(unknown.kind)) continue;
    gap.rule = unknown.several ? GapRule::missing_volumes : GapRule::missing_volume;
    gap.operands.push_back(unknown.claims);
    gap.decides = true;
  }
}

auto looks_at_volumes(const FilterInfo* filter) -> bool {
  return filter->looks_at == LooksAt::volumes;
}

auto unknown_volumes(const Snapshot& cluster, const Pod& pod) -> std::optional<UnknownVolumes> {
  const Objects& objects = cluster.objects();
  const bool no_claims = may_hold_more(objects, kinds::persistent_volume_claims);
  const bool no_volumes = may_hold_more(objects, kinds::persistent_volumes);
  const bool no_classes = may_hold_more(objects, kinds::storage_classes);
  const Symbol bind_completed = cluster.symbol("pv.kubernetes.io/bind-completed");
  std::vector<std::string> unknown;
  std::string_view kind;
  for (const PodClaim& ref : claims_of(cluster, pod)) {
    const PersistentVolumeClaim* claim = ref.name ? cluster.claim(pod.meta.ns, ref.name) : nullptr;
    std::string_view lacking;
    bool to_be_made = false;
    if (claim == nullptr) {
      if (no_claims) lacking = "PersistentVolumeClaim";
    } else if (claim->spec.volume_name) {
      // Of a claim that is not bound yet, the scheduler does not look at the volume.
      const bool unbound = cluster.text(claim->status.phase) == "Pending" &&
                           !(bind_completed && claim->meta.annotations.has(bind_completed));
      if (no_volumes && !unbound && cluster.volume(claim->spec.volume_name) == nullptr) lacking = "PersistentVolume";
    } else if (const Symbol name = class_of(cluster, *claim); name && cluster.storage_class(name) == nullptr) {
      if (no_classes) lacking = "StorageClass";
    } else if (claim->provisioned || (claim->to_be_made && !waits_for_consumer(cluster, name))) {
      to_be_made = true;
    }
    if (lacking.empty() && !to_be_made) continue;
    if (kind.empty()) kind = lacking;
    // The claim of an ephemeral volume has a generated name, which may be missing from the input.
    unknown.push_back(ref.ephemeral ? ephemeral_claim_name(cluster.symbols(), pod, ref.volume)
                                    : std::string(cluster.text(ref.name)));
  }
  if (unknown.empty()) return {};
  return UnknownVolumes{.kind = std::string(kind),
                        .claims = joined(unknown, ", "),
                        .several = unknown.size() > 1,
                        .to_be_made = kind.empty()};
}

auto unknown_storage(const Snapshot& cluster, const Pod& pod) -> std::optional<UnknownStorage> {
  const Objects& objects = cluster.objects();
  const bool no_drivers = may_hold_more(objects, kinds::csi_drivers);
  const bool no_capacities = may_hold_more(objects, kinds::csi_storage_capacities);
  std::optional<UnknownStorage> unknown;
  for (const PodClaim& ref : claims_of(cluster, pod)) {
    const PersistentVolumeClaim* claim = ref.name ? cluster.claim(pod.meta.ns, ref.name) : nullptr;
    if (claim == nullptr || claim->spec.volume_name) continue;
    const Symbol name = class_of(cluster, *claim);
    if (!waits_for_consumer(cluster, name)) continue;
    const Symbol provisioner = cluster.storage_class(name)->provisioner;
    const std::string driver(cluster.text(provisioner));
    if (const CsiDriver* known = cluster.csi_driver(provisioner)) {
      if (known->spec.storage_capacity && no_capacities) return UnknownStorage{"CSIStorageCapacity", driver};
    } else if (no_drivers && !driver.empty() && !driver.starts_with("kubernetes.io/")) {
      unknown = UnknownStorage{"CSIDriver", driver};
    }
  }
  return unknown;
}

auto with_volumes_everywhere(const Profile& profile) -> Profile {
  Profile without = profile;
  std::erase_if(without.filters, looks_at_volumes);
  std::erase_if(without.pre_filters, looks_at_volumes);
  return without;
}

auto with_volumes_in(const Profile& profile, Symbol zone_key, Symbol zone) -> std::optional<Profile> {
  const bool affinity_runs = std::any_of(profile.filters.begin(), profile.filters.end(),
                                         [](const FilterInfo* f) { return f->name == "NodeAffinity"; });
  if (profile.settings.added_affinity || !affinity_runs) return {};
  Profile within = with_volumes_everywhere(profile);
  Requirement in_zone;
  in_zone.key = zone_key;
  in_zone.op = SelectorOperator::in;
  in_zone.values.push_back(zone);
  NodeSelectorTerm term;
  term.match_expressions.push_back(std::move(in_zone));
  within.settings.added_affinity.emplace().terms.push_back(std::move(term));
  return within;
}

auto zones_of(const Snapshot& cluster, Symbol zone_key, std::size_t most) -> std::vector<Symbol> {
  if (!zone_key) return {};
  std::set<Symbol> found;
  for (const Node& node : cluster.nodes()) {
    if (const Symbol zone = node.meta.labels.get(zone_key)) found.insert(zone);
  }
  if (found.size() < 2 || found.size() > most) return {};
  std::vector<Symbol> zones(found.begin(), found.end());
  std::sort(zones.begin(), zones.end(), [&](Symbol a, Symbol b) { return cluster.text(a) < cluster.text(b); });
  return zones;
}

}  // namespace previct::kube
