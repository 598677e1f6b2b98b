#pragma once

#include "analysis/report_context.h"
#include "tell/answer.h"

namespace previct {

/// How `tolerations` groups and filters its rows.
struct ProtectionView {
  bool ended = false;     ///< also list pods whose toleration has ended
  bool by_class = false;  ///< one row per priority class
};

/// Which pods are protected, ordered by the end of their protection, with a picture of the remaining time on terminals
/// (`kind: TolerationReport`).
[[nodiscard]] auto protection_report(const Protections& protections, const ReportContext& context,
                                     const ProtectionView& view) -> Report;

/// Which pods could preempt a given pod.
[[nodiscard]] auto takers_report(const PossiblePreemptors& possible_preemptors, const ReportContext& context) -> Report;

}  // namespace previct
