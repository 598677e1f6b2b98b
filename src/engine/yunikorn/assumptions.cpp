#include "engine/yunikorn/assumptions.h"

#include "api/strict_reader.h"
#include "base/contains.h"
#include "base/go.h"

namespace previct::yunikorn {
namespace {

/// Digits, with up to nine decimals.
auto parse_percentage(std::string_view text) -> std::optional<Decimal> {
  const std::size_t point = text.find('.');
  const std::string whole(text.substr(0, point));
  std::string fraction(point == std::string_view::npos ? std::string_view() : text.substr(point + 1));
  const bool digits = !whole.empty() && (whole + fraction).find_first_not_of("0123456789") == std::string::npos &&
                      whole.size() <= 9 && fraction.size() <= 9;
  if (!digits) return {};
  fraction.resize(9, '0');
  return Decimal{go::parse_int(whole, 64).value_or(0) * Decimal::kScale + go::parse_int(fraction, 64).value_or(0)};
}

auto parse_strategies(std::string_view text) -> std::optional<std::vector<std::string>> {
  std::vector<std::string> words;
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    std::string_view word = text.substr(0, comma);
    while (word.starts_with(' ')) word.remove_prefix(1);
    while (word.ends_with(' ')) word.remove_suffix(1);
    const bool last = comma == std::string_view::npos || comma + 1 == text.size();
    if (!contains({"single", "multiple"}, word) || (last && comma != std::string_view::npos)) return {};
    words.emplace_back(word);
    text.remove_prefix(last ? text.size() : comma + 1);
  }
  return words;
}

/// A form whose scalars are plain texts.
template <class V>
auto form_of(std::string expected, std::optional<V> (*parse)(std::string_view), std::string schema) -> Form<V> {
  Form<V> form;
  form.expected = std::move(expected);
  form.parse = [parse](std::string_view text, ScalarType /*type*/) { return parse(text); };
  form.schema = std::move(schema);
  return form;
}

}  // namespace

auto pod_name_form() -> Form<PodName> {
  Form<std::string> text = namespaced_name_form();
  Form<PodName> form;
  form.expected = text.expected;
  form.schema = text.schema;
  form.definition = text.definition;
  form.parse = [parse = std::move(text.parse)](std::string_view name, ScalarType type) -> std::optional<PodName> {
    if (!parse(name, type)) return {};
    const std::size_t slash = name.find('/');
    return PodName{std::string(name.substr(0, slash)), std::string(name.substr(slash + 1))};
  };
  return form;
}

auto percentage_form() -> Form<Decimal> {
  return form_of("a number, 0 or more, with at most nine decimals", parse_percentage,
                 R"({"type": ["number", "string"]})");
}

auto strategies_form() -> Form<std::vector<std::string>> {
  return form_of("single and multiple in their order, separated by commas", parse_strategies, R"({"type": "string"})");
}

auto count_form() -> Form<std::int64_t> {
  Form<std::int64_t> form = integer_form(0);
  form.parse = [](std::string_view text, ScalarType /*type*/) {
    const auto value = go::parse_int(text, 32);
    return value && *value >= 0 ? value : std::nullopt;
  };
  return form;
}

auto time_form() -> Form<Instant> {
  return form_of<Instant>(
      "a time such as 2026-05-01T11:58:00Z", [](std::string_view text) { return parse_instant(text); },
      R"({"type": "string"})");
}

auto set_design(std::string_view key, const std::string& value, const std::string& origin, Place place,
                DesignSettings& settings) -> Result<bool> {
  settings.origin = origin;
  return set_described(key, value, place, settings);
}

}  // namespace previct::yunikorn
