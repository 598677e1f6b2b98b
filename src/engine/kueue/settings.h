#pragma once

#include "api/configurations.h"
#include "api/kueue_config.h"
#include "base/diagnostics.h"
#include "cluster/snapshot.h"
#include "engine/kueue/release.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace previct::kueue {

/// A rule by which fair sharing permits one workload to preempt another.
enum class FairStrategy : std::uint8_t { final_share, initial_share };

/// Feature gates that affect decisions.
struct Gates {
  bool priority_boost = false;
  bool priority_sorting = true;          ///< PrioritySortingWithinCohort
  bool preempt_within_nominal = true;    ///< FairSharingPreemptWithinNominal
  bool prioritize_non_borrowing = true;  ///< FairSharingPrioritizeNonBorrowing
  bool partial_admission = true;
  bool equivalence_hashing = true;  ///< SchedulingEquivalenceHashing
  bool timestamp_buffer = false;    ///< SchedulerTimestampPreemptionBuffer
  bool admission_gated_by = true;
  bool granular_reasons = false;  ///< UnadmittedWorkloadsObservability
  bool quota_check_strategy = true;
  bool flavor_fungibility = true;
  bool reclaimable_pods = true;
  bool topology = true;              ///< TopologyAwareScheduling
  bool topology_mixed = true;        ///< TASProfileMixed
  bool topology_recompute = true;    ///< TASRecomputeAssignmentWithinSchedulingCycle
  bool topology_overlapping = true;  ///< TASHandleOverlappingFlavors
  bool topology_balanced = false;    ///< TASBalancedPlacement
  bool topology_affinity = false;    ///< TASRespectNodeAffinityPreferred
  bool topology_elastic = false;     ///< ElasticJobsViaWorkloadSlicesWithTAS
  bool elastic_jobs = true;          ///< ElasticJobsViaWorkloadSlices
  bool dynamic_resources = true;     ///< KueueDRAIntegration
  bool mapped_resources = true;      ///< KueueDRAIntegrationExtendedResource
  bool admission_fair_sharing = true;
  bool concurrent_admission = false;
  bool orchestrated_preemption = false;  ///< MultiKueueOrchestratedPreemption
  bool scheduler_library = false;        ///< SchedulerLibraryIntegration
  bool never_waits_for_pods = false;     ///< DisableWaitForPodsReady
  bool keeps_scan_progress = false;      ///< FlavorFungibilityPreserveScanProgress
  bool hashed_requests = true;           ///< VectorizedResourceRequests
  bool recomputes_on_overlap = false;    ///< RecomputeAssignmentUponPreemptionTargetsOverlap
  bool prefers_preemptors = false;       ///< PrioritizePreemptorWorkloads
};

/// AdmissionFairSharing: past usage of LocalQueues affects the order of their workloads.
struct AdmissionFairSharing {
  double half_life = 0;  ///< seconds
  double sampling = 0;   ///< seconds
  MapOf<double> weights;
};

/// waitForPodsReady: how long the pods of an admitted workload may take to become ready.
struct PodsReadyLimits {
  std::int64_t timeout_nanos = 0;
  std::int64_t recovery_nanos = 0;  ///< 0: no limit
  double backoff_base_seconds = 60;
  double backoff_max_seconds = 3600;
  std::optional<std::int32_t> limit{};  ///< none: requeued without end
};

/// The settings of a Kueue controller: its Configuration, with the defaults of its release.
struct Settings {
  Release release;
  bool release_assumed = false;  ///< neither the question nor a pod of the input shows it
  Gates gates;
  bool fair = false;
  std::vector<FairStrategy> strategies;
  std::optional<AdmissionFairSharing> admission_fair_sharing;
  std::optional<PodsReadyLimits> pods_ready{};  ///< none: it does not wait
  bool blocks_admission = false;
  bool evicted_queue_by_eviction = true;  ///< requeuingStrategy.timestamp: Eviction
  bool queues_jobs = true;                ///< integrations.frameworks: batch/job
  std::vector<std::string> excluded_prefixes;
  std::vector<ResourceTransformation> transformations;
  bool ignores_undeclared = false;
  std::string place;  ///< the file with the Configuration; empty: none was given or found
  std::vector<std::string>
      rivals{};  ///< ConfigMaps with different Configurations, any of which may be the controller's
};

/// Returns the release, as answers name it: `0.19.0 (assumed)`.
[[nodiscard]] auto release_words(const Settings& settings) -> std::string;

/// Returns true if the feature gate is enabled by default; nothing for a gate that is not read.
[[nodiscard]] auto on_by_default(std::string_view gate, Release release) -> std::optional<bool>;

/// Returns the settings of the Configuration that applies: `given`, else that of the ConfigMap in the input, else the
/// defaults. Of several ConfigMaps, the one in the namespace of the controller's pod counts. `release`: if empty, that
/// of the controller's image, if the input contains a pod of it. Errors: the Configuration cannot be read, is not a
/// Configuration, or is one with which the controller does not start; `release` is not a release.
[[nodiscard]] auto settings_of(const Snapshot& cluster, const std::optional<ConfigFile>& given,
                               std::string_view release) -> Result<Settings>;

}  // namespace previct::kueue
