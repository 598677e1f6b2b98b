#include "engine/engine.h"

#include "api/locate.h"
#include "base/go.h"
#include "base/text.h"
#include "cluster/label_syntax.h"
#include "engine/kube/account.h"
#include "engine/kube/known.h"
#include "engine/kube/needs.h"
#include "engine/kube/odd_values.h"
#include "engine/kube/release.h"
#include "engine/kube/seen_release.h"
#include "engine/kube/tolerance.h"
#include "engine/kube/unknown_volumes.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

namespace previct {
// NOLINTBEGIN(misc-no-recursion): calls itself only once, with a fixed release and gates
namespace {

using kube::Profile;
using kube::Release;
using kube::RunningRelease;

constexpr std::size_t kOrderSteps = 100'000;  // about 20 ms

/// kube-scheduler with DefaultPreemption or PreemptionToleration.
class KubeEngine final : public Engine {
 public:
  [[nodiscard]] auto name() const -> std::string_view override { return "kube"; }

  // Any schedulerName may be a profile of kube-scheduler, so this engine takes every pod that no other engine takes.
  [[nodiscard]] auto owns_pod(const Snapshot& /*cluster*/, PodId /*pod*/) const -> bool override { return true; }
  [[nodiscard]] auto rank() const -> int override { return 100; }
  [[nodiscard]] auto needs() const -> std::span<const RequiredKind> override { return kube::kNeeds; }
  [[nodiscard]] auto scheduler_name() const -> std::string_view override { return upstream::kDefaultScheduler; }
  [[nodiscard]] auto preempts_by_priority_class() const -> bool override { return true; }
  [[nodiscard]] auto preempts_on_one_node() const -> bool override { return true; }
  [[nodiscard]] auto causes() const -> std::span<const std::string_view> override {
    static constexpr std::array<std::string_view, 2> kCauses = {"kube.preemption", "preemption"};
    return kCauses;
  }
  [[nodiscard]] auto explains_nodes() const -> bool override { return true; }
  [[nodiscard]] auto reads_scheduler_config() const -> bool override { return true; }

  [[nodiscard]] auto configured_schedulers(const Snapshot& cluster, const Question& question) const
      -> Result<std::vector<std::string>> override {
    return kube::profile_names(cluster, question);
  }

  [[nodiscard]] auto verdict_on(const Snapshot& cluster, const Question& question) const -> Result<Verdict> override {
    PREVICT_TRY(const PodId pod, find(cluster, question));
    PREVICT_TRY(const RunningRelease running, kube::running_release(cluster, question));
    kube::SharedState& known = kube::known_of(cluster, running.release);
    PREVICT_TRY(const std::optional<Profile>* profile,
                kube::known_profile(known, scheduler_of(cluster, pod), question));
    if (!*profile) return ignored(known, running, pod);
    const Asking asking{known, running, pod, question};
    const auto unknown = kube::unknown_volumes(cluster, cluster.pod(pod));
    Verdict verdict = unknown ? asking.as_far_as_known(**profile, *unknown) : asking.under(served(**profile));
    doubt_for_gated_fields(cluster, question, running, verdict);
    if (!question.brief || side_by_side(running)) doubt_for_other_releases(cluster, question, running, verdict);
    return verdict;
  }

  [[nodiscard]] auto check_configuration(const Snapshot& cluster, const Question& question) const
      -> Result<void> override {
    PREVICT_CHECK(kube::check_profiles(cluster, question));
    PREVICT_TRY(const RunningRelease running, kube::running_release(cluster, question));
    PREVICT_CHECK(check_resizes(cluster, running.release));
    PREVICT_TRY(const std::vector<std::string> schedulers, kube::preemptors_schedulers(cluster, question));
    bool tolerates = false;
    for (const std::string& name : schedulers) {
      PREVICT_TRY(const std::optional<Profile> profile, kube::profile_for(cluster, name, question));
      tolerates = tolerates || (profile && profile->tolerates());
    }
    if (tolerates) warn_of_malformed(cluster);
    warn_of_unread(cluster);
    warn_of_selectors(cluster);
    for (const PodId pod : cluster.pods().ids()) {
      if (cluster.pending(pod)) warn_of_operators(cluster, pod);
    }
    kube::warn_of_odd_values(cluster);
    return {};
  }

  void take_over(const Snapshot& before, const ChangedCluster& changes, const Snapshot& cluster) const override {
    kube::take_over_known(before, changes, cluster);
  }
  void copy_derived(const Snapshot& from, const Snapshot& cluster) const override { kube::copy_known(from, cluster); }

  // One question derives what every question needs.
  void prepare(const Snapshot& cluster) const override {
    for (const PodId pod : cluster.pods().ids()) {
      if (!cluster.pending(pod) || engine_of(engines(), cluster, pod) != this) continue;
      Question question;
      question.ns = cluster.text(cluster.pod(pod).meta.ns);
      question.name = cluster.text(cluster.pod(pod).meta.name);
      question.now = cluster.objects().newest;
      question.documents = false;
      return static_cast<void>(decide(cluster, question));
    }
  }

 private:
  [[nodiscard]] auto decisive_nodes(const Verdict& verdict) const -> std::optional<std::vector<Symbol>> override {
    const auto* const account = static_cast<const kube::EngineTrace*>(verdict.account.get());
    return account == nullptr ? std::vector<Symbol>{} : kube::decisive_nodes(*account);
  }

  /// Returns a non-owning pointer: Known keeps the profile alive.
  static auto served(const Profile& profile) -> std::shared_ptr<const Profile> {
    return {std::shared_ptr<const Profile>(), &profile};
  }

  /// One question, evaluated under one or several profiles.
  struct Asking {
    kube::SharedState& known;
    const RunningRelease& running;
    PodId pod;
    const Question& question;

    [[nodiscard]] auto under(std::shared_ptr<const Profile> profile) const -> Verdict {
      return kube::verdict_of(account_of(std::move(profile)), question);
    }

    // If the pod is not schedulable even when every node reaches its volumes, that is the answer. Otherwise the
    // location of the volumes decides: the outcome is unknown, and the verdict of each case is attached, as is what
    // follows from the input literally.
    [[nodiscard]] auto as_far_as_known(const Profile& profile, const kube::UnknownVolumes& unknown) const -> Verdict {
      const Snapshot& cluster = known.node_infos.cluster();
      const auto everywhere = account_of(std::make_shared<const Profile>(kube::with_volumes_everywhere(profile)),
                                         question.follows_assumptions);
      if (!question.brief) everywhere->literal_reading = account_of(served(profile));
      Verdict best = kube::verdict_of(everywhere, question);
      if (best.outcome != Outcome::fits && best.outcome != Outcome::preempts) return best;
      best.assumed.push_back({unknown.if_reached(), best.outcome, best.node, best.account});
      kube::make_decisive(unknown, best.gaps);
      if (!question.follows_assumptions) return best;
      const Symbol zone_key = cluster.symbol("topology.kubernetes.io/zone");
      constexpr std::size_t kMostZones = 4;
      Question brief = question;
      brief.brief = true;
      for (const Symbol zone : kube::zones_of(cluster, zone_key, kMostZones)) {
        const auto within = kube::with_volumes_in(profile, zone_key, zone);
        if (!within) break;
        Verdict there = Asking{known, running, pod, brief}.under(std::make_shared<const Profile>(*within));
        best.assumed.push_back({Gap{GapRule::if_only_zone, {std::string(cluster.text(zone))}}, there.outcome,
                                there.node, std::move(there.account)});
      }
      return best;
    }

   private:
    // So that a list takes no longer than ten full answers, or than a tenth of a full answer for each of its pods.
    [[nodiscard]] auto order_steps() const -> std::size_t {
      return question.brief ? kOrderSteps / std::clamp<std::size_t>(question.among / 10, 1, 10) : kOrderSteps;
    }

    [[nodiscard]] auto account_of(std::shared_ptr<const Profile> profile, bool chooses = true) const
        -> std::shared_ptr<kube::EngineTrace> {
      const kube::Chooses wanted = question.brief ? kube::Chooses::if_certain : kube::Chooses::always;
      auto account = std::make_shared<kube::EngineTrace>(known.node_infos, known.budgets, running, pod);
      account->profile = std::move(profile);
      account->decision = kube::attempt(known.node_infos, known.budgets, pod, *account->profile, question.now,
                                        {.records_results = !question.brief,
                                         .all_tolerances = !question.brief && question.documents,
                                         .order_steps = order_steps(),
                                         .chooses = chooses ? wanted : kube::Chooses::never,
                                         .threads = question.threads});
      return account;
    }
  };

  static auto is_gated(const Gap& gap) -> bool {
    return gap.rule == GapRule::gated_field || gap.rule == GapRule::gated_operator;
  }

  // Returns the verdict if the gates of fields in the input are as the release has them by default.
  static auto with_default_gates(Verdict verdict) -> Verdict {
    for (Gap& gap : verdict.gaps) gap.decides = gap.decides && !is_gated(gap);
    return verdict;
  }

  // Checks whether the scheduler would decide differently with the gate of a field on: the API server drops such a
  // field while its gate is off, so the input contradicts the default.
  void doubt_for_gated_fields(const Snapshot& cluster, const Question& question, const RunningRelease& running,
                              Verdict& verdict) const {
    const bool any = std::any_of(verdict.gaps.begin(), verdict.gaps.end(), is_gated);
    if (!any || !question.k8s_version.empty() || !question.feature_gates.empty()) return;
    const Verdict by_default = with_default_gates(verdict);
    const kube::ObservedRelease& seen = cluster.derived<kube::ObservedRelease>();
    for (Gap& gap : verdict.gaps) {
      if (!is_gated(gap)) continue;
      const std::string& gate = gap.operands[2];
      const kube::Gate* const known = kube::find_gate(gate);
      int minor = std::max(running.release.minor(), known == nullptr ? 0 : known->known);
      for (const auto& each : seen.gated_fields) {
        if (each.field == gap.operands[1]) minor = std::max(minor, each.since);
      }
      const auto with = [&](const std::string& gates) {
        Question asked = question;
        asked.k8s_version = kube::release_name(minor);
        asked.feature_gates = fmt::format("{}{}{}", seen.gates, seen.gates.empty() ? "" : ",", gates);
        asked.brief = true;
        asked.follows_assumptions = false;
        return verdict_on(cluster, asked);
      };
      // If this release does not know the gate yet, the first release that does is evaluated with and without it.
      const Result<Verdict> here =
          minor == running.release.minor() ? Result<Verdict>(by_default) : with(gate + "=false");
      const auto differs = [&](const std::string& gates) {
        const Result<Verdict> there = with(gates);
        return !there || !here || !decides_alike(*there, *here);
      };
      const std::vector<std::string> settings = on_with_others(gate, minor);
      gap.decides = std::any_of(settings.begin(), settings.end(), differs);
    }
  }

  // Returns the settings to try: a cluster that turns groups on may also have turned on dependent gates, which decide
  // differently.
  static auto on_with_others(const std::string& gate, int minor) -> std::vector<std::string> {
    std::vector<std::string> settings = {gate + "=true"};
    if (gate != "GenericWorkload") return settings;
    for (const std::string_view more : {"GangScheduling", "WorkloadAwarePreemption"}) {
      const kube::Gate* const known = kube::find_gate(more);
      if (known == nullptr || minor < known->known || (known->gone != 0 && minor >= known->gone)) continue;
      settings.push_back(fmt::format("{},{}=true", settings.back(), more));
    }
    return settings;
  }

  // Checks which releases would decide differently if the input leaves a range of releases open. Nodes only bound the
  // release; of schedulers that run side by side, any may be the leader.
  void doubt_for_other_releases(const Snapshot& cluster, const Question& question, const RunningRelease& running,
                                Verdict& verdict) const {
    std::vector<std::string> others;
    std::string last_words;  // of the release before
    int first = 0;
    int last = 0;
    const bool devices =
        !cluster.pod(verdict.subject).spec.resource_claims.empty() || !cluster.objects().device_classes.empty();
    const Verdict ours = with_default_gates(verdict);
    for (const int minor : kube::other_releases(running, devices)) {
      Question asked = kube::asked_of(minor, cluster, question);
      asked.brief = true;
      asked.follows_assumptions = false;
      Result<Verdict> there = verdict_on(cluster, asked);
      if (!there || decides_alike(*there, ours)) continue;
      conclude(*there);
      std::string words = words_of(*there, ours);
      const bool alike = words == last_words && minor == last + 1;
      if (alike) others.pop_back();
      if (!alike) first = minor;
      const std::string releases = kube::release_name(first) + (alike ? " to " + kube::release_name(minor) : "");
      others.push_back(fmt::format("with {}, it {}", releases, words));
      last = minor;
      last_words = std::move(words);
    }
    kube::add_other_releases(running, others, verdict.gaps);
  }

  // Returns what another release decides, for a gap.
  static auto words_of(const Verdict& verdict, const Verdict& ours) -> std::string {
    const bool alike = verdict.outcome == ours.outcome && verdict.node == ours.node;
    if (alike && verdict.victims.size() == ours.victims.size()) return "evicts other pods, or considers other nodes";
    const std::string on = verdict.node.empty() ? "" : " on " + verdict.node;
    switch (verdict.outcome) {
      case Outcome::fits: return "fits" + on;
      case Outcome::preempts: return fmt::format("preempts {}{}", counted(verdict.victims.size(), "pod", "pods"), on);
      case Outcome::pending: return "stays pending";
      case Outcome::unknown: return "may decide otherwise";
      case Outcome::error: return "ends in an error";
      case Outcome::waits: return "waits for terminating pods" + on;
      case Outcome::not_eligible: return "may not preempt";
      case Outcome::gated: return "is not tried";
      default: return fmt::format("has the outcome {}", outcome_name(verdict.outcome));
    }
  }

  static auto decides_alike(Verdict a, Verdict b) -> bool {
    conclude(a);
    conclude(b);
    const auto same_pod = [](const Victim& x, const Victim& y) { return x.pod == y.pod; };
    // Which of several nodes is the most likely is not a decision.
    const bool same_node = a.node == b.node || (a.tied.size() > 1 && a.outcome == Outcome::fits);
    return a.outcome == b.outcome && same_node && a.tied == b.tied && a.feasible == b.feasible &&
           std::equal(a.victims.begin(), a.victims.end(), b.victims.begin(), b.victims.end(), same_pod);
  }

  // A pod on a node is tried, too, if its resize is deferred, and preempts pods there.
  // Source: pkg/scheduler/framework/plugins/deferredpodscheduling, v1.37.
  static auto check_resizes(const Snapshot& cluster, const Release& release) -> Result<void> {
    const kube::Gate& gate = *kube::find_gate("InPlacePodVerticalScalingSchedulerPreemption");
    if (!release.is_on(gate)) return {};
    for (const PodId id : cluster.pods().ids()) {
      const Condition* const resize = cluster.pod(id).condition(cluster.known().pod_resize_pending);
      const bool deferred =
          resize != nullptr && cluster.text(resize->status) == "True" && cluster.text(resize->reason) == "Deferred";
      if (!deferred || cluster.finished(id)) continue;
      return fail(
          fmt::format("cannot tell which pods kube-scheduler {} evicts, because the preemption for the deferred "
                      "resize of {} is not modeled",
                      release.name(), cluster.key(id)),
          {}, fmt::format("--feature-gates {}=false answers without it", gate.name));
    }
    return {};
  }

  // The plugin converts the seconds to 64-bit nanoseconds, which wrap, usually into the past.
  static void warn_of_overflow(const Snapshot& cluster, const PriorityClass& c) {
    const auto seconds = kube::toleration_policy(c, cluster.symbols()).seconds_number;
    constexpr std::int64_t kMost = INT64_MAX / 1'000'000'000;
    if (seconds.value_or(0) <= kMost) return;
    cluster.diagnostics().warn(
        "toleration-overflow",
        fmt::format("PriorityClass {}: {} \"{}\" overflows the plugin's 64-bit nanoseconds and wraps around; "
                    "use at most {}, or -1 for forever",
                    cluster.text(c.meta.name), kep205::kSeconds, *seconds, kMost),
        locate(cluster.objects().sources, c.meta.source,
               fmt::format("metadata.annotations[\"{}\"]", kep205::kSeconds)));
  }

  // Upstream logs the fault and continues as if the class had no toleration: a typo silently removes the protection.
  static void warn_of_malformed(const Snapshot& cluster) {
    for (const PriorityClass& c : cluster.objects().priority_classes) {
      warn_of_overflow(cluster, c);
      if (!kube::toleration_policy(c, cluster.symbols()).malformed) continue;
      for (const auto& [key, value] : c.meta.annotations) {
        const std::string_view name = cluster.text(key);
        const bool minimum = name == kube::kMinimumAnnotation;
        if (!minimum && name != kube::kSecondsAnnotation) continue;
        if (go::parse_int(cluster.text(value), minimum ? 32 : 64)) continue;
        cluster.diagnostics().warn(
            "malformed-toleration",
            fmt::format("PriorityClass {}: {} \"{}\" is not an integer in range, so its pods tolerate nothing",
                        cluster.text(c.meta.name), name, cluster.text(value)),
            locate(cluster.objects().sources, c.meta.source, fmt::format("metadata.annotations[\"{}\"]", name)));
      }
    }
  }

  // Only these two keys are read and no error reports any other, so the intended toleration does not exist.
  static void warn_of_unread(const Snapshot& cluster) {
    for (const PriorityClass& c : cluster.objects().priority_classes) {
      for (const auto& [key, value] : c.meta.annotations) {
        const std::string_view name = cluster.text(key);
        if (!name.starts_with(kep205::kAnyPrefix) || name == kep205::kMinimum || name == kep205::kSeconds) continue;
        cluster.diagnostics().warn(
            "unread-toleration",
            fmt::format("PriorityClass {}: no scheduler reads the annotation {}; KEP-205 has {} and {}",
                        cluster.text(c.meta.name), name, kep205::kMinimum, kep205::kSeconds),
            locate(cluster.objects().sources, c.meta.source, fmt::format("metadata.annotations[\"{}\"]", name)));
      }
    }
  }

  // The API server refuses such a budget; the scheduler ignores it.
  // Source: kubernetes: pkg/scheduler/framework/preemption/preemption.go, filterPodsWithPDBViolation
  // (LabelSelectorAsSelector fails).
  static void warn_of_selectors(const Snapshot& cluster) {
    for (const PodDisruptionBudget& budget : cluster.objects().disruption_budgets) {
      if (!budget.spec.selector) continue;
      const std::string_view fault = fault_of(*budget.spec.selector, cluster.symbols());
      if (fault.empty()) continue;
      cluster.diagnostics().warn(
          "invalid-selector",
          fmt::format("PodDisruptionBudget {}/{}: its selector is malformed ({}), so it protects no pod",
                      cluster.text(budget.meta.ns), cluster.text(budget.meta.name), fault),
          locate(cluster.objects().sources, budget.meta.source, "spec.selector"));
    }
  }

  // The API server refuses such a pod; upstream's selector matches no node with the term that contains it.
  static void warn_of_operators(const Snapshot& cluster, PodId id) {
    const Pod& pod = cluster.pod(id);
    if (!pod.spec.affinity.node.required) return;
    const auto& terms = pod.spec.affinity.node.required->terms;
    for (std::size_t i = 0; i < terms.size(); ++i) {
      const auto& requirements = terms[i].match_expressions;
      for (std::size_t k = 0; k < requirements.size(); ++k) {
        if (requirements[k].op != SelectorOperator::unknown) continue;
        cluster.diagnostics().warn(
            "unknown-operator",
            fmt::format("{}: \"{}\" is not an operator of node affinity, so this term matches no node", cluster.key(id),
                        cluster.text(requirements[k].operator_text)),
            locate(cluster.objects().sources, pod.meta.source,
                   fmt::format("spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution."
                               "nodeSelectorTerms[{}].matchExpressions[{}].operator",
                               i, k)));
      }
    }
  }

  static auto find(const Snapshot& cluster, const Question& question) -> Result<PodId> {
    const PodId pod = cluster.find_pod(question.ns, question.name);
    if (pod) return pod;
    return fail(fmt::format("no pod {}/{} in the input", question.ns, question.name));
  }

  static auto ignored(kube::SharedState& known, const RunningRelease& running, PodId pod) -> Verdict {
    Verdict verdict;
    verdict.engine = "kube";
    verdict.subject = pod;
    verdict.subject_name = known.node_infos.cluster().key(pod);
    verdict.never_tried = true;
    verdict.account = std::make_shared<kube::EngineTrace>(known.node_infos, known.budgets, running, pod);
    return verdict;
  }
};

const KubeEngine kEngine;

}  // namespace

const Engine& kube_engine = kEngine;

// NOLINTEND(misc-no-recursion)
}  // namespace previct
