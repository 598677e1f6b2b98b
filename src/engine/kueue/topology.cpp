#include "engine/kueue/topology.h"

#include "cluster/pod_request.h"
#include "cluster/snapshot.h"
#include "engine/kueue/amounts.h"

#include <algorithm>
#include <array>

namespace previct::kueue {
namespace {

constexpr std::string_view kHostName = "kubernetes.io/hostname";

auto is_ready(const Node& node, const Snapshot& cluster) -> bool {
  if (node.spec.unschedulable) return false;
  for (const NodeCondition& each : node.status.conditions) {
    if (cluster.text(each.type) == "Ready") return cluster.text(each.status) == "True";
  }
  return false;
}

auto capacity_of(const ResourceList& list, const Snapshot& cluster) -> Capacity {
  Capacity all;
  for (const auto& [name, quantity] : list) all.add(name, request_amount(cluster.text(name), quantity).value);
  return all;
}

// Pods with these annotations are placed by a topology assignment, which counts them.
auto is_placed_by_topology(const Pod& pod, const Snapshot& cluster) -> bool {
  constexpr std::array<std::string_view, 5> kAnnotations = {
      "kueue.x-k8s.io/podset-required-topology", "kueue.x-k8s.io/podset-preferred-topology",
      "kueue.x-k8s.io/podset-unconstrained-topology", "kueue.x-k8s.io/podset-slice-required-topology",
      "kueue.x-k8s.io/podset-slice-required-topology-constraints"};
  return std::any_of(kAnnotations.begin(), kAnnotations.end(), [&](std::string_view each) {
    const Symbol key = cluster.symbol(each);
    return key && pod.meta.annotations.has(key);
  });
}

}  // namespace

auto Capacity::of(Symbol resource) const -> std::int64_t {
  for (const auto& [name, amount] : amounts_) {
    if (name == resource) return amount;
  }
  return 0;
}

void Capacity::add(Symbol resource, std::int64_t amount) {
  for (auto& [name, so_far] : amounts_) {
    if (name != resource) continue;
    if (__builtin_add_overflow(so_far, amount, &so_far)) so_far = amount > 0 ? INT64_MAX : INT64_MIN;
    return;
  }
  amounts_.emplace_back(resource, amount);
}

void Capacity::add(const Capacity& more, std::int64_t times) {
  for (const auto& [name, amount] : more.amounts_) {
    std::int64_t product = 0;
    if (__builtin_mul_overflow(amount, times, &product)) product = (amount > 0) == (times > 0) ? INT64_MAX : INT64_MIN;
    add(name, product);
  }
}

auto Capacity::count(const Capacity& request, const Symbols& symbols) const -> std::pair<std::int64_t, Symbol> {
  std::pair<std::int64_t, Symbol> least{0, {}};
  for (const auto& [name, amount] : request.amounts_) {
    // Kueue keeps the quotient in 32 bits.
    const std::int64_t times = amount == 0 ? INT32_MAX : std::max(static_cast<std::int32_t>(of(name) / amount), 0);
    const bool sooner = least.second && times == least.first && symbols.text(name) < symbols.text(least.second);
    if (!least.second || times < least.first || sooner) least = {times, name};
  }
  return least;
}

TopologyFlavor::TopologyFlavor(const Snapshot& cluster, const ResourceFlavor& flavor, const Topology& topology)
    : cluster_(&cluster), flavor_(&flavor), topology_(&topology), by_level_(topology.spec.levels.size()) {
  for (const TopologyLevel& each : topology.spec.levels) levels_.push_back(each.node_label);
  lowest_is_node_ = !levels_.empty() && cluster.text(levels_.back()) == kHostName;
  if (levels_.empty()) return;
  std::unordered_map<std::uint32_t, LeafId> leaf_of_node;  // by name
  for (const NodeId id : cluster.nodes().ids()) {
    const Node& node = cluster.node(id);
    const SymbolMap& labels = node.meta.labels;
    const bool of_flavor = std::all_of(flavor.spec.node_labels.begin(), flavor.spec.node_labels.end(),
                                       [&](const auto& each) { return labels.get(each.first) == each.second; });
    const bool has_levels =
        std::all_of(levels_.begin(), levels_.end(), [&](Symbol level) { return labels.has(level); });
    if (!of_flavor || !has_levels) continue;
    if (!is_ready(node, cluster)) {
      ++unready_;
      continue;
    }
    add_node(node);
    std::vector<Symbol> values;
    for (const Symbol level : levels_) values.push_back(labels.get(level));
    leaf_of_node.emplace(node.meta.name.index, find_leaf(id_of(values)));
  }
  const Symbol pods = cluster.known().pods;
  for (const PodId id : cluster.pods().ids()) {
    const Pod& pod = cluster.pod(id);
    const auto at = leaf_of_node.find(pod.spec.node_name.index);
    if (!pod.spec.node_name || at == leaf_of_node.end() || cluster.finished(id) || is_placed_by_topology(pod, cluster))
      continue;
    Capacity& free = leaves_[at->second].free;
    for (const auto& [name, quantity] : pod_request(cluster, pod, RequestOf::incoming))
      free.add(name, -request_amount(cluster.text(name), quantity).value);
    free.add(pods, -1);
  }
}

auto TopologyFlavor::id_of(const std::vector<Symbol>& values) const -> std::string {
  if (values.empty()) return {};
  if (lowest_is_node_ && values.size() == levels_.size()) return std::string(cluster_->text(values.back()));
  std::string id(cluster_->text(values.front()));
  for (std::size_t i = 1; i < values.size(); ++i) {
    id += ',';
    id += cluster_->text(values[i]);
  }
  return id;
}

void TopologyFlavor::add_node(const Node& node) {
  std::vector<Symbol> values;
  for (const Symbol level : levels_) values.push_back(node.meta.labels.get(level));
  const std::string id = id_of(values);
  LeafId leaf = find_leaf(id);
  if (!leaf) {
    leaf = leaves_.add({.domain = domain_of(values), .node = lowest_is_node_ ? &node : nullptr});
    leaf_by_id_.emplace(id, leaf);
    domains_[leaves_[leaf].domain].leaf = leaf;
  }
  leaves_[leaf].free.add(capacity_of(node.status.allocatable, *cluster_));
}

auto TopologyFlavor::domain_of(const std::vector<Symbol>& values) -> DomainId {
  DomainId below;
  DomainId lowest;
  for (std::size_t count = values.size(); count > 0; --count) {
    const std::vector<Symbol> prefix(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(count));
    const bool is_leaf = count == levels_.size();
    const std::string id = id_of(prefix);
    const auto known = by_id_.find(id);
    const bool exists = !is_leaf && known != by_id_.end();
    const DomainId at =
        exists ? known->second
               : domains_.add({.id = id, .values = prefix, .level = static_cast<std::uint32_t>(count - 1)});
    if (below) {
      domains_[below].parent = at;
      domains_[at].children.push_back(below);
    }
    if (!lowest) lowest = at;
    if (exists) break;
    by_level_[count - 1].push_back(at);
    if (!is_leaf) by_id_.emplace(id, at);
    below = at;
  }
  return lowest;
}

auto TopologyFlavor::level_of(Symbol label) const -> std::optional<std::size_t> {
  const auto found = std::find(levels_.begin(), levels_.end(), label);
  if (!label || found == levels_.end()) return {};
  return static_cast<std::size_t>(found - levels_.begin());
}

auto TopologyFlavor::find_leaf(std::string_view id) const -> LeafId {
  const auto found = leaf_by_id_.find(std::string(id));
  return found == leaf_by_id_.end() ? LeafId{} : found->second;
}

auto TopologyFlavor::before(DomainId a, DomainId b) const -> bool {
  const std::vector<Symbol>& x = domains_[a].values;
  const std::vector<Symbol>& y = domains_[b].values;
  return std::lexicographical_compare(x.begin(), x.end(), y.begin(), y.end(), [&](Symbol one, Symbol other) {
    return cluster_->text(one) < cluster_->text(other);
  });
}

Topologies::Topologies(const Snapshot& cluster, bool enabled) {
  if (!enabled) return;
  for (const ResourceFlavor& flavor : cluster.objects().resource_flavors) {
    if (!flavor.spec.topology || find(flavor.meta.name) != nullptr) continue;
    for (const Topology& topology : cluster.objects().kueue_topologies) {
      if (topology.meta.name != flavor.spec.topology) continue;
      flavors_.emplace_back(cluster, flavor, topology);
      break;
    }
  }
}

auto Topologies::find(Symbol flavor) const -> const TopologyFlavor* {
  for (const TopologyFlavor& each : flavors_) {
    if (each.name() == flavor) return &each;
  }
  return nullptr;
}

TopologyState::TopologyState(const Topologies& topologies, bool overlapping)
    : topologies_(&topologies), overlapping_(overlapping) {
  for (const TopologyFlavor& each : topologies.all()) used_.emplace_back(each.leaves().size());
}

void TopologyState::add_to(std::size_t flavor, const TopologyUse& use, std::int64_t sign) {
  const LeafId leaf = topologies_->all()[flavor].find_leaf(use.domain);
  if (!leaf) return;  // its node is gone, or is not ready
  Capacity& used = used_[flavor][leaf];
  used.add(use.one_pod, sign * use.count);
}

void TopologyState::start_with(const TopologyUse& use) {
  const TopologyFlavor* const own = topologies_->find(use.flavor);
  if (own == nullptr) return;
  for (std::size_t i = 0; i < used_.size(); ++i) {
    const TopologyFlavor& each = topologies_->all()[i];
    if (&each == own || (overlapping_ && own->lowest_is_node() && each.lowest_is_node())) add_to(i, use, 1);
  }
}

void TopologyState::add(const TopologyUse& use, std::int64_t sign) {
  for (std::size_t i = 0; i < used_.size(); ++i) {
    if (topologies_->all()[i].name() == use.flavor) add_to(i, use, sign);
  }
}

auto TopologyState::left(const TopologyFlavor& flavor, LeafId leaf, bool without_workloads) const -> Capacity {
  Capacity left = flavor.leaves()[leaf].free;
  if (without_workloads) return left;
  const auto at = static_cast<std::size_t>(&flavor - topologies_->all().data());
  left.add(used_[at][leaf], -1);
  return left;
}

auto TopologyState::fits(const std::vector<TopologyUse>& uses, Symbol pods, const Symbols& symbols) const -> bool {
  return std::all_of(uses.begin(), uses.end(), [&](const TopologyUse& use) {
    const TopologyFlavor* const flavor = topologies_->find(use.flavor);
    const LeafId leaf = flavor == nullptr ? LeafId{} : flavor->find_leaf(use.domain);
    if (!leaf) return false;
    // Kueue does not count the pods themselves here.
    Capacity request;
    for (const auto& [name, amount] : use.one_pod) {
      if (name != pods) request.add(name, amount);
    }
    return left(*flavor, leaf, false).count(request, symbols).first >= use.count;
  });
}

}  // namespace previct::kueue
