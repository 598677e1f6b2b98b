#pragma once

#include "analysis/report_context.h"
#include "tell/answer.h"

#include <optional>
#include <string>
#include <vector>

namespace previct {

/// The first few nodes that get pods, before and after, with the devices that pods share there. Empty if there is
/// nothing to draw. The pictures use the pods' requests, which is what every scheduler counts; the answer does not
/// depend on them.
[[nodiscard]] auto node_pictures(const Answer& answer, const ReportContext& context) -> std::vector<Picture>;

/// Which pods tolerate the preemption of an answer, and until when; none if no toleration has a time.
[[nodiscard]] auto toleration_picture(const Answer& answer, const ReportContext& context) -> std::optional<Picture>;

/// Protections as bars from their start to their end, the first to end at the top, with a mark at the moment in
/// question. Protections that have ended are shown too; those without an end are listed below.
[[nodiscard]] auto toleration_picture(std::string title, std::vector<const ToleratingLine*> lines, Instant next_change,
                                      const ReportContext& context) -> Picture;

/// The scale of a picture: a period of time.
class TimeScale {
 public:
  TimeScale(Instant begin, Instant end, Instant now) : begin_(begin), end_(end), now_(now) {}

  /// A moment outside the period is placed at the nearer end.
  [[nodiscard]] auto position(Instant at) const -> std::uint32_t;
  [[nodiscard]] auto mark(Instant at, std::string_view what) const -> Picture::Mark;

 private:
  Instant begin_;
  Instant end_;
  Instant now_;
};

}  // namespace previct
