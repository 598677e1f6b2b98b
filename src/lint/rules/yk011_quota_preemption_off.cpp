#include "base/instant.h"
#include "lint/rule.h"
#include "lint/yunikorn.h"

namespace previct::lint {

const Rule& yk011_quota_preemption_off_rule = Rule{
    .id = "YK011",
    .name = "quota-preemption-off",
    .severity = Severity::warning,
    .title = "quota.preemption.delay without quota preemption",
    .why = "The delay counts only if the partition has preemption.quotapreemptionenabled: true.",
    .how_to_fix = "Enable it (1.8 and later), or remove the delay.",
    .source =
        "apache/yunikorn-core pkg/common/configs/config.go (quotapreemptionenabled), apache/yunikorn-core "
        "pkg/scheduler/objects/queue.go",
    .check = [](const Repository& repository, FindingSink& found) {
      for (const YunikornQueue& queue : yunikorn_queues(repository)) {
        const Value delay = queue.property("quota.preemption.delay");
        if (!delay || queue.partition["preemption"]["quotapreemptionenabled"].is("true")) continue;
        if (parse_go_duration(delay.text()).value_or(0) <= 0) continue;
        found.field(delay,
                    fmt::format("queue {}: quota.preemption.delay has no effect, because quota preemption is disabled",
                                queue.path));
      }
    }};

}  // namespace previct::lint
