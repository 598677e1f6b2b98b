#include "overlay/other_deciders.h"

#include "api/default_queue.h"
#include "api/kueue_config.h"
#include "api/names_to_come.h"
#include "api/schedulers.h"
#include "api/upstream.h"
#include "base/contains.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace previct {
namespace {

constexpr std::string_view kQueueName = "kueue.x-k8s.io/queue-name";

// Source: kueue pkg/controller/jobframework/defaults.go ApplyDefaultForSuspend, WorkloadShouldBeSuspended.
auto manages_all_jobs(const Objects& objects) -> bool {
  for (const ConfigMap& map : objects.config_maps) {
    for (const auto& [key, text] : map.data) {
      if (objects.symbols.text(key) == kueue::kConfigMapKey &&
          text.text.find("manageJobsWithoutQueueName: true") != std::string::npos)
        return true;
    }
  }
  return false;
}

}  // namespace

auto why_kueue_decides(const FoundObject& found, const Objects& objects) -> std::string {
  const Tape& tape = found.tape;
  const auto text = [&](std::uint32_t object, std::string_view key) { return tape.string(tape.find(object, key)); };
  const std::string_view kind = text(found.index, "kind");
  constexpr std::array<std::string_view, 6> kManaged = {"Pod",        "Job",        "CronJob",
                                                        "Deployment", "ReplicaSet", "StatefulSet"};
  if (!contains(kManaged, kind)) return {};
  const std::uint32_t metadata = tape.find(found.index, "metadata");
  const std::uint32_t spec = tape.find(found.index, "spec");
  const std::uint32_t inner = tape.find(spec, kind == "CronJob" ? "jobTemplate" : "template");
  const auto queue_of = [&](std::uint32_t of) { return text(tape.find(of, "labels"), kQueueName); };
  std::string_view queue = queue_of(metadata);
  // The Jobs of a CronJob have the labels of its jobTemplate only.
  if (kind == "CronJob" || (queue.empty() && kind != "Job" && kind != "Pod"))
    queue = queue_of(tape.find(inner, "metadata"));
  const std::string_view given = text(metadata, "namespace");
  const std::string_view ns = given.empty() ? "default" : given;
  const std::string object = fmt::format("{} {}/{}", kind, ns, name_or_prefix(tape, metadata));
  if (!queue.empty() && !objects.local_queues.empty()) {
    return fmt::format(
        "Kueue decides first about {}{} (label {}){}", kind == "Pod" ? "" : "the pods of ", object, kQueueName,
        kind == "Job" ? "" : ", and previct adds Workloads for Jobs only: pass a manifest of its Workload");
  }
  if (kind != "Job" && kind != "CronJob") return {};
  if (kueue::has_default_queue(objects, ns))
    return fmt::format("Kueue decides first about the pods of {} (LocalQueue {}/default)", object, ns);
  if (!manages_all_jobs(objects)) return {};
  return fmt::format("Kueue suspends the Jobs of {} until it admits them (manageJobsWithoutQueueName)", object);
}

auto is_queued(const FoundObject& found, const Objects& objects) -> bool {
  const Tape& tape = found.tape;
  const std::uint32_t metadata = tape.find(found.index, "metadata");
  const std::string_view ns = tape.string(tape.find(metadata, "namespace"));
  const bool is_labeled = !tape.string(tape.find(tape.find(metadata, "labels"), kQueueName)).empty();
  return !objects.local_queues.empty() &&
         (is_labeled || kueue::has_default_queue(objects, ns.empty() ? "default" : ns));
}

// The namespaces that the admission controller leaves out are in its configuration; by default, only kube-system.
// Source: yunikorn-k8shim pkg/admission/admission_controller.go updateSchedulerName, pkg/admission/conf.
auto why_yunikorn_decides(const Pod& pod, const Objects& objects) -> std::string {
  const Symbols& symbols = objects.symbols;
  const std::string_view scheduler = symbols.text(pod.spec.scheduler_name);
  if ((!scheduler.empty() && scheduler != upstream::kDefaultScheduler) || symbols.text(pod.meta.ns) == "kube-system")
    return {};
  const auto is_controller = [&](const Pod& each) {
    return symbols.text(each.meta.name).starts_with("yunikorn-admission-controller") &&
           symbols.text(each.status.phase) == "Running";
  };
  if (std::none_of(objects.pods.begin(), objects.pods.end(), is_controller)) return {};
  return fmt::format(
      "YuniKorn's admission controller sets schedulerName {} on new pods, unless its filters exclude "
      "namespace {} (to skip it, set schedulerName in the manifest)",
      schedulers::yunikorn.scheduler_name, symbols.text(pod.meta.ns));
}

}  // namespace previct
