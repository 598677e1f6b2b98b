#pragma once

#include "cluster/changed_cluster.h"
#include "cluster/snapshot.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace previct::fit {

/// What may be changed to let a pod in, by how little it touches: nothing but time, the pod itself, nothing that runs
/// (one more node), then what others own.
enum class Kind : std::uint8_t {
  wait,
  request,
  toleration,
  node_selector,
  node_affinity,
  pod_affinity,
  pod_anti_affinity,
  topology_spread,
  gate,
  preemption_policy,
  priority,
  count,
  preemption,
  borrowing_limit,
  quota,
  node,
  uncordon,
  budget,
  resize,
  move,
  finish,
  remove
};
/// As the JSON has it: `request`, `node-selector`.
[[nodiscard]] auto kind_name(Kind kind) -> std::string_view;

/// One change of one object, in words and by its field.
struct Step {
  Kind kind = Kind::wait;
  std::string what;      ///< `nvidia.com/gpu 4 -> 2`
  std::string object{};  ///< `Pod/ml/train-0`; empty: none of the input
  std::string field{};   ///< as in api/locate.h; empty: the object as a whole
  std::string before{};
  std::string after{};
  Source source{};     ///< of the object
  std::string note{};  ///< what else is to be known of it
};

/// Something that can be turned by degrees, from 0 (as it is) to `most`. What a degree lets in, every higher one does.
/// Several are turned in the reverse of the order in which they are listed, so that indices into lists hold.
struct Remedy {
  Kind kind = Kind::request;
  std::int64_t most = 1;
  std::function<void(ChangedCluster&, std::int64_t degree)> turn;
  std::function<Step(std::int64_t degree)> step;
};

/// Kubernetes sets taints with such keys itself, for what is wrong with a node.
inline constexpr std::string_view kConditionTaints = "node.kubernetes.io/";

/// Made for the very node it runs on, by a DaemonSet or a kubelet: elsewhere there is no place for it.
[[nodiscard]] auto belongs_to_node(const Pod& pod, const Snapshot& cluster) -> bool;

/// Those of the pod itself: its requests, tolerations, selectors and affinity terms, gates, policy and class. Of the
/// rest it is said in `not_searched` why they are left out.
[[nodiscard]] auto knobs_of_pod(const Snapshot& cluster, PodId pod, std::vector<std::string>& not_searched)
    -> std::vector<Remedy>;

/// Those of a Workload of Kueue: its count and priority; of its ClusterQueue the preemption policies, borrowing limits
/// and nominal quotas; and each workload of its ClusterQueue's tree that could finish.
[[nodiscard]] auto knobs_of_workload(const Snapshot& cluster, std::string_view ns, std::string_view name,
                                     std::vector<std::string>& not_searched) -> std::vector<Remedy>;

/// One more node, once for every shape of nodes that there is: smallest first. With the pods that daemons would run on
/// it.
[[nodiscard]] auto knobs_of_nodes(const Snapshot& cluster, PodId pod, std::vector<std::string>& not_searched)
    -> std::vector<Remedy>;

/// Nodes that are cordoned.
[[nodiscard]] auto knobs_of_cordons(const Snapshot& cluster, PodId pod, std::vector<std::string>& not_searched)
    -> std::vector<Remedy>;

/// One of cpu and memory of a running pod, made smaller where it runs: nobody has to go. Of its largest container. None
/// where that cannot be: there is nothing to take, or its kubelet is older than 1.33.
[[nodiscard]] auto remedy_of_resize(const Snapshot& cluster, PodId pod, Symbol resource) -> std::optional<Remedy>;

/// Budgets that could allow more.
[[nodiscard]] auto knobs_of_budgets(const Snapshot& cluster) -> std::vector<Remedy>;

}  // namespace previct::fit
