#pragma once

#include "base/id.h"
#include "engine/kai/snapshot/types.h"

#include <cstdint>
#include <span>
#include <vector>

namespace previct::kai {

/// A GPU that pods share: the symbol of a label's text or, for GPUs that the cycle creates, a number above all symbols.
using GpuGroupId = Id<struct GpuGroupTag>;
constexpr std::uint32_t kFirstNewGpuGroup = 0x8000'0000;

/// The GPUs of one node that pods share, in MiB, and their effect on its whole GPUs.
///
/// A GPU whose pods are all terminating counts as one whole releasing GPU; a GPU that keeps a pod offers only its free
/// memory. As upstream, removing a pod is not always the exact inverse of adding it.
/// Source: kai-scheduler/KAI-Scheduler pkg/scheduler/api/node_info/gpu_sharing_node_info.go.
class SharedGpus {
 public:
  struct Gpu {
    GpuGroupId id;
    std::int64_t used = 0;
    std::int64_t allocated = 0;
    std::int64_t releasing = 0;
    bool marked = false;        ///< counts as a whole GPU that is releasing
    bool is_allocated = false;  ///< some pod was allocated here, not only pipelined
  };
  /// The whole GPUs of the node, from which shared ones are taken and to which they return.
  struct Whole {
    double& idle;
    double& releasing;
    std::int64_t count;   ///< GPUs of the node
    std::int64_t memory;  ///< MiB of each
  };

  /// Adds or removes a pod that uses `memory` MiB on each of the groups.
  void add(Status status, std::span<const GpuGroupId> groups, std::int64_t memory, Whole whole);
  void remove(Status status, std::span<const GpuGroupId> groups, std::int64_t memory, Whole whole);
  /// Adds whole GPUs that pods of any status use, by request.
  void use_whole(double amount) { used_whole_ += amount; }

  [[nodiscard]] auto gpus() const -> const std::vector<Gpu>& { return gpus_; }
  /// Returns true if that much memory is free once releasing pods are gone, and another pod still uses the GPU.
  [[nodiscard]] static auto has_room(const Gpu& gpu, std::int64_t total, std::int64_t memory) -> bool {
    return gpu.used != 0 && total - gpu.allocated + gpu.releasing - memory >= 0 && gpu.allocated != gpu.releasing;
  }
  /// Returns true if that much memory is free now.
  [[nodiscard]] static auto has_room_now(const Gpu& gpu, std::int64_t total, std::int64_t memory) -> bool {
    return gpu.is_allocated && total - gpu.allocated - memory >= 0;
  }
  [[nodiscard]] auto find(GpuGroupId id) const -> const Gpu*;

 private:
  auto gpu(GpuGroupId id) -> Gpu&;
  [[nodiscard]] auto used_count() const -> std::int64_t;

  std::vector<Gpu> gpus_;  // only few per node
  double used_whole_ = 0;
};

}  // namespace previct::kai
