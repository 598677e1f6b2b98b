#include "base/text.h"
#include "engine/kai/words/explain.h"

#include <fmt/format.h>

namespace previct::kai {
namespace {

// How far the future is looked into: instants tried, and scenarios of all the cycles together.
constexpr std::size_t kMostInstants = 60;
constexpr std::uint64_t kMostWork = 200'000;
constexpr std::size_t kShownCauses = 2;

// What ends at `at`: protections of candidates, the group's own delay.
auto causes(const Explained& e, Instant at) -> std::vector<std::string> {
  std::vector<std::string> words;
  const Group& group = e.group();
  Instant since = group.created;
  if (group.last_eviction) since = std::max(since, *group.last_eviction);
  if (group.preemption_delay > 0 && since.plus_nanos(group.preemption_delay) == at) {
    words.emplace_back("its preemption delay ends");
  }
  Session session(e.pool());
  for (const GroupId id : e.pool().groups_by_name()) {
    if (id == e.subject.group || !session.has_allocated(id)) continue;
    const Standing standing = standing_of(e, session, id);
    if (standing.shield.until == at && standing.shield.now) {
      words.push_back(fmt::format("min-runtime of {} ends", e.pool().key(id)));
    }
  }
  return words;
}

auto outcome_words(const Explained& e, const Decision& then) -> std::string {
  const Fate fate = fate_of(then, e.subject.group);
  Explained later{e.cluster, e.settings, e.question, then, e.subject};
  return sentence(later, fate);
}

auto describe(const Explained& e, Instant at, const Decision& then) -> std::string {
  std::vector<std::string> why = causes(e, at);
  const std::size_t more = why.size() > kShownCauses ? why.size() - kShownCauses : 0;
  why.resize(why.size() - more);
  if (more > 0) why.push_back(fmt::format("that of {} ends", counted(more, "other group", "other groups")));
  return fmt::format("{}{}it {}", joined(why, ", "), why.empty() ? "then " : "; then ", outcome_words(e, then));
}

}  // namespace

auto next_change(const Explained& e) -> NextChange {
  const std::string now = fate_key(e.decision, e.subject.group);
  std::uint64_t work = 0;  // pods looked at
  Instant at = e.decision.moment.horizon();
  for (std::size_t tried = 0; !at.is_never(); ++tried) {
    if (tried == kMostInstants || work > kMostWork) {
      return {at, fmt::format("not before; {} looked at, the answer stays the same until then",
                              counted(tried, "instant", "instants"))};
    }
    const auto then = decide(e.cluster, e.settings, at, e.question.now, e.subject.assumed);
    if (fate_key(*then, e.subject.group) != now) return {at, describe(e, at, *then)};
    work += then->pool.tasks().size() + then->cycle.effort().victims_popped;
    at = then->moment.horizon();
  }
  return {};
}

}  // namespace previct::kai
