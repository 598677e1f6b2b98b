#pragma once

#include "base/id.h"
#include "base/pool.h"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace previct {

/// Every string that is compared, once. Equal strings have equal symbols, so engines compare integers.
///
/// A default Symbol ("none") stands for an absent string; the empty string is a symbol of its own.
/// Symbols are numbered in the order of first use, so they must never decide an order that is shown.
class Symbols {
 public:
  Symbols() = default;
  Symbols(const Symbols&) = delete;
  auto operator=(const Symbols&) -> Symbols& = delete;
  Symbols(Symbols&&) = default;
  auto operator=(Symbols&&) -> Symbols& = default;

  auto intern(std::string_view text) -> Symbol;

  /// Interns all that `other` has, in its order: the symbols here, by the index of those there.
  [[nodiscard]] auto take(Symbols&& other) -> std::vector<Symbol>;

  /// The symbol of `text` if it was ever seen; none otherwise.
  [[nodiscard]] auto find(std::string_view text) const -> Symbol;

  /// It is about to be asked for: then what tells its symbol is nearer.
  void expect(std::string_view text) const;

  /// The text; empty for none. Valid as long as this object.
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
    std::uint32_t entry;  // its index + 1; 0: free
  };

  /// The slot of `text`, or the empty one where it belongs.
  [[nodiscard]] auto slot_of(std::string_view text, std::uint32_t hash) const -> std::size_t;
  [[nodiscard]] auto stored(std::string_view text) -> const char*;
  /// `slot`: where it belongs. The text must stay where it is.
  void add(std::string_view text, std::uint32_t hash, std::size_t slot);
  void grow();

  std::vector<Entry> entries_;
  std::vector<Slot> slots_;  // a power of two, at most 3/4 of them taken
  std::vector<Piece> blocks_;
  std::size_t left_ = 0;  // in the last block
};

}  // namespace previct
