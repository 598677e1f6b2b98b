#pragma once

#include "api/meta.h"
#include "base/instant.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>

namespace previct {

/// Values that were read of other objects, so that the same ones cost neither time nor memory again.
class Recent {
 public:
  /// The list itself, or one with the same entries that was read before.
  auto shared(ResourceList list) -> ResourceList {
    if (list.empty()) return list;
    std::uint64_t hash = list.size();
    for (const auto& [name, quantity] : std::as_const(list)) {
      const auto nanos = static_cast<unsigned __int128>(quantity.nanos());
      hash = (hash ^ name.index) * kFactor;
      hash = (hash ^ static_cast<std::uint64_t>(nanos) ^ static_cast<std::uint64_t>(nanos >> 64U)) * kFactor;
    }
    ResourceList& last = lists_[(hash >> 32U) % lists_.size()];
    if (!std::equal(list.begin(), list.end(), last.begin(), last.end())) last = std::move(list);
    return last;
  }

  /// What parse_instant() makes of it. Most times of an object are the same.
  auto instant(std::string_view text) -> std::optional<Instant> {
    if (text.size() == kSize && std::memcmp(text.data(), text_.data(), kSize) == 0) return instant_;
    const std::optional<Instant> value = parse_instant(text);
    if (text.size() == kSize && value) {
      std::memcpy(text_.data(), text.data(), kSize);
      instant_ = *value;
    }
    return value;
  }

 private:
  static constexpr std::uint64_t kFactor = 0x9e3779b97f4a7c15;
  static constexpr std::size_t kSize = std::string_view("2026-01-02T03:04:05Z").size();

  std::array<ResourceList, 1024> lists_;
  std::array<char, kSize> text_{};
  Instant instant_;
};

}  // namespace previct
