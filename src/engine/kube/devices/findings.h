#pragma once

#include "api/objects.h"
#include "base/instant.h"
#include "engine/kube/status.h"

#include <optional>
#include <vector>

namespace previct::kube::devices {

/// Why it is not known whether a node has the devices.
enum class Doubt : std::uint8_t {
  none,
  expression,     ///< a selector is not evaluated
  order,          ///< devices are looked at in any order, and it decides
  too_long,       ///< the search may run into the scheduler's limit of time
  no_slices,      ///< the input has no ResourceSlices …
  no_classes,     ///< … no DeviceClasses
  node_selector,  ///< of a slice, which cannot be read
  taint_rules,    ///< DeviceTaintRules change taints of devices
  selector,       ///< one without an expression
  many_claims,    ///< more than are told apart
  // What a gate turns on:
  partitions,      ///< counters, before devices were looked at in order
  for_extended,    ///< devices for extended resources, before containers had claims of their own
  node_resources,  ///< devices that stand for resources of the node
  lists            ///< attributes with several values
};

/// A selector of a class, else of a claim.
struct SelectorPlace {
  const DeviceClass* device_class = nullptr;
  const ResourceClaim* claim = nullptr;
  std::size_t request = 0;                   ///< of the claim
  std::optional<std::size_t> alternative{};  ///< of the request
  std::size_t selector = 0;
};

/// A device that a claim gets.
struct ChosenDevice {
  const ResourceClaim* claim = nullptr;  ///< null: the one that the scheduler makes for extended resources
  const ResourceSlice* slice = nullptr;  ///< that holds it
  AllocatedDevice device{};
};

/// What was found about one node.
struct Found {
  Code code = Code::success;  ///< also with a doubt
  Reason reason{};
  Doubt doubt = Doubt::none;
  SelectorPlace place{};          ///< of an `expression`
  std::uint64_t unavailable = 0;  ///< claims that hold devices which cannot be used there, as bits in the pod's order
  std::vector<ChosenDevice> chosen{};  ///< of claims that held none; where any order is tried, those of one
};

/// The choice of devices for one pod: what was found, node by node. Different nodes may be written by different
/// threads.
class Findings {
 public:
  explicit Findings(Instant now) : now_(now) {}

  [[nodiscard]] auto now() const -> Instant { return now_; }
  void begin(std::size_t nodes) { nodes_.assign(nodes, std::nullopt); }
  /// Of a node of begin().
  [[nodiscard]] auto at(NodeId node) -> std::optional<Found>& { return nodes_[node.index]; }

  [[nodiscard]] auto nodes() const -> const std::vector<std::optional<Found>>& { return nodes_; }
  /// Claims that hold devices which cannot be used on some node.
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
