#include "engine/kueue/requests.h"

#include "api/fields.h"
#include "base/text.h"
#include "cluster/pod_request.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

namespace previct::kueue {
namespace {

// Merges two lists; the first one takes precedence for resources that both have.
void keep_first(ResourceList& list, const ResourceList& more) {
  for (const auto& [name, quantity] : more) {
    if (!list.get(name)) list.set(name, quantity);
  }
}

template <class Pick>
auto picked(const ResourceList& a, const ResourceList& b, Pick pick) -> ResourceList {
  ResourceList out = a;
  for (const auto& [name, quantity] : b) {
    const auto same = out.get(name);
    out.set(name, same ? pick(*same, quantity) : quantity);
  }
  return out;
}
auto lowest(const ResourceList& a, const ResourceList& b) -> ResourceList {
  return picked(a, b, [](Quantity x, Quantity y) { return std::min(x, y); });
}
auto highest(const ResourceList& a, const ResourceList& b) -> ResourceList {
  return picked(a, b, [](Quantity x, Quantity y) { return std::max(x, y); });
}

// The product, rounded up to a nano-unit as in quantities, and at most the largest quantity.
auto product(Quantity a, Quantity b) -> Quantity {
  constexpr __int128 kNano = 1'000'000'000;
  constexpr __int128 kMost = static_cast<__int128>(INT64_MAX) * kNano;
  const auto about = static_cast<long double>(a.nanos()) * static_cast<long double>(b.nanos()) / 1e9L;
  if (about >= static_cast<long double>(kMost)) return Quantity::of_nanos(kMost);
  if (about <= -static_cast<long double>(kMost)) return Quantity::of_nanos(-kMost);
  const __int128 rest = b.nanos() % kNano;
  const __int128 fine = a.nanos() % kNano * rest;
  return Quantity::of_nanos(a.nanos() * (b.nanos() / kNano) + a.nanos() / kNano * rest + fine / kNano +
                            (fine % kNano > 0 ? 1 : 0));
}

auto aggregated(std::string_view what, const std::vector<std::string>& errors) -> std::string {
  std::vector<std::string> different;
  for (const std::string& error : errors) {
    if (std::find(different.begin(), different.end(), error) == different.end()) different.push_back(error);
  }
  if (different.empty()) return {};
  if (different.size() == 1) return fmt::format("{}: {}", what, different.front());
  return fmt::format("{}: [{}]", what, joined(different, ", "));
}

}  // namespace

auto count_of(const PodSet& set) -> std::int64_t {
  return set.count.value_or(1);
}

auto name_of(const PodSet& set, const Snapshot& cluster) -> std::string_view {
  return set.name ? cluster.text(set.name) : std::string_view("main");
}

auto counts_after_reclaim(const Workload& workload, const Settings& settings) -> std::vector<std::int64_t> {
  std::vector<std::int64_t> counts;
  for (const PodSet& set : workload.spec.pod_sets) {
    std::int64_t gone = 0;
    for (const ReclaimablePods& each : workload.status.reclaimable_pods) {
      if (each.name == set.name && settings.gates.reclaimable_pods) gone = each.count;
    }
    counts.push_back(count_of(set) - std::min<std::int64_t>(gone, count_of(set)));
  }
  return counts;
}

auto RequestReader::runtime_class(Symbol name) const -> const RuntimeClass* {
  const auto& all = cluster_.objects().runtime_classes;
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const RuntimeClass& each) { return each.meta.name == name; });
  return found == all.end() ? nullptr : &*found;
}

auto RequestReader::missing_runtime_class(const Workload& workload) const -> std::string_view {
  for (const PodSet& set : workload.spec.pod_sets) {
    const PodSpec& spec = set.pod_template.spec;
    if (spec.runtime_class_name && spec.overhead.empty() && runtime_class(spec.runtime_class_name) == nullptr)
      return cluster_.text(spec.runtime_class_name);
  }
  return {};
}

auto RequestReader::bounds(Symbol ns, std::string_view type) const -> Bounds {
  Bounds all;
  for (const LimitRange& range : cluster_.objects().limit_ranges) {
    if (range.meta.ns != ns) continue;
    for (const LimitRangeItem& item : range.spec.limits) {
      if (cluster_.text(item.type) != type) continue;
      all.given = true;
      keep_first(all.default_limit, item.default_limit);
      keep_first(all.default_request, item.default_request);
      all.max = lowest(all.max, item.max);
      all.min = highest(all.min, item.min);
    }
  }
  return all;
}

auto RequestReader::adjusted(const PodSet& set, Symbol ns) const -> PodSpec {
  const PodSpec& given = set.pod_template.spec;
  PodSpec spec = given;
  if (given.runtime_class_name && spec.overhead.empty()) {
    if (const RuntimeClass* const of = runtime_class(given.runtime_class_name)) spec.overhead = of->overhead.pod_fixed;
  }
  const bool ranges = !cluster_.objects().limit_ranges.empty();
  const Bounds of_containers = ranges ? bounds(ns, "Container") : Bounds{};
  const Bounds of_pods = ranges ? bounds(ns, "Pod") : Bounds{};
  const auto fill = [](ResourceRequirements& needs, const Bounds& with) {
    keep_first(needs.limits, with.default_limit);
    keep_first(needs.requests, with.default_request);
    keep_first(needs.requests, needs.limits);
  };
  const auto fill_all = [&](SharedList<Container>& containers) {
    const auto& each_of = std::as_const(containers);
    const bool needed = of_containers.given || std::any_of(each_of.begin(), each_of.end(), [](const Container& each) {
                          return !each.resources.limits.empty();
                        });
    if (!needed) return;
    for (Container& container : containers) fill(container.resources, of_containers);
  };
  fill_all(spec.init_containers);
  fill_all(spec.containers);
  if (spec.resources) fill(*spec.resources, of_pods);
  return spec;
}

auto RequestReader::request_of_pod(const PodSpec& spec) const -> ResourceList {
  Pod pod;
  pod.spec = spec;
  return pod_request(cluster_, pod, RequestOf::incoming);
}

auto RequestReader::transformed(const ResourceList& requests) const -> Transformed {
  const auto rule_of = [&](Symbol resource) -> const ResourceTransformation* {
    const auto& all = settings_.transformations;
    const auto found = std::find_if(all.begin(), all.end(),
                                    [&](const ResourceTransformation& each) { return each.input == resource; });
    return found == all.end() ? nullptr : &*found;
  };
  if (std::none_of(requests.begin(), requests.end(), [&](const auto& each) { return rule_of(each.first) != nullptr; }))
    return {requests, {}};
  const bool sums = sums_transformations(settings_.release);
  const bool rounds = rounds_transformed(settings_.release);
  const auto times_whole = [&](Quantity a, Quantity b) { return product(a, rounds ? Quantity::of(b.value()) : b); };
  ResourceList retained;
  ResourceList generated;
  std::vector<Symbol> from_others;
  for (const auto& [name, quantity] : requests) {
    const ResourceTransformation* const rule = rule_of(name);
    if (rule == nullptr) {
      retained.set(name, quantity);
      continue;
    }
    const std::optional<Quantity> factor = rule->multiply_by ? requests.get(rule->multiply_by) : std::nullopt;
    const Quantity input = factor ? times_whole(quantity, *factor) : quantity;
    const bool retains = cluster_.text(rule->strategy) != "Replace";
    for (const auto& [output, of_one] : rule->outputs) {
      // Until the fix, the retained input overwrites what it generates of itself.
      if (!sums && retains && output == name) continue;
      const Quantity generates = times_whole(of_one, input);
      generated.add(output, generates);
      if (output != name && generates != Quantity()) from_others.push_back(output);
    }
    if (retains) retained.set(name, sums ? quantity : input);
  }
  Transformed found{retained, {}};
  for (const auto& [name, quantity] : generated) {
    const bool allowance = sums && quantity < Quantity();
    found.requests.add(name, allowance ? Quantity() : quantity);
    const bool in_any_order =
        sums || !retained.get(name) || std::find(from_others.begin(), from_others.end(), name) == from_others.end();
    if (!in_any_order) found.by_chance.push_back(name);
  }
  return found;
}

auto RequestReader::requests_of(const Workload& workload) const -> std::vector<PodSetRequest> {
  const std::vector<std::int64_t> counts = counts_after_reclaim(workload, settings_);
  std::vector<PodSetRequest> sets;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const PodSet& set = workload.spec.pod_sets[i];
    ResourceList kept;
    for (const auto& [name, quantity] : request_of_pod(adjusted(set, workload.meta.ns))) {
      const std::string_view text = cluster_.text(name);
      const bool excluded = std::any_of(settings_.excluded_prefixes.begin(), settings_.excluded_prefixes.end(),
                                        [&](const std::string& prefix) { return text.starts_with(prefix); });
      if (!excluded) kept.set(name, quantity);
    }
    PodSetRequest& request = sets.emplace_back(PodSetRequest{set.name, counts[i]});
    Transformed all = transformed(kept);
    if (counts[i] != 0) request.by_chance = std::move(all.by_chance);
    for (const auto& [name, quantity] : all.requests) {
      request.requests.push_back({name, times(request_amount(cluster_.text(name), quantity), counts[i])});
    }
    std::sort(request.requests.begin(), request.requests.end(), [&](const ResourceAmount& a, const ResourceAmount& b) {
      return cluster_.text(a.resource) < cluster_.text(b.resource);
    });
  }
  return sets;
}

// Returns the resources for which `a` exceeds `b`, formatted like Go; empty if there are none.
auto RequestReader::above(const ResourceList& a, const ResourceList& b) const -> std::string {
  std::set<std::string> names;
  for (const auto& [name, quantity] : a) {
    const auto bound = b.get(name);
    const std::string_view text = cluster_.text(name);
    if (bound && request_amount(text, quantity) > request_amount(text, *bound))
      names.insert(fmt::format("\"{}\"", text));
  }
  return names.empty() ? "" : fmt::format("[{}]", fmt::join(names, ","));
}

void RequestReader::out_of_bounds(const std::string& path, const ResourceList& low, const ResourceList& high,
                                  const Bounds& bounds, std::vector<std::string>& errors) const {
  if (const std::string names = above(high, bounds.max); !names.empty())
    errors.push_back(fmt::format("{}: Invalid value: {}: requests must not be above the limitRange max", path, names));
  if (const std::string names = above(bounds.min, low); !names.empty())
    errors.push_back(fmt::format("{}: Invalid value: {}: requests must not be below the limitRange min", path, names));
}

auto RequestReader::refusal(const Workload& workload) const -> std::string {
  std::vector<std::string> against_limits;
  std::vector<std::string> against_ranges;
  const bool ranges = !cluster_.objects().limit_ranges.empty();
  const Bounds of_containers = ranges ? bounds(workload.meta.ns, "Container") : Bounds{};
  const Bounds of_pods = ranges ? bounds(workload.meta.ns, "Pod") : Bounds{};
  for (std::size_t i = 0; i < workload.spec.pod_sets.size(); ++i) {
    const PodSpec spec = adjusted(workload.spec.pod_sets[i], workload.meta.ns);
    const std::string path = fmt::format("spec.podSets[{}].template.spec", i);
    const auto check = [&](const std::string& at, const ResourceRequirements& needs, bool of_container) {
      if (const std::string names = above(needs.requests, needs.limits); !names.empty())
        against_limits.push_back(fmt::format("{}: Invalid value: {}: requests must not exceed its limits", at, names));
      if (of_container && of_containers.given)
        out_of_bounds(at, lowest(needs.requests, needs.limits), highest(needs.requests, needs.limits), of_containers,
                      against_ranges);
    };
    for (std::size_t j = 0; j < spec.init_containers.size(); ++j)
      check(fmt::format("{}.initContainers[{}]", path, j), std::as_const(spec.init_containers)[j].resources, true);
    for (std::size_t j = 0; j < spec.containers.size(); ++j)
      check(fmt::format("{}.containers[{}]", path, j), std::as_const(spec.containers)[j].resources, true);
    if (spec.resources) check(path + ".resources", *spec.resources, false);
    if (of_pods.given) {
      const ResourceList total = request_of_pod(spec);
      out_of_bounds(path, total, total, of_pods, against_ranges);
    }
  }
  if (std::string words = aggregated("resources validation failed", against_limits); !words.empty()) return words;
  return aggregated("resources didn't satisfy LimitRange constraints", against_ranges);
}

auto RequestReader::shape_of(const Workload& workload) const -> std::string {
  std::string text;
  for (const PodSet& set : workload.spec.pod_sets) {
    const PodSpec spec = adjusted(set, workload.meta.ns);
    PodSpec shape;
    const auto copy = [](const SharedList<Container>& from, SharedList<Container>& to) {
      for (const Container& container : from) {
        Container bare;
        bare.resources.requests = container.resources.requests;
        bare.ports = container.ports;
        to.push_back(std::move(bare));
      }
    };
    copy(spec.init_containers, shape.init_containers);
    copy(spec.containers, shape.containers);
    shape.node_selector = spec.node_selector;
    shape.affinity = spec.affinity;
    shape.tolerations = spec.tolerations;
    shape.priority = spec.priority;
    shape.has_priority = spec.has_priority;
    shape.topology_spread = spec.topology_spread;
    shape.overhead = spec.overhead;
    shape.resource_claims = spec.resource_claims;
    if (spec.resources) shape.resources.emplace().requests = spec.resources->requests;
    text += fmt::format("{}\n{}\n{}\n", name_of(set, cluster_), set.min_count.value_or(-1),
                        cluster_.text(set.pod_template.spec.runtime_class_name));
    for (const auto& [field, value] : fields_of(shape, cluster_.symbols()))
      text += fmt::format("{}={}\n", field, value);
    if (set.topology) {
      const TopologyRequest& topology = *set.topology;
      text += fmt::format("topology {} {} {} {} {} {}\n", cluster_.text(topology.required),
                          cluster_.text(topology.preferred), cluster_.text(topology.group),
                          topology.unconstrained.value_or(false), cluster_.text(topology.slice_required),
                          topology.slice_size.value_or(0));
      for (const SliceConstraint& each : topology.slice_constraints)
        text += fmt::format("slices {} {}\n", cluster_.text(each.topology), each.size);
    }
  }
  return text;
}

}  // namespace previct::kueue
