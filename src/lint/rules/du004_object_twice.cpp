#include "lint/rule.h"

#include <map>
#include <string>

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

/// Two objects that existed, in two clusters or one after the other: their UIDs tell them apart.
auto are_two(const Manifest& a, const Manifest& b) -> bool {
  const Value one = a.in("metadata.uid");
  const Value other = b.in("metadata.uid");
  return one && other && one.text() != other.text();
}

}  // namespace

const Rule& du004_object_twice_rule = Rule{
    .id = "DU004",
    .name = "object-twice",
    .severity = Severity::warning,
    .title = "an object defined twice, with different content",
    .why = "Which of the two holds depends on who applies them last, or on the loader.",
    .mend = "Keep one; give variants (overlays) names or folders of their own and lint them apart.",
    .source = "the input itself",
    .bad = R"(apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata:
  name: low
value: 100
---
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata:
  name: low
value: 200
)",
    .good = R"(apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata:
  name: low
value: 100
---
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata:
  name: lower
value: 50
)",
    .check = [](const Repository& repository, Found& found) {
      std::map<std::string, const Manifest*> first;
      for (const Manifest& manifest : repository.manifests()) {
        if (manifest.wrapper != nullptr || manifest.name.empty() || !takes_part(manifest)) continue;
        const std::string key = fmt::format("{}/{}/{}/{}", manifest.group, manifest.kind, manifest.ns, manifest.name);
        const auto [other, added] = first.emplace(key, &manifest);
        if (added || same_content(*other->second, manifest) || are_two(*other->second, manifest)) continue;
        found.object(manifest, fmt::format("{} is defined twice, with different content", manifest.identity()))
            .related(other->second->in("metadata.name"), "the first one");
      }
    }};

}  // namespace previct::lint
