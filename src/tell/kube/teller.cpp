#include "engine/kube/known.h"
#include "engine/kube/running_release.h"
#include "tell/kube/explain.h"
#include "tell/kube/protections.h"
#include "tell/tell.h"

#include <fmt/format.h>

namespace previct {
namespace {

using kube::Profile;

class KubeTeller final : public Teller {
 public:
  [[nodiscard]] auto name() const -> std::string_view override { return "kube"; }

  [[nodiscard]] auto reasons() const -> std::vector<ReasonRow> override {
    std::vector<ReasonRow> rows;
    for (std::size_t i = 0; i < kube::all_rules().size(); ++i) {
      const auto rule = static_cast<kube::Rule>(i);
      // What the newest release is silent about has words of the last one that was not.
      std::string_view upstream;
      for (int minor = kube::newest_minor(); upstream.empty() && minor >= kube::oldest_minor(); --minor)
        upstream = kube::upstream_words(rule, minor);
      const kube::RuleInfo& info = kube::info(rule);
      rows.push_back({info.id, info.words, upstream, info.source});
    }
    return rows;
  }

  [[nodiscard]] auto sentence(const Snapshot& cluster, const Question& question, const Account& account) const
      -> std::string override {
    const auto& of = static_cast<const kube::Account&>(account);
    if (of.profile) return kube::sentence({of, question});
    const Symbol scheduler = cluster.pod(of.subject).spec.scheduler_name;
    return fmt::format("stays pending: no profile of this scheduler is called {}, so it never looks at the pod",
                       scheduler ? cluster.text(scheduler) : "default-scheduler");
  }

  void tell(const Snapshot& /*cluster*/, const Question& question, const Account& account,
            Answer& answer) const override {
    const auto& of = static_cast<const kube::Account&>(account);
    answer.behaves = kube::behaves(of.running, of.profile.get());
    answer.evidence = Json::object();
    if (of.profile) kube::tell({of, question}, answer);
  }

  [[nodiscard]] auto protections(const Snapshot& cluster, const Question& question) const
      -> Result<Protections> override {
    PREVICT_TRY(const kube::RunningRelease running, kube::running_release(cluster, question));
    kube::Known& known = kube::known_of(cluster, running.release);
    PREVICT_TRY(const std::optional<Profile>* profile, kube::known_profile(known, Pod{}, question));
    return kube::protections(known.node_infos, running, profile->value_or(Profile::standard(false, running.release)),
                             question);
  }

  [[nodiscard]] auto possible_preemptors(const Snapshot& cluster, const Question& question) const
      -> Result<PossiblePreemptors> override {
    const PodId pod = cluster.find_pod(question.ns, question.name);
    if (!pod) return fail(fmt::format("no pod {}/{} in the input", question.ns, question.name));
    PREVICT_TRY(const kube::RunningRelease running, kube::running_release(cluster, question));
    kube::Known& known = kube::known_of(cluster, running.release);
    PREVICT_TRY(const std::optional<Profile>* profile, kube::known_profile(known, Pod{}, question));
    return kube::possible_preemptors(known.node_infos, running,
                                     profile->value_or(Profile::standard(false, running.release)), pod, question);
  }
};

const KubeTeller kTeller;

}  // namespace

const Teller& kube_teller = kTeller;

}  // namespace previct
