#include "lint/rule.h"
#include "lint/scheduler_check.h"

namespace previct::lint {
namespace {

// Returns true if another rule reports it: SC002, SC006, SC007, SC015.
auto is_told_elsewhere(std::string_view message) -> bool {
  const auto says = [&](const char* words) { return message.find(words) != std::string_view::npos; };
  if (says("two profiles cannot share") || says("was invalid in version")) return true;
  if (says("minCandidateNodes") && (says("not in valid range") || says("cannot be zero"))) return true;
  return says(".pluginConfig[") && says("]: Duplicate value") && !says(".args");
}

}  // namespace

const Rule& sc014_refused_rule =
    Rule{.id = "SC014",
         .name = "refused",
         .severity = Severity::error,
         .title = "a configuration with which kube-scheduler does not start",
         .why =
             "kube-scheduler reads its configuration strictly. It does not start if a field is unknown, a value has "
             "the wrong type or is out of range, or a plugin does not exist or occurs twice.",
         .how_to_fix = "Correct the value that the finding names.",
         .source =
             "kubernetes pkg/scheduler/apis/config/validation, cmd/kube-scheduler/app/options (strict decoding), "
             "framework/runtime NewFramework; checked with the reader that explain uses",
         .check = [](const Repository& repository, FindingSink& found) {
           for (const Manifest* manifest : repository.of(kind::kScheduler)) {
             if (!manifest->version.empty() && manifest->version != "v1") continue;  // SC005 reports it
             const std::optional<Failure> failure = fault_of_configuration(*manifest);
             if (!failure || is_told_elsewhere(failure->message)) continue;
             found.failure(*manifest, *failure);
           }
         }};

}  // namespace previct::lint
