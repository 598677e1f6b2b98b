#include "engine/access.h"

#include "support/cluster.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

namespace previct {
namespace {

using Lines = std::vector<std::string>;

auto role(const std::string& name, const std::string& rules, const std::string& more = "") -> std::string {
  return R"({"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRole", "metadata": {"name": ")" + name +
         R"("}, "rules": [)" + rules + "]" + more + "}\n";
}
auto rule(const std::string& group, const std::string& resource, const std::string& verbs,
          const std::string& names = "") -> std::string {
  return R"({"apiGroups": [")" + group + R"("], "resources": [")" + resource + R"("], "verbs": [)" + verbs +
         R"(], "resourceNames": [)" + names + "]}";
}
auto binding(const std::string& name, const std::string& role, const std::string& kind, const std::string& subject)
    -> std::string {
  return R"({"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRoleBinding", "metadata": {"name": ")" +
         name + R"("}, "roleRef": {"kind": "ClusterRole", "name": ")" + role + R"("}, "subjects": [{"kind": ")" + kind +
         R"(", "name": ")" + subject + R"("}]})" + "\n";
}

// `alice: update patch of leaf1`
auto rights(const Lines& documents) -> Lines {
  const auto cluster = test::a_cluster(documents);
  Lines lines;
  for (const Right& right : access_to(kinds::kai_queues, *cluster->snapshot).rights) {
    std::string line = std::string(cluster->snapshot->text(right.subject->name)) + ":";
    for (const std::string_view verb : right.verbs) line += fmt::format(" {}", verb);
    for (const Symbol name : right.names) line += fmt::format(" of {}", cluster->snapshot->text(name));
    lines.push_back(std::move(line));
  }
  return lines;
}

constexpr auto kQueues = "scheduling.run.ai";

}  // namespace

TEST_CASE("a ClusterRoleBinding grants what its role's rules say of the kind", "[rbac]") {
  const std::string bound = binding("b", "r", "User", "alice");
  CHECK(rights({role("r", rule(kQueues, "queues", R"("get", "patch", "update")", R"("leaf1")")), bound}) ==
        Lines{"alice: update patch of leaf1"});
  CHECK(rights({role("r", rule("*", "*", R"("*")")), bound}) == Lines{"alice: create update patch delete"});
  // Reading, another group, another resource and a part of the object change nothing.
  CHECK(rights({role("r", rule(kQueues, "queues", R"("get", "list", "watch")")), bound}).empty());
  CHECK(rights({role("r", rule("", "queues", R"("*")")), bound}).empty());
  CHECK(rights({role("r", rule(kQueues, "podgroups", R"("*")")), bound}).empty());
  CHECK(rights({role("r", rule(kQueues, "queues/status", R"("*")")), bound}).empty());
}

TEST_CASE("a rule with names does not grant to create", "[rbac]") {
  const std::string bound = binding("b", "r", "Group", "ml");
  CHECK(rights({role("r", rule(kQueues, "queues", R"("*")", R"("leaf1")")), bound}) ==
        Lines{"ml: update patch delete of leaf1"});
  CHECK(rights({role("r", rule(kQueues, "queues", R"("create")", R"("leaf1")")), bound}).empty());
}

TEST_CASE("an aggregated role has the rules of those that it selects, and of those that these select", "[rbac]") {
  const auto labelled = [](const std::string& name, const std::string& rules, const std::string& aggregates) {
    return R"({"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRole", "metadata": {"name": ")" + name +
           R"(", "labels": {"part": ")" + name + R"("}}, "rules": [)" + rules +
           R"(], "aggregationRule": {"clusterRoleSelectors": [{"matchLabels": {"part": ")" + aggregates + R"("}}]}})" +
           "\n";
  };
  // one selects two, which selects one again.
  CHECK(rights({labelled("one", "", "two"), labelled("two", rule(kQueues, "queues", R"("update")"), "one"),
                binding("b", "one", "User", "alice")}) == Lines{"alice: update"});
}

TEST_CASE("what a binding of a missing role grants is not known, and a RoleBinding grants nothing", "[rbac]") {
  const std::string kind = R"({"apiVersion": "rbac.authorization.k8s.io/v1", "kind": )";
  const auto cluster = test::a_cluster(
      {binding("lost", "none", "User", "alice"),
       kind + R"("Role", "metadata": {"name": "r", "namespace": "ml"}, "rules": [)" +
           rule(kQueues, "queues", R"("update")") + "]}\n",
       kind + R"("RoleBinding", "metadata": {"name": "in-vain", "namespace": "ml"}, "roleRef": {"kind": "Role", )" +
           R"("name": "r"}, "subjects": [{"kind": "User", "name": "bob"}]})"});
  const Access access = access_to(kinds::kai_queues, *cluster->snapshot);
  CHECK(access.rights.empty());
  REQUIRE(access.unknown.size() == 1);
  CHECK(cluster->snapshot->text(access.unknown.front()->meta.name) == "lost");
  REQUIRE(access.in_vain.size() == 1);
  CHECK(cluster->snapshot->text(access.in_vain.front()->meta.name) == "in-vain");
}

}  // namespace previct
