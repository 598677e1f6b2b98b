#pragma once

#include "cli/command.h"

#include <string>

namespace previct::cli {

/// What can be asked of an input without pods: about those that a workload would make, or of a cluster that is empty.
[[nodiscard]] auto instead_of_pods(const Objects& objects) -> std::string;

/// How to ask about the pods that a workload of the inputs would make, if it is one that no API server has seen (it has
/// no uid): its pods are not among the pending ones. Empty if there is none.
[[nodiscard]] auto hint_at_workload(Session& session) -> Result<std::string>;

}  // namespace previct::cli
