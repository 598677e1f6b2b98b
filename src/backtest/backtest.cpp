#include "backtest/backtest.h"

#include "analysis/lost_work.h"
#include "base/add_once.h"
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <tuple>

namespace previct::backtest {
namespace {

constexpr auto at(Side side) -> std::size_t {
  return static_cast<std::size_t>(side);
}

auto lets_in(const Choice& choice) -> bool {
  return choice.outcome == "fits" || choice.outcome == "preempts" || choice.outcome == "waits";
}

// Outcomes of which what happens next shows nothing.
auto is_open(const Choice& choice) -> bool {
  return choice.outcome.empty() || choice.outcome == "unknown" || choice.outcome == "error" ||
         choice.outcome == "deleting" || choice.outcome == "scheduled";
}

auto words_of(const Choice& choice) -> std::string {
  if (choice.victims.empty()) return choice.outcome;
  const std::string node = choice.tied.empty() ? choice.node : joined(choice.tied, " or ");
  return fmt::format("{} {}{}{}", choice.outcome, joined(choice.victims, ", "), node.empty() ? "" : " on ", node);
}

auto words_of(const Fate& fate) -> std::string {
  return fate.node.empty() ? fate.became : fmt::format("{} on {}", fate.became, fate.node);
}

/// What the next state shows against a decision to evict pods for one that got in; empty: nothing. Which node a pod
/// gets without evictions is not compared: pods that come in between decide it, too.
auto contradiction(const StateRecord& decided, const Choice& choice, const StateRecord& next, const Fate& fate)
    -> std::string {
  if (choice.outcome != "preempts" || fate.node.empty()) return {};
  const bool there = choice.node.empty() || choice.node == fate.node ||
                     std::find(choice.tied.begin(), choice.tied.end(), fate.node) != choice.tied.end();
  if (!there) return words_of(fate);
  std::vector<std::string> still;
  bool any_left = false;
  for (const std::string& victim : choice.victims) {
    if (!decided.victims.contains(victim)) continue;  // no pod
    const bool left = next.left.contains(victim);
    any_left = any_left || left;
    if (!left) still.push_back(victim);
  }
  for (const Symbol pod : choice.possible)
    any_left = any_left || next.left.contains(std::string(decided.names->text(pod)));
  const bool several = !choice.possible.empty() || !choice.tied.empty();
  if (still.empty() || (several && any_left)) return {};
  return fmt::format("{}, and {} still {}", words_of(fate), joined(still, ", "), still.size() == 1 ? "runs" : "run");
}

class Joining {
 public:
  explicit Joining(const std::vector<StateRecord>& records) : records_(records) {}

  auto run() -> Backtest {
    result_.change = records_.front().change;
    for (const StateRecord& record : records_) {
      if (record.damage.empty()) {
        add(record);
        continue;
      }
      result_.left_out.push_back(record.damage);
      result_.complete = false;
      earlier_ = nullptr;
    }
    for (auto& [id, wait] : waits_) result_.waits.push_back(std::move(wait));
    std::sort(result_.waits.begin(), result_.waits.end(),
              [](const Wait& a, const Wait& b) { return std::tie(a.since, a.pod) < std::tie(b.since, b.pod); });
    for (auto& [key, toll] : tolls_) {
      if (const auto runs = finished_.find(key); runs != finished_.end()) toll.runs_finished = runs->second;
      result_.tolls.push_back(std::move(toll));
    }
    std::stable_sort(result_.tolls.begin(), result_.tolls.end(), [](const Toll& a, const Toll& b) {
      return a.evictions[0] + a.evictions[1] > b.evictions[0] + b.evictions[1];
    });
    measure_distances();
    return std::move(result_);
  }

 private:
  void add(const StateRecord& record) {
    for (const std::string& each : record.rules) add_once(result_.rules, each);
    for (const std::string& each : record.gaps) add_once(result_.gaps, each);
    result_.complete = result_.complete && record.complete;
    compare_with_fates(record);
    moment_ = &result_.moments.emplace_back(Moment{.at = record.at, .pending = record.pending.size()});
    for (const Pending& pod : record.past) compare_with_preemption(pod, record);
    for (const Pending& pod : record.past) add(pod, record, true);
    for (const FinishedRun& run : record.finished) add(run);
    for (const Pending& pod : record.pending) add(pod, record, false);
    for (const Preempted& each : record.preempted) add(each);
    earlier_ = &record;
  }

  // A pod that has preempted others may do so again, before it gets its node: if that happened, it counts.
  void add(const Pending& pod, const StateRecord& record, bool preempted) {
    Wait& wait = waits_
                     .try_emplace(pod.id, Wait{.pod = pod.pod,
                                               .workload = pod.workload,
                                               .priority_class = pod.priority_class,
                                               .priority = pod.priority,
                                               .since = std::min(pod.since, pod.at),
                                               .last = pod.at})
                     .first->second;
    wait.last = pod.at;
    for (const Side side : kSides) {
      const Choice& choice = pod.choices[at(side)];
      if (choice.outcome == "unknown" || choice.outcome == "error") ++result_.undecided;
      if (side == Side::before) named_.insert(choice.victims.begin(), choice.victims.end());
      if (side == Side::before) add_named(choice.possible, *record.names);
      if (!lets_in(choice) || (wait.gets[at(side)] && !preempted)) continue;
      if (!wait.gets[at(side)]) wait.gets[at(side)] = pod.at;
      if (!choice.possible.empty()) ++result_.open;
      evict(choice, side, record, pod.at, wait);
    }
  }

  void add_named(const std::vector<Symbol>& pods, const Symbols& names) {
    for (const Symbol pod : pods) {
      const std::string_view name = names.text(pod);
      if (!named_.contains(name)) named_.emplace(name);
    }
  }

  void evict(const Choice& choice, Side side, const StateRecord& record, Instant when, Wait& wait) {
    std::size_t victims = 0;
    for (const std::string& victim : choice.victims) {
      const auto found = record.victims.find(victim);
      const VictimFacts facts =
          found == record.victims.end() ? VictimFacts{.id = victim, .workload = victim} : found->second;
      if (!evicted_[at(side)].insert(facts.id).second) {
        ++result_.chosen_again[at(side)];
        continue;
      }
      ++victims;
      wait.evicts[at(side)].push_back(victim);
      ++moment_->evictions[at(side)];
      Toll& toll = tolls_[{facts.workload, facts.priority_class}];
      toll.workload = facts.workload;
      toll.priority_class = facts.priority_class;
      ++toll.evictions[at(side)];
      toll.cpu_hours[at(side)] += rounded_hours(facts.cpus * facts.hours(when));
      toll.device_hours[at(side)] += rounded_hours(facts.devices * facts.hours(when));
      if (!facts.start) ++toll.start_unknown;
      note_recurrence(facts, side, when, toll);
      note_epochs(facts, side, when, toll);
    }
    // A victim that was evicted before is evicted for nothing more.
    result_.budgets[at(side)] += std::min(static_cast<std::size_t>(std::max(0, choice.pdb_violations)), victims);
  }

  // Decisions are in the order of time, apart from those between two states.
  void note_recurrence(const VictimFacts& facts, Side side, Instant moment, Toll& toll) {
    // A pod's start has whole seconds, and it may be recreated in the second of the eviction.
    const Instant when{moment.seconds, 0};
    std::map<Instant, std::size_t>& in_a_row = in_a_row_[at(side)][facts.workload];
    std::size_t length = 1;
    if (facts.start) {
      const auto later = in_a_row.upper_bound(*facts.start);
      if (later != in_a_row.begin()) length += std::prev(later)->second;
    }
    if (length > 1) ++toll.again[at(side)];
    toll.in_a_row[at(side)] = std::max(toll.in_a_row[at(side)], length);
    // Up to each moment, the most evictions in a row.
    const auto later = in_a_row.upper_bound(when);
    const std::size_t most = later == in_a_row.begin() ? length : std::max(length, std::prev(later)->second);
    std::size_t& here = in_a_row[when];
    here = std::max(here, most);
  }

  static void note_epochs(const VictimFacts& facts, Side side, Instant when, Toll& toll) {
    if (facts.epoch == 0 || !facts.start) return;
    toll.has_epoch = true;
    const std::int64_t finished = facts.ran(when) / facts.epoch;
    toll.epochs_finished[at(side)] += static_cast<std::size_t>(finished);
    if (finished == 0) ++toll.before_first[at(side)];
    if (facts.ran(when) % facts.epoch != 0) ++toll.epochs_lost[at(side)];
  }

  void add(const FinishedRun& run) {
    ++result_.finished;
    for (const Side side : kSides) {
      if (evicted_[at(side)].contains(run.id)) {
        ++result_.runs_cut[at(side)];
      } else {
        ++finished_[{run.workload, run.priority_class}][at(side)];
      }
    }
  }

  void add(const Preempted& trace) {
    if (!shown_.insert(trace.id).second) return;
    // The first state shows preemptions of before the series, about which nothing was decided.
    if (earlier_ == nullptr) return;
    ++result_.happened;
    ++moment_->happened;
    if (named_.contains(trace.pod)) ++result_.expected;
  }

  // A pod that preempted others should do so by the rules, and evict at least one of those.
  void compare_with_preemption(const Pending& pod, const StateRecord& record) {
    const Choice& choice = pod.choices[at(Side::before)];
    if (is_open(choice)) {
      ++result_.unseen;
      return;
    }
    std::vector<std::string> evicted;
    bool named = false;
    for (const Preempted& each : record.preempted) {
      if (each.by != pod.pod) continue;
      evicted.push_back(each.pod);
      const auto is_it = [&](Symbol other) { return record.names->text(other) == each.pod; };
      named = named || std::find(choice.victims.begin(), choice.victims.end(), each.pod) != choice.victims.end() ||
              std::any_of(choice.possible.begin(), choice.possible.end(), is_it);
    }
    if (choice.outcome == "preempts" && (named || evicted.empty())) {
      ++result_.agree;
    } else {
      result_.differ.push_back({pod.at, pod.pod, words_of(choice),
                                fmt::format("preempted {}", evicted.empty() ? "others" : joined(evicted, ", "))});
    }
  }

  void compare_with_fates(const StateRecord& record) {
    if (earlier_ == nullptr) return;
    std::map<std::string, const Fate*> fates;
    for (const Fate& each : record.fates) fates.emplace(each.pod, &each);
    for (const Pending& pod : earlier_->pending) {
      const Choice& choice = pod.choices[at(Side::before)];
      const auto found = fates.find(pod.pod);
      if (is_open(choice) || found == fates.end() || found->second->became == "gone") continue;
      const Fate& fate = *found->second;
      const bool got_in = fate.became != "pending";
      const std::string against =
          lets_in(choice) != got_in ? words_of(fate) : contradiction(*earlier_, choice, record, fate);
      if (against.empty()) {
        ++result_.agree;
      } else {
        result_.differ.push_back({earlier_->at, pod.pod, words_of(choice), against});
      }
    }
  }

  void measure_distances() {
    std::vector<std::int64_t> distances;
    for (std::size_t i = 1; i < result_.moments.size(); ++i)
      distances.push_back(seconds_between(result_.moments[i - 1].at, result_.moments[i].at));
    if (distances.empty()) return;
    std::sort(distances.begin(), distances.end());
    constexpr std::int64_t kLong = 3;
    result_.usual_seconds = distances[distances.size() / 2];
    result_.longest_seconds = distances.back();
    result_.long_distances = static_cast<std::size_t>(std::count_if(
        distances.begin(), distances.end(), [&](std::int64_t each) { return each / kLong > result_.usual_seconds; }));
  }

  const std::vector<StateRecord>& records_;
  const StateRecord* earlier_ = nullptr;
  Moment* moment_ = nullptr;
  Backtest result_;
  std::map<std::string, Wait> waits_;  // by UID
  std::map<std::pair<std::string, std::string>, Toll> tolls_;
  std::map<std::pair<std::string, std::string>, BySide<std::size_t>> finished_;
  BySide<std::map<std::string, std::map<Instant, std::size_t>>> in_a_row_;  // by workload, at each eviction
  BySide<std::set<std::string>> evicted_;                                   // UIDs
  std::set<std::string, std::less<>> named_;  // pods that the rules as they were would have evicted, in some state
  std::set<std::string> shown_;               // UIDs of pods whose preemption a state has shown
};

// Fails unless the records are the states 0 … of-1 of one series, with one change.
auto check(const std::vector<StateRecord>& records) -> Result<void> {
  if (records.empty()) return fail("no state to report on");
  for (std::size_t i = 0; i < records.size(); ++i) {
    const StateRecord& record = records[i];
    if (record.of != records.front().of) return fail("the parts are of different series");
    if (record.change != records.front().change) return fail("the parts are of different changes");
    if (record.epochs != records.front().epochs) return fail("the parts have different values of --epoch");
    if (record.index < i) return fail(fmt::format("state {} is in two parts", record.index + 1));
    if (record.index > i) return fail(fmt::format("state {} is in no part", i + 1));
  }
  if (records.size() != records.front().of) return fail(fmt::format("state {} is in no part", records.size() + 1));
  return {};
}

}  // namespace

auto Wait::seconds(Side side) const -> std::int64_t {
  return seconds_between(since, gets[at(side)].value_or(last));
}

auto Backtest::evictions(Side side) const -> std::size_t {
  std::size_t sum = 0;
  for (const Toll& toll : tolls) sum += toll.evictions[at(side)];
  return sum;
}

auto Backtest::evictions_at_most(Side side) const -> std::size_t {
  return evictions(side) + chosen_again[at(side)];
}

auto Backtest::evictions_at_worst() const -> BySide<std::size_t> {
  const bool again_costs_more = chosen_again[at(Side::after)] > chosen_again[at(Side::before)];
  if (again_costs_more) return {evictions_at_most(Side::before), evictions_at_most(Side::after)};
  return {evictions(Side::before), evictions(Side::after)};
}

auto Backtest::agreement() const -> std::optional<double> {
  const std::size_t all = agree + differ.size();
  if (all == 0) return {};
  return static_cast<double>(agree) / static_cast<double>(all);
}

auto join(std::vector<StateRecord> records) -> Result<Backtest> {
  std::stable_sort(records.begin(), records.end(),
                   [](const StateRecord& a, const StateRecord& b) { return a.index < b.index; });
  PREVICT_CHECK(check(records));
  const bool none = std::none_of(records.begin(), records.end(), [](const auto& each) { return each.damage.empty(); });
  if (none) return fail(records.front().damage);
  return Joining(records).run();
}

}  // namespace previct::backtest
