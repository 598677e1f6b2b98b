// Which files of a folder `previct lint PATH` reads, as docs/lint.md describes it, and what it finds in their texts.
#include "lint/tree.h"

#include "base/diagnostics.h"
#include "base/place.h"
#include "lint/linter.h"
#include "lint/parse.h"
#include "lint/rule.h"
#include "support/scratch.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

namespace previct::lint::trees {
namespace {

const std::string kObject = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\n";

auto names_in(const Tree& tree) -> std::vector<std::string> {
  std::vector<std::string> names;
  for (const Manifest& manifest : tree.manifests()) names.push_back(manifest.source->name);
  return names;
}

using Names = std::vector<std::string>;

struct Read {
  Tree tree;
  Files files;
  Diagnostics diagnostics;

  explicit Read(const std::vector<std::string>& paths, const ReadOptions& options = {}) {
    const auto done = tree.read(paths, options, files, diagnostics);
    INFO((done ? "" : done.error().message));
    REQUIRE(done);
    tree.finish();
  }
};

auto rules_of(const std::string& name, const std::string& text) -> std::string {
  Tree tree;
  tree.read_text(name, text);
  tree.finish({}, true);
  std::string ids;
  for (const Finding& finding : lint(tree, {}, {}).items) ids += finding.rule + ' ';
  return ids;
}

auto config_map(const std::string& key, const std::string& value) -> std::string {
  return "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: yunikorn-configs, namespace: n}\ndata:\n  " + key + ": " +
         value + "\n";
}

}  // namespace

TEST_CASE("lint tree: of a folder, files with manifests are read, in order; some folders and links are not", "[lint]") {
  const test::Scratch folder;
  const std::string at = folder.path();
  for (const std::string name :
       {"b.yaml", "a.yml", "c.json.gz.txt", "d.txt", ".hidden.yaml", ".git/x.yaml", "vendor/x.yaml",
        "node_modules/x.yaml", "testdata/x.yaml", "deep/vendor/x.yaml", "deep/z.yaml", "deep/vendored/x.yaml"}) {
    static_cast<void>(folder.file(name, kObject));
  }
  static_cast<void>(folder.file("e.json", R"({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c"}})"));
  static_cast<void>(folder.file("f.yaml", "a: b\n"));
  static_cast<void>(folder.file("vendor.yaml", kObject));
  const Read read({at}, {.folder = at});
  CHECK(names_in(read.tree) ==
        Names{"a.yml", "b.yaml", "deep/vendored/x.yaml", "deep/z.yaml", "e.json", "vendor.yaml"});
  CHECK(read.tree.folders_left == 4);
  CHECK(read.tree.files_read == 6);
  CHECK(read.tree.charts().empty());
  // Without a working folder, and outside of it, the whole path names a file.
  CHECK(names_in(Read({at + "/deep"}).tree).front() == at + "/deep/vendored/x.yaml");
  CHECK(names_in(Read({at + "/deep"}, {.folder = at + "/vendor"}).tree).front() == at + "/deep/vendored/x.yaml");
  CHECK(names_in(Read({at + "/deep"}, {.folder = at + "/deep"}).tree) == Names{"vendored/x.yaml", "z.yaml"});
  // A file is read once, however often it is named.
  CHECK(names_in(Read({at + "/deep/z.yaml", at + "/deep", at + "/deep/../deep/z.yaml"}, {.folder = at}).tree) ==
        Names{"deep/z.yaml", "deep/vendored/x.yaml"});
}

TEST_CASE("lint tree: a chart is a folder of its own, and so is its rendered text", "[lint]") {
  const test::Scratch folder;
  const std::string at = folder.path();
  const std::string template_text = "{{ if .Values.x }}\n" + kObject + "{{ end }}\n";
  static_cast<void>(folder.file("chart/Chart.yaml", "name: c\n"));
  static_cast<void>(folder.file("chart/crds/a.yaml", kObject));
  static_cast<void>(folder.file("chart/templates/t.yaml", template_text));
  static_cast<void>(folder.file("chart/charts/inner/Chart.yaml", "name: d\n"));
  static_cast<void>(folder.file("other/b.yaml", kObject));
  Tree tree;
  Files files;
  Diagnostics diagnostics;
  REQUIRE(tree.read({at}, {.folder = at}, files, diagnostics));
  CHECK(std::vector<std::string>(tree.charts().begin(), tree.charts().end()) == Names{"chart", "chart/charts/inner"});
  CHECK(tree.templates() == Names{"chart/templates/t.yaml"});
  // A chart within a chart is rendered with it.
  const auto renderables = tree.renderables();
  REQUIRE(renderables.size() == 1);
  CHECK(renderables[0].folder == "chart");
  SECTION("as it is") {
    tree.finish();
    REQUIRE(tree.scopes().size() == 2);
    CHECK(tree.scopes()[0].name == "chart");
    CHECK(tree.scopes()[0].kind == Scope::Kind::chart);
    CHECK(tree.scopes()[0].partial);
    CHECK(tree.scopes()[1].name == "other");
    CHECK(tree.scopes()[1].kind == Scope::Kind::folder);
    CHECK_FALSE(tree.scopes()[1].partial);
  }
  SECTION("rendered") {
    tree.read_rendered(renderables[0], kObject);
    tree.finish();
    CHECK(tree.templates().empty());
    REQUIRE(tree.rendered_of("chart") != nullptr);
    CHECK(*tree.rendered_of("chart") == "chart/Chart.yaml!rendered");
    REQUIRE(tree.chart_of("chart/Chart.yaml!rendered") != nullptr);
    CHECK(*tree.chart_of("chart/Chart.yaml!rendered") == "chart");
    CHECK(tree.rendered_of("other") == nullptr);
    CHECK(tree.chart_of("other/b.yaml") == nullptr);
    std::vector<std::string> scopes;
    for (const Scope& scope : tree.scopes())
      scopes.push_back(fmt::format("{} {} {}{}", scope_kind_name(scope.kind), scope.name, scope.manifests.size(),
                                   scope.partial ? " partial" : ""));
    CHECK(scopes == Names{"chart chart 1", "chart chart 1 partial", "folder other 1"});
  }
}

TEST_CASE("lint tree: several texts in one file, and one that is damaged", "[lint]") {
  const test::Scratch folder;
  static_cast<void>(folder.file("a.yaml", kObject + "---\n" + kObject));
  static_cast<void>(folder.file("b.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: [\n"));
  static_cast<void>(folder.file("c.yaml", "hello\n"));
  const Read read({folder.path()}, {.folder = folder.path()});
  CHECK(names_in(read.tree) == Names{"a.yaml", "a.yaml"});
  REQUIRE(read.tree.broken().size() == 1);
  CHECK(read.tree.broken()[0].source->name == "b.yaml");
  // A file that is named must have something to check; of a folder, it is only not read.
  const Read named({folder.path() + "/c.yaml"}, {.folder = folder.path()});
  CHECK(named.tree.broken().size() == 1);
  // A path that cannot be opened is an error, or a warning.
  Tree tree;
  Files files;
  Diagnostics diagnostics;
  CHECK_FALSE(tree.read({folder.path() + "/none.yaml"}, {}, files, diagnostics));
  CHECK(tree.read({folder.path() + "/none.yaml"}, {.keep_going = true}, files, diagnostics));
  CHECK(diagnostics.sorted().size() == 1);
}

TEST_CASE("lint tree: which texts may hold manifests, and which are meant to", "[lint]") {
  CHECK(may_hold_manifests("kind: Pod\n", "a.yaml"));
  CHECK(may_hold_manifests("partitions: []\n", "a.yaml"));
  CHECK(may_hold_manifests("resources: []\n", "x/kustomization.yaml"));
  CHECK(may_hold_manifests("- op: add\n  path: /a\n", "a.yaml"));
  CHECK(may_hold_manifests("# c\n---\n[{op: add, path: /a}]\n", "a.yaml"));
  CHECK_FALSE(may_hold_manifests("a: b\n", "a.yaml"));
  CHECK_FALSE(may_hold_manifests("- op: add\n", "a.yaml"));
  CHECK_FALSE(may_hold_manifests("a: op path\n", "a.yaml"));
  CHECK_FALSE(may_hold_manifests("-op path\n", "a.yaml"));
  CHECK_FALSE(may_hold_manifests("# op path\n", "a.yaml"));
  CHECK(means_manifests("apiVersion: v1\nkind: x\n", "a.yaml"));
  CHECK(means_manifests("- apiVersion: v1\n  kind: x\n", "a.yaml"));
  CHECK(means_manifests("{\"items\": 1, \"apiVersion\" : 1, \"kind\":2}", "a.json"));
  CHECK_FALSE(means_manifests("{\"items\": 1, \"apiVersion\", \"kind\":2}", "a.json"));
  CHECK_FALSE(means_manifests("apiVersion: v1\n", "a.yaml"));
  CHECK_FALSE(means_manifests("kind: x\n", "a.yaml"));
  CHECK_FALSE(means_manifests("the apiVersion: v1\nthe kind: x\n", "a.yaml"));
  CHECK(means_manifests("partitions: []\n", "x/queues.yaml"));
  CHECK_FALSE(means_manifests("partitions: []\n", "x/parts.yaml"));
  CHECK_FALSE(means_manifests("a: []\n", "x/queues.yaml"));
}

TEST_CASE("lint tree: a list of operations that is broken is read as no such list", "[lint]") {
  for (const std::string text :
       {"[op path", "[\"op\", \"path\"", "- op: path\n\t- x", "[{\"op\": 1, \"path\": ", "[]"}) {
    INFO(text);
    Tree tree;
    tree.read_text("m.yaml", text, false);
    CHECK(tree.manifests().empty());
  }
}

TEST_CASE("lint tree: JSON is read as JSON, and what is no JSON as YAML", "[lint]") {
  // A pair of surrogates and an escaped slash are JSON; a comment and a trailing comma are YAML.
  const std::string low = R"("apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", "value": 1, "metadata": )";
  const auto name_in = [](const std::string& text) {
    Tree tree;
    tree.read_text("m.json", text, false);
    REQUIRE(tree.manifests().size() == 1);
    return tree.manifests().front().name;
  };
  CHECK(name_in("{" + low + R"({"name": "\ud83d\ude00"}})") == "\xf0\x9f\x98\x80");
  CHECK(name_in("{" + low + R"({"name": "a\/b"}})") == "a/b");
  CHECK(name_in("{" + low + "{\"name\": \"c\",},\n}  # a comment\n") == "c");
}

TEST_CASE("lint tree: configurations in other objects are found by their key or their text", "[lint]") {
  const std::string fault =
      "partitions:\n    - name: default\n      queues:\n      - name: root\n        queues:\n"
      "        - name: a\n          properties: {preemption.delay: soon}\n";
  const std::string in_flow =
      "{\"partitions\": [{\"name\": \"default\", \"queues\": [{\"name\": \"root\", \"queues\": "
      "[{\"name\": \"a\", \"properties\": {\"preemption.delay\": \"soon\"}}]}]}]}";
  CHECK_THAT(rules_of("m.yaml", config_map("queues.yaml", "|\n    " + fault)), Catch::Matchers::Contains("YK002"));
  CHECK_THAT(rules_of("m.yaml", config_map("other", "|\n    " + fault)), Catch::Matchers::Contains("YK002"));
  CHECK_THAT(rules_of("m.yaml", config_map("other", "|\n    # first\n    " + fault)),
             Catch::Matchers::Contains("YK002"));
  // JSON has no line that begins with `partitions`: the key decides.
  CHECK_THAT(rules_of("m.yaml", config_map("queues.yaml", "'" + in_flow + "'")), Catch::Matchers::Contains("YK002"));
  CHECK_THAT(rules_of("m.yaml", config_map("other", "'" + in_flow + "'")), !Catch::Matchers::Contains("YK002"));
}

TEST_CASE("lint tree: a text in an object that is no configuration is no broken one", "[lint]") {
  const auto broken = [](const std::string& text) {
    Tree tree;
    tree.read_text("m.yaml", config_map("a", "|\n    " + text));
    return tree.broken_configurations().size();
  };
  CHECK(broken("a: kubescheduler.config.k8s.io/v1\n") == 0);
  CHECK(broken("apiVersion: kubescheduler.config.k8s.io/v1\n    kind: KubeSchedulerConfiguration\n") == 0);
  CHECK(broken("apiVersion: kubescheduler.config.k8s.io/v1\n    kind: [\n") == 1);
  CHECK(broken("cat kubescheduler.config.k8s.io/v1: [\n") == 0);
  CHECK(broken("#!/bin/sh\n    apiVersion: kubescheduler.config.k8s.io/v1: [\n") == 0);
}

}  // namespace previct::lint::trees
