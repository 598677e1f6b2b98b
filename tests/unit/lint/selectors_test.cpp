// Source: kubernetes apimachinery pkg/apis/meta/v1/helpers.go LabelSelectorAsSelector, validation/validation.go.
#include "lint/selectors.h"

#include "lint/linter.h"

#include <catch2/catch.hpp>

#include <string>

namespace previct::lint {
namespace {

// A manifest with a selector and labels, both in flow style.
struct Manifested {
  Manifested(const std::string& selector, const std::string& labels) {
    tree.read_text("m", "apiVersion: v1\nkind: Any\nmetadata: {name: m, labels: {" + labels + "}}\n" +
                            (selector.empty() ? "" : "selector: " + selector + "\n"));
    tree.finish({}, true);
  }
  [[nodiscard]] auto selector() const -> Value { return tree.manifests().front().in("selector"); }
  [[nodiscard]] auto labels() const -> Value { return tree.manifests().front().in("metadata.labels"); }

  Tree tree;
};

auto matches(const std::string& selector, const std::string& labels = "app: a, tier: web") -> bool {
  const Manifested with(selector, labels);
  return selects(with.selector(), with.labels());
}

auto requirement(const std::string& text) -> std::string {
  return "{matchExpressions: [{" + text + "}]}";
}

auto fault(const std::string& selector) -> std::string {
  const Manifested with(selector, "");
  const auto found = fault_of_selector(with.selector());
  return found ? found->message : "";
}

}  // namespace

TEST_CASE("lint selectors: match as the API server's do", "[lint]") {
  CHECK_FALSE(matches(""));
  CHECK(matches("{}"));
  CHECK(matches("{matchLabels: {app: a}}"));
  CHECK(matches("{matchLabels: {app: a, tier: web}}"));
  CHECK_FALSE(matches("{matchLabels: {app: a, tier: db}}"));
  CHECK_FALSE(matches("{matchLabels: {other: a}}"));
  CHECK(matches(requirement("key: app, operator: In, values: [b, a]")));
  CHECK_FALSE(matches(requirement("key: app, operator: In, values: [b]")));
  CHECK_FALSE(matches(requirement("key: other, operator: In, values: [a]")));
  CHECK(matches(requirement("key: app, operator: NotIn, values: [b]")));
  CHECK(matches(requirement("key: other, operator: NotIn, values: [a]")));
  CHECK_FALSE(matches(requirement("key: app, operator: NotIn, values: [a]")));
  CHECK(matches(requirement("key: app, operator: Exists")));
  CHECK_FALSE(matches(requirement("key: other, operator: Exists")));
  CHECK(matches(requirement("key: other, operator: DoesNotExist")));
  CHECK_FALSE(matches(requirement("key: app, operator: DoesNotExist")));
  CHECK_FALSE(matches(requirement("key: app, operator: Like, values: [a]")));
  CHECK_FALSE(matches("{matchLabels: {app: a}, matchExpressions: [{key: tier, operator: DoesNotExist}]}"));
}

TEST_CASE("lint selectors: one without requirements is empty", "[lint]") {
  const auto is_empty = [](const std::string& selector) {
    return is_empty_selector(Manifested(selector, "").selector());
  };
  CHECK(is_empty("{}"));
  CHECK(is_empty("{matchLabels: {}, matchExpressions: []}"));
  CHECK_FALSE(is_empty(""));
  CHECK_FALSE(is_empty("text"));
  CHECK_FALSE(is_empty("{matchLabels: {app: a}}"));
  CHECK_FALSE(is_empty(requirement("key: app, operator: Exists")));
}

TEST_CASE("lint selectors: keys, operators and values are validated", "[lint]") {
  CHECK(fault("{matchLabels: {app: a, example.com/x: ''}}").empty());
  CHECK(fault("{matchLabels: {-a: b}}") == "\"-a\" is not a valid label key");
  CHECK(fault("{matchLabels: {a: b_}}") == "\"b_\" is not a valid label value");
  CHECK(fault(requirement("key: a/b/c, operator: Exists")) == "\"a/b/c\" is not a valid label key");
  CHECK(fault(requirement("operator: Exists")) == "\"\" is not a valid label key");
  CHECK(fault(requirement("key: a, operator: In, values: [b]")).empty());
  CHECK(fault(requirement("key: a, operator: In")) == "operator In without values");
  CHECK(fault(requirement("key: a, operator: NotIn, values: []")) == "operator NotIn without values");
  CHECK(fault(requirement("key: a, operator: In, values: [b, '?']")) == "\"?\" is not a valid label value");
  CHECK(fault(requirement("key: a, operator: Exists")).empty());
  CHECK(fault(requirement("key: a, operator: Exists, values: [b]")) == "operator Exists takes no values");
  CHECK(fault(requirement("key: a, operator: DoesNotExist, values: [b]")) == "operator DoesNotExist takes no values");
  CHECK(fault(requirement("key: a, operator: in")) == "operator \"in\" is not one of In, NotIn, Exists, DoesNotExist");
  CHECK(fault(requirement("key: a")) == "operator \"\" is not one of In, NotIn, Exists, DoesNotExist");
}

}  // namespace previct::lint
