#pragma once

#include "engine/engine.h"
#include "tell/answer.h"
#include "tell/known_message.h"
#include "tell/queue_protection.h"
#include "tell/queues.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace previct {

/// A reason that an engine can give, as its catalogue has it. Operands are in braces.
struct ReasonRow {
  std::string_view id;
  std::string_view words;
  std::string_view upstream;  ///< the scheduler's own words, where they are known
  std::string_view source;
};

/// The next cycles of a scheduler that are played by its own engine, told.
struct ToldPlay {
  std::string engine;
  std::string behaves{};
  std::string sentence{};
  std::vector<Block> blocks{};
  Json json{};
  bool thrashes = false;  ///< the same is evicted again and again
  std::vector<Gap> gaps{};
};

/// Says what an engine decides, in words, tables and JSON. One for each engine: a folder under src/tell with the
/// engine's name, and an object of this interface named `<folder>_teller`, which the build finds by itself.
class Teller {
 public:
  virtual ~Teller() = default;

  /// The engine that it speaks for.
  [[nodiscard]] virtual auto name() const -> std::string_view = 0;

  /// The scheduler in a sentence.
  [[nodiscard]] virtual auto scheduler() const -> std::string_view = 0;

  /// How it decides about several pending pods; empty: about each as if it were alone.
  [[nodiscard]] virtual auto how_it_decides() const -> std::string_view { return {}; }

  /// Does the scheduler look at PodDisruptionBudgets?
  [[nodiscard]] virtual auto heeds_budgets() const -> bool { return false; }

  /// All reasons that it may have to tell.
  [[nodiscard]] virtual auto reasons() const -> std::vector<ReasonRow> = 0;

  /// What the scheduler, and what comes with it, writes into conditions and events.
  [[nodiscard]] virtual auto messages() const -> std::vector<Messages> { return {}; }

  /// The verdict of an account, without the subject: "would preempt 2 pods on node gpu-2".
  [[nodiscard]] virtual auto sentence(const Snapshot& cluster, const Question& question, const Account& account) const
      -> std::string = 0;

  /// The most decisive reason why the pod of an account stays pending.
  [[nodiscard]] virtual auto cause(const Snapshot& cluster, const Question& question, const Account& account) const
      -> Cause = 0;

  /// What else is said of a verdict with an account: `behaves` always; of questions in brief not the parts that only
  /// an answer in full has.
  virtual void tell(const Snapshot& cluster, const Question& question, const Account& account,
                    Answer& answer) const = 0;

  /// Who is protected against `question.against`, until when. Pods without any protection are left out.
  [[nodiscard]] virtual auto protections(const Snapshot& cluster, const Question& question) const
      -> Result<Protections> = 0;

  /// Who could take the pod that the question names, from when.
  [[nodiscard]] virtual auto possible_preemptors(const Snapshot& cluster, const Question& question) const
      -> Result<PossiblePreemptors> = 0;

  /// The schedulerNames whose pods preempt alike, for engines that go by classes.
  [[nodiscard]] virtual auto preemptors(const Snapshot& /*cluster*/, const Question& /*question*/) const
      -> Result<std::vector<std::vector<std::string>>> {
    return std::vector<std::vector<std::string>>{};
  }

  /// What queues have, and what their pods could do to those of others. Of engines that go by classes: none.
  [[nodiscard]] virtual auto queues(const Snapshot& /*cluster*/, const Question& /*question*/) const -> Result<Queues> {
    return Queues{};
  }

  /// How long leaf queues protect their pods from each other, whether or not they have pods. `between`: these queues
  /// alone, the victim's first; empty: all. None: queues of this scheduler protect no pods for a time.
  [[nodiscard]] virtual auto queue_protections(const Snapshot& /*cluster*/, const Question& /*question*/,
                                               const std::vector<std::string>& /*between*/) const
      -> Result<std::optional<QueueProtections>> {
    return std::optional<QueueProtections>();
  }

  /// The next cycles, of engines that play them themselves; none: they are played pod by pod (src/sequence).
  [[nodiscard]] virtual auto play(const Snapshot& /*cluster*/, const Question& /*question*/) const
      -> Result<std::optional<ToldPlay>> {
    return std::optional<ToldPlay>();
  }
};

/// All tellers, by name.
[[nodiscard]] auto tellers() -> const std::vector<const Teller*>&;

/// The teller of the engine of this name; null if there is none.
[[nodiscard]] auto teller_of(std::string_view engine) -> const Teller*;

/// A verdict in words; of a question in brief (Question::brief) without tables, evidence and JSON.
[[nodiscard]] auto tell(const Snapshot& cluster, const Question& question, Verdict verdict) -> Answer;

/// Decided and told.
[[nodiscard]] auto explain(const Engine& engine, const Snapshot& cluster, const Question& question) -> Result<Answer>;
[[nodiscard]] auto protections(const Engine& engine, const Snapshot& cluster, const Question& question)
    -> Result<Protections>;
[[nodiscard]] auto possible_preemptors(const Engine& engine, const Snapshot& cluster, const Question& question)
    -> Result<PossiblePreemptors>;
[[nodiscard]] auto preemptors(const Engine& engine, const Snapshot& cluster, const Question& question)
    -> Result<std::vector<std::vector<std::string>>>;
[[nodiscard]] auto queues(const Engine& engine, const Snapshot& cluster, const Question& question) -> Result<Queues>;
[[nodiscard]] auto queue_protections(const Engine& engine, const Snapshot& cluster, const Question& question,
                                     const std::vector<std::string>& between)
    -> Result<std::optional<QueueProtections>>;
[[nodiscard]] auto play(const Engine& engine, const Snapshot& cluster, const Question& question)
    -> Result<std::optional<ToldPlay>>;

/// Why the verdict is open, behind "cannot tell, because"; empty if it is not.
[[nodiscard]] auto doubt_words(const Answer& answer) -> std::string;

/// The sentence of an open verdict whose reasons stand elsewhere, at this mark: "cannot tell (*). Apart from that,
/// …".
[[nodiscard]] auto sentence_with_mark(const Answer& answer, std::string_view mark) -> std::string;

/// `1 in 6`; from a half on, `62 %`.
[[nodiscard]] auto chance_words(double chance) -> std::string;

}  // namespace previct
