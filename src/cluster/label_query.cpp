#include "cluster/label_query.h"

#include <fmt/format.h>

#include <algorithm>

namespace previct {

auto LabelQuery::parse(std::string_view text) -> Result<LabelQuery> {
  LabelQuery query;
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t comma = rest.find(',');
    std::string_view part = rest.substr(0, comma);
    rest.remove_prefix(comma == std::string_view::npos ? rest.size() : comma + 1);
    Term term;
    const std::size_t equals = part.find('=');
    if (equals == std::string_view::npos) {
      term.exists_only = true;
      term.equal = !part.starts_with('!');
      if (!term.equal) part.remove_prefix(1);
      term.key = part;
    } else {
      term.value = part.substr(equals + (part.substr(equals, 2) == "==" ? 2 : 1));
      std::string_view key = part.substr(0, equals);
      term.equal = !key.ends_with('!');
      if (!term.equal) key.remove_suffix(1);
      term.key = key;
    }
    constexpr std::string_view kOthers = " !=()";
    if (term.key.empty() || term.key.find_first_of(kOthers) != std::string::npos ||
        term.value.find_first_of(kOthers) != std::string::npos) {
      return fail(fmt::format("selector \"{}\": expected terms such as app=a, tier!=b, c or !d", text));
    }
    query.terms_.push_back(std::move(term));
  }
  return query;
}

auto LabelQuery::matches(const SymbolMap& labels, const Symbols& symbols) const -> bool {
  return std::all_of(terms_.begin(), terms_.end(), [&](const Term& term) {
    const Symbol key = symbols.find(term.key);
    const Symbol value = key ? labels.get(key) : Symbol{};
    const bool holds = static_cast<bool>(value) && (term.exists_only || symbols.text(value) == term.value);
    return holds == term.equal;
  });
}

}  // namespace previct
