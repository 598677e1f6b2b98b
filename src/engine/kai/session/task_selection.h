#pragma once

#include "engine/kai/session/session.h"

#include <string_view>
#include <vector>

namespace previct::kai {

/// A pod set of a group, or of a part of it.
struct SetView {
  std::string_view name;
  std::int32_t min = 0;
  const TopologyTerm* topology = nullptr;
  std::int32_t allocated = 0;     ///< active-allocated tasks
  const CopyId* tasks = nullptr;  ///< in task order
  std::size_t count = 0;
};

/// A group in its current state, or a part of it: what remains after some victims were named, or the part of a pending
/// group that a probe tries. `tree` is null for a single set.
struct GroupView {
  std::vector<SetView> sets;
  const SubGroupTree* tree = nullptr;
};

/// Returns the whole group in the state of the session.
[[nodiscard]] auto view_of(const Session& session, GroupId group) -> GroupView;

/// Returns the tasks to place next, all or nothing: those missing to reach the minimum, or one more.
/// `real`: only pending tasks; otherwise also tasks that a simulation evicted.
/// Source: pkg/scheduler/api/podgroup_info/allocation_info.go.
[[nodiscard]] auto next_chunk(const Session& session, const GroupView& view, bool real) -> std::vector<CopyId>;

/// The same for a whole group, cached until the group changes (with the `real` of the first call, as upstream).
[[nodiscard]] auto next_chunk(Session& session, GroupId group, bool real) -> const std::vector<CopyId>&;

/// Returns what the next chunk requests of its queue in simulations; GPU memory counts as parts of the smallest GPU.
[[nodiscard]] auto need_of(Session& session, GroupId group) -> const Ask&;
[[nodiscard]] auto need_of(const Session& session, const std::vector<CopyId>& chunk) -> Ask;

/// Returns the tasks to evict next: one above a minimum, else those of the last surplus subgroup, else all.
/// Source: pkg/scheduler/api/podgroup_info/eviction_info.go.
[[nodiscard]] auto chunk_to_evict(const Session& session, const GroupView& view) -> std::vector<CopyId>;

/// A child of an inner node of a group's tree: a pod set, or an inner node.
struct TreeMember {
  bool is_set = true;
  std::uint32_t index = 0;
};

/// Returns all pod sets below an inner node.
[[nodiscard]] auto sets_below(const SubGroupTree& tree, std::uint32_t inner) -> std::vector<std::uint32_t>;

/// Returns the children of an inner node in the order in which they are placed.
[[nodiscard]] auto members_in_order(const Session& session, const GroupView& view, std::uint32_t inner)
    -> std::vector<TreeMember>;

/// Returns true if enough tasks are alive and not gated, at every level.
[[nodiscard]] auto is_ready(const Session& session, GroupId group) -> bool;

/// Returns true if every pod set has at least its minimum of active-used tasks.
[[nodiscard]] auto gang_satisfied(const Session& session, GroupId group) -> bool;

}  // namespace previct::kai
