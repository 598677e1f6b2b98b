#include "engine/kube/samples.h"

#include "engine/kube/root_of_heap.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <ranges>
#include <utility>

namespace previct::kube {
namespace {

/// A sliding window on a ring of nodes that knows its greatest values at each step. At most `most` places are added
/// until clear() is called.
class Greatest {
 public:
  explicit Greatest(std::size_t most) : kept_(std::make_unique_for_overwrite<Kept[]>(most)) {}

  void add(std::size_t place, std::int64_t value) {
    while (end_ > first_ && kept_[end_ - 1].value < value) --end_;
    kept_[end_++] = {place, value};
  }
  /// Requires the oldest place. Returns true if it had the greatest value.
  auto drop(std::size_t place) -> bool {
    const bool was_greatest = end_ > first_ && kept_[first_].place == place;
    if (was_greatest) ++first_;
    return was_greatest;
  }
  void clear() { first_ = end_ = 0; }
  /// Number of places that have, or may come to have, the greatest value. The greatest values come first; equal ones
  /// are in the order in which they were added.
  [[nodiscard]] auto size() const -> std::size_t { return end_ - first_; }
  [[nodiscard]] auto place(std::size_t i) const -> std::size_t { return kept_[first_ + i].place; }
  [[nodiscard]] auto value(std::size_t i = 0) const -> std::int64_t { return kept_[first_ + i].value; }

 private:
  struct Kept {
    std::size_t place;
    std::int64_t value;
  };
  std::unique_ptr<Kept[]> kept_;  // from first_ to end_, no value follows a smaller one
  std::size_t first_ = 0;
  std::size_t end_ = 0;
};

/// The places with the greatest total in a sliding window on a ring of nodes. `are_drawn`: one of them is drawn in each
/// window; adds up how often each place is drawn: equal places share the window's start positions.
class Ties {
 public:
  /// At most `most` places are added until clear() is called.
  Ties(std::size_t places, std::size_t most, bool are_drawn)
      : kept_(most), since_(are_drawn ? places : 0), drawn_(since_.size()), ever_(places) {}

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
    if (!drawn_.empty()) {
      if (starts != shared_starts_ || ties_ != shared_by_) share_ = (static_cast<Share>(starts) << kFraction) / ties_;
      shared_starts_ = starts;
      shared_by_ = ties_;
      sum_ += share_;
    }
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
  std::size_t shared_starts_ = 0;  // the start positions of the window before …
  std::size_t shared_by_ = 1;      // … its ties …
  Share share_ = 0;                // … and the share of each of them
  Share sum_ = 0;                  // the share of a place that is one of the ties in all windows so far
  std::vector<Share> since_;       // by place: sum_ when it became one of the ties
  std::vector<Share> drawn_;       // by place: until it last ceased to be one of them
  std::vector<char> ever_;
};

/// A plugin whose normalized scores may differ between samples.
class Varying {
 public:
  /// At most `most` nodes are scored until forget_scores() is called.
  Varying(PluginScores& plugin, std::size_t most, bool counts_nodes)
      : plugin_(plugin),
        counts_nodes_(counts_nodes),
        scores_(plugin.scores.data()),
        normalized_(plugin.normalized.data()),
        highest_(most),
        lowest_(most) {}

  [[nodiscard]] auto weighted(std::size_t place) const -> std::int64_t {
    return normalized_[place] * plugin_.plugin->weight;
  }
  void enter(NodeId node) {
    if (counts_nodes_) plugin_.score->add(node);
  }
  void leave(std::size_t place, NodeId node) {
    if (counts_nodes_) plugin_.score->remove(node);
    highest_.drop(place);
    lowest_.drop(place);
  }
  /// Returns true if the scores of nodes that entered earlier may have changed.
  [[nodiscard]] auto update() const -> bool { return counts_nodes_ && plugin_.score->update(); }
  void forget_scores() {
    highest_.clear();
    lowest_.clear();
    last_.reset();
  }
  void score(std::size_t place, NodeId node) {
    if (counts_nodes_) scores_[place] = plugin_.score->of(node);
    if (!plugin_.normalizes || leaves_out(node)) return;
    highest_.add(place, scores_[place]);
    lowest_.add(place, -scores_[place]);
  }
  /// Called after all nodes that entered are scored. Returns true if scores are normalized in another way than before.
  auto find_extent() -> bool {
    const bool none = highest_.size() == 0;
    const ScoreRange extent{none ? INT64_MAX : -lowest_.value(), none ? INT64_MIN : highest_.value()};
    const bool other = extent.lowest != extent_.lowest || extent.highest != extent_.highest;
    extent_ = extent;
    if (other) last_.reset();
    return other && plugin_.normalizes;
  }
  void normalize(std::size_t place, NodeId node) {
    const std::int64_t score = scores_[place];
    if (!plugin_.normalizes) {
      normalized_[place] = score;
    } else if (leaves_out(node)) {
      normalized_[place] = 0;
    } else {
      if (!last_ || last_->first != score) last_ = {score, plugin_.score->normalized(score, extent_)};
      normalized_[place] = last_->second;
    }
  }

 private:
  [[nodiscard]] auto leaves_out(NodeId node) const -> bool { return counts_nodes_ && plugin_.score->leaves_out(node); }

  PluginScores& plugin_;
  bool counts_nodes_;  // its scores depend on the nodes of the sample
  std::int64_t* scores_;
  std::int64_t* normalized_;
  ScoreRange extent_{};
  Greatest highest_;
  Greatest lowest_;                                              // of the negated scores
  std::optional<std::pair<std::int64_t, std::int64_t>> last_{};  // a score, and what it is normalized to
};

class Choosing {
 public:
  Choosing(const Samples& samples, Selection& out)
      : samples_(samples),
        nodes_(samples.nodes),
        count_(nodes_.size()),
        best_(count_, most_added(), samples.drawn),
        out_(out) {}

  void run() {
    sum_up_fixed();
    for (std::size_t i = 0; i < samples_.size; ++i) enter(i);
    renewed_.resize(varying_.size());
    settle(0, samples_.size - 1, true);
    Tally tally;
    tally.weight.resize(count_);
    std::size_t entering = samples_.size;
    for (std::size_t begin = 0;;) {
      take(begin, tally);
      if (begin + 1 == count_) break;
      leave(begin++);
      enter(entering);
      settle(begin, entering, false);
      if (++entering == count_) entering = 0;
    }
    best_.clear();
    conclude(tally);
  }

 private:
  /// Sums up the choices over all samples.
  struct Tally {
    std::map<std::vector<std::size_t>, std::size_t> samples;  // places of the best nodes → start positions
    std::size_t* last = nullptr;                              // the number of those of the sample before
    std::size_t listed = 0;                                   // number of places in `samples`
    std::vector<double> weight;  // by place: number of start positions that lead to it, if ties are not drawn
  };

  // The nodes of the first sample, and then one for each other sample.
  [[nodiscard]] auto most_added() const -> std::size_t { return samples_.size + count_; }

  // Sums up the scores that are the same in every sample. Equal scores are normalized to equal ones, which do not
  // matter.
  void sum_up_fixed() {
    fixed_.resize(count_);
    for (PluginScores& each : samples_.plugins) {
      if (each.skipped) continue;
      const bool counts_nodes = each.score->counts_nodes();
      each.scores.resize(count_);
      if (!counts_nodes) each.score->of_all(nodes_, each.scores);
      if (!counts_nodes && !each.normalizes) {
        const std::int64_t weight = each.plugin->weight;
        for (std::size_t i = 0; i < count_; ++i) fixed_[i] += each.scores[i] * weight;
        continue;
      }
      const std::int64_t first = each.scores.front();
      const auto is_first = [&](std::int64_t score) { return score == first; };
      if (!counts_nodes && std::all_of(each.scores.begin(), each.scores.end(), is_first)) continue;
      each.normalized.resize(count_);
      varying_.emplace_back(each, most_added(), counts_nodes);
    }
  }

  void enter(std::size_t place) {
    for (Varying& each : varying_) each.enter(nodes_[place]);
  }
  void leave(std::size_t place) {
    for (Varying& each : varying_) each.leave(place, nodes_[place]);
    best_.drop(place);
  }

  // Scores the sample that starts at `begin`. If the basis of the scores has not changed, only the node that entered
  // last is scored.
  void settle(std::size_t begin, std::size_t entered, bool all) {
    bool changed = all;
    for (std::size_t i = 0; i < varying_.size(); ++i) {
      Varying& each = varying_[i];
      const bool others = each.update() || all;
      if (others) {
        each.forget_scores();
        for_sample(begin, [&](std::size_t place) { each.score(place, nodes_[place]); });
      } else {
        each.score(entered, nodes_[entered]);
      }
      const bool other_extent = each.find_extent();
      renewed_[i] = others || other_extent ? 1 : 0;
      changed = changed || renewed_[i] != 0;
    }
    for (std::size_t i = 0; i < varying_.size(); ++i) {
      Varying& each = varying_[i];
      if (renewed_[i] != 0) {
        for_sample(begin, [&](std::size_t place) { each.normalize(place, nodes_[place]); });
      } else {
        each.normalize(entered, nodes_[entered]);
      }
    }
    if (changed) {
      best_.clear();
      for_sample(begin, [&](std::size_t place) { sum_up(place); });
    } else {
      sum_up(entered);
    }
  }
  // Visits the sample's places in the order of the ring.
  template <typename Visit>
  void for_sample(std::size_t begin, const Visit& visit) const {
    const std::size_t end = begin + samples_.size;
    for (std::size_t place = begin; place < std::min(end, count_); ++place) visit(place);
    for (std::size_t place = count_; place < end; ++place) visit(place - count_);
  }
  void sum_up(std::size_t place) {
    std::int64_t total = fixed_[place];
    for (const Varying& each : varying_) total += each.weighted(place);
    best_.add(place, total);
  }

  void take(std::size_t begin, Tally& tally) {
    const std::size_t starts = samples_.starts[begin];
    const bool may_differ = best_.take(starts);
    if (!samples_.drawn) tally.weight[first_of_sample(begin)] += static_cast<double>(starts);
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
    const auto in_sample = [&](std::size_t place) { return place < begin ? place + count_ - begin : place - begin; };
    const auto ties = std::views::iota(std::size_t{0}, best_.size());
    const auto any = [&](std::size_t from, std::size_t to) {
      const auto found =
          std::ranges::lower_bound(ties, from, {}, [&](std::size_t i) { return in_sample(best_.at(i)); });
      return found != ties.end() && in_sample(best_.at(*found)) <= to;
    };
    return (begin + root_of_heap(any, samples_.size)) % count_;
  }

  void conclude(const Tally& tally) {
    double greatest = -1;
    for (std::size_t i = 0; i < count_; ++i) {
      if (!best_.was_one(i)) continue;
      const double weight = samples_.drawn ? best_.drawn(i) : tally.weight[i];
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

  const Samples& samples_;
  const std::vector<NodeId>& nodes_;
  std::size_t count_;
  std::vector<std::int64_t> fixed_;  // by index: sum of the weighted scores that are the same in every sample
  std::vector<Varying> varying_;     // the plugins with other scores
  std::vector<char> renewed_;        // by index in `varying_`: all its normalized scores have changed
  Ties best_;                        // of the current sample
  Selection& out_;
};

}  // namespace

void choose_in_samples(const Samples& samples, Selection& selection) {
  Choosing(samples, selection).run();
}

}  // namespace previct::kube
