#include "cluster/deployment_sets.h"

#include "api/fields.h"
#include "api/objects.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

namespace previct {
namespace {

auto has_template(const TemplateOfPods& pods) -> bool {
  return !pods.spec.containers.empty();
}

// Labels, except for the hash, and annotations.
auto same_labels(const TemplateOfPods& one, const TemplateOfPods& other, const Symbols& symbols) -> bool {
  const auto sorted = [&](const SymbolMap& all) {
    std::map<Symbol, Symbol> entries(all.begin(), all.end());
    entries.erase(symbols.find("pod-template-hash"));
    return entries;
  };
  return sorted(one.meta.labels) == sorted(other.meta.labels) &&
         sorted(one.meta.annotations) == sorted(other.meta.annotations);
}

// The revision that a controller has given the object; none: it has none.
auto revision_of(const ObjectMeta& meta, const Symbols& symbols) -> Symbol {
  const Symbol key = symbols.find("deployment.kubernetes.io/revision");
  return key ? meta.annotations.get(key) : Symbol{};
}

// The set of the template; nullopt: several may be.
auto current_of(const Deployment& deployment, const std::vector<const ReplicaSet*>& same, const Symbols& symbols)
    -> std::optional<const ReplicaSet*> {
  if (same.empty()) return nullptr;
  const Symbol revision = revision_of(deployment.meta, symbols);
  std::vector<const ReplicaSet*> best;
  std::copy_if(same.begin(), same.end(), std::back_inserter(best),
               [&](const ReplicaSet* set) { return revision && revision_of(set->meta, symbols) == revision; });
  if (best.size() == 1) return best.front();
  const auto has_replicas = [](const ReplicaSet* set) { return set->spec.replicas.value_or(1) != 0; };
  // Sets without pods are interchangeable: whichever it is, it creates the same pods.
  if (std::none_of(same.begin(), same.end(), has_replicas)) return same.front();
  if (same.size() == 1 && !revision) return same.front();
  return std::nullopt;
}

}  // namespace

auto sets_by_deployment(const std::vector<ReplicaSet>& all, const Symbols& symbols)
    -> std::map<std::pair<Symbol, Symbol>, std::vector<const ReplicaSet*>> {
  std::map<std::pair<Symbol, Symbol>, std::vector<const ReplicaSet*>> sets;
  for (const ReplicaSet& set : all) {
    const OwnerReference* const owner = controller_of(set.meta);
    if (owner != nullptr && symbols.text(owner->kind) == kinds::deployments.name)
      sets[{set.meta.ns, owner->name}].push_back(&set);
  }
  return sets;
}

auto controls(const Deployment& deployment, const ReplicaSet& set, const Symbols& symbols) -> bool {
  const OwnerReference* const owner = controller_of(set.meta);
  return owner != nullptr && set.meta.ns == deployment.meta.ns && owner->name == deployment.meta.name &&
         symbols.text(owner->kind) == kinds::deployments.name &&
         (!owner->uid || !deployment.meta.uid || owner->uid == deployment.meta.uid);
}

auto pods_are_refused(const std::vector<Condition>& conditions, const Symbols& symbols) -> bool {
  return std::any_of(conditions.begin(), conditions.end(), [&](const Condition& condition) {
    return symbols.text(condition.type) == "ReplicaFailure" && symbols.text(condition.status) == "True";
  });
}

auto is_whole(const ReplicaSet& set, std::size_t pods, const Symbols& symbols) -> bool {
  return set.meta.uid && set.spec.replicas && set.spec.pods && !set.meta.deleting &&
         !pods_are_refused(set.status.conditions, symbols) && set.status.replicas <= static_cast<std::int64_t>(pods);
}

auto same_template(const TemplateOfPods& one, const TemplateOfPods& other, const Symbols& symbols) -> bool {
  if (!same_labels(one, other, symbols)) return false;
  return have_same_fields(one.spec, other.spec) || fields_of(one.spec, symbols) == fields_of(other.spec, symbols);
}

auto is_rolled_out(const Deployment& deployment, const std::vector<const ReplicaSet*>& all, const Symbols& symbols)
    -> bool {
  const ReplicaSet* active = nullptr;
  for (const ReplicaSet* const set : all) {
    if (set->spec.replicas == 0) continue;
    if (active != nullptr) return false;
    active = set;
  }
  const Symbol revision = revision_of(deployment.meta, symbols);
  return active != nullptr && revision && revision_of(active->meta, symbols) == revision && active->spec.pods &&
         same_labels(*active->spec.pods, deployment.spec.pods, symbols) &&
         have_same_fields(active->spec.pods->spec, deployment.spec.pods.spec);
}

auto sets_of(const Deployment& deployment, std::vector<const ReplicaSet*> all, const Symbols& symbols)
    -> DeploymentSets {
  DeploymentSets sets{.current = nullptr, .old_sets = std::move(all), .unknown = {}};
  const auto age = [&](const ReplicaSet* set) {
    return std::tuple(set->meta.created.value_or(Instant{}), symbols.text(set->meta.name));
  };
  std::sort(sets.old_sets.begin(), sets.old_sets.end(),
            [&](const ReplicaSet* a, const ReplicaSet* b) { return age(a) < age(b); });
  if (!has_template(deployment.spec.pods)) {
    sets.unknown = "the Deployment has no template";
    return sets;
  }
  std::vector<const ReplicaSet*> same;
  for (const ReplicaSet* const set : sets.old_sets) {
    if (!set->spec.pods || !has_template(*set->spec.pods)) {
      sets.unknown = fmt::format("ReplicaSet {} has no template", symbols.text(set->meta.name));
      return sets;
    }
    if (same_template(*set->spec.pods, deployment.spec.pods, symbols)) same.push_back(set);
  }
  const auto current = current_of(deployment, same, symbols);
  if (!current) {
    sets.unknown = fmt::format("its template is that of {} ReplicaSets, as far as it is read", same.size());
    return sets;
  }
  sets.current = *current;
  std::erase(sets.old_sets, sets.current);
  return sets;
}

}  // namespace previct
