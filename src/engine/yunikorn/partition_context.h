#pragma once

#include "cluster/snapshot.h"
#include "engine/verdict.h"
#include "engine/yunikorn/assumptions.h"
#include "engine/yunikorn/config.h"
#include "engine/yunikorn/limits.h"
#include "engine/yunikorn/pod_facts.h"
#include "engine/yunikorn/queues.h"

#include <string>
#include <unordered_map>
#include <vector>

namespace previct::yunikorn {

/// Pods that YuniKorn schedules together, under one queue.
struct Application {
  std::string id;
  PodId first;                ///< the oldest pod that exists for the shim: it makes the application
  PodId originator;           ///< that pod, or the one that it holds a place for; none if that is not there
  QueueId queue;              ///< none: rejected, and the core knows none of its pods
  std::string refusal;        ///< why it was rejected
  std::vector<PodId> as_old;  ///< others as old as the first: which one made the application is open
  User user;
  std::string group;     ///< the one whose limits count; empty if none
  Resources gang;        ///< what the places of its gang take; empty if it is none
  bool placed = false;   ///< all places of its gang are bound
  bool regular = false;  ///< a pod of it runs that holds no place for another
  bool running = false;  ///< it counts as running where applications are counted
};

/// A pod as the core sees it, waiting ("ask") or running.
struct Allocation {
  PodId pod;
  AppId app;
  QueueId queue;
  NodeId node;           ///< none: not placed yet
  Symbol required_node;  ///< none: any node will do
  Resources size;
  std::int32_t priority = 0;
  Instant created;
  bool originator = false;
  bool opted_out = false;  ///< asks not to be preempted
  bool may_preempt = true;
  bool preempted = false;  ///< assumed: marked by an earlier preemption
  bool released = false;   ///< assumed: a placeholder on its way out
};

/// What is on a node: `available` may be negative.
struct NodeRoom {
  Resources total;      ///< allocatable, without types of 0
  Resources allocated;  ///< YuniKorn's pods
  Resources occupied;   ///< foreign pods
  [[nodiscard]] auto available() const -> Resources { return without_zeros(total - allocated - occupied); }
};

struct PartitionSettings {
  Release release{};
  bool unique_app_ids = false;  ///< admissionController.filtering.generateUniqueAppId
  bool gangs_off = false;       ///< service.disableGangScheduling
  bool restarted = false;       ///< since places were taken (see PartitionContext::forgets)
  std::vector<Reservation> reservations{};
  PodId eldest{};  ///< of pods that are equally old, this one makes its application; none: the first in the input does
};

/// The dump as YuniKorn's shim and core would build it up after a restart: applications placed in queues,
/// pods added up. Only the dump counts: what the scheduler remembers beyond it comes from the assumptions.
/// Source: apache/yunikorn-k8shim 1.9 pkg/cache/context.go, apache/yunikorn-core 1.9
/// pkg/scheduler/partition.go.
class PartitionContext {
 public:
  /// `config` must have passed `check` and outlive this object, as must `cluster`.
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

  /// The application of a pod; none for foreign and finished ones, for those with scheduling gates, and for those bound
  /// to a node that is not there.
  [[nodiscard]] auto app_of(PodId pod) const -> AppId { return app_of_[pod]; }
  /// Does the core know the pod (it has an application that is not rejected, and is sound)?
  [[nodiscard]] auto known(PodId pod) const -> bool {
    return app_of_[pod] && apps_[app_of_[pod]].queue && !lacks_group(pod) && !(settings_.restarted && forgets(pod));
  }
  /// Would a scheduler that starts now leave it out? It tells the core of places only while it reserves them, and of
  /// other pods only afterwards. An application whose pods declare task groups reserves first, and anew if places have
  /// been taken; any other runs at once.
  /// Source: apache/yunikorn-k8shim 1.9 pkg/cache/application.go Schedule, skipReservationStage (all tasks are New
  /// then), onReservationStateChange; pkg/cache/placeholder_manager.go createAppPlaceholders.
  [[nodiscard]] auto forgets(PodId pod) const -> bool;
  /// Does it hold a place, but in no group? The core takes no such pod.
  [[nodiscard]] auto lacks_group(PodId pod) const -> bool;
  /// The group of its gang, whether or not gangs are switched off; empty if none.
  [[nodiscard]] auto group_of(PodId pod) const -> std::string_view;
  [[nodiscard]] auto holds_place(PodId pod) const -> bool { return is_placeholder(cluster_, keys_, cluster_.pod(pod)); }

  /// A pod that is known, with all that decides about it.
  [[nodiscard]] auto allocation(PodId pod) const -> Allocation;
  [[nodiscard]] auto size_of(PodId pod) const -> Resources;

  /// Cost: the pods of the node.
  [[nodiscard]] auto room(NodeId node) const -> NodeRoom;
  [[nodiscard]] auto total(NodeId node) const -> const Resources& { return totals_[node]; }

  /// Is a node kept for another pod? Those that run on no other node do not mind.
  /// Source: apache/yunikorn-core 1.9 pkg/scheduler/objects/node.go preAllocateCheck, Reserve, preemption.go
  /// initWorkingState, pkg/scheduler/objects/node_collection.go.
  [[nodiscard]] auto kept_from(NodeId node, PodId ask) const -> bool;
  [[nodiscard]] auto kept_for(NodeId node, PodId ask) const -> bool;

  /// YuniKorn's own pods on a node, in the order of the dump.
  [[nodiscard]] auto allocations_on(NodeId node) const -> std::vector<PodId>;

  /// As Placement has them.
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
