#include "engine/yunikorn/known.h"
#include "engine/yunikorn/needs.h"
#include "tell/tell.h"
#include "tell/yunikorn/explain.h"
#include "tell/yunikorn/known_messages.h"
#include "tell/yunikorn/protections.h"
#include "tell/yunikorn/queues.h"

#include <fmt/format.h>

#include <algorithm>

namespace previct {
namespace yunikorn {
namespace {

constexpr std::string_view kDesign = "1.5.1 design document (not in any release)";

// The document says only which pods a DaemonSet's pod evicts.
auto check_released(const Question& question, std::string_view missing) -> Result<void> {
  if (question.yunikorn_mode == "release") return {};
  return fail(fmt::format("the 1.5.1 design document does not {}; use --yunikorn-mode release", missing));
}

auto gaps_of_all(const Snapshot& cluster, const Known& all) -> std::vector<Gap> {
  std::vector<Gap> gaps = gaps_of(cluster, *all.setup, all.core.get(), {});
  for (const QuotaPreemption& one : *all.quota) doubt_for_quota(*all.core, one, gaps);
  return gaps;
}

class YunikornTeller final : public Teller {
 public:
  [[nodiscard]] auto name() const -> std::string_view override { return "yunikorn"; }
  [[nodiscard]] auto scheduler() const -> std::string_view override { return "YuniKorn"; }

  [[nodiscard]] auto reasons() const -> std::vector<ReasonRow> override {
    return {
#define PREVICT_RULE(name, id, words, source) ReasonRow{id, words, "", source},
#include "engine/yunikorn/rules.def"
#undef PREVICT_RULE
    };
  }

  [[nodiscard]] auto messages() const -> std::vector<Messages> override {
    return {known_messages()};
  }

  [[nodiscard]] auto sentence(const Snapshot& cluster, const Question& question,
                              const previct::EngineTrace& account) const -> std::string override {
    return yunikorn::sentence(cluster, static_cast<const EngineTrace&>(account), question.now);
  }

  [[nodiscard]] auto cause(const Snapshot& /*cluster*/, const Question& /*question*/,
                           const previct::EngineTrace& account) const -> Cause override {
    return yunikorn::cause(static_cast<const EngineTrace&>(account));
  }

  void tell(const Snapshot& cluster, const Question& question, const previct::EngineTrace& account,
            Answer& answer) const override {
    const auto& of = static_cast<const EngineTrace&>(account);
    answer.behaves = of.by_design ? std::string(kDesign) : of.setup->running.words();
    yunikorn::tell(cluster, of, question, answer);
  }

  [[nodiscard]] auto protections(const Snapshot& cluster, const Question& question) const
      -> Result<Protections> override {
    PREVICT_CHECK(check_released(question, "say which pods tolerate preemption"));
    PREVICT_TRY(const Known* all, known(cluster, question));
    PREVICT_TRY(Protections found, yunikorn::protections(*all->core, question));
    found.behaves = all->setup->running.words();
    found.gaps = gaps_of_all(cluster, *all);
    found.unknown = first_missing(cluster.objects(), kNeeds, {"Pod", "Node"});
    if (auto unknown = unknown_queues(cluster, *all->setup)) {
      found.unknown = std::move(unknown);
      found.rows.clear();
    }
    return found;
  }

  [[nodiscard]] auto possible_preemptors(const Snapshot& cluster, const Question& question) const
      -> Result<PossiblePreemptors> override {
    PREVICT_CHECK(check_released(question, "say which pods tolerate preemption"));
    const PodId pod = question.kind == "pod" ? cluster.find_pod(question.ns, question.name) : PodId{};
    if (!pod) return fail(fmt::format("no {} {}/{} in the input", question.kind, question.ns, question.name));
    PREVICT_TRY(const Known* all, known(cluster, question));
    PossiblePreemptors found =
        yunikorn::possible_preemptors(*all->core, pod, all->setup->assumptions.ask_triggered, question.now);
    found.behaves = all->setup->running.words();
    found.gaps = gaps_of_all(cluster, *all);
    found.unknown = unknown_queues(cluster, *all->setup);
    if (found.unknown) found.rows.clear();
    return found;
  }

  [[nodiscard]] auto queues(const Snapshot& cluster, const Question& question) const -> Result<Queues> override {
    PREVICT_CHECK(check_released(question, "cover queues"));
    PREVICT_TRY(const Known* all, known(cluster, question));
    Queues found = yunikorn::queues(*all->core, *all->quota, all->setup->assumptions.ask_triggered, question.now);
    found.behaves = all->setup->running.words();
    found.gaps = gaps_of_all(cluster, *all);
    return found;
  }
};

const YunikornTeller kTeller;

}  // namespace
}  // namespace yunikorn

const Teller& yunikorn_teller = yunikorn::kTeller;

}  // namespace previct
