#pragma once

#include "api/kueue.h"
#include "api/objects.h"
#include "base/id.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace previct {
class Snapshot;
class Symbols;
}  // namespace previct

namespace previct::kueue {

/// Amounts of resources that pods request or nodes have: cpu in thousandths, everything else in units.
class Capacity {
 public:
  [[nodiscard]] auto of(Symbol resource) const -> std::int64_t;
  [[nodiscard]] auto empty() const -> bool { return amounts_.empty(); }
  void add(Symbol resource, std::int64_t amount);
  void add(const Capacity& more, std::int64_t times = 1);
  [[nodiscard]] auto begin() const { return amounts_.begin(); }
  [[nodiscard]] auto end() const { return amounts_.end(); }

  /// Returns how often `request` fits into this, and the resource of which there is least; none if it requests nothing,
  /// which fits 0 times.
  /// Source: pkg/resources/requests.go CountInWithLimitingResource.
  [[nodiscard]] auto count(const Capacity& request, const Symbols& symbols) const -> std::pair<std::int64_t, Symbol>;

 private:
  std::vector<std::pair<Symbol, std::int64_t>> amounts_;
};

/// Pods of a workload in one domain of the lowest level.
struct TopologyUse {
  Symbol flavor;
  std::string domain;  ///< TopologyFlavor::Domain::id
  Capacity one_pod;    ///< the requests of one of them
  std::int64_t count = 0;
};

using DomainId = Id<struct TopologyDomainTag>;
using LeafId = Id<struct TopologyLeafTag>;

/// The domains of the nodes of one flavor, and what they have free of pods that no topology assignment places.
/// Source: pkg/cache/scheduler/tas_flavor.go, tas_flavor_snapshot.go, tas_nodes_cache.go, tas_non_tas_pod_cache.go.
class TopologyFlavor {
 public:
  struct Domain {
    std::string id;  ///< the values of all levels, with commas; of a node: its host name
    std::vector<Symbol> values;
    std::uint32_t level = 0;
    DomainId parent{};
    std::vector<DomainId> children{};
    LeafId leaf{};  ///< of the lowest level
  };
  struct Leaf {
    DomainId domain;
    const Node* node = nullptr;  ///< null: the lowest level is not the node
    Capacity free{};
  };

  TopologyFlavor(const Snapshot& cluster, const ResourceFlavor& flavor, const Topology& topology);

  [[nodiscard]] auto name() const -> Symbol { return flavor_->meta.name; }
  [[nodiscard]] auto flavor() const -> const ResourceFlavor& { return *flavor_; }
  [[nodiscard]] auto topology() const -> Symbol { return topology_->meta.name; }
  [[nodiscard]] auto levels() const -> const std::vector<Symbol>& { return levels_; }
  /// Returns the number of its nodes that do not count, because they are cordoned or not ready.
  [[nodiscard]] auto unready() const -> std::size_t { return unready_; }
  [[nodiscard]] auto lowest_is_node() const -> bool { return lowest_is_node_; }
  [[nodiscard]] auto domains() const -> const IdVector<DomainId, Domain>& { return domains_; }
  [[nodiscard]] auto leaves() const -> const IdVector<LeafId, Leaf>& { return leaves_; }
  [[nodiscard]] auto at_level(std::size_t level) const -> const std::vector<DomainId>& { return by_level_[level]; }
  /// Returns the level of a node label; nothing if the topology does not have it.
  [[nodiscard]] auto level_of(Symbol label) const -> std::optional<std::size_t>;
  [[nodiscard]] auto find_leaf(std::string_view id) const -> LeafId;
  /// Returns the id of the domain with these values.
  [[nodiscard]] auto id_of(const std::vector<Symbol>& values) const -> std::string;
  [[nodiscard]] auto before(DomainId a, DomainId b) const -> bool;  ///< by their values

 private:
  void add_node(const Node& node);
  auto domain_of(const std::vector<Symbol>& values) -> DomainId;

  const Snapshot* cluster_;
  const ResourceFlavor* flavor_;
  const Topology* topology_;
  std::vector<Symbol> levels_;
  bool lowest_is_node_ = false;
  std::size_t unready_ = 0;
  IdVector<DomainId, Domain> domains_;
  IdVector<LeafId, Leaf> leaves_;
  std::vector<std::vector<DomainId>> by_level_;
  std::unordered_map<std::string, DomainId> by_id_;  // of inner levels, and of leaves that are not nodes
  std::unordered_map<std::string, LeafId> leaf_by_id_;
};

/// The flavors with a topology of an input.
class Topologies {
 public:
  Topologies(const Snapshot& cluster, bool enabled);

  /// Returns null if the flavor names no topology, or one that does not exist.
  [[nodiscard]] auto find(Symbol flavor) const -> const TopologyFlavor*;
  [[nodiscard]] auto all() const -> const std::vector<TopologyFlavor>& { return flavors_; }

 private:
  std::vector<TopologyFlavor> flavors_;
};

/// What workloads use of the domains, which changes while workloads are tried.
/// Source: pkg/cache/scheduler/snapshot.go; with the feature gate TASHandleOverlappingFlavors, nodes that several
/// flavors share count what the workloads of all of them use.
class TopologyState {
 public:
  TopologyState(const Topologies& topologies, bool overlapping);

  /// Adds what a workload uses that holds quota at the start of a cycle.
  void start_with(const TopologyUse& use);
  void add(const TopologyUse& use, std::int64_t sign);
  /// Returns what is left in a domain; may be negative.
  [[nodiscard]] auto left(const TopologyFlavor& flavor, LeafId leaf, bool without_workloads) const -> Capacity;
  /// Returns true if all of these fit, each by itself.
  [[nodiscard]] auto fits(const std::vector<TopologyUse>& uses, Symbol pods, const Symbols& symbols) const -> bool;

 private:
  void add_to(std::size_t flavor, const TopologyUse& use, std::int64_t sign);

  const Topologies* topologies_;
  bool overlapping_;
  std::vector<IdVector<LeafId, Capacity>> used_;  // by flavor
};

}  // namespace previct::kueue
