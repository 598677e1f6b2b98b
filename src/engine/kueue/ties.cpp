#include "engine/kueue/ties.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace previct::kueue {

auto Ties::scope_of(std::string_view scope, std::uint64_t ways) -> Scope& {
  Scope& found =
      scopes_.try_emplace(scope, Scope{.rest = order_.number, .random = SplitMix64(order_.number)}).first->second;
  found.orders = std::min(found.orders * std::min(ways, kMany), kMany);
  return found;
}

auto Ties::order_of(std::string_view scope, const std::vector<QueueId>& heads) -> std::vector<std::size_t> {
  std::uint64_t ways = 1;
  for (std::size_t i = 2; i <= heads.size() && ways < kMany; ++i) ways *= i;
  Scope& at = scope_of(scope, ways);
  std::vector<std::size_t> order(heads.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  switch (order_.kind) {
    case TieOrder::Kind::reversed: std::reverse(order.begin(), order.end()); break;
    case TieOrder::Kind::leading:
    case TieOrder::Kind::trailing: {
      const bool first = order_.kind == TieOrder::Kind::leading;
      std::stable_partition(order.begin(), order.end(),
                            [&](std::size_t i) { return (heads[i].index == order_.number) == first; });
      break;
    }
    // Each digit, with the next higher base, exchanges one item with an earlier one: 0 exchanges none.
    case TieOrder::Kind::numbered:
      for (std::size_t base = 2; base <= order.size() && at.rest != 0; ++base)
        std::swap(order[base - 1], order[base - 1 - std::exchange(at.rest, at.rest / base) % base]);
      break;
    case TieOrder::Kind::drawn: at.random.shuffle(order); break;
  }
  return order;
}

auto Ties::takes_last_cohort(std::string_view scope) -> bool {
  Scope& at = scope_of(scope, 2);
  switch (order_.kind) {
    case TieOrder::Kind::reversed: return false;
    case TieOrder::Kind::leading:
    case TieOrder::Kind::trailing: return true;
    case TieOrder::Kind::numbered: return std::exchange(at.rest, at.rest / 2) % 2 == 0;
    case TieOrder::Kind::drawn: return at.random.next() % 2 == 0;
  }
  return true;
}

auto Ties::orders() const -> std::uint64_t {
  std::uint64_t most = 1;
  for (const auto& [scope, at] : scopes_) most = std::max(most, at.orders);
  return most;
}

auto each_order(const Inventory& inventory, std::uint64_t orders, const std::vector<QueueId>& queues,
                const std::function<std::optional<std::uint64_t>(TieOrder)>& decide) -> bool {
  constexpr std::uint64_t kWork = 20'000;  // number of workloads, over all orders
  const auto most = std::clamp<std::uint64_t>(kWork / std::max<std::size_t>(1, inventory.workloads().size()), 8, 150);
  const bool all = orders <= most;
  std::vector<TieOrder> some;
  if (!all) {
    some.push_back(kReversed);
    for (const QueueId queue : queues) {
      if (some.size() + 2 > most) break;
      some.push_back({TieOrder::Kind::leading, queue.index});
      some.push_back({TieOrder::Kind::trailing, queue.index});
    }
    for (std::uint64_t seed = 1; some.size() < most; ++seed) some.push_back({TieOrder::Kind::drawn, seed});
  }
  std::uint64_t tried = 1;  // with kAsRead
  while (tried <= most && (!all || tried < orders)) {
    const std::uint64_t index = tried++;
    const std::optional<std::uint64_t> met = decide(all ? TieOrder{TieOrder::Kind::numbered, index} : some[index - 1]);
    if (!met) return false;
    orders = std::max(orders, *met);  // other ties may occur then
  }
  return all && orders <= tried;
}

}  // namespace previct::kueue
