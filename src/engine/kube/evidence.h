#pragma once

#include "engine/kube/words.h"
#include "report/report.h"

namespace previct::kube {

/// The facts of a decision under the names of contract.md ("evidence"): `outcome eligible feasibleNodes nodes chosen
/// possible tolerations fitErrorMessage preFilterNodes preEnqueue preFilter error`.
[[nodiscard]] auto evidence(const Decision& decision, const Profile& profile, const World& world, PodId subject,
                            Instant now) -> Json;

/// The ending in upstream's terms (`preempting`, `unschedulable` …).
[[nodiscard]] auto ending_name(Ending ending) -> std::string_view;

/// Groups of two or more possible victims of a node that tie in priority and start, at least one of them a victim:
/// upstream may evict any of a group in place of another. Pods that tolerate the preemptor are left out.
[[nodiscard]] auto interchangeable_victims(const Decision& decision, const World& world, NodeId node,
                                           std::int32_t preemptor_priority) -> std::vector<std::vector<PodId>>;

}  // namespace previct::kube
