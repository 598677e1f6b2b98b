#pragma once

#include "api/dynamic_resources.h"
#include "api/pod.h"
#include "base/id.h"
#include "engine/kube/release.h"

#include <cstdint>
#include <string_view>
#include <vector>

/// When kube-scheduler requeues a pod: the cluster events for which each plugin is registered, and the plugin's
/// queueing hint for an event. A pod that plugins have rejected waits for an event of one of them.
///
/// Source: kubernetes: pkg/scheduler/backend/queue/scheduling_queue.go isPodWorthRequeuing; EventsToRegister of each
/// plugin; staging/src/k8s.io/kube-scheduler/framework/types.go; v1.31 to v1.37.
namespace previct::kube {

class NodeInfoSnapshot;
struct FilterSettings;

/// The object of an event. Up to 1.36 plugins register for pods of all three kinds as `pod`, since 1.37 for each kind.
enum class Resource : std::uint8_t {
  pod,
  assigned_pod,
  unscheduled_pod,
  target_pod,  ///< the rejected pod itself
  node,
  persistent_volume,
  persistent_volume_claim,
  storage_class,
  csi_node,
  csi_driver,
  csi_storage_capacity,
  volume_attachment,
  resource_claim,
  resource_slice,
  device_class,
  workload,
  pod_group
};

/// What happened to the object, as a bit set: a plugin registers for several actions, an event is one action.
using Actions = std::uint32_t;
namespace action {
constexpr Actions kAdd = 1U << 0U;
constexpr Actions kDelete = 1U << 1U;
constexpr Actions kNodeAllocatable = 1U << 2U;
constexpr Actions kNodeLabel = 1U << 3U;
constexpr Actions kNodeTaint = 1U << 4U;
constexpr Actions kNodeDeclaredFeature = 1U << 5U;
constexpr Actions kPodLabel = 1U << 6U;
constexpr Actions kPodScaleDown = 1U << 7U;
constexpr Actions kPodToleration = 1U << 8U;
constexpr Actions kPodGatesEliminated = 1U << 9U;
constexpr Actions kPodGeneratedClaim = 1U << 10U;
constexpr Actions kUpdate = ~(kAdd | kDelete);  ///< any of the updates above, and all others
}  // namespace action

/// One event: an object before and after it. Null: the object was created, or deleted.
struct ClusterEvent {
  Resource resource = Resource::pod;
  Actions action = 0;
  const Pod* old_pod = nullptr;
  const Pod* new_pod = nullptr;
  const ResourceClaim* old_claim = nullptr;
  const ResourceClaim* new_claim = nullptr;
};

/// A rejected pod with what its plugins know.
struct RejectedPod {
  const NodeInfoSnapshot& node_infos;
  const FilterSettings& settings;
  PodId pod;

  [[nodiscard]] auto object() const -> const Pod&;
  /// Returns true if `other` is the rejected pod.
  [[nodiscard]] auto is(const Pod& other) const -> bool;
};

/// Returns true if this event may make the pod schedulable.
using QueueingHint = bool (*)(const RejectedPod& rejected, const ClusterEvent& event);

/// Events for which a plugin is registered. Without a hint, each event requeues the pod. Events of nodes
/// and volumes are listed without their upstream hint.
struct RegisteredEvents {
  Resource resource = Resource::pod;
  Actions actions = 0;
  QueueingHint hint = nullptr;
};
using EventTable = std::vector<RegisteredEvents>;

/// Returns true if the registration includes the event.
[[nodiscard]] auto matches(const RegisteredEvents& registered, const ClusterEvent& event) -> bool;

/// Returns the resource for which plugins of this release register to get events of pods on nodes.
[[nodiscard]] auto assigned_pods(const Release& release) -> Resource;
/// Returns the resource for which plugins of this release register to get events of the rejected pod itself.
[[nodiscard]] auto target_pod(const Release& release) -> Resource;
/// Returns the actions for a plugin that waits for new nodes and these updates. Without queueing hints, the queue
/// ignores a new node that is not ready for a pod, and plugins register for the updates that make it ready instead.
[[nodiscard]] auto new_nodes(const Release& release, Actions updates = 0) -> Actions;
/// Returns the actions for a plugin that checks node labels: label updates matter in every release, taint updates only
/// without queueing hints.
[[nodiscard]] auto new_nodes_and_labels(const Release& release) -> Actions;

/// Returns true if the pod of an event is on a node or, with `or_nomination`, nominated to one.
[[nodiscard]] auto has_node(const Pod& pod, bool or_nomination) -> bool;

/// Returns the events for which a plugin is registered in this release. Empty: none, or the plugin is unknown.
[[nodiscard]] auto events_of(std::string_view plugin, const Release& release) -> EventTable;

}  // namespace previct::kube
