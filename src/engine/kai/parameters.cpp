#include "engine/kai/parameters.h"

#include "base/duration.h"
#include "cluster/changed_cluster.h"
#include "cluster/where_read.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace previct::kai {
namespace {

using MinRuntime = std::optional<Duration> QueueSpec::*;

template <MinRuntime member>
auto min_runtime(const Snapshot& cluster, const Question& /*question*/, std::string_view name) -> Result<VariedField> {
  const auto& queues = cluster.objects().kai_queues;
  const auto found = std::find_if(queues.begin(), queues.end(),
                                  [&](const Queue& each) { return cluster.text(each.meta.name) == name; });
  if (found == queues.end())
    return fail(fmt::format("KAI queue \"{}\" does not exist {}", name, where_read(cluster.objects())));
  VariedField field{.unit = VariedField::Unit::seconds,
                    .least = INT64_MIN / go::kNanosPerSecond,
                    .most = INT64_MAX / go::kNanosPerSecond};
  field.set = [index = static_cast<std::size_t>(found - queues.begin())](ChangedCluster& changed, std::int64_t value) {
    changed.kai_queue(index).spec.*member = Duration{value * go::kNanosPerSecond};
  };
  return field;
}

constexpr std::array kParameters = {
    FieldParameter{"preempt-min-runtime", "QUEUE", "the preemptMinRuntime of a KAI queue",
                   &min_runtime<&QueueSpec::preempt_min_runtime>},
    FieldParameter{"reclaim-min-runtime", "QUEUE", "the reclaimMinRuntime of a KAI queue",
                   &min_runtime<&QueueSpec::reclaim_min_runtime>}};

}  // namespace

auto parameters() -> std::span<const FieldParameter> {
  return kParameters;
}

}  // namespace previct::kai
