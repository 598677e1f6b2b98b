#include "engine/kueue/settings.h"

#include "api/decode.h"
#include "engine/kueue/configuration_check.h"
#include "engine/own_flags.h"
#include "input/documents.h"
#include "input/yaml_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ranges>
#include <unordered_set>

namespace previct::kueue {
namespace {

/// A feature gate that affects decisions, and the minor release from which it is enabled. Other gates have no effect
/// here.
/// Source: pkg/features/kube_features.go.
struct GateRow {
  std::string_view name;
  bool Gates::*member;
  int on_since;  // 0: in all known releases; or kNever
};
constexpr int kNever = 1000;
constexpr std::array kGates = {
    GateRow{"PriorityBoost", &Gates::priority_boost, kNever},
    GateRow{"PrioritySortingWithinCohort", &Gates::priority_sorting, 0},
    GateRow{"FairSharingPreemptWithinNominal", &Gates::preempt_within_nominal, 17},
    GateRow{"FairSharingPrioritizeNonBorrowing", &Gates::prioritize_non_borrowing, 17},
    GateRow{"PartialAdmission", &Gates::partial_admission, 0},
    GateRow{"SchedulingEquivalenceHashing", &Gates::equivalence_hashing, 18},
    GateRow{"SchedulerTimestampPreemptionBuffer", &Gates::timestamp_buffer, kNever},
    GateRow{"AdmissionGatedBy", &Gates::admission_gated_by, 19},
    GateRow{"UnadmittedWorkloadsObservability", &Gates::granular_reasons, kNever},
    GateRow{"QuotaCheckStrategy", &Gates::quota_check_strategy, 19},
    GateRow{"FlavorFungibility", &Gates::flavor_fungibility, 0},
    GateRow{"ReclaimablePods", &Gates::reclaimable_pods, 0},
    GateRow{"TopologyAwareScheduling", &Gates::topology, 14},
    GateRow{"TASProfileMixed", &Gates::topology_mixed, 15},
    GateRow{"TASRecomputeAssignmentWithinSchedulingCycle", &Gates::topology_recompute, 19},
    GateRow{"TASHandleOverlappingFlavors", &Gates::topology_overlapping, 18},
    GateRow{"TASBalancedPlacement", &Gates::topology_balanced, kNever},
    GateRow{"TASRespectNodeAffinityPreferred", &Gates::topology_affinity, kNever},
    GateRow{"ElasticJobsViaWorkloadSlicesWithTAS", &Gates::topology_elastic, kNever},
    GateRow{"ElasticJobsViaWorkloadSlices", &Gates::elastic_jobs, 18},
    GateRow{"KueueDRAIntegration", &Gates::dynamic_resources, 18},
    GateRow{"KueueDRAIntegrationExtendedResource", &Gates::mapped_resources, 19},
    GateRow{"AdmissionFairSharing", &Gates::admission_fair_sharing, 15},
    GateRow{"ConcurrentAdmission", &Gates::concurrent_admission, kNever},
    GateRow{"MultiKueueOrchestratedPreemption", &Gates::orchestrated_preemption, kNever},
    GateRow{"SchedulerLibraryIntegration", &Gates::scheduler_library, kNever},
    GateRow{"DisableWaitForPodsReady", &Gates::never_waits_for_pods, kNever},
    GateRow{"FlavorFungibilityPreserveScanProgress", &Gates::keeps_scan_progress, kNever},
    GateRow{"VectorizedResourceRequests", &Gates::hashed_requests, 19},
    GateRow{"RecomputeAssignmentUponPreemptionTargetsOverlap", &Gates::recomputes_on_overlap, kNever},
    GateRow{"PrioritizePreemptorWorkloads", &Gates::prefers_preemptors, kNever}};

auto default_gates(Release release) -> Gates {
  Gates gates;
  for (const GateRow& row : kGates) gates.*row.member = release.minor >= row.on_since;
  gates.keeps_scan_progress = has_flavor_fixes(release);
  return gates;
}

void set_gates(const GivenGates& given, Gates& gates) {
  for (const GateRow& row : kGates) {
    if (const auto found = given.find(row.name); found != given.end()) gates.*row.member = found->second;
  }
}

// Reads the Configuration from a text: its only document, or the text of a ConfigMap.
class Reader {
 public:
  explicit Reader(const Snapshot& cluster) : cluster_(cluster) {}

  auto read(std::string_view text, FileId file) -> Result<Configuration> {
    const auto source = yaml_source(text, file);
    for (;;) {
      PREVICT_TRY(const Event event, source->next());
      if (event.type == EventType::end_stream) return fail("no Configuration of Kueue in it", {file});
      if (event.type == EventType::end_document) continue;
      Tape tape;
      PREVICT_CHECK(record(*source, event, tape));
      if (tape[0].type == EventType::scalar && tape[0].scalar == ScalarType::null) continue;
      return configuration_in(tape, file);
    }
  }

 private:
  auto configuration_in(const Tape& tape, FileId file) -> Result<Configuration> {
    const Place place{file, tape[0].line, tape[0].column};
    const std::string_view kind = tape.string(tape.find(0, "kind"));
    if (kind == "ConfigMap") {
      const std::string_view inner = tape.string(tape.find(tape.find(0, "data"), kConfigMapKey));
      if (inner.empty()) return fail(fmt::format("this ConfigMap has no {}", kConfigMapKey), place);
      const std::string text(inner);
      return read(text, file);
    }
    const std::string_view version = tape.string(tape.find(0, "apiVersion"));
    if (kind != "Configuration" || !version.starts_with(kConfigGroup)) {
      return fail(fmt::format("expected a Configuration of {}v1beta2, found {} \"{}\"", kConfigGroup, version, kind),
                  place);
    }
    Configuration found;
    PREVICT_CHECK(Decoder(tape, file, cluster_.symbols(), cluster_.diagnostics()).decode(0, found));
    return found;
  }

  const Snapshot& cluster_;
};

// Source: apis/config/v1beta2/defaults.go, apis/config/v1beta1/defaults.go; pkg/controller/core/core.go.
auto limits_of(const WaitForPodsReady& given, bool v1beta1) -> PodsReadyLimits {
  constexpr std::int64_t kMinute = 60'000'000'000;
  PodsReadyLimits limits;
  const std::int64_t usual = v1beta1 ? 5 * kMinute : 30 * kMinute;
  limits.timeout_nanos = given.timeout ? given.timeout->nanos : usual;
  if (limits.timeout_nanos == 0 && !v1beta1) limits.timeout_nanos = usual;
  limits.recovery_nanos = given.recovery_timeout ? given.recovery_timeout->nanos : limits.timeout_nanos;
  limits.backoff_base_seconds = given.requeuing.backoff_base_seconds.value_or(60);
  limits.backoff_max_seconds = given.requeuing.backoff_max_seconds.value_or(3600);
  limits.limit = given.requeuing.backoff_limit;
  return limits;
}

void apply(const Configuration& read, const Snapshot& cluster, Settings& settings) {
  const bool v1beta1 = read.api_version.ends_with("/v1beta1");
  if (read.fair_sharing) {
    settings.fair = !v1beta1 || read.fair_sharing->enable.value_or(false);
    for (const Symbol each : read.fair_sharing->strategies) {
      settings.strategies.push_back(cluster.text(each) == "LessThanInitialShare" ? FairStrategy::initial_share
                                                                                 : FairStrategy::final_share);
    }
  }
  if (settings.fair && settings.strategies.empty())
    settings.strategies = {FairStrategy::final_share, FairStrategy::initial_share};
  if (read.admission_fair_sharing) {
    constexpr double kNanos = 1e9;
    constexpr double kFiveMinutes = 300;
    const AdmissionFairSharingConfig& given = *read.admission_fair_sharing;
    const double sampling = static_cast<double>(given.usage_sampling_interval.nanos) / kNanos;
    settings.admission_fair_sharing = {static_cast<double>(given.usage_half_life.nanos) / kNanos,
                                       sampling == 0 ? kFiveMinutes : sampling, given.resource_weights};
  }
  if (read.wait_for_pods_ready) {
    const WaitForPodsReady& given = *read.wait_for_pods_ready;
    const bool waits = !v1beta1 || given.enable.value_or(false);
    settings.pods_ready = waits ? std::optional(limits_of(given, v1beta1)) : std::nullopt;
    settings.blocks_admission = waits && given.block_admission.value_or(v1beta1);
    settings.evicted_queue_by_eviction = cluster.text(given.requeuing.timestamp) != "Creation";
  }
  const auto& frameworks = read.integrations.frameworks;
  settings.queues_jobs =
      frameworks.empty() || std::find(frameworks.begin(), frameworks.end(), "batch/job") != frameworks.end();
  settings.excluded_prefixes = read.resources.exclude_prefixes;
  settings.transformations = read.resources.transformations;
  if (!settings.gates.admission_fair_sharing) settings.admission_fair_sharing.reset();
  if (!read.wait_for_pods_ready && v1beta1) settings.pods_ready.reset();
  if (settings.gates.never_waits_for_pods) {
    settings.pods_ready.reset();
    settings.blocks_admission = false;
  }
  settings.ignores_undeclared =
      cluster.text(read.resources.quota_check_strategy) == "IgnoreUndeclared" && settings.gates.quota_check_strategy;
}

struct ConfigText {
  std::string_view text;
  Place at;  ///< the ConfigMap, or the file
};

// The container of Kueue's controller, if the input contains a pod of it.
struct ControllerContainer {
  explicit ControllerContainer(const Snapshot& cluster) {
    std::unordered_set<std::uint32_t> others;  // images; many pods share one
    for (const PodId id : cluster.pods().ids()) {
      const auto& containers = cluster.pod(id).spec.containers;
      const auto found = std::find_if(containers.begin(), containers.end(), [&](const Container& each) {
        return others.insert(each.image.index).second &&
               component_of_image(cluster.text(each.image)).starts_with("kueue:");
      });
      if (found == containers.end()) continue;
      pod = id;
      index = static_cast<std::size_t>(found - containers.begin());
      return;
    }
  }
  PodId pod{};
  std::size_t index = 0;
};

auto controller_in(const Snapshot& cluster) -> const Container* {
  const auto& of = cluster.derived<ControllerContainer>();
  return of.pod ? &cluster.pod(of.pod).spec.containers[of.index] : nullptr;
}

// The text of the flags' gates outlives what is returned.
auto gates_of_flags(std::string_view flags) -> GivenGates {
  GivenGates given;
  for (const auto part : std::views::split(flags, ',')) {
    const std::string_view one(part.begin(), part.end());
    const std::size_t equals = one.find('=');
    const std::string_view on = equals == std::string_view::npos ? "" : one.substr(equals + 1);
    if (on == "true" || on == "false") given[one.substr(0, equals)] = on == "true";
  }
  return given;
}

// The ConfigMaps with a Configuration, by namespace and name: all those with the same text as one.
auto in_cluster(const Snapshot& cluster) -> std::vector<std::pair<std::string, ConfigText>> {
  const PodId controller = cluster.derived<ControllerContainer>().pod;
  std::vector<std::pair<std::string, ConfigText>> found;
  for (const ConfigMap& map : cluster.objects().config_maps) {
    if (controller && map.meta.ns != cluster.pod(controller).meta.ns) continue;
    const bool named = cluster.text(map.meta.name).ends_with(kConfigMapName);
    for (const auto& [key, text] : map.data) {
      if (cluster.text(key) != kConfigMapKey || (!named && text.text.find(kConfigGroup) == std::string::npos)) continue;
      found.emplace_back(fmt::format("{}/{}", cluster.text(map.meta.ns), cluster.text(map.meta.name)),
                         ConfigText{text.text, map.meta.source});
    }
  }
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  const bool same = std::all_of(found.begin(), found.end(),
                                [&](const auto& each) { return each.second.text == found.front().second.text; });
  if (same && !found.empty()) found.resize(1, found.front());
  return found;
}

}  // namespace

auto on_by_default(std::string_view gate, Release release) -> std::optional<bool> {
  const auto row = std::find_if(kGates.begin(), kGates.end(), [&](const GateRow& each) { return each.name == gate; });
  return row == kGates.end() ? std::nullopt : std::optional(default_gates(release).*row->member);
}

auto release_words(const Settings& settings) -> std::string {
  return release_text(settings.release) + (settings.release_assumed ? " (assumed)" : "");
}

auto settings_of(const Snapshot& cluster, const std::optional<ConfigFile>& given, std::string_view release)
    -> Result<Settings> {
  Settings settings;
  PREVICT_TRY(settings.release, read_release(release));
  settings.release_assumed = release.empty();
  const Container* const controller = controller_in(cluster);
  if (controller != nullptr && release.empty()) {
    const std::string_view image = component_of_image(cluster.text(controller->image));
    if (const auto tagged = read_release(image.substr(image.find(':') + 1))) {
      settings.release = *tagged;
      settings.release_assumed = false;
    }
  }
  settings.gates = default_gates(settings.release);
  const OwnFlags flags = controller != nullptr ? own_flags(*controller, cluster.symbols()) : OwnFlags();
  GivenGates gates = gates_of_flags(flags.gates);
  set_gates(gates, settings.gates);
  // Since 0.19, Kueue waits unless a Configuration of v1beta1 does not enable it.
  constexpr int kWaitsSince = 19;
  if (settings.release.minor >= kWaitsSince && !settings.gates.never_waits_for_pods)
    settings.pods_ready = limits_of({}, false);
  const auto in_input = given ? std::vector<std::pair<std::string, ConfigText>>() : in_cluster(cluster);
  if (in_input.size() > 1) {
    for (const auto& [name, text] : in_input) settings.rivals.push_back(name);
  }
  if (!given && in_input.empty()) {
    PREVICT_CHECK(check_gates(gates, settings.release, {}));
    return settings;
  }
  const ConfigText found = given ? ConfigText{given->bytes, {given->file}} : in_input.front().second;
  const Files& files = cluster.objects().files;
  if (found.at.file.index < files.size()) settings.place = files.name(found.at.file);
  PREVICT_TRY(const Configuration read, Reader(cluster).read(found.text, found.at.file));
  if (!flags.gates.empty() && !read.feature_gates.empty())
    return fail("feature gates are set by featureGates and by --feature-gates of the controller", found.at,
                "Kueue does not start with both; set all feature gates in one of them");
  for (const auto& [gate, on] : read.feature_gates) gates[cluster.text(gate)] = on;
  set_gates(gates, settings.gates);
  PREVICT_CHECK(check_gates(gates, settings.release, found.at));
  PREVICT_CHECK(check_configuration(read, settings, cluster, found.at));
  apply(read, cluster, settings);
  return settings;
}

}  // namespace previct::kueue
