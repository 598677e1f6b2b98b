#pragma once

#include "analysis/report_context.h"
#include "tell/answer.h"

#include <optional>
#include <string>
#include <vector>

namespace previct {

/// The pod's own PodScheduled condition, as its scheduler wrote it, beside what the answer says.
struct Recorded {
  enum class Comparison : std::uint8_t {
    same,         ///< byte for byte
    same_counts,  ///< the same reasons of the same numbers of nodes, in another order
    differs,
    not_compared  ///< the answer has no words of its scheduler, or these are not of their form
  };
  struct Difference {
    std::string reason;
    std::int64_t recorded = 0;  ///< nodes
    std::int64_t answer = 0;
  };

  std::string reason;   ///< `Unschedulable`
  std::string message;  ///< may be empty
  Instant since;        ///< of the condition's status: the message may be newer; Instant{}: unknown
  Instant said;         ///< when an event last said the same; Instant{}: none does
  Comparison comparison = Comparison::not_compared;
  std::vector<Difference> differences;
  std::vector<std::string> why;  ///< why it may differ, as far as the input shows
};

/// None if the pod has no such condition, or one that says it is scheduled.
[[nodiscard]] auto recorded(const Answer& answer, const ReportContext& context) -> std::optional<Recorded>;

/// For people: one line, or two if they differ.
[[nodiscard]] auto lines_of(const Recorded& recorded, Instant now) -> std::vector<Line>;
[[nodiscard]] auto json_of(const Recorded& recorded) -> Json;

/// Why a pod that fits may still wait, as far as the input shows.
[[nodiscard]] auto why_it_waits(const Answer& answer, const ReportContext& context) -> std::vector<std::string>;

}  // namespace previct
