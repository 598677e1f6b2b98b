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

/// How much a node borrows, relative to its weight. Source: pkg/cache/scheduler/fair_sharing.go.
struct Share {
  double ratio = 0;      ///< borrowed amount in 1/1000 of what its parent could have
  double weight = 1;     ///< 0: what it borrows counts as infinite
  bool borrows = false;  ///< also true for a resource that its parent cannot have at all
  std::vector<FlavorResource> borrowed{};

  [[nodiscard]] auto value() const -> double;
  /// Returns a negative number if this is the smaller share.
  [[nodiscard]] auto compare(const Share& other) const -> int;
};

/// The quota of a tree of cohorts, and its usage.
///
/// Sums are updated while usage is added and removed; they are never recomputed during a search, because adding and
/// removing are only inverses of each other in this form.
/// Source: pkg/cache/scheduler/resource_node.go, pkg/hierarchy.
class QuotaTree {
 public:
  /// `names` must outlive this object.
  explicit QuotaTree(const FlavorResources& names) : names_(&names) {}

  struct Cell {
    FlavorResource of;
    bool has_subtree = false;  ///< the node, or one below it, has quota for it
    bool has_quota = false;    ///< the node itself has quota for it
    Quota quota{};
    Amount subtree{};  ///< its own quota, and what the nodes below may lend
    Amount usage{};    ///< for a cohort: what the nodes below use beyond what they never lend
  };
  struct Node {
    std::string name;
    bool is_cluster_queue = false;
    bool hidden = false;  ///< an inactive ClusterQueue: its numbers count, but searches skip it
    double weight = 1;
    QuotaNodeId parent{};
    std::vector<QuotaNodeId> children{};  ///< in order of creation
    std::size_t height = 0;               ///< for a cohort: 1 if it has only ClusterQueues
    std::vector<Cell> cells{};            ///< by FlavorResource
  };
  /// What a node lends to others. If several nodes lend, the amounts of each are only known within bounds.
  struct Lent {
    Amount least{};
    Amount most{};
  };
  struct Level {
    std::size_t height = 0;
    bool may_reclaim = false;
  };

  auto add(Node node) -> QuotaNodeId;
  void set_weight(QuotaNodeId node, double weight) { nodes_[node.index].weight = weight; }
  void set_parent(QuotaNodeId node, QuotaNodeId parent) { nodes_[node.index].parent = parent; }
  void set_quota(QuotaNodeId node, FlavorResource of, const Quota& quota);
  /// Computes children, heights and subtree amounts; call it once all nodes and their parents are set.
  void build();

  [[nodiscard]] auto operator[](QuotaNodeId id) const -> const Node& { return nodes_[id.index]; }
  [[nodiscard]] auto size() const -> std::size_t { return nodes_.size(); }
  [[nodiscard]] auto root(QuotaNodeId node) const -> QuotaNodeId;
  /// Returns the cohorts above, the nearest first.
  [[nodiscard]] auto ancestors(QuotaNodeId node) const -> std::vector<QuotaNodeId>;
  /// Returns the active ClusterQueues below a cohort; for a ClusterQueue, itself.
  [[nodiscard]] auto cluster_queues(QuotaNodeId node) const -> std::vector<QuotaNodeId>;

  [[nodiscard]] auto nominal(QuotaNodeId node, FlavorResource of) const -> Amount;
  [[nodiscard]] auto quota(QuotaNodeId node, FlavorResource of) const -> const Quota*;
  [[nodiscard]] auto subtree(QuotaNodeId node, FlavorResource of) const -> Amount;
  [[nodiscard]] auto usage(QuotaNodeId node, FlavorResource of) const -> Amount;
  /// Returns the amount that is never lent.
  [[nodiscard]] auto local(QuotaNodeId node, FlavorResource of) const -> Amount;
  [[nodiscard]] auto local_available(QuotaNodeId node, FlavorResource of) const -> Amount;
  /// May be negative; for a ClusterQueue, a negative amount counts as 0 (see free()).
  [[nodiscard]] auto available(QuotaNodeId node, FlavorResource of) const -> Amount;
  [[nodiscard]] auto free(QuotaNodeId node, FlavorResource of) const -> Amount;
  /// Returns the maximum that could ever be available.
  [[nodiscard]] auto potential(QuotaNodeId node, FlavorResource of) const -> Amount;

  void take(QuotaNodeId node, FlavorResource of, Amount amount);
  void give_back(QuotaNodeId node, FlavorResource of, Amount amount);
  void take(QuotaNodeId node, const Requests& requests) {
    for (const Request& each : requests) take(node, each.of, each.amount);
  }
  void give_back(QuotaNodeId node, const Requests& requests) {
    for (const Request& each : requests) give_back(node, each.of, each.amount);
  }

  /// Returns true if it would use more than its own quota with `more`.
  [[nodiscard]] auto borrows(QuotaNodeId node, FlavorResource of, Amount more = {}) const -> bool;
  /// Returns true if it borrows none of these.
  [[nodiscard]] auto within_nominal(QuotaNodeId node, const std::vector<FlavorResource>& of) const -> bool;
  /// Returns how many levels up a ClusterQueue must borrow for `more`.
  [[nodiscard]] auto level(QuotaNodeId node, FlavorResource of, Amount more) const -> Level;
  /// Valid until quota of the node is taken or given back.
  [[nodiscard]] auto share(QuotaNodeId node) const -> const Share&;
  /// Returns what the node uses beyond its own quota.
  [[nodiscard]] auto borrowed(QuotaNodeId node, FlavorResource of) const -> Amount;
  /// Returns what of its quota is used by nodes that are not below it. Kueue only keeps sums by cohort: what the
  /// children of a cohort borrow comes from the unused quota of their siblings, from the cohort's own quota, or from
  /// what the cohort borrows itself.
  [[nodiscard]] auto lent(QuotaNodeId node, FlavorResource of) const -> Lent;

 private:
  struct Lendable {
    Symbol resource;
    Amount amount;
  };

  /// A share that is kept until the usage of its node changes.
  struct KnownShare {
    bool current = false;
    Share share{};
  };

  /// Returns an empty cell if the node has neither quota nor usage of it.
  [[nodiscard]] auto find(QuotaNodeId node, FlavorResource of) const -> const Cell&;
  auto cell(QuotaNodeId node, FlavorResource of) -> Cell&;
  void set_usage(QuotaNodeId node, Cell& at, Amount usage);
  void measure(QuotaNodeId node, Share& share) const;
  [[nodiscard]] auto borrowed(const Node& node, Symbol resource) const -> Amount;

  /// Returns the maximum that a cohort could have, by resource, over all flavors.
  [[nodiscard]] auto lendable(QuotaNodeId cohort) const -> const std::vector<Lendable>&;

  const FlavorResources* names_;
  std::vector<Node> nodes_;
  mutable std::vector<std::vector<Lendable>> lendable_;  // by node; empty: not computed yet
  mutable std::vector<KnownShare> shares_;               // by node
};

}  // namespace previct::kueue
