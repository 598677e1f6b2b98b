#include "engine/kube/devices/allocation.h"

#include <algorithm>

namespace previct::kube::devices {
namespace {

class Allocation {
 public:
  Allocation(const Snapshot& cluster, const Inventory& inventory, const Rules& rules, const Node& node,
             std::span<const Wanted> claims)
      : cluster_(cluster), inventory_(inventory), rules_(rules), node_(node), claims_(claims) {}

  auto run() -> Found {
    auto pools = pools_of(cluster_, inventory_, rules_, node_);
    if (!pools) return {.doubt = Doubt::node_selector};
    pools_ = std::move(*pools);
    if (counters_are_mixed_up()) return {.doubt = Doubt::order};
    Search search = searching({});
    const Found found = search.run();
    if (rules_.in_order) return found;
    return in_any_order(search, found);
  }

 private:
  auto searching(Search::How how) -> Search { return {cluster_, inventory_, rules_, node_, pools_, claims_, how}; }

  // Before 1.36 permutations are tried, too, which may take the scheduler too long to come to the devices there are;
  // that there are none stays true.
  auto in_any_order(Search& search, const Found& found) -> Found {
    const bool none = found.code == Code::unresolvable;
    if (found.doubt != Doubt::none || none || search.ended_early()) return found;
    if (found.code == Code::success) {
      const Found again = searching({.combinations = false}).run();
      if (again.doubt != Doubt::none) return again;
    }
    const bool one_order = pools_.size() == 1 && pools_.front().slices.size() <= 1;
    if (one_order || !search.any_fault()) return found;
    // A selector fails on some device. Are there devices before it in some order?
    const Found past = searching({.past_faults = true}).run();
    if (past.doubt != Doubt::none) return past;
    return past.code == Code::success ? Found{.doubt = Doubt::order} : found;
  }

  // Upstream keeps counters by the name of the pool alone, so that drivers whose pools are called alike share them.
  [[nodiscard]] auto counters_are_mixed_up() const -> bool {
    return std::any_of(pools_.begin(), pools_.end(), [&](const Pool& a) {
      return !a.counters.empty() && std::any_of(pools_.begin(), pools_.end(), [&](const Pool& b) {
        return &a != &b && a.name == b.name && consumes(b);
      });
    });
  }
  static auto consumes(const Pool& pool) -> bool {
    return std::any_of(pool.slices.begin(), pool.slices.end(), [](const ResourceSlice* slice) {
      return std::any_of(slice->spec.devices.begin(), slice->spec.devices.end(),
                         [](const Device& device) { return !device.facts().consumes.empty(); });
    });
  }

  const Snapshot& cluster_;
  const Inventory& inventory_;
  const Rules& rules_;
  const Node& node_;
  std::span<const Wanted> claims_;
  std::vector<Pool> pools_;
};

}  // namespace

auto allocate(const Snapshot& cluster, const Inventory& inventory, const Rules& rules, const Node& node,
              std::span<const Wanted> claims) -> Found {
  return Allocation(cluster, inventory, rules, node, claims).run();
}

}  // namespace previct::kube::devices
