#include "lint/kai.h"

#include "api/upstream.h"

#include <algorithm>
#include <cstdlib>

namespace previct::lint {

KaiQueues::KaiQueues(const Repository& repository) {
  for (const Manifest* manifest : repository.of(kind::kKaiQueue)) {
    const bool named = !manifest->name.empty();
    if (named && !by_name_.emplace(manifest->name, queues_.size()).second) continue;
    queues_.push_back({.manifest = manifest});
  }
  for (Queue& queue : queues_) {
    const auto parent = by_name_.find(queue.spec()["parentQueue"].text());
    if (parent == by_name_.end()) continue;
    queue.parent = &queues_[parent->second];
    queues_[parent->second].leaf = false;
  }
  for (Queue& queue : queues_) {
    std::size_t steps = 0;
    for (const Queue* at = queue.parent; at != nullptr && !queue.in_cycle && steps <= queues_.size(); at = at->parent) {
      queue.in_cycle = at == &queue;
      ++steps;
    }
  }
}

auto KaiQueues::find(std::string_view name) const -> const Queue* {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : &queues_[found->second];
}

auto KaiQueues::path(const Queue& queue) -> std::vector<const Queue*> {
  std::vector<const Queue*> path;
  for (const Queue* at = &queue; at != nullptr; at = at->parent) {
    if (at->in_cycle) return {};
    path.push_back(at);
  }
  std::reverse(path.begin(), path.end());
  return path;
}

auto kai_duration(const Value& value) -> std::optional<std::int64_t> {
  return value ? parse_go_duration(value.text()) : std::nullopt;
}

auto kai_amount(const Value& value) -> double {
  return value ? std::strtod(std::string(value.text()).c_str(), nullptr) : 0.0;
}

auto is_kai_pod(const PodShape& pod) -> bool {
  return pod.scheduler() == schedulers::kai.scheduler_name || pod.labels()["kai.scheduler/queue"];
}

}  // namespace previct::lint
