#include "engine/kube/pods_by_label.h"

#include "engine/kube/topology_domains.h"
#include "support/cluster.h"

#include <catch2/catch.hpp>

using namespace previct;
using namespace previct::test;

namespace {

// Returns the names of these pods.
auto names(const TestCluster& cluster, std::span<const PodId> pods) -> std::vector<std::string> {
  std::vector<std::string> out;
  for (const PodId pod : pods) out.emplace_back(cluster.snapshot->text(cluster.snapshot->pod(pod).meta.name));
  return out;
}
using Names = std::vector<std::string>;

auto labelled_node(const std::string& name, const std::string& labels) -> std::string {
  return "apiVersion: v1\nkind: Node\nmetadata: {name: " + name + ", labels: " + labels + "}\n";
}

}  // namespace

TEST_CASE("pods by label: a selector is compared with the pods that have its rarest label", "[kube]") {
  const auto cluster =
      a_cluster({a_pod("shop/a").labels("{app: web, tier: front}").yaml(), a_pod("shop/b").labels("{app: web}").yaml(),
                 a_pod("shop/c").labels("{app: db, tier: front}").yaml(), a_pod("shop/d").yaml(),
                 a_pod("ops/a").labels("{app: web, tier: front}").yaml()});
  const auto symbol = [&](const char* text) { return cluster->objects.symbols.intern(text); };
  const Symbol shop = symbol("shop");
  kube::PodsByLabel lists(*cluster->snapshot);
  CHECK(names(*cluster, lists.in(shop)) == Names{"a", "b", "c", "d"});
  CHECK(lists.in(symbol("none")).empty());
  CHECK(names(*cluster, lists.with(shop, {symbol("app"), symbol("web")})) == Names{"a", "b"});
  CHECK(lists.with(shop, {symbol("app"), symbol("none")}).empty());
  CHECK(lists.with(shop, {symbol("none"), symbol("web")}).empty());

  LabelSelector selector;
  CHECK(lists.near(shop, selector).size() == 4);
  selector.match_labels.set(symbol("tier"), symbol("front"));
  CHECK(names(*cluster, lists.near(shop, selector)) == Names{"a", "c"});
  selector.match_labels.set(symbol("app"), symbol("db"));
  CHECK(names(*cluster, lists.near(shop, selector)) == Names{"c"});
  CHECK(lists.near(symbol("ops"), selector).empty());

  // A pod that a simulation adds is found in the lists that exist already, and in those that are made later.
  Pod added = cluster->objects.pods[PodId{2}];
  added.meta.labels.set(symbol("rank"), symbol("1"));
  const PodId id = cluster->objects.pods.add(added);
  lists.add(id);
  CHECK(names(*cluster, lists.near(shop, selector)) == Names{"c", "c"});
  CHECK(lists.in(shop).size() == 5);
  CHECK(lists.with(shop, {symbol("rank"), symbol("1")}).size() == 1);
  CHECK(lists.with(shop, {symbol("app"), symbol("web")}).size() == 2);
}

TEST_CASE("topology domains: nodes by the value of a label; those without it in no domain, or in one", "[kube]") {
  const auto cluster =
      a_cluster({labelled_node("a", "{zone: zx}"), labelled_node("b", "{zone: zy}"), labelled_node("c", "{zone: zx}"),
                 labelled_node("d", "{zone: ''}"), labelled_node("e", "{}")});
  kube::TopologyKeys keys(*cluster->snapshot);
  const Symbol zone = cluster->objects.symbols.intern("zone");
  const kube::TopologyDomains& strict = keys.domains(zone);
  CHECK(strict.count == 3);  // zx, zy and the empty one
  CHECK(strict.of.items() == std::vector<std::uint32_t>{0, 1, 0, 2, kube::TopologyDomains::kNone});
  CHECK(strict.has(NodeId{3}));
  CHECK_FALSE(strict.has(NodeId{4}));
  const kube::TopologyDomains& all = keys.domains_of_all(zone);
  CHECK(all.count == 3);
  CHECK(all.of.items() == std::vector<std::uint32_t>{0, 1, 0, 2, 2});
  CHECK(keys.domains(cluster->objects.symbols.intern("none")).count == 0);
}
