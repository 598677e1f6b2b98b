#include "prove/always_fits.h"

#include "prove/counterexample.h"
#include "prove/invariants/outcome_in.h"
#include "prove/shrink.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace previct::prove {
namespace {

using Amounts = std::vector<std::int64_t>;

class FitProver {
 public:
  FitProver(const Task& task, Decider& decider) : task_(task), decider_(decider), nodes_(task.space.nodes) {
    proof_.always_fits = true;
    proof_.schedulers = decider.schedulers();
    proof_.engine = task.engine.name();
    proof_.behaves = decider.behaves();
    proof_.other_releases = decider.other_releases();
    proof_.nodes = nodes_.size();
    proof_.any_form = false;
  }

  auto run() -> Result<Proof> {
    for (const std::int64_t priority : priorities()) {
      for (std::size_t scheduler = 0; scheduler < decider_.schedulers().size(); ++scheduler)
        over_time({scheduler, priority, {}, task_.space.from});
    }
    if (proof_.broken) {
      proof_.doubt.reset();
      PREVICT_CHECK(confirm(task_, decider_, fitting_, *proof_.broken));
    }
    return std::move(proof_);
  }

 private:
  // The lowest priority of each interval in which some node treats all preemptors alike.
  [[nodiscard]] auto priorities() const -> std::set<std::int64_t> {
    std::set<std::int64_t> lowest;
    for (const NodeId node : nodes_) {
      for (const Priorities& each : decider_.intervals_on(node)) lowest.insert(each.least);
    }
    return lowest;
  }

  void over_time(Preemptor pod) {
    while (pod.at <= task_.space.to && !proof_.broken && !proof_.doubt) {
      ++proof_.regions;
      const std::optional<Instant> until = fits_until(pod, corner_of(decider_.all_requests(), From::largest));
      if (!until) return fails(pod);
      pod.at = *until;
    }
  }

  // Returns the moment until which a node is known to take the pod; none: no node does.
  auto fits_until(Preemptor pod, const Amounts& amounts) -> std::optional<Instant> {
    unknown_ = false;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      const std::size_t place = (last_ + i) % nodes_.size();
      pod.node = nodes_[place];
      Moment now(pod.at);
      (void)decider_.potential_victims(pod, now);
      kube::RequestBounds requests(decider_.all_requests(), amounts);
      const Verdict& verdict = decider_.decide(pod, requests);
      if (verdict.outcome == Outcome::unknown) add_gaps(verdict.gaps, proof_.gaps);
      unknown_ = unknown_ || verdict.outcome == Outcome::unknown;
      if (verdict.outcome == Outcome::unknown || fitting_.is_broken_by(verdict)) continue;
      add_gaps(verdict.gaps, proof_.gaps);
      last_ = place;
      return now.horizon();
    }
    return {};
  }

  void fails(const Preemptor& pod) {
    Region region{pod, {pod.priority, pod.priority}, pod.at, decider_.all_requests()};
    if (unknown_) {
      region.preemptor.node = nodes_.front();
      proof_.doubt.emplace(Doubt::gap, region);
      return;
    }
    const Amounts smallest = smallest_that_fails(pod);
    for (std::size_t i = 0; i < smallest.size(); ++i) region.requests[i].least = region.requests[i].most = smallest[i];
    proof_.broken = Counterexample{region, {}};
  }

  // A pod that requests more than one that fits nowhere fits nowhere, too.
  auto smallest_that_fails(const Preemptor& pod) -> Amounts {
    Amounts amounts = corner_of(decider_.all_requests(), From::largest);
    for (std::size_t i = amounts.size(); i-- > 0;) {
      const std::int64_t most = amounts[i];
      std::int64_t least = decider_.all_requests()[i].least;
      while (least < amounts[i]) {
        const std::int64_t middle = least + (amounts[i] - least) / 2;
        Amounts smaller = amounts;
        smaller[i] = middle;
        if (!fits_until(pod, smaller) && !unknown_) {
          amounts = smaller;
        } else {
          least = middle + 1;
        }
      }
      amounts[i] = round_amount(task_.space.requests[i].resource, amounts[i], most);
    }
    return amounts;
  }

  const Task& task_;
  Decider& decider_;
  const std::vector<NodeId>& nodes_;
  const OutcomeIn fitting_{{Outcome::fits, Outcome::preempts}};
  std::size_t last_ = 0;  // the node that took the last pod
  bool unknown_ = false;  // some node may take it
  Proof proof_;
};

}  // namespace

auto prove_always_fits(const Task& task) -> Result<Proof> {
  PREVICT_TRY(const std::unique_ptr<Decider> decider, Decider::of(task.objects, task.question, task.space));
  return FitProver(task, *decider).run();
}

}  // namespace previct::prove
