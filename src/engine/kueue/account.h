#pragma once

#include "engine/kueue/course.h"
#include "engine/verdict.h"

#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace previct::kueue {

/// The workload as if no other one waited.
struct Alone {
  Entry entry;
  std::optional<Trace> trace{};                              ///< of a search for victims, whether or not it found some
  std::vector<std::pair<WorkloadId, NoCandidate>> others{};  ///< those that are no candidates
  std::optional<EntryOutcome> then{};                        ///< in the next cycle, its victims gone
};

/// What Kueue would do with a workload, and why.
struct Account : previct::Account {
  Account(std::shared_ptr<const Inventory> of, WorkloadId asked, std::shared_ptr<const Controller> from)
      : inventory(std::move(of)), workload(asked), kept(std::move(from)), start(*kept) {}

  std::shared_ptr<const Inventory> inventory;
  WorkloadId workload;
  std::shared_ptr<const Controller> kept;
  const Controller& start;  ///< as the input has it
  NotQueued not_queued = NotQueued::no;
  QueueId queue;  ///< where it waits, or whose quota it holds; none: there is no such ClusterQueue
  std::vector<std::shared_ptr<const CycleFacts>> cycles{};
  std::size_t cycle = 0;  ///< in which it was a head for the first time, from 1; 0: in none of them
  std::optional<Alone> alone{};
  bool by_chance = false;                               ///< equals were met on the way whose order is not defined
  std::vector<std::pair<WorkloadId, Phase>> changed{};  ///< at the end of the cycles

  /// What became of it in that cycle; null: its turn did not come.
  [[nodiscard]] auto entry() const -> const Entry* { return cycle == 0 ? nullptr : cycles[cycle - 1]->find(workload); }
};

/// What becomes of an entry, in the words of all engines.
[[nodiscard]] auto outcome_of(const Entry& entry) -> Outcome;

/// Does the same become of the workload?
[[nodiscard]] auto alike(const Account& a, const Account& b) -> bool;

/// How much of an account is wanted: whether the workload is admitted; why; that of all trees, and what comes after its
/// own turn.
enum class Depth : std::uint8_t { brief, explained, in_full };

/// `most`: as many cycles are looked at, as long as something changes.
[[nodiscard]] auto account_of(std::shared_ptr<const Inventory> inventory, Future& future, WorkloadId workload,
                              std::size_t most, Depth depth) -> std::shared_ptr<Account>;

}  // namespace previct::kueue
