#include "prove/frontier.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace previct::prove {
namespace {

constexpr std::size_t kMostOfOneCell = 20'000;  // regions

using Amounts = std::vector<std::int64_t>;

auto covers(const Amounts& smaller, const Amounts& larger) -> bool {
  return std::equal(smaller.begin(), smaller.end(), larger.begin(), std::less_equal<>());
}

class FrontierSearch {
 public:
  FrontierSearch(Decider& decider, const Space& space, PodId pod) : decider_(decider), space_(space) {
    frontier_.pod = pod;
    frontier_.node = space.nodes.front();
    frontier_.behaves = decider.behaves();
  }

  auto run() -> Frontier {
    for (const Kind& kind : decider_.kinds()) {
      if (kind.fault) frontier_.faults.push_back(*kind.fault);
    }
    for_each_cell(decider_, space_, frontier_.node, [&](const Region& cell, const std::vector<PodId>& potential) {
      if (kind_of(cell).fault) return true;
      if (std::find(potential.begin(), potential.end(), frontier_.pod) != potential.end()) add(threat_in(cell));
      return true;
    });
    join_priorities();
    return std::move(frontier_);
  }

 private:
  [[nodiscard]] auto kind_of(const Region& cell) const -> const Kind& { return decider_.kinds()[cell.preemptor.kind]; }

  auto threat_in(const Region& cell) -> Threat {
    Threat threat{.priorities = cell.priorities,
                  .scheduler = kind_of(cell).scheduler,
                  .like = kind_of(cell).form == nullptr ? "" : kind_of(cell).form->name,
                  .from = cell.preemptor.at,
                  .until = cell.until,
                  .smallest = {}};
    std::size_t visited = 0;
    const auto decide = [&](kube::RequestBounds& requests) -> const Verdict& {
      return decider_.decide(cell.preemptor, requests);
    };
    const auto visit = [&](const Box& box, const Verdict& verdict) {
      add_gaps(verdict.gaps, frontier_.gaps);
      note_doubt(cell, box, verdict);
      const std::vector<PodId> victims = possible_victims(verdict);
      if (std::find(victims.begin(), victims.end(), frontier_.pod) != victims.end())
        keep(corner_of(box, From::smallest), threat.smallest);
      return ++visited < kMostOfOneCell;
    };
    // A larger request than one that is known adds nothing.
    const auto skip = [&](const Box& box) {
      const Amounts least = corner_of(box, From::smallest);
      return std::any_of(threat.smallest.begin(), threat.smallest.end(),
                         [&](const Amounts& known) { return covers(known, least); });
    };
    threat.all = for_each_region(decider_.all_requests(), From::smallest, decide, visit, skip);
    frontier_.regions += visited;
    std::sort(threat.smallest.begin(), threat.smallest.end());
    return threat;
  }

  void note_doubt(const Region& cell, const Box& box, const Verdict& verdict) {
    const bool open = verdict.outcome == Outcome::unknown || (verdict.orders && verdict.orders->nodes.empty());
    if (!open || frontier_.doubt) return;
    frontier_.doubt = cell;
    frontier_.doubt->requests = box;
  }

  static void keep(const Amounts& found, std::vector<Amounts>& smallest) {
    std::erase_if(smallest, [&](const Amounts& known) { return covers(found, known); });
    smallest.push_back(found);
  }

  // Joins it with the last threat if only the moment differs.
  void add(Threat threat) {
    if (threat.smallest.empty()) return;
    if (!frontier_.threats.empty()) {
      Threat& last = frontier_.threats.back();
      if (same(last, threat) && last.priorities == threat.priorities && last.until == threat.from) {
        last.until = threat.until;
        return;
      }
    }
    frontier_.threats.push_back(std::move(threat));
  }

  // Joins threats of which only the priorities differ, and are next to each other.
  void join_priorities() {
    std::vector<Threat> joined;
    for (Threat& threat : frontier_.threats) {
      const auto before = std::find_if(joined.begin(), joined.end(), [&](const Threat& known) {
        return same(known, threat) && known.from == threat.from && known.until == threat.until &&
               next_possible(known.priorities.most) == threat.priorities.least;
      });
      if (before == joined.end()) {
        joined.push_back(std::move(threat));
      } else {
        before->priorities.most = threat.priorities.most;
      }
    }
    frontier_.threats = std::move(joined);
  }

  static auto same(const Threat& a, const Threat& b) -> bool {
    return a.scheduler == b.scheduler && a.like == b.like && a.smallest == b.smallest && a.all == b.all;
  }

  Decider& decider_;
  const Space& space_;
  Frontier frontier_;
};

}  // namespace

auto frontier_of(Objects& objects, const Snapshot& cluster, const Question& question, Space space, PodId pod)
    -> Result<Frontier> {
  const NodeId node = cluster.node_of(pod);
  if (!node || cluster.finished(pod))
    return fail(fmt::format("{} runs on no node of the input, so no pod can evict it", cluster.key(pod)));
  space.nodes = {node};
  PREVICT_TRY(const std::unique_ptr<Decider> decider, Decider::of(objects, cluster, question, space));
  return FrontierSearch(*decider, space, pod).run();
}

}  // namespace previct::prove
