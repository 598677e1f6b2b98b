#include "engine/engine.h"

#include <fmt/format.h>

#include "engine/kube/explain.h"

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

  [[nodiscard]] auto explain(const Snapshot& cluster, const Question& question) const -> Result<Answer> override {
    const PodId pod = cluster.find_pod(question.ns, question.name);
    if (!pod) return fail(fmt::format("no pod {}/{} in the input", question.ns, question.name));
    PREVICT_CHECK(kube::read_release(question));
    PREVICT_TRY(const std::optional<Profile> profile, kube::profile_for(cluster, cluster.pod(pod), question));
    if (!profile) return ignored(cluster, pod);

    World world(cluster);
    const Budgets budgets(world);
    const Decision decision = kube::attempt(world, budgets, pod, *profile, question.now,
                                            {.with_fates = true, .threads = question.threads});
    return kube::answer({world, budgets, *profile, pod, question, decision});
  }

 private:
  static auto ignored(const Snapshot& cluster, PodId pod) -> Answer {
    const Symbol name = cluster.pod(pod).spec.scheduler_name;
    Answer answer;
    answer.engine = "kube";
    answer.behaves = "1.35";
    answer.subject = pod;
    answer.subject_name = cluster.key(pod);
    answer.outcome = Outcome::pending;
    answer.sentence = fmt::format("stays pending: no profile of this scheduler is called {}, so it never looks at the pod",
                                  name ? cluster.text(name) : "default-scheduler");
    answer.evidence = Json::object();
    return answer;
  }
};

const KubeEngine kEngine;

}  // namespace

const Engine& kube_engine = kEngine;

}  // namespace previct
