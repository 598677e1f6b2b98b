#include "cli/fail_on.h"

#include "base/go.h"
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>

namespace previct::cli {
namespace {

constexpr std::string_view kIncompleteWord = "incomplete";
constexpr std::string_view kThrashing = "thrashing";
constexpr std::string_view kSlo = "slo";
constexpr std::string_view kPdbViolation = "pdb-violation";
constexpr std::string_view kVictimPriority = "victim-priority>=";
constexpr std::string_view kChangesWithin = "changes-within=";
constexpr std::string_view kMoreEvictions = "more-evictions";

auto unknown_condition(const std::string& word) {
  std::vector<std::string> words = {std::string(kIncompleteWord), std::string(kPdbViolation), std::string(kThrashing),
                                    std::string(kSlo), std::string(kMoreEvictions)};
  for (const Outcome outcome : kOutcomes) words.emplace_back(outcome_name(outcome));
  const auto meant = nearest(word, words);
  return fail(fmt::format(
      "--fail-on \"{}\" is not a condition; {}", word,
      meant ? fmt::format("did you mean {}?", *meant)
            : fmt::format("expected {}, {}N or {}DURATION", joined(words, ", "), kVictimPriority, kChangesWithin)));
}

// Returns true if `holds` is true in every possible outcome or, with `any`, in at least one.
template <class Outcomes, class Holds>
auto in_outcomes(const Outcomes& outcomes, bool any, Holds holds) -> bool {
  return any ? std::any_of(outcomes.nodes.begin(), outcomes.nodes.end(), holds)
             : std::all_of(outcomes.nodes.begin(), outcomes.nodes.end(), holds);
}

auto violates(const Answer& answer, bool any) -> bool {
  if (answer.orders && !answer.orders->nodes.empty())
    return in_outcomes(*answer.orders, any, [&](const Orders::OnNode& each) {
      return (any ? each.most_pdb_violations : each.fewest_pdb_violations) > 0;
    });
  if (answer.odds)
    return in_outcomes(*answer.odds, any, [](const PossibleNode& each) { return each.pdb_violations > 0; });
  return answer.pdb_violations > 0;
}

// Equal pods of a node have the same priority, so that it does not matter which of them is evicted.
auto reaches(const Answer& answer, const Snapshot& cluster, std::int64_t priority, bool any) -> bool {
  const auto high = [&](const Victim& victim) { return cluster.pod(victim.pod).spec.priority >= priority; };
  const auto counts = [&](const Victim& v) { return high(v) && (any || v.certain || v.one_of != nullptr); };
  if (any && answer.orders) {
    const std::vector<PodId> pods = possible_victims(answer);
    return std::any_of(pods.begin(), pods.end(), [&](PodId pod) { return cluster.pod(pod).spec.priority >= priority; });
  }
  if (!answer.odds) return std::any_of(answer.victims.begin(), answer.victims.end(), counts);
  return in_outcomes(*answer.odds, any, [&](const PossibleNode& each) {
    return std::any_of(each.victims.begin(), each.victims.end(), high);
  });
}

auto holds(const Answer& answer, const ReportContext& context, const FailOn& fail_on) -> bool {
  const auto& outcomes = fail_on.outcomes;
  if (std::find(outcomes.begin(), outcomes.end(), outcome_name(answer.outcome)) != outcomes.end()) return true;
  if (fail_on.changes_within && answer.next_change <= context.now.plus_nanos(*fail_on.changes_within)) return true;
  if (fail_on.pdb_violation && violates(answer, fail_on.possible)) return true;
  return fail_on.victim_priority && reaches(answer, context.cluster, *fail_on.victim_priority, fail_on.possible);
}

auto is_told(const std::string& word, ResultKind tells) -> bool {
  if (tells == ResultKind::others) return word == kIncompleteWord;
  if (tells == ResultKind::plays) return word == kIncompleteWord || word == kThrashing || word == kSlo;
  const bool backtest = word.starts_with(kMoreEvictions);
  if (tells == ResultKind::backtests) return word == kIncompleteWord || backtest;
  if (word == kThrashing || word == kSlo || backtest) return false;
  return tells == ResultKind::decisions || word != kPdbViolation;
}

auto add_condition(const std::string& word, FailOn& fail_on) -> Result<void> {
  const std::string_view text = word;
  if (text.starts_with(kVictimPriority)) {
    fail_on.victim_priority = go::parse_int(text.substr(kVictimPriority.size()), 64);
    if (!fail_on.victim_priority) return fail(fmt::format("--fail-on \"{}\": expected an integer after >=", word));
  } else if (text.starts_with(kChangesWithin)) {
    fail_on.changes_within = parse_go_duration(text.substr(kChangesWithin.size()));
    if (fail_on.changes_within.value_or(-1) < 0)
      return fail(fmt::format("--fail-on \"{}\": expected a duration such as 30m", word));
  } else if (text.starts_with(kMoreEvictions)) {
    const std::string_view rest = text.substr(kMoreEvictions.size());
    fail_on.more_evictions = rest.empty() ? 0 : rest.front() == '=' ? go::parse_int(rest.substr(1), 64) : std::nullopt;
    if (fail_on.more_evictions.value_or(-1) < 0)
      return fail(fmt::format("--fail-on \"{}\": expected a number, such as more-evictions=10", word));
  } else if (text == kIncompleteWord) {
    fail_on.incomplete = true;
  } else if (text == kThrashing) {
    fail_on.thrashing = true;
  } else if (text == kSlo) {
    fail_on.slo = true;
  } else if (text == kPdbViolation) {
    fail_on.pdb_violation = true;
  } else if (std::any_of(kOutcomes.begin(), kOutcomes.end(), [&](Outcome o) { return outcome_name(o) == text; })) {
    fail_on.outcomes.push_back(word);
  } else {
    return unknown_condition(word);
  }
  return {};
}

}  // namespace

auto fail_on_of(const Options& options, ResultKind tells) -> Result<FailOn> {
  FailOn fail_on;
  fail_on.possible = options.possible;
  for (const std::string& word : options.fail_on) {
    FailOn none;
    FailOn& to = is_told(word, tells) ? fail_on : none;
    PREVICT_CHECK(add_condition(word, to));
    if (&to == &fail_on || by_variable(options, "fail-on")) continue;
    if (tells == ResultKind::plays) {
      return fail(
          fmt::format("--fail-on {}: previct {} does not decide about a single pod; it accepts only {}, {} and {}",
                      word, options.command, kIncompleteWord, kThrashing, kSlo));
    }
    if (tells == ResultKind::backtests) {
      return fail(
          fmt::format("--fail-on {}: previct backtest accepts only {} and {}", word, kIncompleteWord, kMoreEvictions));
    }
    if (word.starts_with(kMoreEvictions))
      return fail(fmt::format("--fail-on {}: only previct backtest counts evictions over time", word));
    if (word == kThrashing) {
      return fail(fmt::format("--fail-on {}: only previct sequence and previct sweep detect repeated evictions", word));
    }
    if (word == kSlo) {
      return fail(fmt::format("--fail-on {}: only previct sequence and previct sweep count failed preemptions", word));
    }
    if (tells == ResultKind::others) {
      return fail(fmt::format("--fail-on {}: previct {} does not decide about a single pod; it accepts only {}", word,
                              options.command, kIncompleteWord));
    }
    return fail(fmt::format("--fail-on {}: PodDisruptionBudgets are evaluated for one pod at one time", word), {},
                "use previct explain POD without --at and --horizon");
  }
  return fail_on;
}

auto check_slo(const FailOn& fail_on, const Options& options, std::string_view engine) -> Result<void> {
  if (!fail_on.slo || by_variable(options, "fail-on")) return {};
  return fail(
      fmt::format("--fail-on {}: calls to the API server are simulated only for kube-scheduler, and these pods use {}",
                  kSlo, engine));
}

auto status_of(const FailOn& fail_on, bool strict, bool complete, std::size_t evictions_before,
               std::size_t evictions_after) -> ExitCode {
  if (strict && !complete) return kIncomplete;
  const bool more =
      fail_on.more_evictions && evictions_after > evictions_before + static_cast<std::size_t>(*fail_on.more_evictions);
  return more || (fail_on.incomplete && !complete) ? kFindings : kAnswered;
}

auto status_of(const FailOn& fail_on, bool strict, const Provenance& provenance, const std::vector<Answer>& answers,
               const ReportContext& context, ExitCode otherwise) -> ExitCode {
  if (std::any_of(answers.begin(), answers.end(), [](const Answer& a) { return !a.internal_error.empty(); }))
    return kBug;
  if (strict && !provenance.complete()) return kIncomplete;
  const bool condition =
      (fail_on.incomplete && !provenance.complete()) ||
      std::any_of(answers.begin(), answers.end(), [&](const Answer& a) { return holds(a, context, fail_on); });
  return condition ? kFindings : otherwise;
}

}  // namespace previct::cli
