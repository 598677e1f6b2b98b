#include "unit/lint/scopes.h"

using namespace previct;
using namespace previct::lint;
using namespace previct::lint::together;

TEST_CASE("lint scopes: files that no kustomization joins are compared within their folder", "[lint][scopes]") {
  const Texts texts = {{"a/classes.yaml", class_named("low")},
                       {"b/web.yaml", deployment("web", "{app: web}", "      priorityClassName: high\n")}};
  CHECK(scopes_of(texts) == std::vector<std::string>{"folder a: a/classes.yaml", "folder b: b/web.yaml"});
  CHECK(found(texts, "PC001").empty());
  CHECK(found({{"a/classes.yaml", class_named("low")}, {"a/web.yaml", texts[1].second}}, "PC001").size() == 1);
}

TEST_CASE("lint scopes: a folder of budgets may be for the pods of another folder", "[lint][scopes]") {
  const std::string budgets = budget_for("web", "{app: web}") + "---\n" + deployment("spare", "{app: spare}");
  CHECK(found({{"budgets/all.yaml", budgets}}, "PD008").size() == 1);
  CHECK(found({{"budgets/all.yaml", budgets}, {"web/web.yaml", deployment("web", "{app: web}")}}, "PD008").empty());
  CHECK(found({{"budgets/all.yaml", budgets}, {"web/web.yaml", deployment("web", "{app: b}")}}, "PD008").size() == 1);
  // Or for those of a file that cannot be read, in this folder or another.
  const auto broken = [](const std::string& app) { return deployment(app, "{app: " + app + "}") + "<<<<<<< ours\n"; };
  CHECK(found({{"budgets/all.yaml", budgets}, {"web/web.yaml", broken("web")}}, "PD008").empty());
  CHECK(found({{"budgets/all.yaml", budgets}, {"web/web.yaml", broken("other")}}, "PD008").size() == 1);
  CHECK(found({{"budgets/all.yaml", budgets}, {"budgets/web.yaml", broken("x")}}, "PD008").empty());
}

TEST_CASE("lint scopes: files that define the same object are variants of each other", "[lint][scopes]") {
  const Texts texts = {
      {"m/all.yaml", budget_for("web", "{app: web}") + "---\n" + deployment("web", "{app: web}")},
      {"m/common.yaml", class_named("low")},
      {"m/namespaced.yaml", budget_for("web", "{app: web}") + "---\n" + deployment("web", "{app: web, x: y}")}};
  CHECK(scopes_of(texts) == std::vector<std::string>{"file m/all.yaml: m/all.yaml m/common.yaml",
                                                     "file m/namespaced.yaml: m/common.yaml m/namespaced.yaml"});
  CHECK(found(texts, "DU004").empty());
  CHECK(found(texts, "PD004").empty());
  // In one file, both are applied.
  CHECK(found({{"m/all.yaml", deployment("web", "{app: web}") + "---\n" + deployment("web", "{app: b}")}}, "DU004")
            .size() == 1);
}

TEST_CASE("lint scopes: a budget that matches a template of another folder is meant for it", "[lint][scopes]") {
  const std::string tool = deployment("tool", "{app: tool}");
  const Texts texts = {{"scaling/budgets.yaml", budget_for("web", "{app: web}")}, {"scaling/tool.yaml", tool}};
  CHECK(found(texts, "PD008").size() == 1);
  Texts more = texts;
  more.emplace_back("apps/web.yaml", deployment("web", "{app: web}"));
  CHECK(found(more, "PD008").empty());
  // Also if a kustomization joins the budget with others: its pods may come from elsewhere.
  more.emplace_back("scaling/kustomization.yaml", "resources: [budgets.yaml, tool.yaml]\n");
  CHECK(found(more, "PD008").empty());
}

TEST_CASE("lint scopes: a kustomization that no other includes is a scope, with its bases and components",
          "[lint][scopes]") {
  const Texts texts = {
      {"base/kustomization.yaml", "resources: [web.yaml]\n"},
      {"base/web.yaml", deployment("web", "{app: web}", "      priorityClassName: low\n")},
      {"component/kustomization.yaml",
       "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nresources: [pdb.yaml]\n"},
      {"component/pdb.yaml", budget_for("web", "{app: web}")},
      {"overlays/a/kustomization.yaml", "resources: [../../base, classes.yaml]\ncomponents: [../../component]\n"},
      {"overlays/a/classes.yaml", class_named("high")},
      {"overlays/b/kustomization.yaml", "resources: [../../base, 'https://example.com/x.yaml']\n"},
  };
  CHECK(scopes_of(texts) ==
        std::vector<std::string>{"kustomization overlays/a: base/web.yaml component/pdb.yaml overlays/a/classes.yaml",
                                 "kustomization overlays/b (partial): base/web.yaml"});
  // It is wrong in one of the two overlays, and reported where it is written.
  CHECK(found(texts, "PC001") == std::vector<std::string>{"base/web.yaml:8:26 no PriorityClass low in the input"});
}

TEST_CASE("lint scopes: objects are compared after the changes of a kustomization", "[lint][scopes]") {
  const std::string base = "base/kustomization.yaml";
  SECTION("labels reach selectors and templates") {
    CHECK(found({{base, "resources: [web.yaml]\ncommonLabels: {app: web}\n"},
                 {"base/web.yaml", deployment("web", "{x: y}") + "---\n" + budget_for("web", "{x: y}")}},
                "PD008")
              .empty());
    CHECK(found({{base, "resources: [web.yaml]\nlabels: [{pairs: {app: web}, includeTemplates: true}]\n"},
                 {"base/web.yaml", deployment("web", "{x: y}") + "---\n" + budget_for("web", "{app: web}")}},
                "PD008")
              .empty());
    CHECK(found({{base, "resources: [web.yaml]\nlabels: [{pairs: {app: web}}]\n"},
                 {"base/web.yaml", deployment("web", "{app: y}") + "---\n" + budget_for("web", "{app: web}")}},
                "PD008")
              .size() == 1);
  }
  SECTION("a namespace applies to all") {
    CHECK(found({{base, "resources: [web.yaml]\nnamespace: a\n"},
                 {"base/web.yaml", deployment("web", "{x: y}") + "---\n" + budget_for("web", "{x: y}")}},
                "PD008")
              .empty());
  }
  SECTION("names are prefixed, also in references of pods") {
    const Texts twice = {{base, "resources: [web.yaml, classes.yaml]\n"},
                         {"base/web.yaml", deployment("web", "{x: y}", "      priorityClassName: low\n")},
                         {"base/classes.yaml", class_named("low")},
                         {"a/kustomization.yaml", "resources: [../base]\nnamePrefix: a-\n"},
                         {"b/kustomization.yaml", "resources: [../base]\nnamePrefix: b-\n"},
                         {"all/kustomization.yaml", "resources: [../a, ../b]\n"}};
    CHECK(found(twice, "DU004").empty());
    CHECK(found(twice, "PC001").empty());
  }
  SECTION("a patch is not an object, and changes one") {
    const std::string patch =
        "apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: web}\nspec: {maxUnavailable: 0}\n";
    for (const std::string& how :
         {std::string("patches: [{path: patch.yaml}]\n"), std::string("patchesStrategicMerge: [patch.yaml]\n")}) {
      const Texts texts = {{base, "resources: [web.yaml]\n" + how},
                           {"base/web.yaml", deployment("web", "{x: y}") + "---\n" + budget_for("web", "{x: y}")},
                           {"base/patch.yaml", patch}};
      CHECK(found(texts, "PD001").empty());
      // Reported where it is written.
      CHECK(
          found(texts, "PD002") ==
          std::vector<std::string>{"base/patch.yaml:4:8 budget web never allows a disruption, and preemption may still "
                                   "evict its pods"});
    }
    CHECK(found({{base,
                  "resources: [web.yaml]\npatches:\n- patch: |\n    - op: replace\n      path: /spec/maxUnavailable\n  "
                  "    value: 0\n  target: {kind: PodDisruptionBudget}\n"},
                 {"base/web.yaml", deployment("web", "{x: y}") + "---\n" + budget_for("web", "{x: y}")}},
                "PD002") ==
          std::vector<std::string>{"base/kustomization.yaml:6:14 budget web never allows a disruption, and "
                                   "preemption may still evict its pods"});
  }
  SECTION("operations may be in a separate file, in YAML or JSON") {
    const std::string objects = deployment("web", "{x: y}") + "---\n" + budget_for("web", "{x: y}");
    const std::string how =
        "resources: [web.yaml]\npatches:\n- path: ops.yaml\n  target: {kind: PodDisruptionBudget}\n";
    const Texts texts = {{base, how},
                         {"base/web.yaml", objects},
                         {"base/ops.yaml", "# never\n- op: replace\n  path: /spec/maxUnavailable\n  value: 0\n"}};
    CHECK(found(texts, "PD002") ==
          std::vector<std::string>{"base/ops.yaml:4:10 budget web never allows a disruption, and preemption may still "
                                   "evict its pods"});
    CHECK(scopes_of(texts) == std::vector<std::string>{"kustomization base: base/web.yaml"});
    CHECK(found({{base,
                  "resources: [web.yaml]\npatchesJson6902:\n- path: ops.json\n  target: {kind: PodDisruptionBudget, "
                  "name: web}\n"},
                 {"base/web.yaml", objects},
                 {"base/ops.json", "[{\"op\": \"replace\", \"path\": \"/spec/maxUnavailable\", \"value\": 0}]\n"}},
                "PD002")
              .size() == 1);
    // A file that is not used is not an object.
    CHECK(scopes_of({texts[1], texts[2]}) == std::vector<std::string>{"folder base: base/web.yaml"});
  }
  SECTION("an object that a patch deletes is removed") {
    CHECK(found({{base,
                  "resources: [web.yaml]\npatches:\n- patch: |\n    $patch: delete\n    apiVersion: policy/v1\n    "
                  "kind: PodDisruptionBudget\n    metadata: {name: web}\n"},
                 {"base/web.yaml", deployment("web", "{x: y}") + "---\n" + budget_for("web", "{x: z}")}},
                "PD008")
              .empty());
  }
}

TEST_CASE("lint scopes: a scope may have a name", "[lint][scopes]") {
  const Texts texts = {{"a/classes.yaml", class_named("low")},
                       {"b/web.yaml", deployment("web", "{app: web}", "      priorityClassName: high\n")},
                       {"c/x.yaml", class_named("other")}};
  const std::vector<NamedScope> named = {{"prod", {"a", "b/*"}}};
  CHECK(scopes_of(texts, named) ==
        std::vector<std::string>{"folder c: c/x.yaml", "named prod: a/classes.yaml b/web.yaml"});
  CHECK(found(texts, "PC001", named).size() == 1);
  const auto settings = read_settings("scopes:\n- name: prod\n  paths: [a, b/*]\n", ".previct.yaml", FileId{0});
  REQUIRE(settings);
  REQUIRE(settings->scopes.size() == 1);
  CHECK(settings->scopes[0].paths == named[0].paths);
  CHECK_FALSE(read_settings("scopes:\n- name: prod\n", ".previct.yaml", FileId{0}));
  CHECK_FALSE(read_settings("scopes:\n- paths: [a]\n", ".previct.yaml", FileId{0}));
}

TEST_CASE("lint scopes: values filled in by another program are unknown, and never wrong", "[lint][scopes]") {
  const std::string claim =
      "apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: a}\nspec: {resources: {requests: {storage: ";
  for (const char* value :
       {"'${CAPACITY:=5Gi}'", "$CAPACITY", "'{{ .Values.x }}'", "<size>", "__SIZE__", "FROM_OVERLAY", "{size}"}) {
    INFO(value);
    CHECK(found({{"a.yaml", claim + value + "}}}\n"}}, "DU006").empty());
  }
  CHECK(found({{"a.yaml", claim + "much}}}\n"}}, "DU006").size() == 1);
}

TEST_CASE("lint scopes: a broken file is one finding at its line, and the rest is linted", "[lint][scopes]") {
  const Texts texts = {
      {"a/broken.yaml", "apiVersion: v1\nkind: Pod\nmetadata: [\n"},
      {"a/class.yaml", "apiVersion: scheduling.k8s.io/v1beta1\nkind: PriorityClass\nmetadata: {name: a}\nvalue: 1\n"},
      {"a/notes.yaml", "kind of: [\n"},
      {"a/chart.yaml", "apiVersion: v1\nkind: Pod\n{{ if .x }}\nmetadata: [\n"},
      {"a/filled.yaml", "apiVersion: v1\nkind: Pod\nmetadata:\n  name: @NAME@\n"},
      {"a/left.yaml", "apiVersion: v1\nkind: Pod\nmetadata:\n  <see `b.yaml` for more>\nspec: {}\n"}};
  CHECK(found(texts, "DU009").size() == 1);
  CHECK(found(texts, "DU009")[0].starts_with("a/broken.yaml:"));
  CHECK(found(texts, "PC017").size() == 1);
  // A configuration inside an object.
  CHECK(found({{"cm.yaml",
                "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  config.yaml: |\n    apiVersion: "
                "kubescheduler.config.k8s.io/v1\n    kind: KubeSchedulerConfiguration\n    profiles: [\n"}},
              "DU009")
            .size() == 1);
}

TEST_CASE("lint scopes: a .json file with YAML is read as kubectl reads it", "[lint][scopes]") {
  CHECK(found({{"a.yaml", "{\n  # a comment\n  apiVersion: v1, kind: Pod, metadata: {name: a}}\n"}}, "DU009").empty());
}

TEST_CASE("lint scopes: the output of another renderer replaces the folder", "[lint][scopes]") {
  Tree tree;
  tree.read_text("k/kustomization.yaml", "resources: [web.yaml]\nnamePrefix: a-\n", false);
  tree.read_text("k/web.yaml", deployment("web", "{app: web}"), false);
  tree.read_text("over/kustomization.yaml", "resources: [../k]\n", false);
  const std::vector<Tree::Renderable> renderables = tree.renderables();
  REQUIRE(renderables.size() == 1);  // not the folders that it includes
  CHECK(renderables[0].folder == "over");
  CHECK(tree.rendered_of("over") == nullptr);
  tree.read_rendered(renderables[0], deployment("a-web", "{app: web}"));
  tree.finish();
  REQUIRE(tree.scopes().size() == 1);
  CHECK(tree.scopes()[0].name == "over");
  CHECK_FALSE(tree.scopes()[0].partial);
  REQUIRE(tree.scopes()[0].manifests.size() == 1);
  CHECK(tree.scopes()[0].manifests[0]->name == "a-web");
  CHECK(tree.scopes()[0].manifests[0]->source->name == "over/kustomization.yaml!rendered");
}

// Source: kustomize api/internal/target and pkg/loader: a base that is already open is a cycle.
TEST_CASE("lint scopes: kustomizations that include each other", "[lint][scopes]") {
  const auto including = [](const std::string& list) { return "resources: [" + list + "]\n"; };
  const auto broken = [](const Texts& texts) {
    std::vector<std::string> all;
    for (const std::string& each : found(texts, "DU009")) all.push_back(each);
    return all;
  };
  using Findings = std::vector<std::string>;
  CHECK(broken({{"a/kustomization.yaml", including("../b")}, {"b/kustomization.yaml", including("../a")}}) ==
        Findings{"b/kustomization.yaml:1:13 kustomize refuses this cycle: a, b, a"});
  CHECK(broken({{"a/kustomization.yaml", including("../a")}}) ==
        Findings{"a/kustomization.yaml:1:13 kustomize refuses this cycle: a, a"});
  // Only what is within the cycle is named; a base of two is none.
  CHECK(broken({{"top/kustomization.yaml", including("../a")},
                {"a/kustomization.yaml", including("../b")},
                {"b/kustomization.yaml", including("../a")}}) ==
        Findings{"b/kustomization.yaml:1:13 kustomize refuses this cycle: a, b, a"});
  CHECK(broken({{"top/kustomization.yaml", including("../a, ../b")},
                {"a/kustomization.yaml", including("../c")},
                {"b/kustomization.yaml", including("../c")},
                {"c/kustomization.yaml", "namePrefix: x-\n"}})
            .empty());
  // What cannot be built may lack objects.
  const Texts partial = {{"a/kustomization.yaml", including("../b, web.yaml")},
                         {"a/web.yaml", budget_for("web", "{app: web}") + "---\n" + deployment("x", "{app: x}")},
                         {"b/kustomization.yaml", including("../a")}};
  CHECK(found(partial, "PD008").empty());
  CHECK(found({{"a/kustomization.yaml", including("web.yaml")}, partial[1]}, "PD008").size() == 1);
}

TEST_CASE("lint scopes: what Argo CD applies from several sources", "[lint][scopes]") {
  const auto application = [](const std::string& spec) {
    return "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: app}\nspec: {" + spec + "}\n";
  };
  const std::string web = deployment("web", "{app: web}");
  const Texts files = {{"one/web.yaml", web}, {"two/web.yaml", web}, {"two/deep/web.yaml", web}};
  const auto scopes = [&](const std::string& spec) {
    Texts texts = files;
    texts.emplace_back("apps/app.yaml", application(spec));
    std::vector<std::string> of_applications;
    for (const std::string& each : scopes_of(texts)) {
      if (each.starts_with("application")) of_applications.push_back(each);
    }
    return of_applications;
  };
  using Scopes = std::vector<std::string>;
  CHECK(scopes("source: {path: one}") == Scopes{"application one (partial): one/web.yaml"});
  CHECK(scopes("sources: [{path: one}, {path: two}]") ==
        Scopes{"application one (partial): one/web.yaml", "application two (partial): two/web.yaml"});
  CHECK(scopes("sources: [{path: two, directory: {recurse: true}}]") ==
        Scopes{"application two (partial): two/deep/web.yaml two/web.yaml"});
  CHECK(scopes("source: {path: ../one}").empty());
}

TEST_CASE("lint scopes: applications are of Argo CD and Flux, not of other groups", "[lint][scopes]") {
  const auto is_applied = [](const std::string& api, const std::string& kind, const std::string& spec) {
    const std::string object =
        "apiVersion: " + api + "\nkind: " + kind + "\nmetadata: {name: a}\nspec: {" + spec + "}\n";
    const auto scopes = scopes_of({{"one/web.yaml", deployment("web", "{app: web}")}, {"apps/app.yaml", object}});
    return std::any_of(scopes.begin(), scopes.end(),
                       [](const std::string& each) { return each == "application one (partial): one/web.yaml"; });
  };
  CHECK(is_applied("argoproj.io/v1alpha1", "Application", "source: {path: one}"));
  CHECK_FALSE(is_applied("app.k8s.io/v1beta1", "Application", "source: {path: one}"));
  CHECK_FALSE(is_applied("argoproj.io/v1alpha1", "AppProject", "source: {path: one}"));
  CHECK(is_applied("kustomize.toolkit.fluxcd.io/v1", "Kustomization", "path: ./one"));
  CHECK_FALSE(is_applied("example.com/v1", "Kustomization", "path: ./one"));
  CHECK_FALSE(is_applied("kustomize.toolkit.fluxcd.io/v1", "Component", "path: ./one"));
}

TEST_CASE("lint scopes: a folder that two applications apply is one scope, found from the nearest root",
          "[lint][scopes]") {
  const auto app = [](const std::string& name) {
    return "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: " + name +
           "}\nspec: {source: {path: one}}\n";
  };
  const std::string web = deployment("web", "{app: web}");
  const auto scopes = [](const Texts& texts) {
    std::vector<std::string> applied = scopes_of(texts);
    std::erase_if(applied, [](const std::string& each) { return !each.starts_with("application"); });
    return applied;
  };
  using Scopes = std::vector<std::string>;
  CHECK(scopes({{"apps/a.yaml", app("a")}, {"apps/b.yaml", app("b")}, {"one/web.yaml", web}}) ==
        Scopes{"application one (partial): one/web.yaml"});
  CHECK(scopes({{"x/apps/a.yaml", app("a")}, {"x/one/web.yaml", web}, {"one/web.yaml", web}}) ==
        Scopes{"application one (partial): x/one/web.yaml"});
  CHECK(scopes({{"x/apps/a.yaml", app("a")}, {"y/one/web.yaml", web}, {"one/web.yaml", web}}) ==
        Scopes{"application one (partial): one/web.yaml"});
}

TEST_CASE("lint scopes: a finding in a file that two overlays use is reported once", "[lint][scopes]") {
  const Texts texts = {{"base/kustomization.yaml", "resources: [web.yaml, low.yaml]\n"},
                       {"base/low.yaml", class_named("low")},
                       {"base/web.yaml", deployment("web", "{app: web}", "      priorityClassName: high\n")},
                       {"one/kustomization.yaml", "resources: [../base]\n"},
                       {"two/kustomization.yaml", "resources: [../base]\n"}};
  CHECK(scopes_of(texts).size() == 2);
  CHECK(found(texts, "PC001").size() == 1);
}

TEST_CASE("lint scopes: many variants in one folder are not combined with its other files", "[lint][scopes]") {
  // 200 variants and 101 objects are 20,200 pairs; with 100 objects, they are 20,000, which is the limit.
  const auto of = [](int objects) {
    Texts texts;
    for (int i = 0; i < objects; ++i) {
      const std::string name = std::to_string(i);
      texts.emplace_back("m/c" + name + ".yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c" + name + "}\n");
    }
    for (int i = 0; i < 200; ++i) texts.emplace_back("m/v" + std::to_string(i) + ".yaml", class_named("low"));
    Tree tree;
    read(tree, texts);
    std::size_t together = 0;
    for (const lint::Scope& scope : tree.scopes()) together += scope.manifests.size();
    return std::pair(tree.scopes().size(), together);
  };
  CHECK(of(100) == std::pair<std::size_t, std::size_t>(200, 200 * 101));
  CHECK(of(101) == std::pair<std::size_t, std::size_t>(201, 200 + 101));
}

TEST_CASE("lint scopes: a cycle of kustomizations is reported where one that is applied gets to it", "[lint][scopes]") {
  const auto broken = [](const Texts& texts) {
    Tree tree;
    read(tree, texts);
    std::vector<std::string> all;
    for (const BrokenText& each : tree.broken()) all.push_back(each.source->name + ": " + each.message);
    return all;
  };
  using Broken = std::vector<std::string>;
  const Texts cycle = {{"a/kustomization.yaml", "resources: [../b]\n"},
                       {"b/kustomization.yaml", "resources: [../a]\n"}};
  CHECK(broken(cycle) == Broken{"b/kustomization.yaml: kustomize refuses this cycle: a, b, a"});
  // The overlay in z includes b first.
  Texts with = cycle;
  with.emplace_back("z/kustomization.yaml", "resources: [../b]\n");
  CHECK(broken(with) == Broken{"a/kustomization.yaml: kustomize refuses this cycle: b, a, b"});
}

TEST_CASE("lint scopes: a kustomization that generates objects is partial, and uses the files that it names",
          "[lint][scopes]") {
  const auto scopes = [](const std::string& lines) {
    return scopes_of({{"k/kustomization.yaml", "resources: [web.yaml]\n" + lines},
                      {"k/web.yaml", deployment("web", "{app: web}")},
                      {"k/x.yaml", class_named("low")},
                      {"k/y.yaml", class_named("high")}});
  };
  using Scopes = std::vector<std::string>;
  const std::string apart = "folder k: k/x.yaml k/y.yaml";
  const std::string whole = "kustomization k: k/web.yaml";
  const std::string partial = "kustomization k (partial): k/web.yaml";
  CHECK(scopes("") == Scopes{whole, apart});
  for (const std::string list : {"generators", "helmCharts", "helmChartInflationGenerator", "transformers"}) {
    INFO(list);
    const Scopes found = scopes(list + ": [{name: z}]\n");
    CHECK(found == Scopes{partial, apart});
    CHECK(scopes(list + ": []\n") == Scopes{whole, apart});
  }
  for (const std::string list : {"generators", "transformers"}) {
    INFO(list);
    CHECK(scopes(list + ": [x.yaml]\n") == Scopes{partial, "folder k: k/y.yaml"});
  }
  for (const std::string list : {"helmCharts", "helmChartInflationGenerator"}) {
    INFO(list);
    CHECK(scopes(list + ": [{valuesFile: x.yaml}]\n") == Scopes{partial, "folder k: k/y.yaml"});
    CHECK(scopes(list + ": [{additionalValuesFiles: [x.yaml, y.yaml]}]\n") == Scopes{partial});
  }
  CHECK(scopes("replacements: [{path: x.yaml}]\n") == Scopes{partial, "folder k: k/y.yaml"});
  CHECK(scopes("replacements: [{targets: []}]\n") == Scopes{whole, apart});
  for (const std::string list : {"validators", "configurations", "patchesStrategicMerge"}) {
    INFO(list);
    CHECK(scopes(list + ": [x.yaml]\n") == Scopes{whole, "folder k: k/y.yaml"});
  }
  for (const std::string list : {"patches", "patchesJson6902"}) {
    INFO(list);
    CHECK(scopes(list + ": [{path: x.yaml}]\n") == Scopes{whole, "folder k: k/y.yaml"});
  }
}
