#pragma once

#include "cluster/snapshot.h"
#include "engine/verdict.h"
#include "engine/yunikorn/assumptions.h"
#include "engine/yunikorn/config.h"
#include "engine/yunikorn/limits.h"
#include "engine/yunikorn/placement.h"
#include "engine/yunikorn/pod_facts.h"
#include "engine/yunikorn/queues.h"

#include <string>
#include <unordered_map>
#include <vector>

namespace previct::yunikorn {

/// Pods that YuniKorn schedules together, in one queue.
struct Application {
  std::string id;
  PodId first;  ///< oldest pod that the shim knows: it creates the application
  /// That pod, or the pod for which it is a placeholder; none if that pod does not exist.
  PodId originator;
  QueueId queue;                   ///< none: rejected, so the core knows none of its pods
  std::string refusal;             ///< why it was rejected
  std::vector<RuleFailed> failed;  ///< why no placement rule matched, if that is the reason
  std::vector<PodId> as_old;       ///< other pods of the same age, which may have created the application
  User user;
  std::string group;     ///< group whose limits apply; empty if none
  Resources gang;        ///< total of the placeholders of its gang; empty if it is no gang
  bool placed = false;   ///< all placeholders of its gang are bound
  bool regular = false;  ///< a pod of it runs that is not a placeholder
  bool running = false;  ///< counts as running where applications are counted
};

/// A pod as the core sees it, pending ("ask") or running.
struct Allocation {
  PodId pod;
  AppId app;
  QueueId queue;
  NodeId node;           ///< none: not placed yet
  Symbol required_node;  ///< none: may run on any node
  Resources size;
  std::int32_t priority = 0;
  Instant created;
  bool originator = false;
  bool opted_out = false;  ///< opts out of preemption
  bool may_preempt = true;
  bool preempted = false;  ///< assumed: marked by an earlier preemption
  bool released = false;   ///< assumed: a placeholder that is being terminated
};

/// The resources of a node: `available` may be negative.
struct NodeUsage {
  Resources total;      ///< allocatable, without types of 0
  Resources allocated;  ///< YuniKorn's pods
  Resources occupied;   ///< foreign pods
  [[nodiscard]] auto available() const -> Resources { return without_zeros(total - allocated - occupied); }
};

struct PartitionSettings {
  Release release{};
  bool unique_app_ids = false;  ///< admissionController.filtering.generateUniqueAppId
  bool gangs_off = false;       ///< service.disableGangScheduling
  bool restarted = false;       ///< since placeholders were replaced (see PartitionContext::forgets)
  std::vector<Reservation> reservations{};
  /// The pod that creates its application among pods of the same age; none: the first in the input does.
  PodId eldest{};
};

/// The dump as YuniKorn's shim and core would load it after a restart: applications placed in queues, pods summed. Only
/// the dump counts; further memory of the scheduler comes from the assumptions.
/// Source: apache/yunikorn-k8shim 1.9 pkg/cache/context.go, apache/yunikorn-core 1.9 pkg/scheduler/partition.go.
class PartitionContext {
 public:
  /// `config` must have passed `check`. It and `cluster` must outlive this object.
  PartitionContext(const Snapshot& cluster, const Config& config, const Assumptions& assumptions,
                   const PartitionSettings& settings);

  [[nodiscard]] auto cluster() const -> const Snapshot& { return cluster_; }
  [[nodiscard]] auto config() const -> const PartitionConfig& { return config_; }
  [[nodiscard]] auto keys() const -> const Keys& { return keys_; }
  [[nodiscard]] auto types() const -> const TypeNames& { return types_; }
  [[nodiscard]] auto queues() const -> const QueueTree& { return queues_; }
  [[nodiscard]] auto app(AppId id) const -> const Application& { return apps_[id]; }
  [[nodiscard]] auto apps() const -> const IdVector<AppId, Application>& { return apps_; }

  [[nodiscard]] auto limits() const -> const Limits& { return limits_; }

  /// Returns the application of a pod; none for foreign and finished pods, for those with scheduling gates, and for
  /// those bound to a node that does not exist.
  [[nodiscard]] auto app_of(PodId pod) const -> AppId { return app_of_[pod]; }
  /// Returns true if the core knows the pod: its application is not rejected, and the pod is valid.
  [[nodiscard]] auto known(PodId pod) const -> bool {
    return app_of_[pod] && apps_[app_of_[pod]].queue && !lacks_group(pod) &&
           !(settings_.restarted && is_lost_on_restart(pod));
  }
  /// Returns true if a scheduler that starts now would not recover the pod. The shim reports placeholders to the core
  /// only while it reserves them, and other pods only afterwards. An application whose pods declare task groups
  /// reserves first, and again if placeholders were replaced; any other application runs at once.
  /// Source: apache/yunikorn-k8shim 1.9 pkg/cache/application.go Schedule, skipReservationStage (all tasks are New
  /// then), onReservationStateChange; pkg/cache/placeholder_manager.go createAppPlaceholders.
  [[nodiscard]] auto is_lost_on_restart(PodId pod) const -> bool;
  /// Returns true for a placeholder without a task group, which the core does not accept.
  [[nodiscard]] auto lacks_group(PodId pod) const -> bool;
  /// Returns the task group of the pod, whether or not gang scheduling is disabled; empty if none.
  [[nodiscard]] auto group_of(PodId pod) const -> std::string_view;
  [[nodiscard]] auto holds_place(PodId pod) const -> bool { return is_placeholder(cluster_, keys_, cluster_.pod(pod)); }

  /// Returns the allocation of a known pod, with everything that decides about it.
  [[nodiscard]] auto allocation(PodId pod) const -> Allocation;
  [[nodiscard]] auto size_of(PodId pod) const -> Resources;

  /// Cost: the pods of the node.
  [[nodiscard]] auto room(NodeId node) const -> NodeUsage;
  [[nodiscard]] auto total(NodeId node) const -> const Resources& { return totals_[node]; }

  /// Returns true if the node is reserved for another pod. Pods that can run on no other node ignore reservations.
  /// Source: apache/yunikorn-core 1.9 pkg/scheduler/objects/node.go preAllocateCheck, Reserve, preemption.go
  /// initWorkingState, pkg/scheduler/objects/node_collection.go.
  [[nodiscard]] auto kept_from(NodeId node, PodId ask) const -> bool;
  [[nodiscard]] auto kept_for(NodeId node, PodId ask) const -> bool;

  /// Returns the queue that does not accept the pod, by the rules of the release.
  [[nodiscard]] auto over_max(const Allocation& ask) const -> OverMax { return over_max(queues_, ask); }
  /// The same in changed queues.
  [[nodiscard]] auto over_max(const QueueTree& queues, const Allocation& ask) const -> OverMax;

  /// Returns YuniKorn's own pods on a node, in the order of the dump.
  [[nodiscard]] auto allocations_on(NodeId node) const -> std::vector<PodId>;

  /// As in Placement.
  [[nodiscard]] auto unread_pattern() const -> const std::string& { return unread_pattern_; }
  [[nodiscard]] auto unread_tag() const -> const std::string& { return unread_tag_; }

 private:
  void find_applications();
  void find_originators();
  void place_applications();
  void find_placed();
  [[nodiscard]] auto gang_refused(const Application& app) const -> std::string;
  void add_up();
  void find_running();
  void note_assumptions(const Assumptions& assumptions);

  const Snapshot& cluster_;
  const PartitionConfig& config_;
  Keys keys_;
  mutable TypeNames types_;  // grows while sizes are read
  QueueTree queues_;
  Limits limits_;
  PartitionSettings settings_;
  IdVector<AppId, Application> apps_;
  IdVector<PodId, AppId> app_of_;
  IdVector<NodeId, Resources> totals_;
  std::vector<PodId> preempted_;
  std::vector<PodId> released_;
  std::string unread_pattern_;
  std::string unread_tag_;
};

}  // namespace previct::yunikorn
