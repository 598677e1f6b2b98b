#include "sequence/lanes.h"

#include "base/text.h"
#include "sequence/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace previct::sequence {
namespace {

constexpr std::size_t kVictimLanes = 12;
constexpr std::size_t kPendingLanes = 24;

/// What a pod does from `from` on.
struct Phase {
  Time from = 0;
  std::string name;
  Tone tone = Tone::plain;
};

class Lanes {
 public:
  Lanes(const SimulationResult& play, const Snapshot& cluster) : play_(play), cluster_(cluster) {
    for (const End& end : play.ends) (end.after.empty() ? pending_ : made_).push_back(end.pod);
    for (const Step& step : play.steps) note(step);
  }

  [[nodiscard]] auto picture() const -> Picture {
    Picture out{"Which pods wait, terminate and start, and when", {}, {}};
    const auto name_folded = [&](const std::vector<PodId>& pods, std::size_t from) {
      for (std::size_t i = from; i < pods.size(); ++i) out.folded.push_back(play_.key(pods[i], cluster_));
    };
    for (std::size_t i = 0; i < std::min(pending_.size(), kPendingLanes); ++i)
      out.rows.push_back(pending_lane(pending_[i]));
    for (std::size_t i = 0; i < std::min(victims_.size(), kVictimLanes); ++i)
      out.rows.push_back(victim_lane(victims_[i]));
    for (std::size_t i = 0; i < std::min(made_.size(), kVictimLanes); ++i) out.rows.push_back(made_lane(made_[i]));
    name_folded(pending_, kPendingLanes);
    name_folded(victims_, kVictimLanes);
    name_folded(made_, kVictimLanes);
    if (!out.folded.empty()) out.folded_title = counted(out.folded.size(), "more pod", "more pods");
    out.marks = {{0, "+0s"}, {Picture::kScale, format_offset(play_.length)}};
    out.legend = {{Tone::plain, "pending, or running without interruption"},
                  {Tone::soon, "waits for its victims"},
                  {Tone::danger, "terminating"},
                  {Tone::safe, "has its node"}};
    return out;
  }

 private:
  void note(const Step& step) {
    const auto is_among = [&](const std::vector<PodId>& pods) {
      return std::find(pods.begin(), pods.end(), step.pod) != pods.end();
    };
    const bool has_a_lane = is_among(pending_) || is_among(made_) || is_among(victims_);
    std::vector<Phase>& phases = phases_[step.pod];
    const auto begins = [&](std::string name, Tone tone) { phases.push_back({step.at, std::move(name), tone}); };
    switch (step.what) {
      case EventKind::created:
      case EventKind::arrives: begins("pending", Tone::plain); break;
      case EventKind::preempts: begins("waits for its victims", Tone::soon); break;
      case EventKind::fails: begins("unschedulable", Tone::plain); break;
      case EventKind::takes: begins("binding", Tone::safe); break;
      case EventKind::bound: begins(step.node ? fmt::format("on {}", node(step.node)) : "bound", Tone::safe); break;
      case EventKind::deleting: begins("terminating", Tone::danger); break;
      case EventKind::finished:
      case EventKind::gone: begins("", Tone::dim); break;
      case EventKind::waits:
      case EventKind::held:
      case EventKind::released:
      case EventKind::requeued:
      case EventKind::nominated:
      case EventKind::cleared:
      case EventKind::marked:
      case EventKind::call_failed:
      case EventKind::refused:
      case EventKind::gives_up: break;
    }
    const bool leaves = step.what == EventKind::deleting || step.what == EventKind::gone;
    if (leaves && !has_a_lane) victims_.push_back(step.pod);
  }

  [[nodiscard]] auto node(NodeId id) const -> std::string_view { return cluster_.name(id); }

  [[nodiscard]] auto at(Time time) const -> std::uint32_t {
    const Time clamped = std::clamp<Time>(time, 0, play_.length);
    return static_cast<std::uint32_t>(static_cast<__int128>(clamped) * Picture::kScale / play_.length);
  }

  [[nodiscard]] auto lane(PodId pod, Phase first) const -> Picture::Row {
    Picture::Row row;
    row.label = play_.key(pod, cluster_);
    const auto found = phases_.find(pod);
    std::vector<Phase> phases;
    if (found != phases_.end()) phases = found->second;
    if (phases.empty() || phases.front().name != "pending") phases.insert(phases.begin(), std::move(first));
    for (std::size_t i = 0; i < phases.size(); ++i) {
      const Time end = i + 1 < phases.size() ? phases[i + 1].from : play_.length;
      if (phases[i].name.empty() || at(end) <= at(phases[i].from)) continue;
      row.parts.push_back({at(phases[i].from), at(end), phases[i].name,
                           fmt::format("from {}", format_offset(phases[i].from)), phases[i].tone});
    }
    return row;
  }

  [[nodiscard]] auto pending_lane(PodId pod) const -> Picture::Row { return lane(pod, {0, "pending", Tone::plain}); }
  [[nodiscard]] auto victim_lane(PodId pod) const -> Picture::Row {
    Picture::Row row = lane(pod, {0, "runs", Tone::plain});
    row.depth = 1;
    return row;
  }

  // Pods that a controller created and that still exist are below those that were evicted.
  [[nodiscard]] auto made_lane(PodId pod) const -> Picture::Row {
    Picture::Row row = pending_lane(pod);
    row.depth = 1;
    return row;
  }

  const SimulationResult& play_;
  const Snapshot& cluster_;
  std::vector<PodId> pending_;
  std::vector<PodId> made_;  // recreated pods that are not evicted themselves
  std::vector<PodId> victims_;
  std::map<PodId, std::vector<Phase>> phases_;
};

}  // namespace

auto lanes(const SimulationResult& play, const Snapshot& cluster) -> std::optional<Picture> {
  if (play.length <= 0 || play.ends.empty()) return {};
  return Lanes(play, cluster).picture();
}

}  // namespace previct::sequence
