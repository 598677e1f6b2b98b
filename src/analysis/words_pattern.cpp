#include "analysis/words_pattern.h"

#include "base/ascii.h"

#include <algorithm>

namespace previct {
namespace {

constexpr std::size_t kLongestValue = 512;
constexpr std::string_view kEndsNoWord = ".,;:!?)]}>'\"`|\\";

auto is_word_byte(char c) -> bool {
  return is_letter(c) || is_digit(c) || c == '_' || (static_cast<unsigned char>(c) & 0x80U) != 0;
}

auto is_number(std::string_view text) -> bool {
  return !text.empty() && std::all_of(text.begin(), text.end(), is_digit);
}

auto is_running_text(std::string_view type) -> bool {
  constexpr std::array<std::string_view, 8> kTypes = {"text",  "words",   "amounts", "purpose",
                                                      "gates", "plugins", "zones",   "feature"};
  return std::find(kTypes.begin(), kTypes.end(), type) != kTypes.end();
}

// The size up to the bracket that closes the first one.
auto bracketed_size(std::string_view text, char open, char close) -> std::optional<std::size_t> {
  if (!text.starts_with(open)) return {};
  std::size_t depth = 0;
  for (std::size_t i = 0; i < std::min(text.size(), kLongestValue); ++i) {
    if (text[i] == open) ++depth;
    if (text[i] == close && --depth == 0) return i + 1;
  }
  return {};
}

auto run(std::string_view text, auto of) -> std::size_t {
  std::size_t n = 0;
  while (n < text.size() && n < kLongestValue && of(text[n])) ++n;
  return n;
}

// `2.5 cores`
auto limit_size(std::string_view text) -> std::optional<std::size_t> {
  std::size_t n = run(text, [](char c) { return is_digit(c) || c == '.'; });
  while (n > 0 && text[n - 1] == '.') --n;
  if (n == 0) return {};
  for (const std::string_view unit : {" cores", " GB", " GPUs", " Mib"}) {
    if (text.substr(n).starts_with(unit)) return n + unit.size();
  }
  return n;
}

// The size of a word at the end of a pattern, without trailing punctuation.
auto word_size(std::string_view text) -> std::size_t {
  std::size_t n = run(text, [](char c) { return c != ' '; });
  while (n > 0 && kEndsNoWord.find(text[n - 1]) != std::string_view::npos) --n;
  return n;
}

auto sentence_size(std::string_view text) -> std::size_t {
  std::size_t end = std::min(text.find(". "), text.find("; "));
  end = std::min({end, text.size(), kLongestValue});
  while (end > 0 && kEndsNoWord.find(text[end - 1]) != std::string_view::npos && text[end - 1] != ')' &&
         text[end - 1] != ']')
    --end;
  return end;
}

}  // namespace

WordsPattern::WordsPattern(std::string_view words) {
  if (words.ends_with('.')) words.remove_suffix(1);
  while (!words.empty()) {
    // `{a:type}` is an operand; other braces are literal.
    std::size_t open = words.find('{');
    while (open != std::string_view::npos && (open + 2 >= words.size() || words[open + 2] != ':'))
      open = words.find('{', open + 1);
    if (open != 0) parts_.push_back({std::string(words.substr(0, open)), 0});
    if (open == std::string_view::npos) break;
    const std::size_t close = std::min(words.find('}', open), words.size() - 1);
    parts_.push_back({"", words[open + 1], std::string(words.substr(open + 3, close - open - 3))});
    words.remove_prefix(close + 1);
  }
}

auto WordsPattern::front() const -> std::string_view {
  return parts_.empty() ? std::string_view() : std::string_view(parts_.front().literal);
}

auto WordsPattern::literal_size() const -> std::size_t {
  std::size_t size = 0;
  for (const Part& part : parts_) size += part.literal.size();
  return size;
}

auto WordsPattern::operand_size(std::string_view text, std::size_t part) const -> std::optional<std::size_t> {
  const std::string& type = parts_[part].type;
  if (type == "rest" || type == "preferred") return text.size();
  if (type == "list") return bracketed_size(text, '[', ']');
  if (type == "taint") return bracketed_size(text, '{', '}');
  if (type == "limit") return limit_size(text);
  if (type == "plugin") return run(text, is_letter);
  if (type == "claimns") {
    const std::size_t slash = text.find('/');
    return slash != std::string_view::npos && slash < text.find_first_of(" ,:") ? slash + 1 : 0;
  }
  std::size_t size = 0;
  if (part + 1 == parts_.size()) {
    size = type == "number" ? run(text, is_digit) : is_running_text(type) ? sentence_size(text) : word_size(text);
  } else {
    const std::string_view within = text.substr(0, kLongestValue + parts_[part + 1].literal.size());
    size = within.find(parts_[part + 1].literal, 1);
    if (size == std::string_view::npos) return {};
  }
  const std::string_view value = text.substr(0, size);
  if (value.empty()) return {};
  if ((type == "number" || type == "priority") && !is_number(value)) return {};
  if (!is_running_text(type) && value.find(' ') != std::string_view::npos) return {};
  return size;
}

auto WordsPattern::match(std::string_view text) const -> std::optional<Match> {
  Match match;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const Part& part = parts_[i];
    const std::string_view left = text.substr(match.length);
    if (!part.literal.empty()) {
      if (!left.starts_with(part.literal)) return {};
      match.length += part.literal.size();
      continue;
    }
    const auto size = operand_size(left, i);
    if (!size || (*size == 0 && part.type != "claimns")) return {};
    const std::string_view value = left.substr(0, *size);
    // An operand that occurs twice must have the same value.
    if (!match.values[part.letter].empty() && match.values[part.letter] != value) return {};
    match.values.set(part.letter, value);
    match.length += *size;
  }
  const bool in_word = match.length > 0 && match.length < text.size() && is_word_byte(text[match.length - 1]) &&
                       is_word_byte(text[match.length]);
  if (match.length == 0 || in_word) return {};
  return match;
}

}  // namespace previct
