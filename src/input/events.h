#pragma once

#include "base/diagnostics.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace previct {

/// What a scalar is after the resolution rules of its format: YAML 1.1 as go-yaml reads it, or JSON.
enum class ScalarType : std::uint8_t { null, boolean, integer, floating, string };

enum class EventType : std::uint8_t {
  begin_map,  ///< keys and values alternate until `end`; every key is a scalar of type string
  begin_list,
  end,  ///< of the innermost map or list
  scalar,
  end_document,  ///< one value ended at top level; another may follow
  end_stream
};

/// One step through a YAML or JSON text. Anchors, aliases and merge keys are already resolved.
struct Event {
  EventType type = EventType::end_stream;
  ScalarType scalar = ScalarType::null;
  /// Of a scalar. Booleans are `true` or `false`, integers decimal (`0x1F` is `31`), as JSON would print
  /// them. Valid until the next event is asked for.
  std::string_view text;
  std::uint32_t line = 0;    ///< 1-based
  std::uint32_t column = 0;  ///< 1-based, in bytes
  /// Of begin_map and begin_list: written by indentation alone, so that nothing marks the end of it.
  bool block = false;
};

/// Deeper input is refused by every source. The API itself allows far less.
inline constexpr std::size_t kMaxDepth = 1000;

/// A text as a stream of events. YAML and JSON are the two sources of dumps; nothing behind this
/// interface knows which it was.
class EventSource {
 public:
  virtual ~EventSource() = default;

  /// The next event, or why the text is broken (with its place). After a failure or end_stream: undefined.
  [[nodiscard]] virtual auto next() -> Result<Event> = 0;
  /// Where the first escape stood that names half of a surrogate pair, which is no character and was read as U+FFFD;
  /// line 0: nowhere.
  [[nodiscard]] virtual auto half_pair() const -> Place { return {}; }
};

}  // namespace previct
