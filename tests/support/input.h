#pragma once

#include "api/objects.h"
#include "input/documents.h"

#include <nlohmann/json.hpp>

#include <memory>
#include <optional>
#include <string>
#include <string_view>

/// Helpers for tests that read texts.
namespace previct::test {

/// Returns the bytes of `fixtures/<name>`; fails the test if there is no such file.
[[nodiscard]] auto fixture(const std::string& name) -> std::string;

/// Reads `text` into `objects` as load() would; detects YAML or JSON.
[[nodiscard]] auto read_text(std::string_view text, Objects& objects) -> Result<std::size_t>;

/// Returns true if this part of a YAML List ends with its kind. Then it lacks no item: only the metadata of the List
/// would follow, and other tools write Lists without it.
[[nodiscard]] inline auto ends_with_kind(std::string_view part) -> bool {
  return part.ends_with("\nkind: List") || part.ends_with("\nkind: List\n");
}

/// Returns all events of a text in one line, `{` `}` `[` `]` for containers and `type:text` for scalars, or
/// `line:column: message` for the first failure.
[[nodiscard]] auto event_line(EventSource& source) -> std::string;
[[nodiscard]] auto yaml_events(std::string_view text) -> std::string;
[[nodiscard]] auto json_events(std::string_view text) -> std::string;

/// Returns the first document as JSON: numbers by value, infinities and the like as strings. None if it is broken.
[[nodiscard]] auto json_of(EventSource& source) -> std::optional<nlohmann::json>;

}  // namespace previct::test
