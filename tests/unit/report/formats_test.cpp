#include "base/text.h"
#include "report/format.h"
#include "report/json_text.h"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace previct;

namespace {

// What input can hold to harm whoever reads the answer.
const std::vector<std::string> kHostile = {"\x1b[31mred\x1b[0m",
                                           "\x1b]8;;http://x\x07link\x1b]8;;\x07",
                                           "a\nb",
                                           "a\rb",
                                           "a\tb",
                                           std::string("a\0b", 3),
                                           "\xc2\x9b"
                                           "31m",
                                           "\x7f",
                                           "\xe2\x80\xae"
                                           "evil",
                                           "\xe2\x81\xa6iso",
                                           "zero\xe2\x80\x8bwidth",
                                           "\xef\xbb\xbf"
                                           "bom",
                                           "\xff\xfe broken",
                                           "\xc0\xaf overlong",
                                           "\xed\xa0\x80 surrogate",
                                           "::error::x",
                                           "]]>",
                                           "<script>alert(1)</script>",
                                           "\"quoted\" \\ 'single'",
                                           "- a: [b, {c}] # d",
                                           "no",
                                           "null",
                                           "0x10",
                                           "2026-01-01",
                                           "&anchor *alias !!tag",
                                           " leading and trailing ",
                                           "",
                                           "\xf3\xa0\x80\xa1tag"};

auto hostile_report(const std::string& text) -> Report {
  Report report;
  report.blocks.emplace_back(Line{{{text, Tone::goes}, {text}}});
  report.blocks.emplace_back(Table{{{"HEAD"}, {.head = "N", .numeric = true, .optional = true}, {"LAST"}},
                                   {{{text, Tone::safe}, {text}, {text + " " + text}}},
                                   {Line{{{text}}}}});
  report.blocks.emplace_back(Paragraph{text, {Line{{{text}}}}});
  report.data = {{"name", text}, {text.empty() ? "key" : text, 1}, {"list", {text, {{"in", text}}}}};
  report.names = {text};
  return report;
}

// Takes out the colours that the text formats themselves write.
auto without_colors(std::string text) -> std::string {
  for (const char* code : {"\x1b[31m", "\x1b[32m", "\x1b[33m", "\x1b[1m", "\x1b[2m", "\x1b[0m"}) {
    for (std::size_t at = 0; (at = text.find(code, at)) != std::string::npos;)
      text.erase(at, std::string(code).size());
  }
  return text;
}

// Everything but line ends passes the escape unchanged, so nothing in it acts or hides.
auto harmless(std::string text) -> bool {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return escaped(text) == text;
}

}  // namespace

TEST_CASE("nothing in an input reaches any output raw") {
  for (const std::string& text : kHostile) {
    const Report report = hostile_report(text);
    for (const Format* format : formats()) {
      for (const std::size_t width : {0U, 30U, 70U}) {
        for (const bool color : {false, true}) {
          const std::string out = format->render(report, {.width = width, .color = color});
          INFO(format->name << ' ' << width << ' ' << escaped(text));
          CHECK(harmless(color ? without_colors(out) : out));
        }
      }
    }
  }
}

TEST_CASE("JSON keeps the text it can keep and stays JSON") {
  CHECK(json_text("a\x1b\x7f\xc2\x9b\xe2\x80\xae\xff", -1) == R"("a\u001b\u007f\u009b\u202e\ufffd")");
  for (const std::string& text : kHostile) {
    const Json read = Json::parse(json_text(hostile_report(text).data, 2));
    CHECK(read.at("list").size() == 2);
    if (escaped(text) == text) CHECK(read.at("name") == text);
  }
}

TEST_CASE("YAML says the same as JSON") {
  const Json data = {
      {"apiVersion", "previct/v1alpha1"},
      {"yes", "no"},
      {"n", 1},
      {"ok", true},
      {"empty", Json::array()},
      {"none", Json::object()},
      {"list", {"plain-word", "two words", "1.5", "", {{"a", {{"b", "\x1b"}}}, {"c", {1, 2}}}}}};
  CHECK(find_format("yaml")->render({{}, data, {}}, {}) ==
        "apiVersion: previct/v1alpha1\n"
        "\"yes\": \"no\"\n"
        "\"n\": 1\n"
        "ok: true\n"
        "empty: []\n"
        "none: {}\n"
        "list:\n"
        "- plain-word\n"
        "- \"two words\"\n"
        "- \"1.5\"\n"
        "- \"\"\n"
        "- a:\n"
        "    b: \"\\x1b\"\n"
        "  c:\n"
        "  - 1\n"
        "  - 2\n");
}

TEST_CASE("jsonl puts each item of a list on a line") {
  const Json list = {{"kind", "ExplanationList"}, {"items", {{{"a", 1}}, {{"a", 2}}}}};
  CHECK(find_format("jsonl")->render({{}, list, {}}, {}) == "{\"a\":1}\n{\"a\":2}\n");
  CHECK(find_format("jsonl")->render({{}, {{"a", 1}}, {}}, {}) == "{\"a\":1}\n");
}

TEST_CASE("name prints one name a line") {
  CHECK(find_format("name")->render({{}, {}, {"ml/a", "ml/b"}}, {}) == "ml/a\nml/b\n");
}
