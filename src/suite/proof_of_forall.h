#pragma once

#include "prove/proof.h"
#include "suite/judge.h"

#include <optional>

namespace previct::suite {

/// Proves a Forall exactly (prove/proof.h), or finds its counterexample. Nothing if it is not of the form that can be
/// proved: preemptors of an interval of priorities, without labels, on given nodes or each node; expectations that
/// limit only the outcome, which pods are victims, or how many of them, or the violations of budgets; and a scheduler
/// that preempts by priority class. Without a node, only that each pod fits or preempts can be proved. Also nothing if
/// the result is not known. `scheduler`: schedulerName of the preemptors.
[[nodiscard]] auto proof_of(const Forall& forall, TestedCluster& tested, const std::string& scheduler)
    -> std::optional<prove::Proof>;

}  // namespace previct::suite
