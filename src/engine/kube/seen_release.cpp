#include "engine/kube/seen_release.h"

#include "api/upstream.h"
#include "engine/kube/release.h"
#include "engine/kube/seen_words.h"
#include "engine/own_flags.h"
#include "engine/versions.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace previct::kube {
namespace {

auto is_resized(const Pod& pod) -> bool {
  const auto& statuses = pod.status.container_statuses;
  return std::any_of(statuses.begin(), statuses.end(),
                     [](const ContainerStatus& s) { return s.resources && !s.resources->requests.empty(); });
}

/// Returns the fields of the input that only some releases keep by default. Source of the groups: kubernetes/kubernetes
/// pkg/api/pod/util.go dropDisabledWorkloadRef (v1.35.4), dropDisabledSchedulingGroup (v1.36.5).
auto gated_fields_of(const Snapshot& cluster) -> std::vector<ObservedRelease::Gated> {
  const Symbol greater = cluster.symbol("Gt");
  const Symbol less = cluster.symbol("Lt");
  const auto compares = [&](const TaintToleration& t) { return t.op && (t.op == greater || t.op == less); };
  bool pod_level = false;
  bool resized = false;
  bool claims = false;
  bool workload_ref = false;
  bool scheduling_group = false;
  bool comparing = false;
  for (const Pod& pod : cluster.pods()) {
    const PodSpec& spec = pod.spec;
    pod_level = pod_level || (spec.resources && !spec.resources->requests.empty());
    resized = resized || is_resized(pod);
    claims = claims || !spec.resource_claims.empty();
    workload_ref = workload_ref || spec.workload_ref.workload;
    scheduling_group = scheduling_group || spec.scheduling_group.pod_group;
    comparing =
        comparing || (!spec.node_name && std::any_of(spec.tolerations.begin(), spec.tolerations.end(), compares));
  }
  std::vector<ObservedRelease::Gated> seen;
  if (pod_level) seen.push_back({Change::pod_level_requests, "PodLevelResources", "spec.resources of pods"});
  if (resized)
    seen.push_back(
        {Change::resize_counts, "InPlacePodVerticalScaling", "status.containerStatuses[].resources of pods"});
  if (claims) seen.push_back({Change::dynamic_resources, "DynamicResourceAllocation", "spec.resourceClaims of pods"});
  if (workload_ref) seen.push_back({Change::pod_groups, "GenericWorkload", "spec.workloadRef of pods"});
  if (scheduling_group) seen.push_back({Change::pod_groups, "GenericWorkload", "spec.schedulingGroup of pods", 36});
  if (comparing)
    seen.push_back({Change::tolerations_compare, "TaintTolerationComparisonOperators",
                    "tolerations with the operators Gt and Lt"});
  const auto& of_volumes = cluster.objects().persistent_volume_claims;
  if (std::any_of(of_volumes.begin(), of_volumes.end(),
                  [](const auto& c) { return bool(c.spec.volume_attributes_class_name); }))
    seen.push_back({Change::attributes_classes, "VolumeAttributesClass", "volumeAttributesClassName of claims"});
  return seen;
}

/// Collects each kind of evidence.
class Witnesses {
 public:
  explicit Witnesses(const Snapshot& cluster) : cluster_(cluster) {
    const Symbol system = cluster.symbol("kube-system");
    for (const PodId id : cluster.pods().ids()) {
      const Pod& pod = cluster.pod(id);
      if (system && pod.meta.ns == system && !cluster.finished(id)) hear_component(pod);
    }
    for (const Node& node : cluster.nodes()) hear_kubelet(node);
    for (const Node& node : cluster.objects().overlaid.removed_nodes) hear_kubelet(node);
  }

  Versions schedulers{1};
  Versions api_servers{1};
  Versions proxies{1};
  Versions kubelets{1};
  Versions bundled{1};  ///< control-plane nodes on which kubelet and scheduler have the same release
  std::string gates;
  std::string emulated;
  bool configured = false;
  OwnFlags flags;

 private:
  void hear_kubelet(const Node& node) {
    const std::string_view version = cluster_.text(node.status.info.kubelet_version);
    kubelets.see(version);
    const Symbol control_plane = cluster_.symbol("node-role.kubernetes.io/control-plane");
    const bool one_binary =
        version.find("+k3s") != std::string_view::npos || version.find("+rke2") != std::string_view::npos;
    if (one_binary && control_plane && node.meta.labels.has(control_plane)) bundled.see(version);
  }

  void hear_component(const Pod& pod) {
    const Symbol component = cluster_.symbol("component");
    const std::string_view label = component ? cluster_.text(pod.meta.labels.get(component)) : std::string_view();
    for (const Container& container : pod.spec.containers) {
      const std::string_view image = component_of_image(cluster_.text(container.image));
      const std::size_t colon = image.find(':');
      const std::string_view name = image.substr(0, colon);
      if (name.empty() || (label != name && cluster_.text(container.name) != name)) continue;
      const std::string_view tag = colon == std::string_view::npos ? std::string_view() : image.substr(colon + 1);
      if (name == "kube-apiserver") api_servers.see(tag);
      if (name == "kube-proxy") proxies.see(tag);
      if (name != "kube-scheduler") continue;
      schedulers.see(tag);
      flags = own_flags(container, cluster_.symbols());
      if (!flags.gates.empty()) gates = flags.gates;
      if (!flags.emulated.empty()) emulated = flags.emulated;
      configured = configured || flags.configured;
    }
  }

  const Snapshot& cluster_;
};

}  // namespace

ObservedRelease::ObservedRelease(const Snapshot& cluster) {
  gated_fields = gated_fields_of(cluster);
  const Witnesses seen(cluster);
  const auto in_doubt = [&](GapRule rule, const Versions& versions) {
    doubt = Gap{rule, {versions.text()}};
    oldest = versions.oldest();
    newest = versions.newest();
  };
  gates = seen.gates;
  scheduler = !seen.schedulers.empty();
  configured = seen.configured;
  flags = seen.flags;
  if (!seen.schedulers.empty()) {
    minor = seen.schedulers.newest();
    patch = seen.schedulers.patch();
    known_by = fmt::format("its pod runs {}", seen.schedulers.text());
    if (seen.schedulers.differ()) in_doubt(GapRule::schedulers_differ, seen.schedulers);
    if (const auto as = minor_of(seen.emulated); as && *as != *minor) {
      known_by += fmt::format(" with --emulated-version={}", seen.emulated);
      minor = as;
      patch.reset();
    }
    return;
  }
  if (!seen.api_servers.empty()) {
    minor = seen.api_servers.newest();
    patch = seen.api_servers.patch();
    known_by = fmt::format("the API server runs {}", seen.api_servers.text());
    if (seen.api_servers.differ()) in_doubt(GapRule::api_servers_differ, seen.api_servers);
    return;
  }
  if (!seen.bundled.empty()) {
    minor = seen.bundled.newest();
    patch = seen.bundled.patch();
    known_by = fmt::format("control-plane nodes run {}", seen.bundled.text());
    return;
  }
  // Use only the messages of kube-scheduler itself; other schedulers may write anything.
  const MessageEvidence::Of& words = cluster.derived<MessageEvidence>().of(upstream::kDefaultScheduler);
  const bool worded = words.last == 0 || words.first <= words.last;  // otherwise some were written before an upgrade
  const int first = worded ? words.first : 0;
  const int last = worded && words.last != 0 ? words.last : std::numeric_limits<int>::max();
  if (!seen.kubelets.empty()) {
    const int of_nodes = std::max(seen.kubelets.newest(), seen.proxies.empty() ? 0 : seen.proxies.newest());
    minor = std::clamp(of_nodes, first, last);
    if (*minor == seen.kubelets.newest()) patch = seen.kubelets.patch();
    by_nodes = true;
    oldest_kubelet = seen.kubelets.oldest();
    newest_kubelet = seen.kubelets.newest();
    known_by = fmt::format("nodes run {}", seen.kubelets.text());
    if (*minor != of_nodes) known_by += ", but its messages on pods come from another release";
    return;
  }
  if (last != std::numeric_limits<int>::max()) {
    minor = last;
    known_by = "by its messages on pods";
  } else if (first > assumed_minor()) {
    minor = first;
    known_by = "by its messages on pods";
  }
}

}  // namespace previct::kube
