#include "lint/rule.h"

namespace previct::lint {

const Rule& sc005_version_rule =
    Rule{.id = "SC005",
         .name = "version",
         .severity = Severity::error,
         .title = "a scheduler configuration of a version that is not read any more",
         .why =
             "kube-scheduler reads kubescheduler.config.k8s.io/v1 since 1.25, and nothing else since v1beta3 went in "
             "1.29. About half of the public configurations cannot be loaded for this alone.",
         .mend = "Write kubescheduler.config.k8s.io/v1, and compare the field names.",
         .source = "kubernetes pkg/scheduler/apis/config/scheme; release notes of 1.29",
         .bad = R"(apiVersion: kubescheduler.config.k8s.io/v1beta2
kind: KubeSchedulerConfiguration
profiles:
- schedulerName: default-scheduler
)",
         .good = R"(apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
profiles:
- schedulerName: default-scheduler
)",
         .check = [](const Repository& repository, Found& found) {
           for (const Manifest* manifest : repository.of(kind::kScheduler)) {
             const Value version = (*manifest)["apiVersion"];
             if (version && manifest->version != "v1") {
               found.value(version, fmt::format("{} is not read by kube-scheduler 1.29 and later", version.text()));
             }
           }
         }};

}  // namespace previct::lint
