#pragma once

#include "engine/yunikorn/design_151.h"
#include "engine/yunikorn/release.h"
#include "report/report.h"

/// The facts of an answer, in the names and schema of the specification.
namespace previct::yunikorn {

[[nodiscard]] auto evidence(const PartitionContext& core, const ReleaseDecision& decision) -> Json;
[[nodiscard]] auto evidence(const Snapshot& cluster, PodId ask, const DesignDecision& decision, const TypeNames& types)
    -> Json;
/// For a pod that the scheduler does not know; `problem` may be empty.
[[nodiscard]] auto evidence_unknown(const std::string& problem) -> Json;

/// `{"memory": 1073741824, "vcore": 500}`, by name.
[[nodiscard]] auto amounts_json(const TypeNames& types, const Resources& amounts) -> Json;

}  // namespace previct::yunikorn
