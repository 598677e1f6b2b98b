#pragma once

#include "cluster/snapshot.h"
#include "engine/kube/release.h"

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace previct::kube {

/// A resource name that NodeResourcesFit counts, by order of first use; cpu, memory and ephemeral storage come
/// first.
using ResourceId = Id<struct ResourceTag>;

/// CPU in milli-CPU, all else in whole units (bytes, devices), rounded up once a pod.
struct Amount {
  ResourceId resource;
  std::int64_t value = 0;
};

/// A pod as filters see it: on a node, nominated to one, or coming.
struct PodInfo {
  PodId pod;
  std::int32_t priority = 0;
  std::uint32_t slot = 0;   ///< its place in the snapshot's tables of requests
  std::uint32_t order = 0;  ///< its place among the pods of its node as the scheduler has them (node order)
  bool has_start = false;   ///< false: it counts as started now, later than any other
  Symbol priority_class;    ///< here, too, because it is asked of all pods of a cluster
  Instant start;
};

/// One resource across the cluster, in the units of Amount.
struct ResourceColumn {
  std::vector<std::int64_t> demand;            ///< by PodInfo::slot
  IdVector<NodeId, std::int64_t> allocatable;  ///< 0 where the node has none of it
  IdVector<NodeId, std::int64_t> used;         ///< sum over the pods of the node; wraps as upstream's int64 does
};

/// The scheduler's picture of the cluster (upstream's NodeInfo snapshot), flat: pods stand grouped by node, in the
/// order in which a trial asks for them, so that it walks memory forward. Made once a run, shared by all questions.
class NodeInfoSnapshot {
 public:
  /// What KAI and YuniKorn have built in of kube-scheduler is of this minor release.
  static constexpr int kBuiltIn = 35;

  explicit NodeInfoSnapshot(const Snapshot& cluster, const Release& release = Release(kBuiltIn));
  /// As another release sees it, where the picture holds_for() it. Both share what they hold, so no play is on either.
  NodeInfoSnapshot(const NodeInfoSnapshot& other, const Release& release)
      : cluster_(other.cluster_), release_(release), tables_(other.tables_) {}

  /// Does every pod take the same of its node in the other release? Then the pictures are the same.
  [[nodiscard]] auto holds_for(const Release& other) const -> bool;

  /// The scheduler whose picture this is.
  [[nodiscard]] auto release() const -> const Release& { return release_; }
  /// The texts in which the operators Gt and Lt of tolerations find numbers; null where they tolerate nothing.
  [[nodiscard]] auto numbers_in_tolerations() const -> const Symbols* {
    return release_.has(Change::tolerations_compare) ? &cluster_.symbols() : nullptr;
  }

  [[nodiscard]] auto cluster() const -> const Snapshot& { return cluster_; }
  [[nodiscard]] auto nodes() const -> IdVector<NodeId, Node>::Ids { return cluster_.nodes().ids(); }
  [[nodiscard]] auto node_count() const -> std::size_t { return cluster_.nodes().size(); }
  [[nodiscard]] auto name(NodeId node) const -> Symbol { return cluster_.node(node).meta.name; }

  /// The pods assigned to a node: most important first if strictly_ordered(), else in dump order (the order in which
  /// a scheduler that just started has them, on which the outcome of its sort depends).
  [[nodiscard]] auto pods_on(NodeId node) const -> std::span<const PodInfo> {
    return std::span(tables_->placed)
        .subspan(tables_->begin[node.index], tables_->begin[node.index + 1] - tables_->begin[node.index]);
  }
  [[nodiscard]] auto all() const -> std::span<const PodInfo> { return tables_->placed; }

  [[nodiscard]] auto amounts(const PodInfo& placed) const -> std::span<const Amount> {
    return std::span(tables_->amounts)
        .subspan(tables_->amounts_begin[placed.slot],
                 tables_->amounts_begin[placed.slot + 1] - tables_->amounts_begin[placed.slot]);
  }
  /// For plays: these are the pods of the node from now on, in this order. Requests of a pod are read once.
  /// Places in all() shift; what pods_on() gave is no longer valid.
  void arrange(NodeId node, std::span<const PodId> pods);
  /// For plays: the last of the cluster's pods is new.
  void pod_was_added();
  /// For plays: the pod's status may name a node from now on.
  void may_be_nominated(PodId pod);

  /// What a pending pod asks for. From then on this snapshot has a column of each resource that it wants.
  [[nodiscard]] auto incoming(PodId pod) -> PodInfo;
  /// A pending pod as it counts on the node it is nominated to.
  [[nodiscard]] auto nominated(PodId pod) -> PodInfo;

  /// Of a resource that an incoming pod wants.
  [[nodiscard]] auto column(ResourceId resource) const -> const ResourceColumn& { return *tables_->columns[resource]; }
  /// The same of any resource; null if the scheduler counts none of that name.
  [[nodiscard]] auto column_of(Symbol name) const -> const ResourceColumn*;
  /// cpu and memory as scores count them (scored_request.h).
  struct ScoredColumns {
    ResourceColumn milli_cpu;
    ResourceColumn memory;
  };
  [[nodiscard]] auto scored_columns() const -> const ScoredColumns&;
  /// The pods of a namespace, on nodes or not.
  [[nodiscard]] auto pods_of(Symbol ns) const -> std::span<const PodId>;
  /// The node that a pod is on; none if it is on none, or has finished.
  [[nodiscard]] auto place_of(PodId pod) const -> NodeId { return tables_->place[pod]; }
  /// Cordoned or tainted: the only nodes that NodeUnschedulable and TaintToleration can refuse.
  [[nodiscard]] auto restricted(NodeId node) const -> bool { return tables_->restricted[node] != 0; }
  [[nodiscard]] auto max_pods(NodeId node) const -> std::int64_t { return tables_->max_pods[node]; }

  /// Running pods with required anti-affinity: the only ones whose terms an incoming pod without terms can meet.
  struct Repelling {
    NodeId node;
    PodId pod;
  };
  [[nodiscard]] auto repelling() const -> const std::vector<Repelling>& { return tables_->repelling; }
  /// Pods on nodes with preferred terms for other pods, or required affinity: those whose terms score an incoming pod.
  [[nodiscard]] auto attracting() const -> const std::vector<Repelling>& { return tables_->attracting; }
  /// Pending pods that are nominated to some node.
  [[nodiscard]] auto nominees() const -> const std::vector<PodId>& { return tables_->nominees; }

  [[nodiscard]] auto resource_name(ResourceId id) const -> Symbol { return tables_->resource_names[id]; }

  /// Are the pods of this node strictly ordered by importance, that is, without a tie in priority and start
  /// time? Then pods_on() is what any sort makes of them.
  [[nodiscard]] auto strictly_ordered(NodeId node) const -> bool { return tables_->strictly_ordered[node] != 0; }

 private:
  struct Tables {
    explicit Tables(const Snapshot& cluster);

    std::vector<PodInfo> placed;
    std::vector<std::uint32_t> begin;
    IdVector<NodeId, char> strictly_ordered;
    std::vector<Amount> amounts;
    std::vector<std::uint32_t> amounts_begin{0};
    IdVector<PodId, std::uint32_t> slot_as_placed;  // kNoSlot: not in the tables yet
    IdVector<PodId, std::uint32_t> slot_as_incoming;
    IdVector<ResourceId, Symbol> resource_names;
    std::unordered_map<std::uint32_t, ResourceId> resource_ids;  // by symbol; none for names not counted
    IdVector<NodeId, std::vector<Amount>> allocatable;
    IdVector<ResourceId, std::unique_ptr<ResourceColumn>> columns;  // null until a pod wants it
    IdVector<NodeId, std::int64_t> max_pods;
    IdVector<NodeId, char> restricted;
    std::vector<Repelling> repelling;
    std::vector<Repelling> attracting;
    std::array<std::unique_ptr<ScoredColumns>, 2>
        scored;  // by whether sidecars count with the containers; null: not yet
    std::vector<PodId> nominees;
    IdVector<PodId, NodeId> place;
    std::unordered_map<std::uint32_t, std::vector<PodId>> by_namespace;  // empty: nobody has asked yet
    std::optional<bool> by_rules;  // whether some pod's request hangs on the release; none: not asked yet
  };

  [[nodiscard]] auto ordered(NodeId node, std::span<const PodId> pods) -> std::vector<PodInfo>;
  void take_slot(PodInfo& placed, bool on_node);
  void make_column(ResourceId resource) const;
  /// `demand` by slot and `allocatable` are known.
  void sum_up(ResourceColumn& column) const;
  void note_terms(NodeId node, PodId pod);
  auto counted(Symbol name) const -> ResourceId;

  const Snapshot& cluster_;
  Release release_;
  std::shared_ptr<Tables> tables_;
};

/// Upstream's order of importance: higher priority first, then earlier start. An absent start time is read from
/// the clock, twice a comparison, and the first reading is earlier: so of two pods without one each is more
/// important than the other; since 1.37 their order on the node decides (Change::unstarted_as_listed). Source:
/// pkg/scheduler/util MoreImportantPod.
[[nodiscard]] inline auto more_important(const PodInfo& a, const PodInfo& b) -> bool {
  if (a.priority != b.priority) return a.priority > b.priority;
  if (!a.has_start) return !b.has_start;
  return !b.has_start || a.start < b.start;
}

/// Equal in priority and start: upstream may take either for the other.
[[nodiscard]] inline auto interchangeable(const PodInfo& a, const PodInfo& b) -> bool {
  return a.priority == b.priority && a.has_start == b.has_start && (!a.has_start || a.start == b.start);
}

/// A strict order by importance, for sorts that leave interchangeable pods as they are.
[[nodiscard]] inline auto clearly_more_important(const PodInfo& a, const PodInfo& b) -> bool {
  return !interchangeable(a, b) && more_important(a, b);
}

}  // namespace previct::kube
