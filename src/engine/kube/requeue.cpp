#include "engine/kube/requeue.h"

#include "engine/kube/filter.h"
#include "engine/kube/plugins.h"

namespace previct::kube {

auto RejectedPod::object() const -> const Pod& {
  return node_infos.cluster().pod(pod);
}

auto RejectedPod::is(const Pod& other) const -> bool {
  return other.meta.ns == object().meta.ns && other.meta.name == object().meta.name;
}

auto matches(const RegisteredEvents& registered, const ClusterEvent& event) -> bool {
  const bool of_pods = event.resource == Resource::assigned_pod || event.resource == Resource::unscheduled_pod ||
                       event.resource == Resource::target_pod;
  const bool same = registered.resource == event.resource || (registered.resource == Resource::pod && of_pods);
  return same && (registered.actions & event.action) != 0;
}

auto assigned_pods(const Release& release) -> Resource {
  return release.has(Change::pods_told_apart) ? Resource::assigned_pod : Resource::pod;
}

auto target_pod(const Release& release) -> Resource {
  return release.has(Change::pods_told_apart) ? Resource::target_pod : Resource::pod;
}

auto new_nodes(const Release& release, Actions updates) -> Actions {
  if (!release.has(Change::node_updates_told_apart)) return action::kAdd | action::kUpdate;
  const Actions missed = release.has(Change::queueing_hints) ? 0 : action::kNodeTaint | action::kNodeLabel;
  return action::kAdd | updates | missed;
}

auto new_nodes_and_labels(const Release& release) -> Actions {
  return action::kAdd | action::kNodeLabel | (release.has(Change::queueing_hints) ? 0 : action::kNodeTaint);
}

auto has_node(const Pod& pod, bool or_nomination) -> bool {
  return pod.spec.node_name || (or_nomination && pod.status.nominated_node_name);
}

auto events_of(std::string_view plugin, const Release& release) -> EventTable {
  if (const FilterInfo* filter = find_filter(plugin)) return filter->events(release);
  const PluginInfo* info = find_plugin(plugin);
  return info == nullptr || info->events == nullptr ? EventTable() : info->events(release);
}

}  // namespace previct::kube
