#include "engine/kai/snapshot/shared_gpus.h"

#include <catch2/catch.hpp>

#include <array>

using namespace previct::kai;

namespace {

constexpr std::array kOne = {GpuGroupId{1}};
constexpr std::array kOthers = {GpuGroupId{2}, GpuGroupId{3}};

// A node of two GPUs of 100 MiB each.
struct NodeOfTwo {
  double idle = 2;
  double releasing = 0;
  SharedGpus gpus;

  void add(Status status, std::int64_t memory) { gpus.add(status, kOne, memory, {idle, releasing, 2, 100}); }
  void remove(Status status, std::int64_t memory) { gpus.remove(status, kOne, memory, {idle, releasing, 2, 100}); }
  [[nodiscard]] auto fits(std::int64_t memory) const -> bool {
    const SharedGpus::Gpu* gpu = gpus.find(kOne[0]);
    return gpu != nullptr && SharedGpus::has_room(*gpu, 100, memory);
  }
};

}  // namespace

TEST_CASE("kai SharedGpus: the first pod of a shared GPU takes a whole one, the next ones its rest", "[kai]") {
  NodeOfTwo node;
  node.add(Status::running, 50);
  CHECK(node.idle == 1);
  CHECK(node.fits(50));
  CHECK_FALSE(node.fits(51));
  node.add(Status::running, 50);
  CHECK(node.idle == 1);
  CHECK_FALSE(node.fits(1));
}

TEST_CASE("kai SharedGpus: a GPU offers what its leaving pods hold, or is a whole one if all pods leave", "[kai]") {
  NodeOfTwo node;
  node.add(Status::running, 50);
  node.add(Status::releasing, 50);
  CHECK(node.releasing == 0);
  CHECK(node.fits(50));

  NodeOfTwo left;
  left.add(Status::releasing, 50);
  left.add(Status::releasing, 50);
  CHECK(left.idle == 1);
  CHECK(left.releasing == 1);
  CHECK_FALSE(left.fits(50));  // no pod stays to share with
}

TEST_CASE("kai SharedGpus: evicting the last pod of a shared GPU and rolling back changes nothing", "[kai]") {
  NodeOfTwo node;
  node.add(Status::running, 50);
  node.remove(Status::running, 50);
  CHECK(node.idle == 2);
  node.add(Status::releasing, 50);
  CHECK(node.idle == 1);
  CHECK(node.releasing == 1);
  node.remove(Status::releasing, 50);
  CHECK(node.releasing == 0);
  node.add(Status::running, 50);
  CHECK(node.idle == 1);
}

// Source: gpu_sharing_node_info.go. A pod with a part that is rounded to no memory leaves all of the GPU to the others.
TEST_CASE("kai SharedGpus: a GPU whose pods all leave counts once as releasing, whichever other pod goes", "[kai]") {
  NodeOfTwo node;
  node.add(Status::running, 0);
  node.add(Status::releasing, 50);
  CHECK(node.releasing == 1);
  node.remove(Status::running, 0);
  CHECK(node.releasing == 1);
}

TEST_CASE("kai SharedGpus: an empty GPU is not subtracted from releasing if it never counted there", "[kai]") {
  // Source: gpu_sharing_node_info.go. The pipelined pod takes one of the releasing GPUs, so the pod that leaves later
  // is not the only one on the GPU. In the end one GPU more is idle, as upstream.
  NodeOfTwo node;
  node.add(Status::pipelined, 30);
  CHECK(node.releasing == -1);
  node.add(Status::running, 50);
  CHECK(node.idle == 2);
  node.remove(Status::running, 50);
  node.add(Status::releasing, 50);
  node.remove(Status::pipelined, 30);
  CHECK(node.releasing == -1);
  node.remove(Status::releasing, 50);
  CHECK(node.idle == 3);
  CHECK(node.releasing == -1);
}

TEST_CASE("kai SharedGpus: an empty GPU is idle only if idle and used GPUs do not exceed the total then", "[kai]") {
  // Pods are pipelined to two further GPU groups, so three are used on two GPUs while the pod is here, and two after.
  NodeOfTwo node;
  node.gpus.add(Status::pipelined, kOthers, 30, {node.idle, node.releasing, 2, 100});
  CHECK(node.idle == 2);
  node.add(Status::running, 50);
  CHECK(node.idle == 1);
  node.remove(Status::running, 50);
  CHECK(node.idle == 1);
}
