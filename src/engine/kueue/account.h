#pragma once

#include "engine/kueue/course.h"
#include "engine/verdict.h"

#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace previct::kueue {

/// The result for the workload if no other workload were pending.
struct Alone {
  Entry entry;
  std::optional<Trace> trace{};                              ///< of the search for victims, successful or not
  std::vector<std::pair<WorkloadId, NoCandidate>> others{};  ///< workloads that are not candidates
  std::optional<EntryOutcome> then{};                        ///< in the next cycle, once its victims are gone
};

/// The workload for which a later cycle preempts one that holds quota.
struct Preemptor {
  WorkloadId workload{};
  std::size_t cycle = 0;  ///< number of the cycle, from 1
  bool certain = true;    ///< nothing on the way depends on chance, or on something that is not known
};

/// What Kueue would do with a workload, and why.
struct EngineTrace : previct::EngineTrace {
  EngineTrace(std::shared_ptr<const Inventory> of, WorkloadId asked, std::shared_ptr<const Controller> from)
      : inventory(std::move(of)), workload(asked), kept(std::move(from)), start(*kept) {}

  std::shared_ptr<const Inventory> inventory;
  WorkloadId workload;
  std::shared_ptr<const Controller> kept;
  const Controller& start;  ///< the state of the input
  NotQueued not_queued = NotQueued::no;
  /// The queue in which it is pending, or whose quota it holds; none: there is no such ClusterQueue.
  QueueId queue;
  std::vector<std::shared_ptr<const CycleFacts>> cycles{};
  /// Number of the cycle, from 1, in which it was a head for the first time; 0: in none of them.
  std::size_t cycle = 0;
  bool cut = false;            ///< the simulation stopped before its turn, while things still changed
  WorkloadId like{};           ///< the workload that was tried in its place, because their pods are the same
  std::size_t like_cycle = 0;  ///< number of that cycle
  /// Number of the cycle in which a workload that its turn leaves pending is tried again: the next one if it was
  /// skipped, or once workloads that are being evicted have returned their quota; 0: none.
  std::size_t again = 0;
  std::optional<Alone> alone{};
  std::optional<Preemptor> preemptor{};                 ///< if it holds quota, and nothing else ends that
  bool by_chance = false;                               ///< a tie on the way has no defined order
  std::uint64_t orders = 1;                             ///< how many orders the ties on the way have (Ties::orders)
  std::vector<std::pair<WorkloadId, Phase>> changed{};  ///< phases that differ at the end of the cycles
  /// In full, if its turn comes after the cycles in question: what these cycles show.
  std::shared_ptr<const EngineTrace> recorded{};

  /// Returns the workload's entry in that cycle; null if it never was a head.
  [[nodiscard]] auto entry() const -> const Entry* { return cycle == 0 ? nullptr : cycles[cycle - 1]->find(workload); }
  /// Returns the entry of `like`; null: it was tried itself, or none in its place.
  [[nodiscard]] auto entry_like() const -> const Entry* {
    return cycle != 0 || like_cycle == 0 ? nullptr : cycles[like_cycle - 1]->find(like);
  }
  [[nodiscard]] auto entry_again() const -> const Entry* {
    return again == 0 ? nullptr : cycles[again - 1]->find(workload);
  }
  /// Returns true if it is admitted, or preempts others, only once evicted workloads have returned their quota.
  [[nodiscard]] auto awaits_quota() const -> bool;
  /// Returns the workloads that are being evicted and return quota that it lacks, but after which Kueue does not try
  /// it again, because their LocalQueue is stopped or does not exist.
  [[nodiscard]] auto returning_unnoticed() const -> std::vector<WorkloadId>;
};

/// Converts the outcome of an entry to the outcome that all engines share.
[[nodiscard]] auto outcome_of(const Entry& entry) -> Outcome;

/// Returns true if the workload has the same result in both.
[[nodiscard]] auto alike(const EngineTrace& a, const EngineTrace& b) -> bool;

/// How much of an account is computed: whether the workload is admitted; also why; also that of all trees, and what
/// happens after its turn.
enum class Depth : std::uint8_t { brief, explained, in_full };

/// Returns why the workload is not tried now.
[[nodiscard]] auto why_not_queued(const Controller& controller, WorkloadId workload) -> NotQueued;

/// The turn of a workload is simulated up to this cycle, even if the question asks for fewer.
inline constexpr std::size_t kMostCyclesToTurn = 200;

/// `most`: the maximum number of cycles, apart from those up to its turn; stops earlier once nothing changes.
[[nodiscard]] auto account_of(std::shared_ptr<const Inventory> inventory, Future& future, WorkloadId workload,
                              std::size_t most, Depth depth) -> std::shared_ptr<EngineTrace>;

}  // namespace previct::kueue
