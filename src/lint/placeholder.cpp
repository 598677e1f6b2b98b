#include "lint/placeholder.h"

#include "base/trimmed.h"

#include <algorithm>
#include <array>
#include <utility>

namespace previct::lint {
namespace {

auto is_name(std::string_view text) -> bool {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
           c == '.';
  });
}

auto between(std::string_view text, std::string_view open, std::string_view close) -> bool {
  return text.size() > open.size() + close.size() && text.starts_with(open) && text.ends_with(close) &&
         is_name(text.substr(open.size(), text.size() - open.size() - close.size()));
}

/// `FROM_OVERLAY`, `XVERSIONX`: words that are replaced later.
auto is_marker(std::string_view word) -> bool {
  const bool capitals = std::all_of(
      word.begin(), word.end(), [](char c) { return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; });
  const bool crossed = word.size() > 4 && word.starts_with('X') && word.ends_with('X');
  return capitals && word.size() > 4 && (crossed || word.find('_') != std::string_view::npos);
}

/// Code lines of ytt are YAML comments: `#@ if values.ha:`.
auto holds_ytt(std::string_view text) -> bool {
  for (std::size_t at = text.find("#@"); at != std::string_view::npos; at = text.find("#@", at + 1)) {
    const std::string_view rest = text.substr(at + 2);
    if (rest.starts_with(" if ") || rest.starts_with(" for ") || rest.starts_with(" load(")) return true;
  }
  return false;
}

auto is_capital(char c) -> bool {
  return (c >= 'A' && c <= 'Z') || c == '_';
}

}  // namespace

auto is_placeholder(std::string_view text) -> bool {
  for (const std::string_view mark : {"${", "{{", "$(", "{%", "<%", "[[", "RELEASE-NAME"}) {
    if (text.find(mark) != std::string_view::npos) return true;
  }
  for (std::size_t at = text.find('$'); at != std::string_view::npos; at = text.find('$', at + 1)) {
    if (at + 1 < text.size() && is_capital(text[at + 1])) return true;
  }
  if (text.size() > 2 && text.front() == '<' && text.find('>') == text.size() - 1) return true;
  if (is_marker(text.substr(text.rfind('/') + 1))) return true;
  return between(text, "__", "__") || between(text, "%", "%") || between(text, "@", "@");
}

auto holds_placeholder(const Value& value) -> bool {
  if (!value) return false;
  const Tape& tape = value.manifest().tape;
  for (std::uint32_t i = value.index(); i < tape[value.index()].next; ++i) {
    if (tape[i].type == EventType::scalar && is_placeholder(tape.text(tape[i]))) return true;
  }
  return false;
}

auto is_unknown(const Value& value) -> bool {
  if (value.is_scalar()) return is_placeholder(value.text());
  if (!value.is_map()) return false;
  const Tape& tape = value.manifest().tape;
  const std::uint32_t key = value.index() + 1;
  if (tape[value.index()].next <= key) return false;
  const bool one = tape[key + 1].next == tape[value.index()].next;
  // A test expression, `(length(@)): 3`, is a placeholder; `{name}` is one, but not `{name: null}`.
  if (!one || tape.text(tape[key]).starts_with('(')) return one;
  const Manifest& manifest = value.manifest();
  const std::string_view text = manifest.source->text;
  const std::size_t at =
      manifest.exact && manifest.origins.empty()
          ? manifest.source->offset(tape[key].line + manifest.lines_before, tape[key].column + manifest.columns_before)
          : std::string::npos;
  if (value.size() != 0 || at == std::string::npos || at == 0 || text[at - 1] != '{') return false;
  const std::size_t end = text.find_first_not_of(' ', at + tape.text(tape[key]).size());
  return end != std::string_view::npos && text[end] == '}';
}

auto line_holds_placeholder(std::string_view line) -> bool {
  const std::string_view text = trimmed(line);
  if (is_placeholder(text) || (text.starts_with('<') && text.ends_with('>'))) return true;
  for (const auto& [open, close] :
       {std::pair{'@', '@'}, std::pair{'%', '%'}, std::pair{'{', '}'}, std::pair{'<', '>'}}) {
    for (std::size_t at = line.find(open); at != std::string_view::npos; at = line.find(open, at + 1)) {
      const std::size_t end = line.find(close, at + 1);
      if (end != std::string_view::npos && is_name(line.substr(at + 1, end - at - 1))) return true;
    }
  }
  return false;
}

auto is_template(std::string_view text) -> bool {
  if (holds_ytt(text)) return true;
  constexpr std::array<std::string_view, 3> kMarks = {"{{", "{%", "<%"};
  return std::any_of(kMarks.begin(), kMarks.end(),
                     [&](std::string_view mark) { return text.find(mark) != std::string_view::npos; }) ||
         text.starts_with("[[") || text.find("\n[[") != std::string_view::npos;
}

}  // namespace previct::lint
