#include "input/yaml_source.h"

#include "support/input.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

using previct::test::yaml_events;

namespace {

auto contains(const std::string& text, std::string_view part) -> bool {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("YAML source: an unquoted template is named in the error") {
  CHECK(contains(yaml_events("a: {{ .Values.x }}"), "1:5: a template: \"{{\" is not YAML"));
  CHECK(contains(yaml_events("a: [1]\nb: {{- x }}"), "2:5: a template"));
  // Another mapping as key is not a template.
  CHECK(contains(yaml_events("? {a: b}\n: c"), "expected a string as key, found a list or a mapping"));
}

TEST_CASE("YAML source: plain scalars have the meaning of Kubernetes' loader") {
  struct Row {
    const char* yaml;
    const char* event;
  };
  // Source: go.yaml.in/yaml/v2 v2.4.3 resolve.go, printed through sigs.k8s.io/yaml as JSON.
  const Row rows[] = {{"~", "n:null"},
                      {"null", "n:null"},
                      {"Null", "n:null"},
                      {"NULL", "n:null"},
                      {"nULL", "s:nULL"},
                      {"y", "b:true"},
                      {"Y", "b:true"},
                      {"yes", "b:true"},
                      {"Yes", "b:true"},
                      {"YES", "b:true"},
                      {"yEs", "s:yEs"},
                      {"on", "b:true"},
                      {"On", "b:true"},
                      {"ON", "b:true"},
                      {"true", "b:true"},
                      {"True", "b:true"},
                      {"TRUE", "b:true"},
                      {"n", "b:false"},
                      {"N", "b:false"},
                      {"no", "b:false"},
                      {"No", "b:false"},
                      {"NO", "b:false"},
                      {"off", "b:false"},
                      {"Off", "b:false"},
                      {"OFF", "b:false"},
                      {"false", "b:false"},
                      {"tRUE", "s:tRUE"},
                      {"0", "i:0"},
                      {"-0", "i:0"},
                      {"+5", "i:5"},
                      {"12", "i:12"},
                      {"-12", "i:-12"},
                      {"1_000", "i:1000"},
                      {"0x1F", "i:31"},
                      {"-0x1f", "i:-31"},
                      {"0b101", "i:5"},
                      {"-0b101", "i:-5"},
                      {"0o17", "i:15"},
                      {"012", "i:10"},
                      {"021450", "i:9000"},
                      {"08", "i:8"},
                      {"089", "i:89"},
                      {"0x", "s:0x"},
                      {"0b2", "s:0b2"},
                      {"9223372036854775807", "i:9223372036854775807"},
                      {"18446744073709551615", "i:18446744073709551615"},
                      {"-9223372036854775808", "i:-9223372036854775808"},
                      {"18446744073709551616", "i:18446744073709552000"},
                      {"1.5", "f:1.5"},
                      {"1e3", "i:1000"},
                      {"1.0", "i:1"},
                      {".5", "f:0.5"},
                      {"5.", "i:5"},
                      {"-1.5e-3", "f:-0.0015"},
                      {"1e-7", "f:1e-7"},
                      {"1e21", "f:1e+21"},
                      {"1e400", "s:1e400"},
                      {"1e-400", "i:0"},
                      {"1E2", "i:100"},
                      {".inf", "f:.inf"},
                      {"-.Inf", "f:-.Inf"},
                      {".NaN", "f:.NaN"},
                      {"inf", "s:inf"},
                      {"nan", "s:nan"},
                      {".", "s:."},
                      {"12:30", "s:12:30"},
                      {"190:20:30", "s:190:20:30"},
                      {"2026-01-02", "s:2026-01-02"},
                      {"2026-01-02T03:04:05Z", "s:2026-01-02T03:04:05Z"},
                      {"100m", "s:100m"},
                      {"1Gi", "s:1Gi"},
                      {"1.2.3", "s:1.2.3"},
                      {"_1", "s:_1"},
                      {"<<", "s:<<"},
                      {"=", "s:="},
                      {"\"12\"", "s:12"},
                      {"'true'", "s:true"},
                      {"!!str 12", "s:12"},
                      {"!!int 0x10", "i:16"},
                      {"!!float 3", "i:3"},
                      {"!!bool yes", "b:true"},
                      {"!!null ~", "n:null"},
                      {"!!binary aGk=", "s:hi"},
                      {"|\n  12", "s:12"}};
  for (const Row& row : rows) {
    INFO(row.yaml);
    CHECK(yaml_events(fmt::format("- {}\n", row.yaml)) ==
          fmt::format("[ {}{} ] .", row.event, std::string_view(row.yaml).substr(0, 1) == "|" ? "\n" : ""));
  }
}

TEST_CASE("YAML source: keys that are not strings become strings, as in Kubernetes") {
  CHECK(yaml_events("{1: a, yes: b, 1.5: c, 0x10: d, '~': e}") ==
        "{ s:1 s:a s:true s:b s:1.5 s:c s:16 s:d s:~ s:e } .");
  CHECK(yaml_events("~: a") == "1:1: expected a string as key, found null");
  CHECK(yaml_events("[1]: a") == "1:1: expected a string as key, found a list or a mapping");
}

TEST_CASE("YAML source: aliases are resolved, and merge keys fill a mapping") {
  CHECK(yaml_events("a: &x [1, {b: 2}]\nc: *x") == "{ s:a [ i:1 { s:b i:2 } ] s:c [ i:1 { s:b i:2 } ] } .");
  CHECK(yaml_events("a: &x 1\nb: &y [*x]\nc: [*y, *x]") == "{ s:a i:1 s:b [ i:1 ] s:c [ [ i:1 ] i:1 ] } .");
  CHECK(yaml_events("- &a {k: 1, l: 2}\n- {<<: *a, l: 3}") == "[ { s:k i:1 s:l i:2 } { s:k i:1 s:l i:3 } ] .");
  // go-yaml v2 merges at the position of the key: earlier values are replaced.
  CHECK(yaml_events("- &a {l: 2}\n- {l: 3, <<: *a}") == "[ { s:l i:2 } { s:l i:2 } ] .");
  CHECK(yaml_events("- &a {k: 1}\n- &b {k: 2, m: 3}\n- <<: [*a, *b]") ==
        "[ { s:k i:1 } { s:k i:2 s:m i:3 } { s:m i:3 s:k i:1 } ] .");
  CHECK(yaml_events("- &a {k: 1}\n- &b {<<: *a, m: 2}\n- <<: *b") ==
        "[ { s:k i:1 } { s:k i:1 s:m i:2 } { s:k i:1 s:m i:2 } ] .");
  CHECK(yaml_events("'<<': 1") == "{ s:<< i:1 } .");
  CHECK(contains(yaml_events("<<: 1"), "expected a mapping, or a list of mappings, to merge"));
  CHECK(contains(yaml_events("<<: [1]"), "expected a mapping, or a list of mappings, to merge"));
  CHECK(contains(yaml_events("a: *b"), "1:4: the alias names an anchor that was not found"));
  CHECK(contains(yaml_events("a: &b [*b]"), "the alias is inside its own anchor"));
  CHECK(contains(yaml_events("a: &b 1\n---\nc: *b"), "not found"));
}

TEST_CASE("YAML source: aliases are refused at the same share of a document as upstream") {
  // 100 anchored values of 11 nodes each, then aliases: below 400,000 nodes, 99 % may come from aliases.
  std::string laughs = "a: &a [x, x, x, x, x, x, x, x, x, x]\n";
  for (char c = 'b'; c < 'i'; ++c) {
    laughs += fmt::format("{0}: &{0} [*{1}, *{1}, *{1}, *{1}, *{1}, *{1}, *{1}, *{1}, *{1}, *{1}]\n", c,
                          static_cast<char>(c - 1));
  }
  CHECK(contains(yaml_events(laughs), "aliases make up more"));
  std::string shared = "a: &a [1, 2, 3]\nb:\n";
  for (int i = 0; i < 2000; ++i) shared += "- *a\n";
  CHECK_FALSE(contains(yaml_events(shared), "aliases make up more"));
}

TEST_CASE("YAML source: nesting is limited to 1,000 levels, and fails fast") {
  const auto nested = [](std::size_t levels) { return std::string(levels, '[') + std::string(levels, ']'); };
  CHECK_FALSE(contains(yaml_events(nested(1000)), "nested"));
  CHECK(yaml_events(nested(1001)) == "1:1001: nested more than 1000 levels deep");
  std::string dashes;
  for (int i = 0; i < 200'000; ++i) dashes += "- ";
  CHECK(contains(yaml_events(dashes), "nested more than 1000 levels deep"));
  CHECK(contains(yaml_events(std::string(1'000'000, '[')), "nested more than 1000 levels deep"));
  std::string lines;
  for (int i = 0; i < 100'000; ++i) lines += "[\n";
  CHECK(contains(yaml_events(lines), "nested more than 1000 levels deep"));
}

TEST_CASE("YAML source: broken YAML gets a one-line error with its position") {
  struct Row {
    const char* yaml;
    const char* message;
  };
  const Row rows[] = {
      {"a:\n\tb: 1\n", "2:1: a tab used as indentation; YAML allows only spaces"},
      {"a: [1, 2\nb: 3\n", "2:2: expected `,` or `]` in a flow list that is not closed"},
      {"a: {b: 1\n",
       "2:1: expected `,` or `}` in a flow mapping that is not closed; the file ends here, so it seems to be "
       "cut short"},
      {"a:\n  b: 1\n c: 2\n", "3:2: expected a key or less indentation: the line matches no level of a mapping"},
      {"a: \"b\n", "2:1: a quoted string without its closing quote; the file ends here, so it seems to be cut short"},
      {"a: b: c\n", "1:5: a second `: ` on one line; expected a quoted string or a new line"},
      {"a: \"\\q\"\n", "1:5: an unknown escape in a double-quoted string"},
      {"a: 1\nb: \xff\n", "2:4: not valid UTF-8"},
      {"a: 1\nb: \xc3\xa9\xc3\n", "2:6: not valid UTF-8"},
      {"a: 1\nb: \x01\n", "2:4: a control character, which YAML does not allow"},
      {"a: !!python/object:x 1\n", "1:4: the tag !!… is not one that Kubernetes objects use"},
      {"a: !mine [1]\n", "1:4: the tag !… is not one that Kubernetes objects use"},
      {"a: !!int b\n", "1:4: the text does not match its tag !!int"}};
  for (const Row& row : rows) {
    INFO(row.yaml);
    CHECK(yaml_events(row.yaml) == row.message);
  }
}

TEST_CASE("YAML source: positions count lines by line feeds and columns by bytes") {
  const auto source = previct::yaml_source("k: \"\xc3\xa9\xe2\x80\xa8x\"\n\xc3\xa9: {b: 1}\n", previct::FileId{0});
  std::vector<std::string> places;
  for (;;) {
    const auto event = source->next();
    REQUIRE(event);
    if (event->type == previct::EventType::end_document) break;
    places.push_back(fmt::format("{}:{}", event->line, event->column));
  }
  CHECK(places == std::vector<std::string>{"1:1", "1:1", "1:4", "2:1", "2:5", "2:6", "2:9", "2:10", "3:1"});
}

TEST_CASE("YAML source: all output of kubectl's emitter is read as Kubernetes reads it") {
  const std::string path = PREVICT_SOURCE_DIR "/fixtures/input/emitter-battery.json";
  const char* wide = std::getenv("PREVICT_EMITTER_BATTERY");
  std::ifstream file(wide != nullptr ? std::string(wide) : path);
  REQUIRE(file);
  const auto rows = nlohmann::json::parse(file);
  std::size_t readable = 0;
  for (const auto& row : rows) {
    if (row["Err"] != "") continue;
    ++readable;
    const std::string yaml = row["Yaml"];
    INFO(yaml);
    const auto read = previct::test::json_of(*previct::yaml_source(yaml, previct::FileId{0}));
    REQUIRE(read);
    CHECK(*read == row["Back"]);
  }
  CHECK(readable > 700);
}
