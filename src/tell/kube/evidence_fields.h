#pragma once

#include "tell/answer.h"
#include "tell/kube/messages.h"

#include <string>
#include <vector>

namespace previct::kube {

/// What a toleration (or its absence) rests on: the annotations of the pod's class that are there and, where time
/// counts, the pod's condition.
[[nodiscard]] auto evidence_of(const Snapshot& cluster, PodId pod, const Reason& reason) -> std::vector<Evidence>;

/// Why a pod of lower rank may go, as far as its toleration says: `lower priority, no toleration` where its class has
/// no annotation that could give it one.
[[nodiscard]] auto why_no_toleration(const Words& words, const Snapshot& cluster, PodId pod, const Reason& reason)
    -> std::string;

/// Of Rule::must_go_violating: `ml/eval-pdb (it allows 0 more)`, and where that stands.
[[nodiscard]] auto budget_words(const Snapshot& cluster, const Reason& violated) -> std::string;
[[nodiscard]] auto evidence_of_budget(const Snapshot& cluster, const Reason& violated) -> Evidence;

/// Why no pod of this schedulerName is ever tried.
[[nodiscard]] auto words_of_no_profile(std::string_view scheduler_name) -> std::string;

/// The class of a pod if it is in the input and says `preemptionPolicy: Never`, else null.
[[nodiscard]] auto class_that_never_preempts(const Snapshot& cluster, PodId pod) -> const PriorityClass*;

}  // namespace previct::kube
