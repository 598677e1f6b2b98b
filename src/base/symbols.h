#pragma once

#include "base/id.h"
#include "base/pool.h"
#include "base/shared_reading.h"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace previct {

/// Interned strings: each distinct string is stored once. Equal strings have equal symbols, so engines compare
/// integers.
///
/// A default Symbol ("none") stands for an absent string; the empty string has a symbol of its own. Symbols are
/// numbered in the order of first use, so they must never determine an order that is shown.
class Symbols {
 public:
  Symbols() = default;
  Symbols(const Symbols&) = delete;
  auto operator=(const Symbols&) -> Symbols& = delete;
  Symbols(Symbols&&) = default;
  auto operator=(Symbols&&) -> Symbols& = default;

  /// Throws AddedWhileShared if the text is new and several threads read the symbols.
  auto intern(std::string_view text) -> Symbol;

  /// Several threads will read the symbols from now on, or no longer.
  void share(bool shared) { shared_.set(shared); }

  /// Interns all strings of `other`, in its order. Returns the symbols here, indexed by the symbols of `other`.
  [[nodiscard]] auto take(Symbols&& other) -> std::vector<Symbol>;

  /// The symbol of `text` if it was ever interned; none otherwise.
  [[nodiscard]] auto find(std::string_view text) const -> Symbol;

  /// Prefetches the slot of a text that is about to be looked up.
  void expect(std::string_view text) const;

  /// The text; empty for none. The view is valid as long as this object.
  [[nodiscard]] auto text(Symbol symbol) const -> std::string_view {
    if (!symbol) return {};
    const Entry& entry = entries_[symbol.index];
    return {entry.text, entry.size};
  }

  [[nodiscard]] auto size() const -> std::size_t { return entries_.size(); }

 private:
  struct Entry {
    const char* text;
    std::uint32_t size;
  };

  struct Slot {
    std::uint32_t hash;
    std::uint32_t entry;  // index of the entry + 1; 0: the slot is free
  };

  /// The slot of `text`, or the free slot where it belongs.
  [[nodiscard]] auto slot_of(std::string_view text, std::uint32_t hash) const -> std::size_t;
  [[nodiscard]] auto stored(std::string_view text) -> const char*;
  /// Adds a text whose free slot is `slot`. The text must not move.
  void add(std::string_view text, std::uint32_t hash, std::size_t slot);
  void grow();

  std::vector<Entry> entries_;
  std::vector<Slot> slots_;  // size: a power of two; at most 3/4 in use
  std::vector<Piece> blocks_;
  std::size_t left_ = 0;  // free bytes in the last block
  SharedReading shared_;
};

}  // namespace previct
