#include "engine/kube/known.h"
#include "engine/kube/running_release.h"
#include "tell/kube/evidence_fields.h"
#include "tell/kube/explain.h"
#include "tell/kube/known_messages.h"
#include "tell/kube/protections.h"
#include "tell/tell.h"

#include <fmt/format.h>

namespace previct {
namespace {

class KubeTeller final : public Teller {
 public:
  [[nodiscard]] auto name() const -> std::string_view override { return "kube"; }
  [[nodiscard]] auto scheduler() const -> std::string_view override { return "kube-scheduler"; }

  [[nodiscard]] auto heeds_budgets() const -> bool override { return true; }

  [[nodiscard]] auto reasons() const -> std::vector<ReasonRow> override {
    std::vector<ReasonRow> rows;
    for (std::size_t i = 0; i < kube::all_rules().size(); ++i) {
      const auto rule = static_cast<kube::Rule>(i);
      // If the newest release writes nothing, use the words of the last release that did.
      std::string_view upstream;
      for (int minor = kube::newest_minor(); upstream.empty() && minor >= kube::oldest_minor(); --minor)
        upstream = kube::upstream_words(rule, minor);
      const kube::RuleInfo& info = kube::info(rule);
      rows.push_back({info.id, info.words, upstream, info.source});
    }
    return rows;
  }

  [[nodiscard]] auto messages() const -> std::vector<Messages> override { return kube::known_messages(); }

  [[nodiscard]] auto sentence(const Snapshot& cluster, const Question& question, const EngineTrace& account) const
      -> std::string override {
    const auto& of = static_cast<const kube::EngineTrace&>(account);
    if (of.profile) return kube::sentence({of, question});
    return fmt::format("stays pending: {}", kube::words_of_no_profile(scheduler_of(cluster, of.subject)));
  }

  [[nodiscard]] auto cause(const Snapshot& cluster, const Question& question, const EngineTrace& account) const
      -> Cause override {
    const auto& of = static_cast<const kube::EngineTrace&>(account);
    if (of.profile) return kube::cause({of, question});
    return {"no profile", std::string(kube::words_of_no_profile(scheduler_of(cluster, of.subject)))};
  }

  void tell(const Snapshot& /*cluster*/, const Question& question, const EngineTrace& account,
            Answer& answer) const override {
    const auto& of = static_cast<const kube::EngineTrace&>(account);
    answer.behaves = kube::behaves(of.running, of.profile.get());
    answer.evidence = Json::object();
    if (of.profile) kube::tell({of, question}, answer);
  }

  [[nodiscard]] auto protections(const Snapshot& cluster, const Question& question) const
      -> Result<Protections> override {
    PREVICT_TRY(const kube::RunningRelease running, kube::running_release(cluster, question));
    return kube::protections(kube::known_of(cluster, running.release), running, question);
  }

  [[nodiscard]] auto preemptors(const Snapshot& cluster, const Question& question) const
      -> Result<std::vector<std::vector<std::string>>> override {
    PREVICT_TRY(const kube::RunningRelease running, kube::running_release(cluster, question));
    PREVICT_TRY(const std::vector<kube::Preemptors> found,
                kube::known_preemptors(kube::known_of(cluster, running.release), question));
    std::vector<std::vector<std::string>> schedulers;
    for (const kube::Preemptors& each : found) schedulers.push_back(each.schedulers);
    return schedulers;
  }

  [[nodiscard]] auto possible_preemptors(const Snapshot& cluster, const Question& question) const
      -> Result<PossiblePreemptors> override {
    const PodId pod = cluster.find_pod(question.ns, question.name);
    if (!pod) return fail(fmt::format("no pod {}/{} in the input", question.ns, question.name));
    PREVICT_TRY(const kube::RunningRelease running, kube::running_release(cluster, question));
    return kube::possible_preemptors(kube::known_of(cluster, running.release), running, pod, question);
  }
};

const KubeTeller kTeller;

}  // namespace

const Teller& kube_teller = kTeller;

}  // namespace previct
