#include "engine/kai/fairness/fair_share.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace previct::kai {
namespace {

// Fractions that differ by less are equal except for the order in which weights were added.
constexpr double kSameFraction = 1e-9;

// One round of sharing by weight: the inputs that determined the parts.
struct Round {
  double pot = 0;
  std::vector<QueueId> queues;  // queues that request more
  std::vector<double> weights;
};

struct Fraction {
  QueueId queue;
  double left = 0;
  double given = 0;  // whole units, in the round that left the fraction
  std::size_t round = 0;
};

// Returns orders in which upstream, iterating over a map, may add numbers: all orders for few numbers, a sample for
// many.
auto sample_orders(std::size_t count) -> std::vector<std::vector<std::size_t>> {
  constexpr std::size_t kAll = 4;
  constexpr std::size_t kMost = 24;
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::vector<std::vector<std::size_t>> orders;
  if (count <= kAll) {
    do orders.push_back(order);
    while (std::next_permutation(order.begin(), order.end()));
    return orders;
  }
  for (std::size_t i = 0; i < std::min(count, kMost / 2); ++i) {
    orders.push_back(order);
    orders.emplace_back(order.rbegin(), order.rend());
    std::rotate(order.begin(), order.begin() + 1, order.end());
  }
  return orders;
}

auto sum_in_order(const std::vector<double>& values, const std::vector<std::size_t>& order) -> double {
  double sum = 0;
  for (const std::size_t i : order) sum += values[i];
  return sum;
}

// Divides one resource among the children of one queue.
class Division {
 public:
  Division(const Session& session, std::size_t resource, MapOrder& chance, FairShares& out)
      : session_(session), tree_(session.cluster_info().tree()), r_(resource), chance_(chance), out_(out) {}

  void divide(double total, std::vector<QueueId> queues) {
    double left = total;
    chance_.reorder(queues);
    for (const QueueId q : queues) {
      const double deserved = tree_[q].deserved[r_] == kUnlimited ? total : tree_[q].deserved[r_];
      const double given = std::min(deserved, wants(q));
      share(q) += given;
      left -= given;
    }
    if (left <= 0) return;

    std::map<std::int64_t, std::vector<QueueId>, std::greater<>> by_priority;
    for (const QueueId q : queues) by_priority[tree_[q].priority].push_back(q);
    std::vector<std::vector<Fraction>> fractions;
    for (const auto& [priority, same] : by_priority) left = divide_over_quota(left, same, fractions.emplace_back());
    for (std::vector<Fraction>& each : fractions) left = divide_fractions(left, each);
  }

 private:
  [[nodiscard]] auto share(QueueId q) -> double& { return out_.of[q][r_]; }
  [[nodiscard]] auto limit(QueueId q) const -> double { return tree_[q].limit[r_]; }
  [[nodiscard]] auto request(QueueId q) const -> double { return session_.requested(q)[r_]; }
  [[nodiscard]] auto wants(QueueId q) const -> double {
    return limit(q) == kUnlimited ? request(q) : std::min(limit(q), request(q));
  }
  [[nodiscard]] auto missing(QueueId q) -> double { return std::max(0.0, wants(q) - share(q)); }

  // Distributes what is left by weight, in rounds and in whole units. Returns the rest; `fractions` is what each
  // unsatisfied queue missed by rounding down in its last round.
  auto divide_over_quota(double left, const std::vector<QueueId>& queues, std::vector<Fraction>& fractions) -> double {
    for (bool again = true; again && left != 0;) {
      again = false;
      const double pot = left;
      double weights = 0;
      for (const QueueId q : queues) weights += missing(q) > 0 ? tree_[q].weight[r_] : 0;
      if (weights == 0) break;
      Round round{pot, {}, {}};
      std::vector<double> parts(queues.size(), 0);
      double parts_sum = 0;
      for (std::size_t i = 0; i < queues.size(); ++i) {
        if (missing(queues[i]) == 0) continue;
        parts[i] = part_of(tree_[queues[i]].weight[r_], weights);
        parts_sum += parts[i];
        round.queues.push_back(queues[i]);
        round.weights.push_back(tree_[queues[i]].weight[r_]);
      }
      if (parts_sum == 0) break;
      rounds_.push_back(std::move(round));
      for (std::size_t i = 0; i < queues.size() && left != 0; ++i) {
        const QueueId q = queues[i];
        const double need = missing(q);
        if (need == 0) continue;
        const double fair = pot * (parts[i] / parts_sum);
        double given = need;
        if (need <= fair) {
          std::erase_if(fractions, [&](const Fraction& f) { return f.queue == q; });
        } else {
          given = std::max(0.0, std::floor(fair));
          if (fair - given > 0) remember(fractions, {q, fair - given, given, rounds_.size() - 1});
        }
        share(q) += given;
        left -= given;
        again = again || need < fair;
      }
    }
    return left;
  }

  [[nodiscard]] auto part_of(double weight, double weights) const -> double {
    const double part = weight / weights;
    return std::max(0.0, part + session_.cluster_info().settings().k_value * part);
  }

  static void remember(std::vector<Fraction>& fractions, Fraction fraction) {
    for (Fraction& each : fractions) {
      if (each.queue == fraction.queue) {
        each = fraction;
        return;
      }
    }
    fractions.push_back(fraction);
  }

  [[nodiscard]] auto gets_unit_before(const Fraction& a, const Fraction& b) const -> bool {
    return a.left != b.left ? a.left > b.left : is_older(tree_[a.queue], tree_[b.queue]);
  }
  void sort(std::vector<Fraction>& fractions) const {
    std::sort(fractions.begin(), fractions.end(),
              [&](const Fraction& a, const Fraction& b) { return gets_unit_before(a, b); });
  }

  // Gives one unit each, the largest fraction first, even if it is larger by rounding only; equal ones by age, then
  // name.
  auto divide_fractions(double left, std::vector<Fraction>& fractions) -> double {
    sort(fractions);
    if (chance_.is_input_order()) note_tie(fractions, left);
    for (auto each = fractions.begin(); each != fractions.end() && left > 0; ++each) {
      const double given = std::min(1.0, left);
      share(each->queue) += given;
      left -= given;
    }
    return left;
  }

  // Notes a tie: fractions that differ at most by rounding, of which not all get a unit, if the order in which upstream
  // adds weights determines which ones do. `fractions` must be sorted.
  void note_tie(const std::vector<Fraction>& fractions, double left) {
    const double units = std::ceil(left);
    if (!(units >= 1 && units < static_cast<double>(fractions.size()))) return;
    const auto close = [](const Fraction& a, const Fraction& b) { return a.left - b.left <= kSameFraction; };
    const auto cut = fractions.begin() + static_cast<std::ptrdiff_t>(units);
    auto first = cut;
    while (first != fractions.begin() && close(*std::prev(first), *first)) --first;
    auto last = std::next(cut);
    while (last != fractions.end() && close(*std::prev(last), *last)) ++last;
    if (first != cut) note_tie(std::vector<Fraction>(first, last), cut - first);
  }

  // The same for fractions of which so many get a unit.
  void note_tie(const std::vector<Fraction>& tied, std::ptrdiff_t winners) {
    const Round& round = rounds_[tied.front().round];
    const auto orders = sample_orders(round.weights.size());
    for (const auto& outer : orders) {
      const double weights = sum_in_order(round.weights, outer);
      std::vector<double> parts;
      for (const double weight : round.weights) parts.push_back(part_of(weight, weights));
      for (const auto& inner : orders) {
        const double parts_sum = sum_in_order(parts, inner);
        std::vector<Fraction> then = tied;
        for (Fraction& fraction : then) {
          const auto at = std::find(round.queues.begin(), round.queues.end(), fraction.queue) - round.queues.begin();
          if (fraction.round == tied.front().round) {
            fraction.left = round.pot * (parts[static_cast<std::size_t>(at)] / parts_sum) - fraction.given;
          }
        }
        sort(then);
        for (auto each = then.begin(); each != then.begin() + winners; ++each) {
          const auto wins = [&](const Fraction& f) { return f.queue == each->queue; };
          if (std::any_of(tied.begin(), tied.begin() + winners, wins)) continue;
          for (const Fraction& fraction : tied) out_.tied.push_back(fraction.queue);
          return;
        }
      }
    }
  }

  const Session& session_;
  const QueueTree& tree_;
  std::size_t r_;
  MapOrder& chance_;
  FairShares& out_;
  std::vector<Round> rounds_;
};

auto divide_by(const Session& session, MapOrder& chance) -> FairShares {
  const QueueTree& tree = session.cluster_info().tree();
  FairShares shares{IdVector<QueueId, Share>(tree.queues().size()), {}};
  std::vector<std::vector<QueueId>> levels{tree.tops()};
  std::vector<Share> totals{session.cluster_info().total()};
  for (std::size_t at = 0; at < levels.size(); ++at) {
    // The order of the objects in the input must not matter, not even for the last digit of a sum.
    std::sort(levels[at].begin(), levels[at].end(), [&](QueueId a, QueueId b) { return is_older(tree[a], tree[b]); });
    for (std::size_t r = 0; r < kShared; ++r) Division(session, r, chance, shares).divide(totals[at][r], levels[at]);
    const std::vector<QueueId> here = levels[at];
    for (const QueueId q : here) {
      if (tree[q].is_leaf()) continue;
      levels.push_back(tree[q].children);
      totals.push_back(shares.of[q]);
    }
  }
  return shares;
}

}  // namespace

auto is_older(const TreeQueue& a, const TreeQueue& b) -> bool {
  return a.created != b.created ? a.created < b.created : a.name < b.name;
}

auto divide(const Session& session) -> FairShares {
  constexpr std::uint64_t kOrders = 8;
  FairShares shares = divide_by(session, session.chance());
  for (std::uint64_t seed = 1; seed <= kOrders && session.chance().is_input_order() && !session.chance().is_open();
       ++seed) {
    MapOrder other(seed);
    if (divide_by(session, other).of.items() != shares.of.items()) session.chance().note();
  }
  return shares;
}

auto usable_share(const TreeQueue& queue, const Share& fair_share) -> Share {
  Share usable{};
  for (std::size_t r = 0; r < kShared; ++r) {
    if (queue.deserved[r] == kUnlimited) {
      usable[r] = queue.limit[r];
      continue;
    }
    const double mine = std::max(queue.deserved[r], fair_share[r]);
    usable[r] = queue.limit[r] == kUnlimited ? mine : std::min(mine, queue.limit[r]);
  }
  return usable;
}

}  // namespace previct::kai
