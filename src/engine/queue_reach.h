#pragma once

#include "base/instant.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <string_view>

namespace previct {

/// How many running pods of another queue (or, by priority, of the same queue) the pods of one queue could evict by the
/// rules about candidates. It does not say whether evicting them frees enough: an attempt may still find no victims.
struct QueueReach {
  bool asked = false;     ///< true: decided for the pending pods of the queue; false: holds for any pod of it
  std::size_t pods = 0;   ///< pods that run in the other queue
  std::size_t now = 0;    ///< of these, pods that may be evicted now
  std::size_t later = 0;  ///< of these, pods that may be evicted later, by the passing of time alone
  Instant first{};        ///< with `later`: when the first of them may be evicted
  Instant last{};         ///< and when the last may be
  std::string_view rule;  ///< stable id of the rule that protects most of the others; empty: there are none
};

/// Adds up one cell, pod by pod.
class ReachCount {
 public:
  explicit ReachCount(bool asked) { reach_.asked = asked; }

  void now(std::size_t pods) {
    reach_.pods += pods;
    reach_.now += pods;
  }
  void later(std::size_t pods, Instant from, std::string_view rule) {
    if (pods == 0) return;
    reach_.first = reach_.later == 0 ? from : std::min(reach_.first, from);
    reach_.last = reach_.later == 0 ? from : std::max(reach_.last, from);
    reach_.later += pods;
    never(pods, rule);
  }
  void never(std::size_t pods, std::string_view rule) {
    reach_.pods += pods;
    if (pods > 0) kept_[rule] += pods;
  }

  [[nodiscard]] auto take() -> QueueReach {
    std::size_t most = 0;
    for (const auto& [rule, pods] : kept_) {
      if (pods <= most) continue;
      most = pods;
      reach_.rule = rule;
    }
    return reach_;
  }

 private:
  QueueReach reach_;
  std::map<std::string_view, std::size_t> kept_;  // by rule
};

}  // namespace previct
