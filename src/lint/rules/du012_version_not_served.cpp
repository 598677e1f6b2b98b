#include "base/contains.h"
#include "lint/rule.h"

#include <string>

namespace previct::lint {
namespace {

/// `v1beta1, v1beta2`
auto with_commas(std::string_view versions) -> std::string {
  std::string words;
  for (const char c : versions) words += c == ' ' ? ", " : std::string(1, c);
  return words;
}

}  // namespace

const Rule& du012_version_not_served_rule =
    Rule{.id = "DU012",
         .name = "version-not-served",
         .severity = Severity::error,
         .title = "an object of an API version that no supported release serves",
         .why =
             "The API server does not know the version and refuses the object, so nothing of it takes effect. (PC017 "
             "and PD010 report PriorityClasses and budgets.)",
         .how_to_fix = "Use one of the versions that the finding names, and check whether the fields are the same.",
         .source =
             "kubernetes 1.31 to 1.37; the CustomResourceDefinitions of kai-scheduler/KAI-Scheduler 0.5 to 0.17 and of "
             "kubernetes-sigs/kueue",
         .check = [](const Repository& repository, FindingSink& found) {
           for (const Manifest& manifest : repository.manifests()) {
             const KindInfo* const kind = kind_of_key(fmt::format("{}/{}", manifest.group, manifest.kind));
             if (kind == nullptr || kind->served.empty() || contains_word(kind->served, manifest.version)) continue;
             // The API server of this dump served it.
             if (manifest.in("metadata.uid")) continue;
             found.value(manifest["apiVersion"],
                         fmt::format("no supported release serves {} in {}/{}; it is served in {}", manifest.kind,
                                     manifest.group, manifest.version, with_commas(kind->served)));
           }
         }};

}  // namespace previct::lint
