#pragma once

#include "cluster/snapshot.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace previct::kai {

/// A pod's request for GPUs: whole GPUs, a part of some (by portion or by memory), or MIG devices.
/// Source: kai-scheduler/KAI-Scheduler pkg/scheduler/api/pod_info updatePodAdditionalFields,
/// api/resource_info/gpu_resource_requirment.go.
struct GpuRequest {
  enum class Kind : std::uint8_t { whole, fraction, memory, mig };

  Kind kind = Kind::whole;
  bool legacy_mig = false;   ///< requested by annotation: never placed
  std::int64_t devices = 0;  ///< number of devices, each used by `portion` or `memory`
  double portion = 0;        ///< of each device; 0 if requested by memory only
  std::int64_t memory = 0;   ///< MiB of each device; 0 if requested by portion
  double mig = 0;            ///< number of GPUs that its MIG devices count for
  std::int64_t mig_gigabytes = 0;

  [[nodiscard]] auto is_shared() const -> bool { return kind == Kind::fraction || kind == Kind::memory; }
  /// Whole GPUs and portions, without MIG devices, in hundredths.
  [[nodiscard]] auto gpus() const -> double { return parts(devices, portion); }
  /// The same with MIG devices: compared with the free GPUs before a search.
  [[nodiscard]] auto quota() const -> double { return mig + gpus(); }
  /// True if it needs any kind of GPU.
  [[nodiscard]] auto needs_gpu() const -> bool { return gpus() > 0 || kind == Kind::memory || kind == Kind::mig; }
  /// Returns a request for memory as a number of GPUs with this much memory.
  [[nodiscard]] auto memory_as_gpus(std::int64_t device_memory) const -> double {
    if (memory <= 0 || device_memory <= 0) return 0;
    return static_cast<double>(devices) * (static_cast<double>(memory) / static_cast<double>(device_memory));
  }

  static auto parts(std::int64_t devices, double portion) -> double;
};

/// The GPUs of one node, with `memory` MiB each.
struct GpuModel {
  std::int64_t memory = 100;  ///< 100 if the node does not report it
  bool memory_known = false;

  /// Returns an amount of memory as a portion of one device, rounded up to hundredths.
  [[nodiscard]] auto portion_of(std::int64_t amount) const -> double;
  /// Return what a request uses on each device of this node: MiB, and the same as a portion.
  [[nodiscard]] auto memory_for(const GpuRequest& request) const -> std::int64_t;
  [[nodiscard]] auto portion_for(const GpuRequest& request) const -> double;
};

/// Reads the label nvidia.com/gpu.memory. Source: api/node_info getNodeGpuMemory.
[[nodiscard]] auto gpu_model(const Snapshot& cluster, const Node& node) -> GpuModel;

/// `nvidia.com/mig-<gpus>g.<gigabytes>gb`.
struct MigProfile {
  std::int64_t gpus = 0;
  std::int64_t gigabytes = 0;
};
[[nodiscard]] auto is_mig(std::string_view resource) -> bool;
[[nodiscard]] auto mig_profile(std::string_view resource) -> std::optional<MigProfile>;

/// MIG devices requested by an annotation; they replace all other GPU requests.
struct LegacyMig {
  Symbol resource;
  std::int64_t count = 0;
};
[[nodiscard]] auto legacy_mig_of(const Snapshot& cluster, const Pod& pod) -> std::optional<LegacyMig>;

/// Applies the annotations of the pod to the request of its containers (`asked`).
[[nodiscard]] auto with_annotations(const Snapshot& cluster, const Pod& pod, const GpuRequest& asked) -> GpuRequest;

/// Returns the shared GPUs that a placed pod uses, from the labels of the pod.
[[nodiscard]] auto gpu_groups_of(const Snapshot& cluster, const Pod& pod) -> std::vector<Symbol>;

/// Replaces the labels that gpu_groups_of() reads.
void set_gpu_groups(const std::vector<std::string>& names, Pod& pod, Symbols& symbols);

}  // namespace previct::kai
