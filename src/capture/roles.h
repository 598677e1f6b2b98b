#pragma once

#include "api/objects.h"

#include <cstdint>
#include <set>
#include <string_view>
#include <vector>

namespace previct::capture {

using Role = TextRole;

/// The suffix of new names: `node`, `ns`, `pod`, `class` …
[[nodiscard]] auto suffix_of(Role role) -> std::string_view;

/// The roles of every symbol, by index, collected by the describe() of all objects.
class Roles {
 public:
  explicit Roles(const Objects& objects);

  [[nodiscard]] auto has(Symbol symbol, Role role) const -> bool { return (masks_[symbol.index] & bit(role)) != 0; }
  /// False if the text occurs only in data that is not written.
  [[nodiscard]] auto used(Symbol symbol) const -> bool { return masks_[symbol.index] != 0; }
  [[nodiscard]] auto first(Symbol symbol) const -> Role;
  [[nodiscard]] auto size() const -> std::size_t { return masks_.size(); }

  void add(Symbol symbol, Role role) { masks_[symbol.index] |= bit(role); }

  /// Returns true for attributes and capacities of devices, whatever their domain: CEL selectors, which are kept whole,
  /// name them.
  [[nodiscard]] auto kept(Symbol symbol) const -> bool { return kept_.contains(symbol); }
  void keep(Symbol symbol) { kept_.insert(symbol); }

 private:
  static constexpr auto bit(Role role) -> std::uint16_t {
    return static_cast<std::uint16_t>(1U << static_cast<unsigned>(role));
  }

  std::vector<std::uint16_t> masks_;
  std::set<Symbol> kept_;
};

}  // namespace previct::capture
