#include "engine/kueue/queued_jobs.h"

#include "api/decode.h"
#include "api/default_queue.h"
#include "api/known_class.h"
#include "api/names_to_come.h"
#include "base/go.h"
#include "engine/kueue/settings.h"

#include <fmt/format.h>

#include <algorithm>

namespace previct::kueue {
namespace {

/// A Job of the overlay, and what Kueue reads of it.
class QueuedJob {
 public:
  QueuedJob(const FoundObject& found, FileId file, Objects& objects)
      : tape_(found.tape),
        file_(file),
        objects_(objects),
        object_(found.index),
        metadata_(tape_.find(object_, "metadata")),
        spec_(tape_.find(object_, "spec")),
        template_(tape_.find(spec_, "template")),
        name_(name_or_prefix(tape_, metadata_)) {}

  [[nodiscard]] auto is_queued() const -> bool {
    return text(object_, "kind") == "Job" && text(object_, "apiVersion") == "batch/v1" && !name_.empty() &&
           !queue().empty() && template_ < tape_.size();
  }

  auto workload() -> Result<Workload> {
    Workload made;
    made.meta.source = {file_, tape_[object_].line, tape_[object_].column};
    made.meta.ns = symbol(text(metadata_, "namespace").empty() ? "default" : text(metadata_, "namespace"));
    made.meta.name = workload_name(made.meta.ns);
    made.meta.owners = {{symbol("Job"), symbol(name_), symbol(fmt::format("{}-new", name_)), true}};
    made.spec.queue_name = symbol(queue());
    PodSet& set = made.spec.pod_sets.emplace_back();
    PREVICT_CHECK(Decoder(tape_, file_, objects_.symbols, objects_.diagnostics).decode(template_, set.pod_template));
    set.name = symbol("main");
    set.count = std::min(number(text(spec_, "parallelism")).value_or(1),
                         number(text(spec_, "completions")).value_or(INT32_MAX));
    set.min_count = number(mark("annotations", "job-min-parallelism"));
    set.topology = topology();
    PREVICT_TRY(made.spec.priority, priority(set.pod_template.spec.priority_class_name, made.meta.source));
    return made;
  }

 private:
  [[nodiscard]] auto text(std::uint32_t object, std::string_view key) const -> std::string_view {
    const std::uint32_t at = tape_.find(object, key);
    return at < tape_.size() ? tape_.text(tape_[at]) : std::string_view();
  }
  // `kueue.x-k8s.io/KEY` among the labels or annotations.
  [[nodiscard]] auto mark(std::string_view among, std::string_view key) const -> std::string_view {
    return text(tape_.find(metadata_, among), fmt::format("kueue.x-k8s.io/{}", key));
  }
  [[nodiscard]] auto queue() const -> std::string_view {
    if (const std::string_view named = mark("labels", "queue-name"); !named.empty()) return named;
    const std::string_view given = text(metadata_, "namespace");
    return has_default_queue(objects_, given.empty() ? "default" : given) ? "default" : "";
  }
  [[nodiscard]] static auto number(std::string_view digits) -> std::optional<std::int32_t> {
    const auto parsed = go::parse_int(digits, 32);
    if (!parsed) return {};
    return static_cast<std::int32_t>(*parsed);
  }
  [[nodiscard]] auto symbol(std::string_view of) -> Symbol { return objects_.symbols.intern(of); }

  // A Job that already has a Workload keeps it. The API server completes the name of a new one from generateName.
  auto workload_name(Symbol ns) -> Symbol {
    const bool is_generated = text(metadata_, "name").empty();
    const Symbol job = is_generated ? Symbol{} : symbol(name_);
    for (const Workload& each : objects_.kueue_workloads) {
      const bool owned =
          std::any_of(each.meta.owners.begin(), each.meta.owners.end(), [&](const OwnerReference& owner) {
            return job && owner.name == job && objects_.symbols.text(owner.kind) == "Job";
          });
      if (each.meta.ns == ns && owned) return each.meta.name;
    }
    return symbol(fmt::format("job-{}", name_));
  }

  auto topology() -> std::optional<TopologyRequest> {
    const std::uint32_t annotations = tape_.find(tape_.find(template_, "metadata"), "annotations");
    const auto value = [&](std::string_view key) {
      return text(annotations, fmt::format("kueue.x-k8s.io/podset-{}", key));
    };
    TopologyRequest asked;
    asked.required = optional_symbol(value("required-topology"));
    if (!asked.required) asked.preferred = optional_symbol(value("preferred-topology"));
    const bool anywhere = value("unconstrained-topology") == "true";
    if (!asked.required && !asked.preferred && anywhere) asked.unconstrained = true;
    asked.slice_size = number(value("slice-size"));
    if (asked.slice_size) asked.slice_required = optional_symbol(value("slice-required-topology"));
    const bool any = asked.required || asked.preferred || asked.unconstrained || asked.slice_required;
    return any ? std::optional(asked) : std::nullopt;
  }
  auto optional_symbol(std::string_view of) -> Symbol { return of.empty() ? Symbol{} : symbol(of); }

  // The WorkloadPriorityClass of the label counts, then the class of the pods, then the default class.
  auto priority(Symbol pod_class, Source at) -> Result<std::optional<std::int32_t>> {
    if (const std::string_view named = mark("labels", "priority-class"); !named.empty()) {
      for (const WorkloadPriorityClass& each : objects_.workload_priority_classes) {
        if (objects_.symbols.text(each.meta.name) == named) return each.value;
      }
      return unknown_class("WorkloadPriorityClass", named, at);
    }
    if (pod_class) {
      if (const auto known = known_class(pod_class, objects_)) return known->value;
      return unknown_class("PriorityClass", objects_.symbols.text(pod_class), at);
    }
    const PriorityClass* const fallback = default_class(objects_);
    return fallback == nullptr ? 0 : fallback->value;
  }

  [[nodiscard]] auto unknown_class(std::string_view kind, std::string_view named, Source at) const
      -> Result<std::optional<std::int32_t>> {
    return fail(fmt::format("Job {}: its {} {} is not in the input, so its priority is not known", name_, kind, named),
                at, "add it to the input, or pass it with --with before the Job");
  }

  const Tape& tape_;
  FileId file_;
  Objects& objects_;
  std::uint32_t object_;
  std::uint32_t metadata_;
  std::uint32_t spec_;
  std::uint32_t template_;
  std::string name_;
};

// Without the integration of Jobs, Kueue leaves them to their own controller, whatever their labels say. Source:
// apis/config/v1beta2/defaults.go SetDefaults_Configuration, pkg/controller/jobframework/setup.go.
auto queues_jobs(Objects& objects) -> bool {
  const bool names_frameworks =
      std::any_of(objects.config_maps.begin(), objects.config_maps.end(), [](const ConfigMap& map) {
        return std::any_of(map.data.begin(), map.data.end(),
                           [](const auto& each) { return each.second.text.find("frameworks") != std::string::npos; });
      });
  if (!names_frameworks) return true;
  const Snapshot cluster(objects);
  const Result<Settings> settings = settings_of(cluster, {}, {});
  return !settings || settings->queues_jobs;
}

}  // namespace

auto add_workload_of_job(const FoundObject& found, FileId file, Objects& objects) -> Result<bool> {
  QueuedJob job(found, file, objects);
  if (!job.is_queued() || objects.local_queues.empty() || !queues_jobs(objects)) return false;
  PREVICT_TRY(Workload made, job.workload());
  objects.kueue_workloads.push_back(std::move(made));
  return true;
}

}  // namespace previct::kueue
