#include "engine/own_release.h"

#include "engine/versions.h"
#include "support/input.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

using namespace previct;

namespace {

constexpr ComponentNames kKai = {0, "kai-scheduler/scheduler", "kai-scheduler/", "kai-scheduler-"};
constexpr ComponentNames kYunikorn = {1, "yunikorn:scheduler", "yunikorn", "yunikorn-"};

auto pod(const std::string& image, const std::string& labels = "", const std::string& phase = "Running") {
  return fmt::format(
      R"({{"apiVersion": "v1", "kind": "Pod", "metadata": {{"name": "p-{}", "namespace": "x", "labels": {{{}}}}}, )"
      R"("spec": {{"nodeName": "n", "containers": [{{"name": "c", "image": "{}"}}]}}, "status": {{"phase": "{}"}}}})"
      "\n",
      std::hash<std::string>()(image + labels), labels, image, phase);
}

auto deployment(const std::string& image, const std::string& labels = "", const std::string& of_pods = "") {
  return fmt::format(
      R"({{"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {{"name": "d", "namespace": "x", "labels": {{{}}}}}, )"
      R"("spec": {{"template": {{"metadata": {{"labels": {{{}}}}}, "spec": {{"containers": [{{"name": "c", "image": "{}"}}]}}}}}}}})"
      "\n",
      labels, of_pods, image);
}

auto release_text(const std::string& manifests, const ComponentNames& parts = kKai) -> std::string {
  Objects objects;
  REQUIRE(test::read_text(manifests, objects));
  const Snapshot cluster(objects);
  const DetectedRelease own = detect_release(cluster, parts);
  if (!own.minor) return own.known_by.empty() ? "" : "words without a release";
  return fmt::format("{}: {}{}", *own.minor, own.known_by, own.several ? ", several" : "");
}

}  // namespace

TEST_CASE("minor_of: the second number of a version is its minor release", "[release]") {
  CHECK(minor_of("v0.14.7", 0) == 14);
  CHECK(minor_of("0.17.0-fips", 0) == 17);
  CHECK(minor_of("1.9.0-1", 1) == 9);
  CHECK(minor_of("1.9", 1) == 9);
  for (const char* text : {"", "v", "1", "1.", "1.x", "2.9", "10.9", "1.9x", "latest", "1.99999"}) {
    INFO(text);
    CHECK_FALSE(minor_of(text, 1));
  }
}

TEST_CASE("own release: the tag of the scheduler's image shows it", "[release]") {
  CHECK(release_text(pod("ghcr.io/kai-scheduler/kai-scheduler/scheduler:v0.14.0")) == "14: its pod runs v0.14.0");
  CHECK(release_text(pod("ghcr.io/nvidia/kai-scheduler/scheduler:v0.6.2")) == "6: its pod runs v0.6.2");
  CHECK(release_text(pod("reg:5000/kai-scheduler/scheduler:v0.17.1-fips@sha256:abc")) ==
        "17: its pod runs v0.17.1-fips");
  CHECK(release_text(pod("apache/yunikorn:scheduler-1.6.3"), kYunikorn) == "6: its pod runs 1.6.3");
  CHECK(release_text(pod("docker.io/apache/yunikorn:scheduler-amd64-1.5.2"), kYunikorn) == "5: its pod runs 1.5.2");
  CHECK(release_text(pod("apache/yunikorn:scheduler-plugin-1.8.0-1"), kYunikorn) == "8: its pod runs 1.8.0-1");
  // Other images with similar names, and tags that are not versions.
  CHECK(release_text(pod("example/scheduler:v0.14.0")).empty());
  CHECK(release_text(pod("registry.k8s.io/kube-scheduler:v1.33.4")).empty());
  CHECK(release_text(pod("ghcr.io/kai-scheduler/kai-scheduler/scheduler:latest")).empty());
  CHECK(release_text(pod("ghcr.io/kai-scheduler/kai-scheduler/scheduler:v0.14.0", "", "Succeeded")).empty());
}

TEST_CASE("own release: labels show it if the image has only a digest", "[release]") {
  const std::string image = "ghcr.io/kai-scheduler/kai-scheduler/scheduler@sha256:abc";
  CHECK(release_text(pod(image)).empty());
  CHECK(release_text(pod(image, R"("app.kubernetes.io/version": "v0.13.1")")) == "13: its pod runs v0.13.1");
  CHECK(release_text(pod(image, R"("helm.sh/chart": "kai-scheduler-v0.12.4")")) == "12: its pod runs v0.12.4");
  CHECK(release_text(pod(image, R"("helm.sh/chart": "umbrella-0.12.4")")).empty());
  CHECK(release_text(deployment("apache/yunikorn@sha256:abc", R"("chart": "yunikorn-1.5.2")"), kYunikorn) ==
        "5: other parts of it run 1.5.2");
}

TEST_CASE("patch_of: the third number of a version is its patch", "[release]") {
  CHECK(patch_of("v0.16.4", 0) == 4);
  CHECK(patch_of("1.9.0-1", 1) == 0);
  CHECK(patch_of("0.14.12+x", 0) == 12);
  for (const char* without : {"0.14", "v0.14-fips", "0.14.", "2.3.4"}) CHECK_FALSE(patch_of(without, 0));
  Objects objects;
  REQUIRE(test::read_text(pod("ghcr.io/kai-scheduler/kai-scheduler/scheduler:v0.16.2"), objects));
  CHECK(detect_release(Snapshot(objects), kKai).patch == 2);
}

TEST_CASE("own release: pods count before Deployments, and the scheduler before its other parts", "[release]") {
  const std::string scheduler = "ghcr.io/kai-scheduler/kai-scheduler/scheduler:";
  const std::string binder = "ghcr.io/kai-scheduler/kai-scheduler/binder:";
  CHECK(release_text(deployment(scheduler + "v0.14.0")) == "14: its Deployment runs v0.14.0");
  CHECK(release_text(deployment(scheduler + "v0.14.0") + pod(scheduler + "v0.13.0")) == "13: its pod runs v0.13.0");
  CHECK(release_text(deployment(scheduler + "v0.14.0") + pod(binder + "v0.13.0")) == "14: its Deployment runs v0.14.0");
  CHECK(release_text(pod(binder + "v0.13.0")) == "13: other parts of it run v0.13.0");
  CHECK(release_text(pod(scheduler + "v0.13.0") + pod(scheduler + "v0.14.0")) ==
        "14: its pod runs v0.13.0 to v0.14.0, several");
}
