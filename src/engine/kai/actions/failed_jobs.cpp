#include "engine/kai/actions/failed_jobs.h"

#include <algorithm>
#include <array>
#include <bit>
#include <span>
#include <string_view>

namespace previct::kai {
namespace {

// Signatures are only compared within one run, so that a symbol is written as its number. All numbers have the width of
// their type, and a list begins with its length: no two different values have the same signature.
template <typename Number>
void put_number(std::string& out, Number number) {
  const auto bytes = std::bit_cast<std::array<char, sizeof(Number)>>(number);
  out.append(bytes.begin(), bytes.end());
}

void put(std::string& out, Symbol symbol) {
  put_number(out, symbol.index);
}

template <typename List, typename Put>
void put_list(std::string& out, const List& list, const Put& put_each) {
  put_number(out, list.size());
  for (const auto& each : list) put_each(each);
}

void put(std::string& out, std::span<const Symbol> symbols) {
  put_list(out, symbols, [&](Symbol symbol) { put(out, symbol); });
}

void put(std::string& out, const SymbolMap& map) {
  std::vector<SymbolMap::Entry> entries(map.begin(), map.end());
  std::sort(entries.begin(), entries.end());
  put_list(out, entries, [&](const SymbolMap::Entry& entry) {
    put(out, entry.first);
    put(out, entry.second);
  });
}

void put(std::string& out, const std::vector<Requirement>& requirements) {
  put_list(out, requirements, [&](const Requirement& r) {
    put(out, r.key);
    put(out, r.operator_text);
    put(out, r.values);
  });
}

void put(std::string& out, const NodeSelectorTerm& term) {
  put(out, term.match_expressions);
  put(out, term.match_fields);
}

void put(std::string& out, const std::optional<LabelSelector>& selector) {
  put_number(out, selector.has_value());
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
  put_list(out, affinity.required, [&](const PodAffinityTerm& term) { put(out, term); });
  put_list(out, affinity.preferred, [&](const WeightedPodAffinityTerm& each) {
    put_number(out, each.weight);
    put(out, each.term);
  });
}

void put(std::string& out, std::string_view text) {
  put_number(out, text.size());
  out += text;
}

void put(std::string& out, const TopologyTerm& term) {
  put_number(out, term.given);
  if (!term.given) return;
  for (const std::string_view part : {term.topology, term.required, term.preferred}) put(out, part);
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

auto constraints(const Pod& pod, const Release& release) -> std::string {
  const PodSpec& spec = pod.spec;
  std::string out;
  const auto put_int32 = [&](std::int32_t number) {
    constexpr std::int32_t kLowestByte = 0xff;
    put_number(out, release.has(Change::signatures_of_whole_numbers) ? number : number & kLowestByte);
  };
  put(out, spec.node_selector);
  put_number(out, spec.affinity.given);
  static const std::vector<NodeSelectorTerm> none;
  put_list(out, spec.affinity.node.required ? spec.affinity.node.required->terms : none,
           [&](const NodeSelectorTerm& term) { put(out, term); });
  put_list(out, spec.affinity.node.preferred_terms(), [&](const WeightedNodeTerm& each) {
    put_number(out, each.weight);
    put(out, each.term);
  });
  put(out, spec.affinity.pod);
  put(out, spec.affinity.pod_anti);
  put_list(out, spec.tolerations, [&](const TaintToleration& t) {
    for (const Symbol part : {t.key, t.op, t.value, t.effect}) put(out, part);
  });
  put(out, spec.priority_class_name);
  put_number(out, spec.has_priority);
  put_int32(spec.priority);
  put_list(out, spec.topology_spread, [&](const TopologySpreadConstraint& c) {
    put(out, c.topology_key);
    put(out, c.when_unsatisfiable);
    put(out, c.node_affinity_policy);
    put(out, c.node_taints_policy);
    put_number(out, c.max_skew);
    put_number(out, c.min_domains.value_or(0));
    put(out, c.selector);
    put(out, c.match_label_keys);
  });
  std::vector<std::int32_t> host_ports;
  for (const auto* const containers : {&spec.containers, &spec.init_containers}) {
    for (const Container& c : *containers) {
      for (const ContainerPort& port : c.ports) host_ports.push_back(port.host_port);
    }
  }
  put_list(out, host_ports, put_int32);
  for (const Volume& volume : spec.volumes) {
    const bool counts = volume.is_storage() || volume.disk.kind != DiskKind::none || !volume.projected.sources.empty();
    if (!counts) continue;  // ConfigMaps and Secrets
    put(out, volume.claim.claim_name ? volume.name : Symbol{});
    put(out, volume.claim.claim_name);
    put_number(out, volume.ephemeral);
    put_number(out, volume.disk.kind);
    put_number(out, volume.disk.read_only);
    put(out, volume.disk.id);
    put(out, volume.disk.pool);
    put_list(out, volume.projected.sources, [&](const ProjectedSource& source) { put(out, source.config_map.name); });
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
  const Release& release = cluster_info_.settings().running.release;
  const Group& group = cluster_info_.group(id);
  const SubGroupTree* tree = cluster_info_.sub_groups(group);
  std::vector<std::string> sets;
  for (std::uint32_t i = 0; i < group.sets; ++i) {
    std::vector<std::string> pods;
    for (const TaskId task : cluster_info_.tasks_of(group.set(i))) {
      const Status status = cluster_info_.task(task).status;
      // Upstream keeps only the name of a pod that has succeeded.
      const Pod& pod = cluster_info_.cluster().pod(cluster_info_.task(task).pod);
      if (!kActiveAllocated.has(status))
        pods.push_back(constraints(status == Status::succeeded ? Pod() : pod, release));
    }
    std::sort(pods.begin(), pods.end());
    std::string& set = sets.emplace_back();
    if (pods.empty()) continue;
    put(set, cluster_info_.sets()[group.set(i)].topology);
    std::vector<TopologyTerm> above;
    for (const std::uint32_t inner : above_set(tree, i)) above.push_back(tree->inners[inner].topology);
    if (tree == nullptr) above.emplace_back();  // a set of a group without subGroups also has a root above it
    put_list(set, above, [&](const TopologyTerm& term) { put(set, term); });
    for (const std::string& pod : pods) put(set, pod);
  }
  std::sort(sets.begin(), sets.end());
  std::string text;
  for (const std::string& set : sets) put(text, set);
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
