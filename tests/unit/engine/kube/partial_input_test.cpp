// What an input of a real cluster leaves open that lacks pods, worked out by hand: more pods only take room away.
#include "engine/engine.h"
#include "support/cluster.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

using namespace previct;
using namespace previct::test;

namespace {

// As a kubelet reports it, with 4 CPUs.
auto machine(const std::string& images = "[]") -> std::string {
  return fmt::format(
      "apiVersion: v1\nkind: Node\nmetadata: {{name: n1, uid: u-n1}}\nstatus:\n  allocatable: {{cpu: \"4\", memory: "
      "16Gi, pods: \"110\"}}\n  nodeInfo: {{kubeletVersion: v1.35.4, bootID: b-1}}\n  images: {}\n",
      images);
}
auto a_namespace(const std::string& name) -> std::string {
  return fmt::format("apiVersion: v1\nkind: Namespace\nmetadata: {{name: {}}}\n", name);
}
const std::string kNew = a_pod("default/new").cpu("2").yaml();

}  // namespace

TEST_CASE("a machine without running pods is not taken for an empty one", "[kube][partial]") {
  CHECK(ask_kube(*a_cluster({machine(), kNew}), "default/new").outcome == Outcome::unknown);
  // Too big for the node, whatever runs there.
  CHECK(ask_kube(*a_cluster({machine(), a_pod("default/new").cpu("5").yaml()}), "default/new").outcome ==
        Outcome::pending);
  // Made by hand: it may be all there is.
  CHECK(ask_kube(*a_cluster({a_node("n1", "4"), kNew}), "default/new").outcome == Outcome::fits);
}

TEST_CASE("pods of one namespace are not taken for all of a cluster", "[kube][partial]") {
  const auto outcome = [](const std::string& node, const std::string& ns, const std::string& other) {
    std::vector<std::string> documents = {node, a_pod(ns + "/r").on("n1").yaml(), a_pod(ns + "/new").cpu("2").yaml()};
    if (!other.empty()) documents.push_back(a_namespace(other));
    return ask_kube(*a_cluster(documents), ns + "/new").outcome;
  };
  CHECK(outcome(machine(), "default", "") == Outcome::unknown);
  // kubectl get without -A gives all Namespaces: they tell that no others run only where nothing ever ran.
  const std::string images = "[{names: [registry.k8s.io/pause], sizeBytes: 1}]";
  CHECK(outcome(machine(images), "default", "kube-system") == Outcome::unknown);
  CHECK(outcome(machine(), "default", "kube-system") == Outcome::fits);
  CHECK(outcome(machine(images), "kube-system", "") == Outcome::fits);
}

TEST_CASE("allocatable without pods was trimmed, where a kubelet reported it", "[kube][partial]") {
  const auto node = [](const std::string& info) {
    return fmt::format(
        "apiVersion: v1\nkind: Node\nmetadata: {{name: n1}}\nstatus: {{allocatable: {{cpu: \"4\", memory: 16Gi}}, "
        "nodeInfo: {{{}}}}}\n",
        info);
  };
  const std::string running = a_pod("kube-system/r").on("n1").yaml();
  CHECK(ask_kube(*a_cluster({node("bootID: b-1"), running, kNew}), "default/new").outcome == Outcome::unknown);
  CHECK(ask_kube(*a_cluster({node("bootID: \"\""), running, kNew}), "default/new").outcome == Outcome::pending);
}

TEST_CASE("a manifest of a class that is not in the input has a priority that nobody knows", "[kube][partial]") {
  const std::string manifest =
      "apiVersion: v1\nkind: Pod\nmetadata: {name: new, namespace: default}\nspec: {priorityClassName: nope, "
      "containers: [{name: c, resources: {requests: {cpu: \"4\"}}}]}\n";
  const auto asked = [&](const std::string& node) {
    return ask_kube(*a_cluster({node, a_pod("kube-system/r").on("n1").yaml(), manifest}), "default/new").outcome;
  };
  CHECK(asked(machine()) == Outcome::unknown);
  CHECK(asked(a_node("n1", "4")) == Outcome::pending);  // upstream counts it as 0
}
