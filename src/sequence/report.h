#pragma once

#include "analysis/report_context.h"
#include "sequence/settings.h"

namespace previct::sequence {

/// Formats a time of the simulation as an offset: `+0s`, `+4.605s`, `+5m0.002s`.
[[nodiscard]] auto format_offset(Time at) -> std::string;

[[nodiscard]] auto tone_of(End::Kind kind) -> Tone;

/// Reports the simulation as a timeline with the end of each pod, the other endings of its races, and the document
/// `kind: SequenceReport`. `show_all`: one row for each step; otherwise consecutive victims share one.
[[nodiscard]] auto sequence_report(const Sequence& sequence, const Settings& settings, const ReportContext& context)
    -> Report;

/// Drops the gap of the release that a simulation reports in its own words (GapRule::calls_in_cycle).
void leave_to_simulation(std::vector<Gap>& gaps);

/// Drops the gap that another release decides otherwise about a single pod: kube_sequence() simulates each release, and
/// compares what they end with.
void leave_releases_to_sequence(std::vector<Gap>& gaps);

/// What the model leaves out or assumes, as far as it matters to this simulation.
[[nodiscard]] auto gaps_of_play(const Snapshot& cluster, const Settings& settings, const SimulationResult& play,
                                bool kube) -> std::vector<Gap>;

}  // namespace previct::sequence
