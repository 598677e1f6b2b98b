#pragma once

#include "base/id.h"
#include "base/place.h"

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// The wire format of an object is described once, next to its struct:
///
///     template <class Field>
///     friend void describe(Field& field, PodSpec& self) {
///       field("nodeName", self.node_name); …
///
/// A reader calls describe() for each key that it reads, and the matching line reads the value. The type of the member
/// determines how; the wrappers below are for the few members where the type is not enough. As in Go, an absent or null
/// field keeps its default, and an empty string in a Symbol member is none.
namespace previct {

struct Disk;
enum class DiskKind : std::uint8_t;

/// metav1.Duration: a string as Go's time.ParseDuration reads it ("90s", "1h30m"). Anything else, including a number
/// without a unit, is refused with its place, as the API's own decoder does.
struct Duration {
  std::int64_t nanos = 0;

  friend constexpr auto operator<=>(Duration, Duration) = default;
};

/// intstr.IntOrString, where a text is a percentage: `3`, or `25%` of something.
struct NumberOrPercent {
  std::int32_t number = 0;
  bool percent = false;

  friend constexpr auto operator<=>(NumberOrPercent, NumberOrPercent) = default;
};

/// A map with objects (or numbers) as values, in the order of the input.
template <class T>
struct MapOf : std::vector<std::pair<Symbol, T>> {
  /// Null if there is no such key.
  [[nodiscard]] auto find(Symbol key) const -> const T* {
    for (const auto& [name, value] : *this) {
      if (name == key) return &value;
    }
    return nullptr;
  }
};

/// True if the field has a value other than null or an empty list.
struct Present {
  bool& value;
};
[[nodiscard]] inline auto present(bool& value) -> Present {
  return {value};
}

/// A number that is written as a string; 0 if it is not a number.
struct AsNumber {
  std::int64_t& value;
};
[[nodiscard]] inline auto as_number(std::int64_t& value) -> AsNumber {
  return {value};
}

/// A number with a flag that shows whether the field was set.
struct OptionalNumber {
  std::int32_t& value;
  bool& given;
};
[[nodiscard]] inline auto optional_number(std::int32_t& value, bool& given) -> OptionalNumber {
  return {value, given};
}

/// A text of another format inside the object (a configuration file in a ConfigMap), and its place.
struct EmbeddedText {
  std::string text;
  Place place;  ///< place of the value; line 0: unknown
};

/// The keys of a map whose values do not matter.
struct KeysOf {
  std::vector<Symbol>& keys;
};
[[nodiscard]] inline auto keys_of(std::vector<Symbol>& keys) -> KeysOf {
  return {keys};
}

/// A text, or a list of texts, of which only the result of `reduce` is kept; nothing if the result is empty.
template <class T>
struct Reduced {
  T& kept;
  auto(*reduce)(std::string_view) -> std::string_view;
  bool strict;  ///< a value that is not a text is refused, as elsewhere; otherwise it is skipped
};
template <class T>
[[nodiscard]] auto reduced(T& kept, auto(*reduce)(std::string_view)->std::string_view, bool strict = false)
    -> Reduced<T> {
  return {kept, reduce, strict};
}

/// A volume source that names a disk in its field `id_field`, and a further identifying value in `pool_field`.
struct InTreeDisk {
  Disk& disk;
  DiskKind kind;
  std::string_view id_field;
  std::string_view pool_field;
};
[[nodiscard]] inline auto in_tree_disk(Disk& disk, DiskKind kind, std::string_view id_field,
                                       std::string_view pool_field = "pool") -> InTreeDisk {
  return {disk, kind, id_field, pool_field};
}

/// A field that is known but not read.
struct Ignored {};
[[nodiscard]] inline auto ignored() -> Ignored {
  return {};
}

/// The index of the value on the tape, for a reader that determines its type later; 0 if it is absent or null.
struct OnTape {
  std::uint32_t& index;
};
[[nodiscard]] inline auto on_tape(std::uint32_t& index) -> OnTape {
  return {index};
}

}  // namespace previct
