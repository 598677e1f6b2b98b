// The effect of kustomizations on objects. Expected values: kustomize v5, api/internal/konfig/builtinpluginconsts
// (which fields take labels, names and namespaces), api/internal/builtins, and RFC 6902 for operations.
#include "lint/tree.h"
#include "unit/lint/scopes.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

namespace previct::lint::together {
namespace {

// The objects of a kustomization with these lines, for resources with this text.
class Made {
 public:
  Made(const std::string& lines, const std::string& resources, const Texts& more = {}) {
    Texts texts = {{"kustomization.yaml", "resources: [all.yaml]\n" + lines}, {"all.yaml", resources}};
    texts.insert(texts.end(), more.begin(), more.end());
    read(tree_, texts);
  }

  // Returns a field of the object of this kind and (old or new) name; `-` without such a field.
  [[nodiscard]] auto value(const std::string& kind, const std::string& name, const std::string& path) const
      -> std::string {
    for (const Scope& scope : tree_.scopes()) {
      for (const Manifest* manifest : scope.manifests) {
        if (manifest->kind != kind || manifest->as_read().name != name) continue;
        const Value found = manifest->root().in(path);
        return found ? std::string(found.text()) : "-";
      }
    }
    return "no object";
  }

  // Returns `name=image` for each container.
  [[nodiscard]] auto images() const -> std::string {
    std::string text;
    for (const Manifest* manifest : tree_.scopes().front().manifests) {
      for (const Value& each : manifest->root().in("spec.template.spec.containers"))
        text += fmt::format("{}={} ", each["name"].text(), each["image"].text());
    }
    return text;
  }

 private:
  Tree tree_;
};

auto object_of(const std::string& api, const std::string& kind, const std::string& name, const std::string& spec = "")
    -> std::string {
  return fmt::format("---\napiVersion: {}\nkind: {}\nmetadata: {{name: {}}}\n{}", api, kind, name,
                     spec.empty() ? "" : "spec: " + spec + "\n");
}

constexpr const char* kTemplate = "template: {spec: {containers: [{name: c, image: i}]}}";

}  // namespace

TEST_CASE("kustomize: each change is made to what the earlier ones left", "[lint][kustomize]") {
  const Made made("namespace: prod\nnamePrefix: x-\ncommonLabels: {team: t}\n",
                  object_of("apps/v1", "Deployment", "a", fmt::format("{{{}}}", kTemplate)));
  CHECK(made.value("Deployment", "a", "metadata.name") == "x-a");
  CHECK(made.value("Deployment", "a", "metadata.namespace") == "prod");
  CHECK(made.value("Deployment", "a", "metadata.labels.team") == "t");
}

// Source: api/resmap/reswrangler.go Select: a target is found by its name now, or by an earlier one.
TEST_CASE("kustomize: a patch finds an object by the name that an earlier patch gave it", "[lint][kustomize]") {
  const auto replicas = [](const std::string& name) {
    const Made made(
        "patches:\n- target: {kind: Deployment, name: a}\n  patch: '[{\"op\": \"replace\", \"path\": "
        "\"/metadata/name\", "
        "\"value\": \"b\"}]'\n- target: {kind: Deployment, name: " +
            name + "}\n  patch: '[{\"op\": \"add\", \"path\": \"/spec/replicas\", \"value\": 3}]'\n",
        object_of("apps/v1", "Deployment", "a", fmt::format("{{{}}}", kTemplate)));
    CHECK(made.value("Deployment", "a", "metadata.name") == "b");
    return made.value("Deployment", "a", "spec.replicas");
  };
  CHECK(replicas("b") == "3");
  CHECK(replicas("a") == "3");
  CHECK(replicas("c") == "-");
}

TEST_CASE("kustomize: commonLabels go to objects, templates and selectors", "[lint][kustomize]") {
  std::string objects;
  const auto workload = fmt::format("{{{}}}", kTemplate);
  for (const char* kind : {"Deployment", "StatefulSet", "DaemonSet", "ReplicaSet"})
    objects += object_of("apps/v1", kind, "a", workload);
  objects += object_of("batch/v1", "Job", "a", workload) +
             object_of("batch/v1", "CronJob", "a", fmt::format("{{jobTemplate: {{spec: {}}}}}", workload)) +
             object_of("v1", "Service", "chosen", "{selector: {app: a}}") + object_of("v1", "Service", "bare", "{}") +
             object_of("v1", "ReplicationController", "a", fmt::format("{{selector: {{app: a}}, {}}}", kTemplate)) +
             object_of("policy/v1", "PodDisruptionBudget", "a", "{selector: {matchLabels: {app: a}}}") +
             object_of("example.org/v1", "Page", "a", "{template: {spec: {text: x}}}") +
             object_of("apps/v1", "Deployment", "odd", fmt::format("{{selector: x, {}}}", kTemplate)) +
             object_of("scheduling.k8s.io/v1", "PriorityClass", "low");
  const Made all("commonLabels: {team: x}\n", objects);
  for (const char* kind : {"Deployment", "StatefulSet", "DaemonSet", "ReplicaSet"}) {
    INFO(kind);
    CHECK(all.value(kind, "a", "metadata.labels.team") == "x");
    CHECK(all.value(kind, "a", "spec.selector.matchLabels.team") == "x");
    CHECK(all.value(kind, "a", "spec.template.metadata.labels.team") == "x");
  }
  CHECK(all.value("Job", "a", "spec.selector.matchLabels.team") == "-");
  CHECK(all.value("Job", "a", "spec.template.metadata.labels.team") == "x");
  CHECK(all.value("CronJob", "a", "spec.jobTemplate.spec.template.metadata.labels.team") == "x");
  CHECK(all.value("Service", "chosen", "spec.selector.team") == "x");
  CHECK(all.value("Service", "chosen", "spec.selector.matchLabels.team") == "-");
  CHECK(all.value("Service", "bare", "spec.selector.team") == "-");
  CHECK(all.value("ReplicationController", "a", "spec.selector.team") == "x");
  CHECK(all.value("PodDisruptionBudget", "a", "spec.selector.matchLabels.team") == "x");
  CHECK(all.value("Page", "a", "spec.template.metadata.labels.team") == "-");
  CHECK(all.value("Deployment", "odd", "metadata.labels.team") == "x");
  CHECK(all.value("PriorityClass", "low", "metadata.labels.team") == "x");

  const Made only("labels:\n- pairs: {team: x}\n", objects);
  CHECK(only.value("Deployment", "a", "metadata.labels.team") == "x");
  CHECK(only.value("Deployment", "a", "spec.selector.matchLabels.team") == "-");
  CHECK(only.value("Deployment", "a", "spec.template.metadata.labels.team") == "-");
  const Made templates("labels:\n- pairs: {team: x}\n  includeTemplates: true\n", objects);
  CHECK(templates.value("Deployment", "a", "spec.selector.matchLabels.team") == "-");
  CHECK(templates.value("Deployment", "a", "spec.template.metadata.labels.team") == "x");
}

TEST_CASE("kustomize: a prefix renames objects, and classes where they are used", "[lint][kustomize]") {
  const auto with_class = [](const std::string& name) {
    return fmt::format("{{template: {{spec: {{priorityClassName: {}, containers: [{{name: c, image: i}}]}}}}}}", name);
  };
  const Made made("namePrefix: a-\nnameSuffix: -z\n",
                  object_of("scheduling.k8s.io/v1", "PriorityClass", "low") +
                      object_of("apps/v1", "Deployment", "web", with_class("low")) +
                      object_of("apps/v1", "Deployment", "top", with_class("other")));
  CHECK(made.value("PriorityClass", "low", "metadata.name") == "a-low-z");
  CHECK(made.value("Deployment", "web", "metadata.name") == "a-web-z");
  CHECK(made.value("Deployment", "web", "spec.template.spec.priorityClassName") == "a-low-z");
  CHECK(made.value("Deployment", "top", "spec.template.spec.priorityClassName") == "other");
}

TEST_CASE("kustomize: a namespace applies to all objects that have one", "[lint][kustomize]") {
  const std::string objects =
      object_of("scheduling.k8s.io/v1", "PriorityClass", "low") + object_of("apps/v1", "Deployment", "web");
  const Made made("namespace: ml\n", objects);
  CHECK(made.value("Deployment", "web", "metadata.namespace") == "ml");
  CHECK(made.value("PriorityClass", "low", "metadata.namespace") == "-");
  CHECK(Made("namespace: ''\n", objects).value("Deployment", "web", "metadata.namespace") == "-");
}

TEST_CASE("kustomize: patches change the object that they name", "[lint][kustomize]") {
  const std::string two = object_of("apps/v1", "Deployment", "web", "{replicas: 1}") +
                          object_of("apps/v1", "Deployment", "db", "{replicas: 1}");
  const std::string three = object_of("apps/v1", "Deployment", "web", "{replicas: 3}");
  const Made merged("patches:\n- path: three.yaml\n", two, {{"three.yaml", three}});
  CHECK(merged.value("Deployment", "web", "spec.replicas") == "3");
  CHECK(merged.value("Deployment", "db", "spec.replicas") == "1");
  const Made gone("patches:\n- path: gone.yaml\n", two);
  CHECK(gone.value("Deployment", "web", "spec.replicas") == "1");
  const Made operated(
      "patchesJson6902:\n- target: {group: apps, version: v1, kind: Deployment, name: db}\n  patch: |-\n    - {op: "
      "replace, path: /spec/replicas, value: 5}\n    - {op: add, path: /metadata/annotations, value: {}}\n    - {op: "
      "add, "
      "path: /metadata/annotations/example.org~1a~0b, value: x}\n",
      two);
  CHECK(operated.value("Deployment", "web", "spec.replicas") == "1");
  CHECK(operated.value("Deployment", "db", "spec.replicas") == "5");
  const Made noted(
      "patchesJson6902:\n- target: {kind: Deployment, name: db}\n  patch: |-\n    - {op: add, path: "
      "/metadata/labels/a~1b~0c, value: x}\n",
      "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: db, labels: {app: db}}\n");
  CHECK(noted.value("Deployment", "db", "metadata.labels.a/b~c") == "x");
}

TEST_CASE("kustomize: a patch after a prefix finds its object by its original name", "[lint][kustomize]") {
  const Texts texts = {{"base/kustomization.yaml", "resources: [all.yaml]\nnamePrefix: a-\n"},
                       {"base/all.yaml", object_of("apps/v1", "Deployment", "web", "{replicas: 1}") +
                                             object_of("apps/v1", "Deployment", "db", "{replicas: 1}")},
                       {"over/kustomization.yaml", "bases: [../base]\npatchesStrategicMerge: [three.yaml]\n"},
                       {"over/three.yaml", object_of("apps/v1", "Deployment", "web", "{replicas: 3}")}};
  CHECK(scopes_of(texts) == std::vector<std::string>{"kustomization over: base/all.yaml"});
  Tree tree;
  read(tree, texts);
  std::string replicas;
  for (const Manifest* manifest : tree.scopes().front().manifests)
    replicas += fmt::format("{}={} ", manifest->name, manifest->root().in("spec.replicas").text());
  CHECK(replicas == "a-web=3 a-db=1 ");
}

TEST_CASE("kustomize: lists of containers are merged by their names", "[lint][kustomize]") {
  const std::string base =
      object_of("apps/v1", "Deployment", "web",
                "{template: {spec: {containers: [{name: a, image: a1}, {name: b, image: b1}, {name: c, image: c1}]}}}");
  const auto patched = [&](const std::string& containers) {
    return Made("patches:\n- path: p.yaml\n", base,
                {{"p.yaml",
                  object_of("apps/v1", "Deployment", "web", "{template: {spec: {containers: [" + containers + "]}}}")}})
        .images();
  };
  CHECK(patched("{name: b, image: b2}") == "a=a1 b=b2 c=c1 ");
  CHECK(patched("{name: d, image: d1}") == "a=a1 b=b1 c=c1 d=d1 ");
  CHECK(patched("{name: b, $patch: delete}") == "a=a1 c=c1 ");
  CHECK(patched("{name: d, $patch: delete}") == "a=a1 b=b1 c=c1 ");
  CHECK(patched("{name: b, $patch: replace, image: b2}") == "a=a1 b=b2 c=c1 ");
  CHECK(patched("{$patch: replace}, {name: d, image: d1}") == "d=d1 ");
}

// Each layer has two folders that include both folders of the next layer under other names: 2^layers copies.
TEST_CASE("kustomize: growth that doubles with each layer is limited", "[lint][kustomize]") {
  const auto doubled = [](int layers, const std::string& prefix) {
    const std::string object = "apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: a}\nvalue: 5\n";
    Texts texts = {{"kustomization.yaml", "resources: [b0, c0]\n"}, {"base/a.yaml", object}};
    for (int i = 0; i < layers; ++i) {
      const std::string next =
          i + 1 == layers ? std::string("[../base/a.yaml]") : fmt::format("[../b{0}, ../c{0}]", i + 1);
      texts.emplace_back(fmt::format("b{}/kustomization.yaml", i),
                         fmt::format("resources: {}\nnamePrefix: {}\n", next, prefix));
      texts.emplace_back(fmt::format("c{}/kustomization.yaml", i),
                         fmt::format("resources: {}\nnameSuffix: -b\n", next));
    }
    Tree tree;
    read(tree, texts);
    return tree.too_much_rendered() ? std::string("too much")
                                    : fmt::format("{}", tree.scopes().front().manifests.size());
  };
  CHECK(doubled(3, "a-") == "8");
  CHECK(doubled(18, "a-") == "too much");
  CHECK(doubled(13, std::string(5000, 'a')) == "too much");  // few objects, but their names take 300 MB
}

TEST_CASE("kustomize: an error in an object is not repeated for each of many copies", "[lint][kustomize]") {
  const auto found = [](int copies) {
    Texts texts = {{"base/a.yaml", "apiVersion: v1\nkind: Pod\nmetadata: {name: a, labels: {a: 1, b: 2}}\nspec: {}\n"}};
    std::string all = "resources: [";
    for (int i = 0; i < copies; ++i) {
      texts.emplace_back(fmt::format("o{}/kustomization.yaml", i),
                         fmt::format("resources: [../base/a.yaml]\nnamePrefix: o{}-\n", i));
      all += fmt::format("o{}, ", i);
    }
    texts.emplace_back("kustomization.yaml", all + "]\n");
    Tree tree;
    read(tree, texts);
    Settings settings;
    settings.only = {"PO011"};
    std::size_t notes = 0;
    const Findings findings = lint(tree, settings, {});
    for (const Finding& finding : findings.items) notes += finding.notes.size();
    return std::pair(findings.items.size(), notes);
  };
  CHECK(found(20) == std::pair<std::size_t, std::size_t>(40, 0));
  CHECK(found(21) == std::pair<std::size_t, std::size_t>(40, 2));
}

TEST_CASE("kustomize: labels of many templates count, too", "[lint][kustomize]") {
  std::string templates;
  std::string labels;
  for (int i = 0; i < 400; ++i) templates += "{template: {spec: {containers: []}}}, ";
  for (int i = 0; i < 2000; ++i) labels += fmt::format("a{}: b, ", i);
  Tree tree;
  read(tree, {{"kustomization.yaml", "resources: [all.yaml]\ncommonLabels: {" + labels + "}\n"},
              {"all.yaml", object_of("apps/v1", "Deployment", "web", "{x: [" + templates + "]}")}});
  CHECK(tree.too_much_rendered());
}

TEST_CASE("kustomize: the names of classes in an object count, too", "[lint][kustomize]") {
  // A byte of a text counts as 4. 400 prefixes of 500,000 bytes add 800 MB, and so does the copy of the object that has
  // them: more than 1 GiB together, but not alone.
  const auto has_too_much = [](int templates, const std::string& name) {
    std::string classes;
    for (int i = 0; i < templates; ++i) classes += "{priorityClassName: " + name + "}, ";
    Tree tree;
    read(tree, {{"kustomization.yaml", "resources: [all.yaml]\nnamePrefix: " + std::string(500'000, 'a') + "\n"},
                {"all.yaml", object_of("scheduling.k8s.io/v1", "PriorityClass", "low") +
                                 object_of("apps/v1", "Deployment", "web", "{x: [" + classes + "]}")}});
    return tree.too_much_rendered();
  };
  CHECK(has_too_much(400, "low"));
  CHECK_FALSE(has_too_much(400, "other"));
  CHECK_FALSE(has_too_much(200, "low"));
}

TEST_CASE("kustomize: a prefix changes no names of namespaces, definitions and API services", "[lint][kustomize]") {
  const std::string all = object_of("v1", "Namespace", "a") + object_of("v1", "ConfigMap", "a") +
                          object_of("apiregistration.k8s.io/v1", "APIService", "a") +
                          object_of("apiextensions.k8s.io/v1", "CustomResourceDefinition", "a");
  const Made made("namePrefix: x-\n", all);
  CHECK(made.value("Namespace", "a", "metadata.name") == "a");
  CHECK(made.value("APIService", "a", "metadata.name") == "a");
  CHECK(made.value("CustomResourceDefinition", "a", "metadata.name") == "a");
  CHECK(made.value("ConfigMap", "a", "metadata.name") == "x-a");
}

TEST_CASE("kustomize: replacements leave deleted objects and definitions as they are", "[lint][kustomize]") {
  const std::string all = object_of("v1", "ConfigMap", "a") + object_of("v1", "ConfigMap", "b") +
                          object_of("apiextensions.k8s.io/v1", "CustomResourceDefinition", "d");
  const auto replace = [](const std::string& kind) {
    return "replacements:\n- targets:\n  - select: {kind: " + kind + "}\n    fieldPaths: [metadata.name]\n";
  };
  const Made made(
      "patches:\n- patch: |\n    apiVersion: v1\n    kind: ConfigMap\n    metadata: {name: a}\n    $patch: delete\n" +
          replace("ConfigMap"),
      all);
  CHECK(made.value("ConfigMap", "a", "metadata.name") == "no object");
  CHECK(made.value("ConfigMap", "b", "metadata.name") == "$(replacements)");
  CHECK(Made(replace("CustomResourceDefinition"), all).value("CustomResourceDefinition", "d", "metadata.name") == "d");
}

TEST_CASE("kustomize: replacements reach elements by their position, a field, or all of them", "[lint][kustomize]") {
  const auto images = [](const std::string& step) {
    const std::string spec = "{template: {spec: {containers: [{name: a, image: i}, {name: b, image: j}, {image: k}]}}}";
    return Made(
               "replacements:\n- targets:\n  - select: {kind: Deployment}\n    fieldPaths: "
               "[\"spec.template.spec.containers." +
                   step + ".image\"]\n",
               object_of("apps/v1", "Deployment", "d", spec))
        .images();
  };
  const std::string mark = "$(replacements)";
  CHECK(images("*") == "a=" + mark + " b=" + mark + " =" + mark + " ");
  CHECK(images("0") == "a=" + mark + " b=j =k ");
  CHECK(images("1") == "a=i b=" + mark + " =k ");
  CHECK(images("3") == "a=i b=j =k ");
  // The values in brackets are regular expressions: any element with the field may match.
  CHECK(images("[name=b]") == "a=" + mark + " b=" + mark + " =k ");
  CHECK(images("[=b]") == "a=" + mark + " b=" + mark + " =" + mark + " ");
  for (const std::string step : {"xname=b", "name=b", "[name]", "[name=b", "xname=b]"}) {
    INFO(step);
    CHECK(images(step) == "a=i b=j =k ");
  }
}

TEST_CASE("kustomize: labels of templates are for maps named template that have containers", "[lint][kustomize]") {
  const Made made("labels: [{pairs: {team: t}, includeTemplates: true}]\n",
                  object_of("apps/v1", "Deployment", "a",
                            "{template: {spec: {containers: []}}, other: {spec: {containers: []}}, "
                            "deep: {template: {spec: {containers: []}}}, empty: {template: {spec: {}}}}"));
  CHECK(made.value("Deployment", "a", "metadata.labels.team") == "t");
  CHECK(made.value("Deployment", "a", "spec.template.metadata.labels.team") == "t");
  CHECK(made.value("Deployment", "a", "spec.deep.template.metadata.labels.team") == "t");
  CHECK(made.value("Deployment", "a", "spec.other.metadata.labels.team") == "-");
  CHECK(made.value("Deployment", "a", "spec.empty.template.metadata.labels.team") == "-");
}

TEST_CASE("kustomize: a strategic merge replaces what is no map on both sides", "[lint][kustomize]") {
  const auto merged = [](const std::string& spec, const std::string& patch) {
    return Made(
        "patches:\n- patch: |\n    apiVersion: example.com/v1\n    kind: Thing\n    metadata: {name: a}\n"
        "    spec: " +
            patch + "\n",
        object_of("example.com/v1", "Thing", "a", spec));
  };
  CHECK(merged("{a: {b: c}}", "{a: x}").value("Thing", "a", "spec.a") == "x");
  CHECK(merged("{a: x}", "{a: {b: c}}").value("Thing", "a", "spec.a.b") == "c");
  CHECK(merged("{a: [x]}", "{a: {b: c}}").value("Thing", "a", "spec.a.b") == "c");
  CHECK(merged("{a: {b: c}}", "{a: {d: e}}").value("Thing", "a", "spec.a.b") == "c");
  CHECK(merged("{a: {b: c}}", "{a: {d: e}}").value("Thing", "a", "spec.a.d") == "e");
  CHECK(merged("{a: {b: c}}", "{a: null}").value("Thing", "a", "spec.a.b") == "-");
  const Made replaced = merged("{a: {b: c}}", "{a: {$patch: replace, d: e}}");
  CHECK(replaced.value("Thing", "a", "spec.a.b") == "-");
  CHECK(replaced.value("Thing", "a", "spec.a.d") == "e");
  CHECK(replaced.value("Thing", "a", "spec.a.$patch") == "-");
  CHECK(merged("{a: {b: c}}", "{a: {$patch: delete}}").value("Thing", "a", "spec.a.b") == "-");
}

TEST_CASE("kustomize: lists merge by the name of their elements", "[lint][kustomize]") {
  const auto images = [](const std::string& containers, const std::string& patch) {
    const auto spec = [](const std::string& list) { return "{template: {spec: {containers: [" + list + "]}}}"; };
    return Made(
               "patches:\n- patch: |\n    apiVersion: apps/v1\n    kind: Deployment\n    metadata: {name: a}\n"
               "    spec: " +
                   spec(patch) + "\n",
               object_of("apps/v1", "Deployment", "a", spec(containers)))
        .images();
  };
  CHECK(images("{name: a, image: i}", "{name: a, image: j}") == "a=j ");
  CHECK(images("{name: a, image: i}", "{name: b, image: j}") == "a=i b=j ");
  CHECK(images("{image: i}, {name: a, image: i}", "{name: a, image: j}") == "=i a=j ");
  CHECK(images("{name: a, image: i}", "{image: j}") == "a=i ");
  CHECK(images("{name: a, image: i}, {name: b, image: i}", "{name: a, $patch: delete}") == "b=i ");
  CHECK(images("{name: a, image: i}", "{name: b, $patch: delete}") == "a=i ");
  CHECK(images("{name: a, image: i}", "{$patch: replace}, {name: b, image: j}") == "b=j ");
}

}  // namespace previct::lint::together
