#include "cluster/device_eviction.h"
#include "cluster/device_taints.h"
#include "engine/kube/devices/capacity.h"
#include "engine/kube/devices/search.h"

#include <algorithm>

namespace previct::kube::devices {
namespace {

auto add(const MapOf<Quantity>& from, int by, MapOf<Quantity>& to) -> void {
  for (const auto& [name, quantity] : from) {
    const Quantity change = Quantity::of_nanos(quantity.nanos() * by);
    bool known = false;
    for (auto& [each, held] : to) {
      if (each != name) continue;
      held += change;
      known = true;
    }
    if (!known) to.emplace_back(name, change);
  }
}

auto is_same(const DeviceAttribute& a, const DeviceAttribute& b) -> bool {
  if (a.text) return b.text == a.text;
  if (a.number) return b.number == a.number;
  if (a.truth) return b.truth == a.truth;
  return a.version && b.version == a.version;
}
auto has_value(const DeviceAttribute& a) -> bool {
  return a.text || a.number || a.truth || a.version;
}

}  // namespace

auto Search::in_use(std::size_t device) const -> bool {
  const Held* held = offered_[device].held;
  const bool by_claims = held != nullptr && (held->whole || (held->part && !rules_.parts));
  return by_claims || holders_[device] != 0;
}

auto Search::shares(std::size_t device) const -> bool {
  return rules_.parts && offered_[device].device->facts().many_allocations;
}

auto Search::take(const At& at, std::size_t device, bool must, Taken& taken) -> Fits {
  const Alternative& alternative = *known(at).alternative;
  const DeviceFacts& facts = offered_[device].device->facts();
  const bool shares_it = shares(device);
  taken = {.device = device};
  if (alternative.admin() ? !shares_it && (holders_[device] >> at.claim & 1U) != 0 : in_use(device)) return Fits::no;
  if (!rules_.counters && !facts.consumes.empty()) return Fits::no;
  const Held* held = offered_[device].held;
  const bool in_parts = shares_it && (shared_.contains(device) || (held != nullptr && !held->consumed.empty()));
  if (!in_parts && !facts.consumes.empty()) {
    if (!reserve_counters(device)) return Fits::no;
    taken.counters = true;
  }
  const auto refuse = [&] {
    give_back(at, taken);
    return Fits::no;
  };
  ++results_[at.claim];
  if (rules_.taints && tainted(device, alternative)) return refuse();
  for (ConstraintState& state : constraints_[at.claim]) {
    if (!meets(state, at, device)) {
      if (!must) return refuse();
      end(Code::error, {Rule::devices_all_unlike, operand(claims_[at.claim].claim->name), operand(alternative.name),
                        place_of(device).operand()});
      return Fits::ended;
    }
    ++taken.constraints;
  }
  if (rules_.parts && !room_for(alternative, device)) return refuse();
  if (!shares_it) {
    holders_[device] |= std::uint64_t{1} << at.claim;
    taken.marked = true;
    return Fits::yes;
  }
  taken.shared = true;
  Shared& shared = shared_[device];
  ++shared.parts;
  consumption_.push_back(taken_of(facts, alternative.ask.capacity, rules_.fractions));
  add(consumption_.back(), 1, shared.consumed);
  return Fits::yes;
}

void Search::choose(const At& at, std::size_t device) {
  const Offered& from = offered_[device];
  const PlannedClaim& claim = *claims_[at.claim].claim;
  const Alternative& alternative = *known(at).alternative;
  AllocatedDevice chosen;
  chosen.driver = from.slice->spec.driver;
  chosen.pool = from.slice->spec.pool.name;
  chosen.device = from.device->name;
  chosen.admin_access = alternative.admin();
  chosen.tolerations = alternative.ask.tolerations;
  if (shares(device)) {
    chosen.share_id = claim.name;
    chosen.consumed = taken_of(from.device->facts(), alternative.ask.capacity, rules_.fractions);
  }
  const PlannedRequest& of = request(at);
  found_.chosen.push_back({claim.source, from.slice, std::move(chosen), of.name,
                           of.has_alternatives ? std::optional(at.alternative) : std::nullopt});
}

void Search::give_back(const At& at, const Taken& taken) {
  --results_[at.claim];
  if (taken.shared) {
    Shared& shared = shared_[taken.device];
    add(consumption_.back(), -1, shared.consumed);
    consumption_.pop_back();
    if (--shared.parts == 0) shared_.erase(taken.device);
  }
  if (taken.marked) holders_[taken.device] &= ~(std::uint64_t{1} << at.claim);
  for (std::size_t i = taken.constraints; i-- > 0;) leave(constraints_[at.claim][i], at);
  if (taken.counters) count(offered_[taken.device], -1);
}

// Source: taintPreventsAllocation.
auto Search::tainted(std::size_t device, const Alternative& alternative) const -> bool {
  const WellKnown& known = cluster_.known();
  const auto& tolerations = alternative.ask.tolerations;
  bool found = false;
  const auto look = [&](const DeviceTaint& taint) {
    const bool known_effect = taint.effect == known.no_execute || taint.effect == known.no_schedule;
    if (found || (rules_.known_effects && !known_effect)) return;
    found = std::none_of(tolerations.begin(), tolerations.end(),
                         [&](const DeviceToleration& each) { return tolerates(each, taint, known); });
  };
  const Offered& offered = offered_[device];
  const ResourceSliceSpec& slice = offered.slice->spec;
  for_each_taint(offered.device, {slice.driver, slice.pool.name, offered.device->name},
                 cluster_.objects().device_taint_rules, rules_.taint_rules, look);
  return found;
}

// Source: consumable_capacity.go CmpRequestOverCapacity.
auto Search::room_for(const Alternative& alternative, std::size_t device) const -> bool {
  const DeviceFacts& facts = offered_[device].device->facts();
  if (alternative.ask.capacity) {
    for (const auto& [name, quantity] : alternative.ask.capacity->requests) {
      if (facts.capacity.find(name) == nullptr) return false;
    }
  }
  const auto shared = shared_.find(device);
  const Held* held = offered_[device].held;
  for (const auto& [name, quantity] : taken_of(facts, alternative.ask.capacity, rules_.fractions)) {
    const DeviceCapacity& capacity = *facts.capacity.find(name);
    if (!allowed(capacity, quantity, rules_.fractions)) return false;
    Quantity sum = quantity;
    const Quantity* by_claims = held == nullptr ? nullptr : held->consumed.find(name);
    const Quantity* by_these = shared == shared_.end() ? nullptr : shared->second.consumed.find(name);
    if (by_claims != nullptr) sum += *by_claims;
    if (by_these != nullptr) sum += *by_these;
    if (sum > capacity.value) return false;
  }
  return true;
}

// -- counters

void Search::count(const Offered& device, int by) {
  for (const CounterConsumption& consumed : device.device->facts().consumes) {
    for (const auto& [name, counter] : consumed.counters) {
      const auto left = left_.find({device.pool, consumed.counter_set, name});
      if (left != left_.end()) left->second -= counter.value.nanos() * by;
    }
  }
}

// Every counter of the pool must hold, including those that this device does not use.
auto Search::reserve_counters(std::size_t device) -> bool {
  count(offered_[device], 1);
  const Pool* pool = offered_[device].pool;
  const bool enough = std::none_of(left_.begin(), left_.end(), [&](const auto& counter) {
    return std::get<0>(counter.first) == pool && counter.second < 0;
  });
  if (!enough) count(offered_[device], -1);
  return enough;
}

// -- constraints

auto Search::attribute(std::size_t device, Symbol name) const -> const DeviceAttribute* {
  const auto& attributes = offered_[device].device->facts().attributes;
  if (const DeviceAttribute* found = attributes.find(name)) return found;
  const std::string_view text = cluster_.text(name);
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos || text.substr(0, slash) != cluster_.text(offered_[device].slice->spec.driver))
    return nullptr;
  const Symbol local = cluster_.symbol(text.substr(slash + 1));
  return local ? attributes.find(local) : nullptr;
}

auto Search::concerns(const DeviceConstraint& constraint, const At& at) -> bool {
  if (constraint.requests.empty()) return true;
  const PlannedRequest& of = request(at);
  return std::any_of(constraint.requests.begin(), constraint.requests.end(), [&](Symbol each) {
    if (each == of.name) return true;
    if (!of.has_alternatives) return false;
    std::string_view rest = cluster_.text(each);
    for (const std::string_view part : {cluster_.text(of.name), std::string_view("/")}) {
      if (!rest.starts_with(part)) return false;
      rest.remove_prefix(part.size());
    }
    return rest == cluster_.text(known(at).alternative->name);
  });
}

auto Search::meets(ConstraintState& state, const At& at, std::size_t device) -> bool {
  if (!concerns(*state.constraint, at)) return true;
  const bool match = static_cast<bool>(state.constraint->match_attribute);
  const DeviceAttribute* found =
      attribute(device, match ? state.constraint->match_attribute : state.constraint->distinct_attribute);
  if (found == nullptr) return false;
  const Symbol of = request(at).name;
  if (state.devices > 0) {
    if (match && !is_same(*found, *state.common)) return false;
    const bool distinct =
        match || (has_value(*found) && std::none_of(state.by_request.begin(), state.by_request.end(),
                                                    [&](const auto& e) { return is_same(*found, *e.second); }));
    if (!distinct) return false;
  } else {
    state.common = found;
  }
  ++state.devices;
  if (match) return true;
  // Before 1.37 upstream remembers one device of each request.
  const auto known =
      std::find_if(state.by_request.begin(), state.by_request.end(), [&](const auto& e) { return e.first == of; });
  if (rules_.told_apart || known == state.by_request.end()) {
    state.by_request.emplace_back(of, found);
  } else {
    known->second = found;
  }
  return true;
}

void Search::leave(ConstraintState& state, const At& at) {
  if (!concerns(*state.constraint, at)) return;
  --state.devices;
  if (rules_.told_apart) {
    if (!state.by_request.empty()) state.by_request.pop_back();  // devices are given back in reverse order
    return;
  }
  std::erase_if(state.by_request, [&](const auto& e) { return e.first == request(at).name; });
}

}  // namespace previct::kube::devices
