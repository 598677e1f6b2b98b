#include "api/objects.h"
#include "lint/node.h"
#include "lint/rule.h"

namespace previct::lint {
namespace {

/// Reports the error of the decoder. `of`: prefix of the message.
void check_decoding(const Manifest& manifest, std::string_view of, FindingSink& found) {
  Objects objects;
  const auto read = add_object({.tape = manifest.tape}, FileId{0}, objects);
  if (read || read.error().message.starts_with("an object without")) return;
  const std::string_view message = read.error().message;
  if (message.starts_with("spec.template.")) return;  // reported for the pod of the template
  for (const char* map : {"metadata.annotations", "metadata.labels"}) {
    if (message.starts_with(map) && manifest.in(map).is_map()) return;  // PO011 reports wrong values
  }
  found.value(manifest.at(read.error().place.line, read.error().place.column), fmt::format("{}{}", of, message));
}

/// The pod that a workload creates from its template, only for checking types.
auto pod_of(const PodShape& pod) -> Manifest {
  const Node spec = to_node(pod.spec);
  const auto text = [&](std::string_view word) { return text_node(word, spec.origin); };
  Node node{.type = EventType::begin_map, .origin = spec.origin};
  node.set(text("apiVersion"), text("v1"));
  node.set(text("kind"), text("Pod"));
  if (pod.metadata) node.set(text("metadata"), to_node(pod.metadata));
  if (Node* metadata = node.map_at("metadata", spec.origin)) metadata->set(text("name"), text("of-a-template"));
  node.set(text("spec"), spec);
  Manifest made = to_manifest(node, *pod.manifest);
  made.name = pod.manifest->name;
  made.ns = pod.manifest->ns;
  return made;
}

/// Reports a wrong type in a field that the decoder skips.
void check_type(const Value& value, std::string_view field, bool fits, std::string_view expected, FindingSink& found) {
  if (!value || fits) return;
  const char* const what = value.is_map() ? "an object" : value.is_list() ? "a list" : "";
  found.value(value, fmt::format("{}: expected {}, found {}", field, expected,
                                 !value.is_scalar()  ? std::string(what)
                                 : value.is_string() ? fmt::format("the string \"{}\"", value.text())
                                                     : std::string(value.text())));
}

void check_other_fields(const Manifest& manifest, FindingSink& found) {
  const Value description = manifest["description"];
  if (kind_of(manifest) == kind::kPriorityClass)
    check_type(description, "description", description.is_string(), "a string", found);
}

}  // namespace

const Rule& du006_refused_rule =
    Rule{.id = "DU006",
         .name = "refused",
         .severity = Severity::error,
         .title = "an object that the API server refuses to read",
         .why =
             "The API server refuses the whole object if one value has the wrong type, such as a string for a number "
             "or a list for a map. No part of it takes effect.",
         .how_to_fix = "Correct the value that the finding names.",
         .source = "kubernetes apimachinery pkg/runtime/serializer/json; checked with the decoder that explain uses",
         .check = [](const Repository& repository, FindingSink& found) {
           for (const Manifest& manifest : repository.manifests()) {
             if (manifest.wrapper != nullptr || manifest.name.empty()) continue;
             check_decoding(manifest, "", found);
             check_other_fields(manifest, found);
           }
           for (const PodShape& pod : repository.pods()) {
             if (!pod.is_pod && takes_part(*pod.manifest)) check_decoding(pod_of(pod), "pod template: ", found);
           }
         }};

}  // namespace previct::lint
