#pragma once

#include "lint/repository.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// What the CRDs of KAI say of the objects that its scheduler reads.
/// Source: kai-scheduler/KAI-Scheduler: deployments/kai-scheduler/crds, releases 0.5 to 0.17. A field counts as known
/// if any of these releases has it.
namespace previct::lint {
// NOLINTBEGIN(misc-no-recursion): as deep as the schema

/// What the schema says of a field.
struct SchemaField {
  enum class Type : std::uint8_t {
    decoded,  ///< its type is what the decoder checks: DU006 speaks of it
    text,
    number,
    object,
    list
  };

  std::string_view key;  ///< `*`: each value of a map, each element of a list
  Type type = Type::decoded;
  std::vector<SchemaField> fields = {};  ///< none: whatever is in it
  bool required = false;
  auto(*fault)(const Value& value) -> std::string = nullptr;  ///< why it is refused; empty: it is not
};

/// What the API server says of a value.
struct SchemaFault {
  enum class Kind : std::uint8_t { refused, unknown } kind = Kind::refused;
  Value at;  ///< unknown: the field
  std::string message;
  std::string meant = {};  ///< unknown: the name of a field that is nearly this one
};

/// Of an object of KAI's; none: its kind is another, or all is well.
[[nodiscard]] auto faults_of_kai(const Manifest& manifest) -> std::vector<SchemaFault>;

// NOLINTEND(misc-no-recursion)
}  // namespace previct::lint
