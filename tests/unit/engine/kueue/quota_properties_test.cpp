// Random trees of cohorts. Source: kubernetes-sigs/kueue v0.19.0 pkg/cache/scheduler/resource_node.go, fair_sharing.go.
#include "engine/kueue/amounts.h"
#include "engine/kueue/quota_tree.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <random>
#include <vector>

namespace previct::kueue::quota_properties {
namespace {

// Two flavors of two resources: the number of a pair is 2 * flavor + resource.
constexpr std::size_t kPairs = 4;

struct PlainNode {
  std::optional<std::size_t> parent;
  bool is_queue = false;
  std::array<std::optional<Quota>, kPairs> quotas;
  std::array<std::int64_t, kPairs> taken{};
};

// The definitions, computed from the quotas and what was taken, each time from the start.
class Plain {
 public:
  explicit Plain(std::vector<PlainNode> nodes) : nodes_(std::move(nodes)) {}

  [[nodiscard]] auto has_subtree(std::size_t node, std::size_t of) const -> bool {
    if (nodes_[node].quotas[of]) return true;
    const std::vector<std::size_t> below = children(node);
    return std::any_of(below.begin(), below.end(), [&](std::size_t each) { return has_subtree(each, of); });
  }
  [[nodiscard]] auto subtree(std::size_t node, std::size_t of) const -> std::int64_t {
    std::int64_t sum = nodes_[node].quotas[of] ? nodes_[node].quotas[of]->nominal.value : 0;
    for (const std::size_t each : children(node)) sum += subtree(each, of) - local(each, of);
    return sum;
  }
  // What is never lent.
  [[nodiscard]] auto local(std::size_t node, std::size_t of) const -> std::int64_t {
    const auto& quota = nodes_[node].quotas[of];
    if (!quota || !quota->lending_limit) return 0;
    return std::max<std::int64_t>(0, subtree(node, of) - quota->lending_limit->value);
  }
  [[nodiscard]] auto usage(std::size_t node, std::size_t of) const -> std::int64_t {
    std::int64_t sum = nodes_[node].taken[of];
    for (const std::size_t each : children(node)) sum += std::max<std::int64_t>(0, usage(each, of) - local(each, of));
    return sum;
  }
  // Returns true if no node uses more than it may: all that there is, or its own quota and its borrowing limit.
  [[nodiscard]] auto is_valid(std::size_t of) const -> bool {
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      const auto& quota = nodes_[i].quotas[of];
      if (!nodes_[i].parent && usage(i, of) > subtree(i, of)) return false;
      if (nodes_[i].parent && quota && quota->borrowing_limit &&
          usage(i, of) > subtree(i, of) + quota->borrowing_limit->value)
        return false;
    }
    return true;
  }
  // The most that a node can take now, by trying.
  [[nodiscard]] auto free(std::size_t node, std::size_t of) const -> std::int64_t {
    Plain with = *this;
    std::int64_t most = 0;
    while (with.take(node, of, 1), with.is_valid(of)) ++most;
    return most;
  }
  [[nodiscard]] auto potential(std::size_t node, std::size_t of) const -> std::int64_t {
    Plain empty = *this;
    for (PlainNode& each : empty.nodes_) each.taken = {};
    return empty.free(node, of);
  }
  [[nodiscard]] auto borrowed(std::size_t node, std::size_t of) const -> std::int64_t {
    return has_subtree(node, of) ? std::max<std::int64_t>(0, usage(node, of) - subtree(node, of)) : 0;
  }
  // Of what its parent could have at most, what the node borrows, in 1/1000; of the resource with the largest part.
  [[nodiscard]] auto ratio(std::size_t node) const -> double {
    double most = 0;
    for (std::size_t resource = 0; resource < 2; ++resource) {
      std::int64_t over = 0;
      std::int64_t all = 0;
      for (const std::size_t of : {resource, resource + 2}) {
        over += borrowed(node, of);
        if (has_subtree(root(node), of)) all += potential(*nodes_[node].parent, of);
      }
      if (over > 0 && all > 0) most = std::max(most, static_cast<double>(over) * 1000.0 / static_cast<double>(all));
    }
    return most;
  }
  void take(std::size_t node, std::size_t of, std::int64_t amount) { nodes_[node].taken[of] += amount; }
  [[nodiscard]] auto taken(std::size_t node, std::size_t of) const -> std::int64_t { return nodes_[node].taken[of]; }
  [[nodiscard]] auto parent(std::size_t node) const -> std::optional<std::size_t> { return nodes_[node].parent; }
  [[nodiscard]] auto height(std::size_t node) const -> std::size_t {
    std::size_t height = 0;
    for (const std::size_t each : children(node))
      height = std::max(height, nodes_[each].is_queue ? 1 : height_of(each));
    return height;
  }

 private:
  [[nodiscard]] auto height_of(std::size_t cohort) const -> std::size_t { return height(cohort) + 1; }
  [[nodiscard]] auto root(std::size_t node) const -> std::size_t {
    while (nodes_[node].parent) node = *nodes_[node].parent;
    return node;
  }
  [[nodiscard]] auto children(std::size_t node) const -> std::vector<std::size_t> {
    std::vector<std::size_t> all;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      if (nodes_[i].parent == node) all.push_back(i);
    }
    return all;
  }

  std::vector<PlainNode> nodes_;
};

// Three cohorts, of which the second may be below the first, and the third below one of them, and four ClusterQueues.
auto random_nodes(std::mt19937& random) -> std::vector<PlainNode> {
  const auto upto = [&](std::int64_t most) {
    return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(most + 1));
  };
  std::vector<PlainNode> nodes(7);
  if (upto(3) > 0) nodes[1].parent = 0;
  if (upto(3) > 0) nodes[2].parent = static_cast<std::size_t>(upto(1));
  for (std::size_t i = 3; i < nodes.size(); ++i) {
    nodes[i].is_queue = true;
    if (upto(7) > 0) nodes[i].parent = static_cast<std::size_t>(upto(2));
  }
  for (PlainNode& node : nodes) {
    for (auto& quota : node.quotas) {
      if (upto(2) == 0) continue;
      quota = Quota{{upto(4)}};
      if (node.parent && upto(2) == 0) quota->borrowing_limit = Amount{upto(3)};
      if (node.parent && upto(2) == 0) quota->lending_limit = Amount{upto(3)};
    }
  }
  return nodes;
}

}  // namespace

TEST_CASE("kueue quota tree: amounts are those of the definitions, whatever was taken and given back", "[kueue]") {
  std::mt19937 random(7);
  for (int round = 0; round < 60; ++round) {
    INFO(round);
    const std::vector<PlainNode> nodes = random_nodes(random);
    Plain plain(nodes);
    FlavorResources names;
    QuotaTree tree(names);
    std::array<FlavorResource, kPairs> pairs{};
    for (std::uint32_t i = 0; i < kPairs; ++i) pairs[i] = names.intern(Symbol{10 + i / 2}, Symbol{20 + i % 2});
    std::vector<QuotaNodeId> ids;
    for (const PlainNode& node : nodes) {
      ids.push_back(tree.add({.name = fmt::format("{}", ids.size()),
                              .is_cluster_queue = node.is_queue,
                              .parent = node.parent ? ids[*node.parent] : QuotaNodeId{}}));
      for (std::size_t of = 0; of < kPairs; ++of) {
        if (node.quotas[of]) tree.set_quota(ids.back(), pairs[of], *node.quotas[of]);
      }
    }
    tree.build();
    for (int step = 0; step < 12; ++step) {
      const std::size_t queue = 3 + random() % 4;
      const std::size_t of = random() % kPairs;
      const std::int64_t taken = plain.taken(queue, of);
      if (random() % 3 == 0 && taken > 0) {
        const auto amount = static_cast<std::int64_t>(1 + random() % static_cast<std::uint64_t>(taken));
        plain.take(queue, of, -amount);
        tree.give_back(ids[queue], pairs[of], {amount});
      } else if (const std::int64_t most = plain.free(queue, of); most > 0) {
        const auto amount = static_cast<std::int64_t>(1 + random() % static_cast<std::uint64_t>(most));
        plain.take(queue, of, amount);
        tree.take(ids[queue], pairs[of], {amount});
      }
      // Shares are kept until the usage changes: those of all nodes are looked at after each step.
      for (std::size_t i = 0; i < nodes.size(); ++i) {
        INFO("step " << step << ", node " << i);
        if (plain.parent(i)) CHECK(tree.share(ids[i]).ratio == plain.ratio(i));
        CHECK(tree.usage(ids[i], pairs[of]) == Amount{plain.usage(i, of)});
        CHECK(tree.free(ids[i], pairs[of]) == Amount{plain.free(i, of)});
      }
    }
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      bool borrows = false;
      for (std::size_t of = 0; of < kPairs; ++of) {
        INFO("node " << i << ", pair " << of);
        CHECK(tree.subtree(ids[i], pairs[of]) == Amount{plain.subtree(i, of)});
        CHECK(tree.local(ids[i], pairs[of]) == Amount{plain.local(i, of)});
        CHECK(tree.potential(ids[i], pairs[of]) == Amount{plain.potential(i, of)});
        CHECK(tree.borrows(ids[i], pairs[of]) == (plain.usage(i, of) > plain.subtree(i, of)));
        CHECK(tree.borrowed(ids[i], pairs[of]) ==
              Amount{plain.parent(i) ? std::max<std::int64_t>(0, plain.usage(i, of) - plain.subtree(i, of)) : 0});
        const QuotaTree::Lent lent = tree.lent(ids[i], pairs[of]);
        CHECK(lent.least <= lent.most);
        CHECK(lent.most <= Amount{std::max<std::int64_t>(0, plain.subtree(i, of) - plain.local(i, of))});
        borrows = borrows || (plain.parent(i) && plain.borrowed(i, of) > 0);
        if (!nodes[i].is_queue) continue;
        // The lowest node whose quota is enough for all that is used below it, with 0 to 5 more.
        for (std::int64_t more = 0; more <= 5; ++more) {
          Plain with = plain;
          with.take(i, of, more);
          std::size_t at = i;
          while (with.usage(at, of) > with.subtree(at, of) && with.parent(at)) at = *with.parent(at);
          const bool fits = with.usage(at, of) <= with.subtree(at, of);
          const QuotaTree::Level level = tree.level(ids[i], pairs[of], {more});
          INFO("with " << more);
          CHECK(level.height == plain.height(at));
          CHECK(level.may_reclaim == (fits && plain.parent(at).has_value()));
        }
      }
      CHECK(tree.share(ids[i]).borrows == borrows);
    }
  }
}

}  // namespace previct::kueue::quota_properties
