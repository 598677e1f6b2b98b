// Label selectors that an API server refuses today; pods that were created before it did may have them. The messages
// are those of kube-scheduler 1.35.4.
#include "unit/engine/kube/ask.h"

#include <catch2/catch.hpp>

using namespace previct;
using namespace previct::test;

// "kube.prefilter.pod-affinity-malformed"
TEST_CASE("pod affinity: a selector that the scheduler cannot read rejects the pod on every node", "[kube]") {
  const auto said_of = [](const std::string& affinity) -> std::string {
    const Answer answer = ask({a_node("n", "4"), a_pod("ns/new").spec("affinity: {" + affinity + "}").yaml()});
    // The PostFilter of DynamicResources lacks the state of its PreFilter, which comes later.
    CHECK(answer.outcome == Outcome::error);
    const std::string message = answer.evidence.at("fitErrorMessage");
    const std::string before = "0/1 nodes are available: parsing pod: ";
    CHECK(message.starts_with(before));
    return message.substr(before.size(), message.rfind(" not found") - before.size());
  };
  const std::string required = "requiredDuringSchedulingIgnoredDuringExecution";
  const auto apart_from = [&](const std::string& selector) {
    return "podAntiAffinity: {" + required + ": [{topologyKey: z, labelSelector: {" + selector + "}}]}";
  };
  CHECK(said_of(apart_from("matchExpressions: [{key: a, operator: In, values: []}]")) ==
        "requiredAntiAffinityTerms: values: Invalid value: null: for 'in', 'notin' operators, values set can't be "
        "empty.");
  CHECK(said_of(apart_from("matchExpressions: [{key: '/b', operator: Exists, values: [x, z]}]")) ==
        "requiredAntiAffinityTerms: [key: Invalid value: \"/b\": prefix part must be non-empty, values: Invalid value: "
        "[\"x\",\"z\"]: values set must be empty for exists and does not exist].");
  CHECK(said_of(apart_from("matchExpressions: [{key: a/b/c, operator: Exists}]")) ==
        "requiredAntiAffinityTerms: key: Invalid value: \"a/b/c\": a valid label key must consist of alphanumeric "
        "characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or "
        "'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]') with an "
        "optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName').");
  CHECK(said_of(apart_from("matchExpressions: [{key: A_/b, operator: Exists}]")) ==
        "requiredAntiAffinityTerms: key: Invalid value: \"A_/b\": prefix part a lowercase RFC 1123 subdomain must "
        "consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric "
        "character (e.g. 'example.com', regex used for validation is "
        "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*').");
  CHECK(said_of(apart_from("matchExpressions: [{key: '', operator: Exists}]")) ==
        "requiredAntiAffinityTerms: key: Invalid value: \"\": name part must be non-empty; name part must consist of "
        "alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. "
        "'MyName',  or 'my.name',  or '123-abc', regex used for validation is "
        "'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]').");
  const std::string long_key(64, 'v');
  CHECK(said_of(apart_from("matchExpressions: [{key: " + long_key + ", operator: Exists}]")) ==
        "requiredAntiAffinityTerms: key: Invalid value: \"" + long_key +
            "\": name part must be no more than 63 bytes.");
  const std::string long_domain(254, 'a');
  CHECK(said_of(apart_from("matchExpressions: [{key: " + long_domain + "/b, operator: Exists}]")) ==
        "requiredAntiAffinityTerms: key: Invalid value: \"" + long_domain +
            "/b\": prefix part must be no more than 253 bytes.");
  // Each list of terms has its own error; a preference counts, too.
  CHECK(said_of("podAffinity: {" + required +
                ": [{topologyKey: z, labelSelector: {matchLabels: {a: " + std::string(64, 'v') +
                "}}}]}, podAntiAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{weight: 1, "
                "podAffinityTerm: {topologyKey: z, labelSelector: {}, namespaceSelector: {matchExpressions: [{key: a, "
                "operator: Equals, values: [b]}]}}}]}") ==
        "[requiredAffinityTerms: values[0][a]: Invalid value: \"" + std::string(64, 'v') +
            "\": must be no more than 63 bytes, preferredAntiAffinityTerms: \"Equals\" is not a valid label selector "
            "operator].");
}

// "kube.prefilter.spread-malformed", "kube.score.spread-malformed"
TEST_CASE("topology spread: a selector that the scheduler cannot read ends the attempt in an error", "[kube]") {
  const auto spread = [](const std::string& when) {
    return a_pod("ns/new")
        .spec("topologySpreadConstraints: [{maxSkew: 1, topologyKey: z, whenUnsatisfiable: " + when +
              ", labelSelector: {matchExpressions: [{key: a, operator: DoesNotExist, values: [b]}]}}]")
        .yaml();
  };
  const std::string fault = "values: Invalid value: [\"b\"]: values set must be empty for exists and does not exist";
  const Answer hard = ask({a_node("n", "4"), spread("DoNotSchedule")});
  CHECK(hard.outcome == Outcome::error);
  CHECK(
      hard.evidence.at("error") ==
      "running PreFilter plugin \"PodTopologySpread\": get constraints from pod: obtaining pod's hard topology spread "
      "constraints: " +
          fault);
  // Nodes are scored only if the pod fits on several.
  CHECK(ask({a_node("n", "4"), spread("ScheduleAnyway")}).outcome == Outcome::fits);
  const Answer soft = ask({a_node("n", "4"), a_node("o", "4"), spread("ScheduleAnyway")});
  CHECK(soft.outcome == Outcome::error);
  CHECK(
      soft.evidence.at("error") ==
      "running PreScore plugin \"PodTopologySpread\": calculating preScoreState: obtaining pod's soft topology spread "
      "constraints: " +
          fault);
}

TEST_CASE("pod affinity: a malformed term of a pod on a node removes its whole list of terms", "[kube][scores]") {
  // Source: pkg/scheduler/framework/types.go, NewPodInfo and GetAffinityTerms (v1.35). Each list that can be read
  // counts.
  const auto repelled = [](const std::string& more_terms) {
    const std::string spec =
        "affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: "
        "kubernetes.io/hostname, labelSelector: {}}" +
        more_terms + "]}}";
    return ask({"apiVersion: v1\nkind: Node\nmetadata: {name: node, labels: {kubernetes.io/hostname: node}}\n"
                "status: {allocatable: {cpu: 4, memory: 8Gi, pods: 10}}\n",
                a_pod("ns/x").on("node").priority(9).spec(spec).yaml(), a_pod("ns/new").yaml()})
               .outcome == Outcome::pending;
  };
  CHECK(repelled(""));
  CHECK(repelled(", {topologyKey: z, labelSelector: {matchLabels: {a: b}}}"));
  CHECK_FALSE(repelled(", {topologyKey: z, labelSelector: {matchLabels: {a: 'x y'}}}"));
  CHECK_FALSE(repelled(", {topologyKey: z, namespaceSelector: {matchExpressions: [{key: a, operator: In}]}}"));
}
