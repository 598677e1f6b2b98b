#include "cli/backlog.h"

#include "sequence/kube_scenario.h"

#include <algorithm>
#include <map>

namespace previct::cli {
namespace {

auto in_turn_of(const sequence::End& end, const sequence::SimulationResult& play, const Snapshot& cluster)
    -> SimulatedOutcome {
  using Kind = sequence::End::Kind;
  SimulatedOutcome turn;
  turn.victims = end.victims;
  const bool waits = end.kind == Kind::waits;
  const bool placed = end.kind == Kind::bound || waits;
  if (end.kind == Kind::evicted) {
    turn.way = SimulatedOutcome::Way::evicted;
  } else if (end.kind == Kind::not_simulated || end.kind == Kind::pending) {
    turn.way = SimulatedOutcome::Way::unknown;
    turn.unknown = end.unknown;
  } else if (placed && !end.victims.empty()) {
    turn.way = SimulatedOutcome::Way::preempts;
  } else if (placed) {
    turn.way = waits ? SimulatedOutcome::Way::waits : SimulatedOutcome::Way::enters;
  }
  if (waits) turn.waiting = end.why;
  const bool open = play.node_open.contains(end.pod) && end.victims.empty();
  if (placed && end.node && !open) turn.node = cluster.name(end.node);
  for (const sequence::Step& step : play.steps) {
    if (step.pod == end.pod && !step.open.taken.empty()) turn.open = step.open;
  }
  if (end.victims.empty()) turn.open = {};
  turn.seconds = end.at / sequence::kSecond;
  return turn;
}

}  // namespace

void sort_by_age(const Snapshot& cluster, std::vector<PodId>& pods) {
  std::stable_sort(pods.begin(), pods.end(), [&](PodId a, PodId b) {
    return cluster.pod(a).meta.created.value_or(Instant{}) < cluster.pod(b).meta.created.value_or(Instant{});
  });
}

auto simulate_backlog(Objects& objects, const Snapshot& cluster, const Asked& asked, const std::vector<Answer>& answers)
    -> Result<std::vector<std::optional<SimulatedOutcome>>> {
  std::vector<std::optional<SimulatedOutcome>> turns(answers.size());
  sequence::Settings settings{.question = asked.question};
  std::map<PodId, std::size_t> at;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const bool can_be_played = find_engine(answers[i].engine)->preempts_by_priority_class() && answers[i].subject &&
                               answers[i].outcome != Outcome::unknown && cluster.pending(answers[i].subject);
    if (!can_be_played) continue;
    settings.pods.push_back(answers[i].subject);
    at.emplace(answers[i].subject, i);
  }
  if (settings.pods.size() < 2 || settings.pods.size() > kMostInTurn) return turns;
  sort_by_age(cluster, settings.pods);
  PREVICT_TRY(settings.pace, kube::read_rate_limits(cluster, asked.question));
  PREVICT_CHECK(sequence::share_requests(cluster, settings));
  PREVICT_TRY(const sequence::SimulationResult play, sequence::simulate_kube(objects, settings, {}));
  for (const sequence::End& end : play.ends) {
    const auto found = at.find(end.pod);
    if (found != at.end()) turns[found->second] = in_turn_of(end, play, cluster);
  }
  return turns;
}

}  // namespace previct::cli
