#include "engine/kai/asked.h"
#include "engine/kai/snapshot/needs.h"
#include "tell/kai/explain.h"
#include "tell/kai/known_messages.h"
#include "tell/kai/pending.h"
#include "tell/kai/protections.h"
#include "tell/kai/queue_protections.h"
#include "tell/kai/queues.h"
#include "tell/kai/tolerations.h"
#include "tell/tell.h"

namespace previct {
namespace kai {
namespace {

class KaiTeller final : public Teller {
 public:
  [[nodiscard]] auto name() const -> std::string_view override { return "kai"; }
  [[nodiscard]] auto scheduler() const -> std::string_view override { return "KAI Scheduler"; }
  [[nodiscard]] auto how_it_decides() const -> std::string_view override { return "decided in one cycle"; }

  [[nodiscard]] auto reasons() const -> std::vector<ReasonRow> override {
    return {
#define PREVICT_KAI_RULE(name, id, sentence, source) ReasonRow{id, sentence, "", source},
#include "engine/kai/rules.def"
#undef PREVICT_KAI_RULE
    };
  }

  [[nodiscard]] auto messages() const -> std::vector<Messages> override {
    return {known_messages()};
  }

  [[nodiscard]] auto sentence(const Snapshot& cluster, const Question& question,
                              const previct::EngineTrace& account) const -> std::string override {
    const auto& of = static_cast<const EngineTrace&>(account);
    return kai::sentence({cluster, of.settings(), question, of.decision, of.subject}, of);
  }

  [[nodiscard]] auto cause(const Snapshot& cluster, const Question& question, const previct::EngineTrace& account) const
      -> Cause override {
    const auto& of = static_cast<const EngineTrace&>(account);
    if (of.backing_off != nullptr) return {"kai.backing-off", "schedulingBackoff excludes its group"};
    if (of.fate.no_part) return {"kai.pod.no-sub-group", "pods name no sub-group of their group"};
    if (of.fate.left_out) return {"kai.pod.left-out", "only other pods of the group get a node"};
    return pending_cause({cluster, of.settings(), question, of.decision, of.subject});
  }

  void tell(const Snapshot& cluster, const Question& question, const previct::EngineTrace& account,
            Answer& answer) const override {
    const auto& of = static_cast<const EngineTrace&>(account);
    answer.behaves = behaves_words(of.settings());
    kai::tell({cluster, of.settings(), question, of.decision, of.subject}, of, answer);
  }

  [[nodiscard]] auto protections(const Snapshot& cluster, const Question& question) const
      -> Result<Protections> override {
    PREVICT_TRY(const Settings settings, effective_settings(cluster, question.shard, question.kai_version));
    return kai::protections(cluster, settings, question);
  }

  [[nodiscard]] auto possible_preemptors(const Snapshot& cluster, const Question& question) const
      -> Result<PossiblePreemptors> override {
    PREVICT_TRY(const Asked asked, find_asked(cluster, question));
    PREVICT_TRY(const Settings settings,
                effective_settings(cluster, shard_for(cluster, question, asked), question.kai_version));
    Moment moment(question.now);
    const ClusterInfo cluster_info(cluster, settings, moment, asked.assumed ? &*asked.assumed : nullptr);
    const GroupId group = group_in(cluster_info, asked);
    if (!group) return not_in_shard(cluster, settings, asked);
    return kai::possible_preemptors(cluster, settings, question, group, asked.pod, cluster_info);
  }

  [[nodiscard]] auto queues(const Snapshot& cluster, const Question& question) const -> Result<Queues> override {
    PREVICT_TRY(const auto cycles, cycles_of(cluster, {question.shard, question.kai_version}, question.now));
    Queues found = kai::queues(cluster, cycles, question);
    add_gaps(missing_kinds(cluster.objects(), kNeeds), found.gaps);
    return found;
  }

  [[nodiscard]] auto queue_protections(const Snapshot& cluster, const Question& question,
                                       const std::vector<std::string>& between) const
      -> Result<std::optional<QueueProtections>> override {
    PREVICT_TRY(const Settings settings, effective_settings(cluster, question.shard, question.kai_version));
    PREVICT_TRY(QueueProtections found, kai::queue_protections(cluster, settings, question, between));
    return std::optional(std::move(found));
  }
};

const KaiTeller kTeller;

}  // namespace
}  // namespace kai

const Teller& kai_teller = kai::kTeller;

}  // namespace previct
