#pragma once

#include "base/id.h"
#include "engine/yunikorn/config.h"
#include "engine/yunikorn/resources.h"

#include <string>
#include <string_view>
#include <vector>

namespace previct::yunikorn {

using QueueId = Id<struct QueueTag>;

enum class PreemptionPolicy : std::uint8_t { normal, fence, disabled };

/// The policy that results from a queue's properties.
struct QueuePolicy {
  PreemptionPolicy preemption = PreemptionPolicy::normal;
  bool priority_fence = false;
  std::int32_t priority_offset = 0;
  std::int64_t preemption_delay = 30'000'000'000;  ///< nanoseconds; only that of a leaf queue is used
  std::int64_t quota_preemption_delay = 0;         ///< nanoseconds; 0: off
  std::int64_t old_quota_preemption_delay = 0;     ///< the same under its name in 1.8
  bool fair = false;                               ///< application.sort.policy; gangs need fifo, the default
  bool sorts_by_priority = true;                   ///< application.sort.priority, also for the queues below
};

/// Properties by name, as written or inherited.
using Properties = std::vector<std::pair<std::string, std::string>>;

/// Permission to submit: the user list and the group list of one ACL.
struct Acl {
  bool everybody = false;
  std::vector<std::string> users;
  std::vector<std::string> groups;
};

/// What a parent passes to the leaf queues that placement rules create below it.
struct ChildTemplate {
  std::uint64_t max_applications = 0;
  Properties properties;
  MaybeResources guaranteed;
  MaybeResources max;
};

struct Queue {
  std::string name;               ///< in lower case
  std::string path;               ///< `root.team.dev`
  QueueId parent;                 ///< none for root
  std::vector<QueueId> children;  ///< in file order, then in order of creation
  bool leaf = false;
  bool dynamic = false;                ///< created by a placement rule
  std::uint64_t max_applications = 0;  ///< 0: any number; root has no limit, whatever its configuration says
  MaybeResources guaranteed;
  MaybeResources max;  ///< root: what all nodes have
  Properties properties;
  QueuePolicy policy;
  bool sets_old_quota_delay = false;  ///< `preemption.quota.delay` is a property of its own, not inherited
  Acl submit;
  Acl admin;
  std::optional<ChildTemplate> child_template;

  Resources allocated;        ///< YuniKorn's own pods in the queue and below
  Resources preempting;       ///< those of them that are marked as preempted
  std::uint64_t running = 0;  ///< running applications in the queue and below
};

/// A queue that would use more of a type than its maximum.
struct OverMax {
  QueueId queue;  ///< none: no queue would
  TypeId type = 0;
  std::int64_t used = 0;  ///< with the pod
  std::int64_t max = 0;

  [[nodiscard]] explicit operator bool() const { return static_cast<bool>(queue); }
};

/// The types that decide whether a queue accepts a pod; a queue may use more than its maximum of the others.
enum class CheckedTypes : std::uint8_t {
  requested,  ///< also those of which the pod requests 0; root has a maximum of 0 of what no node has
  all         ///< before 1.6: all types of a maximum
};

/// The queues of the partition `default`.
/// Source: apache/yunikorn-core 1.9 pkg/scheduler/objects/queue.go.
class QueueTree {
 public:
  static constexpr std::string_view kRecovery = "root.@recovery@";

  /// `config` must have passed `check`.
  QueueTree(const PartitionConfig& config, TypeNames& types);

  [[nodiscard]] auto root() const -> QueueId { return QueueId{0}; }
  [[nodiscard]] auto operator[](QueueId id) -> Queue& { return queues_[id]; }
  [[nodiscard]] auto operator[](QueueId id) const -> const Queue& { return queues_[id]; }
  [[nodiscard]] auto ids() const { return queues_.ids(); }
  [[nodiscard]] auto size() const -> std::size_t { return queues_.size(); }

  /// Returns the queue at a full path, case-insensitively; none if it does not exist.
  [[nodiscard]] auto find(std::string_view path) const -> QueueId;
  /// Returns the queue at the path, or its nearest existing ancestor; none if the path does not begin at root.
  [[nodiscard]] auto find_nearest(std::string_view path) const -> QueueId;

  /// Creates the missing queues of the path; returns none if a name is not allowed or an ancestor is a leaf.
  auto make(std::string_view path) -> QueueId;
  /// Returns the queue for running applications that no rule places any more.
  auto recovery() -> QueueId;

  /// Change a queue and its ancestors.
  void allocate(QueueId queue, const Resources& size);
  void mark_preempting(QueueId queue, const Resources& size);
  void count_running(QueueId queue);

  /// Returns what the queue may still use, by the maxima from root down; only types that some maximum contains.
  [[nodiscard]] auto headroom(QueueId queue) const -> Resources;
  /// Returns the first queue, from the leaf up, that does not accept a pod of this size. A request above 0 that passes
  /// the headroom is always accepted.
  /// Source: queue.go TryIncAllocatedResource, allocatedResFits; before 1.6: IncAllocatedResource.
  [[nodiscard]] auto over_max(QueueId queue, const Resources& size, CheckedTypes checked) const -> OverMax;
  /// Returns the smallest of the maxima on the path to root; unset if there is none.
  [[nodiscard]] auto path_max(QueueId queue) const -> MaybeResources;
  /// The same without root, whose maximum is the capacity of the nodes.
  [[nodiscard]] auto configured_max(QueueId queue) const -> MaybeResources;
  /// Returns the topmost queue on the path to root that runs as many applications as it may; none if there is none.
  [[nodiscard]] auto full_of_applications(QueueId queue) const -> QueueId;

 private:
  auto add(std::string_view name, QueueId parent) -> QueueId;
  auto add_dynamic(std::string_view name, QueueId parent, bool leaf) -> QueueId;

  IdVector<QueueId, Queue> queues_;
};

[[nodiscard]] auto policy_of(const Properties& properties) -> QueuePolicy;
[[nodiscard]] auto parse_acl(std::string_view text) -> Acl;

}  // namespace previct::yunikorn
