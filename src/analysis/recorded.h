#pragma once

#include "analysis/report_context.h"
#include "tell/answer.h"

#include <optional>
#include <string>
#include <vector>

namespace previct {

/// The pod's PodScheduled condition, as its scheduler wrote it, compared with the answer.
struct Recorded {
  enum class Comparison : std::uint8_t {
    same,         ///< byte for byte
    same_counts,  ///< the same reasons for the same numbers of nodes, in another order
    differs,
    not_compared  ///< the answer has no message of its scheduler, or the condition is not in its form
  };
  struct Difference {
    std::string reason;
    std::int64_t recorded = 0;  ///< nodes
    std::int64_t answer = 0;
  };

  std::string reason;   ///< `Unschedulable`
  std::string message;  ///< may be empty
  Instant since;        ///< last transition of the condition; the message may be newer; Instant{}: unknown
  Instant said;         ///< time of the newest event with the same message; Instant{}: no event has it
  Comparison comparison = Comparison::not_compared;
  std::vector<Difference> differences;
  std::vector<std::string> why;  ///< possible reasons for a difference, as far as the input shows
};

/// Returns nullopt if the pod has no such condition, or if it says that the pod is scheduled.
[[nodiscard]] auto recorded(const Answer& answer, const ReportContext& context) -> std::optional<Recorded>;

/// As text: one line, or two if they differ.
[[nodiscard]] auto lines_of(const Recorded& recorded, Instant now) -> std::vector<Line>;
[[nodiscard]] auto json_of(const Recorded& recorded) -> Json;

/// Why a pod that fits may still wait, as far as the input shows.
[[nodiscard]] auto why_it_waits(const Answer& answer, const ReportContext& context) -> std::vector<std::string>;

}  // namespace previct
