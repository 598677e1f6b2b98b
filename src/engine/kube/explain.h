#pragma once

#include "engine/answer.h"
#include "engine/engine.h"
#include "engine/kube/attempt.h"
#include "engine/kube/profile.h"
#include "engine/kube/release.h"

namespace previct::kube {

/// A decision and everything needed to speak of it.
struct Explained {
  World& world;
  const Budgets& budgets;
  const Profile& profile;
  PodId subject;
  const Question& question;
  const Decision& decision;
};

/// The decision in words, with its evidence. Decides once more at the next change, to say what would happen then.
[[nodiscard]] auto answer(const Explained& explained) -> Answer;

/// What this answer does not know: kinds that the input lacks, features that are not modelled.
[[nodiscard]] auto gaps(const Explained& explained) -> std::vector<Gap>;

/// The table of nodes, best first: what each would cost, and why it was not chosen.
[[nodiscard]] auto node_table(const Explained& explained) -> Block;
/// The same for programs.
[[nodiscard]] auto node_rows(const Explained& explained) -> Json;
/// One node step by step (--node).
[[nodiscard]] auto node_steps(const Explained& explained, NodeId node) -> std::vector<Block>;

}  // namespace previct::kube
