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

/// Whose limit stands in the way, and where.
struct LimitHit {
  std::string kind;  ///< `user` or `group`; empty: none does
  std::string name;
  QueueId queue;
  std::uint64_t running = 0;  ///< applications that it has there
  std::uint64_t most = 0;
  TypeId type = 0;  ///< of resources: the first that is short
  std::int64_t left = 0;
  std::int64_t max = 0;
};

/// The limits of users and groups, and what each of them uses in each queue and all above it.
///
/// On each queue the limit that names a user counts, else the one for `*`, each user apart. A group counts for a whole
/// application: the first one found from its leaf queue up, and no other.
/// Source: apache/yunikorn-core 1.9 pkg/scheduler/ugm manager.go, user_tracker.go, group_tracker.go, queue_tracker.go.
class Limits {
 public:
  /// `config` must have passed `check`. There is one set of limits for all partitions: each that is read clears those
  /// of the one before, so that the last of the file has them. Source: pkg/scheduler/ugm/manager.go UpdateConfig.
  Limits(const PartitionConfig& config, const QueueTree& queues, TypeNames& types);

  /// The group whose limits count for applications of the user in a leaf queue; empty if none.
  [[nodiscard]] auto group_of(const User& user, QueueId leaf) const -> std::string;

  /// A pod of an application runs.
  void use(const std::string& user, const std::string& group, AppId app, QueueId leaf, const Resources& size);

  /// The first limit that keeps an application from running its first pod; none if nothing does.
  [[nodiscard]] auto full_of_applications(const std::string& user, const std::string& group, AppId app,
                                          QueueId leaf) const -> LimitHit;
  /// The first limit of which too little is left for a pod of that size.
  [[nodiscard]] auto short_of_room(const std::string& user, const std::string& group, QueueId leaf,
                                   const Resources& size) const -> LimitHit;

  /// Does any queue limit groups?
  [[nodiscard]] auto has_groups() const -> bool { return has_groups_; }

 private:
  struct Limit {
    Resources max;
    std::uint64_t applications = 0;  // 0: any number
  };
  /// Of one configured queue, by its path as it is written: with capitals in it, root left aside, a queue has no
  /// limits, as paths are in lower case where limits are looked up.
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
