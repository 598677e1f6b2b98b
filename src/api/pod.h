#pragma once

#include "api/meta.h"
#include "base/shared_list.h"

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace previct {

struct ContainerPort {
  std::int32_t container_port = 0;
  std::int32_t host_port = 0;  ///< 0: not set
  Symbol host_ip;              ///< none: 0.0.0.0
  Symbol protocol;             ///< none: TCP

  template <class Field>
  friend void describe(Field& field, ContainerPort& self) {
    field("containerPort", self.container_port);
    field("hostPort", self.host_port);
    field("hostIP", self.host_ip);
    field("protocol", self.protocol);
  }
  friend auto operator==(const ContainerPort&, const ContainerPort&) -> bool = default;
};

struct ResourceRequirements {
  ResourceList requests;
  ResourceList limits;
  bool has_claims = false;  ///< resources.claims: dynamic resource allocation

  template <class Field>
  friend void describe(Field& field, ResourceRequirements& self) {
    field("requests", self.requests);
    field("limits", self.limits);
    field("claims", present(self.has_claims));
  }
  friend auto operator==(const ResourceRequirements&, const ResourceRequirements&) -> bool = default;
};

struct Named {
  Symbol name;

  template <class Field>
  friend void describe(Field& field, Named& self) {
    field("name", self.name);
  }
};

/// Reduces the path of a container's mount, and the name of a ConfigMap. Of a mount only its existence is kept; the
/// mount of the service account token is dropped, because its volume has a random name, which would make every replica
/// different. The ConfigMap that exists in every namespace is dropped, too. Source: kubernetes
/// plugin/pkg/admission/serviceaccount/admission.go DefaultAPITokenMountPath;
/// pkg/controller/certificates/rootcacertpublisher.
[[nodiscard]] auto mount_of_path(std::string_view path) -> std::string_view;
[[nodiscard]] auto own_config_map(std::string_view name) -> std::string_view;
/// The name of the token's volume without its random suffix. Source: as above, ServiceAccountVolumeName; apiserver
/// pkg/storage/names/generate.go.
[[nodiscard]] auto volume_name(std::string_view name) -> std::string_view;

/// A volume that a container mounts.
struct VolumeMount {
  Symbol name;
  Symbol path;                          ///< see mount_of_path()
  bool has_bind_mount_options = false;  ///< alpha in 1.37

  [[nodiscard]] auto matters() const -> bool { return path || has_bind_mount_options; }

  template <class Field>
  friend void describe(Field& field, VolumeMount& self) {
    field("name", reduced(self.name, volume_name, true));
    field("mountPath", reduced(self.path, mount_of_path));
    field("bindMountOptions", present(self.has_bind_mount_options));
  }
  friend auto operator==(const VolumeMount&, const VolumeMount&) -> bool = default;
};

/// A ConfigMap that a pod refers to. Unless it is optional, the pod cannot start without it.
struct ConfigMapRef {
  Symbol name;  ///< see own_config_map()
  bool optional = false;

  template <class Field>
  friend void describe(Field& field, ConfigMapRef& self) {
    field("name", reduced(self.name, own_config_map, true));
    field("optional", self.optional);
  }
  friend auto operator==(const ConfigMapRef&, const ConfigMapRef&) -> bool = default;
};

struct EnvSource {
  ConfigMapRef config_map;

  template <class Field>
  friend void describe(Field& field, EnvSource& self) {
    field("configMapKeyRef", self.config_map);
  }
  friend auto operator==(const EnvSource&, const EnvSource&) -> bool = default;
};

/// An environment variable; only variables from a ConfigMap are kept.
struct EnvVar {
  EnvSource source;

  [[nodiscard]] auto matters() const -> bool { return static_cast<bool>(source.config_map.name); }

  template <class Field>
  friend void describe(Field& field, EnvVar& self) {
    field("valueFrom", self.source);
  }
  friend auto operator==(const EnvVar&, const EnvVar&) -> bool = default;
};

/// A ConfigMap that is used as a whole: by a container's environment, or by a projected volume.
struct FromConfigMap {
  ConfigMapRef config_map;

  [[nodiscard]] auto matters() const -> bool { return static_cast<bool>(config_map.name); }
  friend auto operator==(const FromConfigMap&, const FromConfigMap&) -> bool = default;
};

struct EnvFrom : FromConfigMap {
  template <class Field>
  friend void describe(Field& field, EnvFrom& self) {
    field("configMapRef", self.config_map);
  }
  friend auto operator==(const EnvFrom&, const EnvFrom&) -> bool = default;
};

/// The action of the kubelet when a container ends in a certain way (1.35).
struct RestartRule {
  Symbol action;

  template <class Field>
  friend void describe(Field& field, RestartRule& self) {
    field("action", self.action);
  }
  friend auto operator==(const RestartRule&, const RestartRule&) -> bool = default;
};

/// The part of an image name that shows the release of a component: `kube-scheduler:v1.33.4`,
/// `kai-scheduler/scheduler:v0.14.0`, `yunikorn:scheduler-1.6.3`; empty for images of other programs.
[[nodiscard]] auto component_of_image(std::string_view image) -> std::string_view;
/// Returns true if the name of an image has a tag or digest; otherwise the tag `latest` is meant. Source:
/// pkg/scheduler/framework/plugins/imagelocality/image_locality.go normalizedImageName, v1.35.4.
[[nodiscard]] auto has_tag(std::string_view image) -> bool;
/// Reduces a container's arguments to the flags that change the behavior of a release. Gates and versions are also kept
/// as arguments of their own. Of the command line of a shell, one flag is kept.
[[nodiscard]] auto flag_of_release(std::string_view argument) -> std::string_view;
/// Returns true if the next argument is the value of this one, a number or a length of time.
[[nodiscard]] auto takes_number(std::string_view argument) -> bool;
/// Reduces the argument after such a flag: `50`, `5m30s`; or to a flag, if it is none.
[[nodiscard]] auto number_of_flag(std::string_view argument) -> std::string_view;

struct Container {
  Symbol name;
  Symbol image;           ///< as written, with or without a tag
  Symbol restart_policy;  ///< "Always" makes an init container a sidecar
  ResourceRequirements resources;
  SharedList<ContainerPort> ports;
  SharedList<EnvVar> env;
  SharedList<EnvFrom> env_from;
  SharedList<VolumeMount> mounts;
  SharedList<RestartRule> restart_rules;
  SharedList<Symbol> command;  ///< see flag_of_release(); `command` and `args`
  SharedList<Symbol> args;

  template <class Field>
  friend void describe(Field& field, Container& self) {
    field("name", self.name);
    field("resources", self.resources);
    field("ports", self.ports);
    field("env", self.env);
    field("envFrom", self.env_from);
    field("volumeMounts", self.mounts);
    field("restartPolicy", self.restart_policy);
    field("restartPolicyRules", self.restart_rules);
    field("image", self.image);
    field("command", reduced(self.command, flag_of_release));
    field("args", reduced(self.args, flag_of_release));
  }
  friend auto operator==(const Container&, const Container&) -> bool = default;
};

struct TaintToleration {
  Symbol key;
  Symbol op;
  Symbol value;
  Symbol effect;
  std::optional<std::int64_t> seconds{};  ///< of NoExecute: how long the pod stays; none: forever

  template <class Field>
  friend void describe(Field& field, TaintToleration& self) {
    field("key", self.key);
    field("operator", self.op);
    field("value", self.value);
    field("effect", self.effect);
    field("tolerationSeconds", self.seconds);
  }
};

struct PodAffinityTerm {
  Symbol topology_key;
  std::optional<LabelSelector> selector;
  SharedList<Symbol> namespaces;
  std::optional<LabelSelector> namespace_selector;
  SharedList<Symbol> match_label_keys;  ///< merged into the selector by the API server or by default_pod(), like the
                                        ///< next member
  SharedList<Symbol> mismatch_label_keys;

  template <class Field>
  friend void describe(Field& field, PodAffinityTerm& self) {
    field("topologyKey", self.topology_key);
    field("labelSelector", self.selector);
    field("namespaces", self.namespaces);
    field("namespaceSelector", self.namespace_selector);
    field("matchLabelKeys", self.match_label_keys);
    field("mismatchLabelKeys", self.mismatch_label_keys);
  }
};

struct WeightedNodeTerm {
  std::int32_t weight = 0;
  NodeSelectorTerm term;

  template <class Field>
  friend void describe(Field& field, WeightedNodeTerm& self) {
    field("weight", self.weight);
    field("preference", self.term);
  }
};

struct NodeAffinitySpec {
  std::optional<NodeSelector> required;
  std::optional<SharedList<WeightedNodeTerm>> preferred;  ///< an empty list is different from none

  [[nodiscard]] auto preferred_terms() const -> std::span<const WeightedNodeTerm> {
    return preferred ? std::span(std::as_const(*preferred).begin(), preferred->size())
                     : std::span<const WeightedNodeTerm>();
  }

  template <class Field>
  friend void describe(Field& field, NodeAffinitySpec& self) {
    field("requiredDuringSchedulingIgnoredDuringExecution", self.required);
    field("preferredDuringSchedulingIgnoredDuringExecution", self.preferred);
  }
};

struct WeightedPodAffinityTerm {
  std::int32_t weight = 0;
  PodAffinityTerm term;

  template <class Field>
  friend void describe(Field& field, WeightedPodAffinityTerm& self) {
    field("weight", self.weight);
    field("podAffinityTerm", self.term);
  }
};

struct PodAffinitySpec {
  SharedList<PodAffinityTerm> required;
  SharedList<WeightedPodAffinityTerm> preferred;

  template <class Field>
  friend void describe(Field& field, PodAffinitySpec& self) {
    field("requiredDuringSchedulingIgnoredDuringExecution", self.required);
    field("preferredDuringSchedulingIgnoredDuringExecution", self.preferred);
  }
};

/// Preferences never decide whether a pod fits. Preferences for pods rank nodes if a scheduler uses them, and KAI
/// compares all of them.
struct Affinity {
  NodeAffinitySpec node;
  PodAffinitySpec pod;
  PodAffinitySpec pod_anti;
  bool given = false;  ///< an empty affinity is different from none

  template <class Field>
  friend void describe(Field& field, Affinity& self) {
    field("nodeAffinity", self.node);
    field("podAffinity", self.pod);
    field("podAntiAffinity", self.pod_anti);
  }
};

struct TopologySpreadConstraint {
  Symbol topology_key;
  Symbol when_unsatisfiable;
  Symbol node_affinity_policy;
  Symbol node_taints_policy;
  std::int32_t max_skew = 0;
  std::optional<std::int32_t> min_domains;
  std::optional<LabelSelector> selector;
  SharedList<Symbol> match_label_keys;

  template <class Field>
  friend void describe(Field& field, TopologySpreadConstraint& self) {
    field("topologyKey", self.topology_key);
    field("whenUnsatisfiable", self.when_unsatisfiable);
    field("maxSkew", self.max_skew);
    field("minDomains", self.min_domains);
    field("labelSelector", self.selector);
    field("matchLabelKeys", self.match_label_keys);
    field("nodeAffinityPolicy", self.node_affinity_policy);
    field("nodeTaintsPolicy", self.node_taints_policy);
  }
};

/// The kinds of inline volumes that filters examine, in the order of the API, followed by those that only KAI's
/// comparison of pods uses.
enum class DiskKind : std::uint8_t {
  none,
  gce_pd,
  aws_ebs,
  azure_disk,
  cinder,
  iscsi,
  rbd,
  azure_file,
  vsphere,
  portworx,
  empty_dir,
  host_path,
  nfs,
  csi,
  downward_api,
  image
};
[[nodiscard]] constexpr auto is_disk(DiskKind kind) -> bool {
  return kind != DiskKind::none && kind <= DiskKind::portworx;
}

struct Disk {
  DiskKind kind = DiskKind::none;
  Symbol id;                    ///< pdName, volumeID, diskURI, iqn, rbd image; path, driver, medium of volumes that are
                                ///< not disks
  Symbol pool;                  ///< rbd; none: "rbd"; server, type, sizeLimit of volumes that are not disks
  Symbol azure_kind;            ///< azureDisk; none: not set
  SharedList<Symbol> monitors;  ///< rbd
  bool read_only = false;
  friend auto operator==(const Disk&, const Disk&) -> bool = default;
};

/// The fields of a pod's volume or a persistent volume that name a disk, each as `field: {id-field, readOnly}`.
template <class Field>
void describe_disks(Field& field, Disk& disk) {
  field("gcePersistentDisk", in_tree_disk(disk, DiskKind::gce_pd, "pdName"));
  field("awsElasticBlockStore", in_tree_disk(disk, DiskKind::aws_ebs, "volumeID"));
  field("azureDisk", in_tree_disk(disk, DiskKind::azure_disk, "diskURI"));
  field("cinder", in_tree_disk(disk, DiskKind::cinder, "volumeID"));
  field("iscsi", in_tree_disk(disk, DiskKind::iscsi, "iqn"));
  field("rbd", in_tree_disk(disk, DiskKind::rbd, "image"));
  field("azureFile", in_tree_disk(disk, DiskKind::azure_file, ""));
  field("vsphereVolume", in_tree_disk(disk, DiskKind::vsphere, "volumePath"));
  field("portworxVolume", in_tree_disk(disk, DiskKind::portworx, "volumeID"));
}

struct PersistentVolumeClaimSource {
  Symbol claim_name;

  template <class Field>
  friend void describe(Field& field, PersistentVolumeClaimSource& self) {
    field("claimName", self.claim_name);
  }
  friend auto operator==(const PersistentVolumeClaimSource&, const PersistentVolumeClaimSource&) -> bool = default;
};

struct ProjectedSource : FromConfigMap {
  template <class Field>
  friend void describe(Field& field, ProjectedSource& self) {
    field("configMap", self.config_map);
  }
  friend auto operator==(const ProjectedSource&, const ProjectedSource&) -> bool = default;
};

struct ProjectedVolume {
  SharedList<ProjectedSource> sources;

  template <class Field>
  friend void describe(Field& field, ProjectedVolume& self) {
    field("sources", self.sources);
  }
  friend auto operator==(const ProjectedVolume&, const ProjectedVolume&) -> bool = default;
};

struct Volume {
  Symbol name;
  PersistentVolumeClaimSource claim;
  bool ephemeral = false;  ///< a generic ephemeral volume: its claim is named <pod>-<volume>
  Disk disk;
  ConfigMapRef config_map;
  ProjectedVolume projected;

  /// Returns true for a claim or a disk, which restricts the nodes of the pod.
  [[nodiscard]] auto is_storage() const -> bool { return claim.claim_name || ephemeral || is_disk(disk.kind); }
  /// Returns false for other kinds of volumes (secret …), which are dropped while the pod is read.
  [[nodiscard]] auto matters() const -> bool {
    return is_storage() || disk.kind != DiskKind::none || config_map.name || !projected.sources.empty();
  }

  template <class Field>
  friend void describe(Field& field, Volume& self) {
    field("name", reduced(self.name, volume_name, true));
    field("persistentVolumeClaim", self.claim);
    field("ephemeral", present(self.ephemeral));
    field("configMap", self.config_map);
    field("projected", self.projected);
    describe_disks(field, self.disk);
    field("emptyDir", in_tree_disk(self.disk, DiskKind::empty_dir, "medium", "sizeLimit"));
    field("hostPath", in_tree_disk(self.disk, DiskKind::host_path, "path", "type"));
    field("nfs", in_tree_disk(self.disk, DiskKind::nfs, "path", "server"));
    field("csi", in_tree_disk(self.disk, DiskKind::csi, "driver", "fsType"));
    field("downwardAPI", in_tree_disk(self.disk, DiskKind::downward_api, ""));
    field("image", in_tree_disk(self.disk, DiskKind::image, "reference"));
  }
  friend auto operator==(const Volume&, const Volume&) -> bool = default;
};

/// A pod's claim for devices (dynamic resource allocation): an existing claim, or one that is created for the pod from
/// a template.
struct PodResourceClaim {
  Symbol name;
  Symbol claim_name;
  Symbol template_name;

  template <class Field>
  friend void describe(Field& field, PodResourceClaim& self) {
    field("name", self.name);
    field("resourceClaimName", self.claim_name);
    field("resourceClaimTemplateName", self.template_name);
  }
};

/// The claim that was created from one of a pod's templates; without a name if none was needed.
struct PodResourceClaimStatus {
  Symbol name;
  Symbol claim_name;

  template <class Field>
  friend void describe(Field& field, PodResourceClaimStatus& self) {
    field("name", self.name);
    field("resourceClaimName", self.claim_name);
  }
};

/// The PodGroup that a pod belongs to (1.36).
struct SchedulingGroup {
  Symbol pod_group;

  template <class Field>
  friend void describe(Field& field, SchedulingGroup& self) {
    field("podGroupName", self.pod_group);
  }
};

/// The group of a Workload that a pod belongs to (1.35).
struct WorkloadReference {
  Symbol workload;
  Symbol pod_group;
  Symbol replica;

  template <class Field>
  friend void describe(Field& field, WorkloadReference& self) {
    field("name", self.workload);
    field("podGroup", self.pod_group);
    field("podGroupReplicaKey", self.replica);
  }
  friend auto operator==(const WorkloadReference&, const WorkloadReference&) -> bool = default;
};

struct PodSpec {
  SharedList<Container> containers;
  SharedList<Container> init_containers;
  SharedList<Container> ephemeral_containers;
  ResourceList overhead;
  std::optional<ResourceRequirements> resources;  ///< pod-level
  Symbol node_name;
  Symbol scheduler_name;
  Symbol priority_class_name;
  Symbol preemption_policy;
  std::int32_t priority = 0;
  bool has_priority = false;
  std::optional<std::int64_t> termination_grace_seconds;
  std::optional<std::int64_t> active_deadline_seconds;
  SymbolMap node_selector;
  Affinity affinity;
  SharedList<TaintToleration> tolerations;
  SharedList<TopologySpreadConstraint> topology_spread;
  SharedList<Volume> volumes;
  SharedList<Named> scheduling_gates;
  SharedList<PodResourceClaim> resource_claims;
  SchedulingGroup scheduling_group;
  WorkloadReference workload_ref;
  bool host_network = false;
  std::optional<bool> host_users;
  Symbol runtime_class_name;
  Symbol other_decides;          ///< for a pod of an overlay: what decides about it before its scheduler does, in words
  Symbol missing_runtime_class;  ///< for a pod of an overlay whose class the input lacks: the additions of the class
                                 ///< are unknown

  [[nodiscard]] auto has_storage() const -> bool {
    return std::any_of(volumes.begin(), volumes.end(), [](const Volume& volume) { return volume.is_storage(); });
  }

  template <class Field>
  friend void describe(Field& field, PodSpec& self) {
    field("containers", self.containers);
    field("initContainers", self.init_containers);
    field("ephemeralContainers", self.ephemeral_containers);
    field("overhead", self.overhead);
    field("resources", self.resources);
    field("nodeName", self.node_name);
    field("schedulerName", self.scheduler_name);
    field("priorityClassName", self.priority_class_name);
    field("preemptionPolicy", self.preemption_policy);
    field("priority", optional_number(self.priority, self.has_priority));
    field("terminationGracePeriodSeconds", self.termination_grace_seconds);
    field("activeDeadlineSeconds", self.active_deadline_seconds);
    field("nodeSelector", self.node_selector);
    field("affinity", self.affinity);
    field("tolerations", self.tolerations);
    field("topologySpreadConstraints", self.topology_spread);
    field("volumes", self.volumes);
    field("schedulingGates", self.scheduling_gates);
    field("resourceClaims", self.resource_claims);
    field("schedulingGroup", self.scheduling_group);
    field("workloadRef", self.workload_ref);
    field("hostNetwork", self.host_network);
    field("hostUsers", self.host_users);
    field("runtimeClassName", self.runtime_class_name);
  }
};

struct Condition {
  Symbol type;
  Symbol status;
  Symbol reason;
  Symbol message{};
  std::optional<Instant> last_transition;  ///< of the status; a message may be newer

  template <class Field>
  friend void describe(Field& field, Condition& self) {
    field("type", self.type);
    field("status", self.status);
    field("reason", self.reason);
    field("message", self.message);
    field("lastTransitionTime", self.last_transition);
  }
};

struct ContainerStatus {
  Symbol name;
  std::optional<ResourceRequirements> resources;
  ResourceList allocated_resources;

  [[nodiscard]] auto matters() const -> bool { return resources || !allocated_resources.empty(); }

  template <class Field>
  friend void describe(Field& field, ContainerStatus& self) {
    field("name", self.name);
    field("resources", self.resources);
    field("allocatedResources", self.allocated_resources);
  }
};

struct PodStatus {
  Symbol phase;
  Symbol reason;  ///< for a pod that failed as a whole: "Evicted", "Preempting", "DeadlineExceeded" …
  Symbol resize;  ///< in-place resize as reported by older kubelets: "Infeasible" …
  Symbol nominated_node_name;
  std::optional<Instant> start_time;
  SharedList<Condition> conditions;
  SharedList<ContainerStatus> container_statuses;  ///< only those with resources are kept
  SharedList<ContainerStatus> init_container_statuses;
  SharedList<PodResourceClaimStatus> resource_claim_statuses;
  std::optional<ResourceRequirements> resources;  ///< pod-level, as currently applied by the kubelet (1.35)
  ResourceList allocated_resources;               ///< pod-level, as admitted by the kubelet

  template <class Field>
  friend void describe(Field& field, PodStatus& self) {
    field("phase", self.phase);
    field("reason", self.reason);
    field("resize", self.resize);
    field("nominatedNodeName", self.nominated_node_name);
    field("startTime", self.start_time);
    field("conditions", self.conditions);
    field("containerStatuses", self.container_statuses);
    field("initContainerStatuses", self.init_container_statuses);
    field("resourceClaimStatuses", self.resource_claim_statuses);
    field("resources", self.resources);
    field("allocatedResources", self.allocated_resources);
  }
};

/// Returns true if the message looks like one that kube-scheduler writes for a pod that it cannot place. Other messages
/// may hold anything.
[[nodiscard]] auto is_schedulers_message(std::string_view message) -> bool;

struct Pod {
  ObjectMeta meta;
  PodSpec spec;
  PodStatus status;
  bool admitted = false;  ///< a new pod for which the overlay has already simulated the API server

  /// The first condition of this type, found as upstream does; null if there is none.
  [[nodiscard]] auto condition(Symbol type) const -> const Condition* {
    for (const Condition& c : status.conditions) {
      if (c.type == type) return &c;
    }
    return nullptr;
  }

  template <class Field>
  friend void describe(Field& field, Pod& self) {
    field("metadata", self.meta);
    field("spec", self.spec);
    field("status", self.status);
  }
};

}  // namespace previct
