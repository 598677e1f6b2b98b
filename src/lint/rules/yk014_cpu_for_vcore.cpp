#include "lint/rule.h"
#include "lint/yunikorn.h"

namespace previct::lint {

const Rule& yk014_cpu_for_vcore_rule = Rule{
    .id = "YK014",
    .name = "cpu-for-vcore",
    .severity = Severity::warning,
    .title = "cpu in the resources of a queue",
    .why = "YuniKorn counts cores as vcore. A quota of cpu limits a resource that no pod requests.",
    .how_to_fix = "Write vcore.",
    .source =
        "apache/yunikorn-core pkg/common/resources/quantity.go; k8shim pkg/common/resource.go (cpu becomes "
        "vcore)",
    .check = [](const Repository& repository, FindingSink& found) {
      for (const YunikornQueue& queue : yunikorn_queues(repository)) {
        for (const char* set : {"guaranteed", "max"}) {
          const Value cpu = queue.queue["resources"][set]["cpu"];
          if (cpu)
            found
                .key(cpu,
                     fmt::format("queue {}: no pod requests cpu in YuniKorn; CPU cores are called vcore", queue.path))
                .fix_key("vcore");
        }
      }
    }};

}  // namespace previct::lint
