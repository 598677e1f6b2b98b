#include "prove/proof.h"

#include "prove/counterexample.h"
#include "prove/shrink.h"

#include <algorithm>

namespace previct::prove {
namespace {

// Looks for a preemptor that breaks an invariant.
class Prover {
 public:
  Prover(const Task& task, Decider& decider, const Invariant& invariant)
      : task_(task), decider_(decider), invariant_(invariant) {
    proof_.schedulers = decider.schedulers();
    proof_.engine = task.engine.name();
    proof_.behaves = decider.behaves();
    proof_.other_releases = decider.other_releases();
    proof_.violation = invariant.violation();
  }

  auto run() -> Result<Proof> {
    for (const NodeId node : task_.space.nodes) {
      const std::size_t pods = invariant_.pods_on(node);
      proof_.pods += pods;
      proof_.nodes += pods == 0 ? 0U : 1U;
      if (pods > 0 && !proof_.broken && !out_of_regions()) on_node(node);
    }
    if (proof_.pods == 0) return fail("no running pod is concerned, so there is nothing to prove");
    proof_.pods_elsewhere = invariant_.pods_elsewhere(task_.space.nodes);
    if (proof_.broken) {
      proof_.doubt.reset();
      shrink(decider_, invariant_, task_.space, *proof_.broken);
      PREVICT_CHECK(confirm(task_, decider_, invariant_, *proof_.broken));
    }
    return std::move(proof_);
  }

 private:
  [[nodiscard]] auto out_of_regions() const -> bool { return proof_.regions >= task_.most_regions; }

  void on_node(NodeId node) {
    for_each_cell(decider_, task_.space, node, [&](const Region& cell, const std::vector<PodId>& potential) {
      over_requests(cell, potential);
      return !proof_.broken && !out_of_regions();
    });
  }

  void over_requests(const Region& all, const std::vector<PodId>& potential) {
    if (unknown_priority_on(all.preemptor.node)) doubt(Doubt::unknown_priority, all);
    const bool holds = invariant_.holds_among(potential);
    proof_.any_form = proof_.any_form && holds;
    std::size_t visited = 0;
    const auto decide = [&](kube::RequestBounds& requests) -> const Verdict& {
      return decider_.decide(all.preemptor, requests);
    };
    const auto visit = [&](const Box& requests, const Verdict& verdict) {
      Region region = all;
      region.requests = requests;
      add_gaps(verdict.gaps, proof_.gaps);
      if (!holds || visited == 0) ++proof_.regions;
      if (out_of_regions()) doubt(Doubt::too_many_regions, region);
      if (holds) return !shows_gaps(region, verdict) && ++visited < kForGaps;
      judge(region, verdict);
      return !proof_.broken && !out_of_regions();
    };
    for_each_region(decider_.all_requests(), From::largest, decide, visit);
  }

  // Where the invariant holds for all requests, a verdict with victims is enough to see what is not known.
  auto shows_gaps(const Region& region, const Verdict& verdict) -> bool {
    if (verdict.outcome == Outcome::unknown) doubt(Doubt::gap, region);
    return verdict.outcome == Outcome::unknown || verdict.outcome == Outcome::preempts;
  }

  void judge(const Region& region, const Verdict& verdict) {
    if (verdict.outcome == Outcome::unknown) return doubt(Doubt::gap, region);
    if (verdict.orders && verdict.orders->nodes.empty()) return doubt(Doubt::order_of_pods, region);
    if (invariant_.is_broken_by(verdict)) proof_.broken = Counterexample{region, verdict};
  }

  void doubt(Doubt why, const Region& region) {
    if (!proof_.doubt) proof_.doubt.emplace(why, region);
  }

  // The class of such a pod is not in the input, so its priority is not known.
  [[nodiscard]] auto unknown_priority_on(NodeId node) const -> bool {
    const auto pods = decider_.cluster().pods_on(node);
    return std::any_of(pods.begin(), pods.end(), [&](PodId id) {
      const PodSpec& spec = decider_.cluster().pod(id).spec;
      return !spec.has_priority && spec.priority_class_name;
    });
  }

  static constexpr std::size_t kForGaps = 6;

  const Task& task_;
  Decider& decider_;
  const Invariant& invariant_;
  Proof proof_;
};

}  // namespace

auto prove(const Task& task) -> Result<Proof> {
  PREVICT_TRY(const std::unique_ptr<Decider> decider, Decider::of(task.objects, task.question, task.space));
  PREVICT_TRY(const std::unique_ptr<Invariant> invariant, task.make(decider->cluster()));
  return Prover(task, *decider, *invariant).run();
}

}  // namespace previct::prove
