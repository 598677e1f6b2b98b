#include "lint/rule.h"

namespace previct::lint {

const Rule& du009_broken_rule =
    Rule{.id = "DU009",
         .name = "broken",
         .severity = Severity::error,
         .title = "a file, or a configuration within an object, that cannot be read",
         .why = "The API server, or the scheduler, refuses the whole text. No part of it takes effect.",
         .how_to_fix = "Correct the text at this place.",
         .source = "go.yaml.in/yaml/v2 and encoding/json, as kubectl and the schedulers use them",
         .check = [](const Repository& repository, FindingSink& found) {
           for (const BrokenText& broken : repository.tree().broken()) {
             found.text(*broken.source, broken.line, broken.column, broken.message);
           }
           for (const BrokenConfiguration& broken : repository.tree().broken_configurations()) {
             found.key(broken.held_by, fmt::format("{}: {}", broken.held_by.key(), broken.message));
           }
         }};

}  // namespace previct::lint
