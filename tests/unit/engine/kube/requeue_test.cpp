// The events for which plugins are registered, and the answers of their queueing hints.
#include "engine/kube/requeue.h"

#include "engine/kube/filter.h"
#include "engine/kube/plugins.h"
#include "report/report.h"
#include "support/cluster.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <map>
#include <memory>
#include <set>

using namespace previct;
using namespace previct::test;
using namespace previct::kube;

namespace {

auto resource_name(Resource resource) -> std::string {
  switch (resource) {
    case Resource::pod: return "Pod";
    case Resource::assigned_pod: return "AssignedPod";
    case Resource::unscheduled_pod: return "UnscheduledPod";
    case Resource::target_pod: return "TargetPod";
    case Resource::node: return "Node";
    case Resource::persistent_volume: return "PersistentVolume";
    case Resource::persistent_volume_claim: return "PersistentVolumeClaim";
    case Resource::storage_class: return "StorageClass";
    case Resource::csi_node: return "CSINode";
    case Resource::csi_driver: return "CSIDriver";
    case Resource::csi_storage_capacity: return "CSIStorageCapacity";
    case Resource::volume_attachment: return "VolumeAttachment";
    case Resource::resource_claim: return "ResourceClaim";
    case Resource::resource_slice: return "ResourceSlice";
    case Resource::device_class: return "DeviceClass";
    case Resource::workload: return "Workload";
    case Resource::pod_group: return "PodGroup";
  }
  return "";
}

auto action_names(Actions actions) -> std::vector<std::string> {
  static const std::map<Actions, std::string> kNames = {{action::kAdd, "Add"},
                                                        {action::kDelete, "Delete"},
                                                        {action::kNodeAllocatable, "NodeAllocatable"},
                                                        {action::kNodeLabel, "NodeLabel"},
                                                        {action::kNodeTaint, "NodeTaint"},
                                                        {action::kNodeDeclaredFeature, "NodeDeclaredFeature"},
                                                        {action::kPodLabel, "PodLabel"},
                                                        {action::kPodScaleDown, "PodScaleDown"},
                                                        {action::kPodToleration, "PodToleration"},
                                                        {action::kPodGatesEliminated, "PodGatesEliminated"},
                                                        {action::kPodGeneratedClaim, "PodGeneratedClaim"}};
  std::vector<std::string> names;
  const bool any_update = (actions & action::kUpdate) == action::kUpdate;
  if (any_update) names.emplace_back("Update");
  for (const auto& [bit, name] : kNames) {
    const bool covered = any_update && (bit & action::kUpdate) != 0;
    if ((actions & bit) != 0 && !covered) names.push_back(name);
  }
  return names;
}

// Returns text such as `Node/Add Node/NodeLabel Pod/Delete`: one word for each resource and action, sorted by name,
// without duplicates.
auto events_in_words(std::string_view plugin, const Release& release) -> std::string {
  std::set<std::string> words;
  for (const RegisteredEvents& events : events_of(plugin, release)) {
    for (const std::string& name : action_names(events.actions))
      words.insert(fmt::format("{}/{}", resource_name(events.resource), name));
  }
  return fmt::format("{}", fmt::join(words, " "));
}

/// Events of a default plugin with default feature gates, from upstream's EventsToRegister: a program called it in
/// 1.33.13, 1.34.4, 1.35.4, 1.36.3 and 1.37.2; for 1.31.14 and 1.32.13 the code was read.
struct Row {
  int since;
  int until;
  std::string_view plugin;
  std::string_view events;
};
constexpr std::array kRows = {
    Row{34, 36, "DefaultPreemption", "Pod/Delete"},
    Row{37, 37, "DefaultPreemption", "AssignedPod/Delete"},
    Row{34, 36, "DynamicResources",
        "DeviceClass/Add DeviceClass/Update Node/Add Node/NodeAllocatable Node/NodeLabel Pod/PodGeneratedClaim "
        "ResourceClaim/Add ResourceClaim/Update ResourceSlice/Add ResourceSlice/Update"},
    Row{37, 37, "DynamicResources",
        "DeviceClass/Add DeviceClass/Update Node/Add Node/NodeAllocatable Node/NodeLabel ResourceClaim/Add "
        "ResourceClaim/Delete ResourceClaim/Update ResourceSlice/Add ResourceSlice/Update TargetPod/PodGeneratedClaim"},
    Row{31, 31, "InterPodAffinity", "Node/Add Node/NodeLabel Node/NodeTaint Pod/Add Pod/Delete Pod/PodLabel"},
    Row{32, 36, "InterPodAffinity", "Node/Add Node/NodeLabel Pod/Add Pod/Delete Pod/PodLabel"},
    Row{37, 37, "InterPodAffinity",
        "AssignedPod/Add AssignedPod/Delete AssignedPod/PodLabel Node/Add Node/NodeLabel TargetPod/PodLabel"},
    Row{31, 31, "NodeAffinity", "Node/Add Node/Update"},
    Row{32, 37, "NodeAffinity", "Node/Add Node/NodeLabel"},
    Row{36, 36, "NodeDeclaredFeatures", "Node/Add Node/NodeDeclaredFeature Pod/Update"},
    Row{37, 37, "NodeDeclaredFeatures", "Node/Add Node/NodeDeclaredFeature TargetPod/Update"},
    Row{31, 31, "NodeName", "Node/Add Node/Update"},
    Row{32, 37, "NodeName", "Node/Add"},
    Row{31, 31, "NodePorts", "Node/Add Node/Update Pod/Delete"},
    Row{32, 36, "NodePorts", "Node/Add Pod/Delete"},
    Row{37, 37, "NodePorts", "AssignedPod/Delete Node/Add"},
    Row{31, 31, "NodeResourcesFit", "Node/Add Node/Update Pod/Delete"},
    Row{32, 32, "NodeResourcesFit", "Node/Add Node/NodeAllocatable Pod/Delete"},
    Row{33, 35, "NodeResourcesFit", "Node/Add Node/NodeAllocatable Pod/Delete Pod/PodScaleDown"},
    Row{36, 36, "NodeResourcesFit",
        "DeviceClass/Add DeviceClass/Update Node/Add Node/NodeAllocatable Pod/Delete Pod/PodScaleDown"},
    Row{37, 37, "NodeResourcesFit",
        "AssignedPod/Delete AssignedPod/PodScaleDown DeviceClass/Add DeviceClass/Update Node/Add Node/NodeAllocatable "
        "TargetPod/PodScaleDown"},
    Row{31, 31, "NodeUnschedulable", "Node/Add Node/Update"},
    Row{32, 36, "NodeUnschedulable", "Node/Add Node/NodeTaint Pod/PodToleration"},
    Row{37, 37, "NodeUnschedulable", "Node/Add Node/NodeTaint TargetPod/PodToleration"},
    Row{31, 31, "NodeVolumeLimits", "CSINode/Add PersistentVolumeClaim/Add Pod/Delete"},
    Row{32, 32, "NodeVolumeLimits", "CSINode/Add PersistentVolumeClaim/Add Pod/Delete VolumeAttachment/Delete"},
    Row{33, 36, "NodeVolumeLimits",
        "CSINode/Add CSINode/Update PersistentVolumeClaim/Add Pod/Delete VolumeAttachment/Delete"},
    Row{37, 37, "NodeVolumeLimits",
        "AssignedPod/Delete CSINode/Add CSINode/Update PersistentVolumeClaim/Add VolumeAttachment/Delete"},
    Row{31, 31, "PodTopologySpread",
        "Node/Add Node/Delete Node/NodeLabel Node/NodeTaint Pod/Add Pod/Delete Pod/PodLabel"},
    Row{32, 36, "PodTopologySpread",
        "Node/Add Node/Delete Node/NodeLabel Node/NodeTaint Pod/Add Pod/Delete Pod/PodLabel Pod/PodToleration"},
    Row{37, 37, "PodTopologySpread",
        "AssignedPod/Add AssignedPod/Delete AssignedPod/PodLabel Node/Add Node/Delete Node/NodeLabel Node/NodeTaint "
        "TargetPod/PodLabel TargetPod/PodToleration"},
    Row{32, 36, "SchedulingGates", "Pod/PodGatesEliminated"},
    Row{37, 37, "SchedulingGates", "TargetPod/PodGatesEliminated"},
    Row{31, 31, "TaintToleration", "Node/Add Node/Update"},
    Row{32, 36, "TaintToleration", "Node/Add Node/NodeTaint Pod/PodToleration"},
    Row{37, 37, "TaintToleration", "Node/Add Node/NodeTaint TargetPod/PodToleration"},
    Row{31, 31, "VolumeBinding",
        "CSIDriver/Add CSIDriver/Update CSINode/Add CSINode/Update CSIStorageCapacity/Add CSIStorageCapacity/Update "
        "Node/Add Node/NodeLabel Node/NodeTaint PersistentVolume/Add PersistentVolume/Update PersistentVolumeClaim/Add "
        "PersistentVolumeClaim/Update StorageClass/Add StorageClass/Update"},
    Row{32, 37, "VolumeBinding",
        "CSIDriver/Update CSINode/Add CSINode/Update CSIStorageCapacity/Add CSIStorageCapacity/Update Node/Add "
        "Node/NodeLabel PersistentVolume/Add PersistentVolume/Update PersistentVolumeClaim/Add "
        "PersistentVolumeClaim/Update StorageClass/Add StorageClass/Update"},
    Row{31, 36, "VolumeRestrictions", "Node/Add PersistentVolumeClaim/Add Pod/Delete"},
    Row{37, 37, "VolumeRestrictions", "AssignedPod/Delete Node/Add PersistentVolumeClaim/Add"},
    Row{31, 31, "VolumeZone",
        "Node/Add Node/NodeLabel Node/NodeTaint PersistentVolume/Add PersistentVolume/Update PersistentVolumeClaim/Add "
        "PersistentVolumeClaim/Update StorageClass/Add"},
    Row{32, 37, "VolumeZone",
        "Node/Add Node/NodeLabel PersistentVolume/Add PersistentVolume/Update PersistentVolumeClaim/Add "
        "PersistentVolumeClaim/Update StorageClass/Add"}};

/// One question of the file, as a cluster and an event.
class Asked {
 public:
  explicit Asked(const Json& question) : release_(question["minor"].get<int>()), plugin_(question["plugin"]) {
    std::vector<std::string> documents = {a_node("n1", "1"), question["rejected"].dump() + "\n", kOfNoPod};
    if (question.contains("other")) documents.push_back(question["other"].dump() + "\n");
    for (const Json& claim : question.value("claims", Json::array())) documents.push_back(claim.dump() + "\n");
    if (question.contains("oldClaim")) {
      Json old = question["oldClaim"];
      old["metadata"]["name"] = "old";
      documents.push_back(old.dump() + "\n");
    }
    cluster_ = a_cluster(documents);
    node_infos_ = std::make_unique<NodeInfoSnapshot>(*cluster_->snapshot, release_);
    const auto pod = [&](const char* key) {
      const Json& meta = question[key]["metadata"];
      return cluster_->snapshot->find_pod(meta["namespace"].get<std::string>(), meta["name"].get<std::string>());
    };
    const std::string action = question["action"];
    event_.resource = question.contains("other") ? Resource::assigned_pod : Resource::resource_claim;
    event_.action = action == "add" ? action::kAdd : action == "delete" ? action::kDelete : action::kUpdate;
    rejected_ = pod("rejected");
    if (question.contains("other"))
      (action == "add" ? event_.new_pod : event_.old_pod) = &cluster_->snapshot->pod(pod("other"));
    if (question.contains("newClaim")) event_.new_claim = claim(question["newClaim"]["metadata"]["name"]);
    if (!question.contains("oldClaim")) return;
    old_ = *claim("old");
    old_.meta.name = cluster_->objects.symbols.intern(question["oldClaim"]["metadata"]["name"].get<std::string>());
    event_.old_claim = &old_;
  }

  [[nodiscard]] auto may_help() const -> bool {
    static const FilterSettings kDefaults;
    const EventTable table = events_of(plugin_, release_);
    return std::any_of(table.begin(), table.end(), [&](const RegisteredEvents& events) {
      const RejectedPod pod{*node_infos_, kDefaults, rejected_};
      return matches(events, event_) && (events.hint == nullptr || events.hint(pod, event_));
    });
  }

 private:
  static constexpr const char* kOfNoPod =
      "{apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {namespace: none, name: none}}\n";

  auto claim(const std::string& name) -> const ResourceClaim* {
    const auto& all = cluster_->objects.resource_claims;
    const auto found = std::find_if(all.begin(), all.end(), [&](const ResourceClaim& each) {
      return cluster_->snapshot->text(each.meta.name) == name;
    });
    REQUIRE(found != all.end());
    return &*found;
  }

  Release release_;
  std::string plugin_;
  std::unique_ptr<TestCluster> cluster_;
  std::unique_ptr<NodeInfoSnapshot> node_infos_;
  PodId rejected_;
  kube::ClusterEvent event_;
  ResourceClaim old_;
};

}  // namespace

TEST_CASE("requeue: plugins are registered for the events of upstream, in each release", "[kube][requeue]") {
  for (int minor = oldest_minor(); minor <= newest_minor(); ++minor) {
    const Release release(minor);
    for (const PluginInfo& plugin : plugins()) {
      const bool gated = plugin.name == "GangScheduling" || (plugin.name == "DynamicResources" && minor < 34);
      if (plugin.home != PluginInfo::Home::by_default || gated) continue;
      const auto* const row = std::find_if(kRows.begin(), kRows.end(), [&](const Row& each) {
        return each.plugin == plugin.name && minor >= each.since && minor <= each.until;
      });
      INFO("1." << minor << " " << plugin.name);
      CHECK(events_in_words(plugin.name, release) == (row == kRows.end() ? "" : row->events));
    }
  }
}

TEST_CASE("requeue: every filter is in the table of plugins, in the same order", "[kube][requeue]") {
  std::int64_t rank = 0;
  for (const PluginInfo& plugin : plugins()) {
    const FilterInfo* filter = find_filter(plugin.name);
    if (filter == nullptr) continue;
    CHECK(rank_of(*filter) == rank++);
    CHECK(plugin.implements(Point::filter));
  }
  CHECK(rank == static_cast<std::int64_t>(filters().size()));
}

// Reads a file of questions that upstream's own queueing hints have answered, one JSON object per line: a plugin, the
// pod that it rejected, an event, and whether the event is worth an attempt.
TEST_CASE("queueing hints: give the same answers as upstream's", "[.][long][queueing-hints]") {
  const char* const path = std::getenv("PREVICT_QUEUEING_HINTS");
  REQUIRE(path != nullptr);
  std::ifstream file(path);
  REQUIRE(file);
  std::size_t asked = 0;
  std::size_t wrong = 0;
  for (std::string line; std::getline(file, line);) {
    const Json question = Json::parse(line);
    const Asked asked_of(question);
    ++asked;
    if (asked_of.may_help() == question["want"].get<bool>()) continue;
    if (++wrong <= 5) UNSCOPED_INFO(line);
  }
  INFO(wrong << " of " << asked);
  CHECK(asked > 0);
  CHECK(wrong == 0);
}
