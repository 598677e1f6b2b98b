#pragma once

#include "sequence/simulation_result.h"

namespace previct::sequence {

/// The rate limit of a client: a token bucket that assigns send times in the order of the requests.
/// Source: client-go util/flowcontrol NewTokenBucketRateLimiter.
class RateLimit {
 public:
  /// Negative `calls_a_second`: no limit.
  RateLimit(double calls_a_second, std::int64_t burst)
      : interval_(calls_a_second < 0 ? 0 : static_cast<Time>(static_cast<double>(kSecond) / calls_a_second)),
        ahead_(interval_ * burst) {}

  /// Returns how long earlier calls delay the next ones. It is a part of the simulation's state.
  [[nodiscard]] auto debt(Time now) const -> Time { return std::max<Time>(0, full_at_ - now); }

  /// Returns the time at which a call that is ready at `now` may be sent.
  [[nodiscard]] auto reserve(Time now) -> Time {
    full_at_ = std::max(full_at_, now) + interval_;
    return std::max(now, full_at_ - ahead_);
  }

 private:
  Time interval_;
  Time ahead_;
  Time full_at_ = 0;  ///< time at which the bucket is full again
};

}  // namespace previct::sequence
