#include "cluster/pod_ends.h"

#include "cluster/taint_eviction.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace previct {
namespace {

auto is_created_again(const Pod& pod, const Snapshot& cluster) -> bool {
  const OwnerReference* const owner = controller_of(pod.meta);
  if (owner == nullptr) return false;
  const std::string_view kind = cluster.text(owner->kind);
  return kind == kinds::stateful_sets.name || kind == kinds::daemon_sets.name;
}

auto end_of_activity(std::optional<Instant> start, std::optional<std::int64_t> seconds) -> std::optional<Instant> {
  if (!start || !seconds) return {};
  return start->plus_seconds(std::clamp<std::int64_t>(*seconds, 0, INT32_MAX));  // the most that the API server accepts
}

using JobDeadlines = std::map<std::pair<Symbol, Symbol>, Instant>;  // by namespace and name

auto deadlines_of_jobs(const Snapshot& cluster) -> JobDeadlines {
  JobDeadlines deadlines;
  for (const Job& job : cluster.objects().jobs) {
    const std::optional<Instant> end = deadline_of(job);
    if (end && !job.spec.suspend) deadlines.emplace(std::pair(job.meta.ns, job.meta.name), *end);
  }
  return deadlines;
}

auto job_of(const Pod& pod, const Snapshot& cluster) -> Symbol {
  const OwnerReference* const owner = controller_of(pod.meta);
  return owner != nullptr && cluster.text(owner->kind) == kinds::jobs.name ? owner->name : Symbol{};
}

}  // namespace

auto deadline_of(const Pod& pod) -> std::optional<Instant> {
  return end_of_activity(pod.status.start_time, pod.spec.active_deadline_seconds);
}
auto deadline_of(const Job& job) -> std::optional<Instant> {
  return end_of_activity(job.status.start_time, job.spec.active_deadline_seconds);
}

PodEnds::PodEnds(const Snapshot& cluster) {
  const JobDeadlines of_jobs = deadlines_of_jobs(cluster);
  for (const PodId id : cluster.pods().ids()) {
    const Pod& pod = cluster.pod(id);
    const NodeId node = cluster.node_of(id);
    if (!node || cluster.finished(id)) continue;
    std::optional<Instant> deadline = deadline_of(pod);
    PodEnd::By by = PodEnd::By::deadline;
    const auto of_job = of_jobs.empty() ? of_jobs.end() : of_jobs.find({pod.meta.ns, job_of(pod, cluster)});
    if (of_job != of_jobs.end() && (!deadline || of_job->second < *deadline)) {
      deadline = of_job->second;
      by = PodEnd::By::deadline_of_job;
    }
    if ((!pod.meta.deleting && !deadline) || is_unreachable(cluster.node(node), cluster)) continue;
    if (pod.meta.deleting && (!deadline || *pod.meta.deleting <= *deadline)) {
      const bool again = is_created_again(pod, cluster);
      all_.push_back({id, node, *pod.meta.deleting, again ? PodEnd::By::recreated : PodEnd::By::grace});
    } else {
      all_.push_back({id, node, *deadline, by});
    }
  }
  std::stable_sort(all_.begin(), all_.end(), [](const PodEnd& a, const PodEnd& b) { return a.at < b.at; });
}

auto PodEnds::after(Instant from) const -> std::span<const PodEnd> {
  const auto first = std::find_if(all_.begin(), all_.end(), [&](const PodEnd& each) { return each.at > from; });
  return {first, all_.end()};
}

auto ends_after(const Snapshot& cluster, Instant from) -> std::vector<PodEnd> {
  const std::span<const PodEnd> known = cluster.derived<PodEnds>().after(from);
  std::vector<PodEnd> ends(known.begin(), known.end());
  for (const TaintEviction& each : taint_evictions(cluster, from)) {
    const bool is_known = !each.since_missing && each.at > from && !is_unreachable(cluster.node(each.node), cluster);
    if (is_known) ends.push_back({each.pod, each.node, each.at, PodEnd::By::taint});
  }
  std::sort(ends.begin(), ends.end(), [&](const PodEnd& a, const PodEnd& b) {
    return a.at != b.at ? a.at < b.at : cluster.key(a.pod) < cluster.key(b.pod);
  });
  return ends;
}

}  // namespace previct
