#include "engine/kube/selection.h"

#include <algorithm>
#include <limits>
#include <map>
#include <ranges>
#include <utility>

namespace previct::kube {
namespace {

/// A sliding window on a ring of nodes that knows its greatest values at each step.
class Greatest {
 public:
  void add(std::size_t place, std::int64_t value) {
    while (size() > 0 && kept_.back().second < value) kept_.pop_back();
    kept_.emplace_back(place, value);
  }
  /// Requires the oldest place. Returns true if it had the greatest value.
  auto drop(std::size_t place) -> bool {
    const bool was_greatest = size() > 0 && kept_[first_].first == place;
    if (was_greatest) ++first_;
    return was_greatest;
  }
  void clear() {
    kept_.clear();
    first_ = 0;
  }
  /// Number of places that have, or may come to have, the greatest value. The greatest values come first; equal ones
  /// are in the order in which they were added.
  [[nodiscard]] auto size() const -> std::size_t { return kept_.size() - first_; }
  [[nodiscard]] auto place(std::size_t i) const -> std::size_t { return kept_[first_ + i].first; }
  [[nodiscard]] auto value(std::size_t i = 0) const -> std::int64_t { return kept_[first_ + i].second; }

 private:
  std::vector<std::pair<std::size_t, std::int64_t>> kept_;  // from first_ on, no value follows a smaller one
  std::size_t first_ = 0;
};

// Among equal greatest totals, upstream picks the root of a heap made of its list: a node stays above its children
// unless a child is greater, and a left child above an equal right one. That is the first in a preorder walk of the
// tree. `any(from, to)` returns true if the list has a greatest total in [from, to]; it has one somewhere.
// Source: schedule_one.go newSortedNodeScores; Go: container/heap Init.
template <typename Any>
auto root_of_heap(const Any& any, std::size_t size) -> std::size_t {
  const auto any_below = [&](std::size_t from, std::size_t to) {
    for (; from < size; from = 2 * from + 1, to = 2 * to + 2) {
      if (any(from, std::min(to, size - 1))) return true;
    }
    return false;
  };
  std::size_t at = 0;
  while (!any(at, at)) {
    const std::size_t left = 2 * at + 1;
    at = any_below(left, left) ? left : left + 1;
  }
  return at;
}

/// The places with the greatest total in a sliding window on a ring of nodes. `are_drawn`: one of them is drawn in each
/// window; adds up how often each place is drawn: equal places share the window's start positions.
class Ties {
 public:
  Ties(std::size_t places, bool are_drawn) : since_(are_drawn ? places : 0), drawn_(since_.size()), ever_(places) {}

  void add(std::size_t place, std::int64_t total) {
    if (ties_ > 0 && kept_.value() < total) clear();
    kept_.add(place, total);
    if (kept_.value() != total) return;
    ++ties_;
    changed_ = true;
  }
  void drop(std::size_t place) {
    if (!kept_.drop(place)) return;
    if (counted_ > 0) {
      leave(place);
      --counted_;
    }
    changed_ = true;
    if (--ties_ > 0) return;
    while (ties_ < kept_.size() && kept_.value(ties_) == kept_.value()) ++ties_;
  }
  void clear() {
    for (std::size_t i = 0; i < counted_; ++i) leave(at(i));
    kept_.clear();
    ties_ = counted_ = 0;
    changed_ = true;
  }
  /// Counts the current window with its start positions. Returns true if its ties may differ from those of the window
  /// before.
  auto take(std::size_t starts) -> bool {
    for (; counted_ < ties_; ++counted_) {
      ever_[at(counted_)] = 1;
      if (!drawn_.empty()) since_[at(counted_)] = sum_;
    }
    if (!drawn_.empty()) sum_ += (static_cast<Share>(starts) << kFraction) / ties_;
    return std::exchange(changed_, false);
  }
  /// Number of places with the greatest total.
  [[nodiscard]] auto size() const -> std::size_t { return ties_; }
  /// In the order in which they were added.
  [[nodiscard]] auto at(std::size_t i) const -> std::size_t { return kept_.place(i); }
  /// Returns true if the place was ever one of them in a window that take() counted.
  [[nodiscard]] auto was_one(std::size_t place) const -> bool { return ever_[place] != 0; }
  /// Returns in how many start positions the place was drawn, on average. Requires `are_drawn`, and clear() after the
  /// last window.
  [[nodiscard]] auto drawn(std::size_t place) const -> double {
    return static_cast<double>(drawn_[place]) / static_cast<double>(Share{1} << kFraction);
  }

 private:
  using Share = unsigned __int128;  // a number of start positions, with kFraction binary digits after the point
  static constexpr int kFraction = 64;

  void leave(std::size_t place) {
    if (!drawn_.empty()) drawn_[place] += sum_ - since_[place];
  }

  Greatest kept_;
  std::size_t ties_ = 0;     // number of equal greatest totals
  std::size_t counted_ = 0;  // the first of them that were ties when take() was called
  bool changed_ = false;
  Share sum_ = 0;             // the share of a place that is one of the ties in all windows so far
  std::vector<Share> since_;  // by place: sum_ when it became one of the ties
  std::vector<Share> drawn_;  // by place: until it last ceased to be one of them
  std::vector<char> ever_;
};

/// One plugin with its scores of the current nodes.
struct Running {
  const ScorePlugin* plugin = nullptr;
  std::unique_ptr<Score> score;
  bool skipped = false;
  bool normalizes = false;
  std::vector<std::int64_t> scores{};  // by index among all nodes found
  std::vector<std::int64_t> normalized{};
  ScoreRange extent{};
  Greatest highest{};
  Greatest lowest{};     // of the negated scores
  bool renewed = false;  // all normalized scores have changed
  bool scored = false;   // `scores` are those of every sample
};

class Selecting {
 public:
  explicit Selecting(const SelectionRequest& request)
      : request_(request),
        cluster_(request.incoming.cluster()),
        drawn_(request.incoming.node_infos.release().has(Change::ties_are_drawn)) {}

  auto run() -> SelectionResult {
    list_nodes();
    if (request_.profile.takes_first) {
      out_.by = SelectedBy::no_score_plugins;
      out_.best = nodes_;
      out_.first = nodes_.front();
      return {std::move(out_), {}};
    }
    make(request_.profile.scores, running_);
    make(request_.profile.only_pre_scored, only_prepared_);
    const auto error = prepare();
    if (error || request_.chooses == Chooses::never) return {{}, error};
    out_.by = request_.nodes_to_find < out_.starts ? SelectedBy::sample : SelectedBy::scores;
    nodes_.size() > request_.nodes_to_find ? by_samples() : by_scores();
    if (out_.by == SelectedBy::sample && !out_.leaves_out_some()) out_.samples = {{out_.best, out_.starts}};
    return {std::move(out_), {}};
  }

 private:
  void make(const std::vector<ScorePlugin>& plugins, std::vector<Running>& made) const {
    for (const ScorePlugin& plugin : plugins) {
      if (plugin.info == nullptr) continue;
      made.push_back({.plugin = &plugin,
                      .score = plugin.info->make({.incoming = request_.incoming,
                                                  .settings = request_.profile.score_settings,
                                                  .prepared = plugin.pre_score.has_value()})});
    }
  }

  void list_nodes() {
    std::vector<char> takes(cluster_.nodes().size(), 0);
    for (const NodeId node : request_.feasible) takes[node.index] = 1;
    std::size_t searches = 0;  // start positions since the last feasible node
    for (const NodeId node : snapshot_order(cluster_)) {
      if (request_.searched[node.index] == 0) continue;
      ++out_.starts;
      ++searches;
      if (takes[node.index] == 0) continue;
      nodes_.push_back(node);
      starts_.push_back(std::exchange(searches, 0));
    }
    starts_.front() += searches;
  }

  // PreScore in its order, then the first part of Score where PreScore is disabled.
  [[nodiscard]] auto prepare() -> std::optional<Reason> {
    std::vector<Running*> order;
    for (std::vector<Running>* list : {&running_, &only_prepared_}) {
      for (Running& each : *list) order.push_back(&each);
    }
    const auto rank = [](const Running* each) {
      return each->plugin->pre_score.value_or(std::numeric_limits<std::size_t>::max());
    };
    std::stable_sort(order.begin(), order.end(), [&](const auto* a, const auto* b) { return rank(a) < rank(b); });
    for (Running* each : order) {
      const ScoreInfo& info = *each->plugin->info;
      if (!each->plugin->pre_score && info.without_state)
        return Reason{*info.without_state, rank_of(*find_filter(info.name))};
      const Score::Prepared prepared = each->score->prepare();
      if (prepared.error) return prepared.error;
      each->skipped = prepared.skip;
      each->normalizes = each->score->normalizes();
    }
    return {};
  }

  void by_scores() {
    const std::size_t count = nodes_.size();
    out_.totals.resize(count);
    for (Running& each : running_) {
      if (!each.skipped) score_all(each);
    }
    const std::int64_t best = *std::max_element(out_.totals.begin(), out_.totals.end());
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < count; ++i) {
      if (out_.totals[i] != best) continue;
      places.push_back(i);
      out_.best.push_back(nodes_[i]);
    }
    const auto any = [&](std::size_t from, std::size_t to) {
      const auto found = std::lower_bound(places.begin(), places.end(), from);
      return found != places.end() && *found <= to;
    };
    out_.first = nodes_[drawn_ ? places.front() : root_of_heap(any, count)];
    find_doubts();
    for (Running& each : running_)
      out_.given.push_back({each.plugin, each.skipped, std::move(each.scores), std::move(each.normalized)});
    out_.nodes = nodes_;
  }

  void score_all(Running& each) {
    const Score& score = *each.score;
    for (const NodeId node : nodes_) each.score->add(node);
    (void)each.score->update();
    each.scores.resize(nodes_.size());
    each.normalized.resize(nodes_.size());
    ScoreRange extent{INT64_MAX, INT64_MIN};
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      each.scores[i] = each.normalized[i] = score.of(nodes_[i]);
      if (!each.normalizes || score.leaves_out(nodes_[i])) continue;
      extent.lowest = std::min(extent.lowest, each.scores[i]);
      extent.highest = std::max(extent.highest, each.scores[i]);
    }
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      if (each.normalizes)
        each.normalized[i] = score.leaves_out(nodes_[i]) ? 0 : score.normalized(each.scores[i], extent);
      out_.totals[i] += each.normalized[i] * each.plugin->weight;
    }
  }

  // -- what is not known

  void find_doubts() {
    out_.possible = out_.best;
    std::vector<std::int64_t> least = out_.totals;
    std::vector<std::int64_t> most = out_.totals;
    std::vector<std::vector<std::int64_t>> alternatives;  // changes of the totals by one plugin
    for (const Running& each : running_) {
      auto doubt = each.score->doubt();
      if (!doubt) continue;
      out_.doubts.push_back(std::move(*doubt));
      auto others = each.score->alternatives(nodes_);
      for (std::vector<std::int64_t>& other : others) {
        for (std::size_t i = 0; i < nodes_.size(); ++i) other[i] = other[i] * weight(each) - weighted(each, i);
      }
      if (!others.empty() && alternatives.empty()) {
        alternatives = std::move(others);
        continue;
      }
      for (std::size_t i = 0; i < nodes_.size(); ++i) {
        least[i] += each.score->at_least(nodes_[i]) * weight(each) - weighted(each, i);
        most[i] += each.score->at_most(nodes_[i]) * weight(each) - weighted(each, i);
      }
    }
    if (out_.doubts.empty()) return;
    if (alternatives.empty()) alternatives.emplace_back(nodes_.size(), 0);
    std::vector<char> possible(nodes_.size(), 0);
    std::optional<std::vector<char>> first;
    bool even = true;  // whichever alternative is true, the same nodes tie for the best total
    for (const std::vector<std::int64_t>& other : alternatives) {
      std::int64_t sure = INT64_MIN;
      for (std::size_t i = 0; i < nodes_.size(); ++i) sure = std::max(sure, least[i] + other[i]);
      std::vector<char> here(nodes_.size(), 0);
      for (std::size_t i = 0; i < nodes_.size(); ++i) {
        if (most[i] + other[i] < sure) continue;
        here[i] = possible[i] = 1;
        even = even && most[i] == least[i];
      }
      if (!first) first = here;
      even = even && here == *first;
    }
    std::vector<NodeId> nodes;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      if (possible[i] != 0) nodes.push_back(nodes_[i]);
    }
    out_.possible = std::move(nodes);
    if ((even || out_.possible.size() == 1) && out_.possible == out_.best) out_.doubts.clear();
  }
  static auto weight(const Running& each) -> std::int64_t { return each.plugin->weight; }
  static auto weighted(const Running& each, std::size_t place) -> std::int64_t {
    return each.skipped ? 0 : each.normalized[place] * weight(each);
  }

  // -- samples

  /// Sums up the choices over all samples.
  struct Tally {
    std::map<std::vector<std::size_t>, std::size_t> samples;  // places of the best nodes → start positions
    std::size_t* last = nullptr;                              // the number of those of the sample before
    std::size_t listed = 0;                                   // number of places in `samples`
    std::vector<double> weight;  // by place: number of start positions that lead to it, if ties are not drawn
  };

  // Samples are windows on the ring of feasible nodes; one starts at each node.
  void by_samples() {
    const std::size_t count = nodes_.size();
    const std::size_t size = request_.nodes_to_find;
    out_.sample_size = size;
    for (const Running& each : running_) {
      if (auto doubt = each.score->doubt()) out_.doubts.push_back(std::move(*doubt));
    }
    if (!out_.doubts.empty()) {
      out_.possible = nodes_;
      if (request_.chooses == Chooses::if_certain) return;
    }
    best_ = Ties(count, drawn_);
    sum_up_fixed();
    for (std::size_t i = 0; i < size; ++i) enter(i);
    settle(0, size, true);
    Tally tally;
    tally.weight.resize(count);
    for (std::size_t begin = 0;;) {
      take(begin, tally);
      const std::size_t leaving = begin++;
      if (begin == count) break;
      leave(leaving);
      enter((leaving + size) % count);
      settle(begin, size, false);
    }
    best_.clear();
    conclude(tally);
    if (out_.doubts.empty()) out_.possible = out_.best;
  }

  // Sums up the scores that are the same in every sample; the other plugins are `varying_`. Equal scores are normalized
  // to equal ones, which do not matter.
  void sum_up_fixed() {
    fixed_.resize(nodes_.size());
    for (Running& each : running_) {
      if (each.skipped) continue;
      each.scored = !each.score->counts_nodes();
      if (each.scored && !each.normalizes) {
        for (std::size_t i = 0; i < nodes_.size(); ++i) fixed_[i] += each.score->of(nodes_[i]) * each.plugin->weight;
        continue;
      }
      each.scores.resize(nodes_.size());
      if (each.scored) {
        std::transform(nodes_.begin(), nodes_.end(), each.scores.begin(),
                       [&](NodeId node) { return each.score->of(node); });
        const std::int64_t first = each.scores.front();
        if (std::all_of(each.scores.begin(), each.scores.end(), [&](std::int64_t s) { return s == first; })) continue;
      } else {
        counting_.push_back(&each);
      }
      each.normalized.resize(nodes_.size());
      varying_.push_back(&each);
    }
  }

  void enter(std::size_t place) {
    for (Running* each : counting_) each->score->add(nodes_[place]);
    entered_ = place;
  }
  void leave(std::size_t place) {
    for (Running* each : counting_) each->score->remove(nodes_[place]);
    for (Running* each : varying_) {
      each->highest.drop(place);
      each->lowest.drop(place);
    }
    best_.drop(place);
  }

  // Scores the sample that starts at `begin`. If the basis of the scores has not changed, only the new node is scored.
  void settle(std::size_t begin, std::size_t size, bool all) {
    bool changed = all;
    for (Running* each : varying_) {
      const bool others = (!each->scored && each->score->update()) || all;
      if (others) {
        each->highest.clear();
        each->lowest.clear();
        for_sample(begin, size, [&](std::size_t place) { score(place, *each); });
      } else {
        score(entered_, *each);
      }
      const bool none = each->highest.size() == 0;
      const ScoreRange extent{none ? INT64_MAX : -each->lowest.value(), none ? INT64_MIN : each->highest.value()};
      const bool other_extent = extent.lowest != each->extent.lowest || extent.highest != each->extent.highest;
      each->extent = extent;
      each->renewed = others || (other_extent && each->normalizes);
      changed = changed || each->renewed;
    }
    for (Running* each : varying_) {
      if (each->renewed) {
        for_sample(begin, size, [&](std::size_t place) { normalize(place, *each); });
      } else {
        normalize(entered_, *each);
      }
    }
    if (changed) {
      best_.clear();
      for_sample(begin, size, [&](std::size_t place) { sum_up(place); });
    } else {
      sum_up(entered_);
    }
  }
  // Visits the sample's places in the order of the ring.
  template <typename Visit>
  void for_sample(std::size_t begin, std::size_t size, const Visit& visit) const {
    const std::size_t end = begin + size;
    for (std::size_t place = begin; place < std::min(end, nodes_.size()); ++place) visit(place);
    for (std::size_t place = nodes_.size(); place < end; ++place) visit(place - nodes_.size());
  }
  void score(std::size_t place, Running& each) const {
    const NodeId node = nodes_[place];
    if (!each.scored) each.scores[place] = each.score->of(node);
    if (!each.normalizes || (!each.scored && each.score->leaves_out(node))) return;
    const std::int64_t found = each.scores[place];
    each.highest.add(place, found);
    each.lowest.add(place, -found);
  }
  void normalize(std::size_t place, Running& each) const {
    const Score& score = *each.score;
    const bool left_out = each.normalizes && !each.scored && score.leaves_out(nodes_[place]);
    each.normalized[place] = !each.normalizes ? each.scores[place]
                             : left_out       ? 0
                                              : score.normalized(each.scores[place], each.extent);
  }
  void sum_up(std::size_t place) {
    std::int64_t total = fixed_[place];
    for (const Running* each : varying_) total += each->normalized[place] * each->plugin->weight;
    best_.add(place, total);
  }

  void take(std::size_t begin, Tally& tally) {
    const std::size_t starts = starts_[begin];
    const bool may_differ = best_.take(starts);
    if (!drawn_) tally.weight[first_of_sample(begin)] += static_cast<double>(starts);
    // The best nodes of samples that follow each other are often the same.
    if (!may_differ && tally.last != nullptr) *tally.last += starts;
    if (!may_differ || tally.listed > kMostListed) return;
    std::vector<std::size_t> best(best_.size());
    for (std::size_t i = 0; i < best.size(); ++i) best[i] = best_.at(i);
    std::sort(best.begin(), best.end());
    const std::size_t places = best.size();
    const auto [at, is_new] = tally.samples.try_emplace(std::move(best), 0);
    at->second += starts;
    tally.last = &at->second;
    if (is_new) tally.listed += places;
  }
  [[nodiscard]] auto first_of_sample(std::size_t begin) const -> std::size_t {
    if (best_.size() == 1) return best_.at(0);
    const std::size_t count = nodes_.size();
    const auto in_sample = [&](std::size_t place) { return place < begin ? place + count - begin : place - begin; };
    const auto ties = std::views::iota(std::size_t{0}, best_.size());
    const auto any = [&](std::size_t from, std::size_t to) {
      const auto found =
          std::ranges::lower_bound(ties, from, {}, [&](std::size_t i) { return in_sample(best_.at(i)); });
      return found != ties.end() && in_sample(best_.at(*found)) <= to;
    };
    return (begin + root_of_heap(any, request_.nodes_to_find)) % count;
  }

  void conclude(const Tally& tally) {
    double greatest = -1;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      if (!best_.was_one(i)) continue;
      const double weight = drawn_ ? best_.drawn(i) : tally.weight[i];
      out_.best.push_back(nodes_[i]);
      out_.shares.push_back(weight / static_cast<double>(out_.starts));
      if (weight <= greatest) continue;
      greatest = weight;
      out_.first = nodes_[i];
    }
    if (tally.listed > kMostListed) return;
    for (const auto& [places, starts] : tally.samples) {
      Selection::Sample& sample = out_.samples.emplace_back();
      for (const std::size_t place : places) sample.best.push_back(nodes_[place]);
      sample.starts = starts;
    }
  }

  static constexpr std::size_t kMostListed = 100'000;  // names of nodes in all samples together

  const SelectionRequest& request_;
  const Snapshot& cluster_;
  bool drawn_;
  std::vector<NodeId> nodes_;        // feasible nodes, in the order of the scheduler's list
  std::vector<std::size_t> starts_;  // by index: number of start positions from which the search finds this node first
  std::vector<Running> running_;
  std::vector<Running> only_prepared_;  // their Score does not run
  std::vector<std::int64_t> fixed_;     // by index: sum of the weighted scores that are the same in every sample
  std::vector<Running*> varying_;       // the plugins with other scores …
  std::vector<Running*> counting_;      // … and those of them whose scores depend on the nodes of the sample
  Ties best_{0, false};                 // of the current sample
  std::size_t entered_ = 0;
  Selection out_;
};

struct SnapshotOrder {
  explicit SnapshotOrder(const Snapshot& cluster);
  std::vector<NodeId> order;
};

SnapshotOrder::SnapshotOrder(const Snapshot& cluster) {
  const auto label = [&](const Node& node, std::string_view old_name, std::string_view name) {
    const Symbol beta = cluster.symbol(old_name);
    const Symbol value = beta ? node.meta.labels.get(beta) : Symbol{};
    if (value) return value;
    const Symbol current = cluster.symbol(name);
    return current ? node.meta.labels.get(current) : Symbol{};
  };
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> known;
  std::vector<std::vector<NodeId>> zones;
  for (const NodeId id : cluster.nodes().ids()) {
    const Node& node = cluster.node(id);
    const Symbol zone = label(node, "failure-domain.beta.kubernetes.io/zone", "topology.kubernetes.io/zone");
    const Symbol region = label(node, "failure-domain.beta.kubernetes.io/region", "topology.kubernetes.io/region");
    const auto [at, is_new] = known.try_emplace({region.index, zone.index}, zones.size());
    if (is_new) zones.emplace_back();
    zones[at->second].push_back(id);
  }
  for (std::size_t turn = 0; order.size() < cluster.nodes().size(); ++turn) {
    for (const auto& zone : zones) {
      if (turn < zone.size()) order.push_back(zone[turn]);
    }
  }
}

}  // namespace

auto snapshot_order(const Snapshot& cluster) -> const std::vector<NodeId>& {
  return cluster.derived<SnapshotOrder>().order;
}

auto select_node(const SelectionRequest& request) -> SelectionResult {
  return Selecting(request).run();
}

}  // namespace previct::kube
