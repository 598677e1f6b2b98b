#include "history/timeline.h"

#include "api/event_reasons.h"

#include <fmt/format.h>

#include <algorithm>

namespace previct::history {
namespace {

// Victims are evicted right after the decision, unless the client is throttled.
constexpr std::int64_t kEvictedWithin = 60;  // seconds
// A synchronous preemption evicts before its attempt ends, so the event of the attempt follows that of the victim.
constexpr std::int64_t kToldWithin = 1;  // seconds

/// Returns true if the note only has the filters' reasons. An unsuccessful preemption appends its own reasons, after
/// `preemption: ` or, from PreemptionToleration, without that prefix.
auto tells_of_nomination(std::string_view note) -> bool {
  constexpr std::string_view kCount = "nodes are available: ";
  const std::size_t first = note.find(kCount);
  return note.find("preemption: ") == std::string_view::npos && first != std::string_view::npos &&
         note.find(kCount, first + 1) == std::string_view::npos;
}

}  // namespace

Timeline::Timeline(const Snapshot& cluster) {
  for (const ClusterEvent& event : cluster.objects().events) {
    const std::string uid(cluster.text(event.regarding.uid));
    const std::optional<Instant> at = event.at();
    if (uid.empty() || !at || cluster.text(event.regarding.kind) != "Pod") continue;
    const auto see = [&] {
      sightings_.push_back(
          {uid, fmt::format("{}/{}", cluster.text(event.regarding.ns), cluster.text(event.regarding.name)), *at});
    };
    const std::string_view reason = cluster.text(event.reason);
    const std::string_view note = cluster.text(event.note);
    if (reason == event_reasons::scheduled && note.starts_with("Successfully assigned ")) {
      const std::size_t to = note.rfind(" to ");
      if (to != std::string_view::npos) bound_[uid] = {*at, std::string(note.substr(to + 4))};
      see();
    } else if (reason == event_reasons::failed_scheduling && tells_of_nomination(note)) {
      nominated_[uid].push_back(*at);
      see();
      if (event.series.last_observed) nominated_[uid].push_back(*event.series.last_observed);
    }
  }
}

auto Timeline::bound(std::string_view uid) const -> const Bound* {
  const auto found = bound_.find(std::string(uid));
  return found == bound_.end() ? nullptr : &found->second;
}

auto Timeline::decided(std::string_view uid, Instant evicted) const -> std::optional<Instant> {
  const auto found = nominated_.find(std::string(uid));
  if (found == nominated_.end()) return {};
  std::optional<Instant> last;
  for (const Instant at : found->second) {
    const bool until_then = at <= evicted.plus_seconds(kToldWithin) && at.plus_seconds(kEvictedWithin) >= evicted;
    if (until_then) last = std::max(last.value_or(at), at);
  }
  return last;
}

}  // namespace previct::history
