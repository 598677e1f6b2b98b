#pragma once

#include "engine/kai/snapshot/gpu_request.h"
#include "engine/kai/snapshot/release.h"
#include "engine/kai/snapshot/types.h"

#include <span>
#include <string_view>
#include <vector>

namespace previct::kai {

/// The dimensions of nodes and requests: `cpu` (milli), `memory`, `gpu`, `pods`, then every other resource that a node
/// of the shard or a container names.
///
/// GPUs are nvidia.com/gpu and amd.com/gpu. Another resource of a node whose name ends in `gpu` replaces its GPUs, in
/// thousandths; in a request, such a name requests nothing.
/// Source: kai-scheduler/KAI-Scheduler pkg/scheduler/api/resource_info.
class Resources {
 public:
  /// Determines the dimensions. `nodes`: those of the shard.
  Resources(const Snapshot& cluster, std::span<const NodeId> nodes, const Release& release);

  [[nodiscard]] auto count() const -> std::size_t { return names_.size(); }
  [[nodiscard]] auto name(std::size_t dim) const -> std::string_view { return names_[dim]; }
  /// Returns the GPUs that one unit of each dimension counts for: 1 for `gpu`, the slices of MIG devices.
  [[nodiscard]] auto gpus_per_unit() const -> const std::vector<double>& { return gpus_; }

  [[nodiscard]] auto of_node(const Node& node) const -> std::vector<double>;

  struct OfPod {
    std::vector<double> request;
    GpuRequest gpu;
  };
  /// What counts of a pod: only its slot if it has finished; its containers; or also its annotations about GPUs.
  enum class Counted : std::uint8_t { slot, containers, all };
  /// Returns the sum over containers and sidecars, or the peak while init containers run; pod-level requests, limits
  /// and resize status are ignored.
  [[nodiscard]] auto of_pod(const Pod& pod, Counted counted) const -> OfPod;

 private:
  // A request while containers are summed, with GPUs separate, as upstream keeps them.
  struct Sum {
    std::vector<double> amounts;
    std::int64_t gpus = 0;
    bool names_mig = false;
  };
  void note(const ResourceList& list);
  void add(Sum& sum, const ResourceList& list, bool overhead) const;
  static void take_larger(Sum& sum, const Sum& other);

  const Snapshot& cluster_;
  bool sidecars_end_;  // sidecars count like other init containers
  bool counts_overhead_;
  std::vector<std::string_view> names_;
  std::vector<double> gpus_;
  std::vector<std::int64_t> gigabytes_;  // of MIG devices
  std::vector<std::int32_t> dim_of_;     // by symbol; -1: not counted
};

}  // namespace previct::kai
