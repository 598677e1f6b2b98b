#include "backtest/past.h"

#include "history/rewind.h"

#include <algorithm>

namespace previct::backtest {
namespace {

// Each needs a snapshot of its own; a state with more of them is rare.
constexpr std::size_t kMostPast = 20;

auto was_pending(const Earlier& earlier, const std::string& id) -> bool {
  return std::any_of(earlier.begin(), earlier.end(), [&](const Pending& each) { return each.id == id; });
}

class PastDecisions {
 public:
  PastDecisions(Objects& objects, Side side, const DecideOne& decide, StateRecord& record)
      : objects_(objects), cluster_(objects), side_(side), decide_(decide), record_(record) {}

  auto run(Instant since, const Earlier& earlier) -> Result<void> {
    const std::vector<history::Disruption> all = history::disruptions(cluster_);
    const history::Timeline timeline(cluster_);
    const std::vector<history::Preemption> preemptions = history::preemptions_of(cluster_, all, timeline);
    const std::vector<PodId> vanished;
    const history::Rewind::Past past{cluster_, timeline, all, preemptions, vanished};
    std::size_t decided = 0;
    for (const history::Preemption& each : preemptions) {
      if (each.at <= since || each.at > record_.at) continue;
      const Pending pod = pending_pod(cluster_, each.preemptor, each.at);
      if (was_pending(earlier, pod.id)) continue;
      if (++decided > kMostPast) break;
      PREVICT_CHECK(decide_one(past, each, pod));
    }
    return {};
  }

 private:
  auto decide_one(const history::Rewind::Past& past, const history::Preemption& preemption, const Pending& pod)
      -> Result<void> {
    auto at = std::find_if(record_.past.begin(), record_.past.end(), [&](const Pending& p) { return p.id == pod.id; });
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

auto decide_past(Objects& objects, Instant since, const Earlier& earlier, Side side, const DecideOne& decide,
                 StateRecord& record) -> Result<void> {
  if (record.preempted.empty()) return {};
  return PastDecisions(objects, side, decide, record).run(since, earlier);
}

}  // namespace previct::backtest
