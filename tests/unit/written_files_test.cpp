// The five kinds of files that one strict reader reads refuse the same errors in the same words, each with its place.

#include "api/strict_reader.h"
#include "cli/settings_file.h"
#include "engine/assumptions.h"
#include "engine/yunikorn/assumptions.h"
#include "engine/yunikorn/configuration.h"
#include "lint/settings.h"
#include "suite/suite.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <string>
#include <vector>

namespace {

using namespace previct;

// Returns `line:column message; help`, or `accepted`.
template <class T>
auto refusal(const Result<T>& result) -> std::string {
  if (result) return "accepted";
  const Failure& f = result.error();
  return fmt::format("{}:{} {}{}{}", f.place.line, f.place.column, f.message, f.help.empty() ? "" : "; ", f.help);
}

auto of_suite(const std::string& text) -> std::string {
  return refusal(suite::read(text, "previct-test.yaml", FileId{0}));
}
auto of_lint(const std::string& text) -> std::string {
  return refusal(lint::read_settings(text, ".previct.yaml", FileId{0}));
}
auto of_cluster(const std::string& text) -> std::string {
  return refusal(cli::read_cluster_settings(text, ".previct.yaml", FileId{0}));
}
auto of_assumptions(const std::string& text) -> std::string {
  yunikorn::Assumptions part;
  return refusal(read_assumptions(ConfigFile{FileId{0}, text}, "yunikorn", part));
}
auto of_queues(const std::string& text) -> std::string {
  return refusal(yunikorn::read_queues(text, FileId{0}));
}

struct Row {
  const char* text;
  std::string refusal;
};

const std::string kTwice = "occurs twice; remove one of the two; the first is at line ";
const std::string kNoValue = "found no value; give it a value, or remove it";

}  // namespace

TEST_CASE("written files: test suites refuse unknown and repeated keys, missing values and other types", "[strict]") {
  const std::string head = "kind: TestSuite\ntests:\n- name: a\n  state: s\n  pod: x/p\n";
  for (const Row& row :
       std::vector<Row>{{"  expct: {outcome: fits}", "6:3 tests[0]: unknown key \"expct\"; did you mean \"expect\"?"},
                        {"  expect: {outcome: fits}\n  pod: x/q", "7:3 tests[0]: key \"pod\" " + kTwice + "5"},
                        {"  expect:", "6:3 tests[0].expect: expected a mapping, " + kNoValue},
                        {"  expect: {victims: {includes: ~}}",
                         "6:32 tests[0].expect.victims.includes: expected NAMESPACE/NAME, " + kNoValue},
                        {"  now:\n  expect: {outcome: fits}",
                         "6:3 tests[0].now: expected a time such as 2026-05-01T12:00:00Z, " + kNoValue},
                        {"  expect: [fits]", "6:11 tests[0].expect: expected a mapping, found a list"},
                        {"  expect: {victims: {count: many}}",
                         "6:29 tests[0].expect.victims.count: expected an integer, found \"many\""},
                        {"  expect: {outcome: fits}", "accepted"}}) {
    INFO(row.text);
    CHECK(of_suite(head + row.text) == row.refusal);
  }
}

TEST_CASE("written files: the settings of lint refuse the same", "[strict]") {
  for (const Row& row :
       std::vector<Row>{{"skipp: []", "1:1 unknown key \"skipp\"; did you mean \"skip\"?"},
                        {"skip: [PC001]\nonly: [PT]\nskip: []", "3:1 key \"skip\" " + kTwice + "1"},
                        {"skip:\nonly: [PT]", "1:1 skip: expected a list of rules, " + kNoValue},
                        {"fail-on: ~", "1:10 fail-on: expected error, warning, info or never, " + kNoValue},
                        {"skip: {PC001: 1}", "1:7 skip: expected a list of rules, found a mapping"},
                        {"fail-on: erorr",
                         "1:10 fail-on: expected error, warning, info or never, found \"erorr\"; did "
                         "you mean \"error\"?"},
                        {"cluster: {anything: [1]}", "accepted"}}) {
    INFO(row.text);
    CHECK(of_lint(row.text) == row.refusal);
  }
}

TEST_CASE("written files: the settings of the cluster refuse the same", "[strict]") {
  const std::string flags = "expected flags with their values, ";
  for (const Row& row : std::vector<Row>{
           {"cluster: {k8s-versoin: 1.35}", "1:11 cluster: unknown key \"k8s-versoin\"; did you mean \"k8s-version\"?"},
           {"cluster:\n  engine: kai\n  engine: kube", "3:3 cluster: key \"engine\" " + kTwice + "2"},
           {"cluster:\n  engine:\n", "2:3 cluster.engine: expected a single value, " + kNoValue},
           {"cluster:", "1:1 cluster: " + flags + kNoValue},
           {"cluster: [kube]", "1:10 cluster: " + flags + "found a list"},
           {"cluster: {engine: {a: b}}", "1:19 cluster.engine: expected a single value, found a mapping"},
           {"only: nonsense", "accepted"}}) {
    INFO(row.text);
    CHECK(of_cluster(row.text) == row.refusal);
  }
}

TEST_CASE("written files: assumptions refuse the same", "[strict]") {
  for (const Row& row : std::vector<Row>{
           {"yunikorn: {relesed: []}", "2:12 yunikorn: unknown key \"relesed\"; did you mean \"released\"?"},
           {"yunikorn:\n  released: []\n  released: [a/b]", "4:3 yunikorn: key \"released\" " + kTwice + "3"},
           {"yunikorn:", "2:1 yunikorn: expected a mapping, " + kNoValue},
           {"yunikorn: {askTriggered: null}", "2:26 yunikorn.askTriggered: expected true or false, " + kNoValue},
           {"yunikorn: {released: {a: b}}",
            "2:22 yunikorn.released: expected a list of NAMESPACE/NAME, found a mapping"},
           {"yunikorn: {askTriggered: 1}", "2:26 yunikorn.askTriggered: expected true or false, found \"1\""},
           {"kube: {}\nkai: {}\nkueue: {}\nyunikorn: {released: [a/b]}", "accepted"}}) {
    INFO(row.text);
    CHECK(of_assumptions(std::string("kind: Assumptions\n") + row.text) == row.refusal);
  }
}

// A key without a value is absent for yaml.v3, which YuniKorn uses.
TEST_CASE("written files: queues.yaml refuses the same, except for missing values", "[strict]") {
  const std::string head = "partitions:\n- name: default\n  queues:\n  - name: root\n";
  const std::string root = "partitions[0].queues[0]";
  for (const Row& row :
       std::vector<Row>{{"    limts: []", "5:5 " + root + ": unknown key \"limts\"; did you mean \"limits\"?"},
                        {"    name: b", "5:5 " + root + ": key \"name\" " + kTwice + "4"},
                        {"    limits:", "accepted"},
                        {"    parent: ~", "accepted"},
                        {"    limits: {}", "5:13 " + root + ".limits: expected a list, found a mapping"},
                        {"    parent: perhaps", "5:13 " + root + ".parent: expected true or false, found \"perhaps\""},
                        {"    queues: [{name: a, queues: [{name: b, properties: [x]}]}]",
                         "5:55 " + root + ".queues[0].queues[0].properties: expected a mapping, found a list"}}) {
    INFO(row.text);
    CHECK(of_queues(head + row.text) == row.refusal);
  }
}

TEST_CASE("written files: one that is cut off, nested too deeply or not one document is refused", "[strict]") {
  const std::string suite = "kind: TestSuite\ntests: [{name: a, state: s, pod: x/p, expect: {outcome: fits}}]\n";
  CHECK(of_suite(suite) == "accepted");
  CHECK(of_suite(suite + "---\n") == "accepted");
  CHECK(of_suite(suite + "---\ntests: []\n").starts_with("4:1 a second document, where one is expected"));
  CHECK(of_suite("kind: TestSuite\ntests: [\n") == "2:8 not valid YAML: end of sequence flow not found");
  CHECK(of_suite("kind: \"TestSuite\n") == "1:1 not valid YAML: a quoted text after this place has no end");
  CHECK(of_suite("kind: 'TestSuite") == "1:1 not valid YAML: a quoted text after this place has no end");
  CHECK(of_suite("'") == "1:1 not valid YAML: a quoted text after this place has no end");
  CHECK(of_suite(", a: b\n") == "1:1 not valid YAML: expected a key or a value");
  CHECK(of_suite("]") == "1:1 not valid YAML: illegal flow end");
  // yaml-cpp takes U+0004 for the end of the file.
  CHECK(of_suite(suite + "\x04- {name: b}\n") == "3:1 a control character, which YAML does not allow");
  CHECK(of_suite("kind: Te\xffst\n") == "1:9 not valid UTF-8");
  CHECK(of_suite("a: " + std::string(600, '[')).find("nested too deeply") != std::string::npos);
  CHECK(of_suite("? [a]\n: b\n") == "1:3 a key must be a text");
  CHECK(of_suite("kind: &a {b: *a}\n") == "1:14 an alias stands inside the value that it refers to");
  CHECK(of_suite("kind: *a\n").starts_with("1:7 not valid YAML: "));
  // A file of another kind is not refused for its keys.
  CHECK(of_suite("apiVersion: v1\nkind: List\nitems: []\n") ==
        "1:13 apiVersion: expected previct/v1alpha1, found \"v1\"");
  CHECK(of_suite("kind: List\nitems: []\n") == "1:7 kind: expected TestSuite, found \"List\"");
  CHECK(of_suite("") == "1:1 kind: TestSuite is missing");
  CHECK(of_suite("# nothing\n") == "1:1 kind: TestSuite is missing");
}

TEST_CASE("written files: aliases are values, up to a limit", "[strict]") {
  const std::string head = "kind: TestSuite\ndefaults: {state: &s [a, b], now: &n 2026-05-01T12:00:00Z}\ntests:\n";
  const auto read = suite::read(head +
                                    "- {name: &n p, state: *s, pod: x/p, expect: {outcome: fits}}\n- {name: *n, pod: "
                                    "x/p, policies: *s, expect: {outcome: fits}}\n",
                                "previct-test.yaml", FileId{0});
  REQUIRE(read);
  CHECK(read->tests[1].name == "p");
  CHECK(read->tests[1].setting.policies == std::vector<std::string>{"a", "b"});
  // Ten levels of ten aliases would be ten thousand million values.
  std::string bomb = "a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n";
  for (int i = 1; i <= 10; ++i) {
    bomb += fmt::format("a{}: &a{} [", i, i);
    for (int j = 0; j < 10; ++j) bomb += fmt::format("*a{},", i - 1);
    bomb += "]\n";
  }
  CHECK(of_suite(bomb).find("aliases stand for more values than a file of this format may have") != std::string::npos);
  CHECK(of_lint(bomb).find("aliases stand for more values") != std::string::npos);
  // Few values of many bytes.
  std::string large = "a: &a \"" + std::string(std::size_t{1} << 20U, 'x') + "\"\nb: [";
  for (int i = 0; i < 100; ++i) large += "*a,";
  CHECK(of_suite(large + "]\n").find("aliases stand for more values") != std::string::npos);
}
