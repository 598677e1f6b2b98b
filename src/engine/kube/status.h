#pragma once

#include "engine/kube/rules.h"

#include <cstdint>
#include <initializer_list>
#include <vector>

namespace previct::kube {

/// Whether the pod passes on a node or in the whole attempt. `unschedulable`: evicting pods may help; `unresolvable`:
/// it cannot.
/// Source: framework.Code.
enum class Code : std::uint8_t { success, unschedulable, unresolvable, error };

/// A filter plugin, named in answers.
struct FilterInfo;

/// Reasons in the order in which they were found. Usually there is one, and every node has a list, so the first is
/// stored inline.
class ReasonList {
 public:
  ReasonList() = default;
  ReasonList(std::initializer_list<Reason> reasons) {
    for (const Reason& reason : reasons) push_back(reason);
  }
  void push_back(const Reason& reason) {
    if (size_ == 0) {
      first_ = reason;
    } else {
      if (size_ == 1) all_.push_back(first_);
      all_.push_back(reason);
    }
    ++size_;
  }
  [[nodiscard]] auto empty() const -> bool { return size_ == 0; }
  [[nodiscard]] auto front() const -> const Reason& { return first_; }
  [[nodiscard]] auto begin() const -> const Reason* { return size_ > 1 ? all_.data() : &first_; }
  [[nodiscard]] auto end() const -> const Reason* { return begin() + size_; }

 private:
  Reason first_{};
  std::uint32_t size_ = 0;
  std::vector<Reason> all_;  // used if there are several
};

/// A result with its reasons; `plugin` is null if upstream attributes it to no plugin.
struct Status {
  Code code = Code::success;
  const FilterInfo* plugin = nullptr;
  ReasonList reasons;

  [[nodiscard]] auto ok() const -> bool { return code == Code::success; }
};

/// Collects the reasons of a check; null if only the result is needed, which must cost nothing.
using Reasons = ReasonList*;

inline void add_reason(Reasons reasons, Reason reason) {
  if (reasons != nullptr) reasons->push_back(reason);
}

}  // namespace previct::kube
