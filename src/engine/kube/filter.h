#pragma once

#include "engine/kube/node_info_snapshot.h"
#include "engine/kube/requeue.h"
#include "engine/kube/status.h"

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace previct::kube {

class Filter;
namespace devices {
class Findings;
}

/// The input of a filter: the snapshot and the pod of this attempt.
struct Incoming {
  const NodeInfoSnapshot& node_infos;
  PodInfo placed;
  devices::Findings* devices = nullptr;  ///< receives the findings of DynamicResources, if they are reported

  [[nodiscard]] auto cluster() const -> const Snapshot& { return node_infos.cluster(); }
  [[nodiscard]] auto pod() const -> const Pod& { return cluster().pod(placed.pod); }
};

/// The state that a filter's result on a node depends on, besides the node and the incoming pod.
enum class LooksAt : std::uint8_t {
  node,      ///< nothing else
  its_pods,  ///< the pods on the node
  all_pods,  ///< the pods on all nodes
  volumes,
  devices
};

/// Objects of the cluster whose absence from the input may make a filter refuse a pod that the scheduler accepts.
enum class Lacks : std::uint8_t { nothing, namespaces, default_spread };

/// A filter plugin of the default profile, with its properties. Each file in filters/ defines one, which the build
/// finds. Its position in the default profile is that of its row in plugins.cpp.
struct FilterInfo {
  std::string_view name;  ///< upstream's plugin name
  auto(*make)(const Incoming& incoming, const struct FilterSettings& settings) -> std::unique_ptr<Filter>;
  LooksAt looks_at = LooksAt::node;
  /// The events that requeue a pod that it rejected.
  auto(*events)(const Release& release) -> EventTable;
  /// The error of Filter if PreFilter is disabled; none: Filter works without it.
  std::optional<Rule> without_state = {};
  Lacks lacks = Lacks::nothing;  ///< see gaps.cpp
  bool kubelet = false;          ///< the kubelet runs the same check and refuses the pod
  bool kai = false;              ///< KAI Scheduler runs it, too
  bool at_reservation = false;   ///< YuniKorn also runs it before it reserves a node
};

/// Plugin arguments (pluginConfig[].args) that change the result of a filter.
struct FilterSettings {
  std::optional<NodeSelector> added_affinity;        ///< NodeAffinityArgs.addedAffinity (required part)
  std::vector<std::string> ignored_resources;        ///< NodeResourcesFitArgs.ignoredResources
  std::vector<std::string> ignored_resource_groups;  ///< NodeResourcesFitArgs.ignoredResourceGroups
  /// DoNotSchedule constraints of PodTopologySpreadArgs.defaultConstraints, for pods without constraints of their own.
  std::vector<TopologySpreadConstraint> default_spread;
  std::int64_t binding_seconds = 600;  ///< DynamicResourcesArgs.bindingTimeout
};

/// The result of PreFilter.
struct Prepared {
  bool skip = false;                              ///< the filter is skipped in the whole attempt
  Status rejection;                               ///< not ok: rejects the pod on all nodes
  std::optional<std::vector<Symbol>> only_nodes;  ///< names of the only nodes to try
};

/// One filter plugin in one attempt: its PreFilter state, and its state for one node on trial.
///
/// A trial enters a node, adds and removes pods there, and checks after each change whether the incoming pod fits.
/// Everything that a filter counts, on the node or across the cluster, follows add() and remove(); save() and restore()
/// enclose temporary changes. A clone is independent: one per thread.
class Filter {
 public:
  virtual ~Filter() = default;

  /// Runs PreFilter. Called once, before anything else.
  [[nodiscard]] virtual auto prepare() -> Prepared { return {}; }

  /// Called instead of prepare() if PreFilter is disabled and Filter works without its state.
  virtual void skip_pre_filter() {}

  /// Returns the result of the checks that Filter makes before it needs the state of a disabled PreFilter.
  [[nodiscard]] virtual auto check_without_state(Reasons /*reasons*/) const -> Code { return Code::success; }

  /// Returns false if adding or removing pods never changes the result of check() on a node.
  [[nodiscard]] virtual auto depends_on_pods() const -> bool { return true; }

  /// Enters a node in its state in the snapshot, and leaves the node before.
  virtual void enter(NodeId node) = 0;

  /// Checks whether the incoming pod fits on the entered node. If it does not and `reasons` is not null, adds the
  /// reasons.
  [[nodiscard]] virtual auto check(Reasons reasons) const -> Code = 0;

  /// Clears the entry of every node in the list on which check() fails in the state of the snapshot. Returns false if
  /// it fails with an error on one of them; the list is then unspecified. Leaves the entered node.
  [[nodiscard]] virtual auto keep_feasible(IdVector<NodeId, char>& nodes) -> bool {
    for (const NodeId node : nodes.ids()) {
      if (nodes[node] == 0) continue;
      enter(node);
      const Code code = check(nullptr);
      if (code == Code::error) return false;
      nodes[node] = code == Code::success ? 1 : 0;
    }
    return true;
  }

  /// AddPod and RemovePod: a pod is added to, or removed from, the entered node.
  virtual void add(const PodInfo& /*pod*/) {}
  virtual void remove(const PodInfo& /*pod*/) {}

  /// A pod was permanently added to a node (1) or removed from it (-1), as if prepare() had seen that state. Leaves the
  /// entered node.
  virtual void settle(const PodInfo& /*pod*/, NodeId /*node*/, std::int64_t /*by*/) {}
  /// Returns true if prepare() would return `skip` in the current state.
  [[nodiscard]] virtual auto would_skip() const -> bool { return false; }

  /// Removes a pod from the entered node without RemovePod: what PreFilter counted does not change, only what check()
  /// reads from the node itself. YuniKorn tries victims this way.
  virtual void remove_without_pre_filter(const PodInfo& pod) { remove(pod); }

  /// Saves and restores the state. Not nested.
  virtual void save() {}
  virtual void restore() {}

  [[nodiscard]] virtual auto clone() const -> std::unique_ptr<Filter> = 0;

 protected:
  /// keep_feasible() of a filter that fails only on these nodes, on all or none of each list. It never fails with an
  /// error.
  [[nodiscard]] auto keep_feasible_alike(IdVector<NodeId, char>& nodes, const std::vector<std::vector<NodeId>>& lists)
      -> bool {
    for (const std::vector<NodeId>& alike : lists) {
      enter(alike.front());
      if (check(nullptr) == Code::success) continue;
      for (const NodeId node : alike) nodes[node] = 0;
    }
    return true;
  }
};

/// Returns all filters, in the order of the default profile.
[[nodiscard]] auto filters() -> const std::vector<const FilterInfo*>&;
/// Returns the position of a filter in filters().
[[nodiscard]] auto rank_of(const FilterInfo& filter) -> std::int64_t;
/// Returns null if there is no such filter.
[[nodiscard]] auto find_filter(std::string_view name) -> const FilterInfo*;

}  // namespace previct::kube
