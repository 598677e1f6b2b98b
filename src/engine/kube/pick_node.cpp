#include "engine/kube/pick_node.h"

#include "cluster/node_order.h"

#include <algorithm>
#include <tuple>

namespace previct::kube {
namespace {

// Smaller is better in every member.
auto rank(const DryRun& run) {
  const Instant start = run.earliest_start;
  return std::tuple(run.violations, run.first_priority, run.priority_sum, run.victims.size(), -start.seconds,
                    -start.nanos);
}

}  // namespace

auto better(const DryRun& a, const DryRun& b) -> bool {
  return rank(a) < rank(b);
}

auto deciding_rule(const DryRun& winner, const DryRun& loser) -> Rule {
  if (winner.violations != loser.violations) return Rule::pick_violations;
  if (winner.first_priority != loser.first_priority) return Rule::pick_highest;
  if (winner.priority_sum != loser.priority_sum) return Rule::pick_sum;
  if (winner.victims.size() != loser.victims.size()) return Rule::pick_count;
  if (winner.earliest_start != loser.earliest_start) return Rule::pick_start;
  return Rule::pick_tie;
}

auto sample_size(std::int64_t potential_nodes, std::int64_t percentage, std::int64_t absolute) -> std::int64_t {
  return std::min(std::max(potential_nodes * percentage / 100, absolute), potential_nodes);
}

auto pick_node(const NodeInfoSnapshot& node_infos, const std::vector<Candidate>& candidates,
               std::int64_t potential_nodes, std::int64_t percentage, std::int64_t absolute) -> Choice {
  Choice choice;
  if (candidates.empty()) return choice;
  std::vector<decltype(rank(*candidates[0].run))> ranks;
  ranks.reserve(candidates.size());
  for (const Candidate& c : candidates) ranks.push_back(rank(*c.run));
  const auto best = *std::min_element(ranks.begin(), ranks.end());

  choice.sample = sample_size(potential_nodes, percentage, absolute);
  const auto count = static_cast<std::int64_t>(candidates.size());
  choice.sampled = choice.sample < count;
  // A candidate is the best of some sample if and only if enough candidates that do not beat it fill that sample. If
  // there is a candidate without violations, the search continues until it finds one.
  const std::int64_t needed = std::clamp<std::int64_t>(choice.sample, 1, count);
  auto order = ranks;
  // Exactly `needed` candidates are not better than the one here.
  const auto worst_possible = order.end() - static_cast<std::ptrdiff_t>(needed);
  std::nth_element(order.begin(), worst_possible, order.end());
  const bool some_clean = std::get<0>(best) == 0;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (ranks[i] == best) choice.chosen.push_back(candidates[i].node);
    if (ranks[i] <= *worst_possible && (std::get<0>(ranks[i]) == 0 || !some_clean)) {
      choice.possible.push_back(candidates[i].node);
    }
  }
  if (choice.chosen.size() > 1) node_infos.cluster().derived<NodeOrder>().sort(choice.chosen);
  return choice;
}

}  // namespace previct::kube
