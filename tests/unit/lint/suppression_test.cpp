#include "lint/linter.h"
#include "lint/rule.h"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace previct;
using namespace previct::lint;

namespace {

struct Linted {
  std::vector<Finding> items;

  // Returns `PC012 LI001` in order, suppressed ones in brackets.
  [[nodiscard]] auto line() const -> std::string {
    std::string out;
    for (const Finding& finding : items) {
      if (!out.empty()) out += ' ';
      out += finding.suppression ? "(" + finding.rule + ")" : finding.rule;
    }
    return out;
  }
};

auto linted(const std::string& text, const Settings& settings = {}, const std::vector<BaselineEntry>& baseline = {},
            Instant now = {}) -> Linted {
  Tree tree;
  tree.read_text("m.yaml", text);
  tree.now = now;
  tree.finish({}, true);
  return {lint::lint(tree, settings, baseline).items};
}

// A class that only PC012 reports, as used with cluster-autoscaler.
auto filler(const std::string& line, const std::string& before = "", const std::string& metadata = "") -> std::string {
  return before + "apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata:\n  name: filler\n" +
         "  labels: {for: cluster-autoscaler}\n" + metadata + line + '\n';
}

auto settings_in(const std::string& text) -> Settings {
  const auto settings = read_settings(text, ".previct.yaml", FileId{0});
  REQUIRE((settings ? "" : settings.error().message) == std::string());
  return *settings;
}

}  // namespace

TEST_CASE("lint suppression: a comment ignores a rule on its line, or the next", "[lint]") {
  CHECK(linted(filler("value: -20")).line() == "PC012");
  const Linted same = linted(filler("value: -20  # previct:ignore PC012 fills idle nodes"));
  CHECK(same.line() == "(PC012)");
  CHECK(same.items.front().suppression->reason == "fills idle nodes");
  CHECK(same.items.front().suppression->in_source);
  CHECK(described(same.items.front().suppression->place) == "m.yaml:6:13");
  CHECK(linted(filler("# previct:ignore pc012 fills idle nodes\n# and so on\nvalue: -20")).line() == "(PC012)");
  CHECK(linted(filler("# previct:ignore PC012 fills idle nodes\ndescription: x\nvalue: -20")).line() == "LI002 PC012");
  CHECK(linted(filler("value: -20  # previct:ignore PC012,PC003 fills idle nodes")).line() == "(PC012) LI002");
  // Above the object it applies to the whole object.
  CHECK(linted(filler("value: -20", "# previct:ignore PC012 fills idle nodes\n")).line() == "(PC012)");
  CHECK(linted(filler("value: -20", "# previct:ignore PC012 fills idle nodes\n---\n")).line() == "(PC012)");
  // Inside a text it has no effect.
  CHECK(linted(filler("description: 'previct:ignore PC012'\nvalue: -20")).line() == "PC012");
}

TEST_CASE("lint suppression: a line of a text is no comment", "[lint]") {
  // Neither for the object, nor for the next one, and nothing says that it has no effect.
  CHECK(linted(filler("description: |\n  # previct:ignore PC012 x\nvalue: -20")).line() == "PC012");
  CHECK(linted(filler("description: >-\n  y\n  # previct:ignore PC012 x\nvalue: -20")).line() == "PC012");
  CHECK(linted(filler("description: 'a\n  # previct:ignore PC012 x'\nvalue: -20")).line() == "PC012");
  CHECK(linted(filler("value: -20",
                      "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata:\n  note: |\n    # "
                      "previct:ignore PC012 x\n---\n"))
            .line() == "PC012");
  // After the text, and beside its beginning, it is one.
  CHECK(linted(filler("description: |\n  x\n# previct:ignore PC012 x\nvalue: -20")).line() == "(PC012)");
  CHECK(linted(filler("description: |  # previct:ignore PC003 x\n  x\nvalue: -20")).line() == "LI002 PC012");
  // The rest of the file is broken.
  Tree tree;
  tree.read_text("m.yaml", filler("value: -20  # previct:ignore PC012 x") + "---\na: [\n");
  tree.finish({}, true);
  const std::vector<Finding> found = lint::lint(tree, settings_in("only: [PC]"), {}).items;
  REQUIRE(found.size() == 1);
  CHECK(found[0].suppression);
}

TEST_CASE("lint suppression: a comment in a configuration counts for its findings only", "[lint]") {
  const auto map = [](const std::string& comment) {
    return "apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: ConfigMap\n  metadata: {name: "
           "yunikorn-configs, "
           "namespace: yunikorn}\n  data:\n    queues.yaml: |\n      partitions:\n      - name: default\n        "
           "queues:\n  "
           "      - name: root\n          resources: {max: {cpu: 4}}" +
           comment + "\n";
  };
  const std::string next =
      "- {apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: f, labels: {for: "
      "cluster-autoscaler}}, "
      "value: -20}\n";
  const Settings only = settings_in("only: [YK014, PC012, LI002]");
  CHECK(linted(map("") + next, only).line() == "YK014 PC012");
  CHECK(linted(map("  # previct:ignore YK014 x") + next, only).line() == "(YK014) PC012");
  CHECK(linted(map("\n      # previct:ignore PC012 x") + next, only).line() == "YK014 LI002 PC012");
  CHECK(linted(map("\n  # previct:ignore PC012 x") + next, only).line() == "YK014 (PC012)");
}

TEST_CASE("lint suppression: an annotation ignores rules for its object", "[lint]") {
  const auto with = [](const std::string& value) {
    return linted(filler("value: -20", "", "  annotations:\n    previct/ignore: \"" + value + "\"\n")).line();
  };
  CHECK(with("PC012: fills idle nodes") == "(PC012)");
  CHECK(with("PC003: no; PC012: fills idle nodes") == "LI002 (PC012)");
  CHECK(with("PC012") == "LI001 (PC012)");
  CHECK(with("PC812: fills idle nodes") == "LI003 PC012");
}

TEST_CASE("lint settings: ignore by rule, object and file, until they expire", "[lint]") {
  const std::string text = filler("value: -20");
  const auto with = [&](const std::string& ignore, const std::string& now = "") {
    return linted(text, settings_in("ignore:\n- " + ignore + "\n"), {}, now.empty() ? Instant{} : *parse_instant(now));
  };
  CHECK(with("{rule: PC012, reason: idle}").line() == "(PC012)");
  CHECK(with("{rule: PC012, object: PriorityClass fill*, reason: idle}").line() == "(PC012)");
  CHECK(with("{rule: PC012, object: PriorityClass x, reason: idle}").line() == "LI002 PC012");
  CHECK(with("{rule: PC012, object: fill*, reason: idle}").items.front().message == "nothing here to ignore PC012 for");
  CHECK(with("{rule: PC012, object: Pod filler, reason: idle}").items.front().message ==
        "nothing here to ignore PC012 for; did you mean the object PriorityClass filler?");
  CHECK(with("{rule: PC012, file: '*.yaml', reason: idle}").line() == "(PC012)");
  CHECK(with("{rule: PC012}").line() == "LI001 (PC012)");
  const std::string expiring = "{rule: PC012, reason: idle, expires: 2026-06-01}";
  CHECK(with(expiring, "2026-05-31T23:59:59Z").line() == "(PC012)");
  const Linted expired = with(expiring, "2026-06-01T00:00:00Z");
  CHECK(expired.line() == "PC012");
  CHECK(expired.items.front().notes.back() == "was ignored until 2026-06-01 (.previct.yaml:2:3): idle");
  // One that never covered the finding has nothing to do with it.
  const auto is_mentioned = [&](const std::string& ignore) {
    const Linted linted = with("{" + ignore + ", reason: idle, expires: 2026-06-01}", "2026-06-01T00:00:00Z");
    CHECK(linted.line() == "PC012");
    const auto& notes = linted.items.front().notes;
    return std::any_of(notes.begin(), notes.end(),
                       [](const std::string& note) { return note.starts_with("was ignored"); });
  };
  CHECK(is_mentioned("rule: PC012, object: PriorityClass filler"));
  CHECK_FALSE(is_mentioned("rule: PC012, object: PriorityClass other"));
  CHECK_FALSE(is_mentioned("rule: PC012, file: other.yaml"));
  CHECK_FALSE(is_mentioned("rule: PC013"));
}

TEST_CASE("lint settings: select rules and severities", "[lint]") {
  const std::string text = filler("value: -20  # previct:ignore PC003");
  CHECK(linted(text).line() == "PC012 LI001 LI002");
  CHECK(linted(text, settings_in("only: [PC]")).line() == "PC012");
  CHECK(linted(text, settings_in("skip: [LI, PC001]")).line() == "PC012");
  CHECK(linted(text, settings_in("skip: [LI]\nseverity: {PC012: error}")).items.front().severity == Severity::error);
  // Findings about comments have severities, too.
  const auto severity_of_comment = [&](const std::string& settings) {
    const Linted found = linted(filler("value: -20  # previct:ignore PC012"), settings_in(settings));
    const auto at =
        std::find_if(found.items.begin(), found.items.end(), [](const Finding& each) { return each.rule == "LI001"; });
    REQUIRE(at != found.items.end());
    return at->severity;
  };
  CHECK(severity_of_comment("severity: {LI001: error}") == Severity::error);
  CHECK(severity_of_comment("severity: {LI001: info, LI002: error}") == Severity::info);
}

TEST_CASE("lint settings: are strict, and errors suggest the right key", "[lint]") {
  const auto refused = [](const std::string& text) {
    const auto settings = read_settings(text, "s", FileId{0});
    REQUIRE_FALSE(settings);
    const Failure& f = settings.error();
    return fmt::format("{}:{} {}{}{}", f.place.line, f.place.column, f.message, f.help.empty() ? "" : "; ", f.help);
  };
  CHECK(refused("ignores: []") == "1:1 unknown key \"ignores\"; did you mean \"ignore\"?");
  CHECK(refused("skip: [PT04]") ==
        "1:8 skip[0]: expected the ID of a rule or a family, such as PT004 or PT, found \"PT04\"; "
        "did you mean \"PT004\"?");
  CHECK(refused("skip: [ZZ999]") ==
        "1:8 skip[0]: expected the ID of a rule or a family, such as PT004 or PT, found \"ZZ999\"; previct rules lists "
        "them");
  CHECK(refused("only: [pt04]").ends_with("found \"pt04\"; did you mean \"PT004\"?"));
  CHECK(refused("severity: {PT004: fatal}") == "1:19 severity.PT004: expected error, warning or info");
  CHECK(refused("severity: {PT04: error}") ==
        "1:12 severity: expected the ID of a rule, such as PT004, found \"PT04\"; did you mean \"PT004\"?");
  CHECK(refused("ignore:\n- {rule: PT004, expires: soon}") ==
        "2:26 ignore[0].expires: expected a date such as 2026-05-01");
  CHECK(refused("ignore:\n- {reason: x}") == "2:3 ignore[0]: rule is missing");
  // Everything that is written is checked.
  CHECK(refused("skip: [PC001]\nskip: [PC002]") ==
        "2:1 key \"skip\" occurs twice; remove one of the two; the first is at line 1");
  CHECK(refused("skip: PC001") == "1:7 skip: expected a list of rules");
  CHECK(refused("skip: [[PC001]]")
            .starts_with("1:8 skip[0]: expected the ID of a rule or a family, such as PT004 or "
                         "PT, found a list"));
  CHECK(refused("ignore: PC001") == "1:9 ignore: expected a list");
  CHECK(refused("ignore: {rule: PC001, reason: x}") == "1:9 ignore: expected a list, found a mapping");
  CHECK(refused("ignore:\n- {rule: PC001, reason: [x]}") == "2:25 ignore[0].reason: expected a text, found a list");
  CHECK(refused("severity: error") == "1:11 severity: expected RULE: SEVERITY");
  CHECK(refused("fail-on: [error]") == "1:10 fail-on: expected error, warning, info or never, found a list");
  CHECK(refused("scopes: {name: a, paths: [b]}") == "1:9 scopes: expected a list, found a mapping");
  CHECK(refused("scopes:\n- {name: a, paths: b}") ==
        "2:20 scopes[0].paths: expected a list of files, folders or patterns");
  CHECK(refused("scopes:\n- {name: a, paths: []}") ==
        "2:20 scopes[0].paths: expected a list of files, folders or patterns, found a list");
  CHECK(refused("scopes:\n- {name: a}") == "2:3 scopes[0]: paths is missing");
  CHECK(refused("known-schedulers: a") == "1:19 known-schedulers: expected a list");
  CHECK(refused("thresholds: {expendable-priority: ten}") ==
        "1:35 thresholds.expendable-priority: expected an integer");
  CHECK(refused("fail-on: error\nskip:\n- PC001\n- PT04").starts_with("4:3 skip[1]: "));
  // A key without a value is a forgotten value.
  for (const char* key : {"skip", "ignore", "scopes", "severity", "fail-on", "known-schedulers", "thresholds"}) {
    INFO(key);
    CHECK(refused(fmt::format("{}:\nonly: [PC]", key)).starts_with(fmt::format("1:1 {}: expected ", key)));
    CHECK(refused(fmt::format("{}:\nonly: [PC]", key)).ends_with(", found no value; give it a value, or remove it"));
  }
  CHECK(read_settings("", "s", FileId{0}));
  CHECK(read_settings("# nothing\n", "s", FileId{0}));
}

TEST_CASE("lint settings: an error quotes nothing of a file that is something else", "[lint]") {
  // The file may be a link to any file that the user may read.
  for (const char* text :
       {"s3kr3t", "s3kr3t: 1", "only: [s3kr3t]", "severity: {s3kr3t: error}", "severity: {PC001: s3kr3t}",
        "severity: {s3kr3t: error, s3kr3t: info}", "fail-on: s3kr3t", "ignore: [{s3kr3t: 1}]",
        "ignore: [{rule: a, expires: s3kr3t}]", "thresholds: {grace-period-seconds: s3kr3t}", "? [s3kr3t]\n: 1",
        "a: \"s3kr3t", "s3kr3t: [", "*s3kr3t", "a: &s3kr3t [*s3kr3t]"}) {
    INFO(text);
    const auto settings = read_settings(text, "s", FileId{0});
    REQUIRE_FALSE(settings);
    CHECK((settings.error().message + settings.error().help).find("s3kr3t") == std::string::npos);
  }
}

TEST_CASE("lint baseline: holds the findings of its day, wherever their lines move", "[lint]") {
  const Linted before = linted(filler("value: -20"));
  const auto baseline = read_baseline(baseline_text({before.items, {}}), "b.json", FileId{0});
  REQUIRE(baseline);
  CHECK(linted(filler("value: -20"), {}, *baseline).line() == "(PC012)");
  CHECK(linted(filler("\n\n# moved\nvalue:   -20"), {}, *baseline).line() == "(PC012)");
  // The text at the position has changed: a new finding, and the old one is gone.
  CHECK(linted(filler("value: -30"), {}, *baseline).line() == "LI002 PC012");
  CHECK(linted(filler("value: 30"), {}, *baseline).line() == "LI002");
  for (const char* none : {"{}", "[]", "5", "{\"kind\": 5}", "{\"kind\": null}", "{\"kind\": {}, \"findings\": []}",
                           "{\"kind\": \"Baseline\"}", "{\"kind\": \"Baseline\", \"findings\": {}}",
                           "{\"kind\": \"Baseline\", \"findings\": [5]}"}) {
    INFO(none);
    CHECK_FALSE(read_baseline(none, "b.json", FileId{0}));
  }
  CHECK(read_baseline(R"({"kind": "Baseline", "findings": [{"rule": 5, "object": null}]})", "b.json", FileId{0})
            ->size() == 1);
}

TEST_CASE("lint baseline: equal findings have different fingerprints", "[lint]") {
  const std::string one = filler("value: -20");
  const Linted both = linted(one + "---\n" + one, settings_in("only: [PC012]"));
  REQUIRE(both.items.size() == 2);
  CHECK(both.items[0].fingerprint + ":2" == both.items[1].fingerprint);
}

TEST_CASE("lint baseline: accepts findings about comments, and grows by nothing", "[lint]") {
  const std::string text = filler("value: 20  # previct:ignore PC012 fills idle nodes");
  const Linted before = linted(text);
  CHECK(before.line() == "LI002");
  const std::string written = baseline_text({before.items, {}});
  const auto baseline = read_baseline(written, "b.json", FileId{0});
  REQUIRE(baseline);
  const Linted after = linted(text, {}, *baseline);
  CHECK(after.line() == "(LI002)");
  CHECK(baseline_text({after.items, {}}) == written);
  // What is gone is in no new baseline, and another such comment is a new finding.
  const Linted corrected = linted(filler("value: 20"), {}, *baseline);
  CHECK(corrected.line() == "LI002");
  CHECK(corrected.items[0].message == "LI002 is gone: take it out of the baseline");
  CHECK(read_baseline(baseline_text({corrected.items, {}}), "b.json", FileId{0})->empty());
  CHECK(linted(filler("value: 20  # previct:ignore PC012 another reason"), {}, *baseline).line() == "LI002 LI002");
}
