#include "base/text.h"
#include "tell/kai/explain.h"
#include "tell/pod_words.h"

#include <fmt/format.h>

namespace previct::kai {
namespace {

constexpr std::size_t kShownCauses = 2;

// Returns what ends at `at`: grace periods, protections of candidates, the group's own delay.
auto causes(const Explained& e, const NextChange& next) -> std::vector<std::string> {
  const Instant at = next.at;
  std::vector<std::string> words;
  for (const PodId pod : next.left) {
    if (e.cluster.pod(pod).meta.deleting == at)
      words.push_back(pod_end_words({pod, e.cluster.node_of(pod), at}, e.cluster));
  }
  const Group& group = e.group();
  Instant since = group.created;
  if (group.last_eviction) since = std::max(since, *group.last_eviction);
  if (group.preemption_delay > 0 && since.plus_nanos(group.preemption_delay) == at) {
    words.emplace_back("its preemption delay ends");
  }
  const auto standings = standings_of(e);
  for (const auto& [id, standing] : *standings) {
    if (standing.shield.until == at && standing.shield.now) {
      words.push_back(fmt::format("min-runtime of {} ends", e.cluster_info().key(id)));
    }
  }
  return words;
}

auto outcome_words(const Explained& e, const Decision& then) -> std::string {
  const Fate fate = fate_of(then, e.subject);
  const bool was_pending = fate_of(e.decision, e.subject).outcome == Outcome::pending;
  if (was_pending && fate.outcome == Outcome::pending) return "still stays pending: only the reason changes";
  const Explained later{e.cluster, e.settings, e.question, then, e.subject};
  return sentence(later, fate);
}

auto describe(const Explained& e, const NextChange& next) -> std::string {
  const Decision& then = *next.then;
  std::vector<std::string> why = causes(e, next);
  const std::size_t more = why.size() > kShownCauses ? why.size() - kShownCauses : 0;
  why.resize(why.size() - more);
  if (more > 0) why.push_back(fmt::format("that of {} ends", counted(more, "other", "others")));
  return fmt::format("{}{}it {}", joined(why, ", "), why.empty() ? "then " : "; then ", outcome_words(e, then));
}

}  // namespace

auto next_change_words(const Explained& e, const NextChange& next) -> std::string {
  if (next.at.is_never()) return {};
  if (next.then) return describe(e, next);
  if (next.stopped_by)
    return fmt::format(
        "{}; {} is not simulated", pod_end_words(*next.stopped_by, e.cluster),
        next.stopped_by->by == PodEnd::By::recreated ? "the pod that its controller then creates" : "what follows");
  return fmt::format("no earlier: {} checked, and the answer stays the same until then",
                     counted(next.tried, "instant", "instants"));
}

auto until_words(const Explained& e, Instant until) -> std::string {
  return fmt::format("{}, {}", format_clock(until, e.question.now), format_distance(until, e.question.now));
}

}  // namespace previct::kai
