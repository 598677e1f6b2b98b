#pragma once

#include "engine/answer.h"
#include "engine/yunikorn/design_151.h"
#include "engine/yunikorn/release.h"
#include "engine/yunikorn/setup.h"

/// From decisions to answers: who goes, who is protected, the queues and the order, what is not known.
namespace previct::yunikorn {

/// As the question asks for it: in brief without tables and evidence; with `show_all` every pod that is out
/// of reach and not only their queues.
void fill(const World& world, const ReleaseDecision& decision, const Question& question, Answer& answer);
void fill(const Snapshot& cluster, const DesignDecision& decision, const TypeNames& types, const Question& question,
          Answer& answer);

/// What the dump or the model lacks for this answer. `world` is null for the design document's algorithm,
/// `ask` none if the question is about all pods.
[[nodiscard]] auto gaps_of(const Snapshot& cluster, const Setup& setup, const World* world, PodId ask)
    -> std::vector<Gap>;

}  // namespace previct::yunikorn
