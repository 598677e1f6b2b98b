#pragma once

#include "base/instant.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <string_view>

namespace previct {

/// What pods of one queue could do to the running pods of another (or, by priority, of the same), as the rules about
/// candidates have it. Whether evicting them makes room is another question: an attempt may still find no victims.
struct QueueReach {
  bool asked = false;     ///< decided for the pending pods of the queue; else only what holds for any pod of it
  std::size_t pods = 0;   ///< that run in the other queue
  std::size_t now = 0;    ///< of them: may be evicted now
  std::size_t later = 0;  ///< of them: not yet, by the passing of time alone
  Instant first{};        ///< with `later`: when the first of these may be
  Instant last{};         ///< and the last
  std::string_view rule;  ///< stable id of what keeps most of the others, now or for good; empty: there are none
};

/// Adds up a cell, pod by pod.
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
