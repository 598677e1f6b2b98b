#include "tell/kueue/cycles.h"

#include "base/text.h"
#include "engine/kueue/subject.h"
#include "report/rows.h"
#include "tell/cause_counts.h"
#include "tell/kueue/explain.h"
#include "tell/kueue/messages.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>
#include <span>

namespace previct::kueue {
namespace {

constexpr std::size_t kNamed = 3;
constexpr std::size_t kWorkloadsShown = 60;

class CycleTeller {
 public:
  CycleTeller(const std::shared_ptr<const Inventory>& inventory, const Play& play,
              const std::map<WorkloadId, Gap>& doubts)
      : inventory_(*inventory), play_(play), doubts_(doubts) {
    for (const CycleFacts& facts : play.cycles) {
      for (const Entry& entry : facts.entries) tried_.insert(entry.workload);
      for (const Entry& entry : facts.refused) tried_.insert(entry.workload);
    }
    Future now(*inventory, play.start, kAsRead);
    for (const auto& [id, why] : play.kept_out) {
      if (doubts.contains(id) || tried_.contains(id)) continue;
      not_tried_.push_back({id, why, kueue::sentence(*account_of(inventory, now, id, 0, Depth::brief))});
    }
  }

  auto all() -> CyclesReport {
    CyclesReport told;
    told.thrashes = play_.loop.has_value();
    told.sentence = sentence() + open();
    Table cycles = table();
    if (!cycles.rows.empty()) told.blocks.emplace_back(std::move(cycles));
    if (Table lost = losses(); !lost.rows.empty()) told.blocks.emplace_back(std::move(lost));
    if (!not_tried_.empty() && !names_not_tried()) told.blocks.emplace_back(not_tried());
    Table ends = changes();
    if (!ends.rows.empty()) told.blocks.emplace_back(std::move(ends));
    told.json = json();
    return told;
  }

 private:
  [[nodiscard]] auto key(WorkloadId id) const -> const std::string& { return inventory_.workloads()[id].key; }
  [[nodiscard]] auto names(const std::vector<WorkloadId>& ids) const -> std::string {
    std::vector<std::string> keys;
    for (const WorkloadId id : ids) keys.push_back(key(id));
    std::sort(keys.begin(), keys.end());
    return joined_up_to(kNamed, std::move(keys));
  }

  [[nodiscard]] auto sentence() const -> std::string {
    const bool unknown = nothing_is_known();
    if (!unknown) return result(false);
    CauseCounts because;
    for (const auto& [id, phase] : play_.before) {
      if (takes_part(id, phase)) because.add(doubts_.at(id));
    }
    const std::string about = counted(waited(), "pending workload", "pending workloads");
    const std::string why = because.is_one() ? ", because " + because.words() : fmt::format(" ({})", because.words());
    const std::string words = fmt::format("Cannot tell about {}{}.", about, why);
    return play_.cycles.empty() ? words : fmt::format("{} Apart from that, {}", words, result(true));
  }

  // Returns true if a workload that starts in this phase waits for quota, or for it again once it has lost it.
  [[nodiscard]] auto takes_part(WorkloadId id, Phase phase) const -> bool {
    return !holds_quota(phase) || phase == Phase::evicting || (phase == Phase::reserved && tried_.contains(id));
  }

  [[nodiscard]] auto waited() const -> std::size_t {
    return static_cast<std::size_t>(std::count_if(play_.before.begin(), play_.before.end(), [&](const auto& each) {
      return takes_part(each.first, each.second);
    }));
  }

  // `all`: counts also the workloads for which the cycles depend on something unknown.
  [[nodiscard]] auto result(bool all) const -> std::string {
    if (play_.loop) {
      std::vector<WorkloadId> again;
      for (const auto& [id, times] : preemptions_in(play_, play_.loop->first)) again.push_back(id);
      return fmt::format("{} {} preempted repeatedly ({}): {} {} forever, from cycle {} on.",
                         counted(again.size(), "workload", "workloads"), again.size() == 1 ? "is" : "are", names(again),
                         counted(play_.loop->length, "cycle", "cycles"), play_.loop->length == 1 ? "repeats" : "repeat",
                         play_.loop->first + 1);
    }
    std::size_t admitted = 0;
    std::size_t reserved = 0;  // by the end, hold quota, but wait for their admission checks
    std::size_t waiting = 0;
    std::size_t deactivated = 0;
    std::size_t deleted = 0;
    for (std::size_t i = 0; i < play_.after.size(); ++i) {
      const auto [id, phase] = play_.after[i];
      if (!all && doubts_.contains(id)) continue;
      const bool holds = holds_quota(phase);
      const bool is_off = std::find(play_.deactivated.begin(), play_.deactivated.end(), id) != play_.deactivated.end();
      if (!holds) ++(phase == Phase::deleted ? deleted : is_off ? deactivated : waiting);
      if (holds && takes_part(id, play_.before[i].second)) ++(phase == Phase::reserved ? reserved : admitted);
    }
    std::size_t preempted = 0;
    for (const auto& [id, times] : preemptions_in(play_)) preempted += times;
    const std::size_t waited = this->waited();
    if (play_.cycles.empty() && not_tried_.empty() && waited == 0)
      return "No workload is pending: nothing to simulate.";
    if (play_.cycles.empty()) {
      return names_not_tried()
                 ? fmt::format("No workload can be tried: {} {}.", key(not_tried_.front().workload),
                               not_tried_.front().words)
                 : fmt::format("No workload can be tried; {}.", counted(not_tried_.size(), "waits", "wait"));
    }
    const bool all_reserved = reserved > 0 && admitted == 0;
    const std::size_t takes = all_reserved ? reserved : admitted;
    const bool one = takes == 1 || waited == 1;
    std::string words =
        fmt::format("{} of {} {} in {}", takes, counted(waited, "pending workload", "pending workloads"),
                    all_reserved ? (one ? "gets quota" : "get quota") : (one ? "is admitted" : "are admitted"),
                    counted(play_.cycles.size(), "cycle", "cycles"));
    if (const Instant last = play_.cycles.back().at; last != play_.start)
      words += fmt::format(", the last at {}", format_moment(last, play_.start));
    words += fmt::format(", with {}", counted(preempted, "preemption", "preemptions"));
    if (!all_reserved && reserved > 0) {
      words += fmt::format("; {} quota, and {} admitted when the admission checks are ready",
                           counted(reserved, "more gets", "more get"), reserved == 1 ? "is" : "are");
    } else if (reserved > 0) {
      words += fmt::format("; {} admitted when the admission checks are ready", reserved == 1 ? "it is" : "they are");
    }
    if (deactivated > 0) words += fmt::format("; {} deactivated", counted(deactivated, "workload is", "workloads are"));
    if (deleted > 0)
      words += fmt::format("; {} deleted with {} pods", counted(deleted, "workload is", "workloads are"),
                           deleted == 1 ? "its" : "their");
    words += fmt::format("; {} pending at the end", counted(waiting, "workload is", "workloads are"));
    if (play_.cut) words += fmt::format("; more happens after the {} simulated cycles", play_.cycles.size());
    return words + ".";
  }

  // Returns true if the sentence says of all workloads that are not tried why.
  [[nodiscard]] auto names_not_tried() const -> bool {
    return play_.cycles.empty() && not_tried_.size() == 1 && doubts_.empty();
  }
  [[nodiscard]] auto not_tried() const -> Table {
    const std::size_t shown = std::min(not_tried_.size(), kWorkloadsShown);
    Table table = table_of(std::span(not_tried_).first(shown), [&](Row& row, const NotTried& each) {
      row.text("NOT TRIED", key(each.workload));
      row.text("WHY", each.words);
    });
    if (shown < not_tried_.size())
      table.footer.push_back({{{fmt::format("+ {} more (-o json has all)", not_tried_.size() - shown)}}});
    return table;
  }

  // Returns true if it is not known of any pending workload what becomes of it.
  [[nodiscard]] auto nothing_is_known() const -> bool {
    if (doubts_.empty() || waited() == 0) return false;
    return std::all_of(play_.before.begin(), play_.before.end(), [&](const auto& before) {
      return !takes_part(before.first, before.second) || doubts_.contains(before.first);
    });
  }

  // The workloads for which the cycles depend on something unknown; empty: there are none, or the sentence says so.
  [[nodiscard]] auto open() const -> std::string {
    if (doubts_.empty() || nothing_is_known()) return "";
    std::vector<WorkloadId> ids;
    for (const auto& [id, gap] : doubts_) ids.push_back(id);
    return fmt::format(" For {} ({}), previct cannot tell.", counted(ids.size(), "workload", "workloads"), names(ids));
  }

  [[nodiscard]] auto flavors(const Entry& entry) const -> std::string {
    std::set<std::string> names;
    for (const AssignedPodSet& set : entry.assignment.sets) {
      for (const ChosenFlavor& each : set.flavors) names.insert(std::string(inventory_.text(each.flavor)));
    }
    return names.empty() || entry.mode == Mode::no_fit ? "-" : fmt::format("{}", fmt::join(names, ", "));
  }

  [[nodiscard]] auto table() const -> Table {
    std::vector<Tried> tried = all_tried();
    const std::size_t more = tried.size() - std::min(tried.size(), kWorkloadsShown);
    tried.resize(tried.size() - more);
    Table table = table_of(tried, std::bind_front(&CycleTeller::entry_row, this));
    if (more > 0) table.footer.push_back({{{fmt::format("+ {} more (-o json has all)", more)}}});
    return table;
  }

  using Tried = std::pair<std::size_t, const Entry*>;  // in a cycle

  [[nodiscard]] auto all_tried() const -> std::vector<Tried> {
    std::vector<Tried> tried;
    for (std::size_t i = 0; i < play_.cycles.size(); ++i) {
      for (const std::vector<Entry>* list : {&play_.cycles[i].refused, &play_.cycles[i].entries}) {
        for (const Entry& entry : *list) tried.emplace_back(i, &entry);
      }
    }
    return tried;
  }

  [[nodiscard]] auto losses() const -> Table {
    const std::span shown = std::span(play_.losses).first(std::min(play_.losses.size(), kWorkloadsShown));
    Table table = table_of(shown, std::bind_front(&CycleTeller::loss_row, this));
    if (shown.size() < play_.losses.size())
      table.footer.push_back({{{fmt::format("+ {} more (-o json has all)", play_.losses.size() - shown.size())}}});
    return table;
  }

  void loss_row(Row& row, const Play::Loss& loss) const {
    row.text("LOSES QUOTA", key(loss.workload)).key("workload");
    row.text("AT", format_clock(loss.at, play_.start)).key("at", format_instant(loss.at));
    row.text("WHY", loss_words(loss.reason)).key("why");
    row.text("THEN", goes_with_its_pods(inventory_, loss.workload) ? "is deleted"
                     : deactivates(loss.reason)                    ? "is deactivated"
                                                                   : "is queued again")
        .key("then");
  }

  static auto loss_words(LossReason reason) -> std::string_view {
    switch (reason) {
      case LossReason::pods_not_ready: return "its pods are not ready in time (waitForPodsReady)";
      case LossReason::requeuing_limit:
        return "its pods are not ready in time, more often than backoffLimitCount of waitForPodsReady allows";
      case LossReason::execution_time: return "its maximumExecutionTimeSeconds end";
      case LossReason::check_retried: return "an admission check requests a retry";
      case LossReason::check_rejected: return "an admission check rejects it";
      case LossReason::local_queue_drained:
      case LossReason::cluster_queue_drained: return "its queue is stopped (stopPolicy HoldAndDrain)";
      case LossReason::none:
      case LossReason::deactivation_target: break;
    }
    return "";
  }

  // When a cycle runs, if that is later than now.
  [[nodiscard]] auto clock_of(const CycleFacts& facts) const -> std::string {
    return facts.at == play_.start ? "-" : format_clock(facts.at, play_.start);
  }

  void entry_row(Row& row, const Tried& tried) const {
    const Entry& entry = *tried.second;
    const bool evicts = entry.outcome == EntryOutcome::preempting;
    std::vector<WorkloadId> victims;
    Json targets;
    for (const Target& each : entry.targets) {
      victims.push_back(each.workload);
      targets.push_back({{"workload", key(each.workload)}, {"reason", reason_name(each.reason)}});
    }
    row.number("CYCLE", tried.first + 1);
    if (play_.cycles.back().at != play_.start) row.text("AT", clock_of(play_.cycles[tried.first]));
    row.text("WORKLOAD", key(entry.workload)).key("workload");
    row.text("CLUSTERQUEUE", inventory_.queues()[entry.queue].name).key("clusterQueue");
    row.number("PRIORITY", inventory_.workloads()[entry.workload].priority()).optional();
    row.text("OUTCOME", {outcome_name(entry.outcome), evicts ? Tone::danger : Tone::plain}).key("outcome");
    row.text("FLAVOR", flavors(entry)).optional();
    row.text("VICTIMS", victims.empty() || !evicts ? "-" : names(victims)).key("targets", std::move(targets));
  }

  [[nodiscard]] auto changes() const -> Table {
    const auto times = preemptions_in(play_);
    const auto often = [&](WorkloadId of) -> std::size_t {
      const auto found = std::find_if(times.begin(), times.end(), [&](const auto& each) { return each.first == of; });
      return found == times.end() ? 0 : found->second;
    };
    std::vector<std::size_t> changed;
    for (std::size_t i = 0; i < play_.after.size(); ++i) {
      const auto [id, before] = play_.before[i];
      if (before != play_.after[i].second || often(id) > 0) changed.push_back(i);
    }
    return table_of(changed, [&](Row& row, std::size_t i) {
      const auto [id, before] = play_.before[i];
      row.text("WORKLOAD", key(id));
      row.text("NOW", phase_name(before));
      row.text("AT THE END", phase_name(play_.after[i].second));
      row.number("PREEMPTED", often(id) == 0 ? Cell("-") : Cell(often(id)));
    });
  }

  [[nodiscard]] auto json() const -> Json {
    Json json{{"cycles", Json::array()}};
    for (const CycleFacts& facts : play_.cycles) {
      Json cycle{{"entries", Json::array()}};
      if (facts.at != play_.start) cycle["at"] = format_instant(facts.at);
      for (const std::vector<Entry>* list : {&facts.refused, &facts.entries}) {
        for (const Entry& entry : *list)
          cycle["entries"].push_back(object_of(Tried(0, &entry), std::bind_front(&CycleTeller::entry_row, this)));
      }
      for (const WorkloadId id : facts.gone) cycle["gone"].push_back(key(id));
      json["cycles"].push_back(std::move(cycle));
    }
    for (const Play::Loss& each : play_.losses)
      json["losses"].push_back(object_of(each, std::bind_front(&CycleTeller::loss_row, this)));
    if (play_.loop) json["loop"] = {{"first", play_.loop->first + 1}, {"length", play_.loop->length}};
    if (play_.cut) json["cut"] = true;
    for (const auto& [id, gap] : doubts_) json["unknown"].push_back(key(id));
    for (const NotTried& each : not_tried_) json["notTried"][key(each.workload)] = not_queued_name(each.why);
    for (std::size_t i = 0; i < play_.after.size(); ++i) {
      if (play_.before[i].second != play_.after[i].second)
        json["final"][key(play_.after[i].first)] = phase_name(play_.after[i].second);
    }
    return json;
  }

  const Inventory& inventory_;
  const Play& play_;
  const std::map<WorkloadId, Gap>& doubts_;
  std::set<WorkloadId> tried_;  ///< in any cycle
  /// A pending workload that no cycle tries.
  struct NotTried {
    WorkloadId workload;
    NotQueued why;
    std::string words;
  };
  std::vector<NotTried> not_tried_;
};

}  // namespace

auto tell_cycles(const std::shared_ptr<const Inventory>& inventory, const Play& play, const Doubts& doubts)
    -> CyclesReport {
  return CycleTeller(inventory, play, doubts.workloads).all();
}

}  // namespace previct::kueue
