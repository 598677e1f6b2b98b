#include "engine/kueue/parameters.h"

#include "api/units.h"
#include "base/text.h"
#include "cluster/changed_cluster.h"
#include "cluster/where_read.h"
#include "engine/kueue/controller.h"
#include "engine/kueue/known.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

namespace previct::kueue {
namespace {

/// A ClusterQueue or a Cohort object of the input.
struct Holder {
  bool is_cohort = false;
  std::size_t index = 0;
};

auto missing(const Snapshot& cluster, std::string_view kind, std::string_view name) {
  return fail(fmt::format("{} \"{}\" does not exist {}", kind, name, where_read(cluster.objects())));
}

template <class Object>
auto index_of(const std::vector<Object>& all, const Snapshot& cluster, std::string_view name)
    -> std::optional<std::size_t> {
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Object& each) { return cluster.text(each.meta.name) == name; });
  return found == all.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - all.begin()));
}

// `clusterqueue/NAME`, `cohort/NAME`, or NAME if only one of them has it.
auto find_holder(const Snapshot& cluster, std::string_view text) -> Result<Holder> {
  const std::size_t slash = text.find('/');
  const std::string_view kind = slash == std::string_view::npos ? "" : text.substr(0, slash);
  const std::string_view name = slash == std::string_view::npos ? text : text.substr(slash + 1);
  if (!kind.empty() && kind != "clusterqueue" && kind != "cohort")
    return fail(fmt::format("\"{}\" is not a queue; expected NAME, clusterqueue/NAME or cohort/NAME", text));
  const auto queue = kind == "cohort" ? std::nullopt : index_of(cluster.objects().cluster_queues, cluster, name);
  const auto cohort = kind == "clusterqueue" ? std::nullopt : index_of(cluster.objects().cohorts, cluster, name);
  if (queue && cohort)
    return fail(fmt::format("both a ClusterQueue and a Cohort have the name \"{}\"", name), {},
                fmt::format("use clusterqueue/{} or cohort/{}", name, name));
  if (queue) return Holder{false, *queue};
  if (cohort) return Holder{true, *cohort};
  return missing(cluster, kind == "cohort" ? "Cohort" : kind.empty() ? "ClusterQueue or Cohort" : "ClusterQueue", name);
}

auto groups_of(const Objects& objects, Holder holder) -> const std::vector<ResourceGroup>& {
  return holder.is_cohort ? objects.cohorts[holder.index].spec.resource_groups
                          : objects.cluster_queues[holder.index].spec.resource_groups;
}

auto groups_of(ChangedCluster& changed, Holder holder) -> std::vector<ResourceGroup>& {
  return holder.is_cohort ? changed.cohort(holder.index).spec.resource_groups
                          : changed.cluster_queue(holder.index).spec.resource_groups;
}

/// The place of a quota among the resource groups.
struct QuotaPlace {
  std::size_t group = 0;
  std::size_t flavor = 0;
  std::size_t resource = 0;

  [[nodiscard]] auto in(std::vector<ResourceGroup>& groups) const -> ResourceQuota& {
    return groups[group].flavors[flavor].resources[resource];
  }
};

auto find_quota(const Snapshot& cluster, const std::vector<ResourceGroup>& groups, std::string_view queue,
                std::string_view flavor, std::string_view resource) -> Result<QuotaPlace> {
  constexpr std::size_t kNamed = 10;
  std::vector<std::string> known;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    for (std::size_t f = 0; f < groups[g].flavors.size(); ++f) {
      const FlavorQuotas& of = groups[g].flavors[f];
      for (std::size_t r = 0; r < of.resources.size(); ++r) {
        const std::string_view name = cluster.text(of.resources[r].name);
        if (cluster.text(of.name) == flavor && name == resource) return QuotaPlace{g, f, r};
        known.push_back(fmt::format("{}:{}", cluster.text(of.name), name));
      }
    }
  }
  return fail(fmt::format("{} has no quota of {} on flavor {}; its quotas are {}", queue, resource, flavor,
                          known.empty() ? "none" : joined_up_to(kNamed, std::move(known))));
}

// What the workloads of a node use, and what they would use with the pending ones, one after another: at these amounts
// the next workload fits.
void add_usage(const Inventory& inventory, Instant now, QuotaNodeId node, FlavorResource of,
               std::vector<std::int64_t>& values) {
  const Controller start(inventory, now);
  const Amount used = start.tree().usage(node, of);
  const Symbol resource = inventory.names()[of].resource;
  values.push_back(used.value);
  Amount sum = used;
  for (const QueueId id : inventory.queues().ids()) {
    const QuotaNodeId at = inventory.queues()[id].node;
    const std::vector<QuotaNodeId> above = start.tree().ancestors(at);
    if (at != node && std::find(above.begin(), above.end(), node) == above.end()) continue;
    for (const WorkloadId waiting : start.queue(id, false)) {
      Amount wanted;
      for (const PodSetRequest& set : inventory.requests(waiting)) {
        for (const ResourceAmount& each : set.requests) {
          if (each.resource == resource) wanted = wanted + each.amount;
        }
      }
      sum = sum + wanted;
      values.push_back((used + wanted).value);
      values.push_back(sum.value);
    }
  }
  std::erase_if(values, [](std::int64_t value) { return value < 0 || value == INT64_MAX; });
}

auto node_named(const QuotaTree& tree, std::string_view name, bool is_cohort) -> QuotaNodeId {
  for (std::uint32_t i = 0; i < tree.size(); ++i) {
    if (tree[{i}].name == name && tree[{i}].is_cluster_queue != is_cohort) return {i};
  }
  return {};
}

template <class Member>
auto quota(const Snapshot& cluster, const Question& question, std::string_view operands, Member member)
    -> Result<VariedField> {
  const std::size_t first = operands.find(':');
  const std::size_t second = first == std::string_view::npos ? first : operands.find(':', first + 1);
  if (second == std::string_view::npos) return fail("expected QUEUE:FLAVOR:RESOURCE after the colon");
  const std::string_view queue = operands.substr(0, first);
  const std::string_view resource = operands.substr(second + 1);
  PREVICT_TRY(const Holder holder, find_holder(cluster, queue));
  const std::vector<ResourceGroup>& groups = groups_of(cluster.objects(), holder);
  PREVICT_TRY(const QuotaPlace place,
              find_quota(cluster, groups, queue, operands.substr(first + 1, second - first - 1), resource));
  VariedField field{.unit = VariedField::Unit::amount, .resource = std::string(resource)};
  field.set = [holder, place, member, resource = field.resource](ChangedCluster& changed, std::int64_t value) {
    place.in(groups_of(changed, holder)).*member = of_units(resource, value);
  };
  PREVICT_TRY(const auto inventory, known(cluster, question));
  const Objects& objects = cluster.objects();
  const Symbol name =
      holder.is_cohort ? objects.cohorts[holder.index].meta.name : objects.cluster_queues[holder.index].meta.name;
  const FlavorQuotas& flavor = groups[place.group].flavors[place.flavor];
  const QuotaNodeId node = node_named(inventory->tree(), cluster.text(name), holder.is_cohort);
  if (node)
    add_usage(*inventory, question.now, node,
              inventory->names().find(flavor.name, flavor.resources[place.resource].name), field.turning);
  return field;
}

auto nominal_quota(const Snapshot& cluster, const Question& question, std::string_view operands)
    -> Result<VariedField> {
  return quota(cluster, question, operands, &ResourceQuota::nominal);
}
auto borrowing_limit(const Snapshot& cluster, const Question& question, std::string_view operands)
    -> Result<VariedField> {
  return quota(cluster, question, operands, &ResourceQuota::borrowing_limit);
}
auto lending_limit(const Snapshot& cluster, const Question& question, std::string_view operands)
    -> Result<VariedField> {
  return quota(cluster, question, operands, &ResourceQuota::lending_limit);
}

auto weight(const Snapshot& cluster, const Question& question, std::string_view operands) -> Result<VariedField> {
  PREVICT_TRY(const Holder holder, find_holder(cluster, operands));
  PREVICT_TRY(const auto inventory, known(cluster, question));
  if (!inventory->settings().fair)
    return fail("fair sharing is not enabled in Kueue's configuration, so that the weight changes nothing", {},
                "pass a Configuration with fairSharing: --kueue-config FILE");
  VariedField field{.unit = VariedField::Unit::thousandths, .most = INT32_MAX};
  field.set = [holder](ChangedCluster& changed, std::int64_t value) {
    FairSharing& sharing = holder.is_cohort ? changed.cohort(holder.index).spec.fair_sharing
                                            : changed.cluster_queue(holder.index).spec.fair_sharing;
    sharing.weight = of_units("cpu", value);
  };
  return field;
}

auto priorities(const Snapshot& cluster) -> std::vector<std::int64_t> {
  std::set<std::int64_t> values;
  for (const Workload& each : cluster.objects().kueue_workloads) values.insert(each.spec.priority.value_or(0));
  return {values.begin(), values.end()};
}

auto threshold(const Snapshot& cluster, const Question& /*question*/, std::string_view operands)
    -> Result<VariedField> {
  const auto index = index_of(cluster.objects().cluster_queues, cluster, operands);
  if (!index) return missing(cluster, "ClusterQueue", operands);
  VariedField field{.least = INT32_MIN, .most = INT32_MAX, .turning = priorities(cluster)};
  field.set = [index = *index](ChangedCluster& changed, std::int64_t value) {
    changed.cluster_queue(index).spec.preemption.borrow_within_cohort.max_priority_threshold =
        static_cast<std::int32_t>(value);
  };
  return field;
}

auto find_workload(const Snapshot& cluster, std::string_view name) -> std::optional<std::size_t> {
  const std::string key =
      name.find('/') == std::string_view::npos ? fmt::format("default/{}", name) : std::string(name);
  const auto& all = cluster.objects().kueue_workloads;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (fmt::format("{}/{}", cluster.text(all[i].meta.ns), cluster.text(all[i].meta.name)) == key) return i;
  }
  return {};
}

auto workload_priority(const Snapshot& cluster, const Question& /*question*/, std::string_view operands)
    -> Result<VariedField> {
  const auto index = find_workload(cluster, operands);
  if (!index) return missing(cluster, "Workload", operands);
  VariedField field{.least = INT32_MIN, .most = INT32_MAX, .turning = priorities(cluster)};
  field.set = [index = *index](ChangedCluster& changed, std::int64_t value) {
    changed.kueue_workload(index).spec.priority = static_cast<std::int32_t>(value);
  };
  return field;
}

auto workload_count(const Snapshot& cluster, const Question& /*question*/, std::string_view operands)
    -> Result<VariedField> {
  const std::size_t colon = operands.find(':');
  const std::string_view name = operands.substr(0, colon);
  const std::string_view wanted = colon == std::string_view::npos ? "main" : operands.substr(colon + 1);
  const auto index = find_workload(cluster, name);
  if (!index) return missing(cluster, "Workload", name);
  const Workload& workload = cluster.objects().kueue_workloads[*index];
  std::vector<std::string> sets;
  for (std::size_t i = 0; i < workload.spec.pod_sets.size(); ++i) {
    const std::string_view set = name_of(workload.spec.pod_sets[i], cluster);
    sets.emplace_back(set);
    if (set != wanted && (colon != std::string_view::npos || workload.spec.pod_sets.size() > 1)) continue;
    constexpr std::int64_t kMostPods = 1'000'000;
    VariedField field{.most = kMostPods, .turning = {count_of(workload.spec.pod_sets[i])}};
    field.set = [index = *index, i](ChangedCluster& changed, std::int64_t value) {
      PodSet& of = changed.kueue_workload(index).spec.pod_sets[i];
      of.count = static_cast<std::int32_t>(value);
      if (of.min_count) of.min_count = std::min(*of.min_count, *of.count);
    };
    return field;
  }
  return fail(fmt::format("Workload {} has no pod set {}; it has {}", name, wanted, joined(sets, ", ")));
}

constexpr std::array kParameters = {
    FieldParameter{"nominal-quota", "QUEUE:FLAVOR:RESOURCE", "the nominalQuota of a ClusterQueue or Cohort",
                   &nominal_quota},
    FieldParameter{"borrowing-limit", "QUEUE:FLAVOR:RESOURCE", "the borrowingLimit", &borrowing_limit},
    FieldParameter{"lending-limit", "QUEUE:FLAVOR:RESOURCE", "the lendingLimit", &lending_limit},
    FieldParameter{"weight", "QUEUE", "the fairSharing.weight of a ClusterQueue or Cohort", &weight},
    FieldParameter{"max-priority-threshold", "QUEUE", "the borrowWithinCohort.maxPriorityThreshold of a ClusterQueue",
                   &threshold},
    FieldParameter{"workload-priority", "WORKLOAD", "the priority of a Workload", &workload_priority},
    FieldParameter{"workload-count", "WORKLOAD:PODSET", "the number of pods of a Workload", &workload_count}};

}  // namespace

auto parameters() -> std::span<const FieldParameter> {
  return kParameters;
}

}  // namespace previct::kueue
