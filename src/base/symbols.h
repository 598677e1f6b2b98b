#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/id.h"

namespace previct {

/// Every string that is compared, once. Equal strings have equal symbols, so engines compare integers.
///
/// A default Symbol ("none") stands for an absent string; the empty string is a symbol of its own.
/// Symbols are numbered in the order of first use, so they must never decide an order that is shown.
class Symbols {
 public:
  Symbols();
  Symbols(const Symbols&) = delete;
  auto operator=(const Symbols&) -> Symbols& = delete;
  Symbols(Symbols&&) = default;
  auto operator=(Symbols&&) -> Symbols& = default;

  auto intern(std::string_view text) -> Symbol;

  /// The symbol of `text` if it was ever seen; none otherwise.
  [[nodiscard]] auto find(std::string_view text) const -> Symbol;

  /// The text; empty for none. Valid as long as this object.
  [[nodiscard]] auto text(Symbol symbol) const -> std::string_view;

  [[nodiscard]] auto size() const -> std::size_t { return texts_.size(); }

 private:
  std::unordered_map<std::string_view, Symbol> by_text_;
  std::deque<std::string> texts_;  // a deque: views into its elements stay valid
};

}  // namespace previct
