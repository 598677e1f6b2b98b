#include "engine/engine.h"

#include "api/locate.h"
#include "base/go.h"
#include "engine/kube/explain.h"
#include "engine/kube/needs.h"
#include "engine/kube/protections.h"
#include "engine/kube/unknown_volumes.h"

#include <fmt/format.h>

#include <deque>

namespace previct {
namespace {

using kube::Budgets;
using kube::Decision;
using kube::Profile;
using kube::World;

/// kube-scheduler with DefaultPreemption or PreemptionToleration.
class KubeEngine final : public Engine {
 public:
  [[nodiscard]] auto name() const -> std::string_view override { return "kube"; }

  // Any schedulerName may be a profile of kube-scheduler, so this engine takes whatever no other does.
  [[nodiscard]] auto takes(const Snapshot& /*cluster*/, PodId /*pod*/) const -> bool override { return true; }
  [[nodiscard]] auto rank() const -> int override { return 100; }
  [[nodiscard]] auto needs() const -> std::span<const Need> override { return kube::kNeeds; }
  [[nodiscard]] auto goes_by_classes() const -> bool override { return true; }
  [[nodiscard]] auto explains_nodes() const -> bool override { return true; }

  [[nodiscard]] auto decide(const Snapshot& cluster, const Question& question) const -> Result<Answer> override {
    PREVICT_TRY(const PodId pod, find(cluster, question));
    PREVICT_CHECK(kube::read_release(question));
    PREVICT_TRY(const std::optional<Profile>* profile, known_profile(cluster, cluster.pod(pod), question));
    if (!*profile) return ignored(cluster, pod, question);
    Known& known = cluster.derived<Known>();
    const Explaining explaining{known, pod, question};
    const auto unknown = kube::unknown_volumes(cluster, cluster.pod(pod));
    return unknown ? explaining.as_far_as_known(**profile, *unknown) : explaining.under(**profile);
  }

  [[nodiscard]] auto check_configuration(const Snapshot& cluster, const Question& question) const
      -> Result<void> override {
    PREVICT_CHECK(kube::read_release(question));
    PREVICT_CHECK(kube::check_profiles(cluster, question));
    PREVICT_TRY(const std::optional<Profile> profile, kube::profile_for(cluster, Pod{}, question));
    if (profile && profile->tolerates()) warn_of_malformed(cluster);
    for (const PodId pod : cluster.pods().ids()) {
      if (cluster.pending(pod)) warn_of_operators(cluster, pod);
    }
    return {};
  }

  [[nodiscard]] auto protections(const Snapshot& cluster, const Question& question) const
      -> Result<Protections> override {
    PREVICT_CHECK(kube::read_release(question));
    PREVICT_TRY(const std::optional<Profile>* profile, known_profile(cluster, Pod{}, question));
    return kube::protections(cluster.derived<Known>().world, profile->value_or(Profile::standard(false)), question);
  }

  [[nodiscard]] auto takers(const Snapshot& cluster, const Question& question) const -> Result<Takers> override {
    PREVICT_TRY(const PodId pod, find(cluster, question));
    PREVICT_CHECK(kube::read_release(question));
    PREVICT_TRY(const std::optional<Profile>* profile, known_profile(cluster, Pod{}, question));
    return kube::takers(cluster.derived<Known>().world, profile->value_or(Profile::standard(false)), pod, question);
  }

 private:
  /// What every question needs, made once.
  struct Known {
    explicit Known(const Snapshot& cluster) : world(cluster), budgets(world) {}
    World world;
    Budgets budgets;

    /// A profile as a question wants it.
    struct Served {
      Symbol scheduler;
      Switch plugin = Switch::automatic;
      std::optional<std::string> configuration;
      std::optional<Profile> profile;
    };
    std::deque<Served> served;
  };

  /// One question, asked under one profile or several.
  struct Explaining {
    Known& known;
    PodId pod;
    const Question& question;

    [[nodiscard]] auto under(const Profile& profile) const -> Answer {
      const Decision decision = kube::attempt(known.world, known.budgets, pod, profile, question.now,
                                              {.with_fates = !question.brief, .threads = question.threads});
      return kube::answer({known.world, known.budgets, profile, pod, question, decision});
    }

    // If the pod does not get in even where every node reaches its volumes, it does not get in. Else where they are
    // decides, and the answer is given for each case. The evidence is what follows from the input by the letter, and
    // what the scheduler would say is not known.
    [[nodiscard]] auto as_far_as_known(const Profile& profile, const kube::UnknownVolumes& unknown) const -> Answer {
      const Snapshot& cluster = known.world.cluster();
      Answer best = under(kube::with_volumes_everywhere(profile));
      best.scheduler_message.clear();
      if (!question.brief) best.evidence = under(profile).evidence;
      if (best.outcome != Outcome::fits && best.outcome != Outcome::preempts) return best;
      best.assuming.push_back({unknown.if_reached, best.outcome, best.node, best.sentence});
      const Symbol zone_key = cluster.symbol("topology.kubernetes.io/zone");
      constexpr std::size_t kMostZones = 4;
      Question brief = question;
      brief.brief = true;
      for (const Symbol zone : kube::zones_of(cluster, zone_key, kMostZones)) {
        const auto within = kube::with_volumes_in(profile, zone_key, zone);
        if (!within) break;
        const Answer there = Explaining{known, pod, brief}.under(*within);
        const std::string condition = fmt::format("if only nodes of {} can", cluster.text(zone));
        best.assuming.push_back({condition, there.outcome, there.node, there.sentence});
      }
      for (Gap& gap : best.gaps) {
        if (gap.kind != Gap::Kind::missing_kind || gap.what != unknown.kind) continue;
        gap.decides = true;
        gap.because = unknown.because;
      }
      return best;
    }
  };

  static auto known_profile(const Snapshot& cluster, const Pod& pod, const Question& question)
      -> Result<const std::optional<Profile>*> {
    std::deque<Known::Served>& served = cluster.derived<Known>().served;
    Known::Served wanted{
        .scheduler = pod.spec.scheduler_name, .plugin = question.toleration_plugin, .configuration = {}, .profile = {}};
    if (question.scheduler_config) wanted.configuration = question.scheduler_config->bytes;
    for (const Known::Served& each : served) {
      const bool same = each.scheduler == wanted.scheduler && each.plugin == wanted.plugin;
      if (same && each.configuration == wanted.configuration) return &each.profile;
    }
    PREVICT_TRY(wanted.profile, kube::profile_for(cluster, pod, question));
    return &served.emplace_back(std::move(wanted)).profile;
  }

  // Upstream logs it and goes on as if the class had no toleration: a typo silently takes the shield away.
  static void warn_of_malformed(const Snapshot& cluster) {
    for (const PriorityClass& c : cluster.objects().priority_classes) {
      if (!kube::toleration_policy(c, cluster.symbols()).malformed) continue;
      for (const auto& [key, value] : c.meta.annotations) {
        const std::string_view name = cluster.text(key);
        const bool minimum = name == kube::kMinimumAnnotation;
        if (!minimum && name != kube::kSecondsAnnotation) continue;
        if (go::parse_int(cluster.text(value), minimum ? 32 : 64)) continue;
        cluster.diagnostics().warn(
            "malformed-toleration",
            fmt::format("PriorityClass {}: {} \"{}\" is no whole number in range, so the class tolerates nothing",
                        cluster.text(c.meta.name), name, cluster.text(value)),
            locate(cluster.objects().sources, c.meta.source, fmt::format("metadata.annotations[\"{}\"]", name)));
      }
    }
  }

  // The API server refuses such a pod; upstream's selector matches no node with the term that holds it.
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
            fmt::format("{}: \"{}\" is no operator of node affinity, so that this term matches no node",
                        cluster.key(id), cluster.text(requirements[k].operator_text)),
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

  static auto ignored(const Snapshot& cluster, PodId pod, const Question& question) -> Answer {
    const Symbol name = cluster.pod(pod).spec.scheduler_name;
    Answer answer;
    answer.engine = "kube";
    answer.behaves = kube::behaves(kube::release_of(question), nullptr);
    answer.subject = pod;
    answer.subject_name = cluster.key(pod);
    answer.outcome = Outcome::pending;
    answer.sentence =
        fmt::format("stays pending: no profile of this scheduler is called {}, so it never looks at the pod",
                    name ? cluster.text(name) : "default-scheduler");
    answer.evidence = Json::object();
    return answer;
  }
};

const KubeEngine kEngine;

}  // namespace

const Engine& kube_engine = kEngine;

}  // namespace previct
