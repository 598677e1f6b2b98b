#pragma once

#include "sequence/play.h"

namespace previct::sequence {

/// The rate limit of a client: a token bucket that hands out moments in the order in which it is asked.
/// Source: client-go util/flowcontrol NewTokenBucketRateLimiter.
class RateLimit {
 public:
  /// Below 0: no limit.
  RateLimit(double calls_a_second, std::int64_t burst)
      : interval_(calls_a_second < 0 ? 0 : static_cast<Time>(static_cast<double>(kSecond) / calls_a_second)),
        ahead_(interval_ * burst) {}

  /// How far the next calls are held up by those before: a part of the state.
  [[nodiscard]] auto debt(Time now) const -> Time { return std::max<Time>(0, full_at_ - now); }

  /// When a call that is ready at `now` may leave.
  [[nodiscard]] auto reserve(Time now) -> Time {
    full_at_ = std::max(full_at_, now) + interval_;
    return std::max(now, full_at_ - ahead_);
  }

 private:
  Time interval_;
  Time ahead_;
  Time full_at_ = 0;  ///< when the bucket would be full again
};

}  // namespace previct::sequence
