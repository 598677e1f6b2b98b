#include "api/fields.h"

#include "api/objects.h"
#include "support/input.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <string>

using namespace previct;

namespace {

// Reads two pods that differ only in the given parts.
void read_two(Objects& objects, const std::string& one, const std::string& other) {
  for (const auto& [name, part] : {std::pair("one", &one), std::pair("other", &other)}) {
    const std::string text = fmt::format("{{apiVersion: v1, kind: Pod, metadata: {{name: {}}}, {}}}", name, *part);
    REQUIRE(test::read_text(text, objects));
  }
  REQUIRE(objects.pods.size() == 2);
}

auto same_fields(const std::string& one, const std::string& other) -> bool {
  Objects objects;
  read_two(objects, one, other);
  Pod a = objects.pods.items()[0];
  Pod b = objects.pods.items()[1];
  a.meta.name = b.meta.name = {};
  const bool same = have_same_fields(a, b);
  CHECK(same == (fields_of(a, objects.symbols) == fields_of(b, objects.symbols)));
  return same;
}

}  // namespace

TEST_CASE("fields: two pods have the same fields only if all values and their places are the same", "[fields]") {
  CHECK(same_fields("spec: {priority: 5, nodeName: lab}", "spec: {nodeName: lab, priority: 5}"));
  CHECK_FALSE(same_fields("spec: {priority: 5}", "spec: {priority: 6}"));
  CHECK_FALSE(same_fields("spec: {nodeName: lab}", "spec: {}"));
  CHECK_FALSE(same_fields("spec: {nodeSelector: {a: b}}", "spec: {nodeSelector: {b: a}}"));
  CHECK_FALSE(same_fields("spec: {tolerations: [{key: a}, {key: b}]}", "spec: {tolerations: [{key: b}, {key: a}]}"));
  CHECK_FALSE(same_fields("spec: {tolerations: [{key: a}, {value: b}]}", "spec: {tolerations: [{key: a, value: b}]}"));
  CHECK_FALSE(same_fields("spec: {containers: [{name: c, resources: {requests: {cpu: 1}}}]}",
                          "spec: {containers: [{name: c, resources: {requests: {cpu: 1001m}}}]}"));
  // 1 and 1000m are the same amount.
  CHECK(same_fields("spec: {containers: [{name: c, resources: {requests: {cpu: 1}}}]}",
                    "spec: {containers: [{name: c, resources: {requests: {cpu: 1000m}}}]}"));
}

TEST_CASE("fields: objects of a real dump have the same fields if their texts are equal", "[fields]") {
  Objects objects;
  REQUIRE(test::read_text(test::fixture("manual/dump.yaml"), objects));
  std::size_t compared = 0;
  objects.each_store([&](std::string_view kind, const auto& store) {
    INFO(kind);
    for (std::size_t i = 0; i < store.size(); ++i) {
      auto copy = store[i];
      CHECK(have_same_fields(store[i], copy));
      ++compared;
      if (i == 0) continue;
      copy.meta = store[i - 1].meta;
      CHECK(have_same_fields(store[i - 1], copy) ==
            (fields_of(store[i - 1], objects.symbols) == fields_of(copy, objects.symbols)));
    }
  });
  CHECK(compared > 10);
}
