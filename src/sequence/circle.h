#pragma once

#include "sequence/play.h"

#include <map>
#include <optional>
#include <string>

namespace previct::sequence {

/// The states of a play, so that one that comes back is recognized. Where nothing is left to chance, equal states have
/// equal futures.
class States {
 public:
  /// A circle once a state has come back twice: in the second round, what ends has begun in the first.
  [[nodiscard]] auto see(const std::string& state, Time now) -> std::optional<Circle> {
    constexpr std::size_t kMost = 5000;
    if (seen_.size() >= kMost) return {};
    Seen& seen = seen_[state];
    if (seen.times > 0 && seen.latest == now) return {};
    const Time before = seen.latest;
    seen.latest = now;
    if (++seen.times == 1) seen.first = now;
    if (seen.times < 3) return {};
    return Circle{seen.first, now - before, before};
  }

 private:
  struct Seen {
    Time first = 0;
    Time latest = 0;
    int times = 0;
  };
  std::map<std::string, Seen> seen_;
};

}  // namespace previct::sequence
