#include "input/yaml_styles.h"

#include "input/yaml_text.h"

#include <algorithm>

namespace previct::yaml_text {

auto Lines::next() -> bool {
  const char* const line = line_end + 1;
  const char* const feed = line < end ? find(line, end, '\n') : end;
  if (feed == end) {
    cut = !whole;
    return false;
  }
  begin = line;
  line_end = feed;
  ++passed;
  return true;
}

// NOLINTNEXTLINE(readability-function-cognitive-complexity): characters, each in its place
auto pass_quoted(const char* at, Lines& lines, int column, std::string* out) -> const char* {
  const char quote = *at;
  const char* const first = at++;
  std::size_t kept = out == nullptr ? 0 : out->size();  // without trailing blanks of the line
  const auto add = [&](char c) {
    if (out == nullptr) return;
    *out += c;
    if (c != ' ') kept = out->size();
  };
  for (;;) {
    const bool joined = *at == '\\' && quote == '"' && at + 1 == lines.line_end;
    if (at == lines.line_end || joined) {
      if (!joined && out != nullptr) out->resize(kept);
      std::size_t empty = 0;
      for (;; ++empty) {
        if (!lines.next() || is_marker(lines.begin, '-') || is_marker(lines.begin, '.')) return nullptr;
        at = token_at(lines.begin);
        if (at != lines.line_end) break;
      }
      const bool indented = at - lines.begin > column;
      if (!indented || lines.line_end - first > kMostBytes || !clean(at, lines.line_end, false)) return nullptr;
      if (out == nullptr) continue;
      if (empty == 0 && !joined) *out += ' ';
      out->append(empty, '\n');
      kept = out->size();
    } else if (*at == quote && (quote == '"' || at[1] != '\'')) {
      return at + 1;
    } else if (*at == '\\' && quote == '"') {
      at = escape(at, lines.line_end, out);
      if (at == nullptr) return nullptr;
      if (out != nullptr) kept = out->size();
    } else {
      add(*at);
      at += *at == quote ? 2 : 1;
    }
  }
}

// NOLINTNEXTLINE(readability-function-cognitive-complexity): characters, each in its place
auto pass_block_text(const char* at, Lines& lines, int column, std::string* out) -> bool {
  constexpr std::ptrdiff_t kMostBlanks = 10'000;
  const bool literal = *at == '|';
  char keep = ' ';
  int indent = 0;
  for (++at; *at != ' ' && *at != '\n'; ++at) {
    if ((*at == '-' || *at == '+') && keep == ' ') {
      keep = *at;
    } else if (*at >= '1' && *at <= '9' && indent == 0) {
      indent = column + (*at - '0');
    } else {
      return false;
    }
  }
  const char* const token = token_at(at);
  if (*token != '\n' && (*token != '#' || token == at || !clean(token, lines.line_end, false))) return false;
  const char* const first = lines.line_end;
  std::size_t empty = 0;  // number of empty lines
  bool any = false;
  bool indented = false;  // the last line was indented further
  for (;;) {
    Lines line = lines;
    if (!line.next()) {
      lines.cut = line.cut;
      if (lines.cut || lines.line_end + 1 < lines.end) return false;
      break;
    }
    const char* const text = token_at(line.begin);
    const auto blanks = static_cast<int>(std::min<std::ptrdiff_t>(text - line.begin, kMostBlanks));
    if (*text == '\n' && (indent == 0 || blanks <= indent)) {
      if (indent == 0 && blanks > 0) return false;  // ambiguous
      ++empty;
    } else {
      if (indent == 0) indent = std::max(blanks, column + 1);
      if (blanks < indent) break;
      if (line.line_end - first > kMostBytes || !clean(text, line.line_end, false)) return false;
      const bool folds = !literal && any && !indented && blanks == indent;
      if (out != nullptr) {
        if (folds && empty == 0) *out += ' ';
        if (any && !folds) *out += '\n';
        out->append(empty, '\n');
        out->append(line.begin + indent, line.line_end);
      }
      indented = blanks > indent;
      empty = 0;
      any = true;
    }
    lines = line;
  }
  if (out == nullptr) return true;
  if (any && keep != '-') *out += '\n';
  if (keep == '+') out->append(empty, '\n');
  return true;
}

}  // namespace previct::yaml_text
