#include "lint/kai.h"
#include "lint/rule.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace previct::lint {
namespace {

auto number(const Value& value) -> double {
  return std::max(0.0, kai_amount(value));
}

// For `nvidia.com/mig-2g.10gb`, returns 2: a MIG device counts as the slices in its name.
auto slices(std::string_view resource) -> double {
  constexpr std::string_view kPrefix = "nvidia.com/mig-";
  if (!resource.starts_with(kPrefix)) return 0;
  resource.remove_prefix(kPrefix.size());
  int count = 0;
  const auto [end, error] = std::from_chars(resource.data(), resource.data() + resource.size(), count);
  return error == std::errc() && end != resource.data() + resource.size() && *end == 'g' ? count : 0;
}

// The GPUs that one pod uses of its queue; requests by GPU memory are unknown here and not counted.
auto gpus_of(const PodShape& pod) -> double {
  const Value annotations = pod.metadata["annotations"];
  if (const Value fraction = annotations["gpu-fraction"]) {
    const Value devices = annotations["gpu-fraction-num-devices"];
    return number(fraction) * (devices ? number(devices) : 1);
  }
  double sum = 0;
  for (const Value& container : pod.spec["containers"]) {
    for (const Value& limit : container["resources"]["limits"]) {
      if (limit.key() == "nvidia.com/gpu") sum += number(limit);
      sum += number(limit) * slices(limit.key());
    }
  }
  return sum;
}

// Returns true if the pod requests the resource; a limit without a request counts as a request.
auto requests(const PodShape& pod, std::string_view resource) -> bool {
  if (resource == "gpu") return gpus_of(pod) > 0;
  for (const Value& container : pod.spec["containers"]) {
    for (const char* of : {"requests", "limits"}) {
      const Value amount = container["resources"][of][resource];
      if (amount && !amount.is("0")) return true;
    }
  }
  return false;
}

}  // namespace

const Rule& ka026_pod_above_limit_rule = Rule{
    .id = "KA026",
    .name = "pod-above-limit",
    .severity = Severity::error,
    .title = "a pod requests more than its queue may ever use",
    .why =
        "A fraction counts with its part of each device, and a MIG device with the slices in its name: one "
        "nvidia.com/mig-3g.20gb is 3 GPUs to the queue. The limit of a resource that the queue does not name is 0. A "
        "pod above the limit of its queue stays pending forever.",
    .how_to_fix = "Raise the limit of the queue, or lower the request.",
    .source =
        "kai-scheduler/KAI-Scheduler pkg/scheduler/plugins/proportion/capacity_policy, api/resource_info (GPUs of MIG "
        "devices)",
    .check = [](const Repository& repository, FindingSink& found) {
      const KaiQueues queues(repository);
      for (const PodShape& pod : repository.pods()) {
        if (!pod.authored() || pod.bound) continue;
        const KaiQueues::Queue* queue = queues.find(pod.labels()["kai.scheduler/queue"].text());
        if (queue == nullptr) continue;
        const double gpus = gpus_of(pod);
        for (const KaiQueues::Queue* at : KaiQueues::path(*queue)) {
          const Value resources = at->spec()["resources"];
          for (const char* resource : {"cpu", "memory", "gpu"}) {
            if (resources[resource] || !requests(pod, resource)) continue;  // KA012 reports a resource without a limit
            found.value(pod.labels()["kai.scheduler/queue"],
                        fmt::format("{}: the pod requests {}, and queue {} does not name it: its limit is 0",
                                    pod.manifest->identity(), resource, at->name()));
          }
          const Value limit = resources["gpu"]["limit"];
          if (!limit || kai_amount(limit) < 0 || gpus <= kai_amount(limit)) continue;
          found
              .value(pod.labels()["kai.scheduler/queue"],
                     fmt::format("{}: the pod counts as {:g} GPUs, and queue {} may have {:g}",
                                 pod.manifest->identity(), gpus, at->name(), kai_amount(limit)))
              .related(limit, "the limit");
        }
      }
    }};

}  // namespace previct::lint
