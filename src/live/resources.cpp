#include "live/resources.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace previct::live {
namespace {

constexpr std::string_view kAttach = "which volumes are attached is not known";

constexpr std::array kResources = {
    Resource{"", "v1", "pods", "Pod", Need::always, ""},
    Resource{"", "v1", "nodes", "Node", Need::always, ""},
    Resource{"scheduling.k8s.io", "v1", "priorityclasses", "PriorityClass", Need::always,
             "which pods tolerate preemption is not known; previct assumes that none does"},
    Resource{"", "v1", "namespaces", "Namespace", Need::always, "no namespace is matched by its labels"},
    Resource{"policy", "v1", "poddisruptionbudgets", "PodDisruptionBudget", Need::kube, ""},
    Resource{"", "v1", "persistentvolumeclaims", "PersistentVolumeClaim", Need::volumes, ""},
    Resource{"", "v1", "persistentvolumes", "PersistentVolume", Need::volumes, ""},
    Resource{"storage.k8s.io", "v1", "storageclasses", "StorageClass", Need::volumes, ""},
    Resource{"storage.k8s.io", "v1", "csinodes", "CSINode", Need::volumes, ""},
    Resource{"storage.k8s.io", "v1", "csidrivers", "CSIDriver", Need::volumes, "storage counts as unlimited"},
    Resource{"storage.k8s.io", "v1", "csistoragecapacities", "CSIStorageCapacity", Need::volumes,
             "where storage is left is not known"},
    Resource{"storage.k8s.io", "v1", "volumeattachments", "VolumeAttachment", Need::volumes, kAttach},
    // Only those that YuniKorn and Kueue read; others may hold anything.
    Resource{"", "v1", "configmaps", "ConfigMap", Need::yunikorn, "the queues of YuniKorn are not known",
             "metadata.name%3Dyunikorn-configs"},
    Resource{"", "v1", "configmaps", "ConfigMap", Need::yunikorn, "", "metadata.name%3Dyunikorn-defaults"},
    Resource{"", "v1", "configmaps", "ConfigMap", Need::kueue, "the defaults of Kueue's configuration are assumed",
             "metadata.name%3Dkueue-manager-config"},
    Resource{"scheduling.run.ai", "v2alpha2", "podgroups", "PodGroup", Need::kai,
             "gangs and their priorities are not known"},
    Resource{"scheduling.run.ai", "v2", "queues", "Queue", Need::kai, "quotas and fair shares are not known"},
    Resource{"scheduling.run.ai", "v1alpha2", "bindrequests", "BindRequest", Need::kai,
             "pods that are being bound count as pending"},
    Resource{"kai.scheduler", "v1", "schedulingshards", "SchedulingShard", Need::kai, "default settings are assumed"},
    Resource{"kai.scheduler", "v1", "configs", "Config", Need::kai, "default settings are assumed"},
    Resource{"kai.scheduler", "v1alpha1", "topologies", "Topology", Need::kai, "no topology constraint can be judged"},
    Resource{"kueue.x-k8s.io", "v1beta2", "clusterqueues", "ClusterQueue", Need::kueue,
             "quotas and policies are not known"},
    Resource{"kueue.x-k8s.io", "v1beta2", "cohorts", "Cohort", Need::kueue, "no cohort has quota of its own"},
    Resource{"kueue.x-k8s.io", "v1beta2", "localqueues", "LocalQueue", Need::kueue,
             "which ClusterQueue a workload waits in is not known"},
    Resource{"kueue.x-k8s.io", "v1beta2", "resourceflavors", "ResourceFlavor", Need::kueue, "no flavor exists"},
    Resource{"kueue.x-k8s.io", "v1beta2", "workloads", "kueue.x-k8s.io/Workload", Need::kueue,
             "what waits and what holds quota is not known"},
    Resource{"kueue.x-k8s.io", "v1beta2", "workloadpriorityclasses", "WorkloadPriorityClass", Need::kueue, ""},
    Resource{"kueue.x-k8s.io", "v1beta2", "admissionchecks", "AdmissionCheck", Need::kueue,
             "every admission check counts as inactive"},
    Resource{"kueue.x-k8s.io", "v1beta2", "topologies", "kueue.x-k8s.io/Topology", Need::kueue, ""},
    Resource{"resource.k8s.io", "v1", "resourceclaims", "ResourceClaim", Need::devices, ""},
    Resource{"resource.k8s.io", "v1", "deviceclasses", "DeviceClass", Need::devices, ""},
    Resource{"resource.k8s.io", "v1", "resourceslices", "ResourceSlice", Need::devices, ""},
    Resource{"scheduling.k8s.io", "v1alpha2", "podgroups", "scheduling.k8s.io/PodGroup", Need::whole, ""},
    Resource{"scheduling.k8s.io", "v1alpha1", "workloads", "Workload", Need::whole, ""},
    // The fields of those of KAI show its release where no image does.
    Resource{"apiextensions.k8s.io", "v1", "customresourcedefinitions", "CustomResourceDefinition", Need::whole, "",
             "metadata.name%3Dpodgroups.scheduling.run.ai"},
    Resource{"apiextensions.k8s.io", "v1", "customresourcedefinitions", "CustomResourceDefinition", Need::whole, "",
             "metadata.name%3Dschedulingshards.kai.scheduler"},
    // Their selectors stand for the pod's own, where default spread constraints count.
    Resource{"", "v1", "services", "Service", Need::selects, ""},
    Resource{"", "v1", "replicationcontrollers", "ReplicationController", Need::selects, ""},
    Resource{"apps", "v1", "replicasets", "ReplicaSet", Need::selects, ""},
    Resource{"apps", "v1", "statefulsets", "StatefulSet", Need::selects, ""},
    Resource{"batch", "v1", "jobs", "Job", Need::made, "a backoffLimit of 6 and no pod failure policy are assumed"},
    Resource{"apps", "v1", "deployments", "Deployment", Need::created, ""},
    Resource{"", "v1", "limitranges", "LimitRange", Need::created,
             "requests and limits that the API server would fill in are not known"},
    Resource{"", "v1", "limitranges", "LimitRange", Need::kueue, "no requests are filled in or refused"},
    Resource{"", "v1", "resourcequotas", "ResourceQuota", Need::created,
             "whether a quota would refuse a pod is not known"},
    Resource{"node.k8s.io", "v1", "runtimeclasses", "RuntimeClass", Need::created, ""},
    Resource{"node.k8s.io", "v1", "runtimeclasses", "RuntimeClass", Need::kueue, "no overhead is added"},
    Resource{"admissionregistration.k8s.io", "v1", "mutatingwebhookconfigurations", "MutatingWebhookConfiguration",
             Need::created, "whether webhooks change new pods is not known"},
    // Those that tell of preemptions and of what is taken for one; there may be a thousand times as many others.
    Resource{"", "v1", "events", "Event", Need::history, "only the pods themselves show which pod preempted which",
             "reason%3DPreempted"},
    Resource{"", "v1", "events", "Event", Need::history, "", "reason%3DEvict"},
    Resource{"", "v1", "events", "Event", Need::history, "", "reason%3DInformational"},
    Resource{"", "v1", "events", "Event", Need::history, "", "reason%3DEvicted"},
    Resource{"", "v1", "events", "Event", Need::history, "", "reason%3DPreempting"},
    Resource{"", "v1", "events", "Event", Need::history, "", "reason%3DTaintManagerEviction"},
    Resource{"", "v1", "events", "Event", Need::history, "", "reason%3DFailedScheduling"},
    Resource{"", "v1", "events", "Event", Need::history, "", "reason%3DScheduled"},
};

}  // namespace

auto resources() -> std::span<const Resource> {
  return kResources;
}

auto name_of(const Resource& resource) -> std::string {
  return resource.group.empty() ? std::string(resource.resource)
                                : fmt::format("{}.{}", resource.resource, resource.group);
}

auto plain_kind(const Resource& resource) -> std::string_view {
  return resource.kind.substr(resource.kind.rfind('/') + 1);
}

auto path_of(const Resource& resource, std::string_view ns) -> std::string {
  const std::string in = ns.empty() ? "" : fmt::format("namespaces/{}/", ns);
  return resource.group.empty()
             ? fmt::format("/api/{}/{}{}", resource.version, in, resource.resource)
             : fmt::format("/apis/{}/{}/{}{}", resource.group, resource.version, in, resource.resource);
}

auto is_namespaced(const Resource& resource) -> bool {
  constexpr std::array<std::string_view, 19> kNamespaced = {"Pod",
                                                            "PodDisruptionBudget",
                                                            "PersistentVolumeClaim",
                                                            "CSIStorageCapacity",
                                                            "ConfigMap",
                                                            "PodGroup",
                                                            "BindRequest",
                                                            "ResourceClaim",
                                                            "Service",
                                                            "ReplicaSet",
                                                            "ReplicationController",
                                                            "StatefulSet",
                                                            "Deployment",
                                                            "Job",
                                                            "Workload",
                                                            "LocalQueue",
                                                            "LimitRange",
                                                            "ResourceQuota",
                                                            "Event"};
  return std::find(kNamespaced.begin(), kNamespaced.end(), plain_kind(resource)) != kNamespaced.end();
}

}  // namespace previct::live
