#include "engine/kube/devices/cel_value.h"

#include "base/ascii.h"
#include "base/go.h"

#include <algorithm>
#include <cstddef>

namespace previct::kube::devices::cel {
namespace {

auto is_digits(std::string_view text) -> bool {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

// Parses a number without leading zeros.
auto part_number(std::string_view text) -> std::optional<std::int64_t> {
  if (!is_digits(text) || (text.size() > 1 && text.front() == '0')) return {};
  return go::parse_int(text, 64);
}

auto is_identifier(std::string_view text) -> bool {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return is_digit(c) || is_letter(c) || c == '-'; });
}

auto split(std::string_view text) -> std::vector<std::string_view> {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t dot = text.find('.');
    parts.push_back(text.substr(0, dot));
    if (dot == std::string_view::npos) return parts;
    text.remove_prefix(dot + 1);
  }
}

constexpr __int128 kNano = 1'000'000'000;
// Upstream computes with longer numbers in another form, which it never converts to an integer.
constexpr int kDigits = 19;
auto is_short(__int128 number) -> bool {
  constexpr __int128 kLimit = 1'000'000'000'000'000'000;
  return number > -kLimit && number < kLimit;
}

template <class T>
auto sign_of(const T& a, const T& b) -> int {
  return a < b ? -1 : b < a ? 1 : 0;
}

// Numbers come before words and are compared by value.
auto compare_identifiers(const std::string& a, const std::string& b) -> int {
  const bool number = is_digits(a);
  if (number != is_digits(b)) return number ? -1 : 1;
  if (number && a.size() != b.size()) return sign_of(a.size(), b.size());
  return sign_of(a, b);
}

}  // namespace

auto Version::parse(std::string_view text) -> std::optional<Version> {
  Version version;
  if (const std::size_t plus = text.find('+'); plus != std::string_view::npos) {
    for (const std::string_view each : split(text.substr(plus + 1))) {
      if (!is_identifier(each)) return {};
    }
    text = text.substr(0, plus);
  }
  if (const std::size_t dash = text.find('-'); dash != std::string_view::npos) {
    for (const std::string_view each : split(text.substr(dash + 1))) {
      if (!is_identifier(each) || (is_digits(each) && !part_number(each))) return {};
      version.before.emplace_back(each);
    }
    text = text.substr(0, dash);
  }
  const std::vector<std::string_view> parts = split(text);
  if (parts.size() != 3) return {};
  const auto major = part_number(parts[0]);
  const auto minor = part_number(parts[1]);
  const auto patch = part_number(parts[2]);
  if (!major || !minor || !patch) return {};
  version.major = *major;
  version.minor = *minor;
  version.patch = *patch;
  return version;
}

auto Version::parse_loosely(std::string_view text) -> std::optional<Version> {
  if (text.starts_with('v')) text.remove_prefix(1);
  std::vector<std::string> parts;
  constexpr std::size_t kParts = 3;
  while (parts.size() + 1 < kParts && text.find('.') != std::string_view::npos) {
    const std::size_t dot = text.find('.');
    parts.emplace_back(text.substr(0, dot));
    text.remove_prefix(dot + 1);
  }
  parts.emplace_back(text);
  for (std::string& part : parts) {
    if (part.size() < 2) continue;
    part.erase(0, std::min(part.find_first_not_of('0'), part.size()));
    if (part.empty() || !is_digit(part.front())) part.insert(0, "0");
  }
  if (parts.size() < kParts && parts.back().find_first_of("+-") != std::string::npos) return {};
  std::string whole = parts[0];
  for (std::size_t i = 1; i < kParts; ++i) whole += "." + (i < parts.size() ? parts[i] : std::string("0"));
  return parse(whole);
}

auto compare(const Version& a, const Version& b) -> int {
  for (const auto part : {&Version::major, &Version::minor, &Version::patch}) {
    if (const int by = sign_of(a.*part, b.*part); by != 0) return by;
  }
  if (a.before.empty() || b.before.empty()) return sign_of(a.before.empty(), b.before.empty());
  for (std::size_t i = 0; i < std::min(a.before.size(), b.before.size()); ++i) {
    if (const int by = compare_identifiers(a.before[i], b.before[i]); by != 0) return by;
  }
  return sign_of(a.before.size(), b.before.size());
}

auto Value::of(Quantity quantity) -> Value {
  Value value{.type = Type::quantity, .quantity = quantity};
  value.as_integer = quantity.nanos() % kNano == 0 && is_short(quantity.nanos() / kNano);
  return value;
}

auto parse_quantity(std::string_view text) -> std::optional<Value> {
  const auto quantity = Quantity::parse(text);
  if (!quantity) return {};
  Value value = Value::of(*quantity);
  // Upstream keeps the number of decimal places as written. Binary multiples of a fraction are no integers there.
  const bool fraction = text.find('.') != std::string_view::npos || text.find("e-") != std::string_view::npos ||
                        text.find("E-") != std::string_view::npos || text.find_last_of("num") == text.size() - 1;
  const auto digits = std::count_if(text.begin(), text.end(), is_digit);
  value.as_integer = value.as_integer && !fraction && digits < kDigits;
  return value;
}

auto sum(const Value& a, const Value& b, bool add) -> Value {
  Quantity total = a.quantity;
  total += add ? b.quantity : Quantity::of_nanos(-b.quantity.nanos());
  Value value = Value::of(total);
  value.as_integer = value.as_integer && a.as_integer && b.as_integer;
  value.summed = true;
  return value;
}

auto equal(const Value& a, const Value& b) -> std::optional<bool> {
  if (a.type == Type::quantity) {
    if (b.type != Type::quantity || b.summed) return {};
    return a.quantity == b.quantity;
  }
  if (a.type == Type::version) {
    if (b.type != Type::version) return {};
    return compare(*a.version, *b.version) == 0;
  }
  return ordered(a, b) == 0;
}

auto ordered(const Value& a, const Value& b) -> std::optional<int> {
  if (a.type != b.type) return {};
  switch (a.type) {
    case Type::boolean: return sign_of(a.truth, b.truth);
    case Type::integer: return sign_of(a.number, b.number);
    case Type::text: return sign_of(a.text, b.text);
    default: return {};
  }
}

}  // namespace previct::kube::devices::cel
