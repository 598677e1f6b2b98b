#include "cluster/label_syntax.h"

#include "cluster/matching.h"
#include "support/cluster.h"

#include <catch2/catch.hpp>

using namespace previct;
using namespace previct::test;

TEST_CASE("label syntax: values and names are valid where the API accepts them", "[cluster]") {
  for (const char* good : {"", "a", "A-b_c.9", "0"}) CHECK(is_label_value(good));
  for (const char* bad : {"-5", "+4", "a b", "a-", ".a", "a/b"}) CHECK_FALSE(is_label_value(bad));
  CHECK(is_label_value(std::string(63, 'x')));
  CHECK_FALSE(is_label_value(std::string(64, 'x')));
  for (const char* good : {"a", "example.com/x", "a-b.c/D_e"}) CHECK(is_qualified_name(good));
  for (const char* bad : {"", "/x", "a/", "A.com/x", "a/b/c", "a..b/x", "-x"}) CHECK_FALSE(is_qualified_name(bad));
}

// Source: component-helpers nodeaffinity.go; a malformed requirement invalidates its term, never the others.
TEST_CASE("label syntax: a term with an invalid label value matches nothing", "[cluster]") {
  const auto matches_node = [](const std::string& terms) {
    const auto cluster =
        a_cluster({"apiVersion: v1\nkind: Node\nmetadata: {name: k, labels: {cores: '9'}}\n",
                   a_pod("ns/new")
                       .spec("affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: "
                             "{nodeSelectorTerms: [" +
                             terms + "]}}}")
                       .yaml()});
    const Snapshot& s = *cluster->snapshot;
    return matches_required_affinity(s.pod(s.find_pod("ns", "new")).spec, s.node(NodeId{0}), s);
  };
  CHECK(matches_node("{matchExpressions: [{key: cores, operator: Gt, values: ['4']}]}"));
  CHECK_FALSE(matches_node("{matchExpressions: [{key: cores, operator: Gt, values: ['+4']}]}"));
  CHECK_FALSE(matches_node("{matchExpressions: [{key: other, operator: NotIn, values: ['-x']}]}"));
  CHECK(
      matches_node("{matchExpressions: [{key: other, operator: NotIn, values: ['-x']}]}, "
                   "{matchExpressions: [{key: cores, operator: Exists}]}"));
  // A field that nodes do not have reads as empty.
  CHECK(matches_node("{matchFields: [{key: metadata.uid, operator: NotIn, values: [x]}]}"));
  CHECK_FALSE(matches_node("{matchFields: [{key: metadata.name, operator: In, values: [k, m]}]}"));
}

// Source: apimachinery LabelSelectorAsSelector: an error in any requirement is an error of the selector.
TEST_CASE("label syntax: a selector with an invalid requirement cannot be read", "[cluster]") {
  const auto fault = [](const std::string& selector) {
    const auto cluster = a_cluster(
        {"apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: b, namespace: d}\nspec: {selector: " +
         selector + "}\n"});
    return std::string(fault_of(*cluster->objects.disruption_budgets[0].spec.selector, cluster->objects.symbols));
  };
  CHECK(fault("{matchLabels: {app: a}}").empty());
  CHECK(fault("{matchExpressions: [{key: app, operator: NotIn, values: [a]}]}").empty());
  CHECK_FALSE(fault("{matchExpressions: [{key: app, operator: NotIn}]}").empty());
  CHECK_FALSE(fault("{matchExpressions: [{key: app, operator: Exists, values: [a]}]}").empty());
  CHECK_FALSE(fault("{matchExpressions: [{key: app, operator: Gt, values: ['1']}]}").empty());
  CHECK_FALSE(fault("{matchExpressions: [{key: app, operator: NotIn, values: ['-x']}]}").empty());
  CHECK_FALSE(fault("{matchLabels: {app: '-x'}}").empty());
}
