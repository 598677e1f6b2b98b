#include "tell/kai/queues.h"

#include "base/text.h"
#include "engine/doubts.h"
#include "engine/kai/account.h"
#include "engine/kai/fairness/queue_reach.h"
#include "tell/kai/amounts.h"
#include "tell/kai/tolerations.h"
#include "tell/kai/undecided.h"

#include <fmt/format.h>

#include <algorithm>

namespace previct::kai {
// NOLINTBEGIN(misc-no-recursion): as deep as queues may be (kDeepest)
namespace {

auto bounded(double value, std::size_t resource) -> std::optional<Amount> {
  if (value == kUnlimited) return {};
  return Amount{value, amount_words(value, resource)};
}

class Telling {
 public:
  Telling(const Snapshot& cluster, const std::shared_ptr<Cycles>& cycles, const Question& question)
      : cluster_(cluster),
        cycles_(cycles),
        settings_(cycles->settings),
        question_(question),
        decision_(cycles->in_order(0)),
        cluster_info_(decision_.cluster_info),
        start_(cluster_info_) {}

  auto all() -> Queues {
    out_ = no_queues(settings_);
    find_resources();
    std::vector<QueueId> tops = cluster_info_.tree().tops();
    for (const QueueId top : by_name(std::move(tops))) add_line(top, 0);
    count_pods();
    std::vector<QueueId> leaves;
    for (const std::size_t leaf : out_.leaves) leaves.push_back(queues_[leaf]);
    const QueueOrder order(start_, decision_.cycle.shares());
    out_.reach = queue_reach(start_, order, leaves, question_.now);
    for (const auto& row : out_.reach) {
      for (const QueueReach& cell : row) {
        if (!cell.rule.empty()) out_.why.emplace(cell.rule, std::string(sentence_of(cell.rule)));
      }
    }
    ask();
    remark();
    return std::move(out_);
  }

 private:
  static auto sentence_of(std::string_view id) -> std::string_view { return rule_sentence(rule_of(id)); }

  [[nodiscard]] auto by_name(std::vector<QueueId> ids) const -> std::vector<QueueId> {
    std::sort(ids.begin(), ids.end(),
              [&](QueueId a, QueueId b) { return cluster_info_.queue(a).name < cluster_info_.queue(b).name; });
    return ids;
  }

  // Shows the resources for which some queue has bounds; GPUs if there are none.
  void find_resources() {
    for (const std::size_t r : kInOrder) {
      const auto& all = cluster_info_.tree().queues();
      if (std::any_of(all.begin(), all.end(), [&](const TreeQueue& queue) {
            return queue.deserved[r] > 0 || (queue.limit[r] != kUnlimited && queue.limit[r] > 0);
          }))
        resources_.push_back(r);
    }
    if (resources_.empty()) resources_.push_back(kGpu);
  }

  void add_line(QueueId id, std::uint32_t depth) {
    const TreeQueue& queue = cluster_info_.queue(id);
    if (queue.looped) return;
    QueueLine line = queue_line(start_, decision_.cycle.shares(), id, resources_);
    line.depth = depth;
    if (line.leaf) out_.leaves.push_back(out_.lines.size());
    line_of_[id] = out_.lines.size();
    queues_.push_back(id);
    out_.lines.push_back(std::move(line));
    for (const QueueId child : by_name(queue.children)) add_line(child, depth + 1);
  }

  void count_pods() {
    for (const Task& task : cluster_info_.tasks()) {
      const auto line = line_of_.find(cluster_info_.group(task.group).queue);
      if (line == line_of_.end()) continue;
      out_.queue_of.emplace(task.pod, line->second);
      if (kActiveAllocated.has(task.status)) ++out_.lines[line->second].running;
      if (task.status == Status::pending) ++out_.lines[line->second].pending;
    }
  }

  // Adds the outcomes of the pending groups: one cycle decides about all of them.
  void ask() {
    out_.asks.emplace();
    for (const GroupId id : cluster_info_.groups_by_name()) {
      const auto line = line_of_.find(cluster_info_.group(id).queue);
      if (!start_.has_pending(id) || line == line_of_.end() || !asked_about(id)) continue;
      const Explained e{cluster_, settings_, question_, decision_, Subject{id, {}, nullptr}};
      const Fate fate = fate_of(decision_, id);
      std::vector<Gap> unknown = with_input_gaps(fate.outcome, gaps(e));
      const NoCycle none = no_cycle(e, fate);
      if (none != NoCycle::none) out_.refused = no_cycle_words(e, none);
      const bool placed =
          fate.outcome == Outcome::fits || fate.outcome == Outcome::preempts || fate.outcome == Outcome::waits;
      bool open = deciding_gap(unknown) != nullptr || !unknown_config_maps(e).empty() || (placed && unknown_volumes(e));
      if (!open && none == NoCycle::none && !other_results(cycles_, e.subject, 1).empty()) {
        unknown.push_back({GapRule::kai_chance, {}, true});
        open = true;
      }
      add_gaps(unknown, out_.gaps);
      QueueAsk& ask = out_.asks->emplace_back();
      ask.who = cluster_info_.key(id);
      ask.queue = line->second;
      ask.pods = static_cast<std::size_t>(start_.indexed(id, Status::pending));
      ask.outcome = open ? Outcome::unknown : none != NoCycle::none ? Outcome::error : fate.outcome;
      if (open) continue;
      for (const Eviction& each : fate.evictions) ask.add_victim(cluster_info_.task(each.task).pod);
    }
    for (const Eviction& each : stale_evictions(decision_.cycle))
      out_.of_stale_gangs.push_back(cluster_info_.task(each.task).pod);
    add_gaps(settings_.gaps, out_.gaps);
  }

  // Adds what answers to single questions say of the input as a whole (Engine::decide).
  [[nodiscard]] auto with_input_gaps(Outcome outcome, std::vector<Gap> known) const -> std::vector<Gap> {
    Verdict verdict;
    verdict.outcome = outcome;
    verdict.gaps = std::move(known);
    add_input_gaps(cluster_, {}, verdict);
    return std::move(verdict.gaps);
  }

  [[nodiscard]] auto asked_about(GroupId id) const -> bool {
    return question_.ns.empty() || cluster_info_.group(id).ns == question_.ns;
  }

  void remark() {
    if (!settings_.plugins.min_runtime)
      out_.notes.emplace_back("the minruntime plugin is disabled, so no pod is protected");
    out_.notes.emplace_back("consolidation and stale gang eviction ignore min-runtime, queues and shares");
    std::vector<std::string> tied;
    for (const QueueId id : decision_.cycle.shares().tied) tied.emplace_back(cluster_info_.queue(id).name);
    if (!tied.empty()) {
      out_.notes.push_back(fmt::format(
          "fair shares of {}: chance decides which queue gets the last unit; one result is shown", joined(tied, ", ")));
    }
    std::size_t groupless = 0;
    for (const PodId pod : cluster_.pods().ids()) {
      const bool ours = cluster_.text(cluster_.pod(pod).spec.scheduler_name) == settings_.scheduler_name;
      groupless += ours && cluster_.pending(pod) && group_name_of(cluster_, pod).empty() ? 1U : 0U;
    }
    if (groupless > 0) out_.gaps.push_back({GapRule::kai_groupless, {std::to_string(groupless)}});
  }

  const Snapshot& cluster_;
  const std::shared_ptr<Cycles>& cycles_;
  const Settings& settings_;
  const Question& question_;
  const Decision& decision_;
  const ClusterInfo& cluster_info_;
  Session start_;
  Queues out_;
  std::vector<std::size_t> resources_;
  std::vector<QueueId> queues_;  // by line
  std::map<QueueId, std::size_t> line_of_;
};

}  // namespace

auto no_queues(const Settings& settings) -> Queues {
  Queues out;
  out.engine = "kai";
  out.behaves = behaves_words(settings);
  out.quota_word = "quota";
  out.limit_word = "limit";
  out.others_verb = "reclaim from";
  out.scheduler = "KAI Scheduler";
  out.asks_noun = "group";
  return out;
}

auto queue_line(const Session& start, const FairShares& shares, QueueId id, const std::vector<std::size_t>& resources)
    -> QueueLine {
  const TreeQueue& queue = start.cluster_info().queue(id);
  QueueLine line;
  line.name = queue.name;
  line.depth = static_cast<std::uint32_t>(queue.path.size()) - 1;
  line.leaf = queue.is_leaf();
  for (const std::size_t r : resources) {
    line.amounts.push_back({.resource = std::string(resource_word(r)),
                            .allocated = {start.allocated(id)[r], amount_words(start.allocated(id)[r], r)},
                            .requested = bounded(start.requested(id)[r], r),
                            .quota = bounded(queue.deserved[r], r),
                            .fair_share = bounded(shares.of[id][r], r),
                            .limit = bounded(queue.limit[r], r)});
  }
  return line;
}

auto queues(const Snapshot& cluster, const std::shared_ptr<Cycles>& cycles, const Question& question) -> Queues {
  return Telling(cluster, cycles, question).all();
}

// NOLINTEND(misc-no-recursion)
}  // namespace previct::kai
