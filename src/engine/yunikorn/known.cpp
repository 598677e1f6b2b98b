#include "engine/yunikorn/known.h"

#include "engine/nesting.h"
#include "engine/yunikorn/pod_facts.h"

#include <fmt/format.h>

#include <algorithm>

namespace previct::yunikorn {
namespace {

// Placement rules create queues as deep as a pod or a namespace specifies.
auto depth_of(std::string_view path) -> std::size_t {
  return static_cast<std::size_t>(std::count(path.begin(), path.end(), '.')) + 1;
}

auto too_deep(const std::string& who, std::size_t depth, const ObjectMeta& meta) {
  return fail(
      fmt::format("{} names a YuniKorn queue {} levels deep; previct supports at most {} levels", who, depth, kDeepest),
      meta.source, "leave it out of the input");
}

auto check_depths(const Snapshot& cluster, const Release& release) -> Result<void> {
  const Keys keys(cluster, release);
  for (const PodId id : cluster.pods().ids()) {
    const Pod& pod = cluster.pod(id);
    if (!is_ours(keys, pod)) continue;
    const std::size_t depth = depth_of(requested_queue(cluster, keys, pod));
    if (depth > kDeepest) return too_deep("pod " + cluster.key(id), depth, pod.meta);
  }
  for (const Namespace& each : cluster.objects().namespaces) {
    const std::size_t depth = depth_of(cluster.text(each.meta.annotations.get(keys.parent_queue)));
    if (depth > kDeepest) return too_deep(fmt::format("namespace {}", cluster.text(each.meta.name)), depth, each.meta);
  }
  return {};
}

}  // namespace

auto known(const Snapshot& cluster, const Question& question) -> Result<const Known*> {
  Known& kept = cluster.derived<Known>();
  std::string brought = question.yunikorn_version + '\0' + question.yunikorn_mode + '\0';
  for (const auto* file : {&question.yunikorn_config, &question.assumptions}) {
    brought += *file ? fmt::format("{}:{}", (*file)->bytes.size(), (*file)->bytes) : "-";
  }
  for (const PodId pod : question.marked) brought += fmt::format("+{}", pod.index);
  for (const Reservation& each : question.reservations)
    brought += fmt::format("@{}:{}", each.node.index, each.pod.index);
  if (!kept.setup || kept.brought != brought) {
    kept.core.reset();
    kept.setup.reset();
    PREVICT_TRY(Setup setup, read_setup(cluster, question));
    PREVICT_CHECK(check_depths(cluster, setup.running.release));
    setup.core.reservations = question.reservations;
    kept.setup = std::make_shared<const Setup>(std::move(setup));
    Assumptions assumptions = kept.setup->assumptions;
    for (const PodId pod : question.marked) {
      const ObjectMeta& meta = cluster.pod(pod).meta;
      assumptions.preempted.push_back({std::string(cluster.text(meta.ns)), std::string(cluster.text(meta.name))});
    }
    kept.core = std::make_shared<const PartitionContext>(cluster, kept.setup->config, assumptions, kept.setup->core);
    kept.quota = std::make_shared<const std::vector<QuotaPreemption>>(quota_preemptions(*kept.core));
    kept.brought = std::move(brought);
  }
  return &kept;
}

}  // namespace previct::yunikorn
