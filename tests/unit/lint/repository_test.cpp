#include "lint/repository.h"

#include "unit/lint/scopes.h"

// Facts about a scope that many rules use. Source: k8s.io/kubernetes plugin/pkg/admission/priority/admission.go: the
// lowest default class counts, a class of an unknown name is an error, a pod without a class has priority 0.

namespace previct::lint::together::repositories {
namespace {

using Names = std::vector<std::string>;

auto priority_class(const std::string& name, const std::string& more) -> std::string {
  return "---\napiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: " + name + "}\n" + more + "\n";
}
auto pod(const std::string& name, const std::string& spec, const std::string& meta = "", const std::string& more = "")
    -> std::string {
  return "---\napiVersion: v1\nkind: Pod\nmetadata: {name: " + name + meta + "}\nspec: {containers: [{name: c}]" +
         spec + "}\n" + more;
}

struct Read {
  explicit Read(const std::string& text) {
    read(tree, {{"x/a.yaml", text}});
    REQUIRE(tree.scopes().size() == 1);
    repository.emplace(tree, tree.scopes().front());
  }
  [[nodiscard]] auto shape(const std::string& name) const -> PodShape {
    for (const PodShape& each : repository->pods()) {
      if (each.manifest->name == name) return each;
    }
    FAIL("no pod " << name);
    return {};
  }
  [[nodiscard]] auto priority(const std::string& name) const -> std::optional<std::int64_t> {
    return repository->priority_of(shape(name));
  }

  Tree tree;
  std::optional<Repository> repository;
};

}  // namespace

TEST_CASE("lint repository: pods, and templates with containers at any depth", "[lint][repository]") {
  const Read found(
      pod("free", "") + pod("bound", ", nodeName: n1") +
      pod("ended", ", nodeName: n1", "", "status: {phase: Succeeded}\n") +
      pod("failed", ", nodeName: n1", "", "status: {phase: Failed}\n") +
      pod("owned", "", ", ownerReferences: [{kind: ReplicaSet, name: r}]") + "---\n" + deployment("web", "{a: b}") +
      "---\napiVersion: x/v1\nkind: Any\nmetadata: {name: deep}\nspec: {a: [{template: {spec: {containers: [{name: "
      "c}]}}}], template: {spec: {containers: 3}}, b: {template: text}}\n"
      "---\napiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: crd}\nspec: "
      "{template: {spec: {containers: [{name: c}]}}}\n"
      "---\napiVersion: x/v1\nkind: Pod\nmetadata: {name: other}\nspec: {containers: [{name: c}]}\n");
  Names lines;
  for (const PodShape& each : found.repository->pods()) {
    lines.push_back(each.manifest->name + (each.is_pod ? " pod" : "") + (each.owned ? " owned" : "") +
                    (each.bound ? " bound" : "") + (each.finished ? " finished" : "") +
                    (each.authored() ? " authored" : ""));
  }
  CHECK(lines == Names{"free pod authored", "bound pod bound authored", "ended pod finished", "failed pod finished",
                       "owned pod owned", "web authored", "deep authored"});
  CHECK(found.repository->has_running_pods());
  CHECK_FALSE(Read(pod("free", "")).repository->has_running_pods());
  CHECK_FALSE(Read(pod("ended", ", nodeName: n", "", "status: {phase: Failed}\n")).repository->has_running_pods());
  CHECK(found.shape("free").scheduler() == "default-scheduler");
  CHECK(Read(pod("p", ", schedulerName: other")).shape("p").scheduler() == "other");
}

TEST_CASE("lint repository: the highest class that preempts, and the lowest default class", "[lint][repository]") {
  const Read found(priority_class("b", "value: 20") + priority_class("a", "value: 20\nglobalDefault: true") +
                   priority_class("never", "value: 90\npreemptionPolicy: Never") +
                   priority_class("text", "value: '95'\nglobalDefault: true") +
                   priority_class("low", "value: -5\nglobalDefault: true") +
                   priority_class("large", "value: 2147483648") + priority_class("none", ""));
  const Repository& repository = *found.repository;
  REQUIRE(repository.class_above(19) != nullptr);
  CHECK(repository.class_above(19)->name == "a");  // of equal ones, the first by name
  CHECK(repository.class_above(20) == nullptr);    // the built-in ones do not count
  REQUIRE(repository.default_class() != nullptr);
  CHECK(repository.default_class()->name == "low");
  CHECK_FALSE(repository.find_class("text")->value);
  CHECK_FALSE(repository.find_class("large")->value);
  CHECK(repository.find_class("none")->value == 0);
  CHECK(repository.find_class("other") == nullptr);
  CHECK(repository.find_class("system-node-critical")->value == 2'000'001'000);
  CHECK(repository.find_class("system-cluster-critical")->value == 2'000'000'000);
  CHECK(repository.knows_classes());
  CHECK(repository.classes().size() == 9);
  const Read own(priority_class("system-node-critical", "value: 7"));
  CHECK(own.repository->find_class("system-node-critical")->value == 7);
  CHECK(own.repository->classes().size() == 2);
  CHECK_FALSE(Read(pod("p", "")).repository->knows_classes());
  CHECK(Read(pod("p", "")).repository->default_class() == nullptr);
}

TEST_CASE("lint repository: the priority of a pod is the one that admission sets", "[lint][repository]") {
  const std::string classes = priority_class("high", "value: 20") + priority_class("text", "value: x");
  const std::string by_default = priority_class("usual", "value: 3\nglobalDefault: true");
  const auto priority = [&](const std::string& spec, const std::string& meta = "", const std::string& more = "") {
    return Read(classes + more + pod("p", spec, meta)).priority("p");
  };
  CHECK(priority("") == 0);
  CHECK(priority("", "", by_default) == 3);
  CHECK(priority(", priorityClassName: high", "", by_default) == 20);
  CHECK_FALSE(priority(", priorityClassName: none"));
  CHECK_FALSE(priority(", priorityClassName: text"));
  // Of a manifest, spec.priority is not read; a pod of an API server has it.
  CHECK(priority(", priority: 9") == 0);
  CHECK(priority(", priority: 9, nodeName: n1") == 9);
  CHECK(priority(", priority: 9, priorityClassName: high", ", uid: u") == 9);
  CHECK(priority(", priorityClassName: high", ", uid: u") == 20);
  CHECK_FALSE(priority(", priority: x", ", uid: u"));
}

}  // namespace previct::lint::together::repositories
