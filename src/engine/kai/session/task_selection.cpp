#include "engine/kai/session/levels.h"

#include <algorithm>

namespace previct::kai {
namespace {

using Tasks = std::vector<CopyId>;

void append(Tasks& to, const Tasks& from) {
  to.insert(to.end(), from.begin(), from.end());
}

class NodePlacer {
 public:
  NodePlacer(const Session& session, const GroupView& view, bool real)
      : session_(session), view_(view), real_(real), levels_(session, view) {}

  [[nodiscard]] auto chunk() const -> Tasks {
    if (!levels_.is_satisfied(0)) return missing_below(0);
    // The first child that yields a task, at any depth.
    std::vector<Member> open{{false, 0, 0, 0, {}}};
    while (!open.empty()) {
      const Member at = open.back();
      open.pop_back();
      if (!at.is_set && levels_.is_satisfied(at.index)) {
        const std::vector<Member> children = levels_.children(at.index, false);
        open.insert(open.end(), children.rbegin(), children.rend());
        continue;
      }
      Tasks found = at.is_set ? from_set(view_.sets[at.index]) : missing_below(at.index);
      if (!found.empty()) return found;
    }
    return {};
  }

 private:
  // Returns what the first `threshold` children of an unsatisfied inner node lack.
  [[nodiscard]] auto missing_below(std::uint32_t index) const -> Tasks {
    Tasks tasks;
    std::vector<Member> open{{false, index, 0, 0, {}}};
    while (!open.empty()) {
      const Member at = open.back();
      open.pop_back();
      if (at.is_set) {
        append(tasks, from_set(view_.sets[at.index]));
        continue;
      }
      std::vector<Member> children = levels_.children(at.index, false);
      const auto threshold = static_cast<std::size_t>(std::max<std::int64_t>(0, levels_.inner(at.index).threshold()));
      if (children.size() > threshold) children.resize(threshold);
      std::erase_if(children, [](const Member& m) { return m.satisfied(); });
      open.insert(open.end(), children.rbegin(), children.rend());
    }
    return tasks;
  }

  [[nodiscard]] auto from_set(const SetView& set) const -> Tasks {
    const bool missing = session_.cluster_info().settings().running.release.has(Change::missing_pods_are_next);
    const auto below = static_cast<std::size_t>(missing ? set.min - set.allocated : set.min);
    const std::size_t wanted = set.allocated >= set.min ? 1 : below;
    Tasks tasks;
    for (std::size_t i = 0; i < set.count && tasks.size() < wanted; ++i) {
      const Copy& copy = session_.copy(set.tasks[i]);
      const bool evicted_here = !real_ && copy.status == Status::releasing && copy.simulated;
      if (copy.status == Status::pending || evicted_here) tasks.push_back(set.tasks[i]);
    }
    return tasks;
  }

  const Session& session_;
  const GroupView& view_;
  bool real_;
  Levels levels_;
};

class Evicting {
 public:
  Evicting(const Session& session, const GroupView& view) : session_(session), view_(view), levels_(session, view) {}

  [[nodiscard]] auto chunk() const -> Tasks {
    Tasks spare = spare_tasks();
    return spare.empty() ? all_below(0) : spare;
  }

 private:
  // The search of an inner node: first for one task above a minimum, then for a surplus child.
  struct Search {
    std::uint32_t index;
    std::vector<Member> children;
    std::size_t next = 0;
  };

  [[nodiscard]] auto search(std::uint32_t index) const -> Search {
    return {index, levels_.children(index, true), levels_.has_surplus(index) ? 0 : SIZE_MAX};
  }

  [[nodiscard]] auto spare_tasks() const -> Tasks {
    if (levels_.satisfied_children(0) == 0) return {};
    std::vector<Search> open{search(0)};
    while (!open.empty()) {
      Search& at = open.back();
      if (at.next < at.children.size()) {
        const Member child = at.children[at.next++];
        if (!child.is_set) {
          if (levels_.satisfied_children(child.index) > 0) open.push_back(search(child.index));
        } else if (child.allocated > child.threshold) {
          return {last_first(view_.sets[child.index]).front()};
        }
        continue;
      }
      Tasks whole = child_too_many(at);
      if (!whole.empty()) return whole;
      open.pop_back();
    }
    return {};
  }

  [[nodiscard]] auto child_too_many(const Search& at) const -> Tasks {
    if (levels_.satisfied_children(at.index) <= levels_.inner(at.index).threshold()) return {};
    for (const Member& child : at.children) {
      Tasks tasks = child.is_set ? last_first(view_.sets[child.index]) : all_below(child.index);
      if (!tasks.empty()) return tasks;
    }
    return {};
  }

  [[nodiscard]] auto all_below(std::uint32_t index) const -> Tasks {
    Tasks tasks;
    for (const std::uint32_t set : sets_below(levels_.tree(), index)) append(tasks, last_first(view_.sets[set]));
    return tasks;
  }

  [[nodiscard]] auto last_first(const SetView& set) const -> Tasks {
    Tasks tasks;
    for (std::size_t i = set.count; i-- > 0;) {
      if (kActiveAllocated.has(session_.copy(set.tasks[i]).status)) tasks.push_back(set.tasks[i]);
    }
    return tasks;
  }

  const Session& session_;
  const GroupView& view_;
  Levels levels_;
};

}  // namespace

auto view_of(const Session& session, GroupId id) -> GroupView {
  const ClusterInfo& cluster_info = session.cluster_info();
  const Group& group = cluster_info.group(id);
  GroupView view;
  view.tree = cluster_info.sub_groups(group);
  view.sets.reserve(group.sets);
  for (std::uint32_t i = 0; i < group.sets; ++i) {
    const PodSet& set = cluster_info.sets()[group.set(i)];
    view.sets.push_back({set.name, set.min, &set.topology, session.counts(group.set(i)).allocated,
                         session.slots(group.set(i)), set.end - set.begin});
  }
  return view;
}

auto next_chunk(const Session& session, const GroupView& view, bool real) -> std::vector<CopyId> {
  return NodePlacer(session, view, real).chunk();
}

auto next_chunk(Session& session, GroupId group, bool real) -> const std::vector<CopyId>& {
  Session::Chunk& chunk = session.chunk(group);
  if (chunk.tasks.empty()) chunk.tasks = next_chunk(session, view_of(session, group), real);
  return chunk.tasks;
}

auto need_of(const Session& session, const std::vector<CopyId>& chunk) -> Ask {
  const ClusterInfo& cluster_info = session.cluster_info();
  Ask need;
  for (const CopyId id : chunk) {
    const Copy& copy = session.copy(id);
    const bool wants = copy.status == Status::pending || (copy.status == Status::releasing && copy.simulated);
    if (!wants) continue;
    Ask of{cluster_info.request_share(copy.task), cluster_info.request(copy.task)[kGpu]};
    if (cluster_info.gpu(copy.task).kind == GpuRequest::Kind::memory) {
      const double parts = cluster_info.gpu(copy.task).memory_as_gpus(cluster_info.least_gpu_memory());
      of.amount[kGpu] += parts;
      of.gpus += parts;
    }
    add_to(need, of);
  }
  return need;
}

auto need_of(Session& session, GroupId group) -> const Ask& {
  Session::Chunk& chunk = session.chunk(group);
  if (!chunk.need_known) {
    chunk.need = need_of(session, next_chunk(session, group, false));
    chunk.need_known = true;
  }
  return chunk.need;
}

auto chunk_to_evict(const Session& session, const GroupView& view) -> std::vector<CopyId> {
  return Evicting(session, view).chunk();
}

auto sets_below(const SubGroupTree& tree, std::uint32_t index) -> std::vector<std::uint32_t> {
  // The sets of a node come before those of deeper nodes.
  std::vector<std::uint32_t> sets;
  std::vector<std::uint32_t> open{index};
  while (!open.empty()) {
    const SubGroupTree::Inner& inner = tree.inners[open.back()];
    open.pop_back();
    sets.insert(sets.end(), inner.sets.begin(), inner.sets.end());
    open.insert(open.end(), inner.inners.rbegin(), inner.inners.rend());
  }
  return sets;
}

auto members_in_order(const Session& session, const GroupView& view, std::uint32_t inner) -> std::vector<TreeMember> {
  if (view.tree == nullptr) return {{true, 0}};
  std::vector<TreeMember> members;
  for (const Member& member : Levels(session, view).children(inner, false)) {
    members.push_back({member.is_set, member.index});
  }
  return members;
}

auto is_ready(const Session& session, GroupId id) -> bool {
  const ClusterInfo& cluster_info = session.cluster_info();
  const Group& group = cluster_info.group(id);
  const auto set_ready = [&](std::uint32_t i) {
    const SetCounts& counts = session.counts(group.set(i));
    return counts.alive - counts.gated >= cluster_info.sets()[group.set(i)].min;
  };
  const SubGroupTree* tree = cluster_info.sub_groups(group);
  if (tree == nullptr) return set_ready(0);
  std::vector<bool> ready(tree->inners.size());
  for (std::size_t i = tree->inners.size(); i-- > 0;) {
    std::int64_t children = 0;
    for (const std::uint32_t set : tree->inners[i].sets) children += set_ready(set) ? 1 : 0;
    for (const std::uint32_t child : tree->inners[i].inners) children += ready[child] ? 1 : 0;
    ready[i] = children >= tree->inners[i].threshold();
  }
  return ready[0];
}

auto gang_satisfied(const Session& session, GroupId id) -> bool {
  const Group& group = session.cluster_info().group(id);
  for (std::uint32_t i = 0; i < group.sets; ++i) {
    if (session.counts(group.set(i)).used < session.cluster_info().sets()[group.set(i)].min) return false;
  }
  return true;
}

}  // namespace previct::kai
