#include "engine/kube/scored_request.h"

#include <algorithm>

namespace previct::kube {
namespace {

constexpr Quantity kMissingCpu = Quantity::of_nanos(100'000'000);
constexpr Quantity kMissingMemory = Quantity::of(200 * 1024 * 1024);

auto rule_of_resizes(const Release& release) -> ResizeRule {
  if (!release.has(Change::resize_counts)) return ResizeRule::wanted;
  if (release.has(Change::resize_by_admission)) return ResizeRule::admitted;
  if (release.has(Change::resize_by_use)) return ResizeRule::in_use;
  return release.has(Change::resize_of_whole_pods) ? ResizeRule::whole_pod : ResizeRule::largest;
}

// Up to 1.31, sidecars count only in the peaks of the init containers, and only with their requests.
auto without_sidecars(const Snapshot& cluster, const Pod& pod) -> ResourceList {
  const ResourceList amounts = amounts_by_default(cluster);
  ResourceList sum;
  ResourceList peaks;
  ResourceList sidecars;
  for (const auto& [name, amount] : amounts) {
    for (const Container& c : pod.spec.containers) sum.add(name, c.resources.requests.get(name).value_or(amount));
  }
  for (const Container& c : pod.spec.init_containers) {
    ResourceList peak = sidecars;
    for (const auto& [name, quantity] : c.resources.requests) peak.add(name, quantity);
    if (c.restart_policy == cluster.known().always) sidecars = peak;
    for (const auto& [name, amount] : amounts) {
      const Quantity here = peak.get(name).value_or(amount);
      if (peaks.get(name).value_or(Quantity()) < here) peaks.set(name, here);
    }
  }
  ResourceList total;
  for (const auto& [name, amount] : amounts) {
    const Quantity peak = peaks.get(name).value_or(Quantity());
    total.set(name, std::max(sum.get(name).value_or(Quantity()), peak));
    if (const auto overhead = pod.spec.overhead.get(name)) total.add(name, *overhead);
  }
  return total;
}

// Fast path, since this runs for all pods of a cluster: most of them need no resource lists.
auto is_plain(const Pod& pod) -> bool {
  return pod.spec.init_containers.empty() && !pod.spec.resources && pod.status.container_statuses.empty() &&
         !pod.status.resources;
}

auto of_plain(const Snapshot& cluster, const Pod& pod) -> ScoredRequest {
  const WellKnown& known = cluster.known();
  Quantity cpu = pod.spec.overhead.get(known.cpu).value_or(Quantity());
  Quantity memory = pod.spec.overhead.get(known.memory).value_or(Quantity());
  for (const Container& c : pod.spec.containers) {
    cpu += c.resources.requests.get(known.cpu).value_or(kMissingCpu);
    memory += c.resources.requests.get(known.memory).value_or(kMissingMemory);
  }
  return {cpu.milli(), memory.value()};
}

}  // namespace

auto rules_of_requests(const Release& release) -> RequestRules {
  return {.pod_level = release.has(Change::pod_level_requests),
          .pod_level_hugepages = release.has(Change::pod_level_hugepages),
          .resize = rule_of_resizes(release),
          .pod_level_resize = release.has(Change::pod_level_resize_counts)};
}

auto amounts_by_default(const Snapshot& cluster) -> ResourceList {
  ResourceList amounts;
  amounts.set(cluster.known().cpu, kMissingCpu);
  amounts.set(cluster.known().memory, kMissingMemory);
  return amounts;
}

auto scored_request(const Snapshot& cluster, const Pod& pod, const Release& release) -> ScoredRequest {
  if (is_plain(pod)) return of_plain(cluster, pod);
  const WellKnown& known = cluster.known();
  const auto in_units = [&](const ResourceList& request) {
    return ScoredRequest{request.get(known.cpu).value_or(Quantity()).milli(),
                         request.get(known.memory).value_or(Quantity()).value()};
  };
  if (!release.has(Change::sidecars_count_in_scores)) return in_units(without_sidecars(cluster, pod));
  const RequestRules rules = rules_of_requests(release);
  ResourceList missing = amounts_by_default(cluster);
  if (requests_as_pod(cluster, pod, rules)) {
    const ResourceList whole = pod_request(cluster, pod, RequestOf::placed, rules);
    ResourceList lacking;
    for (const auto& [name, amount] : missing) {
      if (!whole.get(name)) lacking.set(name, amount);
    }
    missing = lacking;
  }
  return in_units(pod_request(cluster, pod, RequestOf::placed, rules, missing));
}

}  // namespace previct::kube
