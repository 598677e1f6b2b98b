// What an input of a real cluster leaves open that lacks pods, worked out by hand: more pods only take room away.
#include "engine/engine.h"
#include "support/cluster.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <algorithm>

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

TEST_CASE("pods that could not be read, or are on no node, leave open what fits", "[kube][partial]") {
  // One pod of 2 CPUs runs on n1, which has 4: 2 more fit, if nothing else runs there.
  const auto asked = [](const std::string& cpu, LeftOut InputSummary::*which) {
    const auto cluster =
        a_cluster({a_node("n1", "4"), a_pod("x/r").on("n1").cpu("2").yaml(), a_pod("x/new").cpu(cpu).yaml()});
    if (which != nullptr) cluster->objects.*which = {.count = 1, .first = {}};
    return ask_kube(*cluster, "x/new");
  };
  CHECK(asked("2", nullptr).outcome == Outcome::fits);
  const Answer broken = asked("2", &InputSummary::broken_pods);
  CHECK(broken.outcome == Outcome::unknown);
  CHECK(broken.sentence.starts_with("cannot tell, because a file with pods could not be read"));
  const Answer unplaced = asked("2", &InputSummary::unplaced_pods);
  CHECK(unplaced.outcome == Outcome::unknown);
  CHECK(unplaced.sentence.starts_with("cannot tell, because 1 running pod has no spec.nodeName"));
  // A file without pods takes no room; and what has no room gets none from more pods.
  CHECK(asked("2", &InputSummary::broken_files).outcome == Outcome::fits);
  CHECK(asked("3", &InputSummary::broken_pods).outcome == Outcome::pending);
}

TEST_CASE("without nodes nothing is said of the pods that may run on them", "[kube][partial]") {
  const auto assumes_all = [](const std::vector<std::string>& documents) {
    const Answer answer = ask_kube(*a_cluster(documents), "x/new");
    return std::any_of(answer.gaps.begin(), answer.gaps.end(),
                       [](const Gap& gap) { return gap.rule == GapRule::one_namespace; });
  };
  CHECK_FALSE(assumes_all({a_pod("x/new").yaml()}));
  CHECK(assumes_all({a_node("n1", "4"), a_pod("x/r").on("n1").yaml(), a_pod("x/new").yaml()}));
}
