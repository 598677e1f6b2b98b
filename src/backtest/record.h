#pragma once

#include "analysis/decision.h"
#include "base/symbols.h"
#include "report/report.h"

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace previct::backtest {

/// The two sides of a backtest: the rules as they were, and with the change.
enum class Side : std::uint8_t { before, after };
inline constexpr std::array kSides = {Side::before, Side::after};
template <class T>
using BySide = std::array<T, kSides.size()>;

/// A decision as a record keeps it.
struct Choice {
  std::string outcome{};  ///< as in `verdict.outcome`; empty: the pod does not exist on this side, or is not answered
  std::string node{};
  std::vector<std::string> tied{};     ///< the nodes among which the scheduler chooses, if there are several
  std::vector<std::string> victims{};  ///< names
  std::vector<Symbol> possible{};      ///< the others that may be evicted in their place: in StateRecord::names
  std::int32_t pdb_violations = 0;

  friend auto operator==(const Choice&, const Choice&) -> bool = default;
};

/// A pod that pends in a state.
struct Pending {
  std::string pod{};  ///< `ml/train-0`
  std::string id{};   ///< its UID; its name if it has none
  std::string workload{};
  std::string priority_class{};
  std::int64_t priority = 0;
  Instant since{};  ///< its creation; the state's time if that is unknown
  Instant at{};     ///< the moment of the decisions
  BySide<Choice> choices{};
};

/// A pod that would be evicted in a state, and what it has: the work that is lost with it is that, times how long it
/// had run.
struct VictimFacts {
  std::string id{};
  std::string workload{};
  std::string priority_class{};
  std::optional<Instant> start{};  ///< none: not known
  double cpus = 0;
  double devices = 0;      ///< of all extended resources
  std::int64_t epoch = 0;  ///< seconds between two moments at which it saves its work; 0: it saves none

  /// How long it had run at a moment, in seconds; 0 if that is not known.
  [[nodiscard]] auto ran(Instant at) const -> std::int64_t;
  /// The hours that are lost with it at a moment: since it last saved its work.
  [[nodiscard]] auto hours(Instant at) const -> double;
};

/// A pod that has succeeded since the state before.
struct FinishedRun {
  std::string pod{};
  std::string id{};  ///< its UID; its name if it has none
  std::string workload{};
  std::string priority_class{};
};

/// A trace of a preemption in a state (history/disruptions.h).
struct Preempted {
  std::string pod{};
  std::string id{};  ///< its UID; its name if the trace does not give it
  std::string by{};  ///< empty: not known
};

/// What became of a pod that was pending in the state before.
struct Fate {
  std::string pod{};
  std::string became{};  ///< `bound`, `nominated`, `pending`, `gone`
  std::string node{};    ///< of a bound or nominated pod
};

/// Everything that a backtest knows of one state. The whole report follows from the records of all states.
struct StateRecord {
  std::size_t index = 0;  ///< among the states of the series, from 0
  std::size_t of = 0;     ///< their number
  std::string damage{};   ///< why the state cannot be read; it has nothing else then. Empty: it can
  Instant at{};
  std::vector<std::string> change{};  ///< what the change is: files of --with, objects of --without
  std::vector<std::string> epochs{};  ///< the values of --epoch
  /// Names that occur in many records, which may share them.
  std::shared_ptr<Symbols> names = std::make_shared<Symbols>();
  std::vector<std::string> rules{};  ///< `kube 1.35 + DefaultPreemption`
  bool complete = true;              ///< false: a gap could change a decision
  std::vector<std::string> gaps{};
  std::vector<Pending> pending{};
  std::vector<Pending> past{};  ///< for each preemption since the state before, its preemptor (backtest/past.h)
  std::map<std::string, VictimFacts> victims{};  ///< by name
  std::vector<Preempted> preempted{};
  std::vector<Fate> fates{};
  std::set<std::string>
      left{};  ///< pods that ran in the state before and do not in this one, if pods were pending there
  std::vector<FinishedRun> finished{};
};

/// One line of `-o jsonl`.
[[nodiscard]] auto json_of(const StateRecord& record) -> Json;
/// `names`: of the record. Fails if the text is not a line that json_of() wrote.
[[nodiscard]] auto read_record(std::string_view line, std::shared_ptr<Symbols> names) -> Result<StateRecord>;

/// What the state before is needed for.
struct Earlier {
  std::vector<Pending> pending{};                ///< for StateRecord::fates: their names and ids
  std::map<std::string, std::string> running{};  ///< for StateRecord::left: ids by name
  std::set<std::string> nominated{};             ///< the ids of those that had a nominated node
  std::set<std::string> succeeded{};             ///< for StateRecord::finished: the ids of the pods that had succeeded
  std::optional<Instant> at{};                   ///< none: there is no state before
  /// Whether Objects::replaced_pods of the later state has all pods of this one that are gone in it.
  bool has_its_gone_pods = false;
};

/// What has become of these pods in the cluster.
[[nodiscard]] auto fates_of(const Snapshot& cluster, const std::vector<Pending>& pods) -> std::vector<Fate>;

/// Adds what the cluster shows: the pods that pend, the preemptions that happened, the pods that have succeeded, and
/// what became of the pods that were pending before. Returns what the next state needs of this one.
auto observe(const Snapshot& cluster, const Earlier& earlier, StateRecord& record) -> Earlier;

/// A pod in the snapshot, without decisions.
[[nodiscard]] auto pending_pod(const Snapshot& cluster, PodId pod, Instant at) -> Pending;

/// Adds the decision of one side about one pod, and the facts of its victims.
void add_decision(const Snapshot& cluster, const ClusterDecisions& decided, Side side, Pending& pod,
                  StateRecord& record);

/// Adds the decisions of one side about the pods that are pending, and the facts of their victims.
void add_decisions(const Snapshot& cluster, const ClusterDecisions& decided, Side side, StateRecord& record);

}  // namespace previct::backtest
