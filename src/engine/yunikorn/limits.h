#pragma once

#include "engine/yunikorn/config.h"
#include "engine/yunikorn/pod_facts.h"
#include "engine/yunikorn/queues.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace previct::yunikorn {

using AppId = Id<struct AppTag>;

/// A limit of a user or group that blocks a pod, and its queue.
struct LimitHit {
  std::string kind;  ///< `user` or `group`; empty: no limit blocks
  std::string name;
  QueueId queue;
  std::uint64_t running = 0;  ///< number of applications it runs there
  std::uint64_t most = 0;
  TypeId type = 0;  ///< for resources: the first type that is short
  std::int64_t left = 0;
  std::int64_t max = 0;
};

/// The limits of users and groups, and what each of them uses in each queue and its ancestors.
///
/// In each queue, the limit that names a user applies, otherwise the one for `*`, for each user separately. One group
/// applies to a whole application: the first one found from its leaf queue up.
/// Source: apache/yunikorn-core 1.9 pkg/scheduler/ugm manager.go, user_tracker.go, group_tracker.go, queue_tracker.go.
class Limits {
 public:
  /// `config` must have passed `check`. All partitions share one set of limits: reading a partition clears the limits
  /// of the previous one, so only those of the last partition in the file remain. Source: pkg/scheduler/ugm/manager.go
  /// UpdateConfig.
  Limits(const PartitionConfig& config, const QueueTree& queues, TypeNames& types);

  /// Returns the group whose limits apply to applications of the user in a leaf queue; empty if none.
  [[nodiscard]] auto group_of(const User& user, QueueId leaf) const -> std::string;

  /// Records a running pod of an application.
  void use(const std::string& user, const std::string& group, AppId app, QueueId leaf, const Resources& size);

  /// Returns the first limit that prevents an application from running its first pod; none if no limit does.
  [[nodiscard]] auto full_of_applications(const std::string& user, const std::string& group, AppId app,
                                          QueueId leaf) const -> LimitHit;
  /// Returns the first limit that leaves too little for a pod of that size.
  [[nodiscard]] auto short_of_room(const std::string& user, const std::string& group, QueueId leaf,
                                   const Resources& size) const -> LimitHit;

  /// Returns true if any queue limits groups.
  [[nodiscard]] auto has_groups() const -> bool { return has_groups_; }

 private:
  struct Limit {
    Resources max;
    std::uint64_t applications = 0;  // 0: any number
  };
  /// The limits of one configured queue, by its path as written. A queue with capitals in its path (except in root) has
  /// no limits, because lookups use lower case.
  struct OfQueue {
    std::map<std::string, Limit> users;
    std::map<std::string, Limit> groups;
    std::vector<std::string> groups_in_order;
  };
  struct Usage {
    Resources used;
    std::set<AppId> apps;
  };
  using Tracker = std::map<QueueId, Usage>;

  [[nodiscard]] auto user_limit(const std::string& user, QueueId queue) const -> const Limit*;
  [[nodiscard]] auto group_limit(const std::string& group, QueueId queue) const -> const Limit*;
  template <class Look>
  [[nodiscard]] auto first_hit(const std::string& user, const std::string& group, QueueId leaf, Look look) const
      -> LimitHit;

  const QueueTree& queues_;
  std::map<std::string, OfQueue> by_path_;
  bool has_groups_ = false;
  std::map<std::string, Tracker> users_;
  std::map<std::string, Tracker> groups_;
};

}  // namespace previct::yunikorn
