#include "engine/kai/snapshot/release.h"

#include "engine/kai/snapshot/settings.h"
#include "support/input.h"
#include "support/kai.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <algorithm>

using namespace previct;
using namespace previct::kai;

namespace {

auto running(const std::string& manifests, const std::string& version = "") -> RunningRelease {
  Objects objects;
  if (!manifests.empty()) REQUIRE(test::read_text(manifests, objects));
  const Snapshot cluster(objects);
  const auto found = running_release(cluster, version);
  REQUIRE(found);
  return *found;
}

/// A CustomResourceDefinition of scheduling.run.ai with these fields in its spec.
auto crd(const std::string& kind, const std::string& fields, const std::string& served = "true") {
  return fmt::format(
      R"({{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": {{"name": "{}"}}, )"
      R"("spec": {{"group": "scheduling.run.ai", "names": {{"kind": "{}"}}, "versions": [{{"name": "v2alpha2", "served": {}, )"
      R"("schema": {{"openAPIV3Schema": {{"properties": {{"spec": {{"properties": {{{}}}}}}}}}}}}}]}}}})"
      "\n",
      kind, kind, served, fields);
}

const std::string kSince9 = R"("queue": {}, "minMember": {}, "subGroups": {}, "topologyConstraint": {})";

}  // namespace

TEST_CASE("kai release: the newest known release if the input shows none", "[kai][release]") {
  const RunningRelease found = running("");
  CHECK(found.release.minor() == Release::newest());
  CHECK(found.words() == "0.18 (assumed; rules of d5bc503a)");
  CHECK(found.gaps.empty());
}

TEST_CASE("kai release: --kai-version sets it", "[kai][release]") {
  CHECK(running("", "v0.17.1").words() == "0.17 (rules of v0.17.0)");
  CHECK(running("", "0.17").release.has(Change::preemption_delay));
  CHECK_FALSE(running("", "0.16").release.has(Change::preemption_delay));
  CHECK(running("", "0.16").release.has(Change::succeeded_pods_are_left_out));
  CHECK_FALSE(running("", "0.15").release.has(Change::succeeded_pods_are_left_out));
  // Fixed in 0.16.5. Without a patch, 0.16 is the compared v0.16.8.
  CHECK(running("", "v0.16.4").expects_parents());
  for (const char* fixed : {"0.16.5", "0.16", "0.17.1"}) CHECK_FALSE(running("", fixed).expects_parents());
  const RunningRelease old = running("", "0.4.1");
  CHECK(old.release.minor() == Release::oldest());
  REQUIRE(old.gaps.size() == 1);
  CHECK(old.gaps[0].rule == GapRule::kai_release_unknown);
  // There is no 0.11: the rules are those of the release before it.
  CHECK(running("", "0.11").release.minor() == 10);
  Objects objects;
  const Snapshot cluster(objects);
  const auto refused = running_release(cluster, "1.33");
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message.starts_with("--kai-version: \"1.33\" names no release"));
}

TEST_CASE("kai release: the fields of its CRDs narrow it down", "[kai][release]") {
  // Without minSubGroup (0.15) and with preemptibility (0.10): 0.14 at most.
  const RunningRelease found = running(crd("PodGroup", kSince9 + R"(, "preemptibility": {}, "backoffLimit": {})"));
  CHECK(found.release.minor() == 14);
  CHECK(found.known_by == "the CRD of PodGroups lacks minSubGroup");
  CHECK(running(crd("PodGroup", kSince9 + R"(, "backoffLimit": {})")).release.minor() == 9);
  CHECK(running(crd("PodGroup", kSince9 + R"(, "preemptibility": {}, "minSubGroup": {})")).release.minor() == 16);
  // A CRD with all fields of the newest release narrows nothing down.
  const std::string newest =
      kSince9 + R"(, "preemptibility": {}, "minSubGroup": {}, "preemptionDelay": {}, "stalenessGracePeriod": {})";
  CHECK(running(crd("PodGroup", newest)).known_by == "assumed");
  // CRDs of other projects are ignored.
  Objects objects;
  REQUIRE(test::read_text(
      R"({"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": {"name": "x"}, "spec": {"group": "example.com"}})",
      objects));
  CHECK(objects.custom_resources.empty());
}

TEST_CASE("kai release: the operator's Config shows the image tag of the scheduler", "[kai][release]") {
  const RunningRelease found = running(
      R"({"apiVersion": "kai.scheduler/v1", "kind": "Config", "metadata": {"name": "kai-config"}, "spec": {"scheduler": {"service": {"image": {"tag": "v0.16.4"}}}}})");
  CHECK(found.release.minor() == 16);
  CHECK(found.known_by == "its Config sets the image v0.16.4");
}

TEST_CASE("kai release: a field that is newer than the release is reported", "[kai][release]") {
  const RunningRelease found = running(
      R"({"apiVersion": "kai.scheduler/v1", "kind": "Config", "metadata": {"name": "kai-config"}, "spec": {"scheduler": {"service": {"image": {"tag": "v0.16.4"}}}}})"
      "\n"
      R"({"apiVersion": "scheduling.run.ai/v2alpha2", "kind": "PodGroup", "metadata": {"name": "g", "namespace": "ml"}, "spec": {"queue": "q", "preemptionDelay": "5m"}})");
  CHECK(found.release.minor() == 16);
  REQUIRE(found.gaps.size() == 1);
  CHECK(found.gaps[0].rule == GapRule::kai_release_contradicted);
  CHECK(found.gaps[0].operands[1] == "a PodGroup has preemptionDelay");
}

TEST_CASE("kai settings: settings that a release lacks decide, unless the input shows that release runs",
          "[kai][release]") {
  Objects objects;
  REQUIRE(test::read_text(
      R"({"apiVersion": "kai.scheduler/v1", "kind": "SchedulingShard", "metadata": {"name": "default"}, "spec": {"plugins": )"
      R"({"newer": {}, "proportion": {"arguments": {"kValue": "2", "queuePriorityInQuotaReclaim": "true"}}}}})",
      objects));
  const Snapshot cluster(objects);
  const auto unknown = [&](const std::string& version) {
    const auto settings = effective_settings(cluster, "", version);
    REQUIRE(settings);
    std::vector<std::string> found;
    for (const Gap& gap : settings->gaps) {
      if (gap.rule == GapRule::kai_setting_unknown) found.push_back((gap.decides ? "decides: " : "") + gap.operands[0]);
    }
    std::sort(found.begin(), found.end());
    return found;
  };
  const std::vector<std::string> in_0_17 = {"argument queuePriorityInQuotaReclaim of plugin proportion",
                                            "plugin newer"};
  CHECK(unknown("") == std::vector<std::string>{"decides: plugin newer"});
  CHECK(unknown("0.18") == std::vector<std::string>{"decides: plugin newer"});
  CHECK(unknown("0.17") == in_0_17);
}
