#include "report/packed_rows.h"

#include "report/json_text.h"

#include <catch2/catch.hpp>

using namespace previct;  // NOLINT: a test

namespace {

auto text_of(const PackedRows& rows, const Json& document) -> std::string {
  std::string text;
  CHECK(rows.write_document(document, [&](std::string_view part) {
    text += part;
    return true;
  }));
  return text;
}

auto lines_of(const PackedRows& rows) -> std::string {
  std::string text;
  CHECK(rows.write_lines([&](std::string_view part) {
    text += part;
    return true;
  }));
  return text;
}

const Json kItems = Json::parse(R"([
  {"name": "a", "empty": {}, "none": [], "numbers": [1, -2.5, true, null], "deep": {"list": [[], [{}], [{"x": []}]]}},
  {},
  {"text": "quote \" slash \\ braces {}[],: line\n tab\t é \u0001", "last": "\\"}
])");

}  // namespace

TEST_CASE("packed rows: give the bytes of the whole document", "[report]") {
  Json items = kItems;
  items[0]["delete"] = "\x7f";
  items[0]["broken"] = "\xff";
  PackedRows rows;
  for (const Json& item : items) rows.add(json_text(item, -1));
  const Json empty = {{"kind", "List"}, {"summary", {{"pods", 3}}}, {"items", Json::array()}};
  Json whole = empty;
  whole["items"] = items;
  CHECK(text_of(rows, empty) == json_text(whole, 2) + '\n');
  std::string lines;
  for (const Json& item : items) lines += json_text(item, -1) + '\n';
  CHECK(lines_of(rows) == lines);
}

TEST_CASE("packed rows: take members that are known later", "[report]") {
  PackedRows rows;
  Json items = kItems;
  for (const Json& item : items) rows.add(json_text(item, -1));
  rows.add_member(2, "inTurn", {{"victims", Json::array()}});
  rows.add_member(1, "inTurn", "fits");
  items[1]["inTurn"] = "fits";
  items[2]["inTurn"] = {{"victims", Json::array()}};
  std::string lines;
  for (const Json& item : items) lines += json_text(item, -1) + '\n';
  CHECK(lines_of(rows) == lines);
}

TEST_CASE("packed rows: an empty list stays one", "[report]") {
  const Json empty = {{"kind", "List"}, {"items", Json::array()}};
  CHECK(text_of(PackedRows(), empty) == json_text(empty, 2) + '\n');
  CHECK(lines_of(PackedRows()).empty());
}

TEST_CASE("packed rows: more than are compressed together keep their order", "[report]") {
  PackedRows rows;
  std::string lines;
  for (int i = 0; i < 40; ++i) {  // 40 rows of 20,000 bytes: four parts
    const Json item = {{"i", i}, {"text", std::string(20'000, static_cast<char>('a' + i % 26))}};
    rows.add(json_text(item, -1));
    lines += json_text(item, -1) + '\n';
  }
  CHECK(rows.size() == 40);
  CHECK(lines_of(rows) == lines);
}

TEST_CASE("packed rows: a writer that refuses ends the list", "[report]") {
  PackedRows rows;
  for (const Json& item : kItems) rows.add(json_text(item, -1));
  int calls = 0;
  CHECK_FALSE(rows.write_lines([&](std::string_view) { return ++calls < 2; }));
  CHECK(calls == 2);
}
