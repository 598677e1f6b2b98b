#include "engine/kube/devices/pools.h"

#include "cluster/label_syntax.h"
#include "cluster/matching.h"

#include <algorithm>
#include <set>

namespace previct::kube::devices {

template <class Target>
auto reaches(const Snapshot& cluster, const Target& target, const Node& node) -> std::optional<bool> {
  if (target.node_name) return target.node_name == node.meta.name;
  if (target.all_nodes) return true;
  if (!target.node_selector) return false;
  for (const NodeSelectorTerm& term : target.node_selector->terms) {
    if (!fault_of(term, cluster.symbols()).empty()) return {};
  }
  return matches(*target.node_selector, node.meta.labels, node.meta.name, cluster);
}
template auto reaches(const Snapshot&, const DeviceFacts&, const Node&) -> std::optional<bool>;
template auto reaches(const Snapshot&, const ResourceSliceSpec&, const Node&) -> std::optional<bool>;

namespace {

class Gathering {
 public:
  Gathering(const Snapshot& cluster, const Inventory& inventory, const Rules& rules, const Node& node)
      : cluster_(cluster), inventory_(inventory), rules_(rules), node_(node) {}

  auto run() -> std::optional<std::vector<Pool>> {
    for (const ResourceSlice* slice : inventory_.slices_for(node_.meta.name)) {
      const auto wanted = is_wanted(slice->spec);
      if (!wanted) return {};
      if (*wanted) add(slice);
    }
    std::vector<Pool> result;
    for (Pool& pool : pools_) {
      if (complete(pool)) result.push_back(std::move(pool));
    }
    std::stable_sort(result.begin(), result.end(), [&](const Pool& a, const Pool& b) { return comes_before(a, b); });
    return result;
  }

 private:
  [[nodiscard]] auto is_wanted(const ResourceSliceSpec& spec) const -> std::optional<bool> {
    const bool counts = !spec.shared_counters.empty();
    if (!rules_.counters && (spec.per_device || (rules_.whole_pools && counts))) return false;
    if (rules_.whole_pools && rules_.counters_anywhere && counts) return true;
    if (spec.node_name || spec.all_nodes || spec.node_selector) return reaches(cluster_, spec, node_);
    if (!spec.per_device.value_or(false)) return false;
    for (const Device& device : spec.devices) {
      const auto here = reaches(cluster_, device.facts(), node_);
      if (!here || *here) return here;
    }
    return false;
  }

  // Only the newest generation counts.
  void add(const ResourceSlice* slice) {
    const ResourcePool& of = slice->spec.pool;
    const auto known = std::find_if(pools_.begin(), pools_.end(), [&](const Pool& pool) {
      return pool.driver == slice->spec.driver && pool.name == of.name;
    });
    if (known == pools_.end()) {
      pools_.push_back({.driver = slice->spec.driver, .name = of.name, .slices = {slice}});
      return;
    }
    const std::int64_t generation = known->slices.front()->spec.pool.generation;
    if (of.generation < generation) return;
    if (of.generation > generation) known->slices.clear();
    known->slices.push_back(slice);
  }

  /// What is known of a pool that should have a certain number of slices.
  enum class State : std::uint8_t { complete, incomplete, outdated };
  auto state_of(const Pool& pool, std::int64_t slices, Inventory::Slices& all) const -> State {
    const auto is_all = [&](const Inventory::Slices& found) {
      return static_cast<std::int64_t>(found.size()) == slices;
    };
    if (is_all(pool.slices)) return State::complete;
    if (!rules_.whole_pools) return State::incomplete;
    all.clear();
    const std::int64_t generation = pool.slices.front()->spec.pool.generation;
    for (const ResourceSlice* slice : inventory_.slices_of(pool.driver, pool.name)) {
      if (slice->spec.pool.generation > generation) return State::outdated;
      if (slice->spec.pool.generation == generation) all.push_back(slice);
    }
    return is_all(all) ? State::complete : State::incomplete;
  }

  // Returns false if the pool is out of date. The number of slices is that of any one of them, because the scheduler
  // lists slices in no fixed order.
  auto complete(Pool& pool) const -> bool {
    Inventory::Slices all;
    const State state = state_of(pool, pool.slices.front()->spec.pool.slices, all);
    Inventory::Slices of_other;
    pool.open = std::any_of(pool.slices.begin(), pool.slices.end(), [&](const ResourceSlice* slice) {
      return state_of(pool, slice->spec.pool.slices, of_other) != state;
    });
    if (state == State::outdated) return pool.open;
    pool.incomplete = state == State::incomplete;
    if (rules_.whole_pools && pool.incomplete) {
      pool.slices.clear();
      return true;
    }
    validate(pool, all);
    if (rules_.whole_pools && pool.invalid) pool.slices.clear();
    std::stable_sort(pool.slices.begin(), pool.slices.end(), [&](const ResourceSlice* a, const ResourceSlice* b) {
      return cluster_.text(a->meta.name) < cluster_.text(b->meta.name);
    });
    return true;
  }

  void validate(Pool& pool, const Inventory::Slices& all) const {
    std::set<Symbol> names;
    for (const ResourceSlice* slice : pool.slices) {
      if (rules_.counters && !slice->spec.shared_counters.empty()) continue;
      for (const Device& device : slice->spec.devices) {
        if (names.insert(device.name).second || pool.invalid) continue;
        pool.invalid = true;
        pool.twice = device.name;
      }
    }
    if (!rules_.counters || pool.invalid) return;
    for (const ResourceSlice* slice : all) {
      if (std::find(pool.slices.begin(), pool.slices.end(), slice) == pool.slices.end())
        pool.elsewhere.push_back(slice);
    }
    take_counters(pool);
    // Slices with counters contain no devices.
    std::erase_if(pool.slices, [](const ResourceSlice* s) { return !s->spec.shared_counters.empty(); });
    std::erase_if(pool.elsewhere, [](const ResourceSlice* s) { return !s->spec.shared_counters.empty(); });
    pool.invalid = pool.invalid || !counters_exist(pool, pool.slices) || !counters_exist(pool, pool.elsewhere);
  }
  static void take_counters(Pool& pool) {
    std::set<Symbol> names;
    for (const Inventory::Slices* slices : {&pool.slices, &pool.elsewhere}) {
      for (const ResourceSlice* slice : *slices) {
        for (const CounterSet& set : slice->spec.shared_counters) {
          pool.invalid = pool.invalid || !names.insert(set.name).second;
          pool.counters.push_back(&set);
        }
      }
    }
  }
  static auto counters_exist(const Pool& pool, const Inventory::Slices& slices) -> bool {
    for (const ResourceSlice* slice : slices) {
      for (const Device& device : slice->spec.devices) {
        for (const CounterConsumption& consumed : device.facts().consumes) {
          const auto set = std::find_if(pool.counters.begin(), pool.counters.end(),
                                        [&](const CounterSet* s) { return s->name == consumed.counter_set; });
          if (set == pool.counters.end()) return false;
          for (const auto& [name, counter] : consumed.counters) {
            if ((*set)->counters.find(name) == nullptr) return false;
          }
        }
      }
    }
    return true;
  }

  // Pools with devices that must be prepared come last.
  [[nodiscard]] auto comes_before(const Pool& a, const Pool& b) const -> bool {
    const bool a_binds = binds(a);
    if (a_binds != binds(b)) return !a_binds;
    if (a.driver != b.driver) return cluster_.text(a.driver) < cluster_.text(b.driver);
    return cluster_.text(a.name) < cluster_.text(b.name);
  }
  static auto binds(const Pool& pool) -> bool {
    return std::any_of(pool.slices.begin(), pool.slices.end(), [](const ResourceSlice* slice) {
      return std::any_of(slice->spec.devices.begin(), slice->spec.devices.end(),
                         [](const Device& device) { return !device.facts().binding_conditions.empty(); });
    });
  }

  const Snapshot& cluster_;
  const Inventory& inventory_;
  const Rules& rules_;
  const Node& node_;
  std::vector<Pool> pools_;
};

}  // namespace

auto pools_of(const Snapshot& cluster, const Inventory& inventory, const Rules& rules, const Node& node)
    -> std::optional<std::vector<Pool>> {
  return Gathering(cluster, inventory, rules, node).run();
}

}  // namespace previct::kube::devices
