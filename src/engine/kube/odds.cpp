#include "engine/kube/odds.h"

#include "engine/kube/selection.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace previct::kube {
namespace {

constexpr std::size_t kBucket = 8;  // entries of a Go map in one group of slots

// Returns ln C(n, k); requires 0 <= k <= n.
auto log_choose(std::int64_t n, std::int64_t k) -> double {
  const auto fact = [](std::int64_t x) { return std::lgamma(static_cast<double>(x) + 1); };
  return fact(n) - fact(k) - fact(n - k);
}

// Returns the chance that a sample of `size` out of `all` contains none of `some` given ones.
auto misses(std::int64_t all, std::int64_t size, std::int64_t some) -> double {
  if (some == 0) return 1;
  if (size > all - some) return 0;
  return std::exp(log_choose(all - some, size) - log_choose(all, size));
}

// The contenders of one rank: the number of better ones, and their own number.
struct Class {
  std::int64_t better = 0;
  std::int64_t tied = 0;
  bool clean = true;
};

auto classes_of(const std::vector<Contender>& candidates) -> std::map<std::uint32_t, Class> {
  std::map<std::uint32_t, Class> classes;
  for (const Contender& c : candidates) {
    Class& of_rank = classes[c.rank];
    ++of_rank.tied;
    of_rank.clean = c.clean;
  }
  std::int64_t better = 0;
  for (auto& [rank, of_rank] : classes) {
    of_rank.better = better;
    better += of_rank.tied;
  }
  return classes;
}

// Returns the chance that the best of a random sample belongs to this class.
auto best_of(const Class& c, std::int64_t all, std::int64_t size) -> double {
  return misses(all, size, c.better) - misses(all, size, c.better + c.tied);
}

// Returns the chance that none of `better` is among the first `few` of a random order, and some of `tied` are among the
// first `many`.
auto seen_without(std::int64_t all, std::int64_t better, std::int64_t few, std::int64_t tied, std::int64_t many)
    -> double {
  const auto ways = [](std::int64_t places, std::int64_t some) {
    return some > places ? -HUGE_VAL : log_choose(places, some);
  };
  const double total = ways(all, better) + ways(all - better, tied);
  // The more restricted ones are placed first.
  const double none = few >= many ? ways(all - few, better) + ways(all - many - better, tied)
                                  : ways(all - many, tied) + ways(all - few - tied, better);
  return misses(all, few, better) - (std::isfinite(none) ? std::exp(none - total) : 0);
}

// A dry run that is still running when the only list is full is lost; a dry run that overtakes others takes their
// place.
void bound_overtaking(Chance& chance, const Class& c, std::int64_t all, std::int64_t sample) {
  // The list always holds `sample` candidates, so the worst candidates are never the best of it.
  if (sample >= all || all - c.better < sample) return;
  const std::int64_t sure = std::max<std::int64_t>(0, sample - kDryRunsInFlight);
  const std::int64_t most = std::min(all, sample + kDryRunsInFlight);
  chance.at_least = std::clamp(seen_without(all, c.better, most, c.tied, sure), 0.0, chance.at_least);
  chance.at_most = std::clamp(seen_without(all, c.better, sure, c.tied, most), chance.at_most, 1.0);
}

// The best of `found` candidates is chosen; if all of them violate a budget, the best of the first clean candidates
// after them.
auto chance_of(const Class& c, std::int64_t all, std::int64_t clean, std::int64_t found, std::int64_t clean_behind)
    -> double {
  if (clean > 0 && !c.clean) return 0;
  const double within = best_of(c, all, found);
  return clean == 0 ? within : within + misses(all, found, clean) * best_of(c, clean, std::min(clean, clean_behind));
}

// Reading a bucket starts at a random slot. At least one start leads to each entry; the empty slots may all lead to it.
void bound_ties(Chance& chance, double of_class, std::size_t kept, std::int64_t tied) {
  if (tied < 2 || kept > kBucket) return;
  const auto others = static_cast<double>(tied - 1);
  chance.at_least = std::min(chance.at_least, of_class / kBucket);
  chance.at_most = std::max(chance.at_most, of_class * (kBucket - others) / kBucket);
}

void sort_by_chance(std::vector<Chance>& chances) {
  std::erase_if(chances, [](const Chance& c) { return c.at_most <= 0; });
  std::stable_sort(chances.begin(), chances.end(),
                   [](const Chance& a, const Chance& b) { return a.likely > b.likely; });
}

// Returns the candidates that upstream keeps if its walk through the potential nodes starts at `offset`, in upstream's
// order: clean ones first.
auto kept_from(const std::vector<std::optional<Contender>>& potential, std::size_t offset, std::int64_t sample)
    -> std::vector<Contender> {
  const auto full = [&](const std::vector<Contender>& list) {
    return static_cast<std::int64_t>(list.size()) >= sample;
  };
  std::vector<Contender> clean;
  std::vector<Contender> violating;
  for (std::size_t i = 0; i < potential.size(); ++i) {
    const std::optional<Contender>& each = potential[(offset + i) % potential.size()];
    if (!each) continue;
    std::vector<Contender>& list = each->clean ? clean : violating;
    if (!full(list)) list.push_back(*each);
    if (!clean.empty() && static_cast<std::int64_t>(clean.size() + violating.size()) >= sample) break;
  }
  clean.insert(clean.end(), violating.begin(), violating.end());
  return clean;
}

// Divides 1 among the best of `kept`.
void share(const std::vector<Contender>& kept, std::map<NodeId, double>& shares) {
  if (kept.empty()) return;
  const auto by_rank = [](const Contender& a, const Contender& b) { return a.rank < b.rank; };
  const std::uint32_t best = std::min_element(kept.begin(), kept.end(), by_rank)->rank;
  if (kept.size() > kBucket) {
    const auto tied = std::count_if(kept.begin(), kept.end(), [&](const Contender& c) { return c.rank == best; });
    for (const Contender& c : kept) {
      if (c.rank == best) shares[c.node] += 1 / static_cast<double>(tied);
    }
    return;
  }
  for (std::size_t begin = 0; begin < kBucket; ++begin) {
    for (std::size_t i = 0; i < kBucket; ++i) {
      const std::size_t place = (begin + i) % kBucket;
      if (place >= kept.size() || kept[place].rank != best) continue;
      shares[kept[place].node] += 1.0 / kBucket;
      break;
    }
  }
}

auto contenders_of(const Decision& decision) -> std::vector<Contender> {
  std::vector<NodeId> order = decision.candidates;
  const auto run = [&](NodeId node) -> const DryRun& { return *decision.nodes[node].run; };
  std::stable_sort(order.begin(), order.end(), [&](NodeId a, NodeId b) { return better(run(a), run(b)); });
  std::vector<Contender> out;
  for (const NodeId node : order) {
    std::uint32_t rank = 0;
    if (!out.empty()) rank = out.back().rank + (better(run(out.back().node), run(node)) ? 1 : 0);
    out.push_back({node, rank, run(node).violations == 0});
  }
  return out;
}

}  // namespace

auto odds_in_any_order(const std::vector<Contender>& candidates, std::int64_t sample) -> std::vector<Chance> {
  const auto all = static_cast<std::int64_t>(candidates.size());
  const std::int64_t least = std::clamp<std::int64_t>(sample, 0, all);
  if (least == 0) return {};
  const std::int64_t clean = std::count_if(candidates.begin(), candidates.end(), [](const auto& c) { return c.clean; });
  // A full list takes no more candidates: a late dry run counts only if there are two lists.
  const bool late_ones_count = clean > 0 && clean < all;
  const std::int64_t most = late_ones_count ? std::min(all, least + kDryRunsInFlight) : least;

  const auto kept = static_cast<std::size_t>(most);
  std::map<std::uint32_t, Chance> by_rank;
  const auto classes = classes_of(candidates);
  for (const auto& [rank, c] : classes) {
    const double likely = chance_of(c, all, clean, least, 1);
    Chance chance{{}, likely, likely, likely};
    for (std::int64_t found = least; found <= most; ++found) {
      for (std::int64_t behind = 1; behind <= (late_ones_count ? kDryRunsInFlight + 1 : 1); ++behind) {
        const double value = chance_of(c, all, clean, found, behind);
        chance.at_least = std::min(chance.at_least, value);
        chance.at_most = std::max(chance.at_most, value);
      }
    }
    if (!late_ones_count) bound_overtaking(chance, c, all, least);
    const auto tied = static_cast<double>(c.tied);
    const double of_class = chance.at_most;
    chance.likely /= tied;
    chance.at_least /= tied;
    chance.at_most /= tied;
    bound_ties(chance, of_class, kept, c.tied);
    by_rank.emplace(rank, chance);
  }
  std::vector<Chance> chances;
  for (const Contender& c : candidates) {
    Chance chance = by_rank.at(c.rank);
    chance.node = c.node;
    chances.push_back(chance);
  }
  sort_by_chance(chances);
  return chances;
}

void widen_for_any_order(const std::vector<Contender>& candidates, std::int64_t potential, std::int64_t sample,
                         std::vector<Chance>& chances) {
  const auto all = static_cast<std::int64_t>(candidates.size());
  if (sample >= all) return;  // the sample holds all candidates, and all of them are potential nodes
  const auto clean = std::count_if(candidates.begin(), candidates.end(), [](const auto& c) { return c.clean; });
  // With one list, the sample is the next `sample` candidates from the start. A node is in it for as many starts as
  // there are nodes between it and the last of the `sample` candidates before it.
  const bool one_list = clean == 0 || clean == all;
  const auto share = [&](std::int64_t places) { return static_cast<double>(places) / static_cast<double>(potential); };
  const auto best = std::count_if(candidates.begin(), candidates.end(), [](const auto& c) { return c.rank == 0; });
  for (Chance& chance : chances) {
    const bool alone = best == 1 && std::any_of(candidates.begin(), candidates.end(), [&](const Contender& c) {
                         return c.rank == 0 && c.node == chance.node;
                       });
    chance.at_least = one_list && alone ? share(sample) : 0;
    chance.at_most = one_list ? share(potential - all + sample) : 1;
  }
}

auto odds_in_cycle(const std::vector<std::optional<Contender>>& potential, std::int64_t sample) -> std::vector<Chance> {
  std::vector<Contender> candidates;
  for (const auto& each : potential) {
    if (each) candidates.push_back(*each);
  }
  const bool all_kept = sample >= static_cast<std::int64_t>(candidates.size());
  std::map<NodeId, double> shares;
  for (std::size_t offset = 0; sample > 0 && offset < potential.size(); ++offset) {
    share(kept_from(potential, offset, sample), shares);
  }
  const auto classes = classes_of(candidates);
  const bool some_clean = std::any_of(candidates.begin(), candidates.end(), [](const auto& c) { return c.clean; });
  std::vector<Chance> chances;
  for (const Contender& c : candidates) {
    const auto found = shares.find(c.node);
    const double likely = found == shares.end() ? 0 : found->second / static_cast<double>(potential.size());
    Chance chance{c.node, likely, likely, likely};
    if (all_kept && c.rank == 0) {
      bound_ties(chance, 1, candidates.size(), classes.at(0).tied);
    } else {
      // So few dry runs all run at once and may end in any order. That excludes only candidates that are never the
      // best; if all are kept, those are all but the first.
      const auto not_better = static_cast<std::int64_t>(candidates.size()) - classes.at(c.rank).better;
      chance.at_least = 0;
      chance.at_most = not_better >= sample && (c.clean || !some_clean) ? 1 : 0;
    }
    chances.push_back(chance);
  }
  sort_by_chance(chances);
  return chances;
}

auto chances(const NodeInfoSnapshot& node_infos, const Decision& decision, PodId subject, bool listed) -> Chances {
  const std::vector<Contender> contenders = contenders_of(decision);
  const Pod& pod = node_infos.cluster().pod(subject);
  // A nominated node that is tried first, or a restricted set of nodes, changes that order in ways that no dump shows.
  const bool in_one_bucket =
      node_infos.node_count() <= kBucket && !decision.pre_filter_nodes && !pod.status.nominated_node_name;
  Chances out;
  if (!listed && !decision.pre_filter && !in_one_bucket) {
    out.nodes = odds_in_any_order(contenders, decision.choice.sample);
    const auto potential = std::count_if(decision.nodes.begin(), decision.nodes.end(), [](const NodeVerdict& v) {
      return v.preemption == NodeVerdict::Preemption::candidate || v.preemption == NodeVerdict::Preemption::none;
    });
    if (node_infos.node_count() < kFewNodes)
      widen_for_any_order(contenders, potential, decision.choice.sample, out.nodes);
    return out;
  }
  out.order = Chances::Order::cycle;
  std::map<NodeId, Contender> by_node;
  for (const Contender& c : contenders) by_node.emplace(c.node, c);
  std::vector<std::optional<Contender>> potential;
  for (const NodeId node : snapshot_order(node_infos.cluster())) {
    const auto preemption = decision.nodes[node].preemption;
    if (preemption == NodeVerdict::Preemption::candidate) {
      potential.emplace_back(by_node.at(node));
    } else if (preemption == NodeVerdict::Preemption::none) {
      potential.emplace_back();
    }
  }
  out.nodes = odds_in_cycle(potential, decision.choice.sample);
  return out;
}

}  // namespace previct::kube
