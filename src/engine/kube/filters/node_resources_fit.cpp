#include "engine/kube/filters/node_resources_fit.h"

#include "api/upstream.h"
#include "engine/kube/resource_claims.h"

#include <algorithm>

namespace previct::kube {
namespace {

// Only extended resources can be ignored, by name or by the part before the slash.
auto ignored(std::string_view resource, const FilterSettings& settings) -> bool {
  if (!upstream::is_extended_resource(resource)) return false;
  const auto holds = [](const std::vector<std::string>& names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  return holds(settings.ignored_resources, resource) ||
         holds(settings.ignored_resource_groups, resource.substr(0, resource.find('/')));
}

}  // namespace

NodeResourcesFit::NodeResourcesFit(const Incoming& incoming, const FilterSettings& settings)
    : node_infos_(incoming.node_infos) {
  for (const Amount& amount : node_infos_.amounts(incoming.placed)) {
    const std::string_view name = node_infos_.cluster().text(node_infos_.resource_name(amount.resource));
    if (amount.value <= 0 || ignored(name, settings)) continue;
    wanted_.push_back({.resource = amount.resource,
                       .of_devices = device_class_for(node_infos_, amount.resource) != nullptr,
                       .column = &node_infos_.column(amount.resource),
                       .value = amount.value});
  }
}

auto NodeResourcesFit::keep_feasible(IdVector<NodeId, char>& nodes) -> bool {
  node_infos_.keep_with_room_for_one(nodes);
  // Without bounds checks, so that the compiler can compute several nodes at once.
  char* keeps = nodes.items().data();
  for (const Wanted& w : wanted_) {
    const std::int64_t* allocatable = w.column->allocatable.items().data();
    const std::int64_t* used = w.column->used.items().data();
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const char fits = w.value <= go::subtract(w.offered(allocatable[i]), used[i]) ? 1 : 0;
      keeps[i] = static_cast<char>(keeps[i] & fits);
    }
  }
  return true;
}

void NodeResourcesFit::vary(RequestBounds* requests) {
  for (Wanted& w : wanted_) {
    if (requests != nullptr) w.range = requests->index_of(w.resource);
    w.varied = requests != nullptr && w.range < requests->ranges().size() ? requests : nullptr;
  }
}

auto NodeResourcesFit::most_that_fit(std::span<const PodInfo* const> pods) const -> std::size_t {
  auto most = static_cast<std::size_t>(
      std::clamp<std::int64_t>(max_pods_ - pods_ - 1, 0, static_cast<std::int64_t>(pods.size())));
  std::vector<std::int64_t> demands(pods.size());
  for (const Wanted& w : wanted_) {
    std::transform(pods.begin(), pods.end(), demands.begin(), [&](const PodInfo* pod) { return w.demand(*pod); });
    std::sort(demands.begin(), demands.end());
    std::int64_t left = go::subtract(w.free(), w.value);
    std::size_t count = 0;
    while (count < most && demands[count] <= left) left = go::subtract(left, demands[count++]);
    most = std::min(most, count);
  }
  return most;
}

auto NodeResourcesFit::share_freed(const PodInfo& pod) const -> double {
  double most = 0;
  for (const Wanted& w : wanted_)
    most = std::max(most, static_cast<double>(w.demand(pod)) / static_cast<double>(w.value));
  return most;
}

auto NodeResourcesFit::check(Reasons reasons) const -> Code {
  if (fits()) return Code::success;
  if (reasons == nullptr) return Code::unschedulable;
  Code code = Code::unschedulable;
  if (pods_ + 1 > max_pods_) add_reason(reasons, {Rule::too_many_pods, pods_, max_pods_});
  for (const Wanted& w : wanted_) {
    if (w.is_at_most(w.free())) continue;
    add_reason(reasons, {Rule::insufficient, operand(w.resource), w.value, w.free(), w.allocatable});
    if (node_infos_.release().has(Change::too_small_is_unresolvable) && !w.is_at_most(w.allocatable))
      code = Code::unresolvable;
  }
  return code;
}

namespace {  // Source: plugins/noderesources/fit.go isSchedulableAfterPodEvent.
auto resources_are_freed(const RejectedPod& rejected, const ClusterEvent& event) -> bool {
  return has_node(*event.old_pod, rejected.node_infos.release().has(Change::nominations_are_events));
}

}  // namespace

const FilterInfo& node_resources_fit_filter =
    FilterInfo{.name = "NodeResourcesFit",
               .make =
                   [](const Incoming& incoming, const FilterSettings& settings) {
                     return std::unique_ptr<Filter>(std::make_unique<NodeResourcesFit>(incoming, settings));
                   },
               .looks_at = LooksAt::its_pods,
               .events = [](const Release& release) -> EventTable {
                 const Resource pods = assigned_pods(release);
                 EventTable table = {{pods, action::kDelete, resources_are_freed},
                                     {Resource::node, new_nodes(release, action::kNodeAllocatable)}};
                 const Change resizes = Change::resize_counts;
                 if (release.has(resizes)) table.push_back({pods, action::kPodScaleDown});
                 if (release.has(resizes) && release.has(Change::pods_told_apart))
                   table.push_back({Resource::target_pod, action::kPodScaleDown});
                 if (release.has(Change::extended_resources_of_devices) && release.has(Change::device_pools_whole))
                   table.push_back({Resource::device_class, action::kAdd | action::kUpdate});
                 return table;
               },
               .without_state = Rule::state_missing_error_reading,
               .kubelet = true};

}  // namespace previct::kube
