#include "lint/rule.h"

#include <map>
#include <string>
#include <tuple>

namespace previct::lint {
namespace {

auto same_content(const Manifest& a, const Manifest& b) -> bool {
  if (a.tape.size() != b.tape.size()) return false;
  for (std::uint32_t i = 0; i < a.tape.size(); ++i) {
    if (a.tape[i].type != b.tape[i].type || a.tape[i].next != b.tape[i].next) return false;
    if (a.tape[i].type == EventType::scalar && a.tape.text(a.tape[i]) != b.tape.text(b.tape[i])) return false;
  }
  return true;
}

/// Manifests with equal keys are duplicates: objects of the same name, but a manifest is not compared with the object
/// that the API server made of it, and in a dump not with a manifest in another file, because at most one of them was
/// applied.
using Key = std::tuple<std::string, bool, const SourceText*>;
auto key_of(const Manifest& manifest, const Repository& repository) -> Key {
  const bool may_be_variant = !manifest.stored && repository.scope().kind == Scope::Kind::dump;
  return {manifest.key(), manifest.stored, may_be_variant ? manifest.source : nullptr};
}

/// Returns true if both objects existed, in two clusters or at different times: their UIDs differ.
auto are_two(const Manifest& a, const Manifest& b) -> bool {
  const Value one = a.in("metadata.uid");
  const Value other = b.in("metadata.uid");
  return one && other && one.text() != other.text();
}

}  // namespace

const Rule& du004_object_twice_rule =
    Rule{.id = "DU004",
         .name = "object-twice",
         .severity = Severity::warning,
         .title = "an object defined twice, with different content",
         .why = "Which of the two takes effect depends on which is applied last.",
         .how_to_fix = "Keep one. Put variants (overlays) into separate folders.",
         .source = "the input itself",
         .check = [](const Repository& repository, FindingSink& found) {
           std::map<Key, const Manifest*> first;
           for (const Manifest& manifest : repository.manifests()) {
             if (manifest.wrapper != nullptr || manifest.name.empty() || !takes_part(manifest)) continue;
             const auto [other, added] = first.emplace(key_of(manifest, repository), &manifest);
             if (added || same_content(*other->second, manifest) || are_two(*other->second, manifest)) continue;
             found.object(manifest, fmt::format("{} is defined twice, with different content", manifest.identity()))
                 .related(other->second->in("metadata.name"), "the first one");
           }
         }};

}  // namespace previct::lint
