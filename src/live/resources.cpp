#include "live/resources.h"

#include "api/event_reasons.h"

#include <fmt/format.h>

#include <array>

namespace previct::live {
namespace {

constexpr std::string_view kAttach = "it is not known which volumes are attached";

// What is not known without any event.
constexpr auto without_events(std::string_view reason) -> std::string_view {
  return reason == event_reasons::preempted ? "only the pods themselves show which pod preempted which" : "";
}

constexpr std::array kResources = {
    Resource{&kinds::pods, Need::always},
    Resource{&kinds::nodes, Need::always},
    Resource{&kinds::priority_classes, Need::always,
             "it is not known which pods tolerate preemption; previct assumes that none does"},
    Resource{&kinds::namespaces, Need::always, "namespace selectors match no namespace"},
#define PREVICT_LIST(name, kind, without, selector) \
  Resource{&kinds::kind, Need::scheduler, without, selector, &schedulers::name},
#include "api/schedulers.def"
    Resource{&kinds::persistent_volume_claims, Need::volumes},
    Resource{&kinds::persistent_volumes, Need::volumes},
    Resource{&kinds::storage_classes, Need::volumes},
    Resource{&kinds::csi_nodes, Need::volumes},
    Resource{&kinds::csi_drivers, Need::volumes, "storage counts as unlimited"},
    Resource{&kinds::csi_storage_capacities, Need::volumes, "it is not known where storage is left"},
    Resource{&kinds::volume_attachments, Need::volumes, kAttach},
    Resource{&kinds::resource_claims, Need::devices},
    Resource{&kinds::device_classes, Need::devices},
    Resource{&kinds::resource_slices, Need::devices},
    Resource{&kinds::device_taint_rules, Need::devices, "it is not known which devices DeviceTaintRules taint"},
    Resource{&kinds::pod_groups, Need::whole},
    Resource{&kinds::workloads, Need::whole},
    Resource{&kinds::ray_clusters, Need::whole},
    // The fields of KAI's definitions show its release if no image does.
    Resource{&kinds::custom_resources, Need::whole, "", "metadata.name%3Dpodgroups.scheduling.run.ai"},
    Resource{&kinds::custom_resources, Need::whole, "", "metadata.name%3Dschedulingshards.kai.scheduler"},
    // The selectors of these kinds are used for default spread constraints.
    Resource{&kinds::services, Need::selects},
    Resource{&kinds::replication_controllers, Need::selects},
    Resource{&kinds::replica_sets, Need::selects},
    Resource{&kinds::stateful_sets, Need::selects},
    Resource{&kinds::jobs, Need::made, "a backoffLimit of 6 and no pod failure policy are assumed"},
    Resource{&kinds::deployments, Need::created},
    Resource{&kinds::limit_ranges, Need::created, "requests and limits that the API server would set are not known"},
    Resource{&kinds::resource_quotas, Need::created, "it is not known whether a quota would refuse a pod"},
    Resource{&kinds::runtime_classes, Need::created},
    Resource{&kinds::mutating_webhooks, Need::created, "it is not known whether webhooks change new pods"},
    Resource{&kinds::claim_templates, Need::created},
#define PREVICT_EVENT_REASON(name, text, ends) \
  Resource{&kinds::events, Need::history, without_events(text), "reason%3D" text},
#include "api/event_reasons.def"
#undef PREVICT_EVENT_REASON
    Resource{&kinds::cluster_roles, Need::files},
    Resource{&kinds::cluster_role_bindings, Need::files},
    Resource{&kinds::roles, Need::files},
    Resource{&kinds::role_bindings, Need::files},
};

}  // namespace

auto resources() -> std::span<const Resource> {
  return kResources;
}

auto path_of(const KindInfo& kind, std::string_view ns) -> std::string {
  const std::string in = ns.empty() ? "" : fmt::format("namespaces/{}/", ns);
  return fmt::format("/{}/{}/{}{}", kind.group.empty() ? "api" : "apis", kind.api_version, in, kind.plural);
}

}  // namespace previct::live
