#pragma once

#include "cluster/snapshot.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace previct::kai {

/// What a pod asks of GPUs: whole ones, a part of some (by portion or by memory), or MIG devices.
/// Source: kai-scheduler/KAI-Scheduler pkg/scheduler/api/pod_info updatePodAdditionalFields,
/// api/resource_info/gpu_resource_requirment.go.
struct GpuRequest {
  enum class Kind : std::uint8_t { whole, fraction, memory, mig };

  Kind kind = Kind::whole;
  bool legacy_mig = false;   ///< by annotation: never placed
  std::int64_t devices = 0;  ///< that it takes part of, each by `portion` or `memory`
  double portion = 0;        ///< of each device; 0 if asked by memory alone
  std::int64_t memory = 0;   ///< MiB of each device; 0 if asked by portion
  double mig = 0;            ///< GPUs that its MIG devices stand for
  std::int64_t mig_gigabytes = 0;

  [[nodiscard]] auto is_shared() const -> bool { return kind == Kind::fraction || kind == Kind::memory; }
  /// Whole and portions of GPUs, without MIG devices; in hundredths.
  [[nodiscard]] auto gpus() const -> double { return parts(devices, portion); }
  /// With MIG devices: what is held against free GPUs before a search.
  [[nodiscard]] auto quota() const -> double { return mig + gpus(); }
  /// Does it need any kind of GPU at all?
  [[nodiscard]] auto needs_gpu() const -> bool { return gpus() > 0 || kind == Kind::memory || kind == Kind::mig; }
  /// Of memory asked, as GPUs of this much memory.
  [[nodiscard]] auto memory_as_gpus(std::int64_t device_memory) const -> double {
    if (memory <= 0 || device_memory <= 0) return 0;
    return static_cast<double>(devices) * (static_cast<double>(memory) / static_cast<double>(device_memory));
  }

  static auto parts(std::int64_t devices, double portion) -> double;
};

/// The GPUs of one node: `memory` MiB each.
struct GpuModel {
  std::int64_t memory = 100;  ///< 100 if the node does not tell
  bool memory_known = false;

  /// Of memory, as a portion of one device, rounded up to hundredths.
  [[nodiscard]] auto portion_of(std::int64_t amount) const -> double;
  /// MiB on each device that a request takes here, and the same as a portion.
  [[nodiscard]] auto memory_for(const GpuRequest& request) const -> std::int64_t;
  [[nodiscard]] auto portion_for(const GpuRequest& request) const -> double;
};

/// What the label nvidia.com/gpu.memory tells. Source: api/node_info getNodeGpuMemory.
[[nodiscard]] auto gpu_model(const Snapshot& cluster, const Node& node) -> GpuModel;

/// `nvidia.com/mig-<gpus>g.<gigabytes>gb`.
struct MigProfile {
  std::int64_t gpus = 0;
  std::int64_t gigabytes = 0;
};
[[nodiscard]] auto is_mig(std::string_view resource) -> bool;
[[nodiscard]] auto mig_profile(std::string_view resource) -> std::optional<MigProfile>;

/// MIG devices of an annotation, by name; they replace all others.
struct LegacyMig {
  Symbol resource;
  std::int64_t count = 0;
};
[[nodiscard]] auto legacy_mig_of(const Snapshot& cluster, const Pod& pod) -> std::optional<LegacyMig>;

/// The annotations of the pod over what its containers ask (`asked`).
[[nodiscard]] auto with_annotations(const Snapshot& cluster, const Pod& pod, const GpuRequest& asked) -> GpuRequest;

/// The shared GPUs a placed pod is on, by the labels of its pod.
[[nodiscard]] auto gpu_groups_of(const Snapshot& cluster, const Pod& pod) -> std::vector<Symbol>;

}  // namespace previct::kai
