#pragma once

#include "report/report.h"
#include "tell/kube/messages.h"

namespace previct::kube {

/// Returns the facts of a decision under the names of contract.md ("evidence"): `outcome eligible feasibleNodes nodes
/// chosen possible tolerations fitErrorMessage preFilterNodes preEnqueue preFilter error scores`.
[[nodiscard]] auto evidence(const Decision& decision, const Profile& profile, const NodeInfoSnapshot& node_infos,
                            PodId subject, Instant now) -> Json;

/// Returns how the node is chosen, under its name in documents (`onlyNode`, `scores` …).
[[nodiscard]] auto selected_by_name(SelectedBy by) -> std::string_view;

/// Returns the result in upstream's terms (`preempting`, `unschedulable` …).
[[nodiscard]] auto ending_name(Ending ending) -> std::string_view;

}  // namespace previct::kube
