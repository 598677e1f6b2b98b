#pragma once

#include "cluster/snapshot.h"
#include "engine/kube/pods_by_label.h"
#include "engine/kube/release.h"
#include "engine/kube/terms_of_pods.h"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace previct::kube {

/// A resource name that NodeResourcesFit counts, numbered by first use; cpu, memory and ephemeral storage come first.
using ResourceId = Id<struct ResourceTag>;

/// CPU in milli-CPU, everything else in whole units (bytes, devices), rounded up once per pod.
struct Amount {
  ResourceId resource;
  std::int64_t value = 0;
};

/// A pod as filters see it: on a node, nominated to one, or incoming.
struct PodInfo {
  PodId pod;
  std::int32_t priority = 0;
  std::uint32_t slot = 0;   ///< its index in the snapshot's tables of requests
  std::uint32_t order = 0;  ///< its index among the pods of its node in the scheduler's order
  bool has_start = false;   ///< false: it counts as started now, later than any other pod
  Symbol priority_class;    ///< copied here because it is read for every pod of a cluster
  Instant start;
};

/// One resource across the cluster, in the units of Amount.
struct ResourceColumn {
  std::vector<std::int64_t> demand;            ///< by PodInfo::slot
  IdVector<NodeId, std::int64_t> allocatable;  ///< 0 if the node does not offer it
  IdVector<NodeId, std::int64_t> used;         ///< sum over the pods of the node; wraps like upstream's int64
};

/// The scheduler's view of the cluster (upstream's NodeInfo snapshot) in flat tables. Pods are grouped by node, in the
/// order in which a trial reads them, so that a trial reads memory sequentially. Created once per run and shared by all
/// questions.
class NodeInfoSnapshot {
 public:
  /// The minor release of the kube-scheduler code that KAI and YuniKorn contain.
  static constexpr int kBuiltIn = 35;

  /// `before`: a view of the same pods, before nodes were removed or pods were added; if its release has the same rules
  /// of requests, these are not computed again, and nodes with the same pods are copied.
  explicit NodeInfoSnapshot(const Snapshot& cluster, const Release& release = Release(kBuiltIn),
                            const NodeInfoSnapshot* before = nullptr);
  /// As above, for the same release. Of the pods of `before`, all but those in `changed` are as they were; nodes that
  /// have none of these pods, now or before, also keep their order of pods. No simulation has changed `before`.
  NodeInfoSnapshot(const Snapshot& cluster, const NodeInfoSnapshot& before, std::span<const PodId> changed);
  /// The view of another release, for which holds_for() must be true. Both share their tables, so neither may be
  /// changed by a simulation.
  NodeInfoSnapshot(const NodeInfoSnapshot& other, const Release& release)
      : cluster_(other.cluster_), release_(release), tables_(other.tables_) {}

  /// Returns true if every pod has the same request in the other release, so that both views are equal.
  [[nodiscard]] auto holds_for(const Release& other) const -> bool;

  /// The release whose view this is.
  [[nodiscard]] auto release() const -> const Release& { return release_; }
  /// Returns the symbols in which the toleration operators Gt and Lt find their numbers; null if these operators
  /// tolerate nothing in this release.
  [[nodiscard]] auto numbers_in_tolerations() const -> const Symbols* {
    return release_.has(Change::tolerations_compare) ? &cluster_.symbols() : nullptr;
  }

  [[nodiscard]] auto cluster() const -> const Snapshot& { return cluster_; }
  [[nodiscard]] auto nodes() const -> IdVector<NodeId, Node>::Ids { return cluster_.nodes().ids(); }
  [[nodiscard]] auto node_count() const -> std::size_t { return cluster_.nodes().size(); }
  [[nodiscard]] auto name(NodeId node) const -> Symbol { return cluster_.node(node).meta.name; }

  /// Returns the pods assigned to a node: most important first if strictly_ordered(), else in dump order (the order in
  /// a scheduler that has just started, on which the result of its sort depends).
  [[nodiscard]] auto pods_on(NodeId node) const -> std::span<const PodInfo> {
    const Places& places = tables_->places[node];
    return std::span(tables_->placed).subspan(places.begin, places.used);
  }
  /// Returns true if a pod on some node meets the condition.
  template <class Condition>
  [[nodiscard]] auto any_placed(const Condition& condition) const -> bool {
    for (const NodeId node : nodes()) {
      const std::span<const PodInfo> pods = pods_on(node);
      if (std::any_of(pods.begin(), pods.end(), condition)) return true;
    }
    return false;
  }

  [[nodiscard]] auto amounts(const PodInfo& placed) const -> std::span<const Amount> {
    return std::span(tables_->amounts)
        .subspan(tables_->amounts_begin[placed.slot],
                 tables_->amounts_begin[placed.slot + 1] - tables_->amounts_begin[placed.slot]);
  }
  /// For simulations: replaces the pods of the node, in this order. Requests of a pod are read once. Spans from
  /// pods_on() become invalid.
  void arrange(NodeId node, std::span<const PodId> pods);
  /// For simulations: a pod was added to the end of the cluster's pods.
  void pod_was_added();
  /// For simulations: the pod's status may name a node from now on.
  void may_be_nominated(PodId pod);

  /// Returns the request of a pending pod. Afterwards this snapshot has a column for each resource that it requests.
  [[nodiscard]] auto incoming(PodId pod) -> PodInfo;
  /// Returns a pending pod as it counts on the node that it is nominated to.
  [[nodiscard]] auto nominated(PodId pod) -> PodInfo;

  /// Returns the column of a resource that an incoming pod requests.
  [[nodiscard]] auto column(ResourceId resource) const -> const ResourceColumn& { return *tables_->columns[resource]; }
  /// Returns the column of any resource; null if the scheduler does not count a resource of that name.
  [[nodiscard]] auto column_of(Symbol name) const -> const ResourceColumn*;
  /// cpu and memory as scores count them (scored_request.h).
  struct ScoredColumns {
    ResourceColumn milli_cpu;
    ResourceColumn memory;
  };
  [[nodiscard]] auto scored_columns() const -> const ScoredColumns&;
  /// Returns the lists of all pods, on nodes or not.
  [[nodiscard]] auto pods_by_label() const -> PodsByLabel& { return tables_->by_label; }
  /// Returns the node of a pod; none if it is not on a node or has finished.
  [[nodiscard]] auto place_of(PodId pod) const -> NodeId { return tables_->place[pod]; }
  /// Returns true for a cordoned or tainted node; NodeUnschedulable and TaintToleration can refuse no other.
  [[nodiscard]] auto restricted(NodeId node) const -> bool { return tables_->restricted[node] != 0; }
  /// Returns these nodes: those of one list are cordoned, or not, and tainted alike, except for the times of the
  /// taints.
  [[nodiscard]] auto restricted_alike() const -> const std::vector<std::vector<NodeId>>& {
    return tables_->restricted_alike;
  }
  [[nodiscard]] auto max_pods(NodeId node) const -> std::int64_t { return tables_->max_pods[node]; }
  /// Clears the entry of every node in the list that has as many pods as it takes.
  void keep_with_room_for_one(IdVector<NodeId, char>& nodes) const;

  /// Required anti-affinity of pods on nodes: the only terms of theirs that can keep an incoming pod off.
  [[nodiscard]] auto repelling() const -> const TermsOfPods& { return tables_->repelling; }
  /// Required affinity and preferences of pods on nodes: the terms of theirs that score an incoming pod.
  [[nodiscard]] auto attracting() const -> const TermsOfPods& { return tables_->attracting; }
  /// Pending pods that are nominated to a node.
  [[nodiscard]] auto nominees() const -> const std::vector<PodId>& { return tables_->nominees; }

  [[nodiscard]] auto resource_name(ResourceId id) const -> Symbol { return tables_->resource_names[id]; }

  /// Returns true if no two pods of this node tie in priority and start time. Then every sort by importance gives the
  /// order of pods_on().
  [[nodiscard]] auto strictly_ordered(NodeId node) const -> bool { return tables_->strictly_ordered[node] != 0; }

 private:
  // The pods of a node in `placed`, and the room for more of them.
  struct Places {
    std::uint32_t begin = 0;
    std::uint32_t used = 0;
    std::uint32_t room = 0;
  };
  struct Tables {
    explicit Tables(const Snapshot& cluster);
    /// Takes the requests of pods, except of those in `changed`, and what scores count of them.
    void take_requests(const Tables& other, std::span<const PodId> changed);

    std::vector<PodInfo> placed;
    IdVector<NodeId, Places> places;
    IdVector<NodeId, char> strictly_ordered;
    std::vector<Amount> amounts;
    std::vector<std::uint32_t> amounts_begin{0};
    IdVector<PodId, std::uint32_t> slot_as_placed;  // kNoSlot: not in the tables yet
    IdVector<PodId, std::uint32_t> slot_as_incoming;
    IdVector<ResourceId, Symbol> resource_names;
    std::unordered_map<std::uint32_t, ResourceId> resource_ids;  // by symbol; none for names that are not counted
    IdVector<NodeId, std::vector<Amount>> allocatable;
    IdVector<ResourceId, std::unique_ptr<ResourceColumn>> columns;  // null until a pod requests it
    IdVector<NodeId, std::int64_t> max_pods;
    IdVector<NodeId, char> restricted;
    std::vector<std::vector<NodeId>> restricted_alike;
    TermsOfPods repelling;
    TermsOfPods attracting;
    std::array<std::unique_ptr<ScoredColumns>, 2>
        scored;  // by whether sidecars count like containers; null: not computed yet
    std::vector<PodId> nominees;
    IdVector<PodId, NodeId> place;
    IdVector<NodeId, Symbol> names;
    PodsByLabel by_label;
    // whether the release affects the request of some pod; none: not computed yet
    std::optional<bool> by_rules;
  };

  void read_nodes(const NodeInfoSnapshot* alike, std::span<const PodId> changed);
  void read_node(NodeId node);
  void list_restricted();
  /// Copies the pods of a node, which are the same in `before`.
  void copy_pods(NodeId node, const NodeInfoSnapshot& before);
  [[nodiscard]] auto ordered(NodeId node, std::span<const PodId> pods) -> std::vector<PodInfo>;
  void take_slot(PodInfo& placed, bool on_node);
  void make_column(ResourceId resource) const;
  /// Requires that `demand` and `allocatable` are set.
  void sum_up(ResourceColumn& column) const;
  /// Requires that `demand` is set in both.
  void sum_up(ScoredColumns& scored) const;
  void note_terms(NodeId node, PodId pod);
  auto counted(Symbol name) const -> ResourceId;

  const Snapshot& cluster_;
  Release release_;
  std::shared_ptr<Tables> tables_;
};

/// Upstream's order of importance: higher priority first, then earlier start. For a missing start time upstream reads
/// the clock, twice per comparison, and the first reading is earlier: so of two pods without a start time, each is more
/// important than the other. Since 1.37 their order on the node decides (Change::unstarted_as_listed).
/// Source: pkg/scheduler/util MoreImportantPod.
[[nodiscard]] inline auto more_important(const PodInfo& a, const PodInfo& b) -> bool {
  if (a.priority != b.priority) return a.priority > b.priority;
  if (!a.has_start) return !b.has_start;
  return !b.has_start || a.start < b.start;
}

/// Returns true if both are equal in priority and start: upstream may evict either in place of the other.
[[nodiscard]] inline auto interchangeable(const PodInfo& a, const PodInfo& b) -> bool {
  return a.priority == b.priority && a.has_start == b.has_start && (!a.has_start || a.start == b.start);
}

/// A strict order by importance, for sorts that must keep the order of interchangeable pods.
[[nodiscard]] inline auto clearly_more_important(const PodInfo& a, const PodInfo& b) -> bool {
  return !interchangeable(a, b) && more_important(a, b);
}

}  // namespace previct::kube
