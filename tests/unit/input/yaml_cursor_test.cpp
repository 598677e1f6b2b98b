#include "input/yaml_cursor.h"

#include "input/yaml_source.h"
#include "support/differential.h"
#include "support/input.h"
#include "support/styled_yaml.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

using namespace previct;

namespace {

auto same_number(std::string_view text, const nlohmann::json& expected) -> bool {
  const auto value = nlohmann::json::parse(text, nullptr, false);
  return !value.is_discarded() && value == expected;
}

/// Returns true if the value at the cursor is `expected`. Only called while the cursor understands the text.
auto equals(YamlCursor& cursor, const nlohmann::json& expected) -> bool {
  if (cursor.is_null()) {
    cursor.skip();
    return expected.is_null();
  }
  if (expected.is_object()) {
    std::size_t found = 0;
    bool same = true;
    cursor.each_entry([&](std::string_view key) {
      const auto value = expected.find(std::string(key));
      same = same && value != expected.end();
      ++found;
      same ? static_cast<void>(same = equals(cursor, *value)) : cursor.skip();
    });
    return same && found == expected.size();
  }
  if (expected.is_array()) {
    std::size_t at = 0;
    bool same = true;
    cursor.each_element([&] {
      same = same && at < expected.size() && equals(cursor, expected[at]);
      ++at;
    });
    return same && at == expected.size();
  }
  const Scalar scalar = cursor.peek();
  if (!scalar.scalar) return false;
  if (scalar.type == ScalarType::string) return expected.is_string() && expected.get<std::string>() == scalar.text;
  if (scalar.type == ScalarType::boolean)
    return expected.is_boolean() && expected.get<bool>() == (scalar.text == "true");
  return expected.is_number() && same_number(scalar.text, expected);
}

/// Returns `yaml` as an item of a list.
auto as_item(std::string_view yaml) -> std::string {
  std::string text = "- ";
  for (std::size_t i = 0; i < yaml.size(); ++i) {
    text += yaml[i];
    const bool more = yaml[i] == '\n' && i + 1 < yaml.size() && yaml[i + 1] != '\n';
    if (more) text += "  ";
  }
  return text;
}

/// A cursor on the only item of `text`, which it owns.
class OnItem {
 public:
  explicit OnItem(std::string text, bool whole = true) : text_(std::move(text)), size_(text_.size()) {
    text_.append(kScanPadding, '\0');
    cursor.enter(text_.data(), text_.data() + size_, whole, 1);
    cursor.enter_element();
  }
  YamlCursor cursor;

 private:
  std::string text_;
  std::size_t size_;
};

}  // namespace

TEST_CASE("YAML cursor: reads kubectl's output as Kubernetes does, or leaves it to the general path") {
  std::size_t readable = 0;
  std::size_t read = 0;
  std::size_t skipped = 0;
  for (const auto& row : nlohmann::json::parse(test::fixture("input/emitter-battery.json"))) {
    if (row["Err"] != "") continue;
    ++readable;
    const std::string yaml = row["Yaml"];
    INFO(yaml);
    OnItem on(as_item(yaml));
    const bool same = equals(on.cursor, row["Back"]);
    if (!on.cursor.stopped()) {
      ++read;
      CHECK(same);
      CHECK(on.cursor.column() == -1);
    }
    OnItem over(as_item(yaml));
    over.cursor.skip();
    if (!over.cursor.stopped()) {
      ++skipped;
      CHECK(over.cursor.column() == -1);
    }
  }
  CHECK(readable == 722);
  CHECK(read == readable);
  CHECK(skipped == readable);
  UNSCOPED_INFO(read << " read and " << skipped << " skipped of " << readable);
}

TEST_CASE("YAML cursor: scalars in all styles, some broken, have the meaning of the general path in any window") {
  test::StyledYaml styles(7);
  test::DumpMaker changes(7);
  std::size_t read = 0;
  std::size_t refused = 0;
  for (const auto& row : nlohmann::ordered_json::parse(test::fixture("input/emitter-battery.json"))) {
    for (int i = 0; row["Err"] == "" && i < 6; ++i) {
      std::string yaml = styles.document({{"key", row["Back"]}});
      if (!yaml.starts_with("key")) continue;
      if (i % 3 > 0) changes.change(yaml);
      const std::string text = as_item(yaml) + "\n- end: here\n";
      INFO(text);
      const auto expected = test::json_of(*yaml_source(text, FileId{0}));
      OnItem over(text);
      if (over.cursor.stopped()) continue;
      over.cursor.skip();
      const bool skipped = !over.cursor.stopped() && over.cursor.item_ended();
      CHECK((!skipped || expected));
      refused += expected ? 0U : 1U;
      if (expected) {
        OnItem on(text);
        const bool same = equals(on.cursor, (*expected)[0]);
        if (!on.cursor.stopped() && on.cursor.item_ended()) {
          ++read;
          CHECK(same);
          CHECK(on.cursor.line() == over.cursor.line());
        }
      }
      for (std::size_t size = text.find('\n') + 1; size < text.size(); size += 5) {
        OnItem part(text.substr(0, size), false);
        part.cursor.skip();
        if (!part.cursor.stopped() && part.cursor.item_ended()) CHECK(part.cursor.line() == over.cursor.line());
      }
    }
  }
  CHECK(read > 1000);
  CHECK(refused > 100);
}

TEST_CASE("YAML cursor: reads texts on several lines itself") {
  for (const char* value : {"'a\n\n    b'", "\"a \\\n    b\"", "\"a\n    b\" # c", "|\n    a\n   \n    b", "|2-\n    a",
                            "> # c\n    a\n    b", ">+\n    a\n\n", "|\n"}) {
    INFO(value);
    const std::string text = "- a: " + std::string(value) + "\n  b: c\n";
    const auto expected = test::json_of(*yaml_source(text, FileId{0}));
    REQUIRE(expected);
    OnItem on(text);
    CHECK(equals(on.cursor, (*expected)[0]));
    CHECK_FALSE(on.cursor.stopped());
    CHECK(on.cursor.values().scalars == 0);
  }
}

TEST_CASE("YAML cursor: skips unknown values only if they are values for the general path, too") {
  std::size_t passed = 0;
  for (const char* value :
       {"a: b",      "b #",          "b # c",        "b ",           " b",           "&x b",
        "*x",        "!!str b",      "{a: b}",       "[b]",          "> b",          "b\tc",
        "\"b",       "\"b\" c",      "\"\\q\"",      "\"\\ud800\"",  "'b' c",        "'b",
        "\x7f",      "\xff",         "\xc2\x85",     "\xe2\x80\xa8", "\xef\xbb\xbf", "- b",
        "? b",       "% b",          "@b",           "`b",           "|\n",          "|x\n    b",
        "|0\n    b", "b\n\n    c",   "b\n    c: d",  "b\n    # c",   "\"b\"\n    c", "\n   c: d\n    e: f",
        "\n    c\n", "{}\n    b: c", "\n    null: b"}) {
    INFO(value);
    const std::string text = "- a: b\n  k: " + std::string(value) + "\n  z: b\n";
    OnItem on(text);
    on.cursor.skip();
    if (on.cursor.stopped()) continue;
    ++passed;
    CHECK(on.cursor.column() == -1);
    // Positions in failures are numbers.
    const std::string events = test::yaml_events(text);
    CHECK(events.starts_with("["));
  }
  CHECK(passed == 15);
}

TEST_CASE("YAML cursor: stops at a value that affects the rest of the document, or is not a value") {
  for (const char* value : {"a: b",
                            "*x",
                            "&x b",
                            "\"b",
                            "\"b\" c",
                            "\"\\q\"",
                            "\"\\ud800\"",
                            "'b' c",
                            "'b",
                            "\x7f",
                            "\xff",
                            "- b",
                            "? b",
                            "% b",
                            "@b",
                            "`b",
                            "|x\n    b",
                            "b\n    c: d",
                            "b\n    # c\n    d",
                            "\"b\"\n    c",
                            "\n   c: d\n    e: f",
                            "{}\n    b: c",
                            "[b",
                            "{a: b",
                            "!!int b"}) {
    INFO(value);
    OnItem on("- a: b\n  k: " + std::string(value) + "\n  z: b\n");
    on.cursor.skip();
    CHECK(on.cursor.stop() == Stop::unknown);
  }
}

TEST_CASE("YAML cursor: comment lines are skipped between values, and are text inside them") {
  const auto fields = [](const std::string& text) {
    OnItem on(text);
    std::string found;
    on.cursor.each_entry([&](std::string_view key) { found += fmt::format("{}={};", key, on.cursor.peek().text); });
    return on.cursor.stopped() ? "stopped" : fmt::format("{} to line {}", found, on.cursor.line());
  };
  CHECK(fields("- a: b\n\n  # c: d\n  e: f\n# g\n") == "a=b;e=f; to line 6");
  CHECK(fields("- a: b # c\n  e: f\n") == "a=b;e=f; to line 3");
  CHECK(fields("- a: b\n\n    c\n  e: f\n") == "a=b\nc;e=f; to line 5");
  CHECK(fields("- a: |\n    # b\n\n    c\n\n  # d\n  e: f\n") == "a=# b\n\nc\n;e=f; to line 8");
  CHECK(fields("- a: 'b\n\n    # c'\n  e: f\n") == "a=b\n# c;e=f; to line 5");
  CHECK(fields("- a: b\n    # c\n    d\n") == "stopped");
  CHECK(fields("- a: >-\n    b\n    c\n  \"\\x65\": :f\n  'g''h': ?i\n") == "a=b c;e=:f;g'h=?i; to line 6");
}
