// The flags of `previct lint`, as docs/lint.md describes them, and what .previct.yaml says of the same.
#include "lint/settings.h"

#include "lint/linter.h"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

namespace previct::lint {

TEST_CASE("lint --only, --skip: each word is a rule or a family, whatever its case", "[lint]") {
  using Words = std::vector<std::string>;
  for (const Words& words : {Words{}, Words{"PT004"}, Words{"pt004"}, Words{"PT"}, Words{"pt"}, Words{"KA", "yk001"}}) {
    INFO((words.empty() ? "" : words.front()));
    CHECK(check_selection(words, "--only"));
  }
  for (const Words& words : {Words{""}, Words{"P"}, Words{"PT0"}, Words{"PT0044"}, Words{"XX"}, Words{"PT", "XX"}}) {
    INFO(words.front());
    CHECK_FALSE(check_selection(words, "--only"));
  }
  // A misspelled word is quoted, with the one that is meant.
  CHECK(
      check_selection({"PT04"}, "--skip").error().message.starts_with("--skip \"PT04\" is not a rule; did you mean "));
  CHECK(check_selection({"PT", "somewhere"}, "--only").error().message == "--only \"somewhere\" is not a rule");
}

TEST_CASE("lint --only, --skip: what is skipped is skipped even if it is also wanted", "[lint]") {
  struct Row {
    std::vector<std::string> only;
    std::vector<std::string> skip;
    std::string selected;  // of PT004, PT011 and PC001
  };
  const std::vector<Row> rows = {
      {{}, {}, "PT004 PT011 PC001 "},        {{"pt"}, {}, "PT004 PT011 "}, {{"PT011"}, {}, "PT011 "},
      {{"PT011", "pc"}, {}, "PT011 PC001 "}, {{}, {"PT"}, "PC001 "},       {{}, {"pt004"}, "PT011 PC001 "},
      {{"PT"}, {"PT004"}, "PT011 "},         {{"PT004"}, {"PT"}, ""},      {{"PT004", "PC"}, {"PC001"}, "PT004 "},
  };
  for (const Row& row : rows) {
    INFO(row.selected);
    Settings settings;
    settings.only = row.only;
    settings.skip = row.skip;
    std::string all;
    for (const std::string rule : {"PT004", "PT011", "PC001"}) all += selected(rule, settings) ? rule + ' ' : "";
    CHECK(all == row.selected);
  }
}

TEST_CASE("lint --severity: a rule and its severity", "[lint]") {
  const auto set = [](const std::string& word) -> std::string {
    Settings settings;
    if (const auto done = set_severity(word, settings); !done) return done.error().message;
    REQUIRE(settings.severity.size() == 1);
    const auto& [rule, severity] = *settings.severity.begin();
    return rule + (severity == Severity::error ? " error" : severity == Severity::warning ? " warning" : " info");
  };
  CHECK(set("PT011=error") == "PT011 error");
  CHECK(set("pt011=warning") == "PT011 warning");
  CHECK(set("PT011=info") == "PT011 info");
  for (const std::string word : {"PT011", "PT=error", "XX001=error", "=error", ""}) {
    INFO(word);
    CHECK(set(word) == "severity \"" + word + "\": expected a rule and its severity, as PT011=error");
  }
  for (const std::string word : {"PT011=", "PT011=Error", "PT011=never", "PT011=error=info"}) {
    INFO(word);
    CHECK(set(word) == "severity \"" + word + "\": there are error, warning and info");
  }
}

TEST_CASE("lint baseline: an entry has the line on which its fingerprint stands", "[lint]") {
  const auto entry = [](const std::string& rule, const std::string& text) {
    return "{\"rule\": \"" + rule + "\",\n\"object\": \"o\",\n\"fingerprint\": \"" + text + "\"}";
  };
  // Entries of three lines each, from line 2 on. A fingerprint that is written in another form than it is read is at
  // the first line, and those after it have theirs.
  const std::string text = "{\"kind\": \"Baseline\", \"findings\": [\n" + entry("A", ".a=1") + ",\n" +
                           entry("B", ".b=1") + ",\n" + entry("C", ".a=1") + ",\n" + entry("D", ".d\\u003d1") + ",\n" +
                           entry("E", ".e=1") + "]}\n";
  const auto read = read_baseline(text, "b.json", FileId{0});
  REQUIRE(read);
  std::string lines;
  for (const BaselineEntry& each : *read)
    lines += each.rule + each.object + each.fingerprint + ":" + std::to_string(each.place.line) + ' ';
  CHECK(lines == "Ao.a=1:4 Bo.b=1:7 Co.a=1:10 Do.d=1:1 Eo.e=1:16 ");
  // One that is written in another form has the line of an earlier one that is equal, and those after it have theirs.
  const std::string again = "{\"kind\": \"Baseline\", \"findings\": [\n" + entry("A", ".a=1") + ",\n" +
                            entry("B", ".b=1") + ",\n" + entry("C", ".a\\u003d1") + ",\n" + entry("D", ".d=1") + "]}\n";
  const auto others = read_baseline(again, "b.json", FileId{0});
  REQUIRE(others);
  lines.clear();
  for (const BaselineEntry& each : *others) lines += each.rule + ":" + std::to_string(each.place.line) + ' ';
  CHECK(lines == "A:4 B:7 C:4 D:13 ");
}

TEST_CASE("lint baseline: findings of one object differ by the keys and positions that lead to them", "[lint]") {
  const auto of = [](const std::string& text, const std::string& rule, const std::vector<BaselineEntry>& baseline) {
    Tree tree;
    tree.read_text("m.yaml", text);
    tree.finish({}, true);
    Settings settings;
    settings.only = {rule};
    return lint(tree, settings, baseline).items;
  };
  struct Row {
    std::string rule;
    std::string text;  // with two equal values
  };
  const std::vector<Row> rows = {
      {"KA001",
       "apiVersion: scheduling.run.ai/v2\nkind: Queue\nmetadata: {name: q}\n"
       "spec: {preemptMinRuntime: 5, reclaimMinRuntime: 5}\n"},
      {"PO012",
       "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec:\n  containers:\n"
       "  - {name: a, priorityClassName: x}\n  - {name: b, priorityClassName: x}\n"},
  };
  for (const Row& row : rows) {
    INFO(row.rule);
    const auto found = of(row.text, row.rule, {});
    REQUIRE(found.size() == 2);
    for (const std::size_t known : {0U, 1U}) {
      const auto again =
          of(row.text, row.rule,
             {{.rule = row.rule, .object = found[known].object, .fingerprint = found[known].fingerprint}});
      REQUIRE(again.size() == 2);
      CHECK(again[known].suppression.has_value());
      CHECK_FALSE(again[1 - known].suppression.has_value());
    }
  }
}

}  // namespace previct::lint
