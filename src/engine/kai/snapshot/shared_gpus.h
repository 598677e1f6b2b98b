#pragma once

#include "base/id.h"
#include "engine/kai/snapshot/types.h"

#include <cstdint>
#include <span>
#include <vector>

namespace previct::kai {

/// A GPU that pods share: a label's text (by its symbol) or, of those that the cycle makes, a number above all symbols.
using GpuGroupId = Id<struct GpuGroupTag>;
constexpr std::uint32_t kFirstNewGpuGroup = 0x8000'0000;

/// The GPUs of one node that pods share, in MiB, and how they stand to its whole GPUs.
///
/// A GPU whose pods are all leaving counts as one whole GPU that is being released; one that keeps a pod offers its
/// free memory only. Taking a pod away again is not always the exact opposite of adding it, as upstream.
/// Source: kai-scheduler/KAI-Scheduler pkg/scheduler/api/node_info/gpu_sharing_node_info.go.
class SharedGpus {
 public:
  struct Gpu {
    GpuGroupId id;
    std::int64_t used = 0;
    std::int64_t allocated = 0;
    std::int64_t releasing = 0;
    bool marked = false;        ///< counts as a whole GPU that is being released
    bool is_allocated = false;  ///< some pod was allocated here, not only reserved
  };
  /// The node's whole GPUs, which shared ones are taken from and given back to.
  struct Whole {
    double& idle;
    double& releasing;
    std::int64_t count;   ///< GPUs of the node
    std::int64_t memory;  ///< MiB of each
  };

  /// A pod comes to the groups, or goes, with `memory` MiB on each.
  void add(Status status, std::span<const GpuGroupId> groups, std::int64_t memory, Whole whole);
  void remove(Status status, std::span<const GpuGroupId> groups, std::int64_t memory, Whole whole);
  /// Whole GPUs that pods use, by request, of every status.
  void use_whole(double amount) { used_whole_ += amount; }

  [[nodiscard]] auto gpus() const -> const std::vector<Gpu>& { return gpus_; }
  /// Is there room for that much memory once releasing pods are gone, and somebody left to share with?
  [[nodiscard]] static auto has_room(const Gpu& gpu, std::int64_t total, std::int64_t memory) -> bool {
    return gpu.used != 0 && total - gpu.allocated + gpu.releasing - memory >= 0 && gpu.allocated != gpu.releasing;
  }
  /// Is that much free now?
  [[nodiscard]] static auto has_room_now(const Gpu& gpu, std::int64_t total, std::int64_t memory) -> bool {
    return gpu.is_allocated && total - gpu.allocated - memory >= 0;
  }
  [[nodiscard]] auto find(GpuGroupId id) const -> const Gpu*;

 private:
  auto gpu(GpuGroupId id) -> Gpu&;
  [[nodiscard]] auto used_count() const -> std::int64_t;

  std::vector<Gpu> gpus_;  // few on a node
  double used_whole_ = 0;
};

}  // namespace previct::kai
