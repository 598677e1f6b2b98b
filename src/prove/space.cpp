#include "prove/space.h"

#include "api/upstream.h"
#include "base/text.h"
#include "cluster/pod_request.h"
#include "engine/kube/tolerance.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace previct::prove {
namespace {

constexpr std::int64_t kHighestOfUsers = 1'000'000'000;

// The lowest priorities with another result of some comparison.
class Thresholds {
 public:
  explicit Thresholds(const Snapshot& cluster) : cluster_(cluster) {}

  void add(const Pod& pod) {
    lowest_.insert(std::int64_t{pod.spec.priority} + 1);
    const PriorityClass* known = cluster_.priority_class(pod.spec.priority_class_name);
    if (known == nullptr) return;
    lowest_.insert(kube::toleration_policy(*known, cluster_.symbols()).minimum_preemptable_priority);
  }

  [[nodiscard]] auto intervals(const Priorities& all) const -> std::vector<Priorities> {
    std::vector<Priorities> parts = {all};
    for (auto at = lowest_.upper_bound(all.least); at != lowest_.end() && *at <= all.most; ++at) {
      parts.back().most = *at - 1;
      parts.push_back({*at, all.most});
    }
    return parts;
  }

 private:
  const Snapshot& cluster_;
  std::set<std::int64_t> lowest_;
};

}  // namespace

auto possible(const Priorities& all) -> std::vector<Priorities> {
  std::vector<Priorities> parts = {{INT32_MIN, kHighestOfUsers}};
  for (const upstream::SystemClass& each : upstream::kSystemClasses) parts.push_back({each.value, each.value});
  for (Priorities& part : parts) part = {std::max(part.least, all.least), std::min(part.most, all.most)};
  std::erase_if(parts, [](const Priorities& part) { return part.least > part.most; });
  std::sort(parts.begin(), parts.end(), [](const auto& a, const auto& b) { return a.least < b.least; });
  return parts;
}

auto next_possible(std::int64_t priority) -> std::int64_t {
  const std::vector<Priorities> parts = possible({priority + 1, INT32_MAX});
  return parts.empty() ? 0 : parts.front().least;
}

auto intervals_on(const Snapshot& cluster, NodeId node, std::span<const PodId> nominees, const Priorities& all)
    -> std::vector<Priorities> {
  Thresholds thresholds(cluster);
  for (const PodId pod : cluster.pods_on(node)) thresholds.add(cluster.pod(pod));
  for (const PodId pod : nominees) {
    if (cluster.pod(pod).status.nominated_node_name == cluster.node(node).meta.name) thresholds.add(cluster.pod(pod));
  }
  std::vector<Priorities> intervals;
  for (const Priorities& part : possible(all)) {
    for (const Priorities& each : thresholds.intervals(part)) intervals.push_back(each);
  }
  return intervals;
}

auto other_resources(const Snapshot& cluster, std::span<const PodId> victims, const std::vector<Requested>& requests)
    -> OtherResources {
  OtherResources others;
  const auto offered = [&](Symbol resource) {
    return std::any_of(cluster.nodes().begin(), cluster.nodes().end(), [&](const Node& node) {
      const auto amount = node.status.allocatable.get(resource);
      return amount && *amount > Quantity{};
    });
  };
  std::set<std::string> names;
  for (const PodId victim : victims) {
    for (const auto& [resource, amount] : pod_request(cluster, cluster.pod(victim), RequestOf::placed)) {
      const std::string name(cluster.text(resource));
      const bool varies =
          std::any_of(requests.begin(), requests.end(), [&](const Requested& each) { return each.resource == name; });
      if (!varies && amount > Quantity{} && offered(resource)) names.insert(name);
    }
  }
  others.all.assign(names.begin(), names.end());
  const auto& classes = cluster.objects().device_classes;
  others.devices = std::any_of(classes.begin(), classes.end(), [&](const DeviceClass& each) {
    return names.contains(std::string(cluster.text(each.spec.extended_resource_name)));
  });
  return others;
}

auto not_covered(const Space& space) -> std::string {
  if (!space.forms.empty()) return {};
  constexpr std::string_view kText = " Not covered: preemptors with pod affinity, host ports or volumes, ";
  if (space.other_resources.empty()) return fmt::format("{}or that running pods repel.", kText);
  return fmt::format("{}that running pods repel, or that request {}.", kText, joined_up_to(3, space.other_resources));
}

}  // namespace previct::prove
