#include "lint/rule.h"

namespace previct::lint {
namespace {

constexpr std::string_view kGroup = "kubescheduler.config.k8s.io";
constexpr std::string_view kKind = "KubeSchedulerConfiguration";

// Kyverno has a Policy too; the scheduler's Policy was in the core group.
auto is_old_policy(const Manifest& manifest) -> bool {
  return manifest.kind == "Policy" && (manifest.group.empty() || manifest.group == kGroup) &&
         (manifest["predicates"] || manifest["priorities"] || manifest["extenders"]);
}

auto fault_of(const Manifest& manifest) -> std::string {
  if (is_old_policy(manifest)) return "kube-scheduler has not read Policy since 1.23";
  if (manifest.kind == kKind && manifest.group != kGroup && manifest["apiVersion"])
    return fmt::format("no kind {} is registered for version \"{}\"", kKind, manifest["apiVersion"].text());
  if (manifest.group != kGroup) return {};
  if (manifest.kind == kKind && manifest.in_list)
    return "a configuration within a List: kube-scheduler reads a file that is one";
  if (!manifest["kind"]) return "Object 'Kind' is missing";
  if (manifest.kind == kKind || manifest.kind.ends_with("Args")) return {};
  return fmt::format("no kind \"{}\" is registered for version \"{}\"", manifest.kind, manifest["apiVersion"].text());
}

}  // namespace

const Rule& sc017_no_configuration_rule =
    Rule{.id = "SC017",
         .name = "no-configuration",
         .severity = Severity::error,
         .title = "a file that kube-scheduler does not accept as its configuration",
         .why =
             "The file passed with --config must be a single KubeSchedulerConfiguration of the group "
             "kubescheduler.config.k8s.io. Otherwise, the scheduler does not start.",
         .how_to_fix =
             "Write apiVersion: kubescheduler.config.k8s.io/v1 and kind: KubeSchedulerConfiguration, outside a List; a "
             "Policy is to be written as profiles.",
         .source = "kubernetes cmd/kube-scheduler/app/options/configfile.go loadConfig",
         .check = [](const Repository& repository, FindingSink& found) {
           for (const Manifest& manifest : repository.manifests()) {
             const std::string fault = fault_of(manifest);
             if (fault.empty()) continue;
             const Value kind = manifest["kind"];
             found.value(kind ? kind : manifest.root(), fault);
           }
         }};

}  // namespace previct::lint
