#include "engine/kube/samples.h"

#include "engine/kube/root_of_heap.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <span>
#include <utility>

namespace previct::kube {
namespace {

/// The nodes as a ring. Positions go on after the last node, with the first one again: the sample that begins at a
/// position has that one and those that follow.
class Ring {
 public:
  explicit Ring(const Samples& samples) : nodes_(samples.nodes), size_(samples.size) {}

  [[nodiscard]] auto nodes() const -> const std::vector<NodeId>& { return nodes_; }
  [[nodiscard]] auto count() const -> std::size_t { return nodes_.size(); }
  [[nodiscard]] auto sample_size() const -> std::size_t { return size_; }
  /// Returns the end of the sample that begins at the last node.
  [[nodiscard]] auto positions() const -> std::size_t { return count() + size_ - 1; }
  /// Returns the index of the node at a position.
  [[nodiscard]] auto place(std::size_t position) const -> std::size_t {
    return position < count() ? position : position - count();
  }
  [[nodiscard]] auto node(std::size_t position) const -> NodeId { return nodes_[place(position)]; }

  /// Returns the scores of all nodes by position.
  [[nodiscard]] auto scores_of(const Score& score) const -> std::vector<std::int64_t> {
    std::vector<std::int64_t> scores(positions());
    score.of_all(nodes_, std::span(scores).first(count()));
    std::copy_n(scores.begin(), size_ - 1, scores.begin() + static_cast<std::ptrdiff_t>(count()));
    return scores;
  }

 private:
  const std::vector<NodeId>& nodes_;
  std::size_t size_;
};

/// A plugin whose normalized scores may differ between samples.
class Varying {
 public:
  /// `scores`: by position; of a plugin that counts nodes, none is known yet.
  Varying(PluginScores& plugin, const Ring& ring, std::vector<std::int64_t> scores)
      : plugin_(plugin),
        ring_(ring),
        counts_nodes_(plugin.score->counts_nodes()),
        scores_(std::move(scores)),
        weighted_(ring.positions()) {}

  /// Moves to the sample that begins here: at first 0, and then one that is at most until().
  void move_to(std::size_t begin) {
    renewed_ = false;
    if (begin != until_) return;
    bool all = begin == 0;
    if (counts_nodes_) all = count_nodes(begin) || all;
    if (all) {
      range_ = range_of_sample(begin);
    } else if (counts_nodes_) {
      slide(begin);
    }
    renewed_ = all || (plugin_.normalizes && !range_.is(extent_));
    extent_ = range_.scores;
    until_ = begin + 1;
    if (counts_nodes_) return;
    const std::int64_t* scores = scores_.data();
    for (; until_ < ring_.count(); ++until_) {
      if (scores[last_of(until_)] == scores[until_ - 1]) continue;
      slide(until_);
      if (!range_.is(extent_)) break;
    }
  }
  /// Returns true if this sample gives its nodes other normalized scores than the sample before.
  [[nodiscard]] auto is_renewed() const -> bool { return renewed_; }
  /// Returns the first later sample that may do so.
  [[nodiscard]] auto until() const -> std::size_t { return until_; }

  /// Normalizes the scores at these positions, as this sample does.
  void normalize(std::size_t from, std::size_t to) {
    const std::int64_t* scores = scores_.data();
    const std::int64_t weight = plugin_.plugin->weight;
    std::optional<std::int64_t> last;
    std::int64_t of_last = 0;  // what `last` is normalized to, times the weight
    for (std::size_t i = from; i < to; ++i) {
      if (!counts(i)) {
        weighted_[i] = 0;
        continue;
      }
      if (last != scores[i]) {
        last = scores[i];
        of_last = weight * (plugin_.normalizes ? plugin_.score->normalized(*last, extent_) : *last);
      }
      weighted_[i] = of_last;
    }
  }
  /// Returns the weighted normalized scores, by position.
  [[nodiscard]] auto weighted() const -> const std::int64_t* { return weighted_.data(); }

 private:
  /// The lowest and the highest score of a sample, and how many of its nodes have them.
  struct Range {
    ScoreRange scores{std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::min()};
    std::size_t lowest = 0;
    std::size_t highest = 0;

    void add(std::int64_t score) {
      if (score < scores.lowest) {
        scores.lowest = score;
        lowest = 0;
      }
      if (score > scores.highest) {
        scores.highest = score;
        highest = 0;
      }
      if (score == scores.lowest) ++lowest;
      if (score == scores.highest) ++highest;
    }
    /// Returns false if the rest of the sample must be looked at again.
    auto drop(std::int64_t score) -> bool {
      if (score == scores.lowest) --lowest;
      if (score == scores.highest) --highest;
      return lowest > 0 && highest > 0;
    }
    [[nodiscard]] auto is(const ScoreRange& other) const -> bool {
      return scores.lowest == other.lowest && scores.highest == other.highest;
    }
  };

  /// Returns true if the node at this position counts for the range of its sample.
  [[nodiscard]] auto counts(std::size_t position) const -> bool {
    return !counts_nodes_ || !plugin_.normalizes || !plugin_.score->leaves_out(ring_.node(position));
  }
  [[nodiscard]] auto last_of(std::size_t begin) const -> std::size_t { return begin + ring_.sample_size() - 1; }

  // Scores the nodes that may have other scores than in the sample before. Returns true if these are all.
  auto count_nodes(std::size_t begin) -> bool {
    if (begin > 0) plugin_.score->remove(ring_.node(begin - 1));
    const std::size_t last = last_of(begin);
    for (std::size_t i = begin > 0 ? last : begin; i <= last; ++i) plugin_.score->add(ring_.node(i));
    const bool all = plugin_.score->update() || begin == 0;
    for (std::size_t i = all ? begin : last; i <= last; ++i) scores_[i] = plugin_.score->of(ring_.node(i));
    return all;
  }

  [[nodiscard]] auto range_of_sample(std::size_t begin) const -> Range {
    Range range;
    for (std::size_t i = begin; i <= last_of(begin); ++i) {
      if (counts(i)) range.add(scores_[i]);
    }
    return range;
  }
  // Makes the range of the sample before that of this one.
  void slide(std::size_t begin) {
    const std::int64_t* scores = scores_.data();
    const std::size_t last = last_of(begin);
    const bool enters = counts(last);
    const bool leaves = counts(begin - 1);
    if (enters == leaves && scores[last] == scores[begin - 1]) return;
    if (enters) range_.add(scores[last]);
    if (leaves && !range_.drop(scores[begin - 1])) range_ = range_of_sample(begin);
  }

  PluginScores& plugin_;
  const Ring& ring_;
  bool counts_nodes_;                   // its scores depend on the nodes of the sample
  std::vector<std::int64_t> scores_;    // by position
  std::vector<std::int64_t> weighted_;  // by position: normalized as in the current sample
  Range range_;                         // of the sample that was looked at last
  ScoreRange extent_;                   // of the current sample
  std::size_t until_ = 0;
  bool renewed_ = false;
};

/// The places that share the start positions of a sample. `are_drawn`: one of them is drawn; adds up how often each
/// place is drawn.
class Ties {
 public:
  Ties(const Ring& ring, bool are_drawn)
      : ring_(ring), since_(are_drawn ? ring.count() : 0), drawn_(since_.size()), ever_(ring.count()) {}

  /// Adds a position after the others, before samples with it are counted.
  void add(std::size_t position) {
    const std::size_t place = ring_.place(position);
    positions_.push_back(position);
    ever_[place] = 1;
    if (!since_.empty()) since_[place] = sum_;
  }
  void drop_first() { leave(positions_[first_++]); }
  void clear() {
    for (const std::size_t position : positions()) leave(position);
    positions_.clear();
    first_ = 0;
  }
  /// Counts start positions of samples with these ties. Requires `are_drawn`.
  void share(std::size_t starts) { sum_ += (static_cast<Share>(starts) << kFraction) / positions().size(); }

  /// Returns them in the order in which they were added.
  [[nodiscard]] auto positions() const -> std::span<const std::size_t> { return std::span(positions_).subspan(first_); }
  /// Returns true if the place was ever one of them.
  [[nodiscard]] auto was_one(std::size_t place) const -> bool { return ever_[place] != 0; }
  /// Returns in how many start positions the place was drawn, on average. Requires `are_drawn`, and clear() after the
  /// last sample.
  [[nodiscard]] auto drawn(std::size_t place) const -> double {
    return static_cast<double>(drawn_[place]) / static_cast<double>(Share{1} << kFraction);
  }

 private:
  using Share = unsigned __int128;  // a number of start positions, with kFraction binary digits after the point
  static constexpr int kFraction = 64;

  void leave(std::size_t position) {
    if (since_.empty()) return;
    const std::size_t place = ring_.place(position);
    drawn_[place] += sum_ - since_[place];
  }

  const Ring& ring_;
  std::vector<std::size_t> positions_;
  std::size_t first_ = 0;     // the first in positions_ that is still one of them
  Share sum_ = 0;             // the share of a place that is one of the ties in all samples so far
  std::vector<Share> since_;  // by place: sum_ when it became one of the ties
  std::vector<Share> drawn_;  // by place: until it last ceased to be one of them
  std::vector<char> ever_;
};

class Choosing {
 public:
  Choosing(const Samples& samples, Selection& out)
      : samples_(samples),
        ring_(samples),
        fixed_(ring_.positions()),
        totals_(ring_.positions()),
        ties_(ring_, samples.drawn),
        weight_(samples.drawn ? 0 : ring_.count()),
        out_(out) {}

  // Many samples that follow each other normalize scores alike. Among these, a total never changes, and only the
  // samples count that have other best nodes than the one before.
  void run() {
    sum_up_fixed();
    std::size_t known = 0;  // positions with a total
    for (std::size_t begin = 0; begin < ring_.count();) {
      bool renewed = begin == 0;
      std::size_t end = ring_.count();
      for (Varying& each : varying_) {
        each.move_to(begin);
        renewed = renewed || each.is_renewed();
        end = std::min(end, each.until());
      }
      const std::size_t last = end + ring_.sample_size() - 1;
      for (Varying& each : varying_) each.normalize(each.is_renewed() ? begin : known, last);
      sum_up(renewed ? begin : known, last);
      known = last;
      renewed ? find_ties(begin) : move_to(begin);
      choose(begin, end);
      begin = end;
    }
    ties_.clear();
    conclude();
  }

 private:
  // Sums up the scores that are the same in every sample. Equal scores are normalized to equal ones, which do not
  // matter.
  void sum_up_fixed() {
    varying_.reserve(samples_.plugins.size());
    for (PluginScores& each : samples_.plugins) {
      if (each.skipped) continue;
      if (each.score->counts_nodes()) {
        varying_.emplace_back(each, ring_, std::vector<std::int64_t>(ring_.positions()));
        continue;
      }
      std::vector<std::int64_t> scores = ring_.scores_of(*each.score);
      const auto is_first = [first = scores.front()](std::int64_t score) { return score == first; };
      if (!each.normalizes) {
        const std::int64_t weight = each.plugin->weight;
        std::transform(scores.begin(), scores.end(), fixed_.begin(), fixed_.begin(),
                       [&](std::int64_t score, std::int64_t sum) { return sum + score * weight; });
      } else if (!std::all_of(scores.begin(), scores.end(), is_first)) {
        varying_.emplace_back(each, ring_, std::move(scores));
      }
    }
  }
  void sum_up(std::size_t from, std::size_t to) {
    std::int64_t* totals = totals_.data();
    std::copy(fixed_.data() + from, fixed_.data() + to, totals + from);
    for (const Varying& each : varying_) {
      const std::int64_t* weighted = each.weighted();
      for (std::size_t i = from; i < to; ++i) totals[i] += weighted[i];
    }
  }

  // Chooses in the samples from `begin` on, whose ties are known, to `end`.
  void choose(std::size_t begin, std::size_t end) {
    for (;;) {
      const std::size_t next = std::min(end, next_ties(begin, end));
      count(begin, next);
      if (next == end) return;
      move_to(begin = next);
    }
  }
  // Returns the first sample with other ties: the oldest one leaves it, or a node enters that is as good.
  [[nodiscard]] auto next_ties(std::size_t begin, std::size_t end) const -> std::size_t {
    const std::int64_t* last = totals_.data() + ring_.sample_size() - 1;
    const std::size_t leaves = std::min(end, ties_.positions().front() + 1);
    return static_cast<std::size_t>(
        std::find_if(last + begin + 1, last + leaves, [&](std::int64_t total) { return total >= best_; }) - last);
  }
  // Makes the ties of the sample before those of this one.
  void move_to(std::size_t begin) {
    if (ties_.positions().front() < begin) {
      ties_.drop_first();
      ties_differ_ = true;
    }
    ties_.positions().empty() ? find_ties(begin) : enter(begin + ring_.sample_size() - 1);
  }
  void find_ties(std::size_t begin) {
    const std::int64_t* total = totals_.data() + begin;
    best_ = *std::max_element(total, total + ring_.sample_size());
    ties_.clear();
    for (std::size_t i = begin; i < begin + ring_.sample_size(); ++i) enter(i);
  }
  void enter(std::size_t position) {
    const std::int64_t total = totals_[position];
    if (total < best_) return;
    if (total > best_) ties_.clear();
    best_ = total;
    ties_.add(position);
    ties_differ_ = true;
  }

  // Counts the samples from `begin` to `end`, which have the same ties.
  void count(std::size_t begin, std::size_t end) {
    const std::span<const std::size_t> ties = ties_.positions();
    const std::size_t* all_starts = samples_.starts.data();
    const std::size_t starts = std::accumulate(all_starts + begin, all_starts + end, std::size_t{0});
    if (samples_.drawn) {
      ties_.share(starts);
    } else if (ties.size() == 1) {
      weight_[ring_.place(ties.front())] += static_cast<double>(starts);
    } else {
      for (std::size_t i = begin; i < end; ++i)
        weight_[ring_.place(root_of_heap(ties, i))] += static_cast<double>(all_starts[i]);
    }
    if (listed_ > kMostListed) return;
    if (std::exchange(ties_differ_, false)) {
      std::vector<std::size_t> best;
      for (const std::size_t position : ties) best.push_back(ring_.place(position));
      std::sort(best.begin(), best.end());
      const auto [at, is_new] = by_ties_.try_emplace(std::move(best), 0);
      starts_of_last_ = &at->second;
      if (is_new) listed_ += at->first.size();
    }
    *starts_of_last_ += starts;
  }

  void conclude() {
    double greatest = -1;
    for (std::size_t i = 0; i < ring_.count(); ++i) {
      if (!ties_.was_one(i)) continue;
      const double weight = samples_.drawn ? ties_.drawn(i) : weight_[i];
      out_.best.push_back(ring_.nodes()[i]);
      out_.shares.push_back(weight / static_cast<double>(out_.starts));
      if (weight <= greatest) continue;
      greatest = weight;
      out_.first = ring_.nodes()[i];
    }
    if (listed_ > kMostListed) return;
    for (const auto& [places, starts] : by_ties_) {
      Selection::Sample& sample = out_.samples.emplace_back();
      for (const std::size_t place : places) sample.best.push_back(ring_.nodes()[place]);
      sample.starts = starts;
    }
  }

  static constexpr std::size_t kMostListed = 100'000;  // names of nodes in all samples together

  const Samples& samples_;
  Ring ring_;
  std::vector<Varying> varying_;      // plugins whose scores may differ between samples
  std::vector<std::int64_t> fixed_;   // by position: sum of the weighted scores that are the same in every sample
  std::vector<std::int64_t> totals_;  // by position, in the current sample
  std::int64_t best_ = 0;             // the greatest of them
  Ties ties_;                         // the positions that have it
  bool ties_differ_ = true;           // from those that were counted last
  std::map<std::vector<std::size_t>, std::size_t> by_ties_;  // places of the best nodes → start positions
  std::size_t* starts_of_last_ = nullptr;                    // the number of those of the ties that were counted last
  std::size_t listed_ = 0;                                   // number of places in by_ties_
  std::vector<double> weight_;  // by place: number of start positions that lead to it, if ties are not drawn
  Selection& out_;
};

}  // namespace

void choose_in_samples(const Samples& samples, Selection& selection) {
  Choosing(samples, selection).run();
}

}  // namespace previct::kube
