#pragma once

#include "engine/kube/devices/findings.h"
#include "engine/kube/devices/plan.h"
#include "engine/kube/devices/pools.h"

#include <cstdint>
#include <span>
#include <vector>

namespace previct::kube::devices {

/// A claim to be allocated on one node.
struct Wanted {
  const PlannedClaim* claim = nullptr;
  std::vector<const PlannedRequest*> requests;
};

/// A device on a node's list. If `device` is null, the entry marks an invalid pool, which the search must not reach.
struct Offered {
  const Pool* pool = nullptr;
  const ResourceSlice* slice = nullptr;
  const Device* device = nullptr;
  const Held* held = nullptr;
};

/// The search for devices that satisfy all claims of a pod on one node: tries every device for every request until all
/// are satisfied.
/// Source: dynamic-resource-allocation: structured/internal/incubating/allocator_incubating.go, v0.34 to v0.36.
class Search {
 public:
  struct How {
    bool combinations = true;  ///< try the devices of one request in one order only
    bool past_faults = false;  ///< skip a device on which a selector fails
  };

  Search(const Snapshot& cluster, const Inventory& inventory, const Rules& rules, const Node& node,
         const std::vector<Pool>& pools, std::span<const Wanted> claims, How how);

  /// Returns the result of the scheduler's Filter.
  auto run() -> Found;

  /// Returns true if it ended before the first device was tried.
  [[nodiscard]] auto ended_early() const -> bool { return ended_early_; }
  /// Returns true if a selector fails on some device, whether or not the search has reached it.
  [[nodiscard]] auto any_fault() -> bool;

 private:
  static constexpr std::int64_t kMostResults = 32;
  static constexpr std::int64_t kMostSteps = 300'000;

  enum class Step : std::uint8_t { done, none, over_limit, ended };
  enum class Fits : std::uint8_t { yes, no, ended };

  struct At {
    std::size_t claim = 0;
    std::size_t request = 0;
    std::size_t alternative = 0;
    std::int64_t device = 0;
  };
  /// What is known about one alternative on this node.
  struct Known {
    const Alternative* alternative = nullptr;
    std::int64_t count = 0;
    std::vector<std::size_t> all;  // devices, if it requests all
    std::vector<char> selected;    // by device; 0: not checked, 1: no, 2: yes
  };
  struct Taken {
    std::size_t device = 0;
    std::size_t constraints = 0;  // number of constraints that count it
    bool counters = false;
    bool marked = false;
    bool shared = false;
  };
  struct ConstraintState {
    const DeviceConstraint* constraint = nullptr;
    std::int64_t devices = 0;
    const DeviceAttribute* common = nullptr;
    std::vector<std::pair<Symbol, const DeviceAttribute*>> by_request;  // for distinctAttribute
  };

  auto validate() -> Step;
  auto validate(const Wanted& wanted, std::size_t claim) -> Step;
  auto validate(const Wanted& wanted, const PlannedRequest& request, std::size_t first, std::int64_t& least) -> Step;
  auto validate_one(const Wanted& wanted, Known& known, Known& cache) -> Step;
  auto collect_all(const Wanted& wanted, Known& known, Known& cache) -> Step;

  auto place(At at, bool chosen, std::size_t start) -> Step;
  auto place_alternatives(At at) -> Step;
  auto place_all(const At& at, bool chosen) -> Step;
  auto place_some(const At& at, bool chosen, std::size_t start) -> Step;

  [[nodiscard]] auto known(const At& at) -> Known&;
  [[nodiscard]] auto request(const At& at) const -> const PlannedRequest& {
    return *claims_[at.claim].requests[at.request];
  }
  auto selectable(const PlannedClaim& claim, const Known& known, Known& cache, std::size_t device) -> Fits;
  auto selected(const PlannedClaim& claim, const Known& known, std::size_t device) -> Fits;
  auto passes(const PlannedClaim& claim, const std::vector<PlannedSelector>& selectors, std::size_t device) -> Fits;
  auto fault(const PlannedClaim& claim, const SelectorPlace& place, std::size_t device, const cel::Fault& why) -> Fits;
  [[nodiscard]] auto place_of(std::size_t device) const -> DevicePlace;
  [[nodiscard]] auto has_lists() const -> bool;

  auto take(const At& at, std::size_t device, bool must, Taken& taken) -> Fits;
  void give_back(const At& at, const Taken& taken);
  void choose(const At& at, std::size_t device);
  [[nodiscard]] auto in_use(std::size_t device) const -> bool;
  [[nodiscard]] auto shares(std::size_t device) const -> bool;
  [[nodiscard]] auto tainted(std::size_t device, const Alternative& alternative) const -> bool;
  [[nodiscard]] auto room_for(const Alternative& alternative, std::size_t device) const -> bool;
  auto reserve_counters(std::size_t device) -> bool;
  void count(const Offered& device, int by);
  [[nodiscard]] auto attribute(std::size_t device, Symbol name) const -> const DeviceAttribute*;
  [[nodiscard]] auto concerns(const DeviceConstraint& constraint, const At& at) -> bool;
  auto meets(ConstraintState& state, const At& at, std::size_t device) -> bool;
  void leave(ConstraintState& state, const At& at);

  auto end(Code code, const Reason& reason) -> Step;
  auto doubt(Doubt why) -> Fits;
  [[nodiscard]] auto shortage() -> Reason;

  const Snapshot& cluster_;
  const Rules& rules_;
  const Node& node_;
  const std::vector<Pool>& pools_;
  std::span<const Wanted> claims_;
  How how_;

  std::vector<Offered> offered_;
  std::vector<std::size_t> first_known_;    // by request, over all claims
  std::vector<std::size_t> first_request_;  // by claim
  std::vector<Known> known_;
  std::vector<std::vector<ConstraintState>> constraints_;  // by claim
  std::vector<std::int64_t> results_;                      // by claim
  std::vector<std::uint64_t> holders_;                     // by device: claims, as bits
  struct Shared {
    std::int64_t parts = 0;
    MapOf<Quantity> consumed;
  };
  std::map<std::size_t, Shared> shared_;                              // by device
  std::map<std::tuple<const Pool*, Symbol, Symbol>, __int128> left_;  // of counters, in nano-units
  std::vector<MapOf<Quantity>> consumption_;                          // of the parts taken, in order
  std::int64_t steps_ = 0;
  bool ended_early_ = false;
  Found found_;
};

}  // namespace previct::kube::devices
