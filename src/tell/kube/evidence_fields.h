#pragma once

#include "tell/answer.h"
#include "tell/kube/messages.h"

#include <string>
#include <vector>

namespace previct::kube {

/// Returns the evidence for a toleration (or its absence): the existing annotations of the pod's class and, where time
/// matters, the pod's condition.
[[nodiscard]] auto evidence_of(const Snapshot& cluster, PodId pod, const Reason& reason) -> std::vector<Evidence>;

/// Returns why a pod of lower priority can be evicted, as far as its toleration is concerned: `lower priority, no
/// toleration` if its class has no annotation that could give it one.
[[nodiscard]] auto why_no_toleration(const Words& words, const Snapshot& cluster, PodId pod, const Reason& reason)
    -> std::string;

/// For Rule::must_go_violating: `ml/eval-pdb (it allows 0 more)`, and its place in the input.
[[nodiscard]] auto budget_words(const Snapshot& cluster, const Reason& violated) -> std::string;
[[nodiscard]] auto evidence_of_budget(const Snapshot& cluster, const Reason& violated) -> Evidence;

/// Returns why no pod with this schedulerName is ever tried.
[[nodiscard]] auto words_of_no_profile(std::string_view scheduler_name) -> std::string;

/// Returns the class of a pod if the input contains it and it has `preemptionPolicy: Never`, otherwise null.
[[nodiscard]] auto class_that_never_preempts(const Snapshot& cluster, PodId pod) -> const PriorityClass*;

}  // namespace previct::kube
