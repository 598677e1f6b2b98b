#include "engine/kube/groups/room.h"

#include <algorithm>
#include <bit>

namespace previct::kube {
namespace {

// Limit on the sums of two loads that are computed, which take at most about a second.
constexpr std::int64_t kMostWork = 200'000'000;

}  // namespace

GroupCapacity::GroupCapacity(NodeInfoSnapshot& node_infos, std::vector<MemberKind> kinds)
    : node_infos_(node_infos),
      kinds_(std::move(kinds)),
      rooms_(node_infos.node_count()),
      fills_(node_infos.node_count()) {
  for (const MemberKind& kind : kinds_) {
    members_.push_back(node_infos.nominated(kind.incoming.placed.pod));
    wanted_ += kind.count;
    steps_.push_back(loads_);
    const auto digits = static_cast<std::size_t>(kind.count) + 1;
    loads_ = digits > kMostLoads ? 0 : loads_ * digits;
    if (loads_ > kMostLoads) loads_ = 0;
  }
  if (kinds_.size() < 2 || loads_ == 0) return;
  sum_.resize(loads_);
  for (std::size_t a = 0; a < loads_; ++a) {
    for (std::size_t b = 0; b < loads_; ++b) {
      bool possible = true;
      for (std::size_t kind = 0; kind < kinds_.size(); ++kind)
        possible = possible && digit(a, kind) + digit(b, kind) <= kinds_[kind].count;
      sum_[a][b] = possible ? static_cast<std::int8_t>(a + b) : std::int8_t{-1};
    }
  }
}

auto GroupCapacity::digit(std::size_t load, std::size_t kind) const -> std::int64_t {
  return static_cast<std::int64_t>(load / steps_[kind] % static_cast<std::size_t>(kinds_[kind].count + 1));
}

auto GroupCapacity::fits(MemberKind& kind, NodeId node) -> bool {
  const Status status = kind.trial.check(kind.nominated[node]);
  failed_ = failed_ || status.code == Code::error;
  return status.ok();
}

void GroupCapacity::measure(NodeId node, std::span<const PodInfo* const> gone) {
  if (kinds_.size() == 1) {
    count_alike(node, gone);
  } else if (loads_ != 0) {
    fill(node, gone);
  }
}

void GroupCapacity::count_alike(NodeId node, std::span<const PodInfo* const> gone) {
  MemberKind& kind = kinds_.front();
  rooms_[node] = 0;
  if (kind.allowed.empty() || kind.allowed[node.index] == 0) return;
  kind.trial.enter(node);
  kind.trial.remove(gone);
  while (rooms_[node] < wanted_ && fits(kind, node)) {
    kind.trial.put(members_.front());
    ++rooms_[node];
  }
}

// Loads are built pod by pod.
void GroupCapacity::fill(NodeId node, std::span<const PodInfo* const> gone) {
  Fill& fill = fills_[node];
  fill.takes = 1;
  fill.stays.assign(kinds_.size(), 0);
  for (std::size_t load = 0; load < loads_; ++load) {
    if ((fill.takes >> load & 1U) == 0) continue;
    for (std::size_t k = 0; k < kinds_.size(); ++k) {
      MemberKind& kind = kinds_[k];
      if (kind.allowed.empty() || kind.allowed[node.index] == 0) continue;
      kind.trial.enter(node);
      kind.trial.remove(gone);
      for (std::size_t other = 0; other < kinds_.size(); ++other) {
        for (std::int64_t i = digit(load, other); i > 0; --i) kind.trial.put(members_[other]);
      }
      if (!fits(kind, node)) continue;
      fill.stays[k] |= Loads{1} << load;
      if (digit(load, k) < kind.count) fill.takes |= Loads{1} << (load + steps_[k]);
    }
  }
}

auto GroupCapacity::found() -> Range {
  if (kinds_.size() == 1) return range_of_alike();
  return loads_ == 0 ? Range{0, wanted_} : range_of_loads();
}

auto GroupCapacity::range_of_alike() const -> Range {
  std::int64_t room = 0;
  for (const NodeId node : node_infos_.nodes()) room = std::min(wanted_, room + rooms_[node]);
  return {room, room};
}

// Returns the loads that all nodes together can have if no node can take another pod of the kinds in `left_out`.
auto GroupCapacity::placed_where(std::uint32_t left_out) -> Loads {
  Loads placed = 1;
  for (const Fill& fill : fills_) {
    Loads takes = fill.takes;
    for (std::size_t k = 0; k < kinds_.size(); ++k) {
      if ((left_out >> k & 1U) != 0) takes &= ~fill.stays[k];
    }
    if (takes == 1) continue;
    Loads next = 0;
    for (Loads a = placed; a != 0; a &= a - 1) {
      const auto& sums = sum_[static_cast<std::size_t>(std::countr_zero(a))];
      for (Loads b = takes; b != 0; b &= b - 1, ++work_) {
        const std::int8_t sum = sums[static_cast<std::size_t>(std::countr_zero(b))];
        if (sum >= 0) next |= Loads{1} << sum;
      }
    }
    placed = next;
    if (placed == 0) break;
  }
  return placed;
}

// Whatever the order and the scores, placing ends when no node takes any of the remaining pods. Every such end is
// possible: its placed pods may come first.
auto GroupCapacity::range_of_loads() -> Range {
  Range range{wanted_, 0};
  for (std::uint32_t left_out = 0; left_out < 1U << kinds_.size(); ++left_out) {
    if (work_ > kMostWork) return {0, wanted_};
    for (Loads ends = placed_where(left_out); ends != 0; ends &= ends - 1) {
      const auto load = static_cast<std::size_t>(std::countr_zero(ends));
      std::int64_t placed = 0;
      bool as_said = true;
      for (std::size_t k = 0; k < kinds_.size(); ++k) {
        placed += digit(load, k);
        as_said = as_said && (digit(load, k) < kinds_[k].count) == ((left_out >> k & 1U) != 0);
      }
      if (!as_said) continue;
      range.least = std::min(range.least, placed);
      range.most = std::max(range.most, placed);
    }
  }
  return range;
}

}  // namespace previct::kube
