#pragma once

#include "analysis/report_context.h"
#include "tell/answer.h"

#include <optional>
#include <string>
#include <vector>

namespace previct {

/// The nodes that pods would go to, now and then, with the devices that pods share there; the first few. Empty where
/// there is nothing to draw. Drawn from the pods' own requests, which is what every scheduler counts; the answer itself
/// does not rest on them.
[[nodiscard]] auto node_pictures(const Answer& answer, const ReportContext& context) -> std::vector<Picture>;

/// Who tolerates the preemption that an answer is about, and until when; none if no time says so.
[[nodiscard]] auto toleration_picture(const Answer& answer, const ReportContext& context) -> std::optional<Picture>;

/// Protections as bars from their beginnings to their ends, the first to end at the top, with the moment asked
/// about as a mark. Those that have ended are shown, too; those without an end are named below.
[[nodiscard]] auto toleration_picture(std::string title, std::vector<const ToleratingLine*> lines, Instant next_change,
                                      const ReportContext& context) -> Picture;

/// A stretch of time as the scale of a picture.
class TimeScale {
 public:
  TimeScale(Instant begin, Instant end, Instant now) : begin_(begin), end_(end), now_(now) {}

  /// Moments outside stand at its ends.
  [[nodiscard]] auto position(Instant at) const -> std::uint32_t;
  [[nodiscard]] auto mark(Instant at, std::string_view what) const -> Picture::Mark;

 private:
  Instant begin_;
  Instant end_;
  Instant now_;
};

}  // namespace previct
