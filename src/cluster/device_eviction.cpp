#include "cluster/device_eviction.h"

#include "cluster/claim_users.h"
#include "cluster/taint_eviction.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

namespace previct {
namespace {

// Null: the device is in no slice of the newest generation of its pool.
auto offered(const AllocatedDevice& allocated, const Snapshot& cluster) -> const Device* {
  const Device* found = nullptr;
  std::int64_t newest = INT64_MIN;
  for (const ResourceSlice& slice : cluster.objects().resource_slices) {
    const ResourceSliceSpec& spec = slice.spec;
    if (spec.driver != allocated.driver || spec.pool.name != allocated.pool || spec.pool.generation < newest) continue;
    if (spec.pool.generation > newest) found = nullptr;
    newest = spec.pool.generation;
    for (const Device& device : spec.devices) {
      if (device.name == allocated.device) found = &device;
    }
  }
  return found;
}

// None: as long as the taint is there.
auto tolerated_for(const AllocatedDevice& device, const DeviceTaint& taint, const WellKnown& known)
    -> std::optional<std::int64_t> {
  std::optional<std::int64_t> shortest;
  for (const DeviceToleration& each : device.tolerations) {
    if (each.effect != known.no_execute || !tolerates(each, taint, known)) continue;
    if (!each.seconds) return {};
    const std::int64_t seconds = std::clamp<std::int64_t>(*each.seconds, 0, INT32_MAX);
    shortest = std::min(shortest.value_or(seconds), seconds);
  }
  return shortest.value_or(0);
}

void look_at(const ResourceClaim& claim, const Snapshot& cluster, TaintRules rules, Instant now,
             std::optional<DeviceEviction>& first) {
  if (!claim.status.allocation) return;
  for (const AllocatedDevice& allocated : claim.status.allocation->devices.results) {
    const auto look = [&](const DeviceTaint& taint) {
      if (taint.effect != cluster.known().no_execute) return;
      const auto seconds = tolerated_for(allocated, taint, cluster.known());
      if (!seconds) return;
      const Instant at = std::max(now, taint.time_added.value_or(now).plus_seconds(*seconds));
      if (first && first->at <= at) return;
      first = DeviceEviction{
          .taint = fmt::format("{} of device {}", describe_taint(taint, cluster), cluster.text(allocated.device)),
          .at = at,
          .since_missing = *seconds > 0 && !taint.time_added};
    };
    for_each_taint(offered(allocated, cluster), {allocated.driver, allocated.pool, allocated.device},
                   cluster.objects().device_taint_rules, rules, look);
  }
}

}  // namespace

auto tolerates(const DeviceToleration& toleration, const DeviceTaint& taint, const WellKnown& known) -> bool {
  if (toleration.effect && toleration.effect != taint.effect) return false;
  if (toleration.key && toleration.key != taint.key) return false;
  if (!toleration.op || toleration.op == known.equal) return toleration.value == taint.value;
  return toleration.op == known.exists;
}

auto device_eviction_of(PodId pod, const Snapshot& cluster, TaintRules rules, Instant now)
    -> std::optional<DeviceEviction> {
  const Pod& user = cluster.pod(pod);
  if (!cluster.find_node(user.spec.node_name) || user.meta.deleting || cluster.finished(pod)) return {};
  std::optional<DeviceEviction> first;
  for (const ResourceClaim& claim : cluster.objects().resource_claims) {
    if (is_reserved_for(claim, user)) look_at(claim, cluster, rules, now, first);
  }
  if (first) first->pod = pod;
  return first;
}

auto device_evictions(const Snapshot& cluster, TaintRules rules, Instant now) -> std::vector<DeviceEviction> {
  const auto executes = [&](const DeviceTaint& taint) { return taint.effect == cluster.known().no_execute; };
  const auto& slices = cluster.objects().resource_slices;
  const auto& by_rule = cluster.objects().device_taint_rules;
  const bool any = std::any_of(slices.begin(), slices.end(),
                               [&](const ResourceSlice& slice) {
                                 const auto& devices = slice.spec.devices;
                                 return std::any_of(devices.begin(), devices.end(), [&](const Device& device) {
                                   const auto& taints = device.facts().taints;
                                   return std::any_of(taints.begin(), taints.end(), executes);
                                 });
                               }) ||
                   std::any_of(by_rule.begin(), by_rule.end(),
                               [&](const DeviceTaintRule& rule) { return executes(rule.spec.taint); });
  std::vector<DeviceEviction> all;
  if (!any) return all;
  for (const PodId pod : cluster.pods().ids()) {
    if (auto eviction = device_eviction_of(pod, cluster, rules, now)) all.push_back(*std::move(eviction));
  }
  return all;
}

}  // namespace previct
