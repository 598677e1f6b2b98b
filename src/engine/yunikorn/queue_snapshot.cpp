#include "engine/yunikorn/queue_snapshot.h"

#include <algorithm>

namespace previct::yunikorn {
namespace {

auto has_entries(const MaybeResources& resources) -> bool {
  return resources && !resources->empty();
}

}  // namespace

QueueSnapshot::QueueSnapshot(const QueueTree& queues, QueueId ask_leaf) : queues_(&queues), ask_leaf_(ask_leaf) {
  allocated_.reserve(queues.size());
  for (const QueueId id : queues.ids()) allocated_.push_back(queues[id].allocated);
  ask_has_share_ = has_entries(less_in_common(queues[ask_leaf].guaranteed, used(ask_leaf)));
}

void QueueSnapshot::add(QueueId queue, const Resources& size) {
  for (QueueId at = queue; at; at = (*queues_)[at].parent) allocated_[at.index] += size;
}

void QueueSnapshot::remove(QueueId queue, const Resources& size) {
  for (QueueId at = queue; at; at = (*queues_)[at].parent) allocated_[at.index] -= size;
}

auto QueueSnapshot::used(QueueId queue) const -> Resources {
  // Only the types that are allocated: pods that are marked as preempted are always included in them.
  return less_in_common(allocated_[queue.index], (*queues_)[queue].preempting).value_or(Resources());
}

auto QueueSnapshot::path_to(QueueId queue) const -> std::vector<QueueId> {
  std::vector<QueueId> path;
  for (QueueId at = queue; at; at = (*queues_)[at].parent) path.push_back(at);
  std::reverse(path.begin(), path.end());
  return path;
}

auto QueueSnapshot::remaining_guarantee(QueueId queue) const -> MaybeResources {
  const std::string& ask_path = (*queues_)[ask_leaf_].path;
  MaybeResources above;
  for (const QueueId at : path_to(queue)) {
    const Queue& here = (*queues_)[at];
    if (!has_entries(above) && !has_entries(here.guaranteed)) {
      above.reset();
      continue;
    }
    MaybeResources left = less_in_common(here.guaranteed, used(at));
    // The asking pod's queues below root are special. They are recognized by text, so `root.team` counts as an ancestor
    // of `root.team-b`.
    if (here.parent && has_entries(left)) {
      if (at == ask_leaf_) {
        above = merged(*left, above.value_or(Resources()));
        continue;
      }
      if (ask_path.compare(0, here.path.size(), here.path) == 0 && ask_has_share_) {
        above.reset();
        continue;
      }
    }
    above = smaller_of_each(std::move(left), above);
  }
  return above;
}

auto QueueSnapshot::old_guarantee(QueueId queue) const -> Resources {
  MaybeResources least;
  for (QueueId at = queue; at; at = (*queues_)[at].parent)
    least = smaller_of_each(std::move(least), (*queues_)[at].guaranteed);
  return least.value_or(Resources());
}

auto QueueSnapshot::old_share(QueueId queue) const -> Resources {
  return smaller_of_each(old_guarantee(queue), queues_->path_max(queue)).value_or(Resources());
}

// Source: apache/yunikorn-core 1.5.2 pkg/scheduler/objects/queue.go findEligiblePreemptionVictims, GetMaxResource.
auto QueueSnapshot::is_within_old_share(QueueId leaf) const -> bool {
  MaybeResources max;
  for (const QueueId at : path_to(leaf)) {
    const MaybeResources& own = (*queues_)[at].max;
    max = max && own ? smaller_or_zero(*max, *own) : max ? max : own;
  }
  const MaybeResources share = smaller_of_each(old_guarantee(leaf), max);
  return fits_where_limited(share.value_or(Resources()), allocated_[leaf.index]);
}

auto QueueSnapshot::fits_in_old_share(QueueId leaf) const -> bool {
  if (!has_old_guarantee(leaf)) return false;
  const std::vector<QueueId> path = path_to(leaf);
  return std::all_of(path.begin(), path.end(),
                     [&](QueueId at) { return fits(old_share(at), allocated_[at.index] - (*queues_)[at].preempting); });
}

auto QueueSnapshot::is_at_old_share(QueueId queue) const -> bool {
  const Resources use = allocated_[queue.index] - (*queues_)[queue].preempting;
  if (!fits(old_share(queue), use)) return true;
  return at_least(use, old_guarantee(queue)) && at_least(use, Resources());
}

auto QueueSnapshot::remaining_old_share(QueueId queue) const -> Resources {
  Resources above;
  for (const QueueId at : path_to(queue)) {
    above = smaller_or_zero(old_share(at) - (allocated_[at.index] - (*queues_)[at].preempting), above);
  }
  return above;
}

auto QueueSnapshot::preemptable(QueueId queue) const -> MaybeResources {
  MaybeResources above;
  for (const QueueId at : path_to(queue)) {
    const Queue& here = (*queues_)[at];
    if (allocated_[at.index].empty()) {
      above.reset();
      continue;
    }
    Resources over;
    const Resources guaranteed = here.guaranteed.value_or(Resources());
    for (const auto& [type, amount] : used(at)) {
      const std::int64_t beyond = saturating_subtract(amount, guaranteed.amount(type));
      if (beyond > 0) over.set(type, beyond);
    }
    above = over.empty() ? MaybeResources(over) : smaller_in_common(over, above);
  }
  return above;
}

}  // namespace previct::yunikorn
