#pragma once

#include "cli/command.h"

#include <string>

namespace previct::cli {

/// The documented command that makes a dump.
[[nodiscard]] auto dump_command() -> std::string;
/// A hint for an input without pods: how to ask about the pod of a workload, or about a new pod, or how to make a dump.
[[nodiscard]] auto instead_of_pods(const Objects& objects) -> std::string;

/// How to evaluate the pods of a workload in the input that no API server has stored (it has no uid): its pods are not
/// among the pending ones. Empty if there is none.
[[nodiscard]] auto hint_at_workload(Session& session, Objects& objects) -> Result<std::string>;

}  // namespace previct::cli
