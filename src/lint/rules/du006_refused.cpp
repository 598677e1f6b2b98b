#include "api/objects.h"
#include "lint/rule.h"

namespace previct::lint {

const Rule& du006_refused_rule = Rule{
    .id = "DU006",
    .name = "refused",
    .severity = Severity::error,
    .title = "an object that the API server refuses to read",
    .why =
        "A value of a wrong type (a number as a string, a list for a map) is refused whole; nothing of the "
        "object takes effect.",
    .mend = "Correct what is named.",
    .source = "kubernetes apimachinery pkg/runtime/serializer/json; checked with the decoder that explain uses",
    .bad = R"(apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata:
  name: low
value: "100"
)",
    .good = R"(apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata:
  name: low
value: 100
)",
    .check = [](const Repository& repository, Found& found) {
      for (const Manifest& manifest : repository.manifests()) {
        if (manifest.wrapper != nullptr || manifest.name.empty()) continue;
        Objects objects;
        const auto read = add_object({.tape = manifest.tape}, FileId{0}, objects);
        if (read || read.error().message.starts_with("an object without")) continue;
        const Value at = manifest.at(read.error().place.line, read.error().place.column);
        const std::string_view message = read.error().message;
        const bool in_metadata = message.starts_with("metadata.annotations") || message.starts_with("metadata.labels");
        if (!in_metadata) found.value(at, read.error().message);  // PO011 speaks of those
      }
    }};

}  // namespace previct::lint
