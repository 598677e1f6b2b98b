
#include "api/objects.h"
#include "base/ascii.h"

#include <catch2/catch.hpp>

#include <set>
#include <string>
#include <vector>

using namespace previct;

TEST_CASE("kinds: each is described once, with a unique name for its store", "[kinds]") {
  std::set<std::string_view> keys;
  std::set<std::string_view> resources;
  for (const KindInfo* const kind : all_kinds()) {
    INFO(kind->key);
    CHECK(keys.insert(kind->key).second);
    CHECK((kind->plural.empty() || resources.insert(kind->resource).second));
    CHECK(kind->plural == lower_case(kind->plural));
    CHECK(kind_of_key(kind->key) == kind);
  }
  std::vector<std::string_view> stores;
  Objects().each_store([&](std::string_view kind, const auto&) { stores.push_back(kind); });
  CHECK(std::set(stores.begin(), stores.end()).size() == stores.size());
  for (const std::string_view store : stores)
    CHECK((kind_of_store(store) != nullptr && kind_of_store(store)->store_name == store));
}

// Source: kubernetes: pkg/registry/policy/poddisruptionbudget/storage/storage.go (ShortNames); KAI's and Kueue's CRDs.
TEST_CASE("kinds: each has its names in kubectl, RBAC and captures", "[kinds]") {
  const KindInfo& budget = kinds::disruption_budgets;
  CHECK(budget.api_version == "policy/v1");
  CHECK(budget.key == "policy/PodDisruptionBudget");
  CHECK(budget.qualified == "PodDisruptionBudget.policy");
  CHECK(budget.resource == "poddisruptionbudgets.policy");
  CHECK(budget.store_name == "PodDisruptionBudget");
  for (const char* word : {"pdb", "PDB", "poddisruptionbudget", "PodDisruptionBudgets"}) CHECK(budget.is_called(word));
  CHECK_FALSE(budget.is_called("pod"));
  CHECK_FALSE(budget.is_called(""));
  const KindInfo& pod = kinds::pods;
  for (const std::string_view text : {pod.api_version, pod.key, pod.qualified, pod.resource})
    CHECK(text.find_first_of("/.") == std::string_view::npos);
  CHECK(pod.api_version == "v1");
  CHECK(kinds::kueue_workloads.store_name == "kueue.x-k8s.io/Workload");
  CHECK(kinds::workloads.store_name == "Workload");
}
