#include "analysis/subject.h"
#include "base/text.h"
#include "cli/backlog.h"
#include "cli/command.h"
#include "cli/fail_on.h"
#include "cli/state.h"
#include "engine/need.h"
#include "sequence/kube_play.h"
#include "sequence/report.h"
#include "sequence/rounds.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

namespace previct::cli {
namespace {

constexpr std::array kTakes = {Group::state,    Group::reading,   Group::live,   Group::connection, Group::question,
                               Group::sequence, Group::scheduler, Group::output, Group::strictness, Group::help};

auto settings_of(const Session& session, const Snapshot& cluster, const Asked& asked) -> Result<sequence::Settings> {
  const Options& options = session.options;
  sequence::Settings settings{.question = asked.question};
  for (const std::string& text : options.arrive) {
    PREVICT_TRY(const sequence::Arrival arrival, sequence::read_arrival(text, cluster));
    settings.arrivals.push_back(arrival);
  }
  for (const std::string& text : options.failures) {
    PREVICT_TRY(const sequence::Failure failure, sequence::read_failure(text, cluster));
    settings.failures.push_back(failure);
  }
  const auto latency = parse_go_duration(options.api_latency);
  if (!latency || *latency < 0) {
    return fail(
        fmt::format("--api-latency \"{}\" is no length of time; expected one as 5ms or 1s", options.api_latency));
  }
  settings.api_latency = *latency;
  PREVICT_TRY(settings.pace, kube::read_pace(cluster, asked.question));
  settings.pace.qps = options.qps.value_or(settings.pace.qps);
  settings.pace.burst = options.burst.value_or(settings.pace.burst);
  if (settings.pace.qps == 0 || settings.pace.burst == 0) return fail("--qps and --burst must be at least 1");
  if (!options.horizon.empty()) {
    const auto horizon = parse_go_duration(options.horizon);
    if (!horizon || *horizon <= 0) {
      return fail(fmt::format("--horizon \"{}\" is not a duration; expected one such as 10m or 2h", options.horizon));
    }
    settings.horizon = *horizon;
  }
  for (const std::string& text : options.pods) {
    PREVICT_TRY(const Subject subject, find_subject(cluster, text, options.ns.empty() ? "default" : options.ns));
    if (!subject.pod || !cluster.pending(subject.pod)) return fail(fmt::format("--pods {}: no pending pod", text));
    settings.pods.push_back(subject.pod);
  }
  if (options.pods.empty()) {
    PREVICT_CHECK(check_namespace(options, cluster));
    for (const Subject& subject : pending_subjects(cluster, namespace_of(options))) {
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

// The scheduler of the first pod is played; the pods of others are left out, which is said.
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
    gaps.push_back({Gap::Kind::unmodelled, fmt::format("{} of {}", counted(count, "pending pod", "pending pods"), name),
                    "they are left out, and take no room; --pods chooses them"});
  }
  pods = std::move(kept);
  return played;
}

// What the engine does not know of this input: of each pod, as one may have volumes and another not.
auto gaps_of_engine(const Engine& engine, const Snapshot& cluster, const sequence::Settings& settings)
    -> Result<std::vector<Gap>> {
  std::vector<Gap> gaps;
  if (settings.pods.empty()) gaps = missing_kind(cluster.objects(), engine.needs(), "Pod");
  for (const PodId pod : settings.pods) {
    Question question = settings.question;
    question.ns = cluster.text(cluster.pod(pod).meta.ns);
    question.name = cluster.text(cluster.pod(pod).meta.name);
    question.brief = true;
    PREVICT_TRY(const Verdict verdict, engine.decide(cluster, question));
    add_gaps(verdict.gaps, gaps);
  }
  return gaps;
}

auto run(Session& session) -> Result<Done> {
  const Options& options = session.options;
  PREVICT_TRY(const FailOn fail_on, fail_on_of(options, Tells::others));
  PREVICT_CHECK(load_state(session));
  const Snapshot cluster(session.objects);
  PREVICT_TRY(const Asked asked, asked_by(session, cluster));
  PREVICT_TRY(sequence::Settings settings, settings_of(session, cluster, asked));
  std::vector<Gap> gaps;
  PREVICT_TRY(const Engine* engine, keep_pods_of_one(options.engine, cluster, settings.pods, gaps));
  if (engine == nullptr) {
    PREVICT_TRY(engine, main_engine(engines(), options.engine, cluster));
  }
  PREVICT_CHECK(check_assumptions(options, *engine));
  // kube-scheduler is played call by call, the others cycle by cycle.
  const bool kube = engine->goes_by_classes();
  if (!kube && !settings.failures.empty()) {
    return fail(fmt::format("--fail is played for kube-scheduler only, and these pods are {}'s", engine->name()));
  }
  PREVICT_TRY(const std::vector<Gap> of_engine, gaps_of_engine(*engine, cluster, settings));
  add_gaps(of_engine, gaps);
  PREVICT_TRY(sequence::Sequence sequence, kube ? sequence::kube_sequence(session.objects, settings)
                                                : sequence::rounds(session.objects, *engine, settings));
  add_gaps(sequence::gaps_of_play(cluster, settings, sequence.play, kube), gaps);
  add_gaps(sequence.gaps, gaps);
  sequence.gaps = std::move(gaps);
  const Grounds grounds = grounds_of(session, cluster, asked);
  return Done{sequence::sequence_report(sequence, settings, grounds),
              status_of(fail_on, options.strict, Basis(grounds, sequence), {}, grounds)};
}

constexpr Command kCommand = {
    .name = "sequence",
    .what = "simulate the next scheduling cycles: who is evicted, who gets in, and when",
    .arguments = "",
    .most_arguments = 0,
    .groups = kTakes,
    .examples =
        "sequence -f dump.yaml                                      all pending pods, until nothing changes\n"
        "sequence -f dump.yaml -f pod2.yaml --arrive ml/pod2=+2s    another pod is created in the meantime\n"
        "sequence -f dump.yaml --fail delete:ml/nightly-eval-7f9c4   a call to the API server fails",
    .more =
        "Simulates the next scheduling cycles: decisions, nominations, API calls within the rate limit, grace periods, "
        "bindings. If the result depends on the order of two events, each result found is listed with the events that "
        "decide it.",
    .run = run};

}  // namespace

const Command& sequence_command = kCommand;

}  // namespace previct::cli
