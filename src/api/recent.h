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
    ResourceList& last = place_of(list.begin(), list.end());
    if (!std::equal(list.begin(), list.end(), last.begin(), last.end())) last = std::move(list);
    return last;
  }
  /// The list with another quantity, or one with the same entries that was read before.
  auto with(const ResourceList& list, Symbol name, Quantity quantity) -> ResourceList {
    constexpr std::size_t kMost = 8;
    const auto same = [&](const ResourceList::Entry& entry) { return entry.first == name; };
    std::array<ResourceList::Entry, kMost> entries;
    const auto* const known = std::find_if(list.begin(), list.end(), same);
    if (list.size() > kMost || known == list.end()) {
      ResourceList changed = list;
      changed.set(name, quantity);
      return changed;
    }
    auto* const end = std::copy(list.begin(), list.end(), entries.begin());
    entries[static_cast<std::size_t>(known - list.begin())].second = quantity;
    ResourceList& last = place_of(entries.begin(), end);
    if (!std::equal(entries.begin(), end, last.begin(), last.end())) {
      last = list;
      last.set(name, quantity);
    }
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
  auto place_of(const ResourceList::Entry* begin, const ResourceList::Entry* end) -> ResourceList& {
    std::uint64_t hash = 0;
    for (; begin != end; ++begin) {
      const auto nanos = static_cast<unsigned __int128>(begin->second.nanos());
      hash = (hash ^ begin->first.index) * kFactor;
      hash = (hash ^ static_cast<std::uint64_t>(nanos) ^ static_cast<std::uint64_t>(nanos >> 64U)) * kFactor;
    }
    return lists_[(hash >> 32U) % lists_.size()];
  }

  static constexpr std::uint64_t kFactor = 0x9e3779b97f4a7c15;
  static constexpr std::size_t kSize = std::string_view("2026-01-02T03:04:05Z").size();

  std::array<ResourceList, 1024> lists_;
  std::array<char, kSize> text_{};
  Instant instant_;
};

}  // namespace previct
