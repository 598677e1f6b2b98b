#pragma once

#include "analysis/report_context.h"
#include "report/packed_rows.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace previct {

/// The outcome of a pending pod when all pending pods are scheduled in order, each after the decisions for those
/// before.
struct SimulatedOutcome {
  enum class Way : std::uint8_t {
    enters,    ///< fits without preemption
    preempts,  ///< evicts other pods
    waits,     ///< waits on its node for pods that are being deleted already
    evicted,   ///< is scheduled, then evicted for another pending pod
    stays,     ///< is not scheduled, as long as nothing else changes in the cluster; may evict pods in vain
    unknown    ///< its decision depends on what the input does not hold, or it is not tried within the simulated time
  };
  Way way = Way::stays;
  std::optional<Gap> unknown{};  ///< with `unknown`: what it depends on; none: it is not tried
  std::string waiting{};         ///< `waits for 1 terminating pod on n1, until ...`; empty: it does not wait at the end
  std::string node{};            ///< its final node; empty if it stays pending, or if it could get another node as well
  std::vector<PodId> victims{};  ///< most important first
  ReplaceableVictims open{};     ///< the victims that are not certain
  std::int64_t seconds = 0;      ///< from the moment of the question until the binding
};
[[nodiscard]] auto way_name(SimulatedOutcome::Way way) -> std::string_view;

/// Larger backlogs are not simulated in order: 1,000 pods take a second or two on a cluster of a few thousand nodes.
constexpr std::size_t kMostInTurn = 1000;

/// All pending pods in question, each with its outcome in order (nullopt: not simulated) and its separate answer.
struct Backlog {
  std::vector<Answer>& answers;  ///< a report takes their large parts; see explanation_documents()
  std::vector<std::optional<SimulatedOutcome>> in_turn;  ///< one for each answer
  /// For each answer, the pods that it releases and that then get no node: `1 of its 2 pods gets no node`; or empty.
  std::vector<std::string> left_pending{};
  std::size_t not_placed = 0;       ///< answers with so many released pods that it was not evaluated which get a node
  std::size_t unanswered = 0;       ///< pods of the list that no engine answers for
  PackedRows* documents = nullptr;  ///< of the answers, if they are made already: the report gets none
  std::string_view kinds = "pods";  ///< what was looked for, if there are no answers
};

/// Totals, then one line per pod, or per group of pods with one owner and one outcome, in the order of the scheduler's
/// queue; `kind: ExplanationList`. `provenance`: of all answers, or of the question if there is none. `where` the pods
/// were looked for: `in the input`.
[[nodiscard]] auto backlog_report(const Backlog& backlog, const Provenance& provenance, std::string_view where,
                                  const ReportContext& context) -> Report;

}  // namespace previct
