// The scores of DynamicResources. Expected values are worked out by hand from upstream's plugin (kubernetes/kubernetes:
// pkg/scheduler/framework/plugins/dynamicresources/dynamicresources.go computeScore, v1.37): the first of at most eight
// alternatives counts 8, the next one 7, and so on; the best node then gets 100.
#include "unit/engine/kube/ask.h"

#include <catch2/catch.hpp>

using namespace previct;
using namespace previct::test;

namespace {

auto a_device_of(std::string_view node, int rank) -> std::string {
  return fmt::format(
      "apiVersion: resource.k8s.io/v1\nkind: ResourceSlice\nmetadata: {{name: slice-{0}}}\nspec: {{driver: d, pool: "
      "{{name: {0}, generation: 1, resourceSliceCount: 1}}, nodeName: {0}, devices: [{{name: d0, attributes: {{rank: "
      "{{int: {1}}}}}}}, {{name: d1, attributes: {{rank: {{int: {1}}}}}}}]}}\n",
      node, rank);
}
// The first alternative is a device of rank 0, the second, `count` of rank 1.
auto with_alternatives(std::string_view release, int count) -> Answer {
  return ask({scheduler_pod(release), a_node("a", "4"), a_node("b", "4"), a_device_of("a", 0), a_device_of("b", 1),
              "apiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: {name: c}\nspec: {}\n",
              fmt::format(
                  "apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {{namespace: ns, name: mine}}\n"
                  "spec: {{devices: {{requests: [{{name: r, firstAvailable: [\n"
                  "  {{name: s0, deviceClassName: c, selectors: [{{cel: {{expression: \"device.attributes['d'].rank == "
                  "0\"}}}}]}},\n"
                  "  {{name: s1, deviceClassName: c, count: {}, selectors: [{{cel: {{expression: "
                  "\"device.attributes['d'].rank == 1\"}}}}]}}]}}]}}}}\n",
                  count),
              a_pod("ns/new").spec("resourceClaims: [{name: a, resourceClaimName: mine}]").yaml()});
}
auto score(const Answer& answer, const std::string& node) -> Json {
  return answer.evidence.at("scores").at("nodes").at(node).at("plugins").at("DynamicResources");
}

}  // namespace

TEST_CASE("scores of devices: an earlier alternative is better", "[kube][devices][scores]") {
  const Answer answer = with_alternatives("1.37.2", 1);
  CHECK(answer.outcome == Outcome::fits);
  CHECK(score(answer, "a").at("raw") == 8);
  CHECK(score(answer, "a").at("normalized") == 100);
  CHECK(score(answer, "b").at("raw") == 7);
  CHECK(score(answer, "b").at("normalized") == 87);
  // A request counts once, whatever the number of its devices.
  CHECK(score(with_alternatives("1.37.2", 2), "b").at("raw") == 7);
  const auto open = [](const Answer& of) {
    return std::any_of(of.gaps.begin(), of.gaps.end(),
                       [](const Gap& gap) { return gap.rule == GapRule::score_of_alternatives; });
  };
  CHECK_FALSE(open(answer));
  CHECK(open(with_alternatives("1.35.4", 1)));
}
