#include "cli/play.h"

#include "analysis/subject.h"
#include "api/quantity.h"
#include "base/contains.h"
#include "base/text.h"
#include "cli/backlog.h"
#include "cli/live.h"
#include "cli/load.h"
#include "engine/required_kind.h"
#include "sequence/report.h"
#include "tell/tell.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace previct::cli {
namespace {

auto settings_of(const Session& session, const Snapshot& cluster, const Asked& asked) -> Result<sequence::Settings> {
  const Options& options = session.options;
  sequence::Settings settings{.question = asked.question};
  for (const std::string& text : options.arrive) {
    PREVICT_TRY(const sequence::Arrival arrival, sequence::read_arrival(text, cluster));
    const auto same = [&](const sequence::Arrival& other) { return other.pod == arrival.pod; };
    if (std::any_of(settings.arrivals.begin(), settings.arrivals.end(), same))
      return fail(fmt::format("--arrive \"{}\": another --arrive names this pod", text));
    settings.arrivals.push_back(arrival);
  }
  for (const std::string& text : options.failures) {
    PREVICT_TRY(const sequence::Failure failure, sequence::read_failure(text, cluster));
    settings.failures.push_back(failure);
  }
  settings.seed = options.seed;
  for (const std::string& text : options.rates) {
    constexpr double kMost = 10'000;
    const auto quantity = Quantity::parse(text);
    const double rate = quantity ? static_cast<double>(quantity->milli()) / 1000 : 0;
    if (rate <= 0 || rate > kMost)
      return fail(fmt::format("--rates \"{}\": expected arrivals per second, above 0 and up to {:g}", text, kMost));
    settings.rates.push_back(rate);
  }
  const auto latency = parse_go_duration(options.api_latency);
  if (!latency || *latency < 0) {
    return fail(
        fmt::format("--api-latency \"{}\" is not a duration; expected one such as 5ms or 1s", options.api_latency));
  }
  settings.api_latency = *latency;
  PREVICT_TRY(settings.pace, kube::read_rate_limits(cluster, asked.question));
  if (options.qps) settings.pace.qps = *options.qps;
  if (options.burst) settings.pace.burst = *options.burst;
  if (settings.pace.qps == 0 || settings.pace.burst == 0) return fail("--qps and --burst must be at least 1");
  if (is_given(options, "horizon") && is_given(options, "until"))
    return fail("--until is the same as --horizon: give one of them");
  if (!options.horizon.empty()) {
    const auto horizon = parse_go_duration(options.horizon);
    if (!horizon || *horizon <= 0) {
      return fail(fmt::format("--horizon \"{}\" is not a duration; expected one such as 10m or 2h", options.horizon));
    }
    settings.horizon = *horizon;
    settings.to_the_horizon = true;
  }
  settings.controllers = !options.no_controllers;
  for (const std::string& text : options.lasting) {
    PREVICT_TRY(sequence::PodDuration duration, sequence::read_lasting(text, "--lasts"));
    const auto same = [&](const sequence::PodDuration& other) { return other.pods == duration.pods; };
    if (std::any_of(settings.run_durations.begin(), settings.run_durations.end(), same))
      return fail(fmt::format("--lasts \"{}\": another --lasts names these pods", text));
    settings.run_durations.push_back(std::move(duration));
  }
  PREVICT_TRY(settings.epochs, epochs_of(options));
  for (const std::string& text : options.recurring) {
    PREVICT_TRY(const sequence::Recurring recurring, sequence::read_recurring(text, cluster));
    settings.recurring.push_back(recurring);
  }
  PREVICT_CHECK(sequence::check_recurring(settings));
  settings.most_work = sequence::work_limit(cluster.pods().size() + cluster.nodes().size());
  for (const std::string& text : options.pods) {
    PREVICT_TRY(const Subject subject, find_subject(cluster, text, options.ns.empty() ? "default" : options.ns));
    if (!subject.pod || !cluster.pending(subject.pod)) return fail(fmt::format("--pods {}: no pending pod", text));
    if (!contains(settings.pods, subject.pod)) settings.pods.push_back(subject.pod);
  }
  if (options.pods.empty()) {
    PREVICT_CHECK(check_namespace(options, cluster));
    for (const Subject& subject : pending_subjects(cluster, namespace_given(session))) {
      settings.pods.push_back(subject.pod);
    }
  }
  for (const sequence::Arrival& arrival : settings.arrivals) {
    if (std::find(settings.pods.begin(), settings.pods.end(), arrival.pod) == settings.pods.end()) {
      settings.pods.push_back(arrival.pod);
    }
  }
  sort_by_age(cluster, settings.pods);
  return settings;
}

// Simulates the scheduler of the first pod; pods of other schedulers are left out, which is reported.
auto keep_pods_of_one(const std::string& engine, const Snapshot& cluster, std::vector<PodId>& pods,
                      std::vector<Gap>& gaps) -> Result<const Engine*> {
  std::map<std::string, std::size_t> left_out;
  std::vector<PodId> kept;
  const Engine* played = nullptr;
  for (const PodId pod : pods) {
    const ObjectMeta& meta = cluster.pod(pod).meta;
    const Subject subject{"pod", std::string(cluster.text(meta.ns)), std::string(cluster.text(meta.name)), pod};
    PREVICT_TRY(const Engine* chosen, choose_engine(engines(), engine, cluster, subject));
    if (played == nullptr) played = chosen;
    if (chosen == played) {
      kept.push_back(pod);
    } else {
      ++left_out[std::string(chosen->name())];
    }
  }
  for (const auto& [name, count] : left_out) {
    gaps.push_back({GapRule::pods_not_played, {std::to_string(count), name}});
  }
  pods = std::move(kept);
  return played;
}

// Without pending pods, queues above their maximum may still lose pods.
auto gaps_without_pods(const Engine& engine, const Snapshot& cluster, const Question& question)
    -> Result<std::vector<Gap>> {
  std::vector<Gap> gaps = missing_kinds(cluster.objects(), engine.needs());
  if (!engine.sees_own_decisions_in_cycle() || engine.preempts_by_priority_class()) return gaps;
  PREVICT_TRY(const Protections all, protections(engine, cluster, question));
  add_gaps(all.gaps, gaps);
  return gaps;
}

// Sets the release that the engine behaves like, and the gaps that are known before the simulation.
auto ask_about_first_pod(const Snapshot& cluster, SimulationRequest& play) -> Result<void> {
  const sequence::Settings& settings = play.settings;
  if (settings.pods.empty()) {
    PREVICT_TRY(const std::vector<Gap> gaps, gaps_without_pods(*play.engine, cluster, settings.question));
    add_gaps(gaps, play.gaps);
    return {};
  }
  Question question = settings.question;
  const ObjectMeta& first = cluster.pod(settings.pods.front()).meta;
  question.ns = cluster.text(first.ns);
  question.name = cluster.text(first.name);
  question.brief = true;
  question.follows_assumptions = false;
  PREVICT_TRY(Answer answer, explain(*play.engine, cluster, question));
  sequence::leave_to_simulation(answer.gaps);
  if (settings.pods.size() > 1)  // the others compete in the simulation
    std::erase_if(answer.gaps, [](const Gap& gap) { return gap.rule == GapRule::yunikorn_no_reservations; });
  add_gaps(answer.gaps, play.gaps);
  play.behaves = std::move(answer.behaves);
  return {};
}

/// Warns, because a misspelt pattern would have no effect.
void warn_of_patterns_without_pods(const Snapshot& cluster, const std::vector<sequence::PodDuration>& patterns,
                                   std::string_view flag, Diagnostics& diagnostics) {
  for (const sequence::PodDuration& pattern : patterns) {
    const bool matches_one = std::any_of(cluster.pods().begin(), cluster.pods().end(), [&](const Pod& pod) {
      const std::string_view ns = cluster.text(pod.meta.ns);
      const auto matches_new_pod = [&](const OwnerReference& owner) {
        return owner.controller && sequence::matches(pattern, ns, fmt::format("{}-new-1", cluster.text(owner.name)));
      };
      return sequence::matches(pattern, ns, cluster.text(pod.meta.name)) ||
             std::any_of(pod.meta.owners.begin(), pod.meta.owners.end(), matches_new_pod);
    });
    if (!matches_one)
      diagnostics.warn("no-such-pods", fmt::format("{} {}: no pod in the input has this name", flag, pattern.pods));
  }
}

}  // namespace

auto epochs_of(const Options& options) -> Result<std::vector<sequence::PodDuration>> {
  std::vector<sequence::PodDuration> epochs;
  for (const std::string& text : options.epochs) {
    const bool of_all = text.find('=') == std::string::npos;
    PREVICT_TRY(sequence::PodDuration epoch, sequence::read_lasting(of_all ? "*=" + text : text, "--epoch"));
    epochs.push_back(std::move(epoch));
  }
  return epochs;
}

auto engine_with_cycles(const Options& options, const Snapshot& cluster, const Question& question)
    -> Result<const Engine*> {
  for (const Engine* engine : engines()) {
    if (!engine->simulates_cycles() || (options.engine != "auto" && engine->name() != options.engine)) continue;
    PREVICT_TRY(const std::vector<AskedObject> waiting, engine->pending(cluster, question, ""));
    // If it decides about none of them, pods of another scheduler are of more interest.
    const auto pods = pending_by_engine(cluster, "");
    const bool decides =
        std::any_of(waiting.begin(), waiting.end(), [](const AskedObject& each) { return !each.waits_for_others; });
    const bool alone =
        std::all_of(pods.begin(), pods.end(), [&](const auto& each) { return each.first == engine->name(); });
    if (decides || (!waiting.empty() && alone) || options.engine != "auto") return engine;
  }
  return static_cast<const Engine*>(nullptr);
}

auto question_about_cycles(const Options& options, Question question) -> Question {
  // A run ends earlier if nothing changes, or if a state recurs.
  constexpr std::size_t kMostCycles = 200;
  if (!is_given(options, "cycles")) question.cycles = kMostCycles;
  return question;
}

auto simulation_request(Session& session, Loaded& loaded, const Snapshot& cluster, const Asked& asked)
    -> Result<SimulationRequest> {
  const Options& options = session.options;
  SimulationRequest play;
  PREVICT_TRY(play.settings, settings_of(session, cluster, asked));
  if (const std::string ns = namespace_given(session); !ns.empty() && options.pods.empty()) {
    const std::size_t others = pending_subjects(cluster, "").size() - pending_subjects(cluster, ns).size();
    if (others > 0) play.gaps.push_back({GapRule::namespaces_not_played, {std::to_string(others)}});
  }
  warn_of_patterns_without_pods(cluster, play.settings.run_durations, "--lasts", loaded.objects.diagnostics);
  warn_of_patterns_without_pods(cluster, play.settings.epochs, "--epoch", loaded.objects.diagnostics);
  if (play.settings.controllers) {
    if (loaded.reading) {
      PREVICT_TRY(play.settings.controller_objects, controller_objects_live(options, loaded.objects));
    } else {
      play.settings.controller_objects = sequence::controller_objects_of(loaded.objects);
    }
  }
  PREVICT_TRY(play.engine, keep_pods_of_one(options.engine, cluster, play.settings.pods, play.gaps));
  if (play.engine == nullptr) {
    PREVICT_TRY(play.engine, main_engine(engines(), options.engine, cluster));
  }
  PREVICT_CHECK(check_files_read(options, *play.engine));
  // kube-scheduler is simulated call by call, the others cycle by cycle.
  if (!play.engine->preempts_by_priority_class() && !play.settings.failures.empty()) {
    return fail(fmt::format("--fail works only for kube-scheduler, and these pods use {}", play.engine->name()));
  }
  if (!play.engine->preempts_by_priority_class() && !play.settings.rates.empty()) {
    return fail(fmt::format("--rates works only for kube-scheduler, and these pods use {}", play.engine->name()));
  }
  PREVICT_CHECK(ask_about_first_pod(cluster, play));
  return play;
}

}  // namespace previct::cli
