#include "engine/kai/snapshot/gpu_request.h"

#include "support/input.h"

#include <catch2/catch.hpp>

using namespace previct;
using namespace previct::kai;

namespace {

struct Input {
  explicit Input(std::string_view yaml) {
    REQUIRE(test::read_text(yaml, objects));
    cluster.emplace(objects);
  }
  Objects objects;
  std::optional<Snapshot> cluster;
};

auto requested_gpus(const std::string& annotations) -> GpuRequest {
  const Input input("apiVersion: v1\nkind: Pod\nmetadata: {name: p, namespace: ml, annotations: " + annotations +
                    "}\nspec: {containers: [{name: c}]}\n");
  const GpuRequest whole{.devices = 1, .portion = 1};
  return with_annotations(*input.cluster, input.cluster->pod(input.cluster->find_pod("ml", "p")), whole);
}

auto model_of_node(const std::string& memory) -> GpuModel {
  const Input input("apiVersion: v1\nkind: Node\nmetadata: {name: k, labels: {nvidia.com/gpu.memory: \"" + memory +
                    "\"}}\n");
  return gpu_model(*input.cluster, *input.cluster->nodes().begin());
}

}  // namespace

TEST_CASE("kai GPU request: a fraction above 0 and up to 1 replaces container requests and beats gpu-memory", "[kai]") {
  const GpuRequest half = requested_gpus("{gpu-fraction: \"0.5\", gpu-memory: \"2000\"}");
  CHECK(half.kind == GpuRequest::Kind::fraction);
  CHECK(half.gpus() == 0.5);
  CHECK(half.memory == 0);
  CHECK(requested_gpus("{gpu-fraction: \"0.25\", gpu-fraction-num-devices: \"3\"}").gpus() == 0.75);
  CHECK(requested_gpus("{gpu-fraction: \"+0.5\"}").gpus() == 0.5);
  CHECK(requested_gpus("{gpu-fraction: \"0x1p-1\"}").gpus() == 0.5);
  CHECK(requested_gpus("{gpu-fraction: \"0x1\"}").kind == GpuRequest::Kind::whole);
  CHECK(requested_gpus("{gpu-fraction: \"1\"}").kind == GpuRequest::Kind::fraction);
  for (const char* ignored : {"\"0\"", "\"-0.5\"", "\"1.5\"", "\"half\"", "\"NaN\""}) {
    CHECK(requested_gpus(std::string("{gpu-fraction: ") + ignored + "}").kind == GpuRequest::Kind::whole);
  }
}

TEST_CASE("kai GPU request: gpu-memory is a portion of the node's GPU memory, rounded up to hundredths", "[kai]") {
  const GpuRequest request = requested_gpus("{gpu-memory: \"3000\"}");
  CHECK(request.kind == GpuRequest::Kind::memory);
  CHECK(request.gpus() == 0);
  const GpuModel a100 = model_of_node("40960");  // in steps of 100 MiB: 40,900
  CHECK(a100.memory == 40'900);
  CHECK(a100.portion_for(request) == 0.08);  // 3,000 of 40,900 is 0.0733…
  CHECK(a100.memory_for(request) == 3'000);
  CHECK(a100.memory_for(requested_gpus("{gpu-fraction: \"0.5\"}")) == 20'450);
}

TEST_CASE("kai GPU model: the memory label may be in bytes; an invalid one means 100 MiB that are not known", "[kai]") {
  CHECK(model_of_node("17179869184").memory == 16'300);  // 16,384 MiB
  CHECK(model_of_node("much").memory == 100);
  CHECK_FALSE(model_of_node("much").memory_known);
}

TEST_CASE("mig_profile: reads slices and gigabytes from the name of a MIG profile", "[kai]") {
  const auto profile = mig_profile("nvidia.com/mig-3g.20gb");
  REQUIRE(profile);
  CHECK(profile->gpus == 3);
  CHECK(profile->gigabytes == 20);
  CHECK_FALSE(mig_profile("nvidia.com/gpu"));
  CHECK_FALSE(mig_profile("nvidia.com/mig-1g.5gb.me"));
}

TEST_CASE("gpu_groups_of: reads the GPUs that a pod shares from the label and the labels below it", "[kai]") {
  const auto groups = [](const std::string& labels) {
    const Input input("apiVersion: v1\nkind: Pod\nmetadata: {name: p, namespace: ml, labels: {" + labels +
                      "}}\nspec: {containers: [{name: c}]}\n");
    std::vector<std::string> names;
    for (const Symbol each : gpu_groups_of(*input.cluster, input.cluster->pod(input.cluster->find_pod("ml", "p"))))
      names.emplace_back(input.cluster->text(each));
    return names;
  };
  using Names = std::vector<std::string>;
  CHECK(groups("app: x").empty());
  CHECK(groups("runai-gpu-group: g") == Names{"g"});
  CHECK(groups("runai-gpu-group: z, runai-gpu-group/x: c, runai-gpu-group/y: b, runai-gpu-groups: a") ==
        Names{"z", "b", "c"});
}

TEST_CASE("set_gpu_groups: replaces the labels of the GPUs and keeps the others", "[kai]") {
  Objects objects;
  REQUIRE(
      test::read_text("apiVersion: v1\nkind: Pod\nmetadata: {name: p, namespace: ml, labels: {app: x, "
                      "runai-gpu-group: z, runai-gpu-group/old: old}}\nspec: {containers: [{name: c}]}\n",
                      objects));
  const Snapshot cluster(objects);
  Pod& pod = objects.pods[cluster.find_pod("ml", "p")];
  kai::set_gpu_groups({"b", "a", "c"}, pod, objects.symbols);
  std::vector<std::string> names;
  for (const Symbol each : kai::gpu_groups_of(cluster, pod)) names.emplace_back(cluster.text(each));
  CHECK(names == std::vector<std::string>{"b", "a", "c"});
  CHECK(cluster.text(pod.meta.labels.get(cluster.symbol("app"))) == "x");
}
