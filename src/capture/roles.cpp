#include "capture/roles.h"

#include "base/contains.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <type_traits>

namespace previct::capture {
namespace {

// Fields whose texts are always words of the API.
constexpr std::array<std::string_view, 58> kWordFields = {"operator",
                                                          "delayedTopologyRequest",
                                                          "failedIndexes",
                                                          "completedIndexes",
                                                          "succeededIndexes",
                                                          "message",
                                                          "apiVersion",
                                                          "effect",
                                                          "phase",
                                                          "status",
                                                          "protocol",
                                                          "restartPolicy",
                                                          "preemptionPolicy",
                                                          "whenUnsatisfiable",
                                                          "unhealthyPodEvictionPolicy",
                                                          "nodeAffinityPolicy",
                                                          "nodeTaintsPolicy",
                                                          "accessModes",
                                                          "volumeMode",
                                                          "volumeBindingMode",
                                                          "preemptibility",
                                                          "kind",
                                                          "preemptMinRuntime",
                                                          "reclaimMinRuntime",
                                                          "gpu",
                                                          "cpu",
                                                          "actions",
                                                          "driver",
                                                          "string",
                                                          "version",
                                                          "expression",
                                                          "matchAttribute",
                                                          "distinctAttribute",
                                                          "allocationMode",
                                                          "transitionID",
                                                          "admissionController.filtering.generateUniqueAppId",
                                                          "kubeletVersion",
                                                          "bootID",
                                                          "declaredFeatures",
                                                          "action",
                                                          "tag",
                                                          "group",
                                                          "command",
                                                          "args",
                                                          "queueingStrategy",
                                                          "stopPolicy",
                                                          "whenCanBorrow",
                                                          "whenCanPreempt",
                                                          "preference",
                                                          "withinClusterQueue",
                                                          "reclaimWithinCohort",
                                                          "policy",
                                                          "admissionMode",
                                                          "state",
                                                          "verbs",
                                                          "apiGroups",
                                                          "operations",
                                                          "resources"};

// Fields whose texts are words of Kubernetes, or words that a controller, a driver or a user made up.
constexpr std::array<std::string_view, 6> kOpenFields = {
    "type", "reason", "resize", "podManagementPolicy", "podReplacementPolicy", "managedBy"};
// The words that Kubernetes defines for these fields.
// Source: k8s.io/api: core/v1/types.go; k8s.io/kubernetes: pkg/kubelet, pkg/scheduler, v1.35.
constexpr std::string_view kOpenWords =
    "Ready MemoryPressure DiskPressure PIDPressure NetworkUnavailable "  // conditions of nodes
    "PodScheduled ContainersReady Initialized PodReadyToStartContainers DisruptionTarget "
    "PodResizePending PodResizeInProgress AllContainersRestarting "  // conditions of pods, and their reasons
    "Unschedulable SchedulingGated SchedulerError PreemptionByScheduler DeletionByTaintManager "
    "EvictionByEvictionAPI DeletionByPodGC TerminationByKubelet ContainersNotReady "
    "ContainersNotInitialized ReadinessGatesNotReady PodCompleted PodFailed Evicted Preempting "
    "NodeLost NodeAffinity NodeShutdown Shutdown Terminated "  // reasons of failed pods
    "UnexpectedAdmissionError DeadlineExceeded OutOfcpu OutOfmemory OutOfpods OutOfephemeral-storage "
    "Proposed InProgress Deferred Infeasible "  // states of a resize
    "QuotaReserved Admitted Preempted Requeued Finished WaitingForReplacementPods PodsReady "
    "Active Pending Inadmissible OnHold NoReservation InClusterQueue InCohortReclamation "
    "InCohortReclaimWhileBorrowing InCohortFairSharing PodsReadyTimeout AdmissionCheck "
    "ClusterQueueStopped LocalQueueStopped NodeFailures Deactivated AdmissionGated "  // conditions of Kueue's workloads
    "Container Pod PersistentVolumeClaim "                                            // types of LimitRanges
    "ReplicaFailure Complete Failed FailureTarget SuccessCriteriaMet Suspended "      // conditions of controllers
    "OnDelete RollingUpdate Parallel OrderedReady TerminatingOrFailed kubernetes.io/job-controller "
    "ServiceAccount OOMKilled Error";

// Groups of users that the API server defines.
constexpr std::string_view kUserGroups =
    "system:authenticated system:unauthenticated system:masters system:nodes system:serviceaccounts";

// Words in the settings of a SchedulingShard that KAI Scheduler defines: plugins, actions, flags, arguments, values.
// Source: kai-scheduler/KAI-Scheduler: pkg/scheduler/plugins/factory.go, cmd/scheduler/app/options/options.go.
constexpr std::string_view kShardWords =
    "predicates proportion priority nodeavailability resourcetype podaffinity elastic kubeflow ray subgrouporder "
    "taskorder reflectjoborder nominatednode dynamicresources minruntime topology snapshot sg-nodelocalgreedy "
    "sg-multinodegang "
    "gpupack gpuspread nodeplacement gpusharingorder numa allocate consolidation reclaim preempt stalegangeviction "
    "default NodeLocalGreedy MultiNodeGang leader-elect version enable-profiler log-json detailed-fit-errors "
    "update-pod-eviction-condition schedule-csi-storage v qps burst plugin-server-port "
    "pyroscope-mutex-profiler-rate pyroscope-block-profiler-rate num-of-status-recording-workers schedule-period "
    "max-consolidation-preemptees allow-consolidating-reclaim full-hierarchy-fairness use-scheduling-signatures "
    "restrict-node-scheduling default-staleness-grace-period stuck-in-releasing-threshold "
    "namespace metrics-namespace queue-label-key listen-address profiler-port pyroscope-address feature-gates help "
    "resource-reservation-app-label cpu-worker-node-label-key gpu-worker-node-label-key mig-worker-node-label-key "
    "scheduler-name nodepool-label-key partition-label-value scheduler-conf gpu cpu kValue "
    "relcaimerSaturationMultiplier queuePriorityInQuotaReclaim defaultReclaimMinRuntime defaultPreemptMinRuntime "
    "reclaimResolveMethod spread binpack lca";

struct FieldRole {
  std::string_view field;
  Role role;
};
constexpr std::array kFieldRoles = {FieldRole{"namespace", Role::ns},
                                    FieldRole{"image", Role::image},
                                    FieldRole{"names", Role::image},
                                    FieldRole{"namespaces", Role::ns},
                                    FieldRole{"uid", Role::uid},
                                    FieldRole{"nodeName", Role::node},
                                    FieldRole{"nominatedNodeName", Role::node},
                                    FieldRole{"selectedNode", Role::node},
                                    FieldRole{"podName", Role::pod},
                                    FieldRole{"generateName", Role::pod},
                                    FieldRole{"priorityClassName", Role::priority_class},
                                    FieldRole{"queue", Role::queue},
                                    FieldRole{"parentQueue", Role::queue},
                                    FieldRole{"claimName", Role::claim},
                                    FieldRole{"extendedResourceName", Role::resource},
                                    FieldRole{"coveredResources", Role::resource},
                                    FieldRole{"key", Role::label},
                                    FieldRole{"topologyKey", Role::label},
                                    FieldRole{"topologyKeys", Role::label},
                                    FieldRole{"matchLabelKeys", Role::label},
                                    FieldRole{"nodePoolLabelKey", Role::label},
                                    FieldRole{"queueLabelKey", Role::label},
                                    FieldRole{"appLabel", Role::value},
                                    FieldRole{"NodePoolLabelKey", Role::label},
                                    FieldRole{"nodeLabel", Role::label},
                                    FieldRole{"alias", Role::label},
                                    FieldRole{"requiredTopologyLevel", Role::label},
                                    FieldRole{"preferredTopologyLevel", Role::label},
                                    FieldRole{"selectedGPUGroups", Role::value},
                                    FieldRole{"NodePoolLabelValue", Role::value},
                                    FieldRole{"partitionLabelValue", Role::value},
                                    FieldRole{"nodePool", Role::value},
                                    FieldRole{"values", Role::value},
                                    FieldRole{"value", Role::value}};

// Labels whose values the GPU operator writes and KAI reads: amounts and words.
constexpr std::array<std::string_view, 4> kGpuLabels = {
    "nvidia.com/gpu.memory", "nvidia.com/gpu.count", "nvidia.com/mig.strategy", "node-role.kubernetes.io/mig-enabled"};

// Returns true if the label value shows the release of a scheduler (engine/own_release.h). The names of other charts
// are private.
auto shows_release(std::string_view label, std::string_view value) -> bool {
  const auto is_version = [](std::string_view text) {
    return text.find_first_not_of("v0123456789.") == std::string_view::npos;
  };
  if (label == "app.kubernetes.io/version") return is_version(value);
  if (label != "helm.sh/chart" && label != "chart") return false;
  constexpr std::array<std::string_view, 2> kCharts = {"kai-scheduler-", "yunikorn-"};
  return std::any_of(kCharts.begin(), kCharts.end(), [&](std::string_view chart) {
    return value.starts_with(chart) && is_version(value.substr(chart.size()));
  });
}

// The label values by which KAI recognizes its own pods.
constexpr std::array<std::string_view, 2> kKaiApps = {"kai-resource-reservation", "scaling-pod"};

/// Visits the fields that describe() lists, as a reader does, and records the role of each text.
class RoleFinder {
 public:
  RoleFinder(const KindInfo* kind, const Symbols& symbols, const std::vector<Symbol>& expressions, Roles& roles)
      : kind_(kind), symbols_(symbols), expressions_(expressions), roles_(roles) {}

  template <class T>
  void operator()(std::string_view name, T&& member) {
    const std::string_view above = field_;
    field_ = name;
    value(member);
    field_ = above;
  }

 private:
  [[nodiscard]] auto is(const KindInfo& kind) const -> bool { return kind_ == &kind; }
  [[nodiscard]] auto role_of(Symbol symbol) const -> Role {
    if (contains(kOpenFields, field_))
      return contains_word(kOpenWords, symbols_.text(symbol)) ? Role::word : Role::name;
    // Messages of Kueue name workloads, queues and cohorts.
    if (field_ == "message" && (is(kinds::workloads) || is(kinds::kueue_workloads) || is(kinds::admission_checks)))
      return Role::note;
    // Selectors of devices name drivers, but never the driver of a volume.
    if (field_ == "driver" && is(kinds::persistent_volumes)) return Role::name;
    if (field_ == "string" && !may_be_compared(key_)) return Role::value;
    if (is(kinds::cluster_role_bindings) && contains_word(kUserGroups, symbols_.text(symbol))) return Role::word;
    return role();
  }
  // Returns true if a CEL selector may compare the values of this attribute with a text.
  [[nodiscard]] auto may_be_compared(Symbol attribute) const -> bool {
    const std::string_view name = symbols_.text(attribute);
    const std::string_view own = name.substr(name.find('/') == std::string_view::npos ? 0 : name.find('/') + 1);
    constexpr std::array<std::string_view, 4> kMacros = {"all(", "exists", "map(", "filter("};
    return std::any_of(expressions_.begin(), expressions_.end(), [&](Symbol expression) {
      const std::string_view text = symbols_.text(expression);
      return text.find(own) != std::string_view::npos ||
             std::any_of(kMacros.begin(), kMacros.end(),
                         [&](std::string_view macro) { return text.find(macro) != std::string_view::npos; });
    });
  }
  // The role of a setting of KAI's shards: a word of the scheduler, or free text.
  [[nodiscard]] auto role_of_setting(Symbol symbol) const -> Role {
    return contains_word(kShardWords, symbols_.text(symbol)) ? Role::word : Role::note;
  }
  [[nodiscard]] auto role() const -> Role {
    if (std::find(kWordFields.begin(), kWordFields.end(), field_) != kWordFields.end()) return Role::word;
    const auto found = std::find_if(kFieldRoles.begin(), kFieldRoles.end(),
                                    [&](const FieldRole& each) { return each.field == field_; });
    return found == kFieldRoles.end() ? Role::name : found->role;
  }
  void note(Symbol symbol, Role role) {
    if (symbol) roles_.add(symbol, role);
  }

  template <class T>
  void value(T& member) {
    if constexpr (std::is_same_v<T, Symbol>) {
      if (member) note(member, role_of(member));
    } else if constexpr (std::is_same_v<T, ObjectMeta>) {
      describe(*this, member);
      note(member.name, kind_ == nullptr ? Role::name : kind_->name_role);
    } else if constexpr (std::is_same_v<T, Annotations>) {
      for (const auto& [key, text] : member) note_pair(key, Role::word, text, Role::note);
    } else if constexpr (std::is_same_v<T, SymbolMap>) {
      const bool settings = field_ == "arguments" || field_ == "args";
      for (const auto& [key, text] : member) {
        if (settings) {
          note_pair(key, role_of_setting(key), text, role_of_setting(text));
          continue;
        }
        const bool by_gpu_operator = contains(kGpuLabels, symbols_.text(key));
        const bool of_kai = contains(kKaiApps, symbols_.text(text));
        const bool of_release = shows_release(symbols_.text(key), symbols_.text(text));
        const bool by_resource = field_ == "flavors";  // in Kueue: the flavor of each resource
        note_pair(key,
                  of_kai || of_release ? Role::word
                  : by_resource        ? Role::resource
                                       : Role::label,
                  text,
                  of_kai || of_release || by_gpu_operator ? Role::word
                  : by_resource                           ? Role::name
                                                          : Role::value);
      }
    } else if constexpr (std::is_same_v<T, ResourceList>) {
      for (const auto& [key, quantity] : member) note(key, Role::resource);
    } else if constexpr (!kIsValue<T>) {
      describe(*this, member);
    }
  }
  void note_pair(Symbol key, Role of_key, Symbol text, Role of_text) {
    note(key, of_key);
    note(text, of_text);
  }

  template <class T>
  void value(std::optional<T>& member) {
    if (member) value(*member);
  }
  template <AnyList List>
  void value(List& member) {
    for (auto& each : member) value(each);
  }
  template <class T>
  void value(MapOf<T>& member) {
    for (auto& [key, held] : member) {
      note(key, is(kinds::kai_shards) ? role_of_setting(key) : Role::word);
      if (is(kinds::resource_slices) || is(kinds::resource_claims)) roles_.keep(key);
      key_ = key;
      value(held);
    }
  }
  template <class T>
  void value(Reduced<T>& member) {
    value(member.kept);
  }
  void value(KeysOf& member) {
    for (const Symbol key : member.keys) note(key, field_ == "disruptedPods" ? Role::pod : Role::word);
  }
  void value(InTreeDisk& member) {
    note(member.disk.id, member.disk.kind == DiskKind::image ? Role::image : Role::name);
    note(member.disk.pool, Role::name);
    note(member.disk.azure_kind, Role::word);
    for (const Symbol monitor : member.disk.monitors) note(monitor, Role::name);
  }

  const KindInfo* kind_;
  const Symbols& symbols_;
  const std::vector<Symbol>& expressions_;
  Roles& roles_;
  std::string_view field_;
  Symbol key_;  // the key of the map that is being visited
};

/// Collects the CEL selectors.
class ExpressionFinder {
 public:
  template <class T>
  void operator()(std::string_view name, T&& member) {
    value(name, member);
  }
  [[nodiscard]] auto found() const -> const std::vector<Symbol>& { return found_; }

 private:
  template <class T>
  void value(std::string_view name, T& member) {
    if constexpr (std::is_same_v<T, Symbol>) {
      if (name == "expression") found_.push_back(member);
    } else if constexpr (AnyList<T>) {
      for (auto& each : member) value(name, each);
    } else if constexpr (requires { member.has_value(); }) {
      if (member) value(name, *member);
    } else if constexpr (requires { describe(*this, member); }) {
      describe(*this, member);
    }
  }

  std::vector<Symbol> found_;
};

}  // namespace

auto suffix_of(Role role) -> std::string_view {
  constexpr std::array<std::string_view, 16> kSuffixes = {"node",  "ns",    "pod",      "class", "queue", "group",
                                                          "claim", "label", "resource", "value", "note",  "uid",
                                                          "name",  "image", "word",     "user"};
  return kSuffixes[static_cast<std::size_t>(role)];
}

Roles::Roles(const Objects& objects) : masks_(objects.symbols.size(), 0) {
  ExpressionFinder expressions;
  for (DeviceClass each : objects.device_classes) describe(expressions, each);
  for (ResourceClaim each : objects.resource_claims) describe(expressions, each);
  objects.each_store([&](std::string_view kind, const auto& store) {
    if (kind == kinds::events.name) return;  // events are never written under new names
    for (auto object : store) {
      RoleFinder finder(kind_of_store(kind), objects.symbols, expressions.found(), *this);
      describe(finder, object);
    }
  });
  if (objects.kai_scheduler) {
    kai::RunningScheduler running = *objects.kai_scheduler;
    RoleFinder finder(nullptr, objects.symbols, expressions.found(), *this);
    describe(finder, running);
  }
}

auto Roles::first(Symbol symbol) const -> Role {
  auto role = Role::node;
  while (role != Role::word && !has(symbol, role)) role = static_cast<Role>(static_cast<unsigned>(role) + 1);
  return role;
}

}  // namespace previct::capture
