#pragma once

#include "engine/kueue/amounts.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace previct::kueue {

/// A ClusterQueue or a cohort in the tree in which quota is lent and borrowed.
using QuotaNodeId = Id<struct QuotaNodeTag>;

struct Quota {
  Amount nominal;
  std::optional<Amount> borrowing_limit{};
  std::optional<Amount> lending_limit{};
};

/// How much of a resource a node borrows, for its weight. Source: pkg/cache/scheduler/fair_sharing.go.
struct Share {
  double ratio = 0;      ///< borrowed of 1000 parts of what its parent could have
  double weight = 1;     ///< 0: what it borrows counts as infinitely much
  bool borrows = false;  ///< be it of a resource that its parent cannot have at all
  std::vector<FlavorResource> borrowed{};

  [[nodiscard]] auto value() const -> double;
  /// Negative, if this is the smaller share.
  [[nodiscard]] auto compare(const Share& other) const -> int;
};

/// The quota of a tree of cohorts, and what is used of it.
///
/// Sums are kept up while usage is added and removed; they are never made from scratch during a search, as adding and
/// removing are inverse of each other only in this form.
/// Source: pkg/cache/scheduler/resource_node.go, pkg/hierarchy.
class QuotaTree {
 public:
  /// `names` must outlive it.
  explicit QuotaTree(const FlavorResources& names) : names_(&names) {}

  struct Cell {
    FlavorResource of;
    bool has_subtree = false;  ///< it, or a node below it, has quota of it
    bool has_quota = false;    ///< it has quota of its own
    Quota quota{};
    Amount subtree{};  ///< its own, and what those below may lend
    Amount usage{};    ///< of a cohort: what those below use beyond what they never lend
  };
  struct Node {
    std::string name;
    bool is_cluster_queue = false;
    bool hidden = false;  ///< an inactive ClusterQueue: its numbers count, and it is not seen
    double weight = 1;
    QuotaNodeId parent{};
    std::vector<QuotaNodeId> children{};  ///< in order of creation
    std::size_t height = 0;               ///< of a cohort: 1, if it has ClusterQueues alone
    std::vector<Cell> cells{};            ///< by FlavorResource
  };
  struct Level {
    std::size_t height = 0;
    bool may_reclaim = false;
  };

  auto add(Node node) -> QuotaNodeId;
  void set_weight(QuotaNodeId node, double weight) { nodes_[node.index].weight = weight; }
  void set_parent(QuotaNodeId node, QuotaNodeId parent) { nodes_[node.index].parent = parent; }
  void set_quota(QuotaNodeId node, FlavorResource of, const Quota& quota);
  /// Once all nodes are there, with their parents: children, heights, and what subtrees have.
  void build();

  [[nodiscard]] auto operator[](QuotaNodeId id) const -> const Node& { return nodes_[id.index]; }
  [[nodiscard]] auto size() const -> std::size_t { return nodes_.size(); }
  [[nodiscard]] auto root(QuotaNodeId node) const -> QuotaNodeId;
  /// The cohorts above, nearest first.
  [[nodiscard]] auto ancestors(QuotaNodeId node) const -> std::vector<QuotaNodeId>;
  /// The active ClusterQueues below a cohort; of a ClusterQueue itself.
  [[nodiscard]] auto cluster_queues(QuotaNodeId node) const -> std::vector<QuotaNodeId>;

  [[nodiscard]] auto nominal(QuotaNodeId node, FlavorResource of) const -> Amount;
  [[nodiscard]] auto quota(QuotaNodeId node, FlavorResource of) const -> const Quota*;
  [[nodiscard]] auto subtree(QuotaNodeId node, FlavorResource of) const -> Amount;
  [[nodiscard]] auto usage(QuotaNodeId node, FlavorResource of) const -> Amount;
  /// What is never lent.
  [[nodiscard]] auto local(QuotaNodeId node, FlavorResource of) const -> Amount;
  [[nodiscard]] auto local_available(QuotaNodeId node, FlavorResource of) const -> Amount;
  /// May be negative; of a ClusterQueue nothing counts then (free()).
  [[nodiscard]] auto available(QuotaNodeId node, FlavorResource of) const -> Amount;
  [[nodiscard]] auto free(QuotaNodeId node, FlavorResource of) const -> Amount;
  /// The most that could ever be had.
  [[nodiscard]] auto potential(QuotaNodeId node, FlavorResource of) const -> Amount;

  void take(QuotaNodeId node, FlavorResource of, Amount amount);
  void give_back(QuotaNodeId node, FlavorResource of, Amount amount);
  void take(QuotaNodeId node, const Requests& requests) {
    for (const Request& each : requests) take(node, each.of, each.amount);
  }
  void give_back(QuotaNodeId node, const Requests& requests) {
    for (const Request& each : requests) give_back(node, each.of, each.amount);
  }

  /// Would it use more than its own, with `more`?
  [[nodiscard]] auto borrows(QuotaNodeId node, FlavorResource of, Amount more = {}) const -> bool;
  /// Does it borrow none of these?
  [[nodiscard]] auto within_nominal(QuotaNodeId node, const std::vector<FlavorResource>& of) const -> bool;
  /// How far up a ClusterQueue must borrow for `more`.
  [[nodiscard]] auto level(QuotaNodeId node, FlavorResource of, Amount more) const -> Level;
  [[nodiscard]] auto share(QuotaNodeId node) const -> Share;

 private:
  struct Lendable {
    Symbol resource;
    Amount amount;
  };

  [[nodiscard]] auto find(QuotaNodeId node, FlavorResource of) const -> const Cell*;
  auto cell(QuotaNodeId node, FlavorResource of) -> Cell&;

  /// What a cohort could have at most, by resource, over all flavors.
  [[nodiscard]] auto lendable(QuotaNodeId cohort) const -> const std::vector<Lendable>&;

  const FlavorResources* names_;
  std::vector<Node> nodes_;
  mutable std::vector<std::vector<Lendable>> lendable_;  // by node; empty: not asked for yet
};

}  // namespace previct::kueue
