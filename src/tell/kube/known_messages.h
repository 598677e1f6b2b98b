#pragma once

#include "tell/known_message.h"

#include <vector>

namespace previct::kube {

/// Returns the messages that kube-scheduler writes, from messages.def and, in the words of all releases, from
/// rules.def; and those of Cluster Autoscaler and Karpenter, which add nodes, and of
/// components that evict pods.
[[nodiscard]] auto known_messages() -> std::vector<Messages>;

}  // namespace previct::kube
