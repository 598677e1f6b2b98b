#pragma once

#include "engine/kube/devices/cel.h"
#include "engine/kube/devices/findings.h"
#include "engine/kube/devices/rules.h"
#include "engine/kube/node_info_snapshot.h"

#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace previct::kube::devices {

/// A selector and its place.
struct PlannedSelector {
  SelectorPlace place;
  std::shared_ptr<const cel::Expression> expression;  ///< null: the release does not know this kind of selector
};

/// One way to satisfy a request.
struct Alternative {
  Symbol name;
  DeviceAsk ask;
  const DeviceClass* device_class = nullptr;
  std::vector<PlannedSelector> class_selectors;
  std::vector<PlannedSelector> selectors;

  [[nodiscard]] auto admin() const -> bool { return ask.admin_access.value_or(false); }
};

struct PlannedRequest {
  Symbol name;
  bool has_alternatives = false;
  std::vector<Alternative> alternatives;  ///< the request itself if it has no alternatives
  ResourceId resource;  ///< resource that this request represents, on nodes that do not offer the resource themselves
};

struct PlannedClaim {
  Symbol name;
  const ResourceClaim* source = nullptr;  ///< null: the scheduler creates it for extended resources
  std::vector<PlannedRequest> requests;
  SharedList<DeviceConstraint> constraints;
};

/// The claims of a pod that still need devices.
class Plan {
 public:
  explicit Plan(const NodeInfoSnapshot& node_infos) : node_infos_(node_infos), rules_(node_infos.release()) {}

  void add(const ResourceClaim& claim);
  /// Adds the claim that the scheduler creates, after all others, for extended resources of the pod that devices can
  /// serve.
  /// Source: plugins/dynamicresources/extendeddynamicresources.go createRequestsAndMappings, v1.35.
  void add_extended(const Pod& pod, const std::vector<std::pair<ResourceId, const DeviceClass*>>& resources);

  [[nodiscard]] auto rules() const -> const Rules& { return rules_; }
  [[nodiscard]] auto claims() const -> const std::vector<PlannedClaim>& { return claims_; }

 private:
  [[nodiscard]] auto alternative(Symbol name, const DeviceAsk& ask, const SelectorPlace& place) -> Alternative;
  [[nodiscard]] auto planned(const SharedList<DeviceSelector>& selectors, SelectorPlace place)
      -> std::vector<PlannedSelector>;
  void add_extended(const Pod& pod, ResourceId resource, const DeviceClass& device_class, PlannedClaim& claim);

  const NodeInfoSnapshot& node_infos_;
  Rules rules_;
  std::vector<PlannedClaim> claims_;
  std::map<Symbol, std::shared_ptr<const cel::Expression>> expressions_;
};

}  // namespace previct::kube::devices
