#include "cluster/label_syntax.h"
#include "cluster/matching.h"
#include "engine/kube/filter.h"
#include "engine/kube/resource_claims.h"
#include "engine/need.h"

#include <algorithm>

namespace previct::kube {
namespace {

// Claims that hold devices pin the pod to the nodes that reach them; evicting pods changes nothing of it. Where devices
// are still to be chosen, every node passes here: how upstream chooses is not modelled, and the answer says so.
// Source: plugins/dynamicresources/dynamicresources.go PreFilter and Filter, v1.35.
class DynamicResources final : public Filter {
 public:
  explicit DynamicResources(const Incoming& incoming) : incoming_(incoming), cluster_(incoming.cluster()) {}

  [[nodiscard]] auto prepare() -> Prepared override {
    const PodResourceClaims claims = resource_claims_of(cluster_, incoming_.placed.pod);
    if (claims.fault) return rejected(Code::unresolvable, *claims.fault);
    if (claims.claims.empty()) return {.skip = true, .rejection = {}, .only_nodes = {}};
    for (const ResourceClaim* claim : claims.claims) {
      if (!claim->status.allocation) {
        if (const auto fault = fault_of_classes(*claim)) return *fault;
        continue;
      }
      const auto& selector = claim->status.allocation->node_selector;
      if (!selector) continue;
      for (const NodeSelectorTerm& term : selector->terms) {
        if (!fault_of(term, cluster_.symbols()).empty())
          return rejected(Code::error, {Rule::allocation_malformed, operand(claim->meta.name)});
      }
      pinned_.push_back(claim);
    }
    return {};
  }

  [[nodiscard]] auto depends_on_pods() const -> bool override { return false; }
  void enter(NodeId node) override { node_ = node; }

  [[nodiscard]] auto check(Reasons reasons) const -> Code override {
    const Node& node = cluster_.node(node_);
    for (const ResourceClaim* claim : pinned_) {
      if (matches(*claim->status.allocation->node_selector, node.meta.labels, node.meta.name, cluster_)) continue;
      add_reason(reasons, {Rule::allocation_elsewhere, operand(claim->meta.name)});
      return Code::unresolvable;
    }
    return Code::success;
  }
  [[nodiscard]] auto clone() const -> std::unique_ptr<Filter> override {
    return std::make_unique<DynamicResources>(*this);
  }

 private:
  static auto rejected(Code code, const Reason& reason) -> Prepared {
    return {.skip = false, .rejection = {code, nullptr, {reason}}, .only_nodes = {}};
  }

  [[nodiscard]] auto fault_of_classes(const ResourceClaim& claim) const -> std::optional<Prepared> {
    if (lacks(cluster_.objects(), "resource.k8s.io/DeviceClass")) return {};
    for (const DeviceRequest& request : claim.spec.devices.requests) {
      const Symbol name = request.exactly ? request.exactly->device_class_name : request.device_class_name;
      if (name) {
        if (!has_class(name))
          return rejected(Code::unresolvable, {Rule::device_class_missing, operand(request.name), operand(name)});
      }
      for (const DeviceSubRequest& each : request.first_available) {
        if (each.device_class_name && !has_class(each.device_class_name)) {
          return rejected(Code::unresolvable, {Rule::device_class_missing_of_one, operand(request.name),
                                               operand(each.device_class_name), operand(each.name)});
        }
      }
    }
    return {};
  }
  [[nodiscard]] auto has_class(Symbol name) const -> bool {
    const auto& all = cluster_.objects().device_classes;
    return std::any_of(all.begin(), all.end(), [&](const DeviceClass& c) { return c.meta.name == name; });
  }

  const Incoming& incoming_;
  const Snapshot& cluster_;
  std::vector<const ResourceClaim*> pinned_;
  NodeId node_;
};

const FilterInfo kInfo{"DynamicResources", 13,
                       [](const Incoming& incoming, const FilterSettings&) {
                         return std::unique_ptr<Filter>(std::make_unique<DynamicResources>(incoming));
                       },
                       Rule::state_missing};

}  // namespace

const FilterInfo& dynamic_resources_filter = kInfo;

}  // namespace previct::kube
