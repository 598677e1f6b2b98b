#include "prove/proof.h"

#include "prove/counterexample.h"
#include "prove/shrink.h"

#include <fmt/format.h>

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
      if (pods > 0) nodes_.push_back(node);
    }
    if (proof_.pods == 0) return fail("no running pod is concerned, so there is nothing to prove");
    proof_.pods_elsewhere = invariant_.pods_elsewhere(task_.space.nodes);
    if (task_.space.forms.empty()) {
      over_nodes([&](NodeId node, const auto& visit) { for_each_cell(decider_, task_.space, node, visit); });
    } else {
      PREVICT_CHECK(over_forms());
    }
    if (!proof_.broken) return std::move(proof_);
    proof_.doubt.reset();
    proof_.forms.clear();
    if (kind_of(proof_.broken->region).pin_matters) return std::move(proof_);  // confirmed, as it is
    shrink(decider_, invariant_, task_.space, *proof_.broken);
    PREVICT_CHECK(confirm(task_, decider_, invariant_, *proof_.broken));
    return std::move(proof_);
  }

 private:
  [[nodiscard]] auto out_of_regions() const -> bool { return proof_.regions >= task_.most_regions; }
  [[nodiscard]] auto is_over() const -> bool { return proof_.broken || out_of_regions(); }
  [[nodiscard]] auto kind_of(const Region& region) const -> const Kind& {
    return decider_.kinds()[region.preemptor.kind];
  }

  template <class Cells>
  void over_nodes(const Cells& cells) {
    for (const NodeId node : nodes_) {
      if (is_over()) return;
      cells(node, [&](const Region& cell, const std::vector<PodId>& potential) {
        over_requests(cell, potential);
        return !is_over();
      });
    }
  }

  auto over_forms() -> Result<void> {
    std::size_t may_run = 0;
    for (std::size_t kind = 0; kind < decider_.kinds().size(); ++kind) {
      proof_.forms.emplace_back().fault = decider_.kinds()[kind].fault;
      const std::size_t before = proof_.regions;
      if (proof_.forms.back().fault) {
        doubt(Doubt::form, {{kind, 0, {}, task_.space.from}, {}, task_.space.from, {}});
        ++may_run;
      } else if (!is_over()) {
        for (const NodeId node : task_.space.nodes)
          proof_.forms.back().nodes += decider_.may_run_on(kind, node) ? 1U : 0U;
        may_run += proof_.forms.back().nodes;
        over_nodes([&](NodeId node, const auto& visit) { for_each_cell_of(decider_, task_.space, node, kind, visit); });
      }
      proof_.forms.back().regions = proof_.regions - before;
      if (out_of_regions()) doubt(Doubt::too_many_regions, {{kind, 0, nodes_.front(), task_.space.from}, {}, {}, {}});
    }
    if (task_.space.forms_left_out > 0 && !proof_.broken && !proof_.doubt) {
      const std::size_t last = decider_.kinds().size() - 1;
      proof_.doubt.emplace(Doubt::other_forms, Region{{last, 0, nodes_.front(), task_.space.from}, {}, {}, {}});
    }
    if (may_run > 0) return {};
    return fail(fmt::format("no pod like {} may run on a node, so there is nothing to prove",
                            task_.space.forms.size() == 1 ? task_.space.forms.front().name : "these"));
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
      return !is_over();
    };
    for_each_region(decider_.all_requests(), From::largest, decide, visit);
  }

  // Where the invariant holds for all requests, a verdict with victims is enough to see what is not known.
  auto shows_gaps(const Region& region, const Verdict& verdict) -> bool {
    if (verdict.outcome == Outcome::unknown) doubt(Doubt::gap, region, verdict);
    return verdict.outcome == Outcome::unknown || verdict.outcome == Outcome::preempts;
  }

  void judge(const Region& region, const Verdict& verdict) {
    if (verdict.outcome == Outcome::unknown) return doubt(Doubt::gap, region, verdict);
    if (verdict.orders && verdict.orders->nodes.empty()) return doubt(Doubt::order_of_pods, region);
    if (!invariant_.is_broken_by(verdict)) return;
    Counterexample example{region, verdict};
    if (kind_of(region).pin_matters && !breaks_on_all_nodes(example)) return doubt(Doubt::choice_of_node, region);
    proof_.broken = std::move(example);
  }

  // Of pods that cannot be pinned to a node, only those that may run on all of their nodes are counterexamples. Asks
  // the engine about the largest and the smallest of the region.
  auto breaks_on_all_nodes(Counterexample& example) -> bool {
    const Region found = example.region;
    for (const From from : {From::largest, From::smallest}) {
      if (asked_ >= kMostAsked || compared_++ >= kMostCompared) return false;
      const std::vector<std::int64_t> amounts = corner_of(found.requests, from);
      if (fits_without_eviction(found.preemptor, amounts)) continue;
      for (std::size_t i = 0; i < amounts.size(); ++i)
        example.region.requests[i].least = example.region.requests[i].most = amounts[i];
      ++asked_;
      if (confirm_unpinned(task_, decider_, invariant_, example)) return true;
    }
    return false;
  }

  auto fits_without_eviction(Preemptor preemptor, const std::vector<std::int64_t>& amounts) -> bool {
    return std::any_of(task_.space.nodes.begin(), task_.space.nodes.end(), [&](NodeId node) {
      preemptor.node = node;
      kube::RequestBounds requests(decider_.all_requests(), amounts);
      return decider_.decide(preemptor, requests).outcome == Outcome::fits;
    });
  }

  void doubt(Doubt why, const Region& region) {
    if (!proof_.doubt) proof_.doubt.emplace(why, region);
    if (proof_.forms.empty()) return;
    if (std::optional<Doubt>& of_form = proof_.forms.back().doubt; !of_form) of_form = why;
  }
  void doubt(Doubt why, const Region& region, const Verdict& verdict) {
    const bool first = !proof_.forms.empty() && !proof_.forms.back().doubt;
    doubt(why, region);
    const Gap* const gap = deciding_gap(verdict.gaps);
    if (first && gap != nullptr) proof_.forms.back().gap = *gap;
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
  static constexpr std::size_t kMostAsked = 50;
  static constexpr std::size_t kMostCompared = 1'000;

  const Task& task_;
  Decider& decider_;
  const Invariant& invariant_;
  std::vector<NodeId> nodes_;  // with pods that the invariant is about
  std::size_t asked_ = 0;      // full answers about pods that may run on every node that their form allows
  std::size_t compared_ = 0;   // decisions about such pods on all nodes
  Proof proof_;
};

}  // namespace

auto prove(const Task& task) -> Result<Proof> {
  PREVICT_TRY(const std::unique_ptr<Decider> decider,
              Decider::of(task.objects, task.cluster, task.question, task.space));
  PREVICT_TRY(const std::unique_ptr<Invariant> invariant, task.make(decider->cluster()));
  return Prover(task, *decider, *invariant).run();
}

}  // namespace previct::prove
