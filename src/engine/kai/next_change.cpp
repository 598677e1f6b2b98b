#include "engine/kai/account.h"

#include <utility>

namespace previct::kai {
namespace {

// Limits of the look-ahead: the times tried, and the work of all cycles together.
constexpr std::size_t kMostInstants = 60;
constexpr std::uint64_t kMostWork = 200'000;

}  // namespace

auto next_change(Cycles& cycles, const Explained& e) -> NextChange {
  const std::string now = fate_key(e.decision, e.subject);
  std::uint64_t work = 0;  // pods looked at
  Instant at = e.decision.moment.horizon();
  for (std::size_t tried = 0; !at.is_never(); ++tried) {
    if (tried == kMostInstants || work > kMostWork) {
      return {at, nullptr, tried};
    }
    auto then = cycles.look_ahead(at);
    if (fate_key(*then, e.subject) != now) return {at, std::move(then), tried};
    work += then->cluster_info.tasks().size() + then->cycle.effort().victims_popped;
    at = then->moment.horizon();
  }
  return {};
}

}  // namespace previct::kai
