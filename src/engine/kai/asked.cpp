#include "engine/kai/asked.h"

#include "base/text.h"
#include "cluster/where_read.h"
#include "engine/required_kind.h"

#include <fmt/format.h>

namespace previct::kai {
namespace {

auto find_group(const Snapshot& cluster, const std::string& ns, const std::string& name, PodId pod) -> Result<Asked> {
  const PodGroup* found = nullptr;
  const Symbol known = cluster.symbol(name);
  for (const PodGroup& group : cluster.objects().kai_pod_groups) {
    if (known && group.meta.name == known) {
      // Pods find their group by name alone, in any namespace.
      if (found == nullptr || cluster.text(group.meta.ns) == ns) found = &group;
    }
  }
  const std::string wanted = fmt::format("{}/{}", ns, name);
  const bool exact = found != nullptr && cluster.text(found->meta.ns) == ns;
  if (found != nullptr && (exact || pod)) {
    return Asked{.ns = std::string(cluster.text(found->meta.ns)),
                 .name = name,
                 .pod = pod,
                 .assumed = {},
                 .labels = &found->meta.labels};
  }
  if (pod && lacks(cluster.objects(), kinds::kai_pod_groups)) {
    return fail(
        fmt::format(
            "cannot tell what happens to pod {}: it belongs to {}, and the input has no PodGroups of KAI Scheduler",
            cluster.key(pod), wanted),
        {}, "add them: kubectl get podgroups.scheduling.run.ai,queues.scheduling.run.ai -A -o yaml");
  }
  std::vector<std::string> names;
  for (const PodGroup& group : cluster.objects().kai_pod_groups)
    names.push_back(fmt::format("{}/{}", cluster.text(group.meta.ns), cluster.text(group.meta.name)));
  const auto meant = nearest(wanted, names);
  return fail(fmt::format(
      "no podgroup {} {}{} ({}){}", wanted, where_read(cluster.objects()),
      meant ? fmt::format("; did you mean {}?", *meant) : "", counted(names.size(), "group", "groups"),
      pod ? fmt::format("; pod {} names it, and the scheduler ignores pods whose group is missing", cluster.key(pod))
          : ""));
}

}  // namespace

auto group_in(const ClusterInfo& cluster_info, const Asked& asked) -> GroupId {
  const bool by_name = asked.pod && !asked.assumed;
  return by_name ? cluster_info.find_group_by_name(asked.name) : cluster_info.find_group(asked.ns, asked.name);
}

auto not_in_shard(const Snapshot& cluster, const Settings& settings, const Asked& asked) -> tl::unexpected<Failure> {
  return fail(fmt::format("podgroup {}/{} does not belong to shard {} (partition \"{}\")", asked.ns, asked.name,
                          settings.shard, cluster.text(settings.node_pool)),
              {}, "--shard NAME selects another SchedulingShard");
}

auto find_asked(const Snapshot& cluster, const Question& question) -> Result<Asked> {
  if (question.kind == "podgroup") return find_group(cluster, question.ns, question.name, {});
  const PodId pod = cluster.find_pod(question.ns, question.name);
  if (!pod) return fail(fmt::format("no pod {}/{} in the input", question.ns, question.name));
  if (const std::string_view group = group_name_of(cluster, pod); !group.empty()) {
    return find_group(cluster, question.ns, std::string(group), pod);
  }
  Asked asked{.ns = {},
              .name = {},
              .pod = pod,
              .assumed = assumed_group(cluster, pod),
              .labels = &cluster.pod(pod).meta.labels};
  asked.ns = asked.assumed->ns;
  asked.name = asked.assumed->name;
  return asked;
}

auto shard_for(const Snapshot& cluster, const Question& question, const Asked& asked) -> std::string {
  if (!question.shard.empty()) return question.shard;
  const Symbol key = cluster.symbol("kai.scheduler/node-pool");
  const Symbol cluster_info = key ? asked.labels->get(key) : Symbol{};
  if (!cluster_info) return {};
  for (const SchedulingShard& shard : cluster.objects().kai_shards) {
    if (shard.spec.partition_label_value == cluster_info) return std::string(cluster.text(shard.meta.name));
  }
  return {};
}

}  // namespace previct::kai
