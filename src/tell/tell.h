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

/// A reason that an engine can give, from its catalogue. Operands are in braces.
struct ReasonRow {
  std::string_view id;
  std::string_view words;
  std::string_view upstream;  ///< the scheduler's own words, if known
  std::string_view source;
};

/// The next cycles of a scheduler whose own engine simulates them, as text.
struct SimulationReport {
  std::string engine;
  std::string behaves{};
  std::string sentence{};
  std::vector<Block> blocks{};
  Json json{};
  bool thrashes = false;  ///< the same pods or workloads are evicted repeatedly
  std::vector<Gap> gaps{};
};

/// Explains what an engine decides, as text, tables and JSON. There is one for each engine: a folder under src/tell
/// with the engine's name, and an object of this interface named `<folder>_teller`, which the build finds by itself.
class Teller {
 public:
  virtual ~Teller() = default;

  /// The engine whose decisions it explains.
  [[nodiscard]] virtual auto name() const -> std::string_view = 0;

  /// The scheduler in a sentence.
  [[nodiscard]] virtual auto scheduler() const -> std::string_view = 0;

  /// How it decides about several pending pods; empty: about each one as if it were alone.
  [[nodiscard]] virtual auto how_it_decides() const -> std::string_view { return {}; }

  /// What lists say about one or several of its answers with this outcome; empty: as about the pods of other
  /// schedulers.
  [[nodiscard]] virtual auto outcome_words(Outcome /*outcome*/, bool /*one*/) const -> std::string_view { return {}; }

  /// Returns true if the scheduler considers PodDisruptionBudgets.
  [[nodiscard]] virtual auto heeds_budgets() const -> bool { return false; }

  /// Returns all reasons that it may give.
  [[nodiscard]] virtual auto reasons() const -> std::vector<ReasonRow> { return {}; }

  /// Returns what the scheduler and its components write into conditions and events.
  [[nodiscard]] virtual auto messages() const -> std::vector<Messages> { return {}; }

  /// Returns the verdict of an account, without the subject: "would preempt 2 pods on node gpu-2".
  [[nodiscard]] virtual auto sentence(const Snapshot& cluster, const Question& question,
                                      const EngineTrace& account) const -> std::string = 0;

  /// Returns the most decisive reason why the pod of an account stays pending, or has an outcome with own words.
  [[nodiscard]] virtual auto cause(const Snapshot& cluster, const Question& question, const EngineTrace& account) const
      -> Cause = 0;

  /// Adds the rest of the answer to a verdict with an account: `behaves` always; for brief questions, not the parts
  /// that only a full answer has.
  virtual void tell(const Snapshot& cluster, const Question& question, const EngineTrace& account,
                    Answer& answer) const = 0;

  /// Returns which pods are protected against `question.against`, and until when. Pods without any protection are
  /// omitted. Fails if the engine does not know.
  [[nodiscard]] virtual auto protections(const Snapshot& cluster, const Question& question) const
      -> Result<Protections>;

  /// Returns what could preempt the pod that the question names, and from when. Fails if the engine does not know.
  [[nodiscard]] virtual auto possible_preemptors(const Snapshot& cluster, const Question& question) const
      -> Result<PossiblePreemptors>;

  /// Groups the schedulerNames whose pods preempt in the same way, for engines that use priority classes.
  [[nodiscard]] virtual auto preemptors(const Snapshot& /*cluster*/, const Question& /*question*/) const
      -> Result<std::vector<std::vector<std::string>>> {
    return std::vector<std::vector<std::string>>{};
  }

  /// Returns what queues have, and what their pods could do to those of others. None for engines that use priority
  /// classes.
  [[nodiscard]] virtual auto queues(const Snapshot& /*cluster*/, const Question& /*question*/) const -> Result<Queues> {
    return Queues{};
  }

  /// Returns how long leaf queues protect their pods from each other, whether or not they have pods. `between`: only
  /// these queues, the victim's first; empty: all. None: queues of this scheduler give no protection for a time.
  [[nodiscard]] virtual auto queue_protections(const Snapshot& /*cluster*/, const Question& /*question*/,
                                               const std::vector<std::string>& /*between*/) const
      -> Result<std::optional<QueueProtections>> {
    return std::optional<QueueProtections>();
  }

  /// Returns the next cycles, for engines that simulate them; none: they are simulated pod by pod (src/sequence).
  [[nodiscard]] virtual auto play(const Snapshot& /*cluster*/, const Question& /*question*/) const
      -> Result<std::optional<SimulationReport>> {
    return std::optional<SimulationReport>();
  }
};

/// Returns all tellers, by name.
[[nodiscard]] auto tellers() -> const std::vector<const Teller*>&;

/// Returns the teller of the engine with this name; null if there is none.
[[nodiscard]] auto teller_of(std::string_view engine) -> const Teller*;

/// Converts a verdict to an answer; for a brief question (Question::brief) without tables, evidence and JSON.
[[nodiscard]] auto tell(const Snapshot& cluster, const Question& question, Verdict verdict) -> Answer;

/// Decide with the engine and explain the result.
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
    -> Result<std::optional<SimulationReport>>;

/// Returns why the verdict is undecided, as text that follows "cannot tell, because"; empty if it is decided.
[[nodiscard]] auto doubt_words(const Answer& answer) -> std::string;

/// Returns the sentence of an undecided verdict whose reasons are printed elsewhere, at this mark: "cannot tell (*).
/// Apart from that, …".
[[nodiscard]] auto sentence_with_mark(const Answer& answer, std::string_view mark) -> std::string;

/// `1 in 6`; at or above one half, `62 %`.
[[nodiscard]] auto chance_words(double chance) -> std::string;

}  // namespace previct
