#include "engine/kai/session/levels.h"

#include <algorithm>

namespace previct::kai {
namespace {

const SubGroupTree kSingle = {{{"", {}, {}, {0}}}};

// Unsatisfied members first; then required before optional ones; then the smaller allocated fraction of the threshold;
// then by name.
// Source: pkg/scheduler/plugins/subgrouporder.
auto comes_first(const Member& a, const Member& b, bool by_fill) -> bool {
  if (!by_fill) return a.name < b.name;
  if (a.satisfied() || b.satisfied()) {
    if (a.satisfied() != b.satisfied()) return b.satisfied();
    if ((a.threshold == 0) != (b.threshold == 0)) return b.threshold == 0;
    const auto part = [](const Member& m) {
      const auto allocated = static_cast<double>(m.allocated);
      return m.threshold == 0 ? allocated : allocated / static_cast<double>(m.threshold);
    };
    if (part(a) != part(b)) return part(a) < part(b);
  }
  return a.name < b.name;
}

}  // namespace

Levels::Levels(const Session& session, const GroupView& view)
    : view_(view),
      tree_(view.tree == nullptr ? kSingle : *view.tree),
      by_fill_(session.cluster_info().settings().plugins.sub_group_order) {
  satisfied_children_.resize(tree_.inners.size());
  surplus_.resize(tree_.inners.size());
  for (std::size_t i = tree_.inners.size(); i-- > 0;) {  // children come after their parents
    const SubGroupTree::Inner& inner = tree_.inners[i];
    bool surplus = false;
    std::int64_t satisfied = 0;
    for (const std::uint32_t set : inner.sets) {
      satisfied += view_.sets[set].allocated >= view_.sets[set].min ? 1 : 0;
      surplus = surplus || view_.sets[set].allocated > view_.sets[set].min;
    }
    for (const std::uint32_t child : inner.inners) {
      satisfied += is_satisfied(child) ? 1 : 0;
      surplus = surplus || surplus_[child];
    }
    satisfied_children_[i] = satisfied;
    surplus_[i] = surplus || satisfied > inner.threshold();
  }
}

auto Levels::children(std::uint32_t index, bool reverse) const -> std::vector<Member> {
  const SubGroupTree::Inner& inner = tree_.inners[index];
  std::vector<Member> members;
  for (const std::uint32_t child : inner.inners) {
    members.push_back(
        {false, child, satisfied_children_[child], tree_.inners[child].threshold(), tree_.inners[child].name});
  }
  for (const std::uint32_t set : inner.sets) {
    members.push_back({true, set, view_.sets[set].allocated, view_.sets[set].min, view_.sets[set].name});
  }
  std::stable_sort(members.begin(), members.end(), [&](const Member& a, const Member& b) {
    return reverse ? comes_first(b, a, by_fill_) : comes_first(a, b, by_fill_);
  });
  return members;
}

}  // namespace previct::kai
