#include "base/ascii.h"
#include "base/text.h"
#include "lint/rule.h"
#include "lint/tolerations.h"

namespace previct::lint {
namespace {

// Makes `toleration-seconds` and `tolerationSeconds` equal.
auto compact(std::string_view key) -> std::string {
  std::string out;
  for (const char c : key) {
    if (c != '-' && c != '_') out += lower(c);
  }
  return out;
}

}  // namespace

const Rule& pt016_unknown_key_rule = Rule{
    .id = "PT016",
    .name = "unknown-key",
    .severity = Severity::warning,
    .title = "a key under the toleration prefix that the plugin does not know",
    .why =
        "The plugin ignores unknown keys silently. Some come from drafts and proposals (enabled, "
        "excluded-namespaces, require-pdb), others are misspelled, which leaves the class unprotected.",
    .how_to_fix = "Use one of the two valid keys: minimum-preemptable-priority and toleration-seconds.",
    .source =
        "kubernetes-sigs/scheduler-plugins pkg/preemptiontoleration/preemption_toleration_policy.go; "
        "kubernetes-sigs/scheduler-plugins#224, #839",
    .check = [](const Repository& repository, FindingSink& found) {
      for (const Manifest* manifest : repository.of(kind::kPriorityClass)) {
        for (const Value& annotation : manifest->in("metadata.annotations")) {
          const std::string_view key = annotation.key();
          if (!key.starts_with(kTolerationPrefix) || key == kMinimumKey || key == kSecondsKey) continue;
          const std::string name = compact(key.substr(kTolerationPrefix.size()));
          const auto meant = nearest(name, {compact(kMinimumKey.substr(kTolerationPrefix.size())),
                                            compact(kSecondsKey.substr(kTolerationPrefix.size())), "seconds"});
          const std::string_view full = !meant                    ? std::string_view()
                                        : meant->starts_with('m') ? kMinimumKey
                                                                  : kSecondsKey;
          auto note = found.key(
              annotation,
              fmt::format(
                  "{}: the plugin does not know the key {}{}", manifest->name, key.substr(kTolerationPrefix.size()),
                  full.empty() ? "" : fmt::format("; did you mean {}?", full.substr(kTolerationPrefix.size()))));
          if (!full.empty() && !manifest->in("metadata.annotations")[full]) note.fix_key(std::string(full));
        }
      }
    }};

}  // namespace previct::lint
