#include "engine/answer.h"

#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace previct {

auto weakens(const Gap& gap) -> bool {
  return gap.decides || (gap.kind != Gap::Kind::assumption && gap.could_change_answer);
}

void add_gaps(const std::vector<Gap>& from, std::vector<Gap>& to) {
  for (const Gap& gap : from) {
    const bool known = std::any_of(to.begin(), to.end(),
                                   [&](const Gap& each) { return each.kind == gap.kind && each.what == gap.what; });
    if (!known) to.push_back(gap);
  }
}

auto outcome_name(Outcome outcome) -> std::string_view {
  switch (outcome) {
    case Outcome::fits: return "fits";
    case Outcome::preempts: return "preempts";
    case Outcome::pending: return "pending";
    case Outcome::not_eligible: return "not-eligible";
    case Outcome::waits: return "waits";
    case Outcome::gated: return "gated";
    case Outcome::deleting: return "deleting";
    case Outcome::scheduled: return "scheduled";
    case Outcome::error: return "error";
    case Outcome::unknown: return "unknown";
  }
  return "error";
}

namespace {

auto upper(char c) -> char {
  return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
}

// `the claim ml/data is not in the input`
auto because(const Gap& gap) -> std::string {
  if (!gap.because.empty()) return gap.because;
  switch (gap.kind) {
    case Gap::Kind::missing_kind: return gap.what + " is not in the input";
    case Gap::Kind::unmodelled: return gap.what + " is not modelled";
    case Gap::Kind::assumption: break;
  }
  return gap.what;
}

}  // namespace

void conclude(Answer& answer) {
  const bool settled = answer.outcome == Outcome::scheduled || answer.outcome == Outcome::deleting ||
                       answer.outcome == Outcome::gated || answer.outcome == Outcome::unknown;
  std::vector<std::string> reasons;
  for (const Gap& gap : answer.gaps) {
    if (gap.decides) reasons.push_back(because(gap));
  }
  if (settled || reasons.empty()) return;
  if (answer.assuming.empty()) answer.assuming.push_back({"", answer.outcome, answer.node, answer.sentence});
  answer.sentence = fmt::format("cannot tell, because {}", joined(reasons, " and "));
  for (const Assuming& each : answer.assuming) {
    answer.sentence += each.condition.empty() ? fmt::format(". Leaving that aside, it {}", each.sentence)
                                              : fmt::format(". {}{}, it {}", upper(each.condition.front()),
                                                            each.condition.substr(1), each.sentence);
  }
  answer.outcome = Outcome::unknown;
  answer.node.clear();
  answer.tied.clear();
  for (VictimLine& victim : answer.victims) victim.certain = false;
}

auto chance_words(double chance) -> std::string {
  if (chance <= 0) return "0 %";
  if (chance >= 0.995) return "over 99 %";
  if (chance >= 0.45) return fmt::format("{:.0f} %", chance * 100);
  return fmt::format("1 in {:.0f}", 1 / chance);
}

auto certain_victims(const Answer& answer) -> std::vector<PodId> {
  std::vector<PodId> pods;
  for (const VictimLine& victim : answer.victims) {
    if (victim.certain) pods.push_back(victim.pod);
  }
  return pods;
}

auto possible_victims(const Answer& answer) -> std::vector<PodId> {
  std::vector<PodId> pods;
  std::set<PodId> known;
  const auto add = [&](PodId pod) {
    if (known.insert(pod).second) pods.push_back(pod);
  };
  const auto add_all = [&](const std::vector<VictimLine>& victims) {
    for (const VictimLine& victim : victims) {
      add(victim.pod);
      for (const PodId other : victim.one_of) add(other);
    }
  };
  add_all(answer.victims);
  if (answer.odds) {
    for (const PossibleNode& each : answer.odds->nodes) add_all(each.victims);
  }
  return pods;
}

auto gets_in(const Answer& answer) -> bool {
  return answer.outcome == Outcome::fits || (answer.outcome == Outcome::preempts && !answer.in_vain);
}

}  // namespace previct
