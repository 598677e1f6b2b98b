#include "engine/kube/devices/plan.h"

#include <fmt/format.h>

#include <algorithm>

namespace previct::kube::devices {
namespace {

struct Counted {
  Symbol name;
  std::int64_t count = 0;
};

}  // namespace

void Plan::add(const ResourceClaim& claim) {
  PlannedClaim& planned = claims_.emplace_back();
  planned.name = claim.meta.name;
  planned.source = &claim;
  planned.constraints = claim.spec.devices.constraints;
  for (const DeviceRequest& request : claim.spec.devices.requests) {
    PlannedRequest& added = planned.requests.emplace_back();
    added.name = request.name;
    added.has_alternatives = !request.first_available.empty();
    SelectorPlace place{.claim = &claim, .request = planned.requests.size() - 1};
    for (const DeviceSubRequest& each : request.first_available) {
      place.alternative = added.alternatives.size();
      added.alternatives.push_back(alternative(each.name, each.ask, place));
    }
    const DeviceAsk* exact = request.exact();
    if (!added.has_alternatives && exact != nullptr)
      added.alternatives.push_back(alternative(request.name, *exact, place));
  }
}

auto Plan::alternative(Symbol name, const DeviceAsk& ask, const SelectorPlace& place) -> Alternative {
  const Symbol exact_count = node_infos_.cluster().symbols().intern("ExactCount");
  const auto& classes = node_infos_.cluster().objects().device_classes;
  const auto found = std::find_if(classes.begin(), classes.end(),
                                  [&](const DeviceClass& c) { return c.meta.name == ask.device_class_name; });
  Alternative result;
  result.name = name;
  result.ask = ask;
  if (!result.ask.mode) result.ask.mode = exact_count;
  if (result.ask.count == 0 && result.ask.mode == exact_count) result.ask.count = 1;
  result.device_class = found == classes.end() ? nullptr : &*found;
  if (result.device_class != nullptr)
    result.class_selectors = planned(result.device_class->spec.selectors, {.device_class = result.device_class});
  result.selectors = planned(ask.selectors, place);
  return result;
}

auto Plan::planned(const SharedList<DeviceSelector>& selectors, SelectorPlace place) -> std::vector<PlannedSelector> {
  std::vector<PlannedSelector> result;
  for (const DeviceSelector& selector : selectors) {
    PlannedSelector& added = result.emplace_back();
    place.selector = result.size() - 1;
    added.place = place;
    if (!selector.cel) continue;
    const Symbol text = selector.cel->expression;
    auto& expression = expressions_[text];
    if (!expression) {
      Symbols& symbols = node_infos_.cluster().symbols();
      const std::string copy(symbols.text(text));  // new symbols may invalidate the texts
      expression = std::make_shared<const cel::Expression>(copy, rules_.names_parts, symbols);
    }
    added.expression = expression;
  }
  return result;
}

void Plan::add_extended(const Pod& pod, const std::vector<std::pair<ResourceId, const DeviceClass*>>& resources) {
  PlannedClaim claim;
  claim.name = node_infos_.cluster().symbols().intern("<extended-resources>");
  for (const auto& [resource, device_class] : resources) add_extended(pod, resource, *device_class, claim);
  std::stable_sort(claim.requests.begin(), claim.requests.end(), [&](const PlannedRequest& a, const PlannedRequest& b) {
    return node_infos_.cluster().text(a.name) < node_infos_.cluster().text(b.name);
  });
  claims_.push_back(std::move(claim));
}

// Init containers run before the other containers and use the devices of the containers after them first.
void Plan::add_extended(const Pod& pod, ResourceId resource, const DeviceClass& device_class, PlannedClaim& claim) {
  const Snapshot& cluster = node_infos_.cluster();
  const Symbol name = node_infos_.resource_name(resource);
  std::vector<const Container*> containers;
  for (const Container& c : pod.spec.init_containers) containers.push_back(&c);
  for (const Container& c : pod.spec.containers) containers.push_back(&c);
  const auto wanted_by = [&](const Container& container) -> std::int64_t {
    const auto quantity = container.resources.requests.get(name);
    if (!quantity) return 0;
    const bool whole = Quantity::of(quantity->value()) == *quantity;
    return whole ? quantity->value() : 0;
  };
  const auto request_name = [&](std::size_t container) {
    std::vector<std::string_view> names;
    for (const auto& [each, quantity] : containers[container]->resources.requests) names.push_back(cluster.text(each));
    std::sort(names.begin(), names.end());
    const auto at = std::find(names.begin(), names.end(), cluster.text(name)) - names.begin();
    return cluster.symbols().intern(fmt::format("container-{}-request-{}", container, at));
  };
  const auto lives_long = [&](std::size_t i) {
    return i >= pod.spec.init_containers.size() || containers[i]->restart_policy == cluster.known().always;
  };
  std::vector<Counted> requests(containers.size());
  for (std::size_t i = 0; i < containers.size(); ++i) {
    if (lives_long(i) && wanted_by(*containers[i]) > 0) requests[i] = {request_name(i), wanted_by(*containers[i])};
  }
  Counted most;
  for (std::size_t i = 0; i < containers.size(); ++i) {
    if (lives_long(i)) continue;
    std::int64_t missing = wanted_by(*containers[i]);
    for (std::size_t k = i; k < requests.size(); ++k) missing -= requests[k].count;
    if (missing > most.count) most = {request_name(i), missing};
  }
  requests.push_back(most);
  for (const Counted& each : requests) {
    if (each.count <= 0) continue;
    DeviceAsk ask;
    ask.device_class_name = device_class.meta.name;
    ask.count = each.count;
    PlannedRequest& added = claim.requests.emplace_back();
    added.name = each.name;
    added.resource = resource;
    added.alternatives.push_back(alternative(each.name, ask, {}));
  }
}

}  // namespace previct::kube::devices
