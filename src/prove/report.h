#pragma once

#include "analysis/report_context.h"
#include "prove/proof.h"

namespace previct::prove {

/// A proof, a counterexample or the reason why neither is known (`kind: ProofReport`).
[[nodiscard]] auto proof_report(const Proof& proof, const Space& space, const ReportContext& context) -> Report;

}  // namespace previct::prove
