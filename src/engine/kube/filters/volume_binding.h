#pragma once

#include "cluster/matching.h"
#include "engine/kube/claims.h"
#include "engine/kube/csi_migration.h"

#include <algorithm>

namespace previct::kube {

[[nodiscard]] inline auto storage_of(const ResourceList& list, Symbol storage) -> Quantity {
  return list.get(storage).value_or(Quantity());
}

// Bound volumes must be reachable from the node; claims that wait for their first consumer must find a volume there or
// a provisioner that can create one. Evicting pods changes none of this.
// Source: plugins/volumebinding (binder.go), pkg/volume/util FindMatchingVolume.
class VolumeBinding final : public Filter {
 public:
  explicit VolumeBinding(const Incoming& incoming)
      : incoming_(incoming),
        cluster_(incoming.cluster()),
        attributes_classes_(incoming.node_infos.release().has(Change::attributes_classes)),
        bind_completed_(cluster_.symbol("pv.kubernetes.io/bind-completed")),
        selected_node_(cluster_.symbol("volume.kubernetes.io/selected-node")),
        filesystem_(cluster_.symbol("Filesystem")),
        available_(cluster_.symbol("Available")) {
    for (const PersistentVolume& pv : cluster_.objects().persistent_volumes) volumes_.push_back(&pv);
    std::sort(volumes_.begin(), volumes_.end(), [&](const PersistentVolume* a, const PersistentVolume* b) {
      return cluster_.text(a->meta.name) < cluster_.text(b->meta.name);
    });
  }

  [[nodiscard]] auto prepare() -> Prepared override {
    const std::vector<PodClaim> claims = claims_of(cluster_, incoming_.pod());
    if (claims.empty()) return {.skip = true, .rejection = {}, .only_nodes = {}};
    const PersistentVolumeClaim* immediate = nullptr;
    for (const PodClaim& ref : claims) {
      const PersistentVolumeClaim* claim = ref.name ? cluster_.claim(incoming_.pod().meta.ns, ref.name) : nullptr;
      if (const auto fault = fault_of(ref, claim)) return rejected(*fault);
      if (bound(*claim)) {
        const PersistentVolume* pv = cluster_.volume(claim->spec.volume_name);
        bound_.push_back({claim, pv, pv == nullptr ? MigratedVolume{} : migrated(cluster_, *pv)});
      } else if (waits_for_consumer(*claim)) {
        delayed_.push_back(claim);
      } else if (immediate == nullptr) {
        immediate = claim;
      }
    }
    if (immediate != nullptr) {
      const std::int64_t claim = operand(immediate->meta.name);
      if (immediate->spec.volume_name)
        return rejected({Rule::claim_names_volume, claim, operand(immediate->spec.volume_name)});
      const Symbol name = class_of(cluster_, *immediate);
      if (!name) return rejected({Rule::claim_without_class, claim});
      if (cluster_.storage_class(name) != nullptr) return rejected({Rule::claim_unbound, claim});
      return rejected({Rule::claim_class_missing, claim, operand(name)});
    }
    return {};
  }

  /// The result for the claims that wait for their first consumer, on a node where the pod fits.
  struct Plan {
    struct Matched {
      const PersistentVolumeClaim* claim = nullptr;
      const PersistentVolume* volume = nullptr;
    };
    struct Made {
      const PersistentVolumeClaim* claim = nullptr;
      const CsiStorageCapacity* capacity = nullptr;  ///< source of the storage; null: capacity is not checked
    };
    std::vector<Matched> matched;
    std::vector<Made> made;
  };
  /// Returns the plan for the entered node.
  [[nodiscard]] auto plan() const -> Plan {
    Plan plan;
    (void)check_delayed(&plan);
    return plan;
  }
  [[nodiscard]] auto size(const PersistentVolumeClaim& claim) const -> Quantity {
    return storage_of(claim.spec.resources.requests, cluster_.known().storage);
  }

  [[nodiscard]] auto depends_on_pods() const -> bool override { return false; }
  void enter(NodeId node) override { node_ = node; }

  [[nodiscard]] auto check(Reasons reasons) const -> Code override {
    std::vector<Reason> found;
    const auto bound_fault = check_bound();
    if (bound_fault && is_error(bound_fault->rule)) {
      add_reason(reasons, *bound_fault);
      return Code::error;
    }
    const auto delayed_fault = check_delayed(nullptr);
    if (delayed_fault && is_error(delayed_fault->rule)) {
      add_reason(reasons, *delayed_fault);
      return Code::error;
    }
    // Upstream's order: unreachable, unbindable, not enough storage, missing.
    if (bound_fault && bound_fault->rule == Rule::volume_elsewhere) found.push_back(*bound_fault);
    if (delayed_fault) found.push_back(*delayed_fault);
    if (bound_fault && bound_fault->rule == Rule::volume_gone) found.push_back(*bound_fault);
    for (const Reason& reason : found) add_reason(reasons, reason);
    return found.empty() ? Code::success : Code::unresolvable;
  }
  [[nodiscard]] auto clone() const -> std::unique_ptr<Filter> override {
    return std::make_unique<VolumeBinding>(*this);
  }

 private:
  static auto rejected(const Reason& reason) -> Prepared {
    return {.skip = false, .rejection = {Code::unresolvable, nullptr, {reason}}, .only_nodes = {}};
  }

  [[nodiscard]] auto fault_of(const PodClaim& ref, const PersistentVolumeClaim* claim) const -> std::optional<Reason> {
    if (claim == nullptr) {
      return ref.ephemeral ? Reason{Rule::claim_awaited, operand(ref.volume)}
                           : Reason{Rule::claim_missing, operand(ref.name)};
    }
    const std::int64_t name = operand(claim->meta.name);
    if (cluster_.text(claim->status.phase) == "Lost") {
      return Reason{Rule::claim_lost, name, operand(claim->spec.volume_name)};
    }
    if (claim->meta.deleting) return Reason{Rule::claim_deleting, name};
    if (ref.ephemeral && !owned_by(*claim, incoming_.pod())) {
      return Reason{Rule::claim_not_owned, operand(incoming_.placed.pod), name};
    }
    return {};
  }

  [[nodiscard]] auto bound(const PersistentVolumeClaim& claim) const -> bool {
    return claim.spec.volume_name && bind_completed_ && claim.meta.annotations.has(bind_completed_);
  }

  [[nodiscard]] auto waits_for_consumer(const PersistentVolumeClaim& claim) const -> bool {
    return kube::waits_for_consumer(cluster_, class_of(cluster_, claim)) && !claim.spec.volume_name;
  }

  // Matches only the labels of the node, not its name: fields in the affinity are ignored.
  [[nodiscard]] auto reachable(const std::optional<NodeSelector>& affinity) const -> bool {
    return !affinity || matches(*affinity, cluster_.node(node_).meta.labels, Symbol{}, cluster_);
  }
  [[nodiscard]] auto reachable(const PersistentVolume& pv) const -> bool {
    return reachable(pv.spec.node_affinity.required);
  }

  static auto is_error(Rule rule) -> bool {
    return rule == Rule::translation_zones || rule == Rule::translation_volume_id || rule == Rule::translation_kind ||
           rule == Rule::attributes_class_off;
  }

  // Returns the first fault.
  [[nodiscard]] auto check_bound() const -> std::optional<Reason> {
    for (const Bound& b : bound_) {
      if (b.volume == nullptr) return Reason{Rule::volume_gone, operand(b.claim->meta.name)};
      const bool as_csi = is_migrated_on(cluster_, incoming_.node_infos.name(node_), b.migrated.plugin);
      if (as_csi && b.migrated.fault) return b.migrated.fault;
      if (!(as_csi ? reachable(b.migrated.affinity) : reachable(*b.volume)))
        return Reason{Rule::volume_elsewhere, operand(b.volume->meta.name)};
    }
    return {};
  }

  [[nodiscard]] auto check_delayed(Plan* plan) const -> std::optional<Reason> {
    std::vector<const PersistentVolumeClaim*> to_match;
    std::vector<const PersistentVolumeClaim*> to_make;
    for (const PersistentVolumeClaim* claim : delayed_) {
      const Symbol selected = selected_node_ ? claim->meta.annotations.get(selected_node_) : Symbol{};
      if (!selected) {
        to_match.push_back(claim);
      } else if (selected == incoming_.node_infos.name(node_)) {
        to_make.push_back(claim);  // provisioned directly, without searching a volume
      } else {
        return Reason{Rule::volume_unbindable, operand(claim->meta.name)};
      }
    }
    std::stable_sort(to_match.begin(), to_match.end(),
                     [&](const auto* a, const auto* b) { return size(*a) < size(*b); });
    std::vector<const PersistentVolume*> taken;
    for (const PersistentVolumeClaim* claim : to_match) {
      if (!attributes_classes_ && claim->spec.volume_attributes_class_name) {
        return Reason{Rule::attributes_class_off, operand(incoming_.placed.pod), operand(claim->meta.name)};
      }
      const PersistentVolume* pv = best_volume(*claim, taken);
      if (pv == nullptr) {
        to_make.push_back(claim);
      } else {
        taken.push_back(pv);
        if (plan != nullptr) plan->matched.push_back({claim, pv});
      }
    }
    for (const PersistentVolumeClaim* claim : to_make) {
      const CsiStorageCapacity* capacity = nullptr;
      if (const auto fault = cannot_make(*claim, capacity)) return fault;
      if (plan != nullptr) plan->made.push_back({claim, capacity});
    }
    return {};
  }

  // Returns the smallest suitable volume. A volume that is already promised to this claim takes precedence; if it is
  // not reachable, there is none.
  [[nodiscard]] auto best_volume(const PersistentVolumeClaim& claim,
                                 const std::vector<const PersistentVolume*>& taken) const -> const PersistentVolume* {
    const PersistentVolume* best = nullptr;
    const Symbol class_name = class_of(cluster_, claim);
    const Quantity wanted = size(claim);
    for (const PersistentVolume* pv : volumes_) {
      if (pv->spec.storage_class_name != class_name || storage_of(pv->spec.capacity, cluster_.known().storage) < wanted)
        continue;
      if (std::find(taken.begin(), taken.end(), pv) != taken.end() || !comparable(*pv, claim)) continue;
      if (pv->spec.claim) {
        if (!promised(*pv->spec.claim, claim)) continue;
        return reachable(*pv) ? pv : nullptr;
      }
      if (!free_for(*pv, claim)) continue;
      const Symbol storage = cluster_.known().storage;
      if (best == nullptr || storage_of(pv->spec.capacity, storage) < storage_of(best->spec.capacity, storage))
        best = pv;
    }
    return best;
  }

  [[nodiscard]] auto comparable(const PersistentVolume& pv, const PersistentVolumeClaim& claim) const -> bool {
    const auto mode = [&](Symbol m) { return m == filesystem_ ? Symbol{} : m; };
    return !pv.meta.deleting && mode(pv.spec.volume_mode) == mode(claim.spec.volume_mode) &&
           same_attributes_class(pv, claim);
  }

  // While classes are disabled, a volume with a class suits no claim.
  [[nodiscard]] auto same_attributes_class(const PersistentVolume& pv, const PersistentVolumeClaim& claim) const
      -> bool {
    const Symbol of_volume = pv.spec.volume_attributes_class_name;
    return attributes_classes_ ? of_volume == claim.spec.volume_attributes_class_name : !of_volume;
  }

  [[nodiscard]] auto promised(const ClaimReference& ref, const PersistentVolumeClaim& claim) const -> bool {
    return ref.ns == claim.meta.ns && ref.name == claim.meta.name && (!ref.uid || ref.uid == claim.meta.uid);
  }

  [[nodiscard]] auto free_for(const PersistentVolume& pv, const PersistentVolumeClaim& claim) const -> bool {
    const auto& selector = claim.spec.selector;
    const bool selected = !selector || matches(*selector, pv.meta.labels, cluster_.objects().symbols);
    const auto has_mode = [&](Symbol mode) {
      return std::find(pv.spec.access_modes.begin(), pv.spec.access_modes.end(), mode) != pv.spec.access_modes.end();
    };
    return available_ && pv.status.phase == available_ && reachable(pv) && selected &&
           std::all_of(claim.spec.access_modes.begin(), claim.spec.access_modes.end(), has_mode);
  }

  [[nodiscard]] auto cannot_make(const PersistentVolumeClaim& claim, const CsiStorageCapacity*& capacity) const
      -> std::optional<Reason> {
    const Symbol class_name = class_of(cluster_, claim);
    const StorageClass* storage_class =
        cluster_.storage_class(class_name);  // exists: waits_for_consumer() has checked it
    const Reason unbindable{Rule::volume_unbindable, operand(claim.meta.name)};
    const std::string_view provisioner = cluster_.text(storage_class->provisioner);
    if (provisioner.empty() || provisioner == "kubernetes.io/no-provisioner") return unbindable;
    if (!topology_allows(*storage_class)) return unbindable;
    const CsiDriver* driver = cluster_.csi_driver(storage_class->provisioner);
    if (driver == nullptr || !driver->spec.storage_capacity) return {};
    capacity = enough_capacity(claim, class_name);
    if (capacity != nullptr) return {};
    return Reason{Rule::volume_no_room, operand(claim.meta.name)};
  }

  // A term without expressions allows no node. Source: pkg/apis/core/v1/helper MatchTopologySelectorTerms, v1.35.4.
  [[nodiscard]] auto topology_allows(const StorageClass& storage_class) const -> bool {
    const SymbolMap& labels = cluster_.node(node_).meta.labels;
    const auto matches_all = [&](const TopologySelectorTerm& term) {
      const auto& expressions = term.match_label_expressions;
      return !expressions.empty() &&
             std::all_of(expressions.begin(), expressions.end(), [&](const TopologyLabelRequirement& r) {
               const Symbol value = labels.get(r.key);
               return value && std::find(r.values.begin(), r.values.end(), value) != r.values.end();
             });
    };
    const auto& terms = storage_class.allowed_topologies;
    return terms.empty() || std::any_of(terms.begin(), terms.end(), matches_all);
  }

  [[nodiscard]] auto enough_capacity(const PersistentVolumeClaim& claim, Symbol class_name) const
      -> const CsiStorageCapacity* {
    const SymbolMap& labels = cluster_.node(node_).meta.labels;
    const auto& capacities = cluster_.objects().csi_storage_capacities;
    const auto found = std::find_if(capacities.begin(), capacities.end(), [&](const CsiStorageCapacity& c) {
      if (c.storage_class_name != class_name) return false;
      if (!matches(c.node_topology, labels, cluster_.objects().symbols)) return false;
      const auto limit = c.maximum_volume_size ? c.maximum_volume_size : c.capacity;
      return limit && *limit >= size(claim);
    });
    return found == capacities.end() ? nullptr : &*found;
  }

  const Incoming& incoming_;
  const Snapshot& cluster_;
  bool attributes_classes_;
  Symbol bind_completed_;
  Symbol selected_node_;
  std::vector<const PersistentVolume*> volumes_;  // by name
  Symbol filesystem_;
  Symbol available_;
  struct Bound {
    const PersistentVolumeClaim* claim = nullptr;
    const PersistentVolume* volume = nullptr;  // null: it does not exist
    MigratedVolume migrated;
  };
  std::vector<Bound> bound_;
  std::vector<const PersistentVolumeClaim*> delayed_;
  NodeId node_;
};

}  // namespace previct::kube
