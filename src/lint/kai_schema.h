#pragma once

#include "lint/repository.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// The schema of KAI's CRDs, for the objects that its scheduler reads.
/// Source: kai-scheduler/KAI-Scheduler: deployments/kai-scheduler/crds, releases 0.5 to 0.17. A field counts as known
/// if any of these releases has it.
namespace previct::lint {
// NOLINTBEGIN(misc-no-recursion): bounded by the depth of the schema

/// The schema of a field.
struct SchemaField {
  enum class Type : std::uint8_t {
    decoded,  ///< the decoder checks the type (DU006)
    text,
    number,
    object,
    list
  };

  std::string_view key;  ///< `*`: each value of a map, or each element of a list
  Type type = Type::decoded;
  std::vector<SchemaField> fields = {};  ///< empty: any content
  bool required = false;
  auto(*fault)(const Value& value) -> std::string = nullptr;  ///< why the value is refused; empty: it is not
};

/// An error that the API server reports about a value.
struct SchemaFault {
  enum class Kind : std::uint8_t { refused, unknown } kind = Kind::refused;
  Value at;  ///< for `unknown`: the field
  std::string message;
  std::string meant = {};  ///< for `unknown`: the most similar known field
};

/// Schema errors of a KAI object; empty for other kinds and for valid objects.
[[nodiscard]] auto faults_of_kai(const Manifest& manifest) -> std::vector<SchemaFault>;

// NOLINTEND(misc-no-recursion)
}  // namespace previct::lint
