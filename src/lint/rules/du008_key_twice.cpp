#include "lint/placeholder.h"
#include "lint/rule.h"

#include <algorithm>
#include <set>

namespace previct::lint {
namespace {

// Returns true for two documents without a `---` line between them: the last kind wins, and the first object is lost.
auto two_in_one(const Manifest& manifest) -> bool {
  const auto twice = keys_twice(manifest.root());
  return std::any_of(twice.begin(), twice.end(), [](const auto& each) { return each.first.key() == "kind"; });
}

}  // namespace

const Rule& du008_key_twice_rule = Rule{
    .id = "DU008",
    .name = "key-twice",
    .severity = Severity::warning,
    .title = "a key that occurs twice in one mapping",
    .why =
        "Which of the two takes effect depends on the reader: kubectl and the API server warn and use the last one, "
        "other tools use the first or refuse the file.",
    .how_to_fix = "Keep one of them.",
    .source = "kubernetes-sigs/yaml (strict decoding refuses it, lenient decoding takes the last)",
    .check = [](const Repository& repository, FindingSink& found) {
      std::set<const Manifest*> with_pods;
      for (const PodShape& pod : repository.pods()) with_pods.insert(pod.manifest);
      const SourceText* source = nullptr;
      bool templated = false;
      for (const Manifest& manifest : repository.manifests()) {
        const bool looked_at = takes_part(manifest) || two_in_one(manifest) || manifest.kind == kind::kYunikornQueues ||
                               with_pods.find(&manifest) != with_pods.end();
        if (!looked_at) continue;  // other programs read other kinds in their own way
        if (source != manifest.source) templated = is_template(manifest.source->text);
        source = manifest.source;
        if (templated) continue;  // the template decides which of the two exists
        for (std::uint32_t at = 0; at < manifest.tape.size(); ++at) {
          const auto twice = keys_twice(Value(manifest, at));
          if (twice.empty()) continue;
          const auto& [first, second] = twice.front();
          found.key(second, fmt::format("{} occurs twice in this mapping{}", first.key(), and_more(twice.size())))
              .related(first, "the first one");
        }
      }
    }};

}  // namespace previct::lint
