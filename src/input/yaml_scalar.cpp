#include "input/yaml_scalar.h"

#include "base/ascii.h"
#include "base/base64.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <system_error>

namespace previct {
namespace {

constexpr std::string_view kCoreTag = "tag:yaml.org,2002:";
constexpr std::array<std::string_view, 4> kNull = {"~", "null", "Null", "NULL"};
constexpr std::array<std::string_view, 11> kTrue = {"y",  "Y",  "yes",  "Yes",  "YES", "on",
                                                    "On", "ON", "true", "True", "TRUE"};
constexpr std::array<std::string_view, 11> kFalse = {"n",   "N",   "no",    "No",    "NO",   "off",
                                                     "Off", "OFF", "false", "False", "FALSE"};
constexpr std::array<std::string_view, 9> kNotFinite = {".nan", ".NaN",  ".NAN",  ".inf", ".Inf",
                                                        ".INF", "+.inf", "+.Inf", "+.INF"};
constexpr std::array<std::string_view, 3> kMinusInfinity = {"-.inf", "-.Inf", "-.INF"};

template <std::size_t N>
auto is_one_of(const std::array<std::string_view, N>& words, std::string_view text) -> bool {
  return std::find(words.begin(), words.end(), text) != words.end();
}

/// strconv.ParseInt and ParseUint with base 0; the result is decimal.
auto decimal_of(std::string_view text) -> std::optional<std::string> {
  const bool minus = text.front() == '-';
  const bool sign = minus || text.front() == '+';
  std::string_view digits = text.substr(sign ? 1 : 0);
  int base = 10;
  if (digits.size() > 1 && digits[0] == '0') {
    const char letter = static_cast<char>(digits[1] | 0x20);
    base = letter == 'x' ? 16 : letter == 'b' ? 2 : 8;
    digits.remove_prefix(letter == 'x' || letter == 'b' || letter == 'o' ? 2 : 1);
  }
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
  if (digits.empty() || error != std::errc() || end != digits.data() + digits.size()) return {};
  constexpr std::uint64_t kMostNegative = std::uint64_t{1} << 63U;
  if (minus && value > kMostNegative) return {};
  if (sign && !minus && value >= kMostNegative) return {};  // ParseUint accepts no sign
  return fmt::format("{}{}", minus && value != 0 ? "-" : "", value);
}

/// Matches ^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$
auto is_float(std::string_view text) -> bool {
  const auto digits = [&] {
    std::size_t n = 0;
    while (n < text.size() && is_digit(text[n])) ++n;
    text.remove_prefix(n);
    return n > 0;
  };
  const auto skip = [&](std::string_view any) {
    const bool found = !text.empty() && any.find(text.front()) != std::string_view::npos;
    if (found) text.remove_prefix(1);
    return found;
  };
  skip("+-");
  const bool whole = digits();
  const bool fraction = skip(".") && digits();
  if (!whole && !fraction) return false;
  if (skip("eE")) {
    skip("+-");
    if (!digits()) return false;
  }
  return text.empty();
}

/// Formats a double as Go's encoding/json does.
auto json_number(double value) -> std::string {
  const double size = std::fabs(value);
  const bool plain = size == 0 || (size >= 1e-6 && size < 1e21);
  std::array<char, 64> buffer{};
  const auto format = plain ? std::chars_format::fixed : std::chars_format::scientific;
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, format).ptr;
  std::string text(buffer.data(), end);
  if (plain && size >= 1e17) {
    // For this range, to_chars writes every digit of the double; Go writes the shortest digits and zeros.
    const auto shortest =
        std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::scientific).ptr;
    std::string digits(buffer.data(), std::find(buffer.data(), shortest, 'e'));
    std::erase(digits, '.');
    std::fill(std::copy(digits.begin(), digits.end(), text.begin()), text.end(), '0');
  }
  if (const std::size_t zero = text.find("e-0"); zero != std::string::npos) text.erase(zero + 2, 1);
  return text;
}

/// None if the value is out of the range of double; then the scalar is a string.
auto float_of(std::string_view text, std::string& scratch) -> std::optional<ResolvedScalar> {
  if (text.front() == '+') text.remove_prefix(1);  // from_chars accepts no plus sign
  double value = 0;
  const auto error = std::from_chars(text.data(), text.data() + text.size(), value).ec;
  // In Go, a value too small for a double is zero, and one too large is an error.
  if (error == std::errc::result_out_of_range) {
    const std::size_t exponent = text.find_first_of("eE");
    if (exponent == std::string_view::npos || text[exponent + 1] != '-') return {};
    value = 0;
  }
  scratch = json_number(value);
  const bool integral = scratch.find_first_of(".e") == std::string::npos;
  return ResolvedScalar{integral ? ScalarType::integer : ScalarType::floating, scratch};
}

auto resolve_number(std::string_view text, std::string& scratch) -> std::optional<ResolvedScalar> {
  std::string plain(text);
  std::erase(plain, '_');
  if (plain.empty()) return {};
  if (auto decimal = decimal_of(plain)) {
    scratch = std::move(*decimal);
    return ResolvedScalar{ScalarType::integer, scratch};
  }
  if (!is_float(plain)) return {};
  return float_of(plain, scratch);
}

}  // namespace

auto resolve_plain(std::string_view text, std::string& scratch) -> ResolvedScalar {
  if (text.empty() || is_one_of(kNull, text)) return {ScalarType::null, "null"};
  const char first = text.front();
  if (std::string_view("yYnNtTfFoO").find(first) != std::string_view::npos) {
    if (is_one_of(kTrue, text)) return {ScalarType::boolean, "true"};
    if (is_one_of(kFalse, text)) return {ScalarType::boolean, "false"};
  } else if (first == '.' || first == '+' || first == '-' || is_digit(first)) {
    if (is_one_of(kNotFinite, text) || is_one_of(kMinusInfinity, text)) return {ScalarType::floating, text};
    // After a leading point, no underscore is accepted.
    const bool number = first != '.' || is_float(text);
    if (const auto value = number ? resolve_number(text, scratch) : std::nullopt) return *value;
  }
  return {ScalarType::string, text};
}

auto resolve_tagged(std::string_view tag, std::string_view text, std::string& scratch) -> Result<ResolvedScalar> {
  const bool core = tag.substr(0, kCoreTag.size()) == kCoreTag;
  const std::string_view name = core ? tag.substr(kCoreTag.size()) : std::string_view();
  if (name == "str" || name == "timestamp") return ResolvedScalar{ScalarType::string, text};
  if (name == "binary") {
    if (!decode_base64(text, scratch)) return fail("!!binary text that is not base64");
    return ResolvedScalar{ScalarType::string, scratch};
  }
  const ResolvedScalar value = resolve_plain(text, scratch);
  const bool number = value.type == ScalarType::integer || value.type == ScalarType::floating;
  if (name == "null" && value.type == ScalarType::null) return value;
  if (name == "bool" && value.type == ScalarType::boolean) return value;
  if (name == "int" && value.type == ScalarType::integer) return value;
  if (name == "float" && number) return value;
  if (name == "null" || name == "bool" || name == "int" || name == "float") {
    return fail(fmt::format("the text does not match its tag {}", short_tag(tag)));
  }
  return fail(fmt::format("the tag {} is not one that Kubernetes objects use", short_tag(tag)));
}

auto short_tag(std::string_view tag) -> std::string {
  const bool core = tag.substr(0, kCoreTag.size()) == kCoreTag;
  const std::string_view name = core ? tag.substr(kCoreTag.size()) : std::string_view();
  for (const std::string_view known :
       {"str", "int", "bool", "float", "null", "binary", "timestamp", "map", "seq", "set", "omap"}) {
    if (name == known) return fmt::format("!!{}", name);
  }
  return core ? "!!…" : "!…";
}

}  // namespace previct
