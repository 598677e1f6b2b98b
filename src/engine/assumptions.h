#pragma once

#include "api/strict_reader.h"
#include "engine/engine.h"
#include "input/written_yaml.h"

#include <string>
#include <string_view>

namespace previct {

/// The file of --assume (kind Assumptions): facts that no dump contains. Each engine has a part with its name and
/// describes it itself; this reads the part of one engine and skips the others.
template <class Part>
struct AssumptionsFile {
  std::string_view engine;
  std::string_view what;  ///< what the part holds, for the schema
  Part& part;

  template <class Field>
  friend void describe(Field& field, AssumptionsFile& self) {
    field("apiVersion", constant("previct/v1alpha1"), "the version of the format", Need::for_editors);
    field("kind", constant("Assumptions"), "the kind of the document", Need::required);
    for (const Engine* each : engines()) {
      if (each->name() == self.engine) {
        field(each->name(), self.part, self.what);
      } else {
        field(each->name(), ReadElsewhere{R"({"type": "object"})"},
              each->reads_assumptions() ? "read by this engine" : "read by no engine");
      }
    }
  }
};

/// Reads the part of `engine` strictly (api/strict_reader.h).
template <class Part>
[[nodiscard]] auto read_assumptions(const ConfigFile& file, std::string_view engine, Part& part) -> Result<void> {
  PREVICT_TRY(const Tape tape, record_written_yaml(file.bytes, file.file));
  AssumptionsFile<Part> whole{engine, {}, part};
  return read_strictly(tape, 0, file.file, {}, whole);
}

}  // namespace previct
