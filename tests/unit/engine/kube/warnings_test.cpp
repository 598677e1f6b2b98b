#include "engine/engine.h"
#include "support/cluster.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <algorithm>

// Input that the scheduler ignores silently and previct warns about: one warning for each, and none for correct input.

using namespace previct;
using test::a_node;

namespace {

constexpr std::string_view kMinimum = "preemption-toleration.scheduling.x-k8s.io/minimum-preemptable-priority";
constexpr std::string_view kSeconds = "preemption-toleration.scheduling.x-k8s.io/toleration-seconds";

// The messages of the warnings with this id.
auto warnings(const std::string& id, const std::vector<std::string>& documents, std::string_view plugin = "on")
    -> std::vector<std::string> {
  const auto cluster = test::a_cluster(documents);
  Question question;
  question.toleration_plugin = plugin;
  const auto kube =
      std::find_if(engines().begin(), engines().end(), [](const Engine* e) { return e->name() == "kube"; });
  REQUIRE((*kube)->check_configuration(*cluster->snapshot, question));
  std::vector<std::string> messages;
  for (const Warning& warning : cluster->objects.diagnostics.sorted()) {
    if (warning.id == id) messages.push_back(warning.message);
  }
  return messages;
}
using Texts = std::vector<std::string>;

auto a_class_with(std::string_view annotation, std::string_view value) -> std::string {
  return test::a_class("c", 5, fmt::format("{{{}: \"{}\", kubernetes.io/description: \"ten\"}}", annotation, value));
}

}  // namespace

TEST_CASE("warnings: a toleration that is not a number, if the plugin runs", "[kube][warnings]") {
  CHECK(warnings("malformed-toleration", {a_class_with(kMinimum, "ten")}) ==
        Texts{fmt::format("PriorityClass c: {} \"ten\" is not an integer in range, so its pods tolerate nothing",
                          kMinimum)});
  // The priority has 32 bits, the seconds 64.
  CHECK(warnings("malformed-toleration", {a_class_with(kMinimum, "2147483648")}).size() == 1);
  CHECK(warnings("malformed-toleration", {a_class_with(kMinimum, "2147483647")}).empty());
  const auto with_seconds = [](std::string_view seconds) {
    return std::vector<std::string>{
        test::a_class("c", 5, fmt::format("{{{}: \"10\", {}: \"{}\"}}", kMinimum, kSeconds, seconds))};
  };
  CHECK(warnings("malformed-toleration", with_seconds("soon")).size() == 1);
  CHECK(warnings("malformed-toleration", with_seconds("2147483648")).empty());
  CHECK(warnings("malformed-toleration", {a_class_with(kMinimum, "ten")}, "off").empty());
}

TEST_CASE("warnings: toleration seconds that overflow", "[kube][warnings]") {
  // 2^63 - 1 nanoseconds are 9223372036 seconds and a part of one.
  const auto with_seconds = [](std::string_view seconds) {
    return std::vector<std::string>{
        test::a_class("c", 5, fmt::format("{{{}: \"10\", {}: \"{}\"}}", kMinimum, kSeconds, seconds))};
  };
  CHECK(warnings("toleration-overflow", with_seconds("9223372036")).empty());
  CHECK(warnings("toleration-overflow", with_seconds("9223372037")).size() == 1);
  CHECK(warnings("toleration-overflow", with_seconds("-1")).empty());
}

TEST_CASE("warnings: an annotation that looks like a toleration but is none", "[kube][warnings]") {
  CHECK(warnings("unread-toleration", {a_class_with("preemption-toleration.scheduling.sigs.k8s.io/"
                                                    "minimum-preemptable-priority",
                                                    "10")})
            .size() == 1);
  CHECK(warnings("unread-toleration", {a_class_with(kMinimum, "10")}).empty());
  CHECK(warnings("unread-toleration", {a_class_with(kSeconds, "10")}).empty());
}

TEST_CASE("warnings: a budget whose selector cannot be read", "[kube][warnings]") {
  const auto budget = [](std::string_view spec) {
    return std::vector<std::string>{fmt::format(
        "apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {{name: b, namespace: ns}}\nspec: {{{}}}\n",
        spec)};
  };
  CHECK(warnings("invalid-selector", budget("minAvailable: 1")).empty());
  CHECK(warnings("invalid-selector", budget("selector: {matchLabels: {app: a}}")).empty());
  const Texts wrong = warnings("invalid-selector", budget("selector: {matchExpressions: [{key: a, operator: Is}]}"));
  REQUIRE(wrong.size() == 1);
  CHECK(wrong[0].starts_with("PodDisruptionBudget ns/b: its selector is malformed ("));
}

TEST_CASE("warnings: an unknown operator of node affinity, for pending pods", "[kube][warnings]") {
  const auto pod = [](std::string_view op, std::string_view node) {
    return std::vector<std::string>{
        a_node("n1", "1"),
        fmt::format(
            "apiVersion: v1\nkind: Pod\nmetadata: {{name: p, namespace: ns}}\nspec: {{{}affinity: {{nodeAffinity: "
            "{{requiredDuringSchedulingIgnoredDuringExecution: {{nodeSelectorTerms: [{{matchExpressions: [{{key: "
            "a, operator: Exists}}, {{key: b, operator: {}, values: [c]}}]}}]}}}}}}, containers: [{{name: c}}]}}\n",
            node, op)};
  };
  CHECK(warnings("unknown-operator", pod("In", "")).empty());
  CHECK(warnings("unknown-operator", pod("Is", "")) ==
        Texts{"ns/p: \"Is\" is not an operator of node affinity, so this term matches no node"});
  CHECK(warnings("unknown-operator", pod("Is", "nodeName: n1, ")).empty());
}
