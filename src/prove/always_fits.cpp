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
    for (std::size_t kind = 0; kind < decider_.kinds().size() && !task_.space.forms.empty(); ++kind) {
      OfForm& form = proof_.forms.emplace_back();
      form.fault = decider_.kinds()[kind].fault;
      if (form.fault) continue;
      for (const NodeId node : nodes_) form.nodes += decider_.may_run_on(kind, node) ? 1U : 0U;
      form.fault = error_of(kind);
    }
    const std::set<std::int64_t> all = priorities();
    if (proof_.forms.empty()) {
      for (const std::int64_t priority : all) {
        for (std::size_t kind = 0; kind < decider_.kinds().size(); ++kind)
          over_time({kind, priority, {}, task_.space.from});
      }
    }
    for (std::size_t kind = 0; kind < proof_.forms.size(); ++kind) {
      const std::size_t before = proof_.regions;
      if (proof_.forms[kind].fault) doubt(Doubt::form, {{kind, 0, {}, task_.space.from}, {}, task_.space.from, {}});
      for (const std::int64_t priority : all) {
        if (!proof_.forms[kind].fault) over_time({kind, priority, {}, task_.space.from});
      }
      proof_.forms[kind].regions = proof_.regions - before;
    }
    if (task_.space.forms_left_out > 0 && !proof_.doubt)
      proof_.doubt.emplace(Doubt::other_forms, Region{{0, 0, nodes_.front(), task_.space.from}, {}, {}, {}});
    if (proof_.broken) {
      proof_.doubt.reset();
      proof_.forms.clear();
      PREVICT_CHECK(confirm(task_, decider_, fitting_, *proof_.broken));
    }
    return std::move(proof_);
  }

 private:
  // An error of a filter on one node ends the attempt, whatever the other nodes offer. The least requests get past the
  // most filters.
  auto error_of(std::size_t kind) -> std::optional<std::string> {
    for (const NodeId node : nodes_) {
      const Preemptor pod{kind, decider_.intervals_on(node).front().least, node, task_.space.from};
      kube::RequestBounds requests(decider_.all_requests(), corner_of(decider_.all_requests(), From::smallest));
      if (decider_.decide(pod, requests).outcome != Outcome::error) continue;
      return fmt::format("the attempt of the scheduler for pods like {} ends with an error on node {}",
                         task_.space.forms[kind].name, decider_.cluster().name(node));
    }
    return {};
  }

  // The lowest priority of each interval in which some node treats all preemptors alike.
  [[nodiscard]] auto priorities() const -> std::set<std::int64_t> {
    std::set<std::int64_t> lowest;
    for (const NodeId node : nodes_) {
      for (const Priorities& each : decider_.intervals_on(node)) lowest.insert(each.least);
    }
    return lowest;
  }

  void over_time(Preemptor pod) {
    const bool with_forms = !proof_.forms.empty();
    while (pod.at <= task_.space.to && !proof_.broken) {
      if (with_forms ? proof_.forms[pod.kind].doubt.has_value() : proof_.doubt.has_value()) return;
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
      for (const Gap& each : verdict.gaps) {
        if (each.decides) gap_ = each;
      }
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
      return doubt(Doubt::gap, region);
    }
    const Amounts smallest = smallest_that_fails(pod);
    for (std::size_t i = 0; i < smallest.size(); ++i) region.requests[i].least = region.requests[i].most = smallest[i];
    proof_.broken = Counterexample{region, {}};
  }

  void doubt(Doubt why, const Region& region) {
    if (!proof_.doubt) proof_.doubt.emplace(why, region);
    if (proof_.forms.empty()) return;
    OfForm& form = proof_.forms[region.preemptor.kind];
    form.doubt = why;
    if (why == Doubt::gap) form.gap = gap_;
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
  std::size_t last_ = 0;    // the node that took the last pod
  bool unknown_ = false;    // some node may take it …
  std::optional<Gap> gap_;  // … unless this is otherwise
  Proof proof_;
};

}  // namespace

auto prove_always_fits(const Task& task) -> Result<Proof> {
  PREVICT_TRY(const std::unique_ptr<Decider> decider,
              Decider::of(task.objects, task.cluster, task.question, task.space));
  return FitProver(task, *decider).run();
}

}  // namespace previct::prove
