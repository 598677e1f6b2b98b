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
    if (std::any_of(pools_.begin(), pools_.end(), [](const Pool& pool) { return pool.open; }))
      return {.doubt = Doubt::slice_counts};
    if (!rules_.told_apart && counters_are_mixed_up()) return {.doubt = Doubt::order};
    Search search = searching({});
    const Found found = search.run();
    if (rules_.in_order) return found;
    return in_any_order(search, found);
  }

 private:
  auto searching(Search::How how) -> Search { return {cluster_, inventory_, rules_, node_, pools_, claims_, how}; }

  // Before 1.36 the scheduler also tries permutations and may run out of time before it finds existing devices. A
  // result that there are none stays true.
  auto in_any_order(Search& search, const Found& found) -> Found {
    const bool none = found.code == Code::unresolvable;
    if (found.doubt == Doubt::none && !search.ended_early() && order_matters()) return if_reversed_alike(found);
    if (found.doubt != Doubt::none || none || search.ended_early()) return found;
    if (found.code == Code::success) {
      const Found again = searching({.combinations = false}).run();
      if (again.doubt != Doubt::none) return again;
    }
    if (slices() <= 1 || !search.any_fault()) return found;
    // A selector fails on some device. Checks whether some order has suitable devices before it.
    const Found past = searching({.past_faults = true}).run();
    if (past.doubt != Doubt::none) return past;
    return past.code == Code::success ? Found{.doubt = Doubt::order} : found;
  }

  [[nodiscard]] auto slices() const -> std::size_t {
    std::size_t all = 0;
    for (const Pool& pool : pools_) all += pool.slices.size();
    return all;
  }

  // A request for all devices stops at the first device that it cannot have, with an error if a constraint is the
  // reason. Before 1.36, an alternative other than the first continues with the request of the first.
  [[nodiscard]] auto order_matters() const -> bool {
    const auto wants_all = [&](const Alternative& each) { return cluster_.text(each.ask.mode) == "All"; };
    return slices() > 1 && std::any_of(claims_.begin(), claims_.end(), [&](const Wanted& wanted) {
             const bool constrained = !wanted.claim->constraints.empty();
             return std::any_of(wanted.requests.begin(), wanted.requests.end(), [&](const PlannedRequest* request) {
               const auto& all = request->alternatives;
               const std::ptrdiff_t first = constrained || all.empty() ? 0 : 1;
               return std::any_of(all.begin() + first, all.end(), wants_all);
             });
           });
  }

  // With two slices there is only one other order.
  auto if_reversed_alike(const Found& found) -> Found {
    if (slices() > 2) return {.doubt = Doubt::order};
    std::reverse(pools_.begin(), pools_.end());
    for (Pool& pool : pools_) std::reverse(pool.slices.begin(), pool.slices.end());
    const Found reversed = searching({}).run();
    return reversed.code == found.code && reversed.doubt == Doubt::none ? found : Found{.doubt = Doubt::order};
  }

  // Before 1.37 upstream keeps counters by the name of the pool only, so drivers whose pools have the same name share
  // them.
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
