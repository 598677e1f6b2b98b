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

/// What a filter may look at when it is made: the snapshot and the pod of this attempt.
struct Incoming {
  const NodeInfoSnapshot& node_infos;
  PodInfo placed;
  devices::Findings* devices = nullptr;  ///< takes what DynamicResources finds, if somebody is to tell of it

  [[nodiscard]] auto cluster() const -> const Snapshot& { return node_infos.cluster(); }
  [[nodiscard]] auto pod() const -> const Pod& { return cluster().pod(placed.pod); }
};

/// What decides what a filter says of a node, beside the node and the pod themselves.
enum class LooksAt : std::uint8_t {
  node,      ///< nothing else
  its_pods,  ///< the pods on it
  all_pods,  ///< the pods on any node
  volumes,
  devices
};

/// Objects of the cluster without which a filter may refuse a pod that the scheduler does not.
enum class Lacks : std::uint8_t { nothing, namespaces, default_spread };

/// A filter plugin of the default profile: everything that is true of it alone. One file in filters/ defines one; the
/// build finds it. Its place in the default profile's order is that of its row in plugins.cpp.
struct FilterInfo {
  std::string_view name;  ///< upstream's plugin name
  auto(*make)(const Incoming& incoming, const struct FilterSettings& settings) -> std::unique_ptr<Filter>;
  LooksAt looks_at = LooksAt::node;
  /// When a pod that it rejected is tried again.
  auto(*events)(const Release& release) -> EventTable;
  std::optional<Rule> without_state =
      {};                        ///< what Filter fails with if PreFilter is switched off; none: it does without
  Lacks lacks = Lacks::nothing;  ///< see gaps.cpp
  bool kubelet = false;          ///< a kubelet checks the same, and refuses the pod
  bool kai = false;              ///< KAI Scheduler runs it, too
  bool at_reservation = false;   ///< YuniKorn asks it, too, before it reserves a node
};

/// Arguments of plugins (pluginConfig[].args) that change what a filter says.
struct FilterSettings {
  std::optional<NodeSelector> added_affinity;        ///< NodeAffinityArgs.addedAffinity (required part)
  std::vector<std::string> ignored_resources;        ///< NodeResourcesFitArgs.ignoredResources
  std::vector<std::string> ignored_resource_groups;  ///< NodeResourcesFitArgs.ignoredResourceGroups
  /// PodTopologySpreadArgs.defaultConstraints that refuse nodes, of pods without constraints of their own
  std::vector<TopologySpreadConstraint> default_spread;
  std::int64_t binding_seconds = 600;  ///< DynamicResourcesArgs.bindingTimeout
};

/// What PreFilter found out.
struct Prepared {
  bool skip = false;                              ///< the filter has nothing to say of this pod, in the whole attempt
  Status rejection;                               ///< not ok: rejects the pod on all nodes
  std::optional<std::vector<Symbol>> only_nodes;  ///< names of the only nodes worth looking at
};

/// One filter plugin in one attempt: its PreFilter state, and its view of one node on trial.
///
/// A trial enters a node, lets pods come and go on it, and asks after each change whether the incoming pod fits.
/// Whatever a filter counts, on the node or across the cluster, follows add() and remove(); save() and restore()
/// bracket changes that must leave no trace. A clone is independent: one per thread.
class Filter {
 public:
  virtual ~Filter() = default;

  /// PreFilter. Called once, before anything else.
  [[nodiscard]] virtual auto prepare() -> Prepared { return {}; }

  /// Called instead if PreFilter is switched off and Filter does without what it finds out.
  virtual void go_without() {}

  /// What Filter looks at before it misses the state of a PreFilter that is switched off.
  [[nodiscard]] virtual auto check_without_state(Reasons /*reasons*/) const -> Code { return Code::success; }

  /// False if no pod that comes or goes can change what check() says of a node.
  [[nodiscard]] virtual auto depends_on_pods() const -> bool { return true; }

  /// Turns to a node as it is in the snapshot. Ends the visit to the node before.
  virtual void enter(NodeId node) = 0;

  /// Does the incoming pod fit the node entered? If not, and `reasons` is not null, says why.
  [[nodiscard]] virtual auto check(Reasons reasons) const -> Code = 0;

  /// AddPod and RemovePod: a pod comes to, or goes from, the node entered.
  virtual void add(const PodInfo& /*pod*/) {}
  virtual void remove(const PodInfo& /*pod*/) {}

  /// A pod has come to a node (1) or gone from it (-1) for good: as if prepare() had found it so. Ends the visit.
  virtual void settle(const PodInfo& /*pod*/, NodeId /*node*/, std::int64_t /*by*/) {}
  /// Would prepare() say `skip`, as things are now?
  [[nodiscard]] virtual auto would_skip() const -> bool { return false; }

  /// A pod leaves the node entered, and RemovePod is not called: what PreFilter counted stays as it was, and only what
  /// check() reads off the node itself follows. YuniKorn tries victims so.
  virtual void vacate(const PodInfo& pod) { remove(pod); }

  /// Remembers the state, and goes back to it. Not nested.
  virtual void save() {}
  virtual void restore() {}

  [[nodiscard]] virtual auto clone() const -> std::unique_ptr<Filter> = 0;
};

/// All filters, in the default profile's order.
[[nodiscard]] auto filters() -> const std::vector<const FilterInfo*>&;
/// Its place among them.
[[nodiscard]] auto rank_of(const FilterInfo& filter) -> std::int64_t;
/// Null if there is no such filter.
[[nodiscard]] auto find_filter(std::string_view name) -> const FilterInfo*;

}  // namespace previct::kube
