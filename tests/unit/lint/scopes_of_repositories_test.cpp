#include "lint/node.h"
#include "lint/placeholder.h"
#include "lint/replacements.h"
#include "unit/lint/scopes.h"

using namespace previct;
using namespace previct::lint;
using namespace previct::lint::together;

TEST_CASE("lint scopes: kustomize writes annotations of objects as strings", "[lint][scopes]") {
  const std::string low =
      "apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: low, annotations: {a: 1}}\nvalue: 1\n";
  CHECK(found({{"a/low.yaml", low}}, "PO011").size() == 1);
  CHECK(found({{"a/low.yaml", low}, {"a/kustomization.yaml", "resources: [low.yaml]\n"}}, "PO011").empty());
  // Labels, and pod templates, stay unchanged.
  std::string labelled = low;
  labelled.replace(labelled.find("annotations"), 11, "labels");
  CHECK(found({{"a/low.yaml", labelled}, {"a/kustomization.yaml", "resources: [low.yaml]\n"}}, "PO011").size() == 1);
  std::string web = deployment("web", "{x: y}");
  web.replace(web.find("labels: {x: y}"), 14, "annotations: {x: 1}");
  CHECK(found({{"a/low.yaml", web}, {"a/kustomization.yaml", "resources: [low.yaml]\n"}}, "PO011").size() == 1);
  // Flux generates a kustomization for a folder; Argo CD applies the folder.
  CHECK(found({{"a/low.yaml", low},
               {"c/apps.yaml",
                "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: x}\n"
                "spec: {path: ./a}\n"}},
              "PO011")
            .empty());
  CHECK(found({{"a/low.yaml", low},
               {"c/apps.yaml",
                "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: x}\n"
                "spec: {source: {path: a}}\n"}},
              "PO011")
            .size() == 1);
}

TEST_CASE("lint scopes: values written by replacements are unknown", "[lint][scopes]") {
  const std::string objects = budget_for("web", "{x: y}") + "---\n" +
                              deployment("web", "{x: y}", "      priorityClassName: replaced\n") + "---\n" +
                              class_named("high");
  const auto with = [&](const std::string& targets, const char* rule) {
    return found({{"kustomization.yaml", "resources: [web.yaml]\nreplacements:\n- targets:\n" + targets},
                  {"web.yaml", objects}},
                 rule)
        .size();
  };
  const std::string path = "spec.template.spec.priorityClassName";
  CHECK(with("  - {select: {kind: Service}, fieldPaths: [" + path + "]}\n", "PC001") == 1);
  CHECK(with("  - {select: {kind: Deployment}, fieldPaths: [" + path + "]}\n", "PC001") == 0);
  const std::string claims =
      "apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: a}\n"
      "spec: {resources: {requests: {storage: much}}}\n";
  const auto claim_with = [&](const std::string& field) {
    return found({{"kustomization.yaml",
                   "resources: [web.yaml]\nreplacements:\n- targets:\n  - select: {kind: PersistentVolumeClaim}\n"
                   "    fieldPaths: ['" +
                       field + "']\n"},
                  {"web.yaml", claims}},
                 "DU006")
        .size();
  };
  CHECK(claim_with("spec.resources.requests.storage") == 0);
  CHECK(claim_with("spec.resources.requests.cpu") == 1);
}

TEST_CASE("lint scopes: field paths of replacements", "[lint][scopes]") {
  // Shows which elements of a list and the annotation are replaced: `abc`, with `-` for each that is.
  const auto replaced = [](std::string_view path) {
    Tree tree;
    tree.read_text("m.yaml",
                   "apiVersion: v1\nkind: Pod\nmetadata: {annotations: {x.y/z: c}}\n"
                   "spec: {containers: [{name: n.1, image: a}, {name: m, image: b}]}\n");
    Node node = to_node(tree.manifests().front().root());
    mark_replaced(node, path);
    std::string out;
    const Node* list = node.find("spec")->find("containers");
    if (!list->is_list()) return list->text;
    const Node* annotation = node.find("metadata")->find("annotations")->find("x.y/z");
    for (const Node* each : {list->items[0].find("image"), list->items[1].find("image"), annotation})
      out += is_placeholder(each->text) ? "-" : each->text;
    return out;
  };
  CHECK(replaced("spec.containers.[name=n.1].image") == "--c");  // a regular expression
  CHECK(replaced("spec.containers.[port=1].image") == "abc");
  CHECK(replaced("spec.containers.1.image") == "a-c");
  CHECK(replaced("spec.containers.*.image") == "--c");
  CHECK(replaced("metadata.annotations.[x.y/z]") == "ab-");
  CHECK(replaced("metadata.annotations.x\\.y/z") == "ab-");
  CHECK(replaced("spec.containers") == "$(replacements)");
  CHECK(replaced("spec.containers.image") == "abc");
}

TEST_CASE("lint scopes: a patch that the adjacent kustomization does not list is not an object", "[lint][scopes]") {
  const Texts texts = {{"a/kustomization.yaml", "resources: [class.yaml]\n"},
                       {"a/class.yaml", class_named("low")},
                       {"a/dispatcher.yaml", budget_for("b", "{x: y}")},
                       {"a/pdb.patch.yaml", budget_for("a", "{x: y}")},
                       {"b/patch.yaml", budget_for("c", "{x: y}")}};
  CHECK(scopes_of(texts) == std::vector<std::string>{"kustomization a: a/class.yaml", "folder a: a/dispatcher.yaml",
                                                     "folder b: b/patch.yaml"});
}

TEST_CASE("lint scopes: adjacent dumps are separate clusters", "[lint][scopes]") {
  const auto stored = [](const std::string& kind, const std::string& name, const std::string& uid) {
    return "apiVersion: v1\nkind: " + kind + "\nmetadata: {name: " + name + ", uid: " + uid + "}\n" +
           (kind == "Node" ? "status: {phase: x}\n" : "spec: {nodeName: n}\n");
  };
  // Objects with different UIDs, or whole clusters with their nodes.
  CHECK(scopes_of({{"a/x/pods.yaml", stored("Node", "n", "1") + "---\n" + stored("Pod", "p", "2")},
                   {"b/x/pods.yaml", stored("Node", "m", "3") + "---\n" + stored("Pod", "p", "4")},
                   {"common.yaml", class_named("low")}}) ==
        std::vector<std::string>{"dump a: a/x/pods.yaml common.yaml", "dump b: b/x/pods.yaml common.yaml"});
  CHECK(scopes_of({{"a/pods.yaml", stored("Node", "n", "1")},
                   {"b/pods.yaml", stored("Node", "n", "1")},
                   {"c/pods.yaml", stored("Node", "m", "2")}}) ==
        std::vector<std::string>{"dump a: a/pods.yaml", "dump b: b/pods.yaml", "dump c: c/pods.yaml"});
  CHECK(scopes_of({{"1/a/pods.yaml", stored("Node", "n", "1")},
                   {"1/b/pods.yaml", stored("Node", "n", "1")},
                   {"2/a/pods.yaml", stored("Node", "n", "1")},
                   {"2/b/pods.yaml", stored("Node", "n", "1")}}) ==
        std::vector<std::string>{"dump 1/a: 1/a/pods.yaml", "dump 1/b: 1/b/pods.yaml", "dump 2/a: 2/a/pods.yaml",
                                 "dump 2/b: 2/b/pods.yaml"});
  // A must-gather holds one pod twice.
  CHECK(scopes_of({{"nodes/n.yaml", stored("Node", "n", "1")},
                   {"ns/core/pods.yaml", stored("Pod", "p", "2")},
                   {"ns/pods/p.yaml", stored("Pod", "p", "2")}}) ==
        std::vector<std::string>{"dump .: nodes/n.yaml ns/core/pods.yaml ns/pods/p.yaml"});
}

TEST_CASE("lint scopes: adjacent captures are separate clusters", "[lint][scopes]") {
  const auto stored = [](const std::string& kind, const std::string& name, const std::string& identity) {
    return "---\napiVersion: v1\nkind: " + kind + "\nmetadata: {name: " + name + ", " + identity + "}\n" +
           (kind == "Node" ? "status: {phase: x}\n" : "spec: {nodeName: n}\n");
  };
  const std::string node = stored("Node", "n", "uid: 1, resourceVersion: '5'");
  const std::string later = stored("Node", "n", "uid: 1, resourceVersion: '9'");
  const std::string pod = stored("Pod", "p", "uid: 2, resourceVersion: '6'");
  const std::string another = stored("Pod", "p", "uid: 3, resourceVersion: '8'");
  CHECK(scopes_of({{"d/after.yaml", later + another}, {"d/before.yaml", node + pod}}) ==
        std::vector<std::string>{"dump d/after.yaml: d/after.yaml", "dump d/before.yaml: d/before.yaml"});
  // The common objects, and adjacent manifests.
  CHECK(scopes_of({{"after.yaml", node + another}, {"before.yaml", node + pod}, {"low.yaml", class_named("low")}}) ==
        std::vector<std::string>{"dump after.yaml: after.yaml low.yaml", "dump before.yaml: before.yaml low.yaml"});
  // A capture that holds only pods may hold only some of them.
  CHECK(scopes_of({{"nodes.yaml", node}, {"pods-1.yaml", pod}, {"pods-2.yaml", another}}) ==
        std::vector<std::string>{"dump pods-1.yaml (partial): nodes.yaml pods-1.yaml",
                                 "dump pods-2.yaml (partial): nodes.yaml pods-2.yaml"});
  // One capture in two files, which share the kinds that both requested.
  CHECK(scopes_of({{"all.yaml", node + pod}, {"nodes.yaml", node}}) ==
        std::vector<std::string>{"dump .: all.yaml nodes.yaml"});
  // A dump that consists of several captures shares the adjacent files with them.
  CHECK(scopes_of({{"a/after.yaml", later + another},
                   {"a/before.yaml", node + pod},
                   {"a/low.yaml", class_named("low")},
                   {"b/all.yaml", node + pod},
                   {"high.yaml", class_named("high")}}) ==
        std::vector<std::string>{"dump a/after.yaml: a/after.yaml a/low.yaml high.yaml",
                                 "dump a/before.yaml: a/before.yaml a/low.yaml high.yaml",
                                 "dump b: b/all.yaml high.yaml"});
  // Manifests next to a capture may be variants of each other, and of the object that was created from one of them.
  const std::string web = deployment("web", "{app: a}");
  const std::string other = deployment("web", "{app: b}");
  CHECK(found({{"all.yaml", node + pod}, {"1.yaml", web}, {"2.yaml", other}}, "DU004").empty());
  CHECK(found({{"all.yaml", node + pod}, {"1.yaml", web + "---\n" + other}}, "DU004").size() == 1);
  // The budget of one capture is not compared with the pods of the other.
  const std::string budget_of_a = budget_for("b", "{app: a}");
  CHECK(found({{"after.yaml", later + another + "---\n" + budget_of_a}, {"before.yaml", node + pod}}, "PD008").size() ==
        1);
}

TEST_CASE("lint scopes: findings in Helm's output are reported in its template", "[lint][scopes]") {
  Tree tree;
  const std::string unrendered =
      "{{- if .Values.pdb }}\napiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: {{ .Release.Name }}}\n"
      "spec:\n  maxUnavailable: {{ .Values.max }}\n  selector: {matchLabels: {app: a}}\n{{- end }}\n";
  tree.read_text("web/templates/pdb.yaml", unrendered, false);
  CHECK(tree.templates().size() == 1);
  tree.read_rendered({Tree::Renderable::By::helm, "web"},
                     "---\n# Source: web-app/templates/pdb.yaml\napiVersion: policy/v1\nkind: PodDisruptionBudget\n"
                     "metadata: {name: release-name}\nspec:\n  maxUnavailable: 0\n"
                     "  selector: {matchLabels: {app: a}}\n"
                     "---\n# Source: web-app/charts/db/templates/pdb.yaml\napiVersion: policy/v1\n"
                     "kind: PodDisruptionBudget\nmetadata: {name: db}\nspec:\n  maxUnavailable: 0\n"
                     "  selector: {matchLabels: {app: b}}\n");
  CHECK(tree.templates().empty());  // nothing is omitted
  tree.finish();
  Settings settings;
  settings.only = {"PD002"};
  const Findings findings = lint::lint(tree, settings, {});
  REQUIRE(findings.items.size() == 2);
  // The template of the inner chart is in a package, where it cannot be changed.
  CHECK(described(findings.items[0].place) == "web/Chart.yaml!rendered:15:3");
  CHECK(described(findings.items[1].place) == "web/templates/pdb.yaml:6");  // by its key
  REQUIRE(findings.items[1].notes.size() >= 1);
  CHECK(findings.items[1].notes.back() == "as rendered: web/Chart.yaml!rendered:7:3");
  // Text about a template refers to nothing else.
  Tree other;
  other.read_text("secret.yaml", "kind: Secret\napiVersion: v1\nmetadata: {name: s}\n", false);
  other.read_rendered({Tree::Renderable::By::helm, "web"},
                      "---\n# Source: web/../secret.yaml\napiVersion: policy/v1\nkind: PodDisruptionBudget\n"
                      "metadata: {name: a}\nspec:\n  maxUnavailable: 0\n  selector: {matchLabels: {app: a}}\n");
  other.finish();
  REQUIRE(lint::lint(other, settings, {}).items.size() == 1);
  CHECK(lint::lint(other, settings, {}).items[0].place.file == "web/Chart.yaml!rendered");
}
