#include "engine/engine.h"

#include "base/duration.h"
#include "engine/assumptions.h"
#include "engine/doubts.h"
#include "engine/kube/unknown_volumes.h"
#include "engine/yunikorn/account.h"
#include "engine/yunikorn/assumptions.h"
#include "engine/yunikorn/attempt_order.h"
#include "engine/yunikorn/known.h"
#include "engine/yunikorn/needs.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

namespace previct {
namespace yunikorn {
namespace {

/// Returns true, and sets the outcome, if it is decided before any queue is involved; false if the pod is pending in
/// the scheduler.
auto settled(const Snapshot& cluster, PodId id, bool by_design, Verdict& verdict) -> bool {
  const Pod& pod = cluster.pod(id);
  if (pod.spec.node_name) {
    verdict.outcome = Outcome::scheduled;
    verdict.node = std::string(cluster.text(pod.spec.node_name));
  } else if (!pod.spec.scheduling_gates.empty()) {
    verdict.outcome = Outcome::gated;
  } else if (by_design && pod.meta.deleting) {
    verdict.outcome = Outcome::deleting;
  } else {
    return false;
  }
  return true;
}

/// `verdict` assumes that every node can reach the pod's volumes. If the pod is not scheduled even then, it stands;
/// otherwise the location of the volumes decides.
void doubt_for_volumes(const kube::UnknownVolumes& unknown, Verdict& verdict) {
  if (verdict.outcome != Outcome::fits && verdict.outcome != Outcome::preempts) return;
  verdict.assumed.push_back({unknown.if_reached(), verdict.outcome, verdict.node, verdict.account});
  kube::make_decisive(unknown, verdict.gaps);
}

/// Adds a gap if several pods may have created an application and not all relevant choices were tried.
void doubt_for_untried(const FirstPodChoices& open, std::vector<Gap>& gaps) {
  if (open.tried >= open.choices) return;
  gaps.push_back({GapRule::yunikorn_originators_tried, {std::to_string(open.tried), std::to_string(open.choices)}});
}

/// Adds a gap if a restart of the scheduler changes the answer: the scheduler remembers placeholders of applications
/// that declare no task groups, and pods of gangs whose placeholders were replaced, and after a restart does not
/// recover them, or not at once; releases before 1.6 do not recover required nodes either.
void doubt_for_restart(const PartitionContext& core, const Setup& setup, const ReleaseDecision& decision,
                       const ReleaseOptions& options, Instant now, std::vector<Gap>& gaps) {
  const Snapshot& cluster = core.cluster();
  PodId forgotten;
  bool waits = false;  // for the placeholders of its gang, once more
  for (const PodId pod : cluster.pods().ids()) {
    if (waits || !core.is_lost_on_restart(pod) || !core.known(pod)) continue;
    waits = core.app_of(pod) == decision.ask.app && !core.holds_place(pod) && !core.holds_place(decision.ask.pod);
    if (!forgotten || waits) forgotten = pod;
  }
  const Release& release = core.keys().release;
  if (!forgotten && release.has(Change::required_nodes_are_recovered)) return;
  PartitionSettings settings = setup.core;
  settings.restarted = true;
  const PartitionContext after(cluster, setup.config, setup.assumptions, settings);
  Moment moment(now);
  if (!waits && alike(decision, decide_release(after, decision.ask.pod, options, moment))) return;
  if (!forgotten) {
    gaps.push_back({GapRule::yunikorn_daemons_recovered, {"1." + std::to_string(release.minor())}, true});
    return;
  }
  const GapRule rule = core.holds_place(forgotten) ? GapRule::yunikorn_places_kept : GapRule::yunikorn_gang_kept;
  gaps.push_back({rule, {cluster.key(forgotten), core.app(core.app_of(forgotten)).id}});
}

/// When the placeholders of the pod's gang may be released because of their timeout.
struct PlacesEnd {
  Instant at = Instant::never();  ///< not sooner than this; never: the pod needs none, or no timeout runs
  std::int64_t timeout = 0;       ///< seconds
};

/// Returns the end of the placeholders that the pod waits for or replaces, or of which it is one. Their timeout starts
/// when the first of them is allocated, and ends no sooner than counted from the creation of the pod that created the
/// application. When exactly depends on when that pod was submitted, and on restarts: after one, it only runs if a
/// placeholder is recovered before the other pods of the application.
/// Source: apache/yunikorn-core 1.9 pkg/scheduler/objects/application.go addAllocationInternal, initPlaceholderTimer,
/// timeoutPlaceholderProcessing; pkg/common/utils.go adjustTimeout.
auto end_of_places(const PartitionContext& core, const ReleaseDecision& decision) -> PlacesEnd {
  const Snapshot& cluster = core.cluster();
  const AppId own = decision.ask.app;
  const auto& places = decision.replacement;
  bool runs = places && !(places->large_enough.empty() && places->too_small.empty());
  if (core.holds_place(decision.ask.pod)) {
    for (const PodId id : cluster.pods().ids()) {
      runs = runs || (core.app_of(id) == own && core.known(id) && core.holds_place(id) && cluster.node_of(id));
    }
  }
  const Application& app = core.app(own);
  const Pod& creator = cluster.pod(app.originator ? app.originator : app.first);
  if (!runs || !creator.meta.created) return {};
  const std::int64_t timeout = placeholder_timeout(cluster, core.keys(), creator);
  return {creator.meta.created->plus_seconds(timeout), timeout};
}

void decide_as_released(const Snapshot& cluster, const Question& question, const std::shared_ptr<EngineTrace>& account,
                        Verdict& verdict) {
  const PartitionContext& core = *account->core;
  const PodId pod = account->pod;
  if (!core.app_of(pod)) {
    verdict.outcome = Outcome::not_eligible;
    return;
  }
  verdict.gaps = gaps_of(cluster, *account->setup, &core, pod);
  for (const QuotaPreemption& one : *account->quota) doubt_for_quota(core, one, verdict.gaps);
  const auto unknown = kube::unknown_volumes(cluster, cluster.pod(pod));
  const bool triggered = account->setup->assumptions.ask_triggered || question.triggered;
  const ReleaseOptions options{triggered, unknown.has_value()};
  const auto try_other_first_pods = [&](const ReleaseDecision* decision) {
    account->other_first_pods = other_first_pods(core, *account->setup, pod, decision, options, question.now);
    doubt_for_untried(account->other_first_pods, verdict.gaps);
  };
  if (!core.known(pod)) {
    verdict.outcome = Outcome::pending;
    verdict.never_tried = true;
    if (!question.brief) try_other_first_pods(nullptr);
    return;
  }
  account->unusable_claim = unusable_claim(cluster, cluster.pod(pod));
  if (account->unusable_claim && account->unusable_claim->certain) {
    verdict.outcome = Outcome::pending;
    return;
  }
  Moment now(question.now);
  account->release = decide_release(core, pod, options, now);
  const PlacesEnd places = end_of_places(core, *account->release);
  if (now.reached(places.at)) {
    verdict.gaps.push_back(
        {GapRule::yunikorn_places_overdue, {core.app(core.app_of(pod)).id, format_age(places.timeout)}, true});
  }
  account->next.at = now.horizon();
  if (!question.brief) {
    try_other_first_pods(&*account->release);
    doubt_for_restart(core, *account->setup, *account->release, options, question.now, verdict.gaps);
    if (question.next_change)
      account->next = next_change(core, *account->setup, pod, options, *account->release, question.now, now.horizon());
    const bool waits = account->release->outcome == ReleaseOutcome::pending;
    if (waits && places.at > question.now && places.at < account->next.at) {
      account->next = {};
      account->next.at = places.at;
    }
    Moment again(question.now);
    if (unknown) account->literal_reading = decide_release(core, pod, {options.ask_triggered, false}, again);
  }
  conclude_release(*account, verdict);
  if (verdict.outcome != Outcome::fits && !question.brief) {
    if (auto gap = overdue_gap(cluster, question.now)) verdict.gaps.push_back(*std::move(gap));
  }
  if (unknown) doubt_for_volumes(*unknown, verdict);
}

/// A running pod may be evicted because its queue is above its maximum.
void doubt_if_evicted(const EngineTrace& account, std::vector<Gap>& gaps) {
  if (!account.quota) return;
  bool certain = false;
  const QuotaPreemption* one = evicts_for_quota(*account.quota, account.pod, certain);
  if (one != nullptr) doubt_for_quota(*account.core, *one, gaps);
}

void decide_by_design(const Snapshot& cluster, const Question& question, const std::shared_ptr<EngineTrace>& account,
                      Verdict& verdict) {
  TypeNames& types = account->types.emplace(cluster);
  const auto decide = [&](Moment& at) {
    return decide_design(cluster, account->pod, account->setup->core.unique_app_ids, account->setup->assumptions, types,
                         at);
  };
  Moment now(question.now);
  account->design = decide(now);
  verdict.gaps = gaps_of(cluster, *account->setup, nullptr, account->pod);
  if (account->design->may_start_after)
    verdict.gaps.push_back({GapRule::yunikorn_reservation_age,
                            {format_age(account->design->settings.start_delay / go::kNanosPerSecond),
                             format_instant(*account->design->may_start_after)}});
  verdict.next_change = now.horizon();
  conclude_design(*account, verdict);
  if (now.horizon().is_never()) return;
  Moment then(now.horizon());
  account->design_then = decide(then);
}

class YunikornEngine final : public Engine {
 public:
  [[nodiscard]] auto name() const -> std::string_view override { return "yunikorn"; }
  [[nodiscard]] auto rank() const -> int override { return 20; }
  [[nodiscard]] auto scheduler_name() const -> std::string_view override { return schedulers::yunikorn.scheduler_name; }
  [[nodiscard]] auto is_configured_by(const Configurations& given) const -> bool override {
    return given.yunikorn_config.has_value();
  }
  [[nodiscard]] auto causes() const -> std::span<const std::string_view> override {
    static constexpr std::array<std::string_view, 1> kCauses = {"yunikorn.preemption"};
    return kCauses;
  }
  [[nodiscard]] auto needs() const -> std::span<const RequiredKind> override { return kNeeds; }
  [[nodiscard]] auto reads_assumptions() const -> bool override { return true; }
  [[nodiscard]] auto sees_own_decisions_in_cycle() const -> bool override { return true; }

  [[nodiscard]] auto number_settings(const Question& question) const -> std::span<const NumberSetting> override {
    static constexpr std::array<NumberSetting, 3> kOfDesign = {
        {{"deviation_percent"}, {"max_victims"}, {"preemption_start_delay", true}}};
    if (question.yunikorn_mode == "release") return {};
    return kOfDesign;
  }

  [[nodiscard]] auto in_order_of_attempts(const Snapshot& cluster, const Question& question,
                                          std::vector<PodId> pods) const -> Result<std::vector<PodId>> override {
    if (question.yunikorn_mode != "release") return pods;
    PREVICT_TRY(const Known* all, known(cluster, question));
    return yunikorn::in_order_of_attempts(*all->core, pods);
  }

  [[nodiscard]] auto state_lost_between_cycles() const -> std::vector<Gap> override {
    return {{GapRule::yunikorn_between_cycles}};
  }

  [[nodiscard]] auto owns_pod(const Snapshot& cluster, PodId pod) const -> bool override {
    const Symbol ours = cluster.symbol(scheduler_name());
    return ours && cluster.pod(pod).spec.scheduler_name == ours;
  }

  [[nodiscard]] auto check_configuration(const Snapshot& cluster, const Question& question) const
      -> Result<void> override {
    if (question.yunikorn_config) {
      PREVICT_CHECK(read_queues(question.yunikorn_config->bytes, question.yunikorn_config->file));
    }
    if (Assumptions assumed; question.assumptions)
      PREVICT_CHECK(read_assumptions(*question.assumptions, name(), assumed));
    warn_of_properties(cluster, question);
    return {};
  }

  [[nodiscard]] auto verdict_on(const Snapshot& cluster, const Question& question) const -> Result<Verdict> override {
    const bool design = question.yunikorn_mode == "design-1.5.1";
    if (!design && question.yunikorn_mode != "release") {
      return fail(fmt::format("unknown mode {}: release or design-1.5.1", question.yunikorn_mode));
    }
    PREVICT_TRY(const PodId pod, find(cluster, question));
    PREVICT_TRY(const Known* all, known(cluster, question));

    const auto account = std::make_shared<EngineTrace>();
    account->setup = all->setup;
    account->core = all->core;
    account->pod = pod;
    account->by_design = design;
    if (!design) account->quota = all->quota;
    Verdict verdict;
    verdict.engine = "yunikorn";
    verdict.subject = pod;
    verdict.subject_name = cluster.key(pod);
    verdict.account = account;
    if (settled(cluster, pod, design, verdict)) {
      doubt_if_evicted(*account, verdict.gaps);
      return verdict;
    }
    if (design) {
      decide_by_design(cluster, question, account, verdict);
    } else {
      decide_as_released(cluster, question, account, verdict);
    }
    return verdict;
  }

 private:
  // Returns an empty list if the scheduler does not even consider the pod.
  [[nodiscard]] auto decisive_nodes(const Verdict& verdict) const -> std::optional<std::vector<Symbol>> override {
    const auto& account = static_cast<const EngineTrace&>(*verdict.account);
    if (account.release || account.design) return {};
    return std::vector<Symbol>{};
  }

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
