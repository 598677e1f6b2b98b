#pragma once

#include "engine/kai/session/task_selection.h"

#include <string_view>
#include <vector>

namespace previct::kai {

/// A child of an inner node of a group's tree, as used by the subgroup order.
struct Member {
  bool is_set = true;
  std::uint32_t index = 0;
  std::int64_t allocated = 0;  ///< of a set: its tasks; of an inner node: its satisfied children
  std::int64_t threshold = 0;
  std::string_view name;

  [[nodiscard]] auto satisfied() const -> bool { return allocated >= threshold; }
};

/// The levels of a group: which are satisfied, and which have a surplus. A single set without a tree is a root with one
/// child.
/// Source: kai-scheduler/KAI-Scheduler pkg/scheduler/api/podgroup_info/subgroup_info; plugins/subgrouporder.
class Levels {
 public:
  /// Both arguments must outlive this object.
  Levels(const Session& session, const GroupView& view);

  [[nodiscard]] auto tree() const -> const SubGroupTree& { return tree_; }
  [[nodiscard]] auto inner(std::uint32_t index) const -> const SubGroupTree::Inner& { return tree_.inners[index]; }
  [[nodiscard]] auto satisfied_children(std::uint32_t i) const -> std::int64_t { return satisfied_children_[i]; }
  [[nodiscard]] auto is_satisfied(std::uint32_t i) const -> bool {
    return satisfied_children_[i] >= tree_.inners[i].threshold();
  }
  [[nodiscard]] auto has_surplus(std::uint32_t i) const -> bool { return surplus_[i]; }
  /// Returns the children of an inner node in subgroup order; reversed for evictions.
  [[nodiscard]] auto children(std::uint32_t index, bool reverse) const -> std::vector<Member>;

 private:
  const GroupView& view_;
  const SubGroupTree& tree_;
  bool by_fill_;
  std::vector<std::int64_t> satisfied_children_;
  std::vector<bool> surplus_;
};

}  // namespace previct::kai
