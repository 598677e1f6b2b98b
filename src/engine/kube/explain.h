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

/// `2 victims still terminating there (ml/slow-0, grace ends 22:43:00, in 1m53s)`, of the nominated node that it waits
/// for.
[[nodiscard]] auto terminating_words(const Explained& explained, NodeId node) -> std::string;

/// What is said of the nodes, best first: what each would cost, and why it was not chosen. As findings, as a table, for
/// programs, and of the nodes asked for (--node) step by step.
void tell_nodes(const Explained& explained, Answer& answer);

}  // namespace previct::kube
