#include "base/text.h"
#include "lint/rule.h"

namespace previct::lint {

const Rule& ka018_preemptibility_unknown_rule = Rule{
    .id = "KA018",
    .name = "preemptibility-unknown",
    .severity = Severity::warning,
    .title = "an unknown preemptibility",
    .why = "It is ignored, and the priority decides: below 100 the workload is preemptible.",
    .how_to_fix = "Write preemptible or non-preemptible; 0.18 and later also know semi-preemptible.",
    .source =
        "kai-scheduler/KAI-Scheduler pkg/podgrouper (kai.scheduler/preemptibility); KA027 checks "
        "spec.preemptibility of a PodGroup",
    .check = [](const Repository& repository, FindingSink& found) {
      const auto check = [&](const Value& value) {
        if (!value || value.is("preemptible") || value.is("non-preemptible") || value.is("semi-preemptible")) return;
        auto note = found.value(
            value, fmt::format("preemptibility \"{}\" is unknown and ignored: the priority decides", value.text()));
        if (const auto meant = nearest(value.text(), {"preemptible", "non-preemptible"})) note.fix_value(*meant);
      };
      for (const Manifest& manifest : repository.manifests()) {
        check(manifest.in("metadata.labels")["kai.scheduler/preemptibility"]);
      }
      for (const PodShape& pod : repository.pods()) {
        if (!pod.is_pod) check(pod.labels()["kai.scheduler/preemptibility"]);
      }
    }};

}  // namespace previct::lint
