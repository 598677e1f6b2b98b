#include "lint/fix.h"

#include "lint/linter.h"
#include "lint/rule.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <string>
#include <vector>

using namespace previct;
using namespace previct::lint;

namespace {

const std::string kSeconds = "preemption-toleration.scheduling.x-k8s.io/toleration-seconds";

// Returns a PriorityClass with this text after the key `annotations`.
auto priority_class(const std::string& annotations, const std::string& more = "") -> std::string {
  return "apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass  # ünï\nmetadata:\n  name: low\n  annotations:" +
         annotations + "value: 8000\n" + more;
}

struct Outcome {
  std::string text;
  std::size_t offered = 0;
  std::vector<FixedFile> files;
};

auto fixed(const std::string& name, const std::string& text) -> Outcome {
  Outcome outcome{text, 0, {}};
  const auto files = fixed_files([&](const TextsByName& instead, Tree& tree) -> Result<Findings> {
    const auto other = instead.find(name);
    tree.read_text(name, other == instead.end() ? text : other->second);
    tree.finish({}, true);
    Findings findings = lint::lint(tree, {}, {});
    if (instead.empty()) {
      for (const Finding& finding : findings.items) outcome.offered += finding.fixes.size();
    }
    return findings;
  });
  REQUIRE(files);
  outcome.files = *files;
  if (!files->empty()) outcome.text = files->front().after;
  return outcome;
}

auto with_crlf(std::string text) -> std::string {
  for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 2) text.replace(at, 1, "\r\n");
  return text;
}

}  // namespace

TEST_CASE("lint fix: replaces a value in the style in which it is written", "[lint][fix]") {
  struct Style {
    std::string before;
    std::string after;
  };
  const std::string key = "\n    " + kSeconds + ": ";
  const std::vector<Style> styles = {
      {key + "30m  # half an hour\n", key + "\"1800\"  # half an hour\n"},
      {key + "\"30m\"\n", key + "\"1800\"\n"},
      {key + "'30m'  # x\n", key + "'1800'  # x\n"},
      {key + "&a 30m\n", key + "&a \"1800\"\n"},
      {key + "!!str 30m\n", key + "!!str \"1800\"\n"},
      {key + "&a !!str\n      30m\n", key + "&a !!str\n      \"1800\"\n"},
      {key + ">-  # folded\n      30m\n", key + "\"1800\"  # folded\n"},
      {key + "|\n      30m\n\n    # next\n    other: x\n", key + "\"1800\"\n\n    # next\n    other: x\n"},
      {key + "|2-\n      30m\n", key + "\"1800\"\n"},
      {key + "&a >-\n      30m\n", key + "&a \"1800\"\n"},
      {" {\"" + kSeconds + "\": 30m, b: c}  # flow\n", " {\"" + kSeconds + "\": \"1800\", b: c}  # flow\n"},
      {" {? " + kSeconds + "\n     : 30m}\n", " {? " + kSeconds + "\n     : \"1800\"}\n"},
      {"\n    ? " + kSeconds + "\n    : 30m\n", "\n    ? " + kSeconds + "\n    : \"1800\"\n"},
      {" &all\n    " + kSeconds + ": 30m\n", " &all\n    " + kSeconds + ": \"1800\"\n"},
  };
  for (const Style& style : styles) {
    const std::string before = priority_class(style.before);
    const std::string after = priority_class(style.after);
    INFO(before);
    const Outcome outcome = fixed("m.yaml", before);
    CHECK(outcome.offered == 1);
    CHECK(outcome.text == after);
    CHECK(fixed("m.yaml", with_crlf(before)).text == with_crlf(after));
  }
}

TEST_CASE("lint fix: a label that YAML reads as number or boolean is quoted as written", "[lint][fix]") {
  const auto pod = [](const std::string& label) {
    return "apiVersion: v1\nkind: Pod\nmetadata:\n  name: p\n  labels: {a: " + label +
           "}  # 1\nspec: {containers: []}\n";
  };
  for (const std::string written : {"1.10", "00420", "123e4", "0x1F", "0o17", "1_000", "no", "True", "-0", ".inf", "1",
                                    "12345678901234567890123"}) {
    INFO(written);
    CHECK(fixed("m.yaml", pod(written)).text == pod('"' + written + '"'));
    CHECK(fixed("m.yaml", pod("&n " + written)).text == pod("&n \"" + written + '"'));
  }
  // The value after applying the tag is not in the text.
  CHECK(fixed("m.yaml", pod("!!float \"1.10\"")).offered == 0);
  CHECK(fixed("m.yaml", pod("!!int 0x1F")).offered == 0);
  const std::string json =
      R"({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p", "labels": {"a": 1.10, "b": true}}})";
  CHECK(fixed("m.json", json).text ==
        R"({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p", "labels": {"a": "1.10", "b": "true"}}})");
}

TEST_CASE("lint fix: a number that is written differently is not fixed", "[lint][fix]") {
  const auto queue = [](const std::string& runtime) {
    return "apiVersion: scheduling.run.ai/v2\nkind: Queue\nmetadata: {name: team}\nspec:\n  preemptMinRuntime: " +
           runtime + "\n  resources:\n    gpu: {quota: 1, limit: -1, overQuotaWeight: 1}\n";
  };
  CHECK(fixed("m.yaml", queue("600")).text == queue("600s"));
  for (const std::string written : {"0600", "0x258", "6_00"})
    CHECK(fixed("m.yaml", queue(written)).text == queue(written));
}

TEST_CASE("lint fix: aliases and their anchors are not fixed", "[lint][fix]") {
  const std::string key = "\n    " + kSeconds + ": ";
  const std::vector<std::string> texts = {
      priority_class(key + "&a 30m\n", "description: *a\n"),
      priority_class("\n    t: &t 30m\n    " + kSeconds + ": *t\n"),
      priority_class(" &all {" + kSeconds + ": 30m}\n", "x: *all\n"),
      priority_class(" &all\n    " + kSeconds + ": 30m\n", "x:\n  <<: *all\n"),
      "x: &x {" + kSeconds + ": 30m}\n" + priority_class("\n    <<: *x\n"),
      priority_class("\n    &k " + kSeconds + ": 30m\n",
                     "x: &v [*k]\n"),  // the value may be fixed: only the key has an alias
  };
  for (std::size_t i = 0; i < texts.size(); ++i) {
    INFO(texts[i]);
    const Outcome outcome = fixed("m.yaml", texts[i]);
    const bool fixable = i + 1 == texts.size();
    CHECK(outcome.offered == (fixable ? 1 : 0));
    CHECK((outcome.text != texts[i]) == fixable);
  }
}

TEST_CASE("lint fix: a key is fixed as written, unless an alias refers to it", "[lint][fix]") {
  const auto with = [](const std::string& field) {
    return "apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata:\n  name: low\n" + field + "value: 1\n";
  };
  CHECK(fixed("m.yaml", with("  annotation: {a: b}\n")).text == with("  annotations: {a: b}\n"));
  CHECK(fixed("m.yaml", with("  \"annotation\" : {a: b}\n")).text == with("  \"annotations\" : {a: b}\n"));
  CHECK(fixed("m.yaml", with("  'annotation': {a: b}\n")).text == with("  'annotations': {a: b}\n"));
  CHECK(fixed("m.yaml", with("  &k annotation: {a: b}\n")).text == with("  &k annotations: {a: b}\n"));
  CHECK(fixed("m.yaml", with("  ? annotation\n  : {a: b}\n")).text == with("  ? annotations\n  : {a: b}\n"));
  CHECK(fixed("m.yaml", with("  &k annotation: {a: b}\n  labels: {x: *k}\n")).offered == 0);
}

TEST_CASE("lint fix: a wrong key becomes the one that the CRD or the scheduler has", "[lint][fix]") {
  const auto object = [](const std::string& api, const std::string& kind, const std::string& rest) {
    return "apiVersion: " + api + "\nkind: " + kind + "\nmetadata:\n  name: a\n" + rest;
  };
  const std::string prefix = "preemption-toleration.scheduling.x-k8s.io/";
  const std::string queue =
      "partitions:\n- name: default\n  queues:\n  - name: root\n    queues:\n    - name: a\n      ";
  struct Row {
    std::string text;  // with @ for the key
    std::string wrong;
    std::string right;
  };
  const std::vector<Row> rows = {
      {object("policy/v1", "PodDisruptionBudget", "spec:\n  @: 1\n  selector:\n    matchLabels: {app: a}\n"),
       "minavailable", "minAvailable"},
      {object("scheduling.k8s.io/v1", "PriorityClass",
              "  @:\n    " + prefix + "minimum-preemptable-priority: \"9\"\n    " + prefix +
                  "toleration-seconds: \"600\"\nvalue: 1\n"),
       "annotation", "annotations"},
      {object("scheduling.k8s.io/v1", "PriorityClass",
              "  annotations:\n    @: \"600\"\n    " + prefix + "minimum-preemptable-priority: \"9\"\nvalue: 1\n"),
       prefix + "tolerationSeconds", prefix + "toleration-seconds"},
      {object("scheduling.run.ai/v2alpha2", "PodGroup", "spec:\n  queue: team\n  @: 4\n"), "minmember", "minMember"},
      {object("scheduling.run.ai/v2", "Queue",
              "spec:\n  @: 1h\n  resources:\n    gpu: {quota: 1, limit: -1, overQuotaWeight: 1}\n"),
       "minReclaimRuntime", "reclaimMinRuntime"},
      {object("kai.scheduler/v1", "SchedulingShard", "spec:\n  @: {gpu: binpack}\n"), "placementStrategie",
       "placementStrategy"},
      {object("kai.scheduler/v1", "SchedulingShard",
              "spec:\n  plugins:\n    proportion:\n      arguments:\n        @: \"1.2\"\n"),
       "reclaimerUtilizationMultiplier", "relcaimerSaturationMultiplier"},
      {queue + "properties:\n        @: disabled\n      resources:\n        guaranteed: {vcore: 10}\n",
       "preemption.polcy", "preemption.policy"},
      {queue + "resources:\n        guaranteed: {@: 10}\n", "cpu", "vcore"}};
  for (const Row& row : rows) {
    const auto with = [&](const std::string& key) {
      std::string text = row.text;
      return text.replace(text.find('@'), 1, key);
    };
    INFO(row.wrong);
    CHECK(fixed("m.yaml", with(row.wrong)).text == with(row.right));
  }
}

TEST_CASE("lint fix: JSON stays JSON", "[lint][fix]") {
  const std::string json =
      "{\"apiVersion\": \"scheduling.k8s.io/v1\", \"kind\": \"PriorityClass\",\n \"metadata\": {\"name\": "
      "\"low\"}, \"value\": 1, \"preemptionPolicy\": \"never\"}\n";
  std::string wanted = json;
  wanted.replace(wanted.find("never"), 5, "Never");
  CHECK(fixed("m.json", json).text == wanted);
  // It looks like JSON but is YAML: it may contain an alias.
  const std::string flow =
      "{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: low},\n value: 1, x: &p "
      "never, preemptionPolicy: *p}\n";
  CHECK(fixed("m.yaml", flow).text == flow);
  const std::string plain =
      "{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: low},\n value: 1, "
      "preemptionPolicy: never}\n";
  std::string corrected = plain;
  corrected.replace(corrected.find("never"), 5, "Never");
  CHECK(fixed("m.yaml", plain).text == corrected);
}

TEST_CASE("lint fix: a value inside a ConfigMap text is fixed if the text holds its lines unchanged", "[lint][fix]") {
  const auto map = [](const std::string& head, const std::string& policy) {
    return "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: yunikorn-configs, namespace: yunikorn}\ndata:\n  "
           "queues.yaml: " +
           head +
           "\n    partitions:\n    - name: default\n      queues:\n      - name: root\n        queues:\n        - "
           "name: "
           "a\n          properties: {preemption.policy: " +
           policy + "}  # why\n  other: x\n";
  };
  for (const std::string head : {"|", "|-", "&q |+", "!!str |", "|  # queues"}) {
    INFO(head);
    CHECK(fixed("m.yaml", map(head, "disable")).text == map(head, "disabled"));
    CHECK(fixed("m.yaml", with_crlf(map(head, "disable"))).text == with_crlf(map(head, "disabled")));
    CHECK(fixed("m.yaml", map(head, "'disable'")).text == map(head, "'disabled'"));
  }
  const std::string aliased = map("&q |", "disable") + "x: *q\n";
  const Outcome outcome = fixed("m.yaml", aliased);
  CHECK(outcome.offered == 0);
  CHECK(outcome.text == aliased);
}

TEST_CASE("lint fix: a diff shows removed lines", "[lint][fix]") {
  const auto diff = [](const std::string& before, const std::string& after) {
    return diff_of({.name = "m", .path = "m", .before = before, .after = after});
  };
  CHECK(diff("a: 1\nb: >-\n  x\nc: 1\n", "a: 1\nb: y\nc: 1\n") ==
        std::vector<std::string>{"--- m", "+++ m", "@@ -2,2 +2,1 @@", "-b: >-", "-  x", "+b: y"});
  CHECK(diff("a: 1\nb: |\n  x\n", "a: 1\nb: y\n") ==
        std::vector<std::string>{"--- m", "+++ m", "@@ -2,2 +2,1 @@", "-b: |", "-  x", "+b: y"});
}

TEST_CASE("lint fix: a diff shows the changed keys and values, and nothing else of their lines", "[lint][fix]") {
  const auto diff = [](const std::string& before, const std::string& after, const std::string& hidden = "") {
    FixedFile file{.name = "m", .path = "m", .before = before, .after = after};
    if (!hidden.empty()) file.private_texts.insert(hidden);
    std::vector<std::string> lines = diff_of(file);
    lines.erase(lines.begin(), lines.begin() + 2);
    return lines;
  };
  using Lines = std::vector<std::string>;
  // All on one line, as `kubectl get --raw` writes it.
  CHECK(diff(R"({"password": "hunter2", "policy": "never", "prioritty": "s3cr3t"})",
             R"({"password": "hunter2", "policy": "Never", "priority": "s3cr3t"})") ==
        Lines{"@@ -1,1 +1,1 @@", R"(-"policy": "never")", R"(+"policy": "Never")", "@@ -1,1 +1,1 @@", R"(-"prioritty")",
              R"(+"priority")"});
  CHECK(diff("a:\n- {env: [{name: PW, value: hunter2}], policy: never}  # s3cr3t\n",
             "a:\n- {env: [{name: PW, value: hunter2}], policy: Never}  # s3cr3t\n") ==
        Lines{"@@ -2,1 +2,1 @@", "-policy: never", "+policy: Never"});
  CHECK(diff("a:\n  - policy: never  # s3cr3t\n", "a:\n  - policy: Never  # s3cr3t\n") ==
        Lines{"@@ -2,1 +2,1 @@", "-  - policy: never", "+  - policy: Never"});
  // A private value that becomes a string.
  CHECK(diff("env:\n- value: 4711\n", "env:\n- value: \"4711\"\n", "\"4711\"") ==
        Lines{"@@ -2,1 +2,1 @@", "-- value: (not shown)", "+- value: (the same as a string)"});
  // A key and its value; a line of a configuration in a ConfigMap, and not all of it.
  CHECK(diff("a: b\n", "c: d\n") == Lines{"@@ -1,1 +1,1 @@", "-a: b", "+c: d"});
  CHECK(diff("data:\n  q: |\n    x: s3cr3t\n    y: 1\n", "data:\n  q: |\n    x: s3cr3t\n    y: 2\n") ==
        Lines{"@@ -4,1 +4,1 @@", "-y: 1", "+y: 2"});
}

TEST_CASE("lint fix: of two keys that mean the same one, none is fixed", "[lint][fix]") {
  const auto with = [](const std::string& fields) {
    return "apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: b}\nspec:\n" + fields +
           "  selector: {matchLabels: {a: b}}\n";
  };
  // The API server refuses both; with one of them renamed, which one counts would be a guess.
  const std::string both = with("  minavailable: 1\n  minAvailble: 2\n");
  CHECK(fixed("m.yaml", both).text == both);
  CHECK(fixed("m.yaml", with("  minavailable: 1\n")).text == with("  minAvailable: 1\n"));
  const std::string there = with("  minavailable: 1\n  minAvailable: 2\n");
  CHECK(fixed("m.yaml", there).text == there);
}

TEST_CASE("lint fix: a fix that causes another error is taken back, and only it", "[lint][fix]") {
  const auto map = [](const std::string& guaranteed, const std::string& policy) {
    return "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: yunikorn-configs, namespace: yunikorn}\ndata:\n  "
           "queues.yaml: |\n    partitions:\n    - name: default\n      queues:\n      - name: root\n        "
           "queues:\n        - name: a\n          properties: {preemption.policy: " +
           policy + "}\n          resources:\n            guaranteed: {" + guaranteed +
           ": 4}\n            max: {vcore: 2}\n";
  };
  // guaranteed vcore 4 above max vcore 2: YuniKorn refuses it (configvalidator.go checkQueueResource).
  const Outcome outcome = fixed("m.yaml", map("cpu", "disable"));
  CHECK(outcome.text == map("cpu", "disabled"));
  REQUIRE(outcome.files.size() == 1);
  CHECK(outcome.files[0].fixes == 1);
  CHECK(outcome.files[0].left == "the fix of YK014 would cause YK012");
}

TEST_CASE("lint fix: what a negative quota or an unknown plugin means is not guessed", "[lint][fix]") {
  const std::string queue =
      "apiVersion: scheduling.run.ai/v2\nkind: Queue\nmetadata: {name: q}\nspec:\n  resources:\n    gpu: {quota: -5, "
      "limit: -1, overQuotaWeight: 1}\n";
  CHECK(fixed("m.yaml", queue).offered == 0);
  const std::string scheduler =
      "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\nprofiles:\n- schedulerName: x\n  "
      "plugins: {filter: {enabled: [{name: NodeAffinity2}]}}\n";
  CHECK(fixed("m.yaml", scheduler).offered == 0);
}

TEST_CASE("lint fix: changes are compared with the resulting objects", "[lint][fix]") {
  const std::string text = "a: &x 1\nb: *x\nc: two\n";
  const std::size_t two = text.find("two");
  CHECK(changes_only(text, std::vector<TextChange>{{two, two + 3, "three"}}, false));
  CHECK_FALSE(changes_only(text, std::vector<TextChange>{{two, two + 3, "[three"}}, false));
  CHECK_FALSE(changes_only(text, std::vector<TextChange>{{two, two + 3, "{a: b}"}}, false));
  CHECK_FALSE(changes_only(text, std::vector<TextChange>{{two + 1, two + 3, "x"}}, false));  // only a part of the value
  CHECK_FALSE(changes_only(text, std::vector<TextChange>{{6, 7, "2"}}, false));              // b changes, too
  CHECK_FALSE(changes_only(text, std::vector<TextChange>{{3, 7, "2"}}, false));              // the anchor is removed
  CHECK_FALSE(changes_only(text, std::vector<TextChange>{{two, two + 3, "three\nd: 4"}}, false));  // one more key
  CHECK_FALSE(changes_only(text, std::vector<TextChange>{{two, two + 3, "three # \nd: 4"}}, false));
}

namespace {

auto lines_of(const std::string& text) -> std::vector<std::string> {
  std::vector<std::string> lines(1);
  for (const char c : text) {
    lines.back() += c;
    if (c == '\n') lines.emplace_back();
  }
  return lines;
}

auto items_of(const std::string& name, const std::string& text) -> std::vector<Finding> {
  Tree tree;
  tree.read_text(name, text);
  tree.finish({}, true);
  return lint::lint(tree, {}, {}).items;
}

// Returns the number of fixes that were made. Each changes only lines of findings that have a fix, removes them, and
// leaves nothing to fix; the diff shows each changed line.
auto checked_fixes(const std::string& text) -> std::size_t {
  INFO(text);
  const Outcome once = fixed("m.yaml", text);
  if (once.files.empty()) return 0;
  const FixedFile& file = once.files.front();
  const std::vector<std::string> before = lines_of(text);
  const std::vector<std::string> after = lines_of(once.text);
  std::vector<bool> may_change(before.size() + 1);
  std::size_t fixable = 0;
  for (const Finding& finding : items_of("m.yaml", text)) {
    for (const Fix& fix : finding.fixes) {
      for (const Fix::Edit& edit : fix.edits) may_change[edit.place.line] = true;
    }
    fixable += finding.fixes.empty() ? 0U : 1U;
  }
  INFO(once.text);
  REQUIRE(after.size() == before.size());
  std::size_t changed = 0;
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (before[i] == after[i]) continue;
    ++changed;
    CHECK(may_change[i + 1]);
    CHECK(before[i].ends_with('\r') == after[i].ends_with('\r'));
    CHECK(before[i].find_first_not_of(' ') == after[i].find_first_not_of(' '));
  }
  CHECK((changed > 0) == (file.fixes > 0));
  CHECK(file.before == text);
  std::size_t left = 0;
  for (const Finding& finding : items_of("m.yaml", once.text)) left += finding.fixes.empty() ? 0U : 1U;
  CHECK((left == 0) == file.left.empty());
  const Outcome twice = fixed("m.yaml", once.text);
  CHECK(twice.text == once.text);
  const std::vector<std::string> diff = diff_of(file);
  CHECK(static_cast<std::size_t>(std::count_if(
            diff.begin(), diff.end(), [](const std::string& line) { return line.starts_with("@@"); })) >= changed);
  if (file.left.empty()) CHECK(file.fixes >= fixable);
  return file.fixes;
}

}  // namespace

TEST_CASE("lint fix: for each rule, a fix keeps all other lines, removes the finding, and leaves nothing to fix",
          "[lint][fix]") {
  std::size_t fixes = 0;
  for (const Rule* rule : rules()) {
    const std::string text(examples_of(*rule).bad);
    const std::size_t count = checked_fixes(text);
    CHECK(checked_fixes(with_crlf(text)) == count);
    // A comment at the end of a line, and documents around it.
    CHECK(checked_fixes("# first\n---\n" + text + "---\n# last\n") == count);
    fixes += count;
    CHECK(checked_fixes(std::string(examples_of(*rule).good)) <= count);
  }
  CHECK(fixes > 15);
}

TEST_CASE("lint fix: of two findings of one rule in one object, the one that has a fix is fixed", "[lint][fix]") {
  const auto text = [](const std::string& key) {
    return "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec:\n  " + key +
           ": high\n  containers: [{name: c, priorityClassName: low}]\n";
  };
  const Outcome outcome = fixed("m.yaml", text("priorityclass"));
  CHECK(outcome.text == text("priorityClassName"));
  REQUIRE(outcome.files.size() == 1);
  CHECK(outcome.files[0].fixes == 1);
  CHECK(outcome.files[0].left.empty());
}

TEST_CASE("lint fix: a configuration whose places are not those of the file has no fix", "[lint][fix]") {
  const std::string lines = "apiVersion: kubescheduler.config.k8s.io/v1beta3\\nkind: KubeSchedulerConfiguration\\n";
  // Its apiVersion is at line 1, column 13, as is that of the ConfigMap.
  const std::string text = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata:\n  c.yaml: \"" + lines + "\"\n";
  const auto items = items_of("m.yaml", text);
  const auto version = std::find_if(items.begin(), items.end(), [](const Finding& f) { return f.rule == "SC005"; });
  REQUIRE(version != items.end());
  CHECK(version->fixes.empty());
  CHECK(fixed("m.yaml", text).text == text);
}
