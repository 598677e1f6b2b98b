#pragma once

#include "engine/kueue/cycle.h"

#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace previct::kueue {

/// Returns the state on which the next cycle depends, as text: equal texts are followed by equal cycles.
[[nodiscard]] auto state_text(const Controller& controller) -> std::string;

/// The next cycles of one scope, or of all, simulated on demand. All questions about its workloads share them.
class Course {
 public:
  Course(const Controller& start, std::string scope) : controller_(start), scope_(std::move(scope)) {}

  /// Returns the cycle with that index; null: nothing changes any more, or no workload can be tried.
  [[nodiscard]] auto cycle(std::size_t index) -> std::shared_ptr<const CycleFacts>;
  /// Returns the state after the cycles simulated so far.
  [[nodiscard]] auto played() const -> const Controller& { return controller_; }
  /// Returns true if a tie without a defined order was met up to the cycle with that index.
  [[nodiscard]] auto met_tie(std::size_t index) const -> bool { return index < ties_.size() && ties_[index].met; }
  /// Returns how many orders the ties up to the cycle with that index have.
  [[nodiscard]] auto orders(std::size_t index) const -> std::uint64_t {
    return index < ties_.size() ? ties_[index].orders : 1;
  }

 private:
  Controller controller_;
  std::string scope_;
  std::vector<std::shared_ptr<const CycleFacts>> cycles_;
  struct TiesUpTo {
    bool met = false;
    std::uint64_t orders = 1;
  };
  std::vector<TiesUpTo> ties_;      ///< for each cycle
  std::set<std::string> repeated_;  ///< the states after the last cycles with equal facts
  bool ended_ = false;
};

/// The future of an input from one time on, with ties resolved in one way.
struct Future {
  Future(const Inventory& inventory, Instant now, TieOrder ties)
      : start(std::make_shared<const Controller>(inventory, now, WorkloadId{}, ties)) {}

  /// Returns the course of a scope (QueueInfo::scope); empty: of all.
  [[nodiscard]] auto course(const std::string& scope) -> Course&;

  std::shared_ptr<const Controller> start;  ///< the state of the input

 private:
  std::map<std::string, Course> courses_;
};

}  // namespace previct::kueue
