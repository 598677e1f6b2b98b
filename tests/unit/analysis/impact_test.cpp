#include "analysis/impact.h"

#include "support/cluster.h"

#include <catch2/catch.hpp>

namespace previct::test {
namespace {

// Returns a pod of ns with 2 CPUs, created by a controller.
auto made_by(const std::string& name, const std::string& kind, const std::string& owner, const std::string& hash = "")
    -> std::string {
  std::string yaml = a_pod("ns/" + name).on("n").cpu("2").started("2026-03-02T10:00:00Z").yaml();
  const std::string metadata = "metadata:";
  std::string more =
      "\n  ownerReferences: [{apiVersion: v1, kind: " + kind + ", name: " + owner + ", uid: u, controller: true}]";
  if (!hash.empty()) more += "\n  labels: {pod-template-hash: " + hash + "}";
  return yaml.insert(yaml.find(metadata) + metadata.size(), more);
}

}  // namespace

TEST_CASE("impact: evictions are counted by workload, with the cost of their runs", "[impact]") {
  std::vector<std::string> documents{a_node("n", "8")};
  for (const char* pod : {"web-5d9c-a", "web-5d9c-b", "web-5d9c-c"})
    documents.push_back(made_by(pod, "ReplicaSet", "web-5d9c", "5d9c"));
  documents.push_back(made_by("odd-x", "ReplicaSet", "odd-7f", "5d9c"));  // its name does not contain its hash
  const auto cluster = a_cluster(documents);
  const Snapshot& snapshot = *cluster->snapshot;
  Verdict verdict;
  verdict.victims = {{.pod = snapshot.find_pod("ns", "odd-x")},
                     {.pod = snapshot.find_pod("ns", "web-5d9c-a")},
                     {.pod = snapshot.find_pod("ns", "web-5d9c-b"), .certain = false}};
  const auto impacts = impact_of(verdict, snapshot, parse_instant("2026-03-02T12:00:00Z").value());
  REQUIRE(impacts.size() == 2);
  CHECK(impacts[0].kind == "Deployment");
  CHECK(impacts[0].name == "web");
  CHECK(impacts[0].victims.size() == 2);
  CHECK(impacts[0].running == 3);
  CHECK_FALSE(impacts[0].certain);
  CHECK(impacts[0].is_recreated);
  // Two hours of 2 CPUs each.
  CHECK(impacts[0].run_seconds == 7200);
  CHECK(impacts[0].lost.cpu_hours == Approx(8));
  CHECK(impacts[1].kind == "ReplicaSet");
  CHECK(impacts[1].name == "odd-7f");
  CHECK(impacts[1].certain);
}

TEST_CASE("impact: of the victims of several results, a workload loses those of one", "[impact]") {
  std::vector<std::string> documents{a_node("n", "8")};
  for (const char* pod : {"web-a", "web-b", "web-c"}) documents.push_back(made_by(pod, "StatefulSet", "web"));
  documents.push_back(made_by("db-a", "StatefulSet", "db"));
  const auto cluster = a_cluster(documents);
  const auto pod = [&](const char* name) { return cluster->snapshot->find_pod("ns", name); };
  Verdict verdict;
  verdict.victims = {{.pod = pod("web-a")}, {.pod = pod("web-b")}, {.pod = pod("web-c")}, {.pod = pod("db-a")}};
  verdict.ends = {{pod("web-c"), pod("web-a")}, {pod("web-b"), pod("db-a")}, {}};
  const auto impacts = impact_of(verdict, *cluster->snapshot, Instant{});
  REQUIRE(impacts.size() == 2);
  CHECK(impacts[0].name == "web");
  CHECK(impacts[0].victims.size() == 3);
  CHECK(impacts[0].most == 2);
  CHECK(impacts[1].most == 1);
}

// job_controller.go: a Job fails when more pods have failed than its backoffLimit, and deletes those that are left.
TEST_CASE("impact: a Job that fails deletes its other pods", "[impact]") {
  const auto words = [](const std::string& limit, const std::vector<std::string>& evicted = {}) {
    const auto cluster = a_cluster(
        {a_node("n", "8"), made_by("j-a", "Job", "j"), made_by("j-b", "Job", "j"), made_by("j-c", "Job", "j"),
         "apiVersion: batch/v1\nkind: Job\nmetadata: {namespace: ns, name: j, uid: u}\nspec: {parallelism: 3, "
         "completions: 3, backoffLimit: " +
             limit + "}\n"});
    Verdict verdict;
    verdict.evicted = evicted;
    verdict.victims = {{.pod = cluster->snapshot->find_pod("ns", "j-a")},
                       {.pod = cluster->snapshot->find_pod("ns", "j-b")}};
    const auto impacts = impact_of(verdict, *cluster->snapshot, Instant{});
    REQUIRE(impacts.size() == 1);
    CHECK(impacts[0].is_recreated == impacts[0].fails_because.empty());
    const Table table = impact_table(impacts);
    return table.footer.empty() ? std::string() : table.footer.front().spans.front().text;
  };
  CHECK(words("2").empty());
  CHECK(words("1") ==
        "Job ns/j fails: 2 of its pods failed, more than its backoffLimit of 1; it deletes its 1 other pod");
  CHECK(words("1", {"workload/ns/j"}).empty());
}

TEST_CASE("impact: a pod without a controller is its own workload; terminating pods do not count", "[impact]") {
  const auto cluster = a_cluster({a_node("n", "8"), a_pod("ns/alone").on("n").yaml(),
                                  a_pod("ns/leaving").on("n").deleting("2026-03-02T12:00:00Z").yaml()});
  const Snapshot& snapshot = *cluster->snapshot;
  Verdict verdict;
  verdict.victims = {{.pod = snapshot.find_pod("ns", "alone")}, {.pod = snapshot.find_pod("ns", "leaving")}};
  const auto impacts = impact_of(verdict, snapshot, Instant{});
  REQUIRE(impacts.size() == 1);
  CHECK(impacts[0].kind == "Pod");
  CHECK_FALSE(impacts[0].is_recreated);
  CHECK(impacts[0].run_seconds == 0);
}

}  // namespace previct::test
