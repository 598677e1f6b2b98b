#pragma once

#include "api/objects.h"
#include "base/instant.h"
#include "engine/kube/status.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace previct::kube::devices {

/// Why it is not known whether a node has the devices.
enum class Doubt : std::uint8_t {
  none,
  expression,     ///< a selector is not evaluated
  order,          ///< devices are tried in any order, and the order decides
  too_long,       ///< the search may exceed the scheduler's time limit
  no_slices,      ///< the input has no ResourceSlices …
  no_classes,     ///< … no DeviceClasses
  new_node,       ///< the node is new, and its ResourceSlices are not in the input
  node_selector,  ///< the node selector of a slice is invalid
  slice_counts,   ///< slices of one pool disagree about their number
  taint_rules,    ///< DeviceTaintRules select devices by class or expression
  selector,       ///< a selector without an expression
  many_claims,    ///< more claims than are distinguished
  // Doubts because of a gate that is on:
  partitions,      ///< counters, before devices were tried in order
  for_extended,    ///< devices for extended resources, before they were requested by container
  node_resources,  ///< devices that represent resources of the node
  lists            ///< attributes with several values
};

/// The place of a selector, in a class or else in a claim.
struct SelectorPlace {
  const DeviceClass* device_class = nullptr;
  const ResourceClaim* claim = nullptr;
  std::size_t request = 0;                   ///< index in the claim
  std::optional<std::size_t> alternative{};  ///< index in the request
  std::size_t selector = 0;
};

/// A device in Objects::resource_slices, also as one operand of a Reason.
struct DevicePlace {
  std::uint32_t slice = 0;
  std::uint32_t device = 0;  ///< index in the slice

  [[nodiscard]] static auto of(std::int64_t operand) -> DevicePlace {
    const auto bits = static_cast<std::uint64_t>(operand);
    return {static_cast<std::uint32_t>(bits >> 32U), static_cast<std::uint32_t>(bits)};
  }
  [[nodiscard]] auto operand() const -> std::int64_t {
    return static_cast<std::int64_t>(std::uint64_t{slice} << 32U | device);
  }
};

/// A device that is chosen for a claim.
struct ChosenDevice {
  const ResourceClaim* claim = nullptr;  ///< null: the claim that the scheduler creates for extended resources
  const ResourceSlice* slice = nullptr;  ///< slice with the device
  AllocatedDevice device{};
  Symbol request{};
  std::optional<std::size_t> alternative{};  ///< index in the request; none: the request has no alternatives
};

/// What was found about one node.
struct Found {
  Code code = Code::success;  ///< success if there is a doubt
  Reason reason{};
  Doubt doubt = Doubt::none;
  SelectorPlace place{};  ///< set with Doubt::expression
  Symbol node{};          ///< set with Doubt::new_node
  /// Allocated claims whose devices cannot be used on the node, as bits in the pod's order.
  std::uint64_t unavailable = 0;
  std::vector<ChosenDevice> chosen{};  ///< for unallocated claims; of one order, if any order may be tried
};

/// The choice of devices for one pod, node by node. Different threads may write different nodes.
class Findings {
 public:
  explicit Findings(Instant now) : now_(now) {}

  [[nodiscard]] auto now() const -> Instant { return now_; }
  void begin(std::size_t nodes) { nodes_.assign(nodes, std::nullopt); }
  /// Requires a node within begin().
  [[nodiscard]] auto at(NodeId node) -> std::optional<Found>& { return nodes_[node.index]; }

  [[nodiscard]] auto at(NodeId node) const -> const std::optional<Found>& { return nodes_[node.index]; }
  [[nodiscard]] auto nodes() const -> const std::vector<std::optional<Found>>& { return nodes_; }
  /// Returns the allocated claims whose devices cannot be used on some node.
  [[nodiscard]] auto unavailable() const -> std::uint64_t {
    std::uint64_t claims = 0;
    for (const auto& found : nodes_) claims |= found ? found->unavailable : 0;
    return claims;
  }

 private:
  Instant now_;
  std::vector<std::optional<Found>> nodes_;
};

}  // namespace previct::kube::devices
