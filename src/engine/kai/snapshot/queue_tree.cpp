#include "engine/kai/snapshot/queue_tree.h"

#include "api/upstream.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace previct::kai {
namespace {

constexpr double kMegabyte = 1e6;

// Source: pkg/scheduler/api/queue_info/quota_info.go: memory is in megabytes; any negative amount means unlimited.
auto share_of(const QueueResources& from, double QueueResource::*field) -> Share {
  return {from.cpu.*field, std::max(kUnlimited, from.memory.*field * kMegabyte), from.gpu.*field};
}

auto tree_queue(const Snapshot& cluster, const Queue& object) -> TreeQueue {
  TreeQueue queue;
  queue.name = cluster.text(object.meta.name);
  queue.object = &object;
  queue.priority = object.spec.priority.value_or(100);
  queue.created = object.meta.created.value_or(upstream::kGoZero);
  if (object.spec.reclaim_min_runtime) queue.reclaim_min_runtime = object.spec.reclaim_min_runtime->nanos;
  if (object.spec.preempt_min_runtime) queue.preempt_min_runtime = object.spec.preempt_min_runtime->nanos;
  queue.deserved = share_of(object.spec.resources, &QueueResource::quota);
  queue.limit = share_of(object.spec.resources, &QueueResource::limit);
  const QueueResources& r = object.spec.resources;
  queue.weight = {r.cpu.over_quota_weight, r.memory.over_quota_weight, r.gpu.over_quota_weight};
  return queue;
}

struct Candidate {
  TreeQueue queue;
  std::string_view parent;  // empty: a top-level queue
  bool kept = false;
};

auto implicit_default(Instant now) -> Candidate {
  TreeQueue queue;
  queue.name = "default";
  queue.created = now;
  queue.deserved = queue.limit = {kUnlimited, kUnlimited, kUnlimited};
  queue.weight = {1, 1, 1};
  return {std::move(queue), {}, false};
}

auto read_candidates(const Snapshot& cluster, const Settings& settings, Instant now) -> std::vector<Candidate> {
  std::vector<Candidate> candidates;
  for (const Queue& object : cluster.objects().kai_queues) {
    if (!in_shard(cluster, settings, object.meta.labels)) continue;
    std::string_view parent = cluster.text(object.spec.parent_queue);
    if (!settings.full_hierarchy) {
      if (parent.empty()) continue;
      parent = "default";
    }
    candidates.push_back({tree_queue(cluster, object), parent});
  }
  const bool has_default =
      std::any_of(candidates.begin(), candidates.end(), [](const Candidate& c) { return c.queue.name == "default"; });
  if (!settings.full_hierarchy && !has_default) candidates.push_back(implicit_default(now));
  return candidates;
}

// Returns true if some ancestor of the queue does not exist.
auto leads_to_missing(const Candidate& candidate, const std::vector<Candidate>& all,
                      const std::map<std::string_view, std::size_t>& by_name) -> bool {
  const Candidate* at = &candidate;
  for (std::size_t steps = 0; steps <= all.size() && !at->parent.empty(); ++steps) {
    const auto above = by_name.find(at->parent);
    if (above == by_name.end()) return true;
    at = &all[above->second];
  }
  return false;
}

}  // namespace

auto in_shard(const Snapshot& cluster, const Settings& settings, const SymbolMap& labels) -> bool {
  const Symbol key = cluster.symbol(settings.pool_key);
  const Symbol value = key ? labels.get(key) : Symbol{};
  return value == settings.node_pool;
}

QueueTree::QueueTree(const Snapshot& cluster, const Settings& settings, Instant now) {
  std::vector<Candidate> all = read_candidates(cluster, settings, now);
  std::map<std::string_view, std::size_t> by_name;
  std::multimap<std::string_view, std::size_t> by_parent;
  for (std::size_t i = 0; i < all.size(); ++i) {
    by_name.emplace(all[i].queue.name, i);
    if (!all[i].parent.empty()) by_parent.emplace(all[i].parent, i);
  }
  // Queues below a top-level queue get shares. Queues with a missing ancestor are omitted. The remaining queues are
  // their own ancestors, or below such a queue.
  std::vector<std::size_t> reached;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].parent.empty()) reached.push_back(i);
  }
  for (std::size_t at = 0; at < reached.size(); ++at) {
    all[reached[at]].kept = true;
    const auto [first, last] = by_parent.equal_range(all[reached[at]].queue.name);
    for (auto child = first; child != last; ++child) reached.push_back(child->second);
  }
  for (Candidate& candidate : all) {
    if (!candidate.kept && leads_to_missing(candidate, all, by_name)) {
      const bool missing = !by_name.contains(candidate.parent);
      dropped_.push_back({candidate.queue.object,
                          missing
                              ? fmt::format("its parent queue \"{}\" does not exist", candidate.parent)
                              : fmt::format("a queue above its parent queue \"{}\" does not exist", candidate.parent)});
      continue;
    }
    candidate.queue.looped = !candidate.kept;
    candidate.kept = true;
    by_name_.emplace_back(candidate.queue.name, queues_.add(candidate.queue));
  }
  std::sort(by_name_.begin(), by_name_.end());
  std::size_t next = 0;
  for (const Candidate& candidate : all) {
    if (!candidate.kept) continue;
    const QueueId id{static_cast<std::uint32_t>(next++)};
    if (candidate.parent.empty()) {
      tops_.push_back(id);
    } else {
      queues_[id].parent = find(candidate.parent);
      queues_[queues_[id].parent].children.push_back(id);
    }
  }
  for (const QueueId id : queues_.ids()) {
    std::vector<QueueId>& path = queues_[id].path;
    for (QueueId at = id; at && std::find(path.begin(), path.end(), at) == path.end(); at = queues_[at].parent) {
      path.push_back(at);
    }
    std::reverse(path.begin(), path.end());
  }
}

auto QueueTree::find(std::string_view name) const -> QueueId {
  const auto found = std::lower_bound(by_name_.begin(), by_name_.end(), std::pair(name, QueueId{0}));
  return found != by_name_.end() && found->first == name ? found->second : QueueId{};
}

}  // namespace previct::kai
