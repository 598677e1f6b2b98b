#include "base/symbols.h"

namespace previct {

Symbols::Symbols() = default;

auto Symbols::intern(std::string_view text) -> Symbol {
  if (const auto found = by_text_.find(text); found != by_text_.end()) return found->second;
  const Symbol symbol{static_cast<std::uint32_t>(texts_.size())};
  by_text_.emplace(texts_.emplace_back(text), symbol);
  return symbol;
}

auto Symbols::find(std::string_view text) const -> Symbol {
  const auto found = by_text_.find(text);
  return found == by_text_.end() ? Symbol{} : found->second;
}

auto Symbols::text(Symbol symbol) const -> std::string_view {
  return symbol ? std::string_view(texts_[symbol.index]) : std::string_view();
}

}  // namespace previct
