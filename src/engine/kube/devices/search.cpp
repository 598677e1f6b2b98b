#include "engine/kube/devices/search.h"

#include <algorithm>

namespace previct::kube::devices {
// NOLINTBEGIN(misc-no-recursion): one level for each device: at most kMostClaims claims with kMostResults devices each
Search::Search(const Snapshot& cluster, const Inventory& inventory, const Rules& rules, const Node& node,
               const std::vector<Pool>& pools, std::span<const Wanted> claims, How how)
    : cluster_(cluster), rules_(rules), node_(node), pools_(pools), claims_(claims), how_(how) {
  for (const Pool& pool : pools_) {
    if (pool.invalid && !pool.slices.empty()) {
      offered_.push_back({&pool, pool.slices.front(), nullptr, nullptr});
      continue;
    }
    for (const ResourceSlice* slice : pool.slices) {
      for (const Device& device : slice->spec.devices) {
        offered_.push_back(
            {&pool, slice, &device, inventory.held({slice->spec.driver, slice->spec.pool.name, device.name})});
      }
    }
    for (const CounterSet* set : pool.counters) {
      for (const auto& [name, counter] : set->counters) left_[{&pool, set->name, name}] = counter.value.nanos();
    }
  }
  holders_.resize(offered_.size());
  // Allocated devices use up counters, on any node.
  const auto uses_up = [&](const Held* held) {
    return held != nullptr && (held->whole || rules_.in_order || !rules_.parts);
  };
  for (const Offered& each : offered_) {
    if (each.device != nullptr && uses_up(each.held)) count(each, 1);
  }
  for (const Pool& pool : pools_) {
    for (const ResourceSlice* slice : pool.elsewhere) {
      for (const Device& device : slice->spec.devices) {
        const Offered there{&pool, slice, &device,
                            inventory.held({slice->spec.driver, slice->spec.pool.name, device.name})};
        if (uses_up(there.held)) count(there, 1);
      }
    }
  }
  results_.resize(claims_.size());
  constraints_.resize(claims_.size());
  for (const Wanted& wanted : claims_) {
    first_request_.push_back(first_known_.size());
    for (const PlannedRequest* request : wanted.requests) {
      first_known_.push_back(known_.size());
      for (const Alternative& each : request->alternatives) known_.push_back({&each, 0, {}, {}});
    }
  }
}

auto Search::run() -> Found {
  constexpr std::size_t kMostClaims = 64;
  if (claims_.size() > kMostClaims) doubt(Doubt::many_claims);
  if (rules_.lists && has_lists()) doubt(Doubt::lists);
  if (found_.doubt != Doubt::none) return found_;
  for (Known& each : known_) each.selected.resize(offered_.size());
  if (validate() == Step::ended) {
    ended_early_ = true;
    return found_;
  }
  for (Known& each : known_) std::fill(each.selected.begin(), each.selected.end(), 0);
  switch (place({}, false, 0)) {
    case Step::done:
    case Step::ended: break;
    case Step::over_limit: end(Code::error, {Rule::devices_over_limit}); break;
    case Step::none: end(Code::unresolvable, shortage()); break;
  }
  return found_;
}

auto Search::has_lists() const -> bool {
  return std::any_of(offered_.begin(), offered_.end(), [](const Offered& each) {
    if (each.device == nullptr) return false;
    const auto& attributes = each.device->facts().attributes;
    return std::any_of(attributes.begin(), attributes.end(), [](const auto& e) {
      return !e.second.number && !e.second.truth && !e.second.text && !e.second.version;
    });
  });
}

// -- what the claims request, and how many devices "all" is

auto Search::validate() -> Step {
  for (std::size_t i = 0; i < claims_.size(); ++i) {
    if (validate(claims_[i], i) == Step::ended) return Step::ended;
  }
  return Step::done;
}

auto Search::validate(const Wanted& wanted, std::size_t claim) -> Step {
  std::int64_t least = 0;
  for (std::size_t i = 0; i < wanted.requests.size(); ++i) {
    const std::size_t first = first_known_[first_request_[claim] + i];
    if (validate(wanted, *wanted.requests[i], first, least) == Step::ended) return Step::ended;
  }
  const Symbol name = wanted.claim->name;
  if (least > kMostResults) return end(Code::error, {Rule::devices_too_many, operand(name), least, kMostResults});
  std::int64_t at = 0;
  for (const DeviceConstraint& constraint : wanted.claim->constraints) {
    const bool known = constraint.match_attribute || (constraint.distinct_attribute && rules_.newest);
    if (!known) return end(Code::error, {Rule::device_constraint_unknown, operand(name), at});
    constraints_[claim].push_back({&constraint, 0, nullptr, {}});
    ++at;
  }
  return Step::done;
}

// Before 1.36 what is found about an alternative is cached for the one before it.
auto Search::validate(const Wanted& wanted, const PlannedRequest& request, std::size_t first, std::int64_t& least)
    -> Step {
  for (const Alternative& each : request.alternatives) {
    if (rules_.parts || !rules_.newest || !each.ask.capacity) continue;
    const bool alone = !request.has_alternatives || !rules_.whole_pools;
    return end(Code::error, {alone ? Rule::device_capacity_off : Rule::device_sub_capacity_off,
                             operand(wanted.claim->name), operand(alone ? request.name : each.name)});
  }
  std::int64_t fewest = request.alternatives.empty() ? 0 : INT64_MAX;
  for (std::size_t i = 0; i < request.alternatives.size(); ++i) {
    const std::size_t cache = rules_.in_order || i == 0 ? i : i - 1;
    if (validate_one(wanted, known_[first + i], known_[first + cache]) == Step::ended) return Step::ended;
    fewest = std::min(fewest, known_[first + i].count);
  }
  constexpr std::int64_t kMany = 1'000'000'000;
  least += std::min(fewest, kMany);
  return Step::done;
}

auto Search::validate_one(const Wanted& wanted, Known& known, Known& cache) -> Step {
  const Alternative& alternative = *known.alternative;
  const Symbol claim = wanted.claim->name;
  for (const PlannedSelector& selector : alternative.selectors) {
    if (selector.expression) continue;
    return end(Code::error, {Rule::device_selector_unknown, operand(claim), operand(alternative.name),
                             static_cast<std::int64_t>(selector.place.selector)});
  }
  if (!rules_.admin_access && alternative.ask.admin_access)
    return end(Code::error, {Rule::device_admin_off, operand(claim), operand(alternative.name)});
  const std::string_view mode = cluster_.text(alternative.ask.mode);
  if (mode == "All") return collect_all(wanted, known, cache);
  known.count = alternative.ask.count;
  if (mode == "ExactCount") return Step::done;
  return end(Code::error,
             {Rule::device_mode_unknown, operand(claim), operand(alternative.name), operand(alternative.ask.mode)});
}

auto Search::collect_all(const Wanted& wanted, Known& known, Known& cache) -> Step {
  const Symbol claim = wanted.claim->name;
  const Symbol name = known.alternative->name;
  for (const Pool& pool : pools_) {
    if (pool.incomplete || pool.invalid) {
      return end(Code::error, {pool.incomplete ? Rule::device_pool_incomplete : Rule::device_pool_invalid,
                               operand(claim), operand(name), operand(pool.driver), operand(pool.name)});
    }
    for (std::size_t i = 0; i < offered_.size(); ++i) {
      if (offered_[i].pool != &pool) continue;
      const Fits fits = selectable(*wanted.claim, known, cache, i);
      if (fits == Fits::ended) return Step::ended;
      if (fits == Fits::yes && (!rules_.parts || room_for(*known.alternative, i))) known.all.push_back(i);
    }
  }
  known.count = static_cast<std::int64_t>(known.all.size());
  return Step::done;
}

// -- the search

auto Search::known(const At& at) -> Known& {
  return known_[first_known_[first_request_[at.claim] + at.request] + at.alternative];
}

auto Search::place(At at, bool chosen, std::size_t start) -> Step {
  if (++steps_ > kMostSteps) {
    doubt(Doubt::too_long);
    return Step::ended;
  }
  if (at.claim >= claims_.size()) return Step::done;
  if (at.request >= claims_[at.claim].requests.size()) {
    const Step step = place({.claim = at.claim + 1}, false, 0);
    return step == Step::over_limit ? Step::none : step;
  }
  if (request(at).alternatives.empty()) return Step::none;
  if (!chosen && request(at).has_alternatives) return place_alternatives(at);
  const Known& wanted = known(at);
  const bool all = cluster_.text(wanted.alternative->ask.mode) == "All";
  if (all && wanted.all.empty()) return Step::none;
  if (at.device >= wanted.count) return place({.claim = at.claim, .request = at.request + 1}, false, 0);
  if (results_[at.claim] + wanted.count - at.device > kMostResults) return Step::over_limit;
  return all ? place_all(at, chosen) : place_some(at, chosen, start);
}

auto Search::place_alternatives(At at) -> Step {
  bool all_over_limit = true;
  for (at.alternative = 0; at.alternative < request(at).alternatives.size(); ++at.alternative) {
    const Step step = place(at, true, 0);
    if (step == Step::over_limit) continue;
    all_over_limit = false;
    if (step != Step::none) return step;
  }
  return all_over_limit ? Step::over_limit : Step::none;
}

auto Search::place_all(const At& at, bool chosen) -> Step {
  Taken taken;
  const Fits fits = take(at, known(at).all[static_cast<std::size_t>(at.device)], true, taken);
  if (fits != Fits::yes) return fits == Fits::ended ? Step::ended : Step::none;
  At next = at;
  ++next.device;
  if (!rules_.in_order) next.alternative = 0;  // before 1.36 it continues with the first alternative
  const Step step = place(next, chosen, 0);
  step == Step::done ? choose(at, taken.device) : give_back(at, taken);
  return step;
}

auto Search::place_some(const At& at, bool chosen, std::size_t start) -> Step {
  const Alternative& alternative = *known(at).alternative;
  const PlannedClaim& claim = *claims_[at.claim].claim;
  for (std::size_t i = start; i < offered_.size(); ++i) {
    ++steps_;
    if (offered_[i].device == nullptr) {
      if (how_.past_faults) continue;
      return end(Code::error,
                 {Rule::device_pool_reached, operand(offered_[i].pool->name), operand(offered_[i].pool->twice)});
    }
    if (alternative.admin() ? (holders_[i] >> at.claim & 1U) != 0 : in_use(i)) continue;
    const Fits fits = selectable(claim, known(at), known(at), i);
    if (fits == Fits::ended) return Step::ended;
    if (fits == Fits::no || (rules_.parts && !room_for(alternative, i))) continue;
    Taken taken;
    const Fits took = take(at, i, false, taken);
    if (took == Fits::ended) return Step::ended;
    if (took == Fits::no) continue;
    At next = at;
    ++next.device;
    const Step step = place(next, chosen, how_.combinations ? i + 1 : 0);
    if (step == Step::done) {
      choose(at, i);
      return step;
    }
    give_back(at, taken);
    if (step != Step::none) return step;
  }
  return Step::none;
}

// -- selectors

auto Search::selectable(const PlannedClaim& claim, const Known& known, Known& cache, std::size_t device) -> Fits {
  const DeviceFacts& facts = offered_[device].device->facts();
  if (!rules_.binding && !facts.binding_conditions.empty()) return Fits::no;
  char& remembered = cache.selected[device];
  if (remembered != 0) return remembered == 2 ? Fits::yes : Fits::no;
  const Fits fits = selected(claim, known, device);
  if (fits != Fits::ended) remembered = fits == Fits::yes ? 2 : 1;
  return fits;
}

auto Search::selected(const PlannedClaim& claim, const Known& known, std::size_t device) -> Fits {
  const Alternative& alternative = *known.alternative;
  Fits fits = passes(claim, alternative.class_selectors, device);
  if (fits == Fits::yes) fits = passes(claim, alternative.selectors, device);
  if (fits != Fits::yes || !offered_[device].slice->spec.per_device.value_or(false)) return fits;
  const auto here = reaches(cluster_, offered_[device].device->facts(), node_);
  if (!here) return doubt(Doubt::node_selector);
  return *here ? Fits::yes : Fits::no;
}

auto Search::passes(const PlannedClaim& claim, const std::vector<PlannedSelector>& selectors, std::size_t device)
    -> Fits {
  for (const PlannedSelector& selector : selectors) {
    if (!selector.expression) return doubt(Doubt::selector);
    if (!selector.expression->beyond().empty()) {
      found_.place = selector.place;
      return doubt(Doubt::expression);
    }
    const cel::Candidate candidate{cluster_.text(offered_[device].slice->spec.driver), offered_[device].device->facts(),
                                   cluster_.symbols()};
    const auto answer = selector.expression->matches(candidate);
    if (answer.fault) return fault(claim, selector.place, device, *answer.fault);
    if (!answer.matches) return Fits::no;
  }
  return Fits::yes;
}

auto Search::fault(const PlannedClaim& claim, const SelectorPlace& place, std::size_t device, const cel::Fault& why)
    -> Fits {
  using Kind = cel::Fault::Kind;
  const std::int64_t what = operand(why.what);
  const auto at = static_cast<std::int64_t>(place.selector);
  if (why.kind == Kind::not_modelled) {
    found_.place = place;
    return doubt(Doubt::expression);
  }
  if (how_.past_faults) return Fits::no;
  const bool of_class = place.device_class != nullptr;
  const std::int64_t owner = of_class ? operand(place.device_class->meta.name) : operand(claim.name);
  const std::int64_t on = place_of(device).operand();
  switch (why.kind) {
    case Kind::no_such_key:
      end(Code::error, {of_class ? Rule::class_selector_key : Rule::claim_selector_key, owner, at, what, on});
      break;
    case Kind::no_such_overload:
      end(Code::error, {of_class ? Rule::class_selector_overload : Rule::claim_selector_overload, owner, at, 0, on});
      break;
    case Kind::attribute_value:
      end(Code::error,
          {of_class ? Rule::class_selector_attribute : Rule::claim_selector_attribute, owner, at, what, on});
      break;
    default:
      end(Code::error, {of_class ? Rule::class_selector_failure : Rule::claim_selector_failure, owner, at,
                        static_cast<std::int64_t>(why.kind), on});
      break;
  }
  return Fits::ended;
}

auto Search::place_of(std::size_t device) const -> DevicePlace {
  const Offered& offered = offered_[device];
  const auto slice = offered.slice - cluster_.objects().resource_slices.data();
  const auto place = offered.device - offered.slice->spec.devices.begin();
  return {static_cast<std::uint32_t>(slice), static_cast<std::uint32_t>(place)};
}

auto Search::any_fault() -> bool {
  const Found before = found_;
  bool any = std::any_of(offered_.begin(), offered_.end(), [](const Offered& o) { return o.device == nullptr; });
  for (std::size_t c = 0; c < claims_.size() && !any; ++c) {
    for (const PlannedRequest* request : claims_[c].requests) {
      for (const Alternative& alternative : request->alternatives) {
        const Known known{&alternative, 0, {}, {}};
        for (std::size_t i = 0; i < offered_.size() && !any; ++i)
          any = selected(*claims_[c].claim, known, i) == Fits::ended;
      }
    }
  }
  found_ = before;
  return any;
}

auto Search::end(Code code, const Reason& reason) -> Step {
  found_.code = code;
  found_.reason = reason;
  return Step::ended;
}

auto Search::doubt(Doubt why) -> Fits {
  found_.code = Code::success;
  found_.doubt = why;
  return Fits::ended;
}

// Returns the request that has too few devices by itself; if there is none, the requests cannot be satisfied together.
auto Search::shortage() -> Reason {
  if (std::any_of(pools_.begin(), pools_.end(), [](const Pool& pool) { return pool.invalid; }))
    return {Rule::devices_in_invalid_pools};
  for (std::size_t c = 0; c < claims_.size(); ++c) {
    for (std::size_t r = 0; r < claims_[c].requests.size(); ++r) {
      const PlannedRequest& wanted = *claims_[c].requests[r];
      if (wanted.alternatives.size() != 1) continue;
      const Known& known = known_[first_known_[first_request_[c] + r]];
      const bool first = c == 0 && r == 0;
      const bool looked_at = std::any_of(known.selected.begin(), known.selected.end(), [](char s) { return s != 0; });
      if (!first && !looked_at) return {Rule::devices_not_together, operand(claims_[0].claim->name)};
      std::int64_t free = 0;
      for (std::size_t i = 0; i < offered_.size(); ++i) {
        if (known.selected[i] == 2 && (known.alternative->admin() || !in_use(i))) ++free;
      }
      const bool all = cluster_.text(known.alternative->ask.mode) == "All";
      if (!all && free < known.count)
        return {Rule::devices_short, operand(claims_[c].claim->name), operand(wanted.name), known.count, free};
    }
  }
  return {Rule::devices_not_together, operand(claims_[0].claim->name)};
}

// NOLINTEND(misc-no-recursion)
}  // namespace previct::kube::devices
