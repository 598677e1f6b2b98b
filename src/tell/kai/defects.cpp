#include "tell/kai/explain.h"

#include <algorithm>

namespace previct::kai {
namespace {

class Finding {
 public:
  Finding(const Explained& e, const Fate& fate)
      : e_(e), fate_(fate), cycle_(e.decision.cycle), end_(cycle_.session()) {}

  auto all() -> std::vector<Defect> {
    for (const Attempt& attempt : cycle_.attempts()) {
      if (attempt.rule == Rule::sub_groups_unsatisfied) add(Rule::defect_dirty, attempt.group);
      if (attempt.group != e_.subject.group) continue;
      if (attempt.search().named_twice && attempt.rule == Rule::solved) add(Rule::defect_named_twice, attempt.group);
      const auto cores = attempt.search().refused[static_cast<std::size_t>(Rule::takes_core)];
      if (cores == 0 || attempt.rule == Rule::solved) continue;
      for (const GroupId group : attempt.search().blocked_by) add(Rule::defect_blocks, group);
    }
    for (const GroupId group : victim_groups()) {
      if (below_minimum(group)) add(Rule::defect_below_minimum, group);
      if (left_out(group)) add(Rule::defect_one_chunk, group);
    }
    return std::move(found_);
  }

 private:
  void add(Rule rule, GroupId group) {
    const auto same = [&](const Defect& d) { return d.rule == rule && d.group == group; };
    if (std::none_of(found_.begin(), found_.end(), same)) found_.push_back({rule, group});
  }

  [[nodiscard]] auto victim_groups() const -> std::vector<GroupId> {
    std::vector<GroupId> groups;
    for (const Eviction& each : fate_.evictions) groups.push_back(e_.cluster_info().task(each.task).group);
    std::sort(groups.begin(), groups.end());
    groups.erase(std::unique(groups.begin(), groups.end()), groups.end());
    return groups;
  }

  // Returns true if an elastic group is protected from the subject but still falls below a minimum.
  [[nodiscard]] auto below_minimum(GroupId id) const -> bool {
    const Group& group = e_.cluster_info().group(id);
    if (!group.elastic || fate_.action == Action::consolidation) return false;
    Moment moment(e_.question.now);
    if (!shield_of(e_.decision.start(), fate_.action, e_.group().queue, id, moment).now) return false;
    for (std::uint32_t i = 0; i < group.sets; ++i) {
      if (end_.counts(group.set(i)).allocated < e_.cluster_info().sets()[group.set(i)].min) return true;
    }
    return false;
  }

  // Returns true if one pod of an elastic group was placed again and another was not, although free resources would
  // hold it.
  [[nodiscard]] auto left_out(GroupId id) const -> bool {
    if (!e_.cluster_info().group(id).elastic) return false;
    bool moved = false;
    bool could = false;
    for (const Eviction& each : fate_.evictions) {
      if (e_.cluster_info().task(each.task).group != id) continue;
      if (cycle_.moved_to(each.task)) {
        moved = true;
      } else {
        could = could || fits_somewhere(each.task);
      }
    }
    return moved && could;
  }

  [[nodiscard]] auto fits_somewhere(TaskId task) const -> bool {
    const double* request = e_.cluster_info().request(task);
    for (const ShardNodeId shard_node : e_.cluster_info().shard_nodes().ids()) {
      if (!e_.cluster_info().shard_nodes()[shard_node].available) continue;
      bool fits = true;
      for (std::size_t i = 0; i < e_.cluster_info().dims() && fits; ++i)
        fits = request[i] <= end_.free_later(shard_node, i);
      if (fits) return true;
    }
    return false;
  }

  const Explained& e_;
  const Fate& fate_;
  const Cycle& cycle_;
  const Session& end_;
  std::vector<Defect> found_;
};

}  // namespace

auto defects(const Explained& explained, const Fate& fate) -> std::vector<Defect> {
  return Finding(explained, fate).all();
}

}  // namespace previct::kai
