#pragma once

#include "api/meta.h"
#include "api/pod.h"
#include "base/instant.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace previct {

/// A cache of recently read values, so that equal values need neither time nor memory again.
class Recent {
 public:
  /// The list itself, or an equal list that was read before.
  auto shared(ResourceList list) -> ResourceList {
    if (list.empty()) return list;
    std::uint64_t hash = 0;
    for (const auto& [name, quantity] : list) hash = mixed(hash, name, quantity);
    ResourceList& last = place_of(hash);
    if (!std::equal(list.begin(), list.end(), last.begin(), last.end())) last = std::move(list);
    return last;
  }
  /// `list` with another quantity for `name`, or an equal list that was read before.
  auto with(const ResourceList& list, Symbol name, Quantity quantity) -> ResourceList {
    const ResourceList::Entry* const begin = list.begin();
    const ResourceList::Entry* const end = list.end();
    const auto* const known = std::find_if(begin, end, [&](const auto& entry) { return entry.first == name; });
    if (known == end) {
      ResourceList changed = list;
      changed.set(name, quantity);
      return changed;
    }
    std::uint64_t hash = 0;
    for (const auto* entry = begin; entry != end; ++entry)
      hash = mixed(hash, entry->first, entry == known ? quantity : entry->second);
    ResourceList& last = place_of(hash);
    const ResourceList::Entry* other = last.begin();
    bool same = last.size() == list.size();
    for (const auto* entry = begin; same && entry != end; ++entry, ++other)
      same = other->first == entry->first && other->second == (entry == known ? quantity : entry->second);
    if (!same) {
      last = list;
      last.set(name, quantity);
    }
    return last;
  }

  /// For containers or volumes: the list itself, or an equal list that was read before, unless its slot was reused.
  /// Most pods share some lists with their workload, and most workloads with others.
  template <class T>
  auto shared(SharedList<T> list) -> SharedList<T> {
    auto& [known, few] = std::get<Kept<T>>(longer_lists_);
    if (list.empty() || list.shared() != nullptr) return list;
    if (few > 0) {
      --few;
      return list;
    }
    if (known.empty()) known.resize(kLists);
    std::uint64_t hash = list.size();
    for (const T& element : std::as_const(list)) hash = mixed(hash, element);
    const std::size_t place = (hash >> 32U) % known.size();
    SharedList<T>& last = known[place];
    if (last == list) return last;
    std::swap(last, known[place ^ 1U]);
    if (!(last == list)) last = std::move(list);
    return last;
  }

  /// As parse_instant(), with the last result cached: most times of an object are equal.
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
  static auto mixed(std::uint64_t hash, Symbol name, Quantity quantity) -> std::uint64_t {
    const auto nanos = static_cast<unsigned __int128>(quantity.nanos());
    hash = (hash ^ name.index) * kFactor;
    return (hash ^ static_cast<std::uint64_t>(nanos) ^ static_cast<std::uint64_t>(nanos >> 64U)) * kFactor;
  }
  // Hashes the members that distinguish most containers.
  static auto mixed(std::uint64_t hash, const Container& container) -> std::uint64_t {
    hash = (hash ^ container.name.index) * kFactor;
    for (const auto* amounts : {&container.resources.requests, &container.resources.limits}) {
      for (const auto& [name, quantity] : *amounts) hash = mixed(hash, name, quantity);
    }
    return (hash ^ container.mounts.size()) * kFactor;
  }
  static auto mixed(std::uint64_t hash, const Volume& volume) -> std::uint64_t {
    hash = (hash ^ volume.name.index) * kFactor;
    return (hash ^ volume.claim.claim_name.index ^ volume.config_map.name.index) * kFactor;
  }
  auto place_of(std::uint64_t hash) -> ResourceList& { return lists_[(hash >> 32U) % lists_.size()]; }

  static constexpr std::uint64_t kFactor = 0x9e3779b97f4a7c15;
  static constexpr std::size_t kSize = std::string_view("2026-01-02T03:04:05Z").size();

  static constexpr std::size_t kLists = 4096;
  template <class T>
  struct Kept {
    std::vector<SharedList<T>> known;
    unsigned few = 64;  // the first lists are not cached; small inputs have no more than these
  };

  std::array<ResourceList, 1024> lists_;
  std::tuple<Kept<Container>, Kept<Volume>> longer_lists_;
  std::array<char, kSize> text_{};
  Instant instant_;
};

}  // namespace previct
