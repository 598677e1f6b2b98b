#include "engine/kai/actions/failed_jobs.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <span>

namespace previct::kai {
namespace {

// Writes a symbol as its number; signatures are only compared within one run.
void put(std::string& out, Symbol symbol) {
  std::array<char, std::numeric_limits<std::uint32_t>::digits10 + 1> digits{};
  out.append(digits.data(), std::to_chars(digits.begin(), digits.end(), symbol.index).ptr);
  out += ',';
}

void put(std::string& out, std::span<const Symbol> symbols) {
  for (const Symbol symbol : symbols) put(out, symbol);
  out += ';';
}

void put(std::string& out, const SymbolMap& map) {
  std::vector<SymbolMap::Entry> entries(map.begin(), map.end());
  std::sort(entries.begin(), entries.end());
  for (const auto& [key, value] : entries) {
    put(out, key);
    put(out, value);
  }
  out += ';';
}

void put(std::string& out, const std::vector<Requirement>& requirements) {
  for (const Requirement& r : requirements) {
    put(out, r.key);
    put(out, r.operator_text);
    put(out, r.values);
  }
  out += ';';
}

void put(std::string& out, const NodeSelectorTerm& term) {
  put(out, term.match_expressions);
  put(out, term.match_fields);
}

void put(std::string& out, const std::optional<LabelSelector>& selector) {
  out += selector ? '+' : '-';
  if (!selector) return;
  put(out, selector->match_labels);
  put(out, selector->match_expressions);
}

void put(std::string& out, const PodAffinityTerm& term) {
  put(out, term.topology_key);
  put(out, term.selector);
  put(out, term.namespaces);
  put(out, term.namespace_selector);
  put(out, term.match_label_keys);
  put(out, term.mismatch_label_keys);
}

void put(std::string& out, const PodAffinitySpec& affinity) {
  for (const PodAffinityTerm& term : affinity.required) put(out, term);
  out += ';';
  for (const WeightedPodAffinityTerm& each : affinity.preferred) {
    out += fmt::format("{}:", each.weight);
    put(out, each.term);
  }
  out += ';';
}

void put(std::string& out, const TopologyTerm& term) {
  if (term.given) out += fmt::format("{}:{}:{}", term.topology, term.required, term.preferred);
  out += '|';
}

// Returns the inner nodes above a pod set, the nearest first.
auto above_set(const SubGroupTree* tree, std::uint32_t set) -> std::vector<std::uint32_t> {
  std::vector<std::uint32_t> above;
  for (std::size_t i = tree == nullptr ? 0 : tree->inners.size(); i-- > 0;) {
    const SubGroupTree::Inner& inner = tree->inners[i];
    const bool holds = above.empty()
                           ? std::find(inner.sets.begin(), inner.sets.end(), set) != inner.sets.end()
                           : std::find(inner.inners.begin(), inner.inners.end(), above.back()) != inner.inners.end();
    if (holds) above.push_back(static_cast<std::uint32_t>(i));
  }
  return above;
}

auto constraints(const Pod& pod) -> std::string {
  const PodSpec& spec = pod.spec;
  std::string out;
  put(out, spec.node_selector);
  out += spec.affinity.given ? '+' : '-';
  if (spec.affinity.node.required) {
    for (const NodeSelectorTerm& term : spec.affinity.node.required->terms) put(out, term);
  }
  out += '|';
  for (const WeightedNodeTerm& each : spec.affinity.node.preferred_terms()) {
    out += fmt::format("{}:", each.weight);
    put(out, each.term);
  }
  out += '|';
  put(out, spec.affinity.pod);
  put(out, spec.affinity.pod_anti);
  for (const TaintToleration& t : spec.tolerations) {
    for (const Symbol part : {t.key, t.op, t.value, t.effect}) put(out, part);
  }
  out += '|';
  put(out, spec.priority_class_name);
  out += fmt::format("{}{}|", spec.has_priority ? "=" : "-", spec.priority);
  for (const TopologySpreadConstraint& c : spec.topology_spread) {
    put(out, c.topology_key);
    put(out, c.when_unsatisfiable);
    put(out, c.node_affinity_policy);
    put(out, c.node_taints_policy);
    out += fmt::format("{}:{}:", c.max_skew, c.min_domains.value_or(0));
    put(out, c.selector);
    put(out, c.match_label_keys);
  }
  for (const Container& c : spec.containers) {
    for (const ContainerPort& port : c.ports) out += fmt::format("p{},", port.host_port);
  }
  for (const Container& c : spec.init_containers) {
    for (const ContainerPort& port : c.ports) out += fmt::format("p{},", port.host_port);
  }
  for (const Volume& volume : spec.volumes) {
    const bool counts = volume.is_storage() || volume.disk.kind != DiskKind::none || !volume.projected.sources.empty();
    if (!counts) continue;  // ConfigMaps and Secrets
    put(out, volume.claim.claim_name ? volume.name : Symbol{});
    put(out, volume.claim.claim_name);
    out += fmt::format("{}{}{}:", volume.ephemeral, static_cast<int>(volume.disk.kind), volume.disk.read_only);
    put(out, volume.disk.id);
    put(out, volume.disk.pool);
    for (const ProjectedSource& source : volume.projected.sources) put(out, source.config_map.name);
  }
  return out;
}

}  // namespace

auto Cycle::Signatures::of(GroupId id) -> std::uint32_t {
  std::uint32_t& number = known_[id];
  if (number == kUnknown)
    number = numbers_.try_emplace(text_of(id), static_cast<std::uint32_t>(numbers_.size())).first->second;
  return number;
}

auto Cycle::Signatures::text_of(GroupId id) const -> std::string {
  const Group& group = cluster_info_.group(id);
  const SubGroupTree* tree = cluster_info_.sub_groups(group);
  std::vector<std::string> sets;
  for (std::uint32_t i = 0; i < group.sets; ++i) {
    std::vector<std::string> pods;
    for (const TaskId task : cluster_info_.tasks_of(group.set(i))) {
      const Status status = cluster_info_.task(task).status;
      // Upstream keeps only the name of a pod that has succeeded.
      const Pod& pod = cluster_info_.cluster().pod(cluster_info_.task(task).pod);
      if (!kActiveAllocated.has(status)) pods.push_back(constraints(status == Status::succeeded ? Pod() : pod));
    }
    std::sort(pods.begin(), pods.end());
    std::string set;
    if (!pods.empty()) {
      put(set, cluster_info_.sets()[group.set(i)].topology);
      for (const std::uint32_t above : above_set(tree, i)) put(set, tree->inners[above].topology);
      if (tree == nullptr) put(set, TopologyTerm());  // a set of a group without subGroups also has a root above it
    }
    for (const std::string& pod : pods) set += pod + "\n";
    sets.push_back(std::move(set));
  }
  std::sort(sets.begin(), sets.end());
  std::string text;
  for (const std::string& set : sets) text += set + "\n\n";
  return text;
}

// Returns the requests of its pending tasks, the smallest first: by GPUs, then cpu, then memory, then everything else.
auto Cycle::Failures::pending_requests(GroupId id) const -> std::vector<const double*> {
  const Group& group = cluster_info_.group(id);
  std::vector<const double*> requests;
  for (std::uint32_t i = 0; i < group.sets; ++i) {
    for (const TaskId task : cluster_info_.tasks_of(group.set(i))) {
      if (session_.status(task) == Status::pending) requests.push_back(cluster_info_.request(task));
    }
  }
  std::stable_sort(requests.begin(), requests.end(), [&](const double* a, const double* b) {
    constexpr double kGpuWeight = 1e9;
    const double x = a[kCpu] + a[kGpu] * kGpuWeight;
    const double y = b[kCpu] + b[kGpu] * kGpuWeight;
    if (x != y) return x < y;
    if (a[kMemory] != b[kMemory]) return a[kMemory] < b[kMemory];
    return std::lexicographical_compare(a, a + cluster_info_.dims(), b, b + cluster_info_.dims());
  });
  return requests;
}

auto Cycle::Failures::no_more(const double* a, const double* b) const -> bool {
  return std::equal(a, a + cluster_info_.dims(), b, [](double x, double y) { return x <= y; });
}

auto Cycle::Failures::worth_trying(GroupId group) const -> bool {
  const auto failed = by_signature_.find(signatures_.of(group));
  if (failed == by_signature_.end()) return true;
  const std::vector<const double*> ours = pending_requests(group);
  const std::vector<const double*> theirs = pending_requests(failed->second);
  if (ours.empty() || theirs.empty()) return false;
  if (theirs.size() > ours.size()) return true;
  for (std::size_t i = 0; i < theirs.size(); ++i) {
    if (!no_more(ours[i], theirs[i])) continue;
    if (!no_more(theirs[i], ours[i])) return true;
  }
  return false;
}

void Cycle::Failures::remember(GroupId group) {
  const auto [failed, is_new] = by_signature_.try_emplace(signatures_.of(group), group);
  if (is_new) return;
  const std::vector<const double*> ours = pending_requests(group);
  const std::vector<const double*> theirs = pending_requests(failed->second);
  if (ours.empty() || theirs.empty() || ours.size() > theirs.size()) return;
  for (std::size_t i = 0; i < ours.size(); ++i) {
    if (!no_more(ours[i], theirs[i])) return;
  }
  failed->second = group;
}

}  // namespace previct::kai
