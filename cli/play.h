#pragma once

#include "cli/question.h"
#include "sequence/settings.h"

#include <string>
#include <vector>

namespace previct::cli {

/// A simulation as the command line defines it.
struct SimulationRequest {
  sequence::Settings settings;
  const Engine* engine = nullptr;  ///< engine of the first pod; pods of other engines are left out, which is a gap
  std::string behaves{};           ///< the release that it behaves like, according to the first pod
  std::vector<Gap> gaps;           ///< gaps that are known before the simulation
};

/// The settings of the simulation: the pods, their arrival times, failing calls, the duration of calls, and
/// controllers; with the gaps of the engine about them.
[[nodiscard]] auto simulation_request(Session& session, Loaded& loaded, const Snapshot& cluster, const Asked& asked)
    -> Result<SimulationRequest>;

/// The values of --epoch: how long pods must run for their work to count.
[[nodiscard]] auto epochs_of(const Options& options) -> Result<std::vector<sequence::PodDuration>>;

/// The engine that simulates its own cycles for this input: the one of --engine, or the first with something pending.
/// Null: none does.
[[nodiscard]] auto engine_with_cycles(const Options& options, const Snapshot& cluster, const Question& question)
    -> Result<const Engine*>;

/// The question for such an engine, with the limit of --cycles.
[[nodiscard]] auto question_about_cycles(const Options& options, Question question) -> Question;

}  // namespace previct::cli
