#include "engine/kueue/known.h"

#include "api/locate.h"
#include "engine/nesting.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <unordered_map>

namespace previct::kueue {
namespace {

// Cohorts that lead into a cycle are not part of the tree, so no walk loops.
auto check_depth(const Snapshot& cluster) -> Result<void> {
  std::unordered_map<std::uint32_t, const Cohort*> by_name;
  for (const Cohort& each : cluster.objects().cohorts) by_name.emplace(each.meta.name.index, &each);
  std::unordered_map<std::uint32_t, std::size_t> depths;
  for (const Cohort& each : cluster.objects().cohorts) {
    std::vector<const Cohort*> way;
    const Cohort* at = &each;
    while (at != nullptr && !depths.contains(at->meta.name.index)) {
      depths.emplace(at->meta.name.index, 0);  // in progress
      way.push_back(at);
      const auto parent = by_name.find(at->spec.parent.index);
      at = at->spec.parent && parent != by_name.end() ? parent->second : nullptr;
    }
    std::size_t depth = at == nullptr ? 0 : depths.at(at->meta.name.index);
    for (auto cohort = way.rbegin(); cohort != way.rend(); ++cohort) {
      depths[(*cohort)->meta.name.index] = ++depth;
      if (depth <= kDeepest) continue;
      return fail(
          fmt::format("cohort {} is nested deeper than {} levels", cluster.text((*cohort)->meta.name), kDeepest),
          (*cohort)->meta.source, "leave it out of the input");
    }
  }
  return {};
}

auto check_levels(const Snapshot& cluster) -> Result<void> {
  for (const Topology& each : cluster.objects().kueue_topologies) {
    if (each.spec.levels.size() <= kMostLevels) continue;
    return fail(fmt::format("Topology {} has {} levels; the API server allows {}", cluster.text(each.meta.name),
                            each.spec.levels.size(), kMostLevels),
                each.meta.source, "leave it out of the input");
  }
  return {};
}

// Values that the API server refuses: no cluster has such an object. Those of v1beta1 have become those of v1beta2.
// Source: apis/kueue/v1beta2/clusterqueue_types.go, localqueue_types.go.
class WordCheck {
 public:
  WordCheck(const Snapshot& cluster, std::string object, Source at)
      : cluster_(cluster), object_(std::move(object)), at_(at) {}

  auto check(std::string_view path, Symbol given, std::initializer_list<std::string_view> allowed) const
      -> Result<void> {
    const std::string_view word = cluster_.text(given);
    if (word.empty() || std::find(allowed.begin(), allowed.end(), word) != allowed.end()) return {};
    return fail(fmt::format("{}: {}: \"{}\" is not one of {}", object_, path, word, fmt::join(allowed, ", ")),
                locate(cluster_.objects().sources, at_, path), "the API server refuses the object");
  }

 private:
  const Snapshot& cluster_;
  std::string object_;
  Source at_;
};

auto check_words(const Snapshot& cluster) -> Result<void> {
  for (const ClusterQueue& each : cluster.objects().cluster_queues) {
    const WordCheck words(cluster, fmt::format("ClusterQueue {}", cluster.text(each.meta.name)), each.meta.source);
    const ClusterQueueSpec& spec = each.spec;
    const PreemptionPolicies& preemption = spec.preemption;
    PREVICT_CHECK(words.check("spec.preemption.withinClusterQueue", preemption.within_cluster_queue,
                              {"Never", "LowerPriority", "LowerOrNewerEqualPriority"}));
    PREVICT_CHECK(words.check("spec.preemption.reclaimWithinCohort", preemption.reclaim_within_cohort,
                              {"Never", "LowerPriority", "Any"}));
    PREVICT_CHECK(words.check("spec.preemption.borrowWithinCohort.policy", preemption.borrow_within_cohort.policy,
                              {"Never", "LowerPriority"}));
    PREVICT_CHECK(words.check("spec.queueingStrategy", spec.queueing_strategy, {"StrictFIFO", "BestEffortFIFO"}));
    PREVICT_CHECK(words.check("spec.stopPolicy", spec.stop_policy, {"None", "Hold", "HoldAndDrain"}));
    PREVICT_CHECK(words.check("spec.flavorFungibility.whenCanBorrow", spec.fungibility.when_can_borrow,
                              {"MayStopSearch", "TryNextFlavor"}));
    PREVICT_CHECK(words.check("spec.flavorFungibility.whenCanPreempt", spec.fungibility.when_can_preempt,
                              {"MayStopSearch", "TryNextFlavor"}));
    PREVICT_CHECK(words.check("spec.flavorFungibility.preference", spec.fungibility.preference,
                              {"BorrowingOverPreemption", "PreemptionOverBorrowing"}));
  }
  for (const LocalQueue& each : cluster.objects().local_queues) {
    const WordCheck words(cluster,
                          fmt::format("LocalQueue {}/{}", cluster.text(each.meta.ns), cluster.text(each.meta.name)),
                          each.meta.source);
    PREVICT_CHECK(words.check("spec.stopPolicy", each.spec.stop_policy, {"None", "Hold", "HoldAndDrain"}));
  }
  return {};
}

}  // namespace

auto known(const Snapshot& cluster, const Question& question) -> Result<std::shared_ptr<const Inventory>> {
  Known& kept = cluster.derived<Known>();
  std::string brought = question.kueue_version;
  if (question.kueue_config)
    brought += fmt::format(":{}:{}", question.kueue_config->bytes.size(), question.kueue_config->bytes);
  if (!kept.inventory || kept.brought != brought) {
    kept.inventory.reset();
    PREVICT_CHECK(check_depth(cluster));
    PREVICT_CHECK(check_levels(cluster));
    PREVICT_CHECK(check_words(cluster));
    PREVICT_TRY(Settings settings, settings_of(cluster, question.kueue_config, question.kueue_version));
    kept.inventory = std::make_shared<const Inventory>(cluster, std::move(settings));
    kept.brought = std::move(brought);
    kept.futures = {};
  }
  return kept.inventory;
}

auto future(const Snapshot& cluster, const Question& question, TieOrder ties) -> Future& {
  Known& kept = cluster.derived<Known>();
  if (kept.moment != question.now) kept.futures = {};
  kept.moment = question.now;
  return kept.futures.try_emplace(ties, *kept.inventory, question.now, ties).first->second;
}

}  // namespace previct::kueue
