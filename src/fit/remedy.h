#pragma once

#include "cluster/changed_cluster.h"
#include "cluster/controlled_pods.h"
#include "cluster/snapshot.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace previct::fit {

/// Possible changes, smallest impact first: waiting, the pod itself, changes without effect on running pods (one more
/// node), then changes to objects of other owners.
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
  active,
  preemption_policy,
  priority,
  label,
  count,
  preemption,
  borrowing_limit,
  quota,
  node,
  uncordon,
  stop_policy,
  budget,
  resize,
  move,
  scale,
  finish,
  remove
};
/// The name in JSON: `request`, `node-selector`.
[[nodiscard]] auto kind_name(Kind kind) -> std::string_view;

/// One change of one object, in words and with its field.
struct Step {
  Kind kind = Kind::wait;
  std::string what;      ///< `nvidia.com/gpu 4 -> 2`
  std::string object{};  ///< `Pod/ml/train-0`; empty: no object of the input
  std::string field{};   ///< as in api/locate.h; empty: the whole object
  std::string before{};
  std::string after{};
  Source source{};     ///< source of the object
  std::string note{};  ///< additional information about the change
};

/// A change with degrees, from 0 (none) to `most`. If the pod is schedulable at one degree, it is at every higher one.
/// Several remedies are applied in the reverse of their listed order, so that indices into lists stay valid.
struct Remedy {
  Kind kind = Kind::request;
  std::int64_t most = 1;
  std::function<void(ChangedCluster&, std::int64_t degree)> turn;
  std::function<Step(std::int64_t degree)> step;
};

/// Returns the largest degree up to `most` at which LimitRanges and ResourceQuotas of the input accept the changed pod,
/// which is smaller at a higher degree.
[[nodiscard]] auto most_admitted(const Pod& pod, std::int64_t most, const Snapshot& cluster,
                                 const std::function<void(Pod&, std::int64_t degree)>& change) -> std::int64_t;

/// Remedies that change the pod: its requests, tolerations, selectors and affinity terms, gates, policy and class. Adds
/// the reasons for changes that are not searched to `not_searched`.
[[nodiscard]] auto remedies_of_pod(const Snapshot& cluster, PodId pod, std::vector<std::string>& not_searched)
    -> std::vector<Remedy>;

/// Remedies for a Workload of Kueue: spec.active, its count and priority; the stop policies of its queues; the
/// preemption policies, borrowing limits and nominal quotas of its ClusterQueue; and each workload of the
/// ClusterQueue's tree that could finish.
[[nodiscard]] auto remedies_of_workload(const Snapshot& cluster, std::string_view ns, std::string_view name,
                                        std::vector<std::string>& not_searched) -> std::vector<Remedy>;

/// One more node of each existing shape, smallest first, with the pods that DaemonSets would run on it.
[[nodiscard]] auto remedies_of_nodes(const Snapshot& cluster, PodId pod, std::vector<std::string>& not_searched)
    -> std::vector<Remedy>;

/// Uncordons nodes.
[[nodiscard]] auto remedies_of_cordons(const Snapshot& cluster, PodId pod, std::vector<std::string>& not_searched)
    -> std::vector<Remedy>;

/// Shrinks cpu or memory of a running pod in place, so that no pod has to be evicted; changes its largest container.
/// Nullopt if that is impossible: nothing can be reduced, or its kubelet is older than 1.33.
[[nodiscard]] auto remedy_of_resize(const Snapshot& cluster, PodId pod, Symbol resource) -> std::optional<Remedy>;

/// Fewer replicas of the Deployments, ReplicaSets, ReplicationControllers and StatefulSets to which `pods` belong, in
/// the order of `pods`; not of the workload of `subject`. If others control them, the topmost one is scaled; if that is
/// of another kind, `not_searched` names it. `now`: when they are scaled.
[[nodiscard]] auto remedies_of_scale(const Snapshot& cluster, PodId subject, const std::vector<PodId>& pods,
                                     Instant now, std::vector<std::string>& not_searched) -> std::vector<Remedy>;

/// Budgets that could allow more disruptions.
[[nodiscard]] auto remedies_of_budgets(const Snapshot& cluster) -> std::vector<Remedy>;

}  // namespace previct::fit
