#include "engine/yunikorn/known.h"

#include <fmt/format.h>

namespace previct::yunikorn {

auto known(const Snapshot& cluster, const Question& question) -> Result<const Known*> {
  Known& kept = cluster.derived<Known>();
  std::string brought;
  for (const auto* file : {&question.yunikorn_config, &question.assumptions}) {
    brought += *file ? fmt::format("{}:{}", (*file)->bytes.size(), (*file)->bytes) : "-";
  }
  for (const PodId pod : question.marked) brought += fmt::format("+{}", pod.index);
  if (!kept.setup || kept.brought != brought) {
    kept.core.reset();
    kept.setup.reset();
    PREVICT_TRY(Setup setup, read_setup(cluster, question));
    kept.setup = std::make_shared<const Setup>(std::move(setup));
    Assumptions assumptions = kept.setup->assumptions;
    for (const PodId pod : question.marked) {
      const ObjectMeta& meta = cluster.pod(pod).meta;
      assumptions.preempted.push_back({std::string(cluster.text(meta.ns)), std::string(cluster.text(meta.name))});
    }
    kept.core = std::make_shared<const PartitionContext>(cluster, kept.setup->config, assumptions, kept.setup->core);
    kept.brought = std::move(brought);
  }
  return &kept;
}

}  // namespace previct::yunikorn
