#include "prove/smallest_set.h"

#include "engine/kube/account.h"
#include "tell/gap_words.h"
#include "tell/tell.h"

#include <fmt/format.h>

#include <algorithm>

namespace previct::prove {
namespace {

auto same_pods(std::vector<PodId> a, std::vector<PodId> b) -> bool {
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  return a == b;
}

// The first pod of the set that the scheduler keeps on its node.
auto first_kept(const kube::DryRun& run, const std::vector<PodId>& set) -> PodId {
  const auto kept = std::find_if(run.fates.begin(), run.fates.end(), [&](const kube::Fate& fate) {
    return fate.reason.rule == kube::Rule::reprieved && std::find(set.begin(), set.end(), fate.pod) != set.end();
  });
  return kept == run.fates.end() ? PodId{} : kept->pod;
}

auto explained(const std::optional<kube::SmallestSets::Found>& found, const kube::Decision& decision)
    -> std::optional<BetterSet> {
  if (!found) return {};
  BetterSet better{.found = *found, .lost_by = {}, .instead = {}, .kept = {}};
  const kube::DryRun& here = *decision.nodes[found->node].run;
  const kube::DryRun& chosen = *decision.nodes[decision.choice.chosen.front()].run;
  if (same_pods(here.victims, found->pods)) {
    better.lost_by = kube::deciding_rule(chosen, here);
  } else {
    better.instead = here.victims;
    better.kept = first_kept(here, found->pods);
  }
  return better;
}

// Why no set can be compared; empty: one can.
auto why_not(const Answer& answer, const kube::Decision* decision, const Pod& pod) -> std::string {
  if (answer.outcome == Outcome::unknown) {
    const Gap* const gap = deciding_gap(answer.gaps);
    return gap == nullptr ? "it is not known which pods are evicted" : because_words(*gap);
  }
  if (answer.outcome != Outcome::preempts || decision == nullptr || decision->choice.chosen.empty())
    return "it evicts no pod now";
  if (decision->as_group()) return "its pods are scheduled together as a group";
  if (!pod.spec.affinity.pod.required.empty())
    return "it has required pod affinity, so that evicting a pod may also make it unschedulable";
  const bool varies = decision->orders &&
                      (decision->orders->empty() || std::any_of(decision->orders->begin(), decision->orders->end(),
                                                                [](const auto& each) { return each.runs.size() > 1; }));
  return varies ? "the order of pods of equal priority, which decides, is not known" : "";
}

}  // namespace

auto smallest_set_of(const Engine& engine, const Snapshot& cluster, Question question, PodId pod)
    -> Result<SmallestSet> {
  question.kind = "pod";
  question.ns = cluster.text(cluster.pod(pod).meta.ns);
  question.name = cluster.text(cluster.pod(pod).meta.name);
  question.next_change = false;
  PREVICT_TRY(const Answer answer, explain(engine, cluster, question));
  const auto* trace = static_cast<const kube::EngineTrace*>(answer.account.get());
  const kube::Decision* decision = trace == nullptr ? nullptr : &trace->decision;
  if (const std::string why = why_not(answer, decision, cluster.pod(pod)); !why.empty())
    return fail(fmt::format("no set of victims of {} can be compared, because {}", cluster.key(pod), why));
  const kube::SmallestSets sets =
      kube::smallest_sets(trace->node_infos, trace->budgets, pod, *trace->profile, question.now, *decision);
  const NodeId node = decision->choice.chosen.front();
  return SmallestSet{.pod = pod,
                     .node = node,
                     .victims = decision->nodes[node].run->victims,
                     .price = sets.scheduler,
                     .fewer = explained(sets.fewest, *decision),
                     .cheaper = explained(sets.cheapest, *decision),
                     .nodes = sets.nodes,
                     .open = sets.open,
                     .sampled = decision->choice.sampled,
                     .engine = std::string(engine.name()),
                     .behaves = kube::behaves(trace->running, trace->profile.get()),
                     .gaps = answer.gaps};
}

}  // namespace previct::prove
