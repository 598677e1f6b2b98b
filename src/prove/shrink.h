#pragma once

#include "prove/proof.h"

namespace previct::prove {

/// Makes a counterexample easy to read: it requests as few resources as possible, small amounts of them, and its
/// numbers are round. Searches only the priorities and moments of its region, and only some thousand regions of
/// requests: a smaller counterexample may exist.
void shrink(Decider& decider, const Invariant& invariant, const Space& space, Counterexample& example);

/// Returns the roundest number from `least` to `most` that is not much larger than `least`. `resource`: cpu, memory, or
/// another one, which is not rounded.
[[nodiscard]] auto round_amount(std::string_view resource, std::int64_t least, std::int64_t most) -> std::int64_t;
/// Returns the roundest priority of an interval.
[[nodiscard]] auto round_priority(const Priorities& interval) -> std::int64_t;
/// Returns the first full minute from `from` until `until` (exclusive) or, if there is none, `from`.
[[nodiscard]] auto round_moment(Instant from, Instant until) -> Instant;

}  // namespace previct::prove
