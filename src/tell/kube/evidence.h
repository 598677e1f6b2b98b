#pragma once

#include "report/report.h"
#include "tell/kube/messages.h"

namespace previct::kube {

/// The facts of a decision under the names of contract.md ("evidence"): `outcome eligible feasibleNodes nodes chosen
/// possible tolerations fitErrorMessage preFilterNodes preEnqueue preFilter error`.
[[nodiscard]] auto evidence(const Decision& decision, const NodeInfoSnapshot& node_infos, PodId subject, Instant now)
    -> Json;

/// The ending in upstream's terms (`preempting`, `unschedulable` …).
[[nodiscard]] auto ending_name(Ending ending) -> std::string_view;

}  // namespace previct::kube
