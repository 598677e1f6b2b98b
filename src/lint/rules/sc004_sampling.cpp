#include "base/go.h"
#include "engine/kube/plugin_names.h"
#include "lint/rule.h"
#include "lint/schedulers.h"

namespace previct::lint {

const Rule& sc004_sampling_rule = Rule{
    .id = "SC004",
    .name = "sampling",
    .severity = Severity::info,
    .title = "preemption evaluates only some of the candidate nodes",
    .why =
        "With more nodes than the sample, the search begins at a random node and ends when it has enough candidates: "
        "the choice of victims is partly random.",
    .how_to_fix = "To always get the best choice, raise minCandidateNodesPercentage to 100; this takes more time.",
    .source = "kubernetes pkg/scheduler/framework/plugins/defaultpreemption (GetOffsetAndNumCandidates)",
    .check = [](const Repository& repository, FindingSink& found) {
      const auto nodes = static_cast<std::int64_t>(repository.of(kind::kNode).size());
      for (const SchedulerProfile& profile : scheduler_profiles(repository)) {
        for (const Value& entry : profile.profile["pluginConfig"]) {
          if (!entry["name"].is(kube::kDefaultPreemption) && !entry["name"].is(kube::kPreemptionToleration)) continue;
          const Value percentage = entry["args"]["minCandidateNodesPercentage"];
          const std::int64_t percent = go::parse_int(percentage.text(), 64).value_or(10);
          const std::int64_t least = go::parse_int(entry["args"]["minCandidateNodesAbsolute"].text(), 64).value_or(100);
          const std::int64_t sample = std::max(nodes * percent / 100, least);
          if (sample >= nodes) continue;
          found.value(percentage ? percentage : entry["name"],
                      fmt::format("preemption evaluates {} of {} nodes, so the choice of victims is partly random",
                                  sample, nodes));
        }
      }
    }};

}  // namespace previct::lint
