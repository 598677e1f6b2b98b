#pragma once

#include "engine/kube/account.h"

#include <vector>

namespace previct::kube {

/// Returns the gaps about rules of early patch releases that later ones corrected, if such a release may run and
/// decides otherwise. The rules that are applied are those of the last patch release.
///
/// - Before 1.31.3, victims were sorted by importance only within those that violate a PodDisruptionBudget and the
///   others, so the choice among nodes compared the first of these (kubernetes issue 128307).
/// - Before 1.31.3, a hostname that a volume requires was taken for the name of a node (kubernetes issue 125398).
/// - 1.31.0 wrote the preemptor's status, with its QoS class, into the victim's, which the API server refuses if the
///   classes differ (kubernetes issue 126643).
///
/// Source: kubernetes/kubernetes: CHANGELOG/CHANGELOG-1.31.md; v1.31.2
/// pkg/scheduler/framework/plugins/defaultpreemption/default_preemption.go SelectVictimsOnNode,
/// volumebinding/binder.go GetEligibleNodes; v1.31.0 pkg/scheduler/framework/preemption/preemption.go prepareCandidate.
[[nodiscard]] auto patch_doubts(const EngineTrace& account) -> std::vector<Gap>;

}  // namespace previct::kube
