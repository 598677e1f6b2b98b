#include "cluster/label_query.h"

#include "base/contains.h"
#include "base/trimmed.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace previct {
namespace {

// Removes and returns the text before the first comma outside of parentheses; removes the comma, too.
auto take_part(std::string_view& rest) -> std::string_view {
  bool inside = false;
  for (std::size_t i = 0; i < rest.size(); ++i) {
    if (rest[i] == '(') inside = true;
    if (rest[i] == ')') inside = false;
    if (rest[i] != ',' || inside) continue;
    const std::string_view part = rest.substr(0, i);
    rest.remove_prefix(i + 1);
    return trimmed(part);
  }
  return trimmed(std::exchange(rest, {}));
}

auto is_word(std::string_view text) -> bool {
  return text.find_first_of(" !=(),") == std::string_view::npos;
}

}  // namespace

auto LabelQuery::term_of(std::string_view text) -> std::optional<Term> {
  Term term;
  std::string_view key = text;
  const std::size_t equals = text.find('=');
  if (text.ends_with(')')) {
    const std::size_t open = text.find('(');
    const std::string_view before = trimmed(text.substr(0, open));
    const std::size_t blank = before.find_last_of(' ');
    if (open == std::string_view::npos || blank == std::string_view::npos) return {};
    const std::string_view word = before.substr(blank + 1);
    if (word != "in" && word != "notin") return {};
    term.negated = word == "notin";
    key = trimmed(before.substr(0, blank));
    for (std::string_view rest = text.substr(open + 1, text.size() - open - 2);;) {
      const std::size_t comma = rest.find(',');
      term.values.emplace_back(trimmed(rest.substr(0, comma)));
      if (comma == std::string_view::npos) break;
      rest.remove_prefix(comma + 1);
    }
  } else if (equals != std::string_view::npos) {
    term.values.emplace_back(trimmed(text.substr(equals + (text.substr(equals, 2) == "==" ? 2 : 1))));
    key = text.substr(0, equals);
    term.negated = key.ends_with('!');
    if (term.negated) key.remove_suffix(1);
    key = trimmed(key);
  } else if (text.starts_with('!')) {
    term.negated = true;
    key = trimmed(text.substr(1));
  }
  term.key = key;
  if (key.empty() || !is_word(key) || !std::all_of(term.values.begin(), term.values.end(), is_word)) return {};
  return term;
}

auto LabelQuery::parse(std::string_view text) -> Result<LabelQuery> {
  LabelQuery query;
  for (std::string_view rest = text; !rest.empty();) {
    auto term = term_of(take_part(rest));
    if (!term) {
      return fail(fmt::format(
          "selector \"{}\": expected terms such as app=a, tier!=b, c, !d, e in (f,g) or h notin (i)", text));
    }
    query.terms_.push_back(*std::move(term));
  }
  return query;
}

auto LabelQuery::matches(const SymbolMap& labels, const Symbols& symbols) const -> bool {
  return std::all_of(terms_.begin(), terms_.end(), [&](const Term& term) {
    const Symbol key = symbols.find(term.key);
    const Symbol value = key ? labels.get(key) : Symbol{};
    const bool holds =
        static_cast<bool>(value) && (term.values.empty() || contains(term.values, std::string(symbols.text(value))));
    return holds != term.negated;
  });
}

}  // namespace previct
