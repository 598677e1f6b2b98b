#include "api/described.h"

#include "base/go.h"
#include "base/instant.h"

#include <fmt/format.h>

namespace previct {
namespace {

auto is_namespaced_name(std::string_view text) -> bool {
  const std::size_t slash = text.find('/');
  return slash != std::string_view::npos && slash != 0 && slash + 1 != text.size();
}

}  // namespace

auto checked_text_form(std::string expected, bool (*accepts)(std::string_view), std::string schema)
    -> Form<std::string> {
  Form<std::string> form;
  form.expected = std::move(expected);
  form.parse = [accepts](std::string_view text, ScalarType /*type*/) {
    return accepts(text) ? std::optional<std::string>(text) : std::nullopt;
  };
  form.schema = std::move(schema);
  return form;
}

auto text_form(bool numbers) -> Form<std::string> {
  return checked_text_form(
      "a text", [](std::string_view text) { return !text.empty(); },
      numbers ? R"({"type": ["string", "number"]})" : R"({"type": "string"})");
}

auto boolean_form() -> Form<bool> {
  Form<bool> form = word_form_for<bool>({{"true", true}, {"false", false}});
  form.schema = R"({"type": "boolean"})";
  return form;
}

auto integer_form(std::int64_t least) -> Form<std::int64_t> {
  Form<std::int64_t> form;
  const bool bounded = least != INT64_MIN;
  form.expected = bounded ? fmt::format("an integer, {} or more", least) : "an integer";
  form.parse = [least](std::string_view text, ScalarType /*type*/) {
    const auto value = go::parse_int(text, 64);
    return value && *value >= least ? value : std::nullopt;
  };
  form.schema =
      bounded ? fmt::format(R"({{"type": "integer", "minimum": {}}})", least) : std::string(R"({"type": "integer"})");
  return form;
}

auto count_form() -> Form<std::uint32_t> {
  const Form<std::int64_t> integer = integer_form(1);
  Form<std::uint32_t> form;
  form.expected = "a number, 1 or more";
  form.parse = [integer](std::string_view text, ScalarType type) -> std::optional<std::uint32_t> {
    const auto value = integer.parse(text, type);
    if (!value || *value > UINT32_MAX) return {};
    return static_cast<std::uint32_t>(*value);
  };
  form.schema = integer.schema;
  return form;
}

auto duration_form(const std::string& example) -> Form<std::int64_t> {
  Form<std::int64_t> form;
  form.expected = fmt::format("a duration such as {}", example);
  form.parse = [](std::string_view text, ScalarType /*type*/) {
    const auto value = parse_go_duration(text);
    return value && *value >= 0 ? value : std::nullopt;
  };
  form.schema = R"({"type": "string"})";
  return form;
}

auto namespaced_name_form() -> Form<std::string> {
  Form<std::string> form =
      checked_text_form("NAMESPACE/NAME", is_namespaced_name,
                        R"({"type": "string", "pattern": "^[^/]+/[^/]+$", "description": "NAMESPACE/NAME"})");
  form.definition = "key";
  return form;
}

auto word_form(std::vector<std::string> words) -> Form<std::string> {
  std::vector<std::pair<std::string, std::string>> table;
  for (std::string& each : words) table.emplace_back(each, each);
  return word_form_for(std::move(table));
}

auto constant(std::string word_alone) -> As<std::string> {
  return {word_form({std::move(word_alone)}), [](const std::string&, const Place&) {}};
}

}  // namespace previct
