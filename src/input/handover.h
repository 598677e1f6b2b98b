#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace previct {

/// The reason why something in a dump was read by the general reader, a full parser, instead of the fast reader.
enum class FallbackReason : std::uint8_t {
  document,      ///< not a list as kubectl prints it, or one with anchors, tags, tabs or unusual line ends
  kind,          ///< a nested list, a configuration, or an object without a kind
  repeated_key,  ///< a duplicate key
  other_type,    ///< a value whose type differs from that in the API
  embedded,      ///< a text that contains another document
  flow,          ///< flow style
  scalar,        ///< a scalar in an unusual style
  syntax         ///< anything else
};
inline constexpr std::size_t kFallbackReasons = 8;

struct FallbackCount {
  std::size_t objects = 0;
  std::size_t values = 0;  ///< values of objects that were otherwise read by the fast reader
};

/// Which reader the objects were read by.
struct ReadCounts {
  std::size_t fast = 0;     ///< by the fast reader, from the bytes of the input as kubectl
                            ///< prints them
  std::size_t general = 0;  ///< by the general reader, a full parser
  std::array<FallbackCount, kFallbackReasons> fallbacks{};  ///< by reason; empty if everything is to be read by the
                                                            ///< general reader

  [[nodiscard]] auto of(FallbackReason why) -> FallbackCount& { return fallbacks[static_cast<std::size_t>(why)]; }
  void add(const ReadCounts& later) {
    fast += later.fast;
    general += later.general;
    for (std::size_t i = 0; i < kFallbackReasons; ++i) {
      fallbacks[i].objects += later.fallbacks[i].objects;
      fallbacks[i].values += later.fallbacks[i].values;
    }
  }
};

}  // namespace previct
