#include "report/escape.h"

#include "base/ascii.h"
#include "base/path.h"
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>

namespace previct {
namespace {

// Replaces every character for which `replacement` returns a text.
template <class Replacement>
auto replaced(std::string_view text, Replacement replacement) -> std::string {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    const std::string_view other = replacement(c);
    other.empty() ? out += c : out += other;
  }
  return out;
}

auto xml_entity(char c) -> std::string_view {
  switch (c) {
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '"': return "&quot;";
    case '\'': return "&apos;";
    default: return {};
  }
}

auto percent(char c) -> std::string_view {
  switch (c) {
    case '%': return "%25";
    case '\r': return "%0D";
    case '\n': return "%0A";
    default: return {};
  }
}

}  // namespace

auto xml_text(std::string_view raw) -> std::string {
  return replaced(escaped(raw), xml_entity);
}

namespace {

auto is_word(char c) -> bool {
  return is_letter(c) || is_digit(c);
}

// Returns true for a `:name:` that pages show as a picture. Numbers in times and places (`:41:`) are none, with two
// exceptions.
auto begins_emoji(std::string_view text) -> bool {
  constexpr std::string_view kPart = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_+-";
  const std::size_t end = text.find_first_not_of(kPart, 1);
  if (end == std::string_view::npos || end == 1 || text[end] != ':') return false;
  const std::string_view name = text.substr(1, end - 1);
  return name == "100" || name == "1234" || name.find_first_not_of("0123456789") != std::string_view::npos;
}

// Escapes single characters of running text, only where they would have an effect. Any text may precede and follow the
// text.
class MarkdownEscape {
 public:
  MarkdownEscape(std::string text, bool begins_line) : text_(std::move(text)), begins_line_(begins_line) {
    may_link_ = text_.find("](") != std::string::npos || text_.find("][") != std::string::npos ||
                text_.find("]:") != std::string::npos || text_.ends_with(']');
  }

  auto run() -> std::string {
    for (at_ = 0; at_ < text_.size(); ++at_) step(text_[at_]);
    return std::move(out_);
  }

 private:
  [[nodiscard]] auto before() const -> char { return at_ == 0 ? '\0' : text_[at_ - 1]; }
  [[nodiscard]] auto next() const -> char { return at_ + 1 < text_.size() ? text_[at_ + 1] : '\0'; }
  [[nodiscard]] auto first() const -> bool { return begins_line_ && at_ == 0; }

  void step(char c) {
    if (const std::string_view broken = breaks(c); !broken.empty()) {
      out_ += broken;
      return;
    }
    if (acts(c)) out_ += '\\';
    out_ += c;
  }

  // The replacement of a character that begins HTML, a mention, a reference, an address or a picture.
  [[nodiscard]] auto breaks(char c) const -> std::string_view {
    const char then = next();
    const bool last = then == '\0';
    switch (c) {
      case '<': return last || is_word(then) || then == '/' || then == '!' || then == '?' ? "&lt;" : "";
      case '>': return first() ? "&gt;" : "";
      case '&': return last || is_word(then) || then == '#' ? "&amp;" : "";
      case '@': return last || is_word(then) || then == '-' || then == '_' ? "@&#8203;" : "";
      case '#': return last || is_digit(then) ? "#&#8203;" : "";
      case '-': return is_behind_gh() && (last || is_digit(then)) ? "-&#8203;" : "";
      case ':':
        return text_.compare(at_, 3, "://") == 0 || begins_emoji(std::string_view(text_).substr(at_)) ? ":&#8203;" : "";
      case '.': return at_ >= 3 && is_www() ? ".&#8203;" : "";
      default: return "";
    }
  }
  // GitHub links GH-1 to the first issue.
  [[nodiscard]] auto is_behind_gh() const -> bool {
    if (at_ < 2) return false;
    const bool gh = lower(text_[at_ - 2]) == 'g' && lower(text_[at_ - 1]) == 'h';
    return gh && (at_ == 2 || !is_word(text_[at_ - 3]));
  }
  [[nodiscard]] auto is_www() const -> bool {
    const auto same = [&](std::size_t i) { return text_[i] == 'w' || text_[i] == 'W'; };
    return same(at_ - 1) && same(at_ - 2) && same(at_ - 3);
  }

  // Returns true for a character whose effect a backslash removes.
  [[nodiscard]] auto acts(char c) const -> bool {
    switch (c) {
      case '\\':
      case '`':
      case '|':
      case '$':
      case '~': return true;
      case '*': return !(before() == ' ' && next() == ' ');
      case '_': return !is_word(far(-1)) || !is_word(far(1));
      case '[': return first() || next() == '^' || may_link_;
      case '#':
      case '+':
      case '-':
      case '=': return first();
      case '.':
      case ')': return begins_line_ && at_ > 0 && at_ <= kOrdinal && all_digits_before();
      default: return false;
    }
  }
  // The first character before or after a run of underscores.
  [[nodiscard]] auto far(int step) const -> char {
    auto i = static_cast<std::ptrdiff_t>(at_);
    const auto size = static_cast<std::ptrdiff_t>(text_.size());
    while (i >= 0 && i < size && text_[static_cast<std::size_t>(i)] == '_') i += step;
    return i < 0 || i >= size ? '\0' : text_[static_cast<std::size_t>(i)];
  }
  [[nodiscard]] auto all_digits_before() const -> bool {
    return std::all_of(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(at_), is_digit);
  }

  static constexpr std::size_t kOrdinal = 9;  // maximum digits of a list number
  std::string text_;
  bool begins_line_;
  bool may_link_ = false;
  std::size_t at_ = 0;
  std::string out_;
};

}  // namespace

auto markdown_text(std::string_view raw, bool begins_line) -> std::string {
  return MarkdownEscape(escaped(raw), begins_line).run();
}

auto markdown_code(std::string_view raw, bool in_table) -> std::string {
  std::string text = escaped(raw);
  if (text.empty()) return text;
  std::size_t longest = 0;
  for (std::size_t at = text.find('`'); at != std::string::npos; at = text.find('`', at)) {
    const std::size_t end = std::min(text.find_first_not_of('`', at), text.size());
    longest = std::max(longest, end - at);
    at = end;
  }
  // In a table a bar ends the cell, even in code, unless it is escaped; the escape is not shown.
  for (std::size_t at = 0; in_table && (at = text.find('|', at)) != std::string::npos; at += 2) text.insert(at, "\\");
  const std::string fence(longest + 1, '`');
  const bool touches = text.front() == '`' || text.back() == '`' || (text.front() == ' ' && text.back() == ' ');
  const std::string_view pad = touches ? " " : "";
  return fmt::format("{0}{1}{2}{1}{0}", fence, pad, text);
}

auto workflow_text(std::string_view raw) -> std::string {
  return replaced(escaped(raw), percent);
}

auto workflow_property(std::string_view raw) -> std::string {
  return replaced(workflow_text(raw), [](char c) -> std::string_view {
    return c == ':' ? "%3A" : c == ',' ? "%2C" : std::string_view();
  });
}

auto without_ci_commands(std::string lines) -> std::string {
  // Runners recognize some commands anywhere in a line.
  for (const std::string_view mark : {"##[", "##vso[", "##teamcity["}) {
    for (std::size_t at = lines.find(mark); at != std::string::npos; at = lines.find(mark, at + mark.size() + 1)) {
      lines.insert(at + 1, "\\");
    }
  }
  std::size_t begin = 0;
  while (begin < lines.size()) {
    const std::size_t end = std::min(lines.find('\n', begin), lines.size());
    const std::size_t first = std::min(lines.find_first_not_of(" \t", begin), end);
    const bool command = lines.compare(first, 2, "::") == 0 && lines.find("::", first + 2) < end;
    if (command) lines.insert(first + 1, "\\");
    begin = end + (command ? 2 : 1);
  }
  return lines;
}

auto uri_of(std::string_view path) -> std::string {
  while (path.starts_with("./")) path.remove_prefix(2);
  constexpr std::string_view kPlain = "-._~/!$&'()*+,;=@";
  std::string out = !is_absolute(path) ? "" : path.starts_with("/") ? "file://" : "file:///";
  for (const char c : path) {
    if (is_word(c) || kPlain.find(c) != std::string_view::npos) {
      out += c;
    } else {
      out += fmt::format("%{:02X}", static_cast<unsigned>(static_cast<unsigned char>(c)));
    }
  }
  return out;
}

}  // namespace previct
