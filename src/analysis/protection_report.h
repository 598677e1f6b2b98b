#pragma once

#include "analysis/report_context.h"
#include "tell/answer.h"

namespace previct {

/// How `tolerations` groups and filters its rows.
struct ProtectionView {
  bool ended = false;     ///< list also pods whose toleration is over
  bool by_class = false;  ///< one row a priority class
};

/// Who is protected: pods by the end of their protection, with a picture of the time left on terminals
/// (`kind: TolerationReport`).
[[nodiscard]] auto protection_report(const Protections& protections, const ReportContext& context,
                                     const ProtectionView& view) -> Report;

/// Who could take one pod.
[[nodiscard]] auto takers_report(const PossiblePreemptors& possible_preemptors, const ReportContext& context) -> Report;

}  // namespace previct
