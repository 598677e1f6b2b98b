// In-place resize. Source: KEP-1287; kubernetes: pkg/apis/core/validation/validation.go ValidatePodResize, v1.35: cpu
// and memory of containers may change, the QoS class may not; static pods and Windows pods cannot be resized. Before
// v1.34, memory limits may only be lowered if the resizePolicy is RestartContainer.
#include "api/amount_text.h"
#include "api/units.h"
#include "fit/remedy.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>

namespace previct::fit {
namespace {

constexpr int kFirstMinor = 33;    // the first minor release whose kubelets resize pods by default
constexpr int kLowersLimits = 34;  // the first whose API server lowers memory limits without a restart
constexpr std::int64_t kMebibyte = 1 << 20;

// Parses `v1.33.4-gke.1043000`; an unknown kubelet is assumed to be new enough.
auto minor_of(const Node& node, const Snapshot& cluster) -> int {
  const std::string_view version = cluster.text(node.status.info.kubelet_version);
  const std::size_t dot = version.find('.');
  if (dot == std::string_view::npos) return INT32_MAX;
  int minor = 0;
  std::from_chars(version.data() + dot + 1, version.data() + version.size(), minor);
  return minor;
}

/// The index of the container with the largest request for a resource.
auto largest(const Pod& pod, Symbol resource) -> std::size_t {
  const auto amount = [&](const Container& c) { return c.resources.requests.get(resource).value_or(Quantity()); };
  const auto& containers = pod.spec.containers;
  const auto found = std::max_element(containers.begin(), containers.end(),
                                      [&](const Container& a, const Container& b) { return amount(a) < amount(b); });
  return static_cast<std::size_t>(found - containers.begin());
}

auto is_for_windows(const Pod& pod, const Node& node, const Snapshot& cluster) -> bool {
  const Symbol key = cluster.symbol("kubernetes.io/os");
  return key && (cluster.text(node.meta.labels.get(key)) == "windows" ||
                 cluster.text(pod.spec.node_selector.get(key)) == "windows");
}

auto lowers_limit(const Container& container, Symbol resource) -> bool {
  const std::optional<Quantity> limit = container.resources.limits.get(resource);
  return limit && *limit == container.resources.requests.get(resource).value_or(Quantity());
}

// Simulates a completed resize: the status equals the spec. A limit that equals the request is reduced too, because the
// QoS class must not change.
void shrink(Pod& pod, std::size_t index, Symbol resource, Quantity rest) {
  Container& container = pod.spec.containers[index];
  const bool guaranteed = lowers_limit(container, resource);
  container.resources.requests.set(resource, rest);
  if (guaranteed) container.resources.limits.set(resource, rest);
  for (ContainerStatus& status : pod.status.container_statuses) {
    if (status.name != container.name) continue;
    if (status.resources) status.resources->requests.set(resource, rest);
    if (status.allocated_resources.get(resource)) status.allocated_resources.set(resource, rest);
  }
}

}  // namespace

auto remedy_of_resize(const Snapshot& cluster, PodId id, Symbol resource) -> std::optional<Remedy> {
  const Pod& pod = cluster.pod(id);
  const NodeId node = cluster.node_of(id);
  if (!node || pod.spec.resources || pod.spec.containers.empty() || is_for_windows(pod, cluster.node(node), cluster))
    return {};
  const int minor = minor_of(cluster.node(node), cluster);
  if (minor < kFirstMinor) return {};
  const std::string name(cluster.text(resource));
  const std::int64_t unit = name == "memory" ? kMebibyte : 1;
  const std::size_t index = largest(pod, resource);
  const Container& container = pod.spec.containers[index];
  const std::int64_t has = in_units(name, container.resources.requests.get(resource).value_or(Quantity()));
  // A container may allow it by its resizePolicy, which is not read.
  if (name == "memory" && minor < kLowersLimits && lowers_limit(container, resource)) return {};
  const std::int64_t most = most_admitted(pod, (has - 1) / unit, cluster, [&](Pod& made, std::int64_t degree) {
    shrink(made, index, resource, of_units(name, has - degree * unit));
  });  // a rest is kept, for the QoS class
  if (most <= 0) return {};
  const std::string key = cluster.key(id);
  Step base{.kind = Kind::resize,
            .what = {},
            .object = "Pod/" + key,
            .field = fmt::format("spec.containers[{}].resources.requests[\"{}\"]", index, name),
            .before = amount_text(name, has),
            .source = pod.meta.source,
            .note = fmt::format("may restart container {}", cluster.text(container.name))};
  return Remedy{.kind = Kind::resize,
                .most = most,
                .turn =
                    [id, index, resource, name, has, unit](ChangedCluster& changed, std::int64_t degree) {
                      shrink(changed.pod(id), index, resource, of_units(name, has - degree * unit));
                    },
                .step =
                    [base, key, name, has, unit](std::int64_t degree) {
                      Step made = base;
                      made.after = amount_text(name, has - degree * unit);
                      made.what = fmt::format("{}: {} {} -> {}", key, name, made.before, made.after);
                      return made;
                    }};
}

}  // namespace previct::fit
