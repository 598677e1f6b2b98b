#include "engine/kueue/placement.h"

#include "cluster/matching.h"
#include "cluster/snapshot.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <tuple>
#include <utility>

namespace previct::kueue {
namespace {

using Assumed = std::map<std::string, Capacity>;  // by domain

/// What a domain can hold; while pods are distributed, what it gets.
struct Room {
  std::int64_t pods = 0;
  std::int64_t slices = 0;
  std::int64_t pods_beside_leader = 0;
  std::int64_t slices_beside_leader = 0;
  std::int64_t leaders = 0;  ///< 0 or 1
};

auto only_slices(const TopologyRequest& request) -> bool {
  return !request.required && !request.preferred && !slices_of(request).empty();
}

/// Places the pods of one pod set, or of a group of two: workers, and one leader.
class Placer {
 public:
  Placer(const TopologyFlavor& flavor, const TopologyState& state, const PlacementRequest& workers,
         const PlacementRequest* leader, const Assumed& assumed, bool without_workloads, const PlacementRules& rules,
         const Snapshot& cluster)
      : flavor_(flavor),
        state_(state),
        workers_(workers),
        leader_(leader),
        assumed_(assumed),
        without_workloads_(without_workloads),
        cluster_(cluster),
        room_(flavor.domains().size()),
        count_(workers.count),
        leaders_(leader == nullptr ? 0 : 1) {
    const auto& request = workers.object->topology;
    required_ = request && request->required;
    unconstrained_ =
        (request && request->unconstrained.value_or(false)) || workers.implied || (request && only_slices(*request));
    least_free_ = unconstrained_ && rules.mixed;
  }

  auto run() -> std::optional<NoPlacement> {
    if (auto why = read_levels()) return why;
    fill_leaves();
    for (const DomainId root : flavor_.at_level(0)) fill_up(root);
    std::size_t level = level_;
    std::vector<DomainId> domains;
    if (auto why = find_level(level, domains)) return why;
    domains = distribute(domains, count_, leaders_, slice_size_, true);
    const std::size_t lowest = flavor_.levels().size() - 1;
    for (; level < std::min(lowest, slice_level_); ++level) {
      std::vector<DomainId> lower;
      for (const DomainId each : domains) {
        const auto& children = flavor_.domains()[each].children;
        lower.insert(lower.end(), children.begin(), children.end());
      }
      domains = distribute(sorted(lower), count_, leaders_, slice_size_, true);
    }
    for (; level < lowest; ++level) domains = distribute_below(domains, level);
    std::sort(domains.begin(), domains.end(), [&](DomainId a, DomainId b) { return flavor_.before(a, b); });
    for (const DomainId each : domains) {
      if (room_[each].pods > 0) placed_.push_back(in_domain(each, room_[each].pods));
      if (room_[each].leaders > 0) placed_leaders_.push_back(in_domain(each, room_[each].leaders));
    }
    return {};
  }

  [[nodiscard]] auto placed() const -> const std::vector<PlacedPods>& { return placed_; }
  [[nodiscard]] auto placed_leaders() const -> const std::vector<PlacedPods>& { return placed_leaders_; }

 private:
  [[nodiscard]] auto because(NoPlacement::Kind kind, Symbol level = {}, Symbol other = {}) const -> NoPlacement {
    NoPlacement why;
    why.kind = kind;
    why.topology = flavor_.topology();
    why.level = level;
    why.other_level = other;
    return why;
  }

  auto read_levels() -> std::optional<NoPlacement> {
    using Kind = NoPlacement::Kind;
    const auto& request = workers_.object->topology;
    const std::vector<SliceConstraint> slices = slices_of(request);
    if (!slices.empty()) slice_size_ = slices.front().size;
    if (slice_size_ <= 0) return because(Kind::slice_size);
    const std::vector<Symbol>& levels = flavor_.levels();
    Symbol key;
    if (request) {
      key = request->required                        ? request->required
            : request->preferred                     ? request->preferred
            : only_slices(*request)                  ? levels.front()
            : request->unconstrained.value_or(false) ? levels.back()
                                                     : Symbol{};
    }
    if (!key && workers_.implied) key = levels.back();
    if (!key) return because(Kind::level_not_given);
    const auto level = flavor_.level_of(key);
    if (!level) return because(Kind::no_level, key);
    level_ = *level;
    const Symbol slice_key = slices.empty() ? levels.back() : slices.front().topology;
    const auto slice_level = flavor_.level_of(slice_key);
    if (!slice_level) return because(Kind::no_slice_level, slice_key);
    slice_level_ = *slice_level;
    if (level_ > slice_level_) return because(Kind::slices_above, slice_key, key);
    std::int64_t size = slice_size_;
    std::size_t outer = slice_level_;
    for (std::size_t i = 1; i < slices.size(); ++i) {
      const auto inner = flavor_.level_of(slices[i].topology);
      if (!inner) return because(Kind::no_layer_level, slices[i].topology);
      if (*inner <= outer) return because(Kind::layer_order, slices[i].topology, levels[outer]);
      if (slices[i].size <= 0) return because(Kind::slice_size);
      if (size % slices[i].size != 0) {
        NoPlacement why = because(Kind::layer_size);
        why.fit = slices[i].size;
        why.wanted = size;
        return why;
      }
      for (std::size_t at = outer + 1; at <= *inner; ++at) size_at_level_[at] = slices[i].size;
      size = slices[i].size;
      outer = *inner;
    }
    if (slices.size() > 1) layers_ = slices;
    return {};
  }

  // Returns false if the pods cannot run on the node, and counts why.
  auto is_feasible(const Node& node) -> bool {
    const WellKnown& known = cluster_.known();
    const PodSpec& spec = *workers_.spec;
    for (const Taint& taint : node.spec.taints) {
      if (taint.effect != known.no_schedule && taint.effect != known.no_execute) continue;
      const std::span of_pod(spec.tolerations.begin(), spec.tolerations.size());
      if (tolerates(of_pod, taint, known, &cluster_.objects().symbols) ||
          tolerates(flavor_.flavor().spec.tolerations, taint, known, &cluster_.objects().symbols))
        continue;
      const std::string_view value = cluster_.text(taint.value);
      ++why_.taints[value.empty()
                        ? fmt::format("{}:{}", cluster_.text(taint.key), cluster_.text(taint.effect))
                        : fmt::format("{}={}:{}", cluster_.text(taint.key), value, cluster_.text(taint.effect))];
      return false;
    }
    for (const auto& [key, value] : spec.node_selector) {
      if (node.meta.labels.has(key) && node.meta.labels.get(key) == value) continue;
      ++why_.selector;
      return false;
    }
    const auto& affinity = spec.affinity.node.required;
    if (affinity && !matches(*affinity, node.meta.labels, node.meta.name, cluster_)) {
      ++why_.affinity;
      return false;
    }
    return true;
  }

  // How many pods each domain of the lowest level can hold.
  void fill_leaves() {
    const Symbols& symbols = cluster_.objects().symbols;
    why_.nodes = flavor_.leaves().size();
    why_.unready = flavor_.unready();
    for (const LeafId id : flavor_.leaves().ids()) {
      const TopologyFlavor::Leaf& leaf = flavor_.leaves()[id];
      if (leaf.node != nullptr && !is_feasible(*leaf.node)) continue;
      Capacity left = state_.left(flavor_, id, without_workloads_);
      const auto assumed = assumed_.find(flavor_.domains()[leaf.domain].id);
      if (assumed != assumed_.end()) left.add(assumed->second, -1);
      Room& room = room_[leaf.domain];
      Symbol scarce;
      std::tie(room.pods, scarce) = left.count(workers_.one_pod, symbols);
      if (room.pods == 0 && scarce) ++why_.resources[std::string(symbols.text(scarce))];
      if (leader_ != nullptr && left.count(leader_->one_pod, symbols).first > 0) {
        room.leaders = 1;
        left.add(leader_->one_pod, -1);
      }
      room.pods_beside_leader = left.count(workers_.one_pod, symbols).first;
    }
  }

  // Sums up what the domains below hold.
  void fill_up(DomainId id) {  // NOLINT(misc-no-recursion): as deep as a Topology has levels (kMostLevels)
    const TopologyFlavor::Domain& domain = flavor_.domains()[id];
    Room& room = room_[id];
    if (domain.children.empty()) {
      if (domain.level == slice_level_) in_slices(room);
      return;
    }
    const auto inner = size_at_level_.find(domain.level + 1);
    Room sum;
    std::int64_t least_pods = INT32_MAX;
    std::int64_t least_slices = INT32_MAX;
    bool any = false;
    for (const DomainId child : domain.children) {
      fill_up(child);
      const Room& of = room_[child];
      const std::int64_t size = inner == size_at_level_.end() ? 1 : inner->second;
      const std::int64_t pods = of.pods / size * size;
      const std::int64_t beside = of.pods_beside_leader / size * size;
      sum.pods += pods;
      sum.slices += of.slices;
      if (leaders_ == 0 || of.leaders > 0) {
        any = true;
        least_pods = std::min(least_pods, pods - beside);
        least_slices = std::min(least_slices, of.slices - of.slices_beside_leader);
      }
      sum.leaders = std::max(sum.leaders, of.leaders);
    }
    if (any) {
      sum.pods_beside_leader = sum.pods - least_pods;
      sum.slices_beside_leader = sum.slices - least_slices;
    }
    if (domain.level == slice_level_) in_slices(sum);
    room = sum;
  }
  void in_slices(Room& room) const {
    room.slices = room.pods / slice_size_;
    room.slices_beside_leader = room.pods_beside_leader / slice_size_;
  }

  [[nodiscard]] auto sorted(std::vector<DomainId> domains) const -> std::vector<DomainId> {
    std::sort(domains.begin(), domains.end(), [&](DomainId a, DomainId b) {
      const Room& x = room_[a];
      const Room& y = room_[b];
      if (x.slices != y.slices) return least_free_ ? x.slices < y.slices : x.slices > y.slices;
      if (x.pods != y.pods) return x.pods < y.pods;
      return flavor_.before(a, b);
    });
    return domains;
  }
  [[nodiscard]] auto sorted_for_leaders(std::vector<DomainId> domains) const -> std::vector<DomainId> {
    std::sort(domains.begin(), domains.end(), [&](DomainId a, DomainId b) {
      const Room& x = room_[a];
      const Room& y = room_[b];
      if (x.leaders != y.leaders) return x.leaders > y.leaders;
      if (x.slices_beside_leader != y.slices_beside_leader)
        return least_free_ ? x.slices_beside_leader < y.slices_beside_leader
                           : x.slices_beside_leader > y.slices_beside_leader;
      if (x.pods_beside_leader != y.pods_beside_leader) return x.pods_beside_leader < y.pods_beside_leader;
      return flavor_.before(a, b);
    });
    return domains;
  }

  // The smallest domain that holds `needed`; the first one if none does.
  template <class Amount>
  [[nodiscard]] auto best_fit(const std::vector<DomainId>& domains, std::size_t from, std::int64_t needed,
                              Amount amount) const -> DomainId {
    DomainId best = domains[from];
    for (std::size_t i = from; i < domains.size(); ++i) {
      const std::int64_t has = amount(room_[domains[i]]);
      if (has >= needed && has < amount(room_[best])) best = domains[i];
    }
    return best;
  }
  [[nodiscard]] auto best_fit_of_slices(const std::vector<DomainId>& domains, std::size_t from, std::int64_t needed,
                                        std::int64_t leaders) const -> DomainId {
    return best_fit(domains, from, needed,
                    [&](const Room& room) { return leaders > 0 ? room.slices_beside_leader : room.slices; });
  }

  [[nodiscard]] auto too_few(std::int64_t fit, std::int64_t wanted, std::size_t level) const -> NoPlacement {
    NoPlacement why = why_;
    why.topology = flavor_.topology();
    why.kind = layers_.empty() ? NoPlacement::Kind::too_few : NoPlacement::Kind::too_few_layers;
    why.fit = fit;
    why.wanted = wanted;
    why.in_slices = slice_size_ != 1;
    if (required_) why.level = flavor_.levels()[level_];
    if (layers_.empty()) return why;
    DomainId best;
    for (const DomainId each : flavor_.at_level(level)) {
      const bool more =
          best &&
          (room_[each].slices > room_[best].slices ||
           (room_[each].slices == room_[best].slices && flavor_.domains()[each].id < flavor_.domains()[best].id));
      if (!best || more) best = each;
    }
    for (const SliceConstraint& each : layers_) {
      const std::size_t at = *flavor_.level_of(each.topology);
      why.layers.push_back({each.topology, slices_below(best, at, each.size), count_ / each.size});
    }
    return why;
  }
  [[nodiscard]] auto slices_below(DomainId id, std::size_t level,
                                  std::int64_t size) const -> std::int64_t {  // NOLINT(misc-no-recursion): as above
    const TopologyFlavor::Domain& domain = flavor_.domains()[id];
    if (domain.level == level) return room_[id].pods / size;
    std::int64_t sum = 0;
    for (const DomainId child : domain.children) sum += slices_below(child, level, size);
    return sum;
  }

  // The level at which one domain holds all pods, from the requested one up; at the top, several domains.
  auto find_level(std::size_t& level, std::vector<DomainId>& found) const -> std::optional<NoPlacement> {
    const std::int64_t wanted = count_ / slice_size_;
    for (;; --level) {
      if (flavor_.at_level(level).empty()) return because(NoPlacement::Kind::no_domains, flavor_.levels()[level]);
      const std::vector<DomainId> domains = sorted_for_leaders(flavor_.at_level(level));
      DomainId top = domains.front();
      const auto holds_all = [&](DomainId each) {
        return room_[each].slices_beside_leader >= wanted && room_[each].leaders >= leaders_;
      };
      if (!least_free_ && holds_all(top)) top = best_fit_of_slices(domains, 0, wanted, leaders_);
      if (least_free_) {
        const auto first =
            std::find_if(domains.begin(), domains.end(), [&](DomainId each) { return room_[each].slices >= wanted; });
        if (first != domains.end()) {
          found = {*first};
          return {};
        }
        if (required_) return too_few(room_[domains.back()].pods, wanted, level);
      }
      if (holds_all(top)) {
        found = {top};
        return {};
      }
      if (required_) return too_few(room_[top].slices, wanted, level);
      if (level > 0 && !unconstrained_) continue;
      return several(domains, wanted, level, found);
    }
  }

  auto several(const std::vector<DomainId>& domains, std::int64_t wanted, std::size_t level,
               std::vector<DomainId>& found) const -> std::optional<NoPlacement> {
    std::int64_t slices = wanted;
    std::int64_t leaders = leaders_;
    std::size_t at = 0;
    for (; leaders > 0 && at < domains.size() && room_[domains[at]].leaders > 0; ++at) {
      DomainId next = domains[at];
      if (!least_free_ && room_[next].slices_beside_leader >= slices)
        next = best_fit_of_slices(domains, at, slices, leaders);
      found.push_back(next);
      leaders -= room_[next].leaders;
      slices -= room_[next].slices_beside_leader;
    }
    if (leaders > 0) return too_few(leaders_ - leaders, wanted, level);
    const std::vector<DomainId> rest = sorted({domains.begin() + static_cast<std::ptrdiff_t>(at), domains.end()});
    for (std::size_t i = 0; slices > 0 && i < rest.size(); ++i) {
      DomainId next = rest[i];
      if (!least_free_ && room_[next].slices >= slices) next = best_fit_of_slices(rest, i, slices, 0);
      found.push_back(next);
      slices -= room_[next].slices;
    }
    if (slices > 0) return too_few(wanted - slices, wanted, level);
    return {};
  }

  // Gives each domain as much as it holds until all is given; returns those that get something. `by_slice`: counts
  // slices of `size`, otherwise pods.
  auto distribute(const std::vector<DomainId>& domains, std::int64_t count, std::int64_t leaders, std::int64_t size,
                  bool by_slice) -> std::vector<DomainId> {
    std::vector<DomainId> used;
    std::int64_t left = by_slice ? count / size : count;
    const auto amount = [&](Room& room) -> std::int64_t& { return by_slice ? room.slices : room.pods; };
    const auto beside = [&](Room& room) -> std::int64_t& {
      return by_slice ? room.slices_beside_leader : room.pods_beside_leader;
    };
    const std::int64_t pods = by_slice ? size : 1;
    for (std::size_t i = 0; i < domains.size(); ++i) {
      DomainId id = domains[i];
      if (leaders > 0) {
        if (!least_free_ && beside(room_[id]) >= left && room_[id].leaders >= leaders)
          id = best_fit(domains, i, left, [&](Room room) { return beside(room); });
        Room& room = room_[id];
        used.push_back(id);
        if (beside(room) >= left && room.leaders >= leaders) {
          amount(room) = left;
          room.leaders = leaders;
          room.pods = left * pods;
          return used;
        }
        if (by_slice) {
          beside(room) = std::min(beside(room), left);
          room.leaders = std::min(room.leaders, leaders);
          room.pods = beside(room) * pods;
          leaders -= room.leaders;
          left -= beside(room);
        } else {
          left -= beside(room);
          leaders -= room.leaders;
          beside(room) = std::min(beside(room), left);
          room.leaders = std::min(room.leaders, leaders);
        }
        continue;
      }
      if (!least_free_ && amount(room_[id]) >= left)
        id = best_fit(domains, i, left, [&](Room room) { return amount(room); });
      Room& room = room_[id];
      room.leaders = 0;
      used.push_back(id);
      if (amount(room) >= left) {
        amount(room) = left;
        room.pods = left * pods;
        return used;
      }
      if (by_slice) room.pods = room.slices * pods;
      left -= amount(room);
    }
    return {};  // Kueue logs this as an error of its own, and assigns nothing
  }

  // Distributes the pods of slices, which are at this level or above it.
  auto distribute_below(const std::vector<DomainId>& domains, std::size_t level) -> std::vector<DomainId> {
    const auto inner = size_at_level_.find(level + 1);
    const std::int64_t size = inner == size_at_level_.end() ? 1 : inner->second;
    std::vector<DomainId> all;
    for (const DomainId id : domains) {
      const std::vector<DomainId> lower = sorted(flavor_.domains()[id].children);
      if (size > 1) {
        for (const DomainId each : lower) {
          room_[each].slices = room_[each].pods / size;
          room_[each].slices_beside_leader = room_[each].pods_beside_leader / size;
        }
      }
      const std::vector<DomainId> used = distribute(lower, room_[id].pods, room_[id].leaders, size, size > 1);
      all.insert(all.end(), used.begin(), used.end());
    }
    return all;
  }

  [[nodiscard]] auto in_domain(DomainId id, std::int64_t count) const -> PlacedPods {
    const TopologyFlavor::Domain& domain = flavor_.domains()[id];
    return {domain.id, domain.values, count};
  }

  const TopologyFlavor& flavor_;
  const TopologyState& state_;
  const PlacementRequest& workers_;
  const PlacementRequest* leader_;
  const Assumed& assumed_;
  bool without_workloads_;
  const Snapshot& cluster_;
  IdVector<DomainId, Room> room_;
  std::int64_t count_;
  std::int64_t leaders_;
  std::int64_t slice_size_ = 1;
  std::size_t level_ = 0;
  std::size_t slice_level_ = 0;
  std::map<std::size_t, std::int64_t> size_at_level_;
  std::vector<SliceConstraint> layers_;
  bool required_ = false;
  bool unconstrained_ = false;
  bool least_free_ = false;  // LeastFreeCapacity instead of BestFit
  NoPlacement why_;
  std::vector<PlacedPods> placed_;
  std::vector<PlacedPods> placed_leaders_;
};

void assume(Assumed& assumed, const std::vector<PlacedPods>& placed, const PlacementRequest& request) {
  for (const PlacedPods& each : placed) assumed[each.domain].add(request.one_pod, each.count);
}

}  // namespace

auto slices_of(const std::optional<TopologyRequest>& request) -> std::vector<SliceConstraint> {
  if (!request) return {};
  if (!request->slice_constraints.empty()) return request->slice_constraints;
  if (!request->slice_required) return {};
  return {{request->slice_required, request->slice_size.value_or(0)}};
}

auto has_levels_of(const TopologyFlavor& flavor, const TopologyRequest& request) -> bool {
  const std::vector<SliceConstraint> slices = slices_of(request);
  const bool given =
      request.required || request.preferred || only_slices(request) || request.unconstrained.value_or(false);
  if (!given) return false;
  const Symbol key = request.required ? request.required : request.preferred;
  if (key && !flavor.level_of(key)) return false;
  return std::all_of(slices.begin(), slices.end(),
                     [&](const SliceConstraint& each) { return flavor.level_of(each.topology).has_value(); });
}

auto place(const Topologies& topologies, const TopologyState& state, const PlacementRequests& requests,
           bool without_workloads, const PlacementRules& rules, const Snapshot& cluster) -> Placements {
  Placements found;
  std::vector<Symbol> flavors;
  for (const PlacementRequest& each : requests) {
    if (std::find(flavors.begin(), flavors.end(), each.flavor) == flavors.end()) flavors.push_back(each.flavor);
  }
  std::sort(flavors.begin(), flavors.end(), [&](Symbol a, Symbol b) { return cluster.text(a) < cluster.text(b); });
  Assumed shared;  // of flavors whose lowest level is the node
  for (const Symbol name : flavors) {
    const TopologyFlavor& flavor = *topologies.find(name);
    Assumed own;
    Assumed& assumed = flavor.lowest_is_node() && rules.overlapping_flavors ? shared : own;
    // Pod sets of a group are placed together, in the order of their first ones.
    std::vector<std::vector<const PlacementRequest*>> groups;
    std::map<Symbol, std::size_t> named;
    for (const PlacementRequest& each : requests) {
      if (each.flavor != name) continue;
      const Symbol group = each.object->topology ? each.object->topology->group : Symbol{};
      const auto [at, added] = group ? named.try_emplace(group, groups.size()) : std::pair(named.end(), true);
      if (added) {
        groups.push_back({&each});
      } else {
        groups[at->second].push_back(&each);
      }
    }
    for (const auto& group : groups) {
      const PlacementRequest* workers = group.front();
      const PlacementRequest* leader = group.size() > 1 ? group[1] : nullptr;
      if (leader != nullptr && leader->count > workers->count) std::swap(workers, leader);
      Placer placer(flavor, state, *workers, leader, assumed, without_workloads, rules, cluster);
      if (auto why = placer.run()) {
        if (!found.failure) {
          found.failure = std::move(why);
          found.failed_set = workers->set;
          found.failed_flavor = name;
        }
        break;  // Kueue looks at the other flavors nevertheless
      }
      found.sets[workers->set] = placer.placed();
      assume(assumed, placer.placed(), *workers);
      if (leader == nullptr) continue;
      found.sets[leader->set] = placer.placed_leaders();
      assume(assumed, placer.placed_leaders(), *leader);
    }
  }
  return found;
}

}  // namespace previct::kueue
