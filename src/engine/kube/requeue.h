#pragma once

#include "api/dynamic_resources.h"
#include "api/pod.h"
#include "base/id.h"
#include "engine/kube/release.h"

#include <cstdint>
#include <string_view>
#include <vector>

/// When kube-scheduler tries a pod again: the cluster events for which each plugin is registered, and what it says of
/// one that happens (its queueing hint). A pod that plugins have rejected waits for an event of one of them.
///
/// Source: kubernetes: pkg/scheduler/backend/queue/scheduling_queue.go isPodWorthRequeuing; EventsToRegister of each
/// plugin; staging/src/k8s.io/kube-scheduler/framework/types.go; v1.31 to v1.37.
namespace previct::kube {

class NodeInfoSnapshot;
struct FilterSettings;

/// What an event is about. Up to 1.36 plugins register for pods of all three kinds as `pod`, from 1.37 on for each.
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

/// What happened to it, as a bit set: a plugin registers for several actions, an event is one.
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
constexpr Actions kUpdate = ~(kAdd | kDelete);  ///< any of the updates, and all others
}  // namespace action

/// One event: an object before and after it. Null: it was created, or is gone.
struct ClusterEvent {
  Resource resource = Resource::pod;
  Actions action = 0;
  const Pod* old_pod = nullptr;
  const Pod* new_pod = nullptr;
  const ResourceClaim* old_claim = nullptr;
  const ResourceClaim* new_claim = nullptr;
};

/// A rejected pod, and what its plugins know beside it.
struct RejectedPod {
  const NodeInfoSnapshot& node_infos;
  const FilterSettings& settings;
  PodId pod;

  [[nodiscard]] auto object() const -> const Pod&;
  /// Is it the pod of an event?
  [[nodiscard]] auto is(const Pod& other) const -> bool;
};

/// May this event make the pod schedulable?
using QueueingHint = bool (*)(const RejectedPod& rejected, const ClusterEvent& event);

/// Events for which a plugin is registered. Without a hint, each is worth an attempt; so it reads for events of which
/// no simulation has any (nodes, volumes), whatever their hint is upstream.
struct RegisteredEvents {
  Resource resource = Resource::pod;
  Actions actions = 0;
  QueueingHint hint = nullptr;
};
using EventTable = std::vector<RegisteredEvents>;

/// Does a plugin that is registered so hear of the event?
[[nodiscard]] auto matches(const RegisteredEvents& registered, const ClusterEvent& event) -> bool;

/// All pods, as a release's plugins register for them: those on nodes, where it tells them apart.
[[nodiscard]] auto assigned_pods(const Release& release) -> Resource;
/// The rejected pod itself, likewise.
[[nodiscard]] auto target_pod(const Release& release) -> Resource;
/// What a plugin registers for that waits for new nodes and these updates. Without queueing hints the queue does not
/// hear of a node that is not ready for a pod when it comes, and plugins hear of the updates that make it so instead.
[[nodiscard]] auto new_nodes(const Release& release, Actions updates = 0) -> Actions;
/// The same for a plugin that looks at labels of nodes, of which no release hears in full.
[[nodiscard]] auto new_nodes_and_labels(const Release& release) -> Actions;

/// Does the pod of an event count: is it on a node, or nominated to one where the release looks at that, too?
[[nodiscard]] auto has_node(const Pod& pod, bool or_nomination) -> bool;

/// The events for which a plugin is registered in this release. Empty: none, or nothing is known of the plugin.
[[nodiscard]] auto events_of(std::string_view plugin, const Release& release) -> EventTable;

}  // namespace previct::kube
