#include "engine/kube/disruption.h"
#include "engine/kube/node_info_snapshot.h"
#include "support/cluster.h"

#include <catch2/catch.hpp>

using namespace previct;
using namespace previct::test;

TEST_CASE("kube budgets: cover a pod that a simulation adds like the pods of the input") {
  const auto cluster =
      a_cluster({a_node("n", "4"), a_pod("shop/web").on("n").labels("{app: web}").yaml(),
                 a_budget("other/web", "web", 0), a_budget("shop/db", "db", 0), a_budget("shop/web", "web", 1)});
  Snapshot& snapshot = *cluster->snapshot;
  kube::NodeInfoSnapshot node_infos(snapshot);
  kube::Budgets budgets(node_infos);
  const auto budgets_of = [&](PodId pod) {
    std::vector<std::string_view> names;
    for (const std::uint32_t i : budgets.of(pod))
      names.push_back(snapshot.text(cluster->objects.disruption_budgets[i].meta.name));
    return names;
  };
  const auto added_like_web = [&](const char* ns, bool labelled) {
    Pod pod = cluster->objects.pods[PodId{0}];
    pod.meta.ns = cluster->objects.symbols.intern(ns);
    pod.meta.name = cluster->objects.symbols.intern("new");
    if (!labelled) pod.meta.labels = {};
    const PodId id = cluster->objects.pods.add(std::move(pod));
    snapshot.pod_was_added();
    node_infos.pod_was_added();
    budgets.pod_was_added(node_infos);
    return budgets_of(id);
  };
  using Names = std::vector<std::string_view>;
  CHECK(budgets_of(PodId{0}) == Names{"web"});
  CHECK(added_like_web("shop", true) == Names{"web"});
  CHECK(added_like_web("else", true).empty());
  CHECK(added_like_web("shop", false).empty());
}
