#pragma once

#include "base/diagnostics.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace previct {

/// The type of a scalar by the resolution rules of its format: YAML 1.1 as go-yaml reads it, or JSON.
enum class ScalarType : std::uint8_t { null, boolean, integer, floating, string };

enum class EventType : std::uint8_t {
  begin_map,  ///< keys and values alternate until `end`; every key is a scalar of type string
  begin_list,
  end,  ///< end of the innermost map or list
  scalar,
  end_document,  ///< end of a top-level value; another may follow
  end_stream
};

/// One step through a YAML or JSON text. Anchors, aliases and merge keys are already resolved.
struct Event {
  EventType type = EventType::end_stream;
  ScalarType scalar = ScalarType::null;
  /// The text of a scalar as JSON prints it: booleans are `true` or `false`, integers are decimal (`0x1F` is `31`).
  /// Valid until the next event is requested.
  std::string_view text;
  std::uint32_t line = 0;    ///< 1-based
  std::uint32_t column = 0;  ///< 1-based, in bytes
  /// For begin_map and begin_list: the container is written in block style, so that nothing marks its end.
  bool block = false;
};

/// The deepest nesting that sources accept. The API itself allows far less.
inline constexpr std::size_t kMaxDepth = 1000;

/// A text as a stream of events. YAML and JSON are the two sources of dumps; code that uses this interface does not
/// know which one it reads.
class EventSource {
 public:
  virtual ~EventSource() = default;

  /// The next event, or the syntax error with its place. Undefined after a failure or end_stream.
  [[nodiscard]] virtual auto next() -> Result<Event> = 0;
  /// The place of the first escape for half of a surrogate pair, which is not a character and is read as U+FFFD; line
  /// 0: none.
  [[nodiscard]] virtual auto half_pair() const -> Place { return {}; }
};

}  // namespace previct
