#include "lint/kinds.h"
#include "lint/rule.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace previct::lint {
namespace {

// The first minor release that does not read the version. Source: kubernetes CHANGELOG, 1.23, 1.28 and 1.29, "API
// Change"; the
// folders of k8s.io/kube-scheduler/config, where v1alpha1 and v1alpha2 are missing from 0.19 on.
auto gone_in(std::string_view version) -> int {
  if (version.starts_with("v1alpha")) return 19;
  return version == "v1beta3" ? 29 : version == "v1beta2" ? 28 : 23;
}

// The newest kubelet minor of the input; a scheduler is at least as new: `v1.21.1+38b3ecc` is 21.
auto minor_of_nodes(const Repository& repository) -> std::optional<int> {
  std::optional<int> youngest;
  // A must-gather stores its nodes in a separate folder, which is another scope.
  for (const Manifest& manifest : repository.tree().manifests()) {
    if (manifest.kind != "Node") continue;
    std::string_view text = manifest.in("status.nodeInfo.kubeletVersion").text();
    constexpr std::string_view kMajor = "v1.";
    if (!text.starts_with(kMajor)) continue;
    text.remove_prefix(kMajor.size());
    int minor = 0;
    if (std::from_chars(text.data(), text.data() + text.size(), minor).ec != std::errc()) continue;
    youngest = std::max(youngest.value_or(0), minor);
  }
  return youngest;
}

// Returns true if the file is valid as v1, which has the fields of v1beta3. Arguments may repeat the old version.
auto is_read_as_v1(const Manifest& configuration) -> bool {
  for (const Value& profile : configuration["profiles"]) {
    for (const Value& plugin : profile["pluginConfig"]) {
      if (plugin.in("args.apiVersion")) return false;
    }
  }
  return true;
}

}  // namespace

const Rule& sc005_version_rule =
    Rule{.id = "SC005",
         .name = "version",
         .severity = Severity::error,
         .title = "a scheduler configuration of a removed version",
         .why =
             "kube-scheduler reads kubescheduler.config.k8s.io/v1 since 1.25, and only this version since 1.29, which "
             "removed v1beta3. About half of the public configurations cannot be loaded for this reason alone.",
         .how_to_fix =
             "Write kubescheduler.config.k8s.io/v1. It has the fields of v1beta3; of older versions, compare the field "
             "names.",
         .source = "kubernetes pkg/scheduler/apis/config/scheme; release notes of 1.29",
         .check = [](const Repository& repository, FindingSink& found) {
           const std::optional<int> cluster = minor_of_nodes(repository);
           for (const Manifest* manifest : repository.of(kind::kScheduler)) {
             const Value version = (*manifest)["apiVersion"];
             if (!version || manifest->version == "v1") continue;
             const int gone = gone_in(manifest->version);
             // In a dump of a cluster whose scheduler reads it, it is valid; without node versions, this may be such a
             // dump.
             if (cluster ? *cluster < gone : bool(manifest->object().in("metadata.uid"))) continue;
             auto note = found.value(
                 version, fmt::format("{} is not read by kube-scheduler 1.{} and later", version.text(), gone));
             if (manifest->version == "v1beta3" && is_read_as_v1(*manifest))
               note.fix_value("kubescheduler.config.k8s.io/v1");
           }
         }};

}  // namespace previct::lint
