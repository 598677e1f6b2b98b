#include "lint/rule.h"
#include "lint/tolerations.h"

namespace previct::lint {

const Rule& pt006_old_prefix_rule =
    Rule{.id = "PT006",
         .name = "old-prefix",
         .severity = Severity::error,
         .title = "a toleration under an annotation prefix that no release of the plugin reads",
         .why =
             "The plugin reads preemption-toleration.scheduling.x-k8s.io/ only. The prefix "
             "preemption-toleration.scheduling.sigs.k8s.io/ occurs in early texts of KEP-205 and in an article; the "
             "plugin ignores it silently.",
         .how_to_fix = "Write scheduling.x-k8s.io instead of scheduling.sigs.k8s.io.",
         .source =
             "kubernetes-sigs/scheduler-plugins pkg/preemptiontoleration/preemption_toleration_policy.go "
             "(AnnotationKeyPrefix); early text of KEP-205",
         .check = [](const Repository& repository, FindingSink& found) {
           constexpr std::string_view kOld = "preemption-toleration.scheduling.sigs.k8s.io/";
           for (const Manifest& manifest : repository.manifests()) {
             for (const char* map : {"annotations", "annotation"}) {
               for (const Value& annotation : manifest["metadata"][map]) {
                 if (!annotation.key().starts_with(kOld)) continue;
                 const std::string meant = fmt::format("{}{}", kTolerationPrefix, annotation.key().substr(kOld.size()));
                 found
                     .key(annotation,
                          fmt::format("{} is ignored: the plugin reads {}*", annotation.key(), kTolerationPrefix))
                     .fix_key(meant);
               }
             }
           }
         }};

}  // namespace previct::lint
