#pragma once

#include "input/events.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace previct {

/// The recorded events of one object, so that its kind can be read before its fields are decoded.
///
/// A flat array, reused for each object. A map or list is followed by its contents, with a map's keys and values
/// alternating, and stores the index of its end, so that it can be skipped in one step.
class Tape {
 public:
  struct Entry {
    EventType type;  ///< begin_map, begin_list or scalar
    ScalarType scalar = ScalarType::null;
    std::uint32_t line = 0;
    std::uint32_t column = 0;
    std::uint32_t text = 0;  ///< offset of a scalar's text
    std::uint32_t size = 0;  ///< size of the text in bytes
    std::uint32_t next = 0;  ///< index of the entry after this value
  };

  void clear() {
    entries_.clear();
    open_.clear();
    text_.clear();
  }

  /// Appends an event (begin_map, begin_list, end or scalar).
  void add(const Event& event);

  /// Appends a complete value of another tape.
  void add(const Tape& from, std::uint32_t index);

  /// Returns true if all containers are closed and there is a value.
  [[nodiscard]] auto complete() const -> bool { return !entries_.empty() && open_.empty(); }

  /// Returns true if the indexes of the tape are exhausted.
  [[nodiscard]] auto full() const -> bool { return text_.size() > kMostText || entries_.size() > kMostText; }

  [[nodiscard]] auto size() const -> std::uint32_t { return static_cast<std::uint32_t>(entries_.size()); }
  [[nodiscard]] auto operator[](std::uint32_t index) const -> const Entry& { return entries_[index]; }
  [[nodiscard]] auto text(const Entry& entry) const -> std::string_view {
    return std::string_view(text_).substr(entry.text, entry.size);
  }

  /// Returns true if the value at `index` is null, or an empty map or list.
  [[nodiscard]] auto is_nothing(std::uint32_t index) const -> bool {
    const Entry& entry = entries_[index];
    return entry.type == EventType::scalar ? entry.scalar == ScalarType::null : entry.next == index + 1;
  }

  /// The text of the value at `index` if it is a string; otherwise, and for size(), empty.
  [[nodiscard]] auto string(std::uint32_t index) const -> std::string_view;

  /// The index of the value of `key` in the map at `map`; size() if it is not a map or has no such key. If the key is
  /// repeated, the last one.
  [[nodiscard]] auto find(std::uint32_t map, std::string_view key) const -> std::uint32_t;

 private:
  static constexpr std::size_t kMostText = UINT32_MAX - (std::size_t{64} << 20U);  // no event is larger than the
                                                                                   // remainder

  std::vector<Entry> entries_;
  std::vector<std::uint32_t> open_;
  std::string text_;
};

/// Records one value whose first event is `first`, reading the rest of it from `source`. Errors: those of the source; a
/// value of 4 GiB or more.
[[nodiscard]] auto record(EventSource& source, const Event& first, Tape& tape) -> Result<void>;

}  // namespace previct
