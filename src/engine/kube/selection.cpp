#include "engine/kube/selection.h"

#include "engine/kube/root_of_heap.h"
#include "engine/kube/samples.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

namespace previct::kube {
namespace {

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
  void make(const std::vector<ScorePlugin>& plugins, std::vector<PluginScores>& made) const {
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
    for (const NodeId node : request_.feasible) takes[node.index] = request_.searched[node.index];
    nodes_.resize(request_.feasible.size() + 1);
    starts_.resize(nodes_.size());
    // Without branches and bounds checks: for each pod, this visits all nodes. What is written for a node is
    // overwritten with the next one, unless the pod fits on it.
    const char* searched = request_.searched.data();
    NodeId* found = nodes_.data();
    std::size_t* starts = starts_.data();
    std::size_t count = 0;
    for (const NodeId node : snapshot_order(cluster_)) {
      out_.starts += searched[node.index] != 0 ? 1U : 0U;
      found[count] = node;
      starts[count] = out_.starts;
      count += takes.data()[node.index] != 0 ? 1U : 0U;
    }
    nodes_.resize(count);
    starts_.resize(count);
    const std::size_t rest = out_.starts - starts_.back();  // after the last one, the search finds the first
    std::adjacent_difference(starts_.begin(), starts_.end(), starts_.begin());
    starts_.front() += rest;
  }

  // PreScore in its order, then the first part of Score where PreScore is disabled.
  [[nodiscard]] auto prepare() -> std::optional<Reason> {
    std::vector<PluginScores*> order;
    for (std::vector<PluginScores>* list : {&running_, &only_prepared_}) {
      for (PluginScores& each : *list) order.push_back(&each);
    }
    const auto rank = [](const PluginScores* each) {
      return each->plugin->pre_score.value_or(std::numeric_limits<std::size_t>::max());
    };
    std::stable_sort(order.begin(), order.end(), [&](const auto* a, const auto* b) { return rank(a) < rank(b); });
    for (PluginScores* each : order) {
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
    for (PluginScores& each : running_) {
      if (!each.skipped) score_all(each);
    }
    const std::int64_t best = *std::max_element(out_.totals.begin(), out_.totals.end());
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < count; ++i) {
      if (out_.totals[i] != best) continue;
      places.push_back(i);
      out_.best.push_back(nodes_[i]);
    }
    out_.first = nodes_[drawn_ ? places.front() : root_of_heap(places)];
    find_doubts();
    for (PluginScores& each : running_)
      out_.given.push_back({each.plugin, each.skipped, std::move(each.scores), std::move(each.normalized)});
    out_.nodes = nodes_;
  }

  void score_all(PluginScores& each) {
    const Score& score = *each.score;
    for (const NodeId node : nodes_) each.score->add(node);
    (void)each.score->update();
    each.scores.resize(nodes_.size());
    score.of_all(nodes_, each.scores);
    each.normalized = each.scores;
    ScoreRange extent{INT64_MAX, INT64_MIN};
    for (std::size_t i = 0; each.normalizes && i < nodes_.size(); ++i) {
      if (score.leaves_out(nodes_[i])) continue;
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
    for (const PluginScores& each : running_) {
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
  static auto weight(const PluginScores& each) -> std::int64_t { return each.plugin->weight; }
  static auto weighted(const PluginScores& each, std::size_t place) -> std::int64_t {
    return each.skipped ? 0 : each.normalized[place] * weight(each);
  }

  void by_samples() {
    out_.sample_size = request_.nodes_to_find;
    for (const PluginScores& each : running_) {
      if (auto doubt = each.score->doubt()) out_.doubts.push_back(std::move(*doubt));
    }
    if (!out_.doubts.empty()) {
      out_.possible = nodes_;
      if (request_.chooses == Chooses::if_certain) return;
    }
    choose_in_samples({running_, nodes_, starts_, request_.nodes_to_find, drawn_}, out_);
    if (out_.doubts.empty()) out_.possible = out_.best;
  }

  const SelectionRequest& request_;
  const Snapshot& cluster_;
  bool drawn_;
  std::vector<NodeId> nodes_;        // feasible nodes, in the order of the scheduler's list
  std::vector<std::size_t> starts_;  // by index: number of start positions from which the search finds this node first
  std::vector<PluginScores> running_;
  std::vector<PluginScores> only_prepared_;  // their Score does not run
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
