#include "base/contains.h"
#include "cluster/matching.h"
#include "engine/kube/spread_selectors.h"
#include "support/cluster.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

using namespace previct;
using namespace previct::test;

// Source: kubernetes pkg/scheduler/framework/plugins/helper/spread.go DefaultSelector, v1.35.4: Services, and the
// controller of the pod if it is a ReplicationController, ReplicaSet or StatefulSet of the usual API group.
TEST_CASE("default topology spread: the pod's controller decides which lists the input must have") {
  const auto lacking = [](const std::string& owner, const std::vector<std::string>& lists) {
    std::vector<std::string> documents;
    for (const std::string& kind : lists) {
      documents.push_back(
          fmt::format("apiVersion: {}\nkind: {}List\nitems: []\n", kind.ends_with("Set") ? "apps/v1" : "v1", kind));
    }
    documents.push_back(
        "apiVersion: v1\nkind: Pod\nmetadata: {name: p, namespace: ns, uid: p" +
        (owner.empty() ? "" : ", ownerReferences: [{controller: true, name: o, uid: o, " + owner + "}]") +
        "}\nspec: {containers: [{name: c}]}\n");
    const auto cluster = a_cluster(documents);
    return std::string(kube::lacking_for_default_spread(*cluster->snapshot, cluster->objects.pods[PodId{0}]));
  };
  const std::vector<std::string> services = {"Service"};
  const std::string replica_set = "apiVersion: apps/v1, kind: ReplicaSet";
  CHECK(lacking(replica_set, {}) == "Service");
  CHECK(lacking(replica_set, services) == "ReplicaSet");
  CHECK(lacking(replica_set, {"Service", "ReplicaSet"}).empty());
  CHECK(lacking(replica_set, {"Service", "StatefulSet"}) == "ReplicaSet");
  CHECK(lacking("apiVersion: apps/v1, kind: StatefulSet", services) == "StatefulSet");
  CHECK(lacking("apiVersion: v1, kind: ReplicationController", services) == "ReplicationController");
  CHECK(lacking("apiVersion: v1, kind: ReplicaSet", services).empty());
  CHECK(lacking("apiVersion: batch/v1, kind: Job", services).empty());
  CHECK(lacking("", services).empty());
}

TEST_CASE("default topology spread: the selectors of the pod's Services and of its controller are combined") {
  // The owner has the selector `by: o`. Labels of the pod: `app: a, by: o`.
  const auto selected_by = [](const std::string& api_version, const std::string& kind, const std::string& more = "") {
    const std::string own = "{by: o}";
    const bool plain = kind == "ReplicationController";
    const auto cluster = a_cluster(
        {fmt::format("apiVersion: {}\nkind: {}\nmetadata: {{namespace: ns, name: o, uid: o}}\nspec: {{selector: {}}}\n",
                     plain ? "v1" : "apps/v1", kind, plain ? own : fmt::format("{{matchLabels: {}}}", own)),
         more,
         fmt::format(
             "apiVersion: v1\nkind: Pod\nmetadata: {{name: p, namespace: ns, uid: p, labels: {{app: a, by: o}}, "
             "ownerReferences: [{{controller: true, name: o, uid: o, apiVersion: {}, kind: {}}}]}}\nspec: "
             "{{containers: [{{name: c}}]}}\n",
             api_version, kind)});
    const LabelSelector selector = kube::selector_by_default(*cluster->snapshot, cluster->objects.pods[PodId{0}]);
    const auto selects = [&](const std::vector<std::string>& keys) {
      SymbolMap labels;
      if (contains(keys, "app"))
        labels.set(cluster->objects.symbols.intern("app"), cluster->objects.symbols.intern("a"));
      if (contains(keys, "by")) labels.set(cluster->objects.symbols.intern("by"), cluster->objects.symbols.intern("o"));
      return matches(selector, labels, cluster->objects.symbols);
    };
    CHECK(selects({"app", "by"}));
    // The labels without which no pod is selected.
    std::string text;
    if (!selects({"by"})) text += "app ";
    if (!selects({"app"})) text += "by ";
    return text;
  };
  CHECK(selected_by("v1", "ReplicationController") == "by ");
  CHECK(selected_by("apps/v1", "ReplicaSet") == "by ");
  CHECK(selected_by("apps/v1", "StatefulSet") == "by ");
  // Of another group, it is another kind.
  CHECK(selected_by("example.com/v1", "ReplicationController").empty());
  CHECK(selected_by("v1", "ReplicaSet").empty());
  CHECK(selected_by("apps/v1", "Deployment").empty());
  const auto service = [](const std::string& ns, const std::string& selector) {
    return fmt::format("apiVersion: v1\nkind: Service\nmetadata: {{namespace: {}, name: s}}\nspec: {{selector: {}}}\n",
                       ns, selector);
  };
  CHECK(selected_by("v1", "ReplicationController", service("ns", "{app: a}")) == "app by ");
  CHECK(selected_by("apps/v1", "Deployment", service("ns", "{app: a}")) == "app ");
  CHECK(selected_by("apps/v1", "Deployment", service("ns", "{app: b}")).empty());
  CHECK(selected_by("apps/v1", "Deployment", service("other", "{app: a}")).empty());
  CHECK(selected_by("apps/v1", "Deployment", service("ns", "{}")).empty());
}
