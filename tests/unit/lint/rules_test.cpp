#include "lint/linter.h"
#include "lint/rule.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <set>

using namespace previct;
using namespace previct::lint;

namespace {

// Returns the findings in one text, with all rules.
auto findings_in(const std::string& text, const Settings& settings = {}) -> std::vector<Finding> {
  Tree tree;
  tree.read_text("m.yaml", text);
  INFO(text);
  CHECK(tree.broken().empty());
  tree.finish({}, true);
  return lint::lint(tree, settings, {}).items;
}

auto of_rule(const std::vector<Finding>& findings, std::string_view rule) -> std::vector<Finding> {
  std::vector<Finding> of;
  std::copy_if(findings.begin(), findings.end(), std::back_inserter(of),
               [&](const Finding& f) { return f.rule == rule; });
  return of;
}

// Returns the offset of a position (1-based, in characters) in an ASCII text.
auto offset_of(const std::string& text, std::uint32_t line, std::uint32_t column) -> std::size_t {
  std::size_t at = 0;
  for (std::uint32_t i = 1; i < line; ++i) at = text.find('\n', at) + 1;
  return at + column - 1;
}

auto cut(const std::string& text, const TextRange& place) -> std::string {
  const std::size_t begin = offset_of(text, place.line, place.column);
  return text.substr(begin, offset_of(text, place.end_line, place.end_column) - begin);
}

// Applies all fixes of a finding, the last position first.
auto with_fixes_applied(std::string text, const Finding& finding) -> std::string {
  for (const Fix& fix : finding.fixes) {
    for (const Fix::Edit& edit : fix.edits) {
      const std::size_t begin = offset_of(text, edit.place.line, edit.place.column);
      text.replace(begin, offset_of(text, edit.place.end_line, edit.place.end_column) - begin, edit.text);
    }
  }
  return text;
}

}  // namespace

TEST_CASE("lint rules: versions that an old cluster supports are no fault of its dump", "[lint]") {
  const std::string config = "apiVersion: kubescheduler.config.k8s.io/v1beta2\nkind: KubeSchedulerConfiguration\n";
  const auto node = [](const char* version) {
    return fmt::format(
        "---\napiVersion: v1\nkind: Node\nmetadata: {{name: a}}\nstatus: {{nodeInfo: {{kubeletVersion: {}}}}}\n",
        version);
  };
  const auto found = [](const std::string& text, std::string_view rule) {
    return of_rule(findings_in(text), rule).size();
  };
  CHECK(found(config, "SC005") == 1);
  CHECK(found(config + node("v1.27.3+k3s1"), "SC005") == 0);
  CHECK(found(config + node("v1.28.0"), "SC005") == 1);
  CHECK(found(config + node("v1.27.3") + node("v1.28.0"), "SC005") == 1);

  const std::string budget =
      "apiVersion: policy/v1beta1\nkind: PodDisruptionBudget\nmetadata: {name: b, namespace: n}\n"
      "spec: {minAvailable: 1, selector: {matchLabels: {a: b}}}\n";
  CHECK(found(budget, "PD010") == 1);
  std::string stored = budget;
  stored.replace(stored.find("namespace: n"), 12, "namespace: n, uid: 1234");
  CHECK(found(stored, "PD010") == 0);
}

TEST_CASE("lint rules: each reports its bad manifest, and nothing in its good one", "[lint]") {
  for (const Rule* rule : rules()) {
    INFO(rule->id);
    CHECK_FALSE(of_rule(findings_in(std::string(examples_of(*rule).bad)), rule->id).empty());
    CHECK(of_rule(findings_in(std::string(examples_of(*rule).good)), rule->id).empty());
  }
}

TEST_CASE("lint rules: no rule reports an error in a good manifest", "[lint]") {
  for (const Rule* rule : rules()) {
    for (const Finding& finding : findings_in(std::string(examples_of(*rule).good))) {
      INFO(rule->id << ": " << finding.rule << ' ' << finding.message);
      CHECK(finding.severity != Severity::error);
    }
  }
}

TEST_CASE("lint rules: of files of a repository, a rule reports its bad manifest or says that it does not", "[lint]") {
  for (const Rule* rule : rules()) {
    Tree tree;
    tree.read_text("m.yaml", std::string(examples_of(*rule).bad));
    tree.finish();
    INFO(rule->id);
    CHECK((rule->whole_cluster || !of_rule(lint::lint(tree, {}, {}).items, rule->id).empty()));
    CHECK(when_applied(*rule).empty() != rule->whole_cluster);
  }
}

TEST_CASE("lint rules: each states what it finds, why it matters, the fix, and the upstream source", "[lint]") {
  std::set<std::string_view> ids;
  for (const Rule* rule : rules()) {
    INFO(rule->id);
    CHECK(ids.insert(rule->id).second);
    CHECK(rule->id.size() == 5);
    for (const std::string_view text : {rule->name, rule->title, rule->why, rule->how_to_fix, rule->source}) {
      CHECK_FALSE(text.empty());
    }
    CHECK(rule->title.back() != '.');
    CHECK((rule->why.ends_with('.') || rule->why.ends_with(".)")));
  }
}

TEST_CASE("lint rules: every position holds the text that the rule is about", "[lint]") {
  for (const Rule* rule : rules()) {
    const std::string text(examples_of(*rule).bad);
    for (const Finding& finding : of_rule(findings_in(text), rule->id)) {
      INFO(rule->id << ' ' << described(finding.place));
      const std::string there = cut(text, finding.place);
      CHECK_FALSE(there.empty());
      CHECK(there.find('\n') == std::string::npos);
      CHECK(there.front() != ' ');
      CHECK(there.back() != ' ');
      if (!finding.excerpt.empty()) {
        CHECK(finding.excerpt.text.substr(finding.excerpt.from, finding.excerpt.length) == there);
        CHECK(finding.excerpt.line == finding.place.line);
      }
      for (const RelatedPlace& related : finding.related) CHECK_FALSE(cut(text, related.place).empty());
    }
  }
}

TEST_CASE("lint rules: what a finding is related to", "[lint]") {
  struct Related {
    std::string_view rule;
    std::uint32_t line;
    std::string_view text;
    std::string_view message;
  };
  // In the bad manifest of each rule: the other object, field or value that the finding is about.
  const std::vector<Related> all = {
      {"DU004", 4, "name: low", "the first one"},
      {"DU008", 5, "value: 100", "the first one"},
      {"KA005", 6, "reclaimMinRuntime: 1h", "queue team"},
      {"KA007", 6, "reclaimMinRuntime: 1m", "queue top"},
      {"KA009", 6, "reclaimMinRuntime: 10m0s", "queue b"},
      {"KA010", 4, "name: team", "the queue"},
      {"KA017", 6, "preemptionPolicy: Never", "the policy"},
      {"KA022", 10, "arguments", "the arguments"},
      {"KA023", 4, "name: run", "the other group"},
      {"KA025", 6, "levels", "its levels are these"},
      {"KA026", 7, "limit: 2", "the limit"},
      {"KQ005", 3, "fairSharing", "fair sharing"},
      {"PC002", 6, "globalDefault: true", "the first one"},
      {"PC005", 5, "value: 9000", "PriorityClass high"},
      {"PC007", 4, "name: batch-non-preemptible", "promises more"},
      {"PD004", 4, "name: web", "the other budget"},
      {"PD011", 6, "minAvailable: 1", "minAvailable"},
      {"PO003", 10, "name: web", "outranks it"},
      {"PO005", 16, "name: cache", "has the lower priority"},
      {"PO006", 16, "name: noisy", "has the lower priority"},
      {"PT005", 8, "value: 8000", "pods of the class have priority 8000"},
      {"PT013", 11, "kind: KubeSchedulerConfiguration", "the scheduler configuration"},
      {"PT014", 13, "schedulerName: default-scheduler", "profile default-scheduler respects them"},
      {"PT015", 7, "preemption-toleration.scheduling.x-k8s.io/toleration-seconds: \"3600\"",
       "PriorityClass low tolerates this long"},
      {"SC006", 4, "schedulerName: default-scheduler", "the first one"},
      {"SC008", 4, "name: a", "may be preempted by the other scheduler"},
      {"YK010", 4, "enabled: false", "here"}};
  for (const Rule* rule : rules()) {
    INFO(rule->id);
    const std::string text(examples_of(*rule).bad);
    std::vector<RelatedPlace> related;
    for (const Finding& finding : of_rule(findings_in(text), rule->id))
      related.insert(related.end(), finding.related.begin(), finding.related.end());
    const auto expected =
        std::find_if(all.begin(), all.end(), [&](const Related& each) { return each.rule == rule->id; });
    REQUIRE(related.size() == (expected == all.end() ? 0 : 1));
    if (related.empty()) continue;
    CHECK(related[0].place.line == expected->line);
    CHECK(cut(text, related[0].place) == expected->text);
    CHECK(related[0].message == expected->message);
  }
}

TEST_CASE("lint rules: none fails on missing parts", "[lint]") {
  for (const Rule* rule : rules()) {
    const std::string text(examples_of(*rule).bad);
    REQUIRE(text.ends_with('\n'));
    for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1) {
      std::string less = text;
      less.erase(at, text.find('\n', at) + 1 - at);
      Tree tree;
      tree.read_text("m.yaml", less);
      tree.finish({}, true);
      for (const Finding& finding : lint::lint(tree, {}, {}).items) CHECK(finding.place.line > 0);
    }
  }
}

TEST_CASE("lint rules: each fix removes its finding", "[lint]") {
  std::size_t fixes = 0;
  for (const Rule* rule : rules()) {
    const std::string text(examples_of(*rule).bad);
    for (const Finding& finding : of_rule(findings_in(text), rule->id)) {
      if (finding.fixes.empty()) continue;
      ++fixes;
      const std::string after = with_fixes_applied(text, finding);
      INFO(rule->id << '\n' << after);
      const auto left = of_rule(findings_in(after), rule->id);
      CHECK(std::none_of(left.begin(), left.end(),
                         [&](const Finding& f) { return f.fingerprint == finding.fingerprint; }));
    }
  }
  CHECK(fixes > 15);
}
