#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace previct {

/// Why something in a dump was not read by the fast reader, but by a parser of the whole language.
enum class Handover : std::uint8_t {
  document,      ///< no list as kubectl prints it, or with anchors, tags, tabs or other line ends in it
  kind,          ///< a list within a list, a configuration, or an object that does not say what it is
  repeated_key,  ///< a key stands twice
  other_type,    ///< a value of another type than the API has it
  embedded,      ///< a text that holds another document
  flow,          ///< flow style
  scalar,        ///< a scalar in an unusual style
  syntax         ///< anything else
};
inline constexpr std::size_t kHandovers = 8;

struct HandedOver {
  std::size_t objects = 0;
  std::size_t values = 0;  ///< of objects whose rest was read fast
};

/// By which way objects were read.
struct ReadCounts {
  std::size_t fast = 0;                              ///< from the bytes of the input, as kubectl prints them
  std::size_t general = 0;                           ///< by a parser of the whole language
  std::array<HandedOver, kHandovers> handed_over{};  ///< by reason; nothing where everything is to be read generally

  [[nodiscard]] auto of(Handover why) -> HandedOver& { return handed_over[static_cast<std::size_t>(why)]; }
  void add(const ReadCounts& later) {
    fast += later.fast;
    general += later.general;
    for (std::size_t i = 0; i < kHandovers; ++i) {
      handed_over[i].objects += later.handed_over[i].objects;
      handed_over[i].values += later.handed_over[i].values;
    }
  }
};

}  // namespace previct
