#include "base/regexp.h"

#include "base/go.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <vector>

namespace previct::go {
namespace {

// RE2 of Debian 12 accepts `(?P<name>x)` but not `(?<name>x)`; it accepts `\C`, which Go rejects.
constexpr std::string_view kName = "(?<";
constexpr std::string_view kOldName = "(?P<";
constexpr std::string_view kAnyByte = "\\C";
constexpr std::string_view kNoEscape = "\\\xf4\x8f\xbf\xbe";  // U+10FFFE: an escape that neither accepts

/// An expression in the syntax of RE2.
struct Translated {
  std::string expression;
  std::vector<std::size_t> from;  ///< for each byte and for the end: its position in the original
  std::size_t depth = 0;          ///< nesting depth of groups
};

auto translated(std::string_view original) -> Translated {
  Translated result;
  std::string_view rest = original;
  std::size_t depth = 0;
  const auto copy = [&](std::size_t length) {
    length = std::min(length, rest.size());
    for (std::size_t i = 0; i < length; ++i) result.from.push_back(original.size() - rest.size() + i);
    result.expression += rest.substr(0, length);
    rest.remove_prefix(length);
  };
  const auto replace = [&](std::string_view old, std::string_view with) {
    const std::size_t at = original.size() - rest.size();
    for (std::size_t i = 0; i < with.size(); ++i) result.from.push_back(at + std::min(i, old.size()));
    result.expression += with;
    rest.remove_prefix(old.size());
  };
  const auto copy_through = [&](std::string_view end, std::size_t from) {
    const std::size_t at = rest.find(end, from);
    copy(at == std::string_view::npos ? rest.size() : at + end.size());
  };
  const auto copy_class = [&] {
    copy(rest.starts_with("[^") ? 2 : 1);
    for (bool first = true; !rest.empty() && (first || rest.front() != ']'); first = false) {
      if (rest.starts_with("[:") && rest.find(":]", 2) != std::string_view::npos) {
        copy_through(":]", 2);
      } else {
        copy(rest.front() == '\\' ? 2 : 1);
      }
    }
    copy(1);
  };
  while (!rest.empty()) {
    if (rest.starts_with("\\Q")) {
      copy_through("\\E", 2);
    } else if (rest.starts_with(kAnyByte)) {
      replace(kAnyByte, kNoEscape);
    } else if (rest.front() == '\\') {
      copy(2);
    } else if (rest.front() == '[') {
      copy_class();
    } else if (rest.starts_with(kName) && rest.size() > kName.size()) {
      replace(kName, kOldName);
      result.depth = std::max(result.depth, ++depth);
    } else {
      if (rest.front() == '(') result.depth = std::max(result.depth, ++depth);
      if (rest.front() == ')' && depth > 0) --depth;
      copy(1);
    }
  }
  result.from.push_back(original.size());
  return result;
}

/// Go's text for an error of RE2. Source: go1.26 src/regexp/syntax/parse.go ErrorCode.
auto words_of(re2::RE2::ErrorCode code) -> std::string_view {
  switch (code) {
    case re2::RE2::ErrorBadEscape: return "invalid escape sequence";
    case re2::RE2::ErrorBadCharClass: return "invalid character class";
    case re2::RE2::ErrorBadCharRange: return "invalid character class range";
    case re2::RE2::ErrorMissingBracket: return "missing closing ]";
    case re2::RE2::ErrorMissingParen: return "missing closing )";
    case re2::RE2::ErrorUnexpectedParen: return "unexpected )";
    case re2::RE2::ErrorTrailingBackslash: return "trailing backslash at end of expression";
    case re2::RE2::ErrorRepeatArgument: return "missing argument to repetition operator";
    case re2::RE2::ErrorRepeatSize: return "invalid repeat count";
    case re2::RE2::ErrorRepeatOp: return "invalid nested repetition operator";
    case re2::RE2::ErrorBadPerlOp: return "invalid or unsupported Perl syntax";
    case re2::RE2::ErrorBadUTF8: return "invalid UTF-8";
    case re2::RE2::ErrorBadNamedCapture: return "invalid named capture";
    default: return {};  // a limit that only RE2 has
  }
}

/// Returns true for a repeat count such as `{2,1}` or `{1001}`. Go checks the numbers before it checks what is
/// repeated.
auto is_bad_count(std::string_view repeat) -> bool {
  constexpr int kMost = 1000;
  if (!repeat.ends_with('}')) return false;
  const std::size_t comma = repeat.find(',');
  const auto least = parse_int(repeat.substr(1, std::min(comma, repeat.size() - 1) - 1), 64);
  if (!least) return true;  // more digits than an int64 holds
  if (comma == std::string_view::npos || comma + 2 == repeat.size()) return *least > kMost;
  const auto most = parse_int(repeat.substr(comma + 1, repeat.size() - comma - 2), 64);
  return !most || *most > kMost || *least > *most;
}

/// The error of regexp.Compile for an expression that RE2 refuses. Empty if Go may accept the expression.
auto fault_of(const re2::RE2& refused, const Translated& as_read, std::string_view original) -> std::string {
  using re2::RE2;
  RE2::ErrorCode code = refused.error_code();
  const std::string& part = refused.error_arg();
  if (code == RE2::ErrorBadCharRange && part.find('{') == 2 && part.ends_with('}'))
    return {};  // the name of a Unicode
                // class
  const std::size_t at = as_read.expression.find(part);
  if (at == std::string::npos) return {};
  std::string_view written = part;
  if (original.find(part) == std::string_view::npos)
    written = original.substr(as_read.from[at], as_read.from[at + part.size()] - as_read.from[at]);
  // The cases in which Go reports another error, or another part of the expression.
  if (code == RE2::ErrorBadUTF8 && part.empty()) {
    code = RE2::ErrorBadEscape;  // `\x{41` that is never closed
    written = original.substr(std::min(original.rfind("\\x"), original.size()));
  } else if (code == RE2::ErrorBadEscape && original.ends_with(part) && (part == "\\p" || part == "\\P")) {
    code = RE2::ErrorBadCharRange;
  } else if (code == RE2::ErrorBadPerlOp && part.empty()) {
    written = "(?P";
  } else if (code == RE2::ErrorRepeatOp || code == RE2::ErrorRepeatSize) {
    std::string_view last = written.substr(std::min(written.rfind('{'), written.size()));
    if (last.ends_with('?')) last.remove_suffix(1);
    if (is_bad_count(last)) {
      code = RE2::ErrorRepeatSize;
      written = last;
    }
  }
  const std::string_view words = words_of(code);
  return words.empty() ? std::string() : fmt::format("{}: `{}`", words, written);
}

}  // namespace

Regexp::Regexp(std::string_view expression) {
  constexpr std::size_t kDeepest = 240;
  const Translated as_read = translated(expression);
  if (as_read.depth > kDeepest) return;
  re2::RE2::Options options;
  options.set_log_errors(false);
  const auto compiled = std::make_shared<const re2::RE2>(as_read.expression, options);
  if (compiled->ok()) {
    re2_ = compiled;
    return;
  }
  fault_ = fault_of(*compiled, as_read, expression);
}

auto Regexp::matches(std::string_view text) const -> bool {
  return re2::RE2::PartialMatch({text.data(), text.size()}, *re2_);
}

}  // namespace previct::go
