#include "lint/node.h"
#include "lint/placeholder.h"
#include "lint/replacements.h"
#include "unit/lint/scopes.h"

using namespace previct;
using namespace previct::lint;
using namespace previct::lint::together;

TEST_CASE("kustomize writes annotations of objects as strings", "[lint][scopes]") {
  const std::string low =
      "apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: low, annotations: {a: 1}}\nvalue: 1\n";
  CHECK(found({{"a/low.yaml", low}}, "PO011").size() == 1);
  CHECK(found({{"a/low.yaml", low}, {"a/kustomization.yaml", "resources: [low.yaml]\n"}}, "PO011").empty());
  // Labels, and pod templates, stay as they are.
  std::string labelled = low;
  labelled.replace(labelled.find("annotations"), 11, "labels");
  CHECK(found({{"a/low.yaml", labelled}, {"a/kustomization.yaml", "resources: [low.yaml]\n"}}, "PO011").size() == 1);
  std::string web = deployment("web", "{x: y}");
  web.replace(web.find("labels: {x: y}"), 14, "annotations: {x: 1}");
  CHECK(found({{"a/low.yaml", web}, {"a/kustomization.yaml", "resources: [low.yaml]\n"}}, "PO011").size() == 1);
  // Flux makes a kustomization of a folder; Argo CD applies it.
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

TEST_CASE("what replacements write is not known", "[lint][scopes]") {
  const std::string objects = budget("web", "{x: y}") + "---\n" +
                              deployment("web", "{x: y}", "      priorityClassName: replaced\n") + "---\n" +
                              priority_class("high");
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

TEST_CASE("field paths of replacements", "[lint][scopes]") {
  // Of the elements of a list and the annotation, which are replaced: `abc`, `-` in place of each that is.
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

TEST_CASE("a patch that the kustomization beside it does not list is no object", "[lint][scopes]") {
  const Texts texts = {{"a/kustomization.yaml", "resources: [class.yaml]\n"},
                       {"a/class.yaml", priority_class("low")},
                       {"a/dispatcher.yaml", budget("b", "{x: y}")},
                       {"a/pdb.patch.yaml", budget("a", "{x: y}")},
                       {"b/patch.yaml", budget("c", "{x: y}")}};
  CHECK(scopes_of(texts) == std::vector<std::string>{"kustomization a: a/class.yaml", "folder a: a/dispatcher.yaml",
                                                     "folder b: b/patch.yaml"});
}

TEST_CASE("dumps beside each other are clusters apart", "[lint][scopes]") {
  const auto stored = [](const std::string& kind, const std::string& name, const std::string& uid) {
    return "apiVersion: v1\nkind: " + kind + "\nmetadata: {name: " + name + ", uid: " + uid + "}\n" +
           (kind == "Node" ? "status: {phase: x}\n" : "spec: {nodeName: n}\n");
  };
  // An object that has another UID, or whole clusters with their nodes.
  CHECK(scopes_of({{"a/x/pods.yaml", stored("Node", "n", "1") + "---\n" + stored("Pod", "p", "2")},
                   {"b/x/pods.yaml", stored("Node", "m", "3") + "---\n" + stored("Pod", "p", "4")},
                   {"common.yaml", priority_class("low")}}) ==
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
