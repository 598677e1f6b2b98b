// What a namespaceSelector means if the input lacks Namespaces. Source: plugins/interpodaffinity of kube-scheduler
// 1.35: a term with a namespaceSelector applies to the pods of the namespaces with such labels.
#include "support/cluster.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

namespace previct::test {
namespace {

auto node_in_zone(const std::string& name) -> std::string {
  return "apiVersion: v1\nkind: Node\nmetadata: {name: " + name + ", labels: {zone: " + name +
         "}}\nstatus: {allocatable: {cpu: 4, memory: 16Gi, pods: 110}}\n";
}

auto a_namespace(const std::string& name, const std::string& labels) -> std::string {
  return "apiVersion: v1\nkind: Namespace\nmetadata: {name: " + name + ", labels: " + labels + "}\n";
}

// A term that selects pods with app=a; `kind` is podAffinity or podAntiAffinity.
auto term(const std::string& kind, const std::string& selector) -> std::string {
  return "affinity: {" + kind +
         ": {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: zone, labelSelector: {matchLabels: {app: "
         "a}}, namespaceSelector: " +
         selector + "}]}}";
}

const std::string kTeam = "{matchLabels: {team: x}}";

// Returns the outcome of the pod ns/new, with one node that has a pod with app=a in namespace other.
auto outcome(const std::string& of_new, const std::string& of_old, std::vector<std::string> more = {}) -> Outcome {
  more.push_back(node_in_zone("a"));
  more.push_back(a_pod("other/old").on("a").labels("{app: a}").spec(of_old).yaml());
  more.push_back(a_pod("ns/new").labels("{app: a}").spec(of_new).yaml());
  return ask_kube(*a_cluster(more), "ns/new").outcome;
}

TEST_CASE("namespaceSelector: without Namespaces, the labels that it requires are not known", "[kube]") {
  CHECK(outcome(term("podAntiAffinity", kTeam), "hostNetwork: false") == Outcome::unknown);
  CHECK(outcome(term("podAffinity", kTeam), "hostNetwork: false") == Outcome::unknown);
  CHECK(outcome("hostNetwork: false", term("podAntiAffinity", kTeam)) == Outcome::unknown);
  // A selector of every namespace; and a term that matches no pod.
  CHECK(outcome(term("podAntiAffinity", "{}"), "hostNetwork: false") == Outcome::pending);
  const auto no_match = a_cluster({node_in_zone("a"), a_pod("other/old").on("a").labels("{app: b}").yaml(),
                                   a_pod("ns/new").labels("{app: b}").spec(term("podAntiAffinity", kTeam)).yaml()});
  CHECK(ask_kube(*no_match, "ns/new").outcome == Outcome::fits);
}

TEST_CASE("namespaceSelector: labels of namespaces do not matter if the node refuses the pod anyway", "[kube]") {
  const auto full = a_cluster({node_in_zone("a"), a_pod("other/old").on("a").cpu("4").labels("{app: a}").yaml(),
                               a_pod("ns/new").labels("{app: a}").spec(term("podAntiAffinity", kTeam)).yaml()});
  CHECK(ask_kube(*full, "ns/new").outcome == Outcome::pending);
}

TEST_CASE("namespaceSelector: with Namespaces, their labels decide", "[kube]") {
  const auto named = [](const std::string& labels) {
    return std::vector<std::string>{a_namespace("ns", "{}"), a_namespace("other", labels)};
  };
  CHECK(outcome(term("podAntiAffinity", kTeam), "hostNetwork: false", named("{team: x}")) == Outcome::pending);
  CHECK(outcome(term("podAntiAffinity", kTeam), "hostNetwork: false", named("{team: z}")) == Outcome::fits);
}

// A pod exists only in a namespace that exists: the Namespaces of the input are not all.
TEST_CASE("namespaceSelector: if only the Namespace of a pod is missing, its labels are not known", "[kube]") {
  const std::vector<std::string> others = {a_namespace("ns", "{team: z}"), a_namespace("third", "{team: x}")};
  CHECK(outcome(term("podAntiAffinity", kTeam), "hostNetwork: false", others) == Outcome::unknown);
  CHECK(outcome("hostNetwork: false", term("podAntiAffinity", kTeam), others) == Outcome::fits);
  const std::string name = "{matchLabels: {kubernetes.io/metadata.name: other}}";
  CHECK(outcome(term("podAntiAffinity", name), "hostNetwork: false", others) == Outcome::unknown);
}

// Source: pkg/apis/core/v1/defaults.go SetDefaults_Namespace: kubernetes.io/metadata.name is the name of the namespace.
TEST_CASE("namespaceSelector: the label with the namespace's name is known without Namespaces", "[kube]") {
  const auto name = [](const std::string& of) { return "{matchLabels: {kubernetes.io/metadata.name: " + of + "}}"; };
  CHECK(outcome(term("podAntiAffinity", name("other")), "hostNetwork: false") == Outcome::pending);
  CHECK(outcome(term("podAntiAffinity", name("elsewhere")), "hostNetwork: false") == Outcome::fits);
  CHECK(outcome("hostNetwork: false", term("podAntiAffinity", name("ns"))) == Outcome::pending);
  CHECK(outcome("hostNetwork: false", term("podAntiAffinity", name("elsewhere"))) == Outcome::fits);
  // The namespace does not match, whatever its other labels are.
  const std::string both = "{matchLabels: {kubernetes.io/metadata.name: elsewhere, team: x}}";
  CHECK(outcome(term("podAntiAffinity", both), "hostNetwork: false") == Outcome::fits);
  CHECK(outcome(term("podAntiAffinity", name("other")), "hostNetwork: false", {a_namespace("other", "{}")}) ==
        Outcome::pending);
}

}  // namespace
}  // namespace previct::test
