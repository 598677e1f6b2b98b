#include "engine/kueue/gaps.h"
#include "engine/kueue/known.h"
#include "tell/kueue/cycles.h"
#include "tell/kueue/explain.h"
#include "tell/kueue/known_messages.h"
#include "tell/kueue/protections.h"
#include "tell/kueue/queues.h"
#include "tell/tell.h"

#include <fmt/format.h>

namespace previct {
namespace kueue {
namespace {

class KueueTeller final : public Teller {
 public:
  [[nodiscard]] auto name() const -> std::string_view override { return "kueue"; }
  [[nodiscard]] auto scheduler() const -> std::string_view override { return "Kueue"; }
  [[nodiscard]] auto how_it_decides() const -> std::string_view override {
    return "decided in the order of their queues";
  }
  [[nodiscard]] auto outcome_words(Outcome outcome, bool one) const -> std::string_view override {
    switch (outcome) {
      case Outcome::gated: return one ? "is not queued" : "are not queued";
      case Outcome::waits: return one ? "waits for its admission checks" : "wait for their admission checks";
      case Outcome::deleting: return one ? "is being evicted" : "are being evicted";
      case Outcome::fits:
      case Outcome::preempts:
      case Outcome::pending:
      case Outcome::not_eligible:
      case Outcome::scheduled:
      case Outcome::error:
      case Outcome::unknown: break;
    }
    return {};
  }

  [[nodiscard]] auto reasons() const -> std::vector<ReasonRow> override {
    return {
#define PREVICT_KUEUE_RULE(name, id, words, source) ReasonRow{id, words, "", source},
#include "engine/kueue/rules.def"
#undef PREVICT_KUEUE_RULE
    };
  }

  [[nodiscard]] auto messages() const -> std::vector<Messages> override {
    return {known_messages()};
  }

  [[nodiscard]] auto sentence(const Snapshot& /*cluster*/, const Question& /*question*/,
                              const previct::EngineTrace& account) const -> std::string override {
    return kueue::sentence(static_cast<const EngineTrace&>(account));
  }

  [[nodiscard]] auto cause(const Snapshot& /*cluster*/, const Question& /*question*/,
                           const previct::EngineTrace& account) const -> Cause override {
    return kueue::cause(static_cast<const EngineTrace&>(account));
  }

  void tell(const Snapshot& /*cluster*/, const Question& question, const previct::EngineTrace& account,
            Answer& answer) const override {
    const auto& of = static_cast<const EngineTrace&>(account);
    answer.behaves = release_words(of.inventory->settings());
    kueue::tell(of, question, answer);
  }

  [[nodiscard]] auto protections(const Snapshot& cluster, const Question& question) const
      -> Result<Protections> override {
    PREVICT_TRY(const std::shared_ptr<const Inventory> inventory, known(cluster, question));
    PREVICT_TRY(Protections found, kueue::protections(*inventory, question));
    found.behaves = release_words(inventory->settings());
    return found;
  }

  [[nodiscard]] auto possible_preemptors(const Snapshot& cluster, const Question& question) const
      -> Result<PossiblePreemptors> override {
    PREVICT_TRY(const std::shared_ptr<const Inventory> inventory, known(cluster, question));
    PREVICT_TRY(PossiblePreemptors found, kueue::possible_preemptors(*inventory, question));
    found.behaves = release_words(inventory->settings());
    return found;
  }

  [[nodiscard]] auto play(const Snapshot& cluster, const Question& question) const
      -> Result<std::optional<SimulationReport>> override {
    PREVICT_TRY(const std::shared_ptr<const Inventory> inventory, known(cluster, question));
    const Play cycles = kueue::play(*inventory, question.now, question.cycles);
    const auto doubts = doubts_in(*inventory, question.now, question.cycles, cycles);
    CyclesReport told = tell_cycles(inventory, cycles, doubts);
    SimulationReport play{.engine = "kueue", .behaves = release_words(inventory->settings())};
    play.sentence = std::move(told.sentence);
    play.blocks = std::move(told.blocks);
    play.json = std::move(told.json);
    play.thrashes = told.thrashes;
    play.gaps = gaps_of(*inventory, cycles, doubts);
    return play;
  }

  [[nodiscard]] auto queues(const Snapshot& cluster, const Question& question) const -> Result<Queues> override {
    PREVICT_TRY(const std::shared_ptr<const Inventory> inventory, known(cluster, question));
    Queues found = kueue::queues(inventory, question);
    found.behaves = release_words(inventory->settings());
    return found;
  }
};

const KueueTeller kTeller;

}  // namespace
}  // namespace kueue

const Teller& kueue_teller = kueue::kTeller;

}  // namespace previct
