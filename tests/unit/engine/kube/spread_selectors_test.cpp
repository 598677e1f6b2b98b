// The selector of the default constraints, from what selects the pod.
#include "engine/kube/spread_selectors.h"

#include "unit/engine/kube/ask.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <set>

using namespace previct;
using namespace previct::test;

namespace {

auto service(const std::string& name, const std::string& selector, const std::string& ns = "ns") -> std::string {
  return fmt::format("apiVersion: v1\nkind: Service\nmetadata: {{namespace: {}, name: {}}}\nspec: {{{}}}\n", ns, name,
                     selector.empty() ? "" : "selector: " + selector);
}

auto owner(const std::string& version, const std::string& kind, const std::string& selector,
           const std::string& ns = "ns") -> std::string {
  return fmt::format("apiVersion: {}\nkind: {}\nmetadata: {{namespace: {}, name: web}}\nspec: {{selector: {}}}\n",
                     version, kind, ns, selector);
}

// The labels and requirements of the selector, in words.
auto selected_by(const std::vector<std::string>& documents, const std::string& owned_by = "") -> std::set<std::string> {
  std::vector<std::string> all = documents;
  all.push_back(fmt::format(
      "apiVersion: v1\nkind: Pod\nmetadata: {{namespace: ns, name: new, labels: {{app: a, tier: b}}{}}}\nspec: "
      "{{containers: [{{name: c}}]}}\nstatus: {{phase: Pending}}\n",
      owned_by.empty() ? "" : fmt::format(", ownerReferences: [{{{}, name: web, controller: true}}]", owned_by)));
  const auto cluster = a_cluster(all);
  const Snapshot& snapshot = *cluster->snapshot;
  const LabelSelector selector = kube::selector_by_default(snapshot, snapshot.pod(snapshot.find_pod("ns", "new")));
  std::set<std::string> words;
  for (const auto& [key, value] : selector.match_labels)
    words.insert(fmt::format("{}={}", snapshot.text(key), snapshot.text(value)));
  for (const Requirement& each : selector.match_expressions)
    words.insert(each.op == SelectorOperator::in
                     ? fmt::format("{} in {}", snapshot.text(each.key), snapshot.text(each.values.at(0)))
                     : fmt::format("{} {}", snapshot.text(each.key), snapshot.text(each.operator_text)));
  return words;
}

using Words = std::set<std::string>;

const std::string kSet = "apiVersion: apps/v1, kind: ";

}  // namespace

// Source: plugins/helper/spread.go DefaultSelector, GetPodServices; v1.35.
TEST_CASE("default spread: Services and the controller of the pod select", "[kube][scores]") {
  CHECK(selected_by({}).empty());
  CHECK(selected_by({service("s", "{app: a}")}) == Words{"app=a"});
  CHECK(selected_by({service("s", "{app: a}"), service("t", "{tier: b}")}) == Words{"app=a", "tier=b"});
  CHECK(selected_by({service("s", "{app: a}", "other"), service("t", "{app: b}"), service("u", "")}).empty());

  const std::vector<std::string> owners = {
      owner("v1", "ReplicationController", "{of: controller}"),
      owner("apps/v1", "ReplicaSet", "{matchLabels: {of: replicas}, matchExpressions: [{key: x, operator: Exists}]}"),
      owner("apps/v1", "StatefulSet", "{matchLabels: {of: ordinals}}"),
      owner("apps/v1", "ReplicaSet", "{matchLabels: {of: others}}", "other")};
  CHECK(selected_by(owners).empty());
  CHECK(selected_by(owners, "apiVersion: v1, kind: ReplicationController") == Words{"of=controller"});
  CHECK(selected_by(owners, kSet + "ReplicaSet") == Words{"of in replicas", "x Exists"});
  CHECK(selected_by(owners, kSet + "StatefulSet") == Words{"of in ordinals"});
  CHECK(selected_by(owners, kSet + "DaemonSet").empty());
  CHECK(selected_by(owners, "apiVersion: example.com/v1, kind: ReplicaSet").empty());
  CHECK(selected_by({owners[3]}, kSet + "ReplicaSet").empty());
  std::vector<std::string> both = owners;
  both.push_back(service("s", "{app: a}"));
  CHECK(selected_by(both, kSet + "StatefulSet") == Words{"app=a", "of in ordinals"});
}
