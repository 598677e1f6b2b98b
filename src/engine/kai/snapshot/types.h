#pragma once

#include "base/id.h"

#include <array>
#include <cstdint>

/// Terms of the KAI engine: a *group* is a PodGroup, a *task* is a pod of a group, a *shard node* is a node in the
/// scheduler's node pool, a *cycle* is one run of all actions on one snapshot.
namespace previct::kai {

using QueueId = Id<struct QueueTag>;  ///< in input order
using GroupId = Id<struct GroupTag>;  ///< in input order of the first PodGroup of a name
using TaskId = Id<struct TaskTag>;
using SetId = Id<struct SetTag>;              ///< a pod set; the sets of one group are adjacent
using ShardNodeId = Id<struct ShardNodeTag>;  ///< ordered by node name
using CopyId = Id<struct CopyTag>;            ///< see session.h

enum class Status : std::uint8_t {
  pending,
  gated,
  allocated,
  pipelined,
  binding,
  bound,
  running,
  releasing,
  succeeded,
  unknown,
  stuck
};
constexpr std::size_t kStatuses = 11;

/// A set of statuses.
class Statuses {
 public:
  template <class... Each>
  explicit constexpr Statuses(Each... each) : bits_(((1U << static_cast<unsigned>(each)) | ... | 0U)) {}
  [[nodiscard]] constexpr auto has(Status status) const -> bool {
    return ((bits_ >> static_cast<unsigned>(status)) & 1U) != 0;
  }

 private:
  unsigned bits_;
};

/// Source: kai-scheduler/KAI-Scheduler pkg/scheduler/api/pod_status.
constexpr Statuses kActiveUsed(Status::allocated, Status::pipelined, Status::binding, Status::bound, Status::running,
                               Status::releasing, Status::stuck);
constexpr Statuses kActiveAllocated(Status::allocated, Status::pipelined, Status::binding, Status::bound,
                                    Status::running);
constexpr Statuses kAlive(Status::allocated, Status::pipelined, Status::binding, Status::bound, Status::running,
                          Status::pending, Status::gated);
constexpr Statuses kHeld(Status::allocated, Status::bound, Status::binding, Status::running);

/// The first resource dimensions, in this order everywhere; further resources follow.
constexpr std::size_t kCpu = 0;     ///< milli-CPU
constexpr std::size_t kMemory = 1;  ///< bytes
constexpr std::size_t kGpu = 2;     ///< devices
constexpr std::size_t kPods = 3;
constexpr std::size_t kShared = 3;  ///< queues share cpu, memory and gpu

/// Quota, limit or fair share without a bound.
constexpr double kUnlimited = -1;

/// cpu, memory and gpu of a queue or a group. Fractions of GPUs are hundredths, and their sums round as upstream's do.
using Share = std::array<double, kShared>;

inline void add_to(Share& sum, const Share& part) {
  for (std::size_t r = 0; r < kShared; ++r) sum[r] += part[r];
}
inline void take_from(Share& sum, const Share& part) {
  for (std::size_t r = 0; r < kShared; ++r) sum[r] -= part[r];
}
[[nodiscard]] inline auto plus(const Share& a, const Share& b) -> Share {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}

/// Returns true if a <= b in every resource. Unlimited on the right is more than anything; unlimited on the left is
/// more than any number.
[[nodiscard]] inline auto within(const Share& a, const Share& b) -> bool {
  for (std::size_t r = 0; r < kShared; ++r) {
    if (b[r] == kUnlimited) continue;
    if (a[r] == kUnlimited || a[r] > b[r]) return false;
  }
  return true;
}

/// A request to a queue, or resources taken from it. GPUs in `amount` include MIG devices; `gpus` excludes them. The
/// rules of reclaim use `gpus` to check whether GPUs are involved.
struct Ask {
  Share amount{};
  double gpus = 0;

  [[nodiscard]] auto concerns(std::size_t resource) const -> bool {
    return resource == kGpu ? gpus > 0 : amount[resource] > 0;
  }
};
inline void add_to(Ask& sum, const Ask& part) {
  add_to(sum.amount, part.amount);
  sum.gpus += part.gpus;
}

enum class Action : std::uint8_t { allocate, consolidation, reclaim, preempt, stalegangeviction };
constexpr std::size_t kActions = 5;

}  // namespace previct::kai
