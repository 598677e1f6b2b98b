#pragma once

#include "tell/known_message.h"

#include <vector>

namespace previct::kube {

/// What kube-scheduler writes, of messages.def and of rules.def in the words of all releases; and those who add
/// nodes: Cluster Autoscaler, Karpenter.
[[nodiscard]] auto known_messages() -> std::vector<Messages>;

}  // namespace previct::kube
