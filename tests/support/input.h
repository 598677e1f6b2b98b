#pragma once

#include "api/objects.h"
#include "input/documents.h"

#include <nlohmann/json.hpp>

#include <memory>
#include <optional>
#include <string>
#include <string_view>

/// Helpers of tests that read texts.
namespace previct::test {

/// The bytes of `fixtures/<name>`; fails the test if there is no such file.
[[nodiscard]] auto fixture(const std::string& name) -> std::string;

/// Reads `text` as load() would, YAML or JSON by its look, into `objects`.
[[nodiscard]] auto read_text(std::string_view text, Objects& objects) -> Result<std::size_t>;

/// Does this part of a List in YAML end with its kind? Then it lacks none of its items: only the metadata of the List
/// are to come, and other tools write Lists without them.
[[nodiscard]] inline auto ends_with_kind(std::string_view part) -> bool {
  return part.ends_with("\nkind: List") || part.ends_with("\nkind: List\n");
}

/// All events of a text in one line, `{` `}` `[` `]` for containers and `type:text` for scalars, or
/// `line:column: message` at the first failure.
[[nodiscard]] auto event_line(EventSource& source) -> std::string;
[[nodiscard]] auto yaml_events(std::string_view text) -> std::string;
[[nodiscard]] auto json_events(std::string_view text) -> std::string;

/// The first document as JSON: numbers by their value, infinities and the like as strings. None if it is
/// broken.
[[nodiscard]] auto json_of(EventSource& source) -> std::optional<nlohmann::json>;

}  // namespace previct::test
