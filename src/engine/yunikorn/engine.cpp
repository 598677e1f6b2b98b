#include "engine/engine.h"

#include "engine/kube/unknown_volumes.h"
#include "engine/yunikorn/eldest.h"
#include "engine/yunikorn/evidence.h"
#include "engine/yunikorn/explain.h"
#include "engine/yunikorn/needs.h"
#include "engine/yunikorn/protections.h"
#include "engine/yunikorn/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

namespace previct {
namespace yunikorn {
namespace {

constexpr std::string_view kRelease = "1.9 (core 1.9, k8shim 1.9.0)";
constexpr std::string_view kDesign = "1.5.1 design document (no release ever had it)";

/// What is decided before any queue is asked; none if the pod waits for the scheduler.
auto settled(const Snapshot& cluster, PodId id, Answer& answer) -> bool {
  const Pod& pod = cluster.pod(id);
  if (pod.spec.node_name) {
    answer.outcome = Outcome::scheduled;
    answer.node = std::string(cluster.text(pod.spec.node_name));
    answer.sentence = fmt::format("is on node {} already", answer.node);
    return true;
  }
  if (!pod.spec.scheduling_gates.empty()) {
    answer.outcome = Outcome::gated;
    answer.sentence =
        fmt::format("is held back by scheduling gate {}", cluster.text(pod.spec.scheduling_gates[0].name));
    return true;
  }
  return false;
}

/// What all questions about one cluster need, made once: the configuration read, the queues filled.
struct Known {
  explicit Known(const Snapshot& /*cluster*/) {}

  std::string brought;  // what the question brought: another one, another world
  std::optional<Setup> setup;
  std::unique_ptr<World> world;
};

auto known(const Snapshot& cluster, const Question& question) -> Result<const Known*> {
  Known& kept = cluster.derived<Known>();
  std::string brought;
  for (const auto* file : {&question.yunikorn_config, &question.assumptions}) {
    brought += *file ? fmt::format("{}:{}", (*file)->bytes.size(), (*file)->bytes) : "-";
  }
  if (!kept.setup || kept.brought != brought) {
    kept.world.reset();
    kept.setup.reset();
    PREVICT_TRY(kept.setup, read_setup(cluster, question));
    kept.world = std::make_unique<World>(cluster, kept.setup->partition(), kept.setup->assumptions, kept.setup->world);
    kept.brought = std::move(brought);
  }
  return &kept;
}

struct NextChange {
  Instant at = Instant::never();
  std::string words{};
};

/// The first moment from `at` on at which the pod's attempt ends otherwise.
auto next_change(const World& world, PodId pod, const ReleaseOptions& options, const ReleaseDecision& now, Instant at)
    -> NextChange {
  constexpr std::size_t kMostInstants = 60;
  for (std::size_t tried = 0; !at.is_never(); ++tried) {
    if (tried == kMostInstants) {
      return {at, fmt::format("not before; {} instants looked at, the answer stays the same until then", tried)};
    }
    Moment moment(at);
    const ReleaseDecision then = decide_release(world, pod, options, moment);
    if (!alike(now, then)) {
      return {at, fmt::format("the next cycle may decide otherwise: it {}", Sentences(world, at).verdict(then))};
    }
    at = moment.horizon();
  }
  return {};
}

/// Several pods may have made an application: where that matters, the verdict says so.
void tell_other_eldest(const World& world, const Setup& setup, const ReleaseDecision& decision,
                       const ReleaseOptions& options, Instant now, Answer& answer) {
  const Snapshot& cluster = world.cluster();
  const OpenEldest open = other_eldest(world, setup, decision, options, now);
  if (open.tried < open.choices) {
    answer.gaps.push_back({Gap::Kind::assumption,
                           fmt::format("where the oldest pods of an application are equally old, the first in the "
                                       "input is its originator; {} of {} other choices were tried",
                                       open.tried, open.choices),
                           "", true});
  }
  if (open.differing.empty()) return;
  const OtherEldest& first = open.differing.front();
  answer.sentence +=
      fmt::format("; but if {} made application {} and not {}, which is as old, it {}", cluster.key(first.pod),
                  world.app(world.app_of(first.pod)).id, cluster.key(first.instead_of), first.verdict);
  if (open.differing.size() > 1 || open.tried < open.choices) {
    answer.sentence +=
        fmt::format(" ({} of the {} such choices tried end otherwise)", open.differing.size(), open.tried);
  }
  for (VictimLine& victim : answer.victims) {
    victim.certain =
        victim.certain && std::all_of(open.differing.begin(), open.differing.end(), [&](const OtherEldest& other) {
          return std::find(other.victims.begin(), other.victims.end(), victim.pod) != other.victims.end();
        });
  }
}

/// `answer` says what comes if every node reaches the pod's volumes: if it does not get in even then, that is the
/// answer, else where they are decides. The evidence is what follows from the input by the letter.
void tell_unknown_volumes(const World& world, PodId pod, const kube::UnknownVolumes& unknown, const Question& question,
                          bool triggered, Answer& answer) {
  if (!question.brief) {
    Moment now(question.now);
    answer.evidence = evidence(world, decide_release(world, pod, {triggered, false}, now));
  }
  if (answer.outcome != Outcome::fits && answer.outcome != Outcome::preempts) return;
  answer.assuming.push_back({unknown.if_reached, answer.outcome, answer.node, answer.sentence});
  for (Gap& gap : answer.gaps) {
    if (gap.kind != Gap::Kind::missing_kind || gap.what != unknown.kind) continue;
    gap.decides = true;
    gap.because = unknown.because;
  }
}

void explain_release(const Snapshot& cluster, const Known& known, PodId pod, const Question& question, Moment& now,
                     Answer& answer) {
  const World& world = *known.world;
  if (!world.app_of(pod)) {
    answer.outcome = Outcome::not_eligible;
    answer.sentence = "is not YuniKorn's: its schedulerName is not exactly yunikorn";
    answer.evidence = evidence_unknown({});
    return;
  }
  answer.gaps = gaps_of(cluster, *known.setup, &world, pod);
  if (!world.known(pod)) {
    const Application& app = world.app(world.app_of(pod));
    const std::string why = app.queue
                                ? "it holds a place for a gang, but names no task group, and YuniKorn takes no such pod"
                                : fmt::format("application {} is rejected: {}", app.id, app.refusal);
    answer.outcome = Outcome::error;
    answer.sentence = "is never scheduled: " + why;
    answer.evidence = evidence_unknown(why);
    return;
  }
  const auto unknown = kube::unknown_volumes(cluster, cluster.pod(pod));
  const ReleaseOptions options{known.setup->assumptions.ask_triggered, unknown.has_value()};
  const ReleaseDecision decision = decide_release(world, pod, options, now);
  fill(world, decision, question, answer);
  answer.next_change = now.horizon();
  if (!question.brief) {
    tell_other_eldest(world, *known.setup, decision, options, question.now, answer);
    NextChange next = next_change(world, pod, options, decision, now.horizon());
    answer.next_change = next.at;
    answer.next_change_words = std::move(next.words);
  }
  if (unknown) tell_unknown_volumes(world, pod, *unknown, question, options.ask_triggered, answer);
}

void explain_design(const Snapshot& cluster, const Known& known, PodId pod, const Question& question, Moment& now,
                    Answer& answer) {
  if (cluster.pod(pod).meta.deleting) {
    answer.outcome = Outcome::deleting;
    answer.sentence = "is being deleted";
    return;
  }
  TypeNames types(cluster);
  const auto decide = [&](Moment& at) {
    return decide_design(cluster, pod, known.setup->world.unique_app_ids, known.setup->assumptions, types, at);
  };
  fill(cluster, decide(now), types, question, answer);
  answer.gaps = gaps_of(cluster, *known.setup, nullptr, pod);
  answer.next_change = now.horizon();
  if (now.horizon().is_never()) return;
  Moment then(now.horizon());
  answer.next_change_words = "the start delay is over: it " + design_verdict(cluster, decide(then), now.horizon());
}

class YunikornEngine final : public Engine {
 public:
  [[nodiscard]] auto name() const -> std::string_view override { return "yunikorn"; }
  [[nodiscard]] auto rank() const -> int override { return 20; }
  [[nodiscard]] auto needs() const -> std::span<const Need> override { return kNeeds; }
  [[nodiscard]] auto reads_assumptions() const -> bool override { return true; }
  [[nodiscard]] auto acts_at_once() const -> bool override { return true; }

  [[nodiscard]] auto forgotten_between_cycles() const -> std::vector<Gap> override {
    return {{Gap::Kind::unmodelled, "YuniKorn's reservations and its delay between preemption attempts",
             "room that is free goes to whoever is asked first"}};
  }

  [[nodiscard]] auto takes(const Snapshot& cluster, PodId pod) const -> bool override {
    const Symbol ours = cluster.symbol("yunikorn");
    return ours && cluster.pod(pod).spec.scheduler_name == ours;
  }

  [[nodiscard]] auto check_configuration(const Snapshot& /*cluster*/, const Question& question) const
      -> Result<void> override {
    if (!question.yunikorn_config) return {};
    PREVICT_CHECK(read_queues(question.yunikorn_config->bytes, question.yunikorn_config->file));
    return {};
  }

  [[nodiscard]] auto decide(const Snapshot& cluster, const Question& question) const -> Result<Answer> override {
    const bool design = question.yunikorn_mode == "design-1.5.1";
    if (!design && question.yunikorn_mode != "release") {
      return fail(fmt::format("unknown mode {}: release or design-1.5.1", question.yunikorn_mode));
    }
    PREVICT_TRY(const PodId pod, find(cluster, question));
    PREVICT_TRY(const Known* all, known(cluster, question));

    Answer answer;
    answer.engine = "yunikorn";
    answer.behaves = design ? kDesign : kRelease;
    answer.subject = pod;
    answer.subject_name = cluster.key(pod);
    if (settled(cluster, pod, answer)) return answer;
    Moment now(question.now);
    if (design) {
      explain_design(cluster, *all, pod, question, now, answer);
    } else {
      explain_release(cluster, *all, pod, question, now, answer);
    }
    return answer;
  }

  [[nodiscard]] auto protections(const Snapshot& cluster, const Question& question) const
      -> Result<Protections> override {
    PREVICT_TRY(const Known* all, known(cluster, question));
    PREVICT_TRY(Protections found, yunikorn::protections(*all->world, question));
    found.behaves = kRelease;
    found.gaps = gaps_of(cluster, *all->setup, all->world.get(), {});
    return found;
  }

  [[nodiscard]] auto takers(const Snapshot& cluster, const Question& question) const -> Result<Takers> override {
    PREVICT_TRY(const PodId pod, find(cluster, question));
    PREVICT_TRY(const Known* all, known(cluster, question));
    Takers found = yunikorn::takers(*all->world, pod, question.now);
    found.behaves = kRelease;
    found.gaps = gaps_of(cluster, *all->setup, all->world.get(), {});
    return found;
  }

 private:
  static auto find(const Snapshot& cluster, const Question& question) -> Result<PodId> {
    const PodId pod = question.kind == "pod" ? cluster.find_pod(question.ns, question.name) : PodId{};
    if (pod) return pod;
    return fail(fmt::format("no {} {}/{} in the input", question.kind, question.ns, question.name));
  }
};

const YunikornEngine kEngine;

}  // namespace
}  // namespace yunikorn

const Engine& yunikorn_engine = yunikorn::kEngine;

}  // namespace previct
