#include "cluster/label_syntax.h"
#include "cluster/manifest_nodes.h"
#include "cluster/matching.h"
#include "engine/kube/devices/allocation.h"
#include "engine/kube/devices/rules.h"
#include "engine/kube/filter.h"
#include "engine/kube/resource_claims.h"
#include "engine/required_kind.h"

#include <algorithm>

namespace previct::kube {
namespace {

using devices::Doubt;
using devices::Found;

// Allocated claims restrict the pod to nodes that reach their devices; for other claims the node must have free
// devices. Evicting pods changes neither: claims of victims keep their devices during a dry run of preemption.
// Source: plugins/dynamicresources/dynamicresources.go PreFilter and Filter, v1.34 to v1.36.
class DynamicResources final : public Filter {
 public:
  DynamicResources(const Incoming& incoming, const FilterSettings& settings)
      : incoming_(incoming),
        cluster_(incoming.cluster()),
        release_(incoming.node_infos.release()),
        binding_seconds_(settings.binding_seconds),
        own_(incoming.devices == nullptr ? std::make_shared<devices::Findings>(Instant{}) : nullptr),
        findings_(incoming.devices == nullptr ? own_.get() : incoming.devices) {}

  [[nodiscard]] auto prepare() -> Prepared override {
    const PodResourceClaims claims = resource_claims_of(cluster_, incoming_.placed.pod);
    if (claims.fault) return rejected(Code::unresolvable, *claims.fault);
    extended_ = resources_of_devices(incoming_.node_infos, incoming_.placed);
    if (claims.claims.empty() && extended_.empty()) return {.skip = true, .rejection = {}, .only_nodes = {}};
    claims_ = claims.claims;
    left_ = extended_.empty() ? nullptr : extended_claim_of(cluster_, incoming_.pod());
    for (const ResourceClaim* claim : claims_) {
      if (const auto fault = fault_of(*claim)) return *fault;
    }
    plan();
    findings_->begin(incoming_.node_infos.node_count());
    return {};
  }

  [[nodiscard]] auto depends_on_pods() const -> bool override { return false; }
  void enter(NodeId node) override { node_ = node; }

  [[nodiscard]] auto check(Reasons reasons) const -> Code override {
    if (claims_.empty() && extended_.empty()) return Code::success;
    std::optional<Found>& found = findings_->at(node_);
    if (!found) found = on(node_);
    if (found->code != Code::success) add_reason(reasons, found->reason);
    return found->code;
  }
  [[nodiscard]] auto clone() const -> std::unique_ptr<Filter> override {
    return std::make_unique<DynamicResources>(*this);
  }

 private:
  static auto rejected(Code code, const Reason& reason) -> Prepared {
    return {.skip = false, .rejection = {code, nullptr, {reason}}, .only_nodes = {}};
  }

  // -- PreFilter

  [[nodiscard]] auto fault_of(const ResourceClaim& claim) const -> std::optional<Prepared> {
    if (!claim.status.allocation) return fault_of_requests(claim);
    if (!can_be_used(claim, incoming_.pod()))
      return rejected(Code::unresolvable, {Rule::resource_claim_full, operand(claim.meta.name)});
    const auto& selector = claim.status.allocation->node_selector;
    if (!selector) return {};
    for (const NodeSelectorTerm& term : selector->terms) {
      if (!previct::fault_of(term, cluster_.symbols()).empty())
        return rejected(Code::error, {Rule::allocation_malformed, operand(claim.meta.name)});
    }
    return {};
  }

  [[nodiscard]] auto fault_of_requests(const ResourceClaim& claim) const -> std::optional<Prepared> {
    const std::int64_t pod = operand(incoming_.placed.pod);
    for (const DeviceRequest& request : claim.spec.devices.requests) {
      const Reason off{Rule::device_alternatives_off, operand(claim.meta.name), operand(request.name), pod};
      const Reason unknown{Rule::device_request_unknown, operand(claim.meta.name), operand(request.name), pod};
      if (request.exact() != nullptr) {
        const Symbol name = request.exact()->device_class_name;
        if (!name) return rejected(Code::error, {Rule::device_class_unnamed, operand(request.name)});
        if (lacks_class(name))
          return rejected(Code::unresolvable, {Rule::device_class_missing, operand(request.name), operand(name)});
        continue;
      }
      if (request.first_available.empty()) return rejected(Code::unresolvable, unknown);
      if (!release_.has(Change::device_alternatives)) return rejected(Code::unresolvable, off);
      for (const DeviceSubRequest& each : request.first_available) {
        const Symbol name = each.ask.device_class_name;
        if (!name)
          return rejected(Code::error, {Rule::device_class_unnamed_of_one, operand(request.name), operand(each.name)});
        if (lacks_class(name)) {
          return rejected(Code::unresolvable, {Rule::device_class_missing_of_one, operand(request.name), operand(name),
                                               operand(each.name)});
        }
      }
    }
    return {};
  }
  [[nodiscard]] auto lacks_class(Symbol name) const -> bool {
    if (lacks(cluster_.objects(), kinds::device_classes)) return false;
    const auto& all = cluster_.objects().device_classes;
    return std::none_of(all.begin(), all.end(), [&](const DeviceClass& c) { return c.meta.name == name; });
  }

  void plan() {
    devices::Plan plan(incoming_.node_infos);
    for (const ResourceClaim* claim : claims_) {
      if (!claim->status.allocation) plan.add(*claim);
    }
    if (!extended_.empty()) plan.add_extended(incoming_.pod(), extended_);
    if (plan.claims().empty()) return;
    plan_ = std::make_shared<const devices::Plan>(std::move(plan));
    inventory_ = &cluster_.derived<devices::Inventory>();
    manifest_nodes_ = &cluster_.derived<ManifestNodes>();
    doubt_ = doubt_of_input();
  }

  // Returns a doubt that concerns all nodes.
  [[nodiscard]] auto doubt_of_input() const -> Doubt {
    const Objects& objects = cluster_.objects();
    if (lacks(objects, kinds::resource_slices) && objects.resource_slices.empty()) return Doubt::no_slices;
    if (lacks(objects, kinds::device_classes) && objects.device_classes.empty()) return Doubt::no_classes;
    if (devices::taint_rules_open(release_, objects.device_taint_rules)) return Doubt::taint_rules;
    if (release_.has(Change::device_counters) && !release_.has(Change::devices_in_order)) return Doubt::partitions;
    if (!extended_.empty() && !release_.has(Change::extended_claims_by_container)) return Doubt::for_extended;
    return release_.has(Change::node_resources_of_devices) ? Doubt::node_resources : Doubt::none;
  }

  // -- Filter

  [[nodiscard]] auto on(NodeId id) const -> Found {
    if (left_ != nullptr && !left_->spec.devices.requests.empty())
      return {.code = Code::unresolvable, .reason = {Rule::extended_claim_left, operand(left_->meta.name)}};
    Found found = by_slices(id);
    const bool lacks_devices = found.code == Code::unschedulable || found.code == Code::unresolvable;
    if (manifest_nodes_ == nullptr || !lacks_devices || found.unavailable != 0 || !manifest_nodes_->lacks_slices(id))
      return found;
    return {.doubt = Doubt::new_node, .node = cluster_.node(id).meta.name};
  }

  [[nodiscard]] auto by_slices(NodeId id) const -> Found {
    const Node& node = cluster_.node(id);
    const auto delegated = [&](ResourceId resource) {
      return incoming_.node_infos.column(resource).allocatable[id] <= 0;
    };
    const bool any_delegated =
        std::any_of(extended_.begin(), extended_.end(), [&](const auto& each) { return delegated(each.first); });
    if (claims_.empty() && !any_delegated) return {};
    Found found;
    Reason unavailable{};
    for (std::size_t i = 0; i < claims_.size(); ++i) {
      const auto reason = unavailable_on(node, *claims_[i]);
      if (!reason) continue;
      if (found.unavailable == 0) unavailable = *reason;
      found.unavailable |= i < 64 ? std::uint64_t{1} << i : 0;
    }
    if (plan_ != nullptr) {
      const std::uint64_t bits = found.unavailable;
      found = allocated(node, delegated);
      if (found.code != Code::success) return found;
      found.unavailable = bits;
    }
    if (found.unavailable != 0) {
      found.code = Code::unresolvable;
      found.reason = unavailable;
      // Only an error of the search could take precedence.
      if (!may_fail(found.doubt)) found.doubt = Doubt::none;
    }
    return found;
  }

  // Returns true if the search, which is not fully known, could fail with an error: a selector can, and so can a
  // request for all devices.
  [[nodiscard]] auto may_fail(Doubt doubt) const -> bool {
    if (plan_ == nullptr || doubt == Doubt::none || doubt == Doubt::too_long) return false;
    if (doubt == Doubt::expression || doubt == Doubt::order || doubt == Doubt::node_selector ||
        doubt == Doubt::slice_counts)
      return true;
    const auto fails = [&](const devices::Alternative& each) {
      return each.device_class == nullptr || !each.class_selectors.empty() || !each.selectors.empty() ||
             cluster_.text(each.ask.mode) == "All";
    };
    return std::any_of(plan_->claims().begin(), plan_->claims().end(), [&](const devices::PlannedClaim& claim) {
      return std::any_of(claim.requests.begin(), claim.requests.end(), [&](const devices::PlannedRequest& request) {
        return std::any_of(request.alternatives.begin(), request.alternatives.end(), fails);
      });
    });
  }

  template <class Delegated>
  [[nodiscard]] auto allocated(const Node& node, Delegated delegated) const -> Found {
    if (doubt_ != Doubt::none) return {.doubt = doubt_};
    std::vector<devices::Wanted> wanted;
    for (const devices::PlannedClaim& claim : plan_->claims()) {
      devices::Wanted& added = wanted.emplace_back();
      added.claim = &claim;
      for (const devices::PlannedRequest& request : claim.requests) {
        if (!request.resource || delegated(request.resource)) added.requests.push_back(&request);
      }
    }
    return devices::allocate(cluster_, *inventory_, plan_->rules(), node, wanted);
  }

  [[nodiscard]] auto unavailable_on(const Node& node, const ResourceClaim& claim) const -> std::optional<Reason> {
    if (!claim.status.allocation) return {};
    const auto& selector = claim.status.allocation->node_selector;
    if (selector && !matches(*selector, node.meta.labels, node.meta.name, cluster_))
      return Reason{Rule::allocation_elsewhere, operand(claim.meta.name)};
    if (release_.has(Change::device_binding) && binding_failed(claim))
      return Reason{Rule::claim_binding_failed, operand(claim.meta.name)};
    return {};
  }

  // Source: dynamicresources.go isClaimReadyForBinding, isClaimTimeout, v1.36.3.
  [[nodiscard]] auto binding_failed(const ResourceClaim& claim) const -> bool {
    const ClaimAllocation& allocation = *claim.status.allocation;
    const auto& results = allocation.devices.results;
    const bool any = std::any_of(results.begin(), results.end(),
                                 [](const AllocatedDevice& device) { return !device.binding_conditions.empty(); });
    if (!any) return false;
    bool ready = true;
    for (const AllocatedDevice& device : results) {
      if (device.binding_conditions.empty()) continue;
      const AllocatedDeviceStatus* status = status_of(claim, device);
      ready = status != nullptr;
      if (!ready) break;
      if (is_true_of_any(*status, device.binding_failure_conditions)) return true;
      ready = is_true_of_all(*status, device.binding_conditions);
      if (!ready) break;
    }
    return !ready && allocation.at && allocation.at->plus_seconds(binding_seconds_) < findings_->now();
  }
  static auto status_of(const ResourceClaim& claim, const AllocatedDevice& device) -> const AllocatedDeviceStatus* {
    const auto& all = claim.status.devices;
    const auto* const found = std::find_if(all.begin(), all.end(), [&](const AllocatedDeviceStatus& s) {
      return s.driver == device.driver && s.pool == device.pool && s.device == device.device;
    });
    return found == all.end() ? nullptr : found;
  }
  [[nodiscard]] auto is_true(const AllocatedDeviceStatus& status, Symbol condition) const -> bool {
    const auto& all = status.conditions;
    const auto* const found =
        std::find_if(all.begin(), all.end(), [&](const DeviceCondition& c) { return c.type == condition; });
    return found != all.end() && found->status == cluster_.known().true_status;
  }
  [[nodiscard]] auto is_true_of_any(const AllocatedDeviceStatus& status, const SharedList<Symbol>& conditions) const
      -> bool {
    return std::any_of(conditions.begin(), conditions.end(), [&](Symbol c) { return is_true(status, c); });
  }
  [[nodiscard]] auto is_true_of_all(const AllocatedDeviceStatus& status, const SharedList<Symbol>& conditions) const
      -> bool {
    return std::all_of(conditions.begin(), conditions.end(), [&](Symbol c) { return is_true(status, c); });
  }

  const Incoming& incoming_;
  const Snapshot& cluster_;
  const Release& release_;
  std::int64_t binding_seconds_;
  std::shared_ptr<devices::Findings> own_;  // used if the caller collects no findings
  devices::Findings* findings_;
  std::vector<const ResourceClaim*> claims_;
  std::vector<std::pair<ResourceId, const DeviceClass*>> extended_;
  const ResourceClaim* left_ = nullptr;  // created by an earlier attempt
  std::shared_ptr<const devices::Plan> plan_;
  const devices::Inventory* inventory_ = nullptr;
  const ManifestNodes* manifest_nodes_ = nullptr;
  Doubt doubt_ = Doubt::none;
  NodeId node_;
};

// Freed devices may serve any pod; otherwise only events of the pod's own claims matter. An update that does not change
// the status does not count.
// Source: dynamicresources/dynamicresources.go isSchedulableAfterClaimChange.
auto devices_may_be_there(const RejectedPod& rejected, const ClusterEvent& event) -> bool {
  const bool held = event.old_claim != nullptr && event.old_claim->status.allocation;
  if (event.new_claim == nullptr) return held;
  const PodResourceClaims claims = resource_claims_of(rejected.node_infos.cluster(), rejected.pod);
  if (claims.fault) return false;
  if (held && !event.new_claim->status.allocation) return true;
  return std::any_of(claims.claims.begin(), claims.claims.end(), [&](const ResourceClaim* claim) {
    return claim->meta.ns == event.new_claim->meta.ns && claim->meta.name == event.new_claim->meta.name;
  });
}

// Source: dynamicresources/dynamicresources.go isSchedulableAfterPodChange.
auto claims_are_there(const RejectedPod& rejected, const ClusterEvent& event) -> bool {
  return rejected.is(*event.new_pod) && !resource_claims_of(rejected.node_infos.cluster(), rejected.pod).fault;
}

}  // namespace

const FilterInfo& dynamic_resources_filter = FilterInfo{
    .name = "DynamicResources",
    .make =
        [](const Incoming& incoming, const FilterSettings& settings) {
          return std::unique_ptr<Filter>(std::make_unique<DynamicResources>(incoming, settings));
        },
    .looks_at = LooksAt::devices,
    .events = [](const Release& release) -> EventTable {
      if (!release.has(Change::dynamic_resources)) return {};
      const Actions allocatable = release.has(Change::too_small_is_unresolvable) ? action::kNodeAllocatable : 0;
      const Actions gone = release.has(Change::pods_told_apart) ? action::kDelete : 0;
      EventTable table = {{Resource::resource_claim, action::kAdd | action::kUpdate | gone, devices_may_be_there},
                          {Resource::node, new_nodes_and_labels(release) | allocatable},
                          {Resource::device_class, action::kAdd | action::kUpdate}};
      if (release.has(Change::node_updates_told_apart)) {
        table.push_back({target_pod(release), action::kPodGeneratedClaim, claims_are_there});
        table.push_back({Resource::resource_slice, action::kAdd | action::kUpdate});
      }
      return table;
    },
    .without_state = Rule::state_missing};

}  // namespace previct::kube
