#include "api/decode.h"
#include "api/scheduler_config.h"
#include "base/symbols.h"
#include "lint/rule.h"

namespace previct::lint {

const Rule& sc014_unknown_field_rule =
    Rule{.id = "SC014",
         .name = "unknown-field",
         .severity = Severity::error,
         .title = "a configuration that kube-scheduler refuses to read",
         .why =
             "It reads its configuration strictly: a field it does not know, or a value of a wrong type, and it does "
             "not start.",
         .mend = "Correct what is named.",
         .source = "kubernetes pkg/scheduler/apis/config/v1 and cmd/kube-scheduler/app/options (strict decoding)",
         .bad = R"(apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
profiles:
- schedulerName: default-scheduler
  plugins:
    postFilters:
      enabled:
      - name: PreemptionToleration
)",
         .good = R"(apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
profiles:
- schedulerName: default-scheduler
  plugins:
    postFilter:
      enabled:
      - name: PreemptionToleration
      disabled:
      - name: DefaultPreemption
)",
         .check = [](const Repository& repository, Found& found) {
           for (const Manifest* manifest : repository.of(kind::kScheduler)) {
             if (manifest->version != "v1") continue;  // SC005 says what is wrong
             Symbols symbols;
             Diagnostics diagnostics;
             Decoder decoder(manifest->tape, FileId{0}, symbols, diagnostics);
             decoder.strict();
             SchedulerConfig config;
             const auto decoded = decoder.decode(0, config);
             if (decoded) continue;
             const Place place = decoded.error().place;
             found.value(manifest->at(place.line, place.column), decoded.error().message);
           }
         }};

}  // namespace previct::lint
