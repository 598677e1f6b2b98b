#include "input/json_source.h"

#include "support/input.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <random>
#include <string>

#include <simdjson.h>

using previct::test::json_events;

TEST_CASE("JSON source: gives events, one document per value") {
  CHECK(json_events("{\"a\": [1, -2.50, 1e3, true, false, null, \"x\"], \"b\": {}, \"c\": []}") ==
        "{ s:a [ i:1 f:-2.50 f:1e3 b:true b:false n:null s:x ] s:b { } s:c [ ] } .");
  CHECK(json_events("1 2\n[3]{}\"x\"\n") == "i:1 . i:2 . [ i:3 ] . { } . s:x .");
  CHECK(json_events("").empty());
  CHECK(json_events("123456789012345678901234567890") == "i:123456789012345678901234567890 .");
  CHECK(json_events(R"("\"\\\/\b\f\n\r\t\u00e9\u20ac\ud83c\udf89\ud83c")") ==
        "s:\"\\/\b\f\n\r\t\xc3\xa9\xe2\x82\xac\xf0\x9f\x8e\x89\xef\xbf\xbd .");
}

TEST_CASE("JSON source: a line of three dashes separates documents, as in Kubernetes' own reader") {
  CHECK(json_events("{}\n---\n[1]\n--- \r\n---\n{}\n---\n") == "{ } . [ i:1 ] . { } .");
  CHECK(json_events("{}\n---") == "{ } .");
  // Only on its own line, and only between documents.
  CHECK(json_events("{} ---\n{}") == "1:4: expected a value, found other text");
  CHECK(json_events("{}\n----\n{}") == "2:1: expected a value, found other text");
  CHECK(json_events("[\n---\n]") == "2:1: expected a value, found other text");
}

TEST_CASE("JSON source: broken JSON gets a one-line error with its position") {
  struct Row {
    std::string json;
    const char* message;
  };
  const Row rows[] = {
      {"{\"a\": 1,\n}", "2:1: expected a key after the comma, found }"},
      {"[1,\n 2,]", "2:4: expected a value after the comma, found ]"},
      {"[1 2]", "1:4: expected `,` or `]`, found a number"},
      {"{\"a\" 1}", "1:6: expected `:` after the key, found a number"},
      {"{a: 1}", "1:2: expected a quoted key, found other text"},
      {"[NaN]", "1:2: expected a value, found NaN"},
      {"[Infinity]", "1:2: expected a value, found Infinity"},
      {"[01]", "1:2: expected a number without leading zeros, found a number"},
      {"[1.]", "1:4: expected digits after the point of a number, found ]"},
      {"[1e]", "1:4: expected digits in the exponent of a number, found ]"},
      {"[1x]", "1:2: expected a number, found other text"},
      {"[1] // one", "1:5: expected a value, found a comment, which JSON does not have"},
      {"[1, # one\n2]", "1:5: expected a value, found a comment, which JSON does not have"},
      {"[\"a\nb\"]", "1:4: a control character in a string; JSON requires an escape such as \\n"},
      {"[\"\\q\"]", "1:4: expected an escape that JSON knows after the backslash, found other text"},
      {"[\"\\u12g4\"]", "1:4: expected four hexadecimal digits in the escape, found other text"},
      {std::string("{}\0", 3), "1:3: expected a value, found a NUL byte"},
      {"{\n \"\xff\": 1}", "2:3: not valid UTF-8"},
      {"]", "1:1: expected a value, found ]"},
      {"{\"a\": [1", "1:9: expected `,` or `]`; unexpected end of the input, so it seems to be cut short"},
      {"\"abc",
       "1:5: expected the closing quote of a text; unexpected end of the input, so it seems to be cut "
       "short"}};
  for (const Row& row : rows) {
    INFO(row.json);
    CHECK(json_events(row.json) == row.message);
  }
}

TEST_CASE("JSON source: nesting is limited to 1,000 levels") {
  CHECK(json_events(std::string(1000, '[') + std::string(1000, ']')).back() == '.');
  CHECK(json_events(std::string(1'000'000, '[')) == "1:1001: nested more than 1000 levels deep");
}

TEST_CASE("JSON source: positions are lines and byte columns") {
  const auto source = previct::json_source("{\"\xc3\xa9\":\n  [1, \"x\"]}", previct::FileId{0});
  std::string places;
  for (int i = 0; i < 7; ++i) {
    const auto event = source->next();
    REQUIRE(event);
    places += fmt::format("{}:{} ", event->line, event->column);
  }
  CHECK(places == "1:1 1:2 2:3 2:4 2:7 2:10 2:11 ");
}

TEST_CASE("JSON source: mutated dumps are read as by simdjson, or refused by both") {
  const std::string dump = previct::test::fixture("input/small.json");
  std::mt19937 random(20260501);
  simdjson::dom::parser parser;
  std::size_t both_read = 0;
  for (int i = 0; i < 4000; ++i) {
    std::string text = dump;
    for (int n = 0; n <= i % 2; ++n) {
      constexpr std::string_view kBytes = "{}[]\",:\\ \n\t0123456789-+.eEtrufalsn\x01\x80\xc3";
      text[random() % text.size()] = kBytes[random() % kBytes.size()];
    }
    INFO(text);
    const auto ours = previct::test::json_of(*previct::json_source(text, previct::FileId{0}));
    const bool whole = json_events(text).substr(0, 1) == "{";  // also no error after the first value
    simdjson::dom::element element;
    const bool theirs = parser.parse(text).get(element) == simdjson::SUCCESS;
    CHECK(theirs == (ours && whole));
    if (!theirs || !ours) continue;
    ++both_read;
    CHECK(*ours == nlohmann::json::parse(simdjson::to_string(element)));
  }
  CHECK(both_read > 500);
}

TEST_CASE("JSON source: logs between the lists of a cluster-info dump are skipped, whatever they contain") {
  const auto log = [](const std::string& of, const std::string& text) {
    const std::string what = "logs for container " + of + " of pod ns/p ====\n";
    return "==== START " + what + text + "==== END " + what;
  };
  CHECK(json_events("1\n" + log("a", "no line feed") + log("b", "\xff\n{\n") + "2\n") == "i:1 . i:2 .");
  CHECK(json_events("1\n" + log("a", "")) == "i:1 .");
  CHECK(json_events("1\n" + log("a", "x") + "\"\xff\"") == "4:2: not valid UTF-8");
}

TEST_CASE("JSON source: the last line of a cluster-info dump is skipped") {
  const std::string end = "Cluster info dumped to standard output\n";
  CHECK(json_events("1\n" + end) == "i:1 .");
  CHECK(json_events("1\n==== START logs for container a of pod p ====\n==== END logs for container a of pod p ====\n" +
                    end) == "i:1 .");
  // Nothing may follow it.
  CHECK(json_events("1\n" + end + "2\n") == "2:1: expected a value, found other text");
  CHECK(json_events("[1,\n" + end) == "2:1: expected a value, found other text");
}

TEST_CASE("JSON source: a log that imitates its own end is refused, whatever follows it") {
  const std::string begin = "==== START logs for container a of pod ns/p ====\n";
  const std::string end = "==== END logs for container a of pod ns/p ====\n";
  // The text of the log is between its first and its last mark.
  CHECK(json_events("1\n" + begin + end + "{}\n" + end) == "5:1: expected a value, found other text");
  CHECK(json_events("1\n" + begin + end + "{}\n" + begin + end) == "5:1: the log of container a begins twice");
  CHECK(json_events("1\n" + begin + "x\n") == "2:1: cut short: the log of container a has no end");
}
