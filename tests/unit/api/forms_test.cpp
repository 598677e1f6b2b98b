// The formats of dumps: one cluster of a node, three pods and three priority classes (fixtures/input/small.yaml), as
// each tool would save it.

#include "api/load.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

using namespace previct;

namespace {

auto form(const std::string& name) -> std::string {
  return PREVICT_SOURCE_DIR "/fixtures/input/" + name;
}

/// Returns `batch-1@node-a …; nodes; classes`, sorted, or the failure.
auto cluster_in(const std::string& path, Objects& objects, const LoadOptions& options = {}) -> std::string {
  const auto done = load({path}, options, objects);
  if (!done) return fmt::format("failure: {}: {}", objects.files.describe(done.error().place), done.error().message);
  std::vector<std::string> pods;
  for (const Pod& pod : objects.pods) {
    pods.push_back(fmt::format("{}@{}", objects.symbols.text(pod.meta.name), objects.symbols.text(pod.spec.node_name)));
  }
  std::sort(pods.begin(), pods.end());
  return fmt::format("{}; {} nodes; {} classes", fmt::join(pods, " "), objects.nodes.size(),
                     objects.priority_classes.size());
}

/// Returns the ids of all warnings, in order.
auto warnings_of(const Objects& objects) -> std::string {
  std::vector<std::string> ids;
  for (const Warning& warning : objects.diagnostics.sorted()) ids.push_back(warning.id);
  return fmt::format("{}", fmt::join(ids, " "));
}

}  // namespace

TEST_CASE("load: a cluster is the same in every format of dumps") {
  struct Row {
    const char* path;
    const char* classes;   // some formats do not hold them
    const char* warnings;  // ids
    bool recursive = false;
  };
  const Row rows[] = {
      {"small.yaml", "3", ""},
      {"small.json", "3", ""},
      {"forms/get.kyaml", "3", ""},
      {"forms/watch-events.json", "3", ""},
      {"forms/stream.yaml", "3", ""},
      {"forms/lines.jsonl", "3", ""},
      {"forms/array.json", "3", ""},
      {"forms/powershell.yaml", "3", ""},
      {"forms/windows.yaml", "3", ""},
      {"containers/small.yaml.gz", "3", ""},
      {"containers/small.yaml.zst", "3", ""},
      {"containers/small.yaml.xz", "3", ""},
      {"containers/small.yaml.bz2", "3", ""},
      {"containers/small.tar", "3", ""},
      {"containers/small.zip", "3", ""},
      {"forms/cluster-info-dump", "0", "", true},
      {"forms/cluster-info-dump.txt", "0", ""},
      {"forms/must-gather.local.1", "3", "no-objects duplicate-object", true},
      {"forms/support-bundle.tar.gz", "3", "no-objects"},
      {"forms/support-bundle-2020.tar.gz", "3",
       "no-objects recognised-kind recognised-kind recognised-kind recognised-kind"},
      {"forms/velero-backup.tar.gz", "3", "duplicate-object"},
      {"forms/crust-gather", "3", "", true},
      {"forms/crust-gather.tar", "3", ""},
      {"forms/long-names.tar.bz2", "3", ""},
      {"forms/sosreport.tar.xz", "3", "no-objects"},
      {"forms/simulator.json", "5", "simulator-snapshot"},
      {"forms/gitops", "3", "no-objects", true},
  };
  for (const Row& row : rows) {
    INFO(row.path);
    Objects objects;
    CHECK(cluster_in(form(row.path), objects, {.recursive = row.recursive}) ==
          fmt::format("batch-1@node-a batch-2@node-a urgent@; 1 nodes; {} classes", row.classes));
    CHECK(warnings_of(objects) == row.warnings);
    CHECK_FALSE(objects.inputs_skipped);
  }
}

TEST_CASE("load: every kind that a collection lists counts as listed, even if it is empty") {
  const auto listed = [](const char* path, const char* kind) {
    Objects objects;
    REQUIRE(load({form(path)}, {.recursive = true}, objects));
    return objects.listed.contains(kind);
  };
  CHECK(listed("forms/support-bundle.tar.gz", "policy/PodDisruptionBudget"));
  CHECK(listed("forms/support-bundle-2020.tar.gz", "policy/PodDisruptionBudget"));
  CHECK_FALSE(listed("forms/cluster-info-dump", "policy/PodDisruptionBudget"));
  CHECK(listed("forms/simulator.json", "PersistentVolume"));
  CHECK_FALSE(listed("forms/simulator.json", "policy/PodDisruptionBudget"));
  CHECK(listed("forms/kai-snapshot.gzip", "PersistentVolume"));
}

TEST_CASE("load: a kube-scheduler-simulator snapshot gets the built-in classes that it lacks") {
  Objects objects;
  REQUIRE(load({form("forms/simulator.json")}, {}, objects));
  std::vector<std::string> classes;
  for (const PriorityClass& each : objects.priority_classes) {
    classes.push_back(fmt::format("{}={}", objects.symbols.text(each.meta.name), each.value));
  }
  CHECK(classes == std::vector<std::string>{"high=9000", "low=8000", "low-tolerant=8000",
                                            "system-cluster-critical=2000000000", "system-node-critical=2000001000"});
}

TEST_CASE("load: a KAI scheduler snapshot is a zip, whatever its name is") {
  Objects objects;
  REQUIRE(load({form("forms/kai-snapshot.gzip")}, {}, objects));
  CHECK(objects.kai_scheduler);
  CHECK(objects.kai_queues.size() == 7);
  CHECK(objects.kai_pod_groups.size() == 3);
  CHECK(objects.pods.size() == 3);
  CHECK(objects.diagnostics.empty());
}

TEST_CASE("load: names of archive members, and positions in them, are reported") {
  Objects objects;
  REQUIRE(load({form("forms/support-bundle.tar.gz")}, {}, objects));
  const Source& pod = objects.pods[PodId{0}].meta.source;
  CHECK(objects.files.describe({pod.file, pod.line, pod.column}) ==
        form("forms/support-bundle.tar.gz") +
            "!support-bundle-2026-01-02T00_00_00/cluster-resources/pods/default.json:4:5");
  CHECK(objects.sources.text(pod.file)->starts_with("{\n  \"apiVersion\": \"v1\",\n"));
}
