#include "backtest/past.h"

#include "history/rewind.h"

#include <algorithm>
#include <set>
#include <string>

namespace previct::backtest {
namespace {

// Each needs a snapshot of its own; a state with more of them is rare.
constexpr std::size_t kMostPast = 20;

// Returns true if the decision in the state before is about the next preemption of this pod.
auto was_decided(const Earlier& earlier, const std::string& id) -> bool {
  return !earlier.nominated.contains(id) && std::any_of(earlier.pending.begin(), earlier.pending.end(),
                                                        [&](const Pending& each) { return each.id == id; });
}

class PastDecisions {
 public:
  PastDecisions(Objects& objects, Side side, const DecideOne& decide, StateRecord& record)
      : objects_(objects), cluster_(objects), side_(side), decide_(decide), record_(record) {}

  auto run(const Earlier& earlier) -> Result<void> {
    const std::vector<history::Disruption> all = history::disruptions(cluster_);
    const history::Timeline timeline(cluster_);
    const std::vector<history::Preemption> preemptions = history::preemptions_of(cluster_, all, timeline);
    const std::vector<PodId> vanished;
    history::Rewind::Past past{cluster_, timeline, all, preemptions, vanished};
    if (earlier.has_its_gone_pods) past.state_before = earlier.at;
    std::size_t decided = 0;
    std::set<std::string> preemptors;
    for (const history::Preemption& each : preemptions) {
      if (each.at <= *earlier.at || each.at > record_.at) continue;
      const Pending pod = pending_pod(cluster_, each.preemptor, each.at);
      const bool first = preemptors.insert(pod.id).second;
      if (first && was_decided(earlier, pod.id)) continue;
      if (++decided > kMostPast) break;
      PREVICT_CHECK(decide_one(past, each, pod));
    }
    return {};
  }

 private:
  auto decide_one(const history::Rewind::Past& past, const history::Preemption& preemption, const Pending& pod)
      -> Result<void> {
    auto at = std::find_if(record_.past.begin(), record_.past.end(),
                           [&](const Pending& other) { return other.id == pod.id && other.at == pod.at; });
    if (at == record_.past.end()) at = record_.past.insert(at, pod);
    const history::Rewind rewind(objects_, past, preemption, {});
    // Without a victim that is gone, the decision would be another one.
    if (!rewind.lost().empty() || !rewind.others_lost().empty()) return {};
    const Snapshot then(objects_);
    PREVICT_TRY(const ClusterDecisions decided, decide_(then, pod.pod, preemption.at));
    add_decision(then, decided, side_, *at, record_);
    return {};
  }

  Objects& objects_;
  const Snapshot cluster_;
  Side side_;
  const DecideOne& decide_;
  StateRecord& record_;
};

}  // namespace

auto decide_past(Objects& objects, const Earlier& earlier, Side side, const DecideOne& decide, StateRecord& record)
    -> Result<void> {
  if (record.preempted.empty() || !earlier.at) return {};
  return PastDecisions(objects, side, decide, record).run(earlier);
}

}  // namespace previct::backtest
