#pragma once

#include "cluster/pod_ends.h"

#include <string>

namespace previct {

/// `the grace period of ml/a on n1 ends`, `activeDeadlineSeconds of the Job of ml/a on n1 end`, `a NoExecute taint
/// deletes ml/a on n1`.
[[nodiscard]] auto pod_end_words(const PodEnd& end, const Snapshot& cluster) -> std::string;

/// `scheduling gate example.com/a`, `scheduling gates example.com/a, example.com/b`.
[[nodiscard]] auto gate_words(const Pod& pod, const Snapshot& cluster) -> std::string;

}  // namespace previct
