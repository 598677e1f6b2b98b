#pragma once

#include "api/objects.h"
#include "base/derived.h"

#include <map>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace previct {

/// Symbols that engines compare with, interned once.
struct WellKnown {
  explicit WellKnown(Symbols& symbols);

  Symbol cpu, memory, ephemeral_storage, pods, storage;
  Symbol no_schedule, no_execute, equal, exists, unschedulable_taint;
  Symbol always, never, running, succeeded, failed, true_status;
  Symbol default_scheduler;
  Symbol metadata_name;
  Symbol pod_scheduled, disruption_target, preemption_by_scheduler;
  Symbol pod_resize_pending, infeasible;
};

/// The cluster of one input, with references resolved to indexes. Immutable, except in simulations.
///
/// Built once for each run; every engine and every question reads it. Holds no scheduling decisions. `Objects` must
/// outlive it.
class Snapshot {
 public:
  explicit Snapshot(Objects& objects);
  Snapshot(const Snapshot&) = delete;
  auto operator=(const Snapshot&) -> Snapshot& = delete;

  /// Returns another snapshot of the same objects, for another thread.
  [[nodiscard]] auto again() const -> std::unique_ptr<Snapshot> { return std::make_unique<Snapshot>(objects_); }
  /// Several threads will read the objects from now on, each with a snapshot of its own, or no longer. Until then,
  /// whatever adds a text or a warning throws AddedWhileShared.
  void share(bool shared) const {
    objects_.symbols.share(shared);
    objects_.diagnostics.share(shared);
  }

  [[nodiscard]] auto objects() const -> const Objects& { return objects_; }
  [[nodiscard]] auto known() const -> const WellKnown& { return known_; }
  [[nodiscard]] auto text(Symbol symbol) const -> std::string_view { return objects_.symbols.text(symbol); }
  /// For reading a configuration in addition to the dump. Texts may be added; this changes no result, because nothing
  /// in the dump is equal to a new text.
  [[nodiscard]] auto symbols() const -> Symbols& { return objects_.symbols; }
  [[nodiscard]] auto diagnostics() const -> Diagnostics& { return objects_.diagnostics; }

  /// The symbol of a text that occurs in the input (or in WellKnown); none otherwise.
  [[nodiscard]] auto symbol(std::string_view text) const -> Symbol { return objects_.symbols.find(text); }

  [[nodiscard]] auto pods() const -> const IdVector<PodId, Pod>& { return objects_.pods; }
  [[nodiscard]] auto nodes() const -> const IdVector<NodeId, Node>& { return objects_.nodes; }
  [[nodiscard]] auto pod(PodId id) const -> const Pod& { return objects_.pods[id]; }
  [[nodiscard]] auto node(NodeId id) const -> const Node& { return objects_.nodes[id]; }

  [[nodiscard]] auto name(NodeId id) const -> std::string_view { return text(node(id).meta.name); }
  [[nodiscard]] auto names(std::span<const NodeId> nodes) const -> std::vector<std::string>;

  /// `namespace/name`, not escaped.
  [[nodiscard]] auto key(PodId id) const -> std::string;

  [[nodiscard]] auto find_pod(std::string_view ns, std::string_view name) const -> PodId;
  [[nodiscard]] auto find_node(Symbol name) const -> NodeId;

  /// The node that the pod is assigned to; none if it is unassigned or its node is not in the input.
  [[nodiscard]] auto node_of(PodId id) const -> NodeId { return node_of_[id]; }
  /// Returns true for phase Succeeded or Failed: the pod is invisible to schedulers.
  [[nodiscard]] auto finished(PodId id) const -> bool;
  /// Returns true if the phase is Running but no node is set: the input does not say where the pod runs. No scheduler
  /// tries to place it.
  [[nodiscard]] auto runs_on_unknown_node(PodId id) const -> bool;
  /// Returns true if the pod is unassigned and neither running nor finished: some scheduler has to place it.
  [[nodiscard]] auto pending(PodId id) const -> bool;

  /// The unfinished pods assigned to a node, in input order.
  [[nodiscard]] auto pods_on(NodeId id) const -> std::span<const PodId>;

  /// For simulations: registers the last pod, which is new and on no node.
  void pod_was_added();
  /// For simulations: PersistentVolumes and their claims were changed, added or removed.
  void volumes_changed();

  /// For simulations: drops the derived `T` because its sources changed; the next use derives it again.
  template <class T>
  void forget() const {
    derived_.forget<T>();
  }

  /// Null if no priority class has this name.
  [[nodiscard]] auto priority_class(Symbol name) const -> const PriorityClass*;
  [[nodiscard]] auto namespace_labels(Symbol name) const -> const SymbolMap&;
  [[nodiscard]] auto claim(Symbol ns, Symbol name) const -> const PersistentVolumeClaim*;
  [[nodiscard]] auto volume(Symbol name) const -> const PersistentVolume*;
  [[nodiscard]] auto storage_class(Symbol name) const -> const StorageClass*;
  [[nodiscard]] auto csi_node(Symbol name) const -> const CsiNode*;
  [[nodiscard]] auto csi_driver(Symbol name) const -> const CsiDriver*;

  /// A value that an engine derives from the whole cluster (its own data model, matched selectors), computed from this
  /// snapshot on first use and kept for all further questions. Not thread-safe.
  template <class T>
  [[nodiscard]] auto derived() const -> T& {
    return derived_.of<T>(*this);
  }

 private:
  template <class T>
  using ByName = std::unordered_map<std::uint32_t, const T*>;

  Objects& objects_;
  WellKnown known_;
  std::unordered_map<std::uint64_t, PodId> pod_by_name_;
  std::unordered_map<std::uint32_t, NodeId> node_by_name_;
  IdVector<PodId, NodeId> node_of_;
  std::vector<PodId> by_node_;             // pods grouped by node …
  std::vector<std::uint32_t> node_begin_;  // … the group of node n is [begin[n], begin[n + 1])
  ByName<PriorityClass> priority_classes_;
  ByName<Namespace> namespaces_;
  ByName<PersistentVolume> volumes_;
  ByName<StorageClass> storage_classes_;
  ByName<CsiNode> csi_nodes_;
  ByName<CsiDriver> csi_drivers_;
  std::unordered_map<std::uint64_t, const PersistentVolumeClaim*> claims_;
  mutable Derived derived_;
};

}  // namespace previct
