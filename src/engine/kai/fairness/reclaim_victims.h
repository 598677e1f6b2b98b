#pragma once

#include "engine/kai/fairness/candidates.h"
#include "engine/kai/fairness/jobs_order.h"

#include <vector>

namespace previct::kai {

/// The groups from which pending groups may reclaim. What is found for a group is kept for the next ones of its queue:
/// only groups that have changed since then are judged again.
class ReclaimVictims {
 public:
  /// All must outlive this object.
  ReclaimVictims(Session& session, const QueueOrder& order, Moment& now);

  /// Returns the groups from which the group may reclaim, as entries of a queue of victims, by name. The result is
  /// valid until the next call.
  [[nodiscard]] auto of(GroupId pending) -> const std::vector<GroupQueue::Entry>&;

 private:
  struct Kept {
    QueueId pending;
    IdVector<QueueId, Candidates::QueueFacts> queues;  // of victims
    std::vector<GroupQueue::Entry> victims;
    std::size_t changes = 0;  // of the session, that are known
  };

  [[nodiscard]] auto kept_for(GroupId pending) -> Kept&;
  [[nodiscard]] auto is_victim(const Kept& kept, GroupId pending, GroupId group) const -> bool;
  void judge_all(Kept& kept, GroupId pending) const;
  void judge_again(Kept& kept, GroupId pending, GroupId group) const;

  Session& session_;
  Candidates candidates_;
  std::vector<Kept> kept_;
};

}  // namespace previct::kai
