#pragma once

#include "analysis/report_context.h"
#include "sequence/settings.h"

namespace previct::sequence {

/// A time of the play as an offset: `+0s`, `+4.605s`, `+5m0.002s`.
[[nodiscard]] auto format_offset(Time at) -> std::string;

[[nodiscard]] auto tone_of(End::Kind kind) -> Tone;

/// The play as a timeline with the end of each pod, the other endings of its races, and the document
/// `kind: SequenceReport`. `show_all`: one line a step; else victims in a row share one.
[[nodiscard]] auto sequence_report(const Sequence& sequence, const Settings& settings, const ReportContext& context)
    -> Report;

/// What the model leaves out or takes for granted, as far as it matters to this play.
[[nodiscard]] auto gaps_of_play(const Snapshot& cluster, const Settings& settings, const Play& play, bool kube)
    -> std::vector<Gap>;

}  // namespace previct::sequence
