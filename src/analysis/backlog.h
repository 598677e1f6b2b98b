#pragma once

#include "analysis/report_context.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace previct {

/// What becomes of a pending pod when the scheduler takes all of them in turn, each seeing what the ones before did.
struct InTurn {
  enum class Way : std::uint8_t {
    enters,    ///< there is room
    preempts,  ///< others go for it
    evicted,   ///< it gets in, and is evicted for another pending pod
    stays      ///< it does not get in as long as nothing but this happens
  };
  Way way = Way::stays;
  std::string node{};            ///< where it ends; empty if it stays, or might get another one as well
  std::vector<PodId> victims{};  ///< most important first
  OpenVictims open{};            ///< those of them that are not certain
  std::int64_t seconds = 0;      ///< from the moment of the question until it is bound
};
[[nodiscard]] auto way_name(InTurn::Way way) -> std::string_view;

/// More pods are not taken in turn: that takes a second or two on a cluster of a few thousand nodes.
constexpr std::size_t kMostInTurn = 1000;

/// All pending pods that were asked about, each with what becomes of it in turn (none: not played) and by itself.
struct Backlog {
  std::vector<Answer> answers;
  std::vector<std::optional<InTurn>> in_turn;  ///< of each answer
  std::size_t unanswered = 0;                  ///< pods of the list that no engine could be asked about
};

/// Totals, then one line a pod, or a group of them with one owner and one fate, in the order of the scheduler's queue;
/// `kind: ExplanationList`. `basis`: of all answers, or of the question if there is none; `where` pods were looked for:
/// `in the input`.
[[nodiscard]] auto backlog_report(const Backlog& backlog, const Provenance& provenance, std::string_view where,
                                  const ReportContext& context) -> Report;

}  // namespace previct
