#pragma once

#include <cstdint>
#include <vector>

#include "engine/kube/rules.h"

namespace previct::kube {

/// Whether a node (or the whole attempt) takes the pod. `unschedulable`: evicting pods may help;
/// `unresolvable`: it cannot. Source: framework.Code.
enum class Code : std::uint8_t { success, unschedulable, unresolvable, error };

/// The plugins whose name appears in an answer. `none` where upstream attributes a status to nobody.
struct FilterInfo;

/// A verdict with its reasons; `plugin` is null where upstream attributes it to nobody.
struct Status {
  Code code = Code::success;
  const FilterInfo* plugin = nullptr;
  std::vector<Reason> reasons;

  [[nodiscard]] auto ok() const -> bool { return code == Code::success; }
};

/// Collects the reasons of a check; null where only yes or no is wanted, which must cost nothing.
using Reasons = std::vector<Reason>*;

inline void add_reason(Reasons reasons, Reason reason) {
  if (reasons != nullptr) reasons->push_back(reason);
}

}  // namespace previct::kube
