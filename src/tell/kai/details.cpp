#include "base/text.h"
#include "report/rows.h"
#include "tell/kai/devices.h"
#include "tell/kai/evidence.h"
#include "tell/kai/explain.h"
#include "tell/kai/queues.h"
#include "tell/kai/tolerations.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <span>

namespace previct::kai {
namespace {

constexpr std::size_t kShownGroups = 12;
class Details {
 public:
  Details(const Explained& e, const Fate& fate)
      : e_(e),
        cluster_info_(e.cluster_info()),
        fate_(fate),
        session_(e.decision.start()),
        standings_(standings_of(e)) {}

  auto blocks() -> std::vector<Block> {
    std::vector<Block> out;
    if (Table table = actions(); !table.rows.empty()) out.emplace_back(std::move(table));
    if (e_.group().queue) {
      if (Table table = with_full(e_.question.show_all, e_.question.keeps_full, [&](bool all) { return groups(all); });
          !table.rows.empty() || !table.footer.empty())
        out.emplace_back(std::move(table));
      const Queues shown = queues(e_.question.show_all);
      for (Picture& picture : queue_pictures(shown)) out.emplace_back(std::move(picture));
      if (Table table = with_full(e_.question.show_all, e_.question.keeps_full,
                                  [&](bool all) { return queue_table(all ? queues(true) : shown); });
          !table.rows.empty())
        out.emplace_back(std::move(table));
    }
    if (Table table = device_table(cluster_info_, shard_nodes()); !table.rows.empty())
      out.emplace_back(std::move(table));
    if (Paragraph notes = remarks(); !notes.lines.empty()) out.emplace_back(std::move(notes));
    return out;
  }

  auto placements() const -> std::vector<Placement> {
    std::vector<Placement> out;
    each_placed([&](TaskId task, ShardNodeId shard_node) {
      out.push_back({cluster_info_.task(task).pod, std::string(cluster_info_.shard_nodes()[shard_node].name)});
    });
    return out;
  }
  auto devices() const -> std::vector<SharedDevice> { return shared_devices(e_, shard_nodes()); }

 private:
  // ---- what each action did for the group
  auto actions() -> Table {
    std::vector<std::pair<Action, const Attempt*>> rows;
    for (const Attempt& attempt : e_.decision.cycle.attempts()) {
      if (attempt.group == e_.subject.group) rows.emplace_back(attempt.action, &attempt);
    }
    if (rows.empty()) return {};
    for (const Action action : {Action::allocate, Action::consolidation, Action::reclaim, Action::preempt}) {
      if (switched_off(e_.settings, action) == Rule::action_off) rows.emplace_back(action, nullptr);
    }
    Table table = table_of(rows, [](Row& row, const std::pair<Action, const Attempt*>& each) {
      const auto& [action, attempt] = each;
      const std::uint64_t scenarios = attempt == nullptr ? 0 : attempt->search().effort.scenarios;
      row.text("ACTION", action_name(action));
      row.text("RESULT", rule_sentence(attempt == nullptr ? Rule::action_off : attempt->rule));
      row.number("SCENARIOS", scenarios == 0 ? Cell("-") : Cell(scenarios));
      row.text("REFUSED", attempt == nullptr ? "-" : refused_words(*attempt)).optional();
    });
    table.only_in_full = true;
    return table;
  }

  static auto refused_words(const Attempt& attempt) -> std::string {
    const auto& counts = attempt.search().refused;
    std::vector<std::string> refused;
    for (std::size_t rule = 0; rule < counts.size(); ++rule) {
      if (counts[rule] > 0)
        refused.push_back(fmt::format("{}: {}", counts[rule], rule_sentence(static_cast<Rule>(rule))));
    }
    return refused.empty() ? "-" : joined(refused, "; ");
  }

  // ---- which groups can be victims, and why the others cannot
  auto groups(bool show_all) -> Table {
    if (moves()) return moved_groups(show_all);
    std::map<Rule, std::size_t> folded;
    std::vector<std::pair<GroupId, Standing>> rows;
    for (const auto& [id, standing] : *standings_) {
      if (weight(id, standing) < kOther || show_all) {
        rows.emplace_back(id, standing);
      } else {
        ++folded[standing.rule];
      }
    }
    std::stable_sort(rows.begin(), rows.end(), [&](const auto& a, const auto& b) {
      return weight(a.first, a.second) < weight(b.first, b.second);
    });
    const std::size_t shown = show_all ? rows.size() : std::min(rows.size(), kShownGroups);
    for (std::size_t i = shown; i < rows.size(); ++i) ++folded[rows[i].second.rule];
    Table table = table_of(std::span(rows).first(shown), std::bind_front(&Details::group_row, this));
    for (const auto& [rule, count] : folded) {
      table.footer.push_back(
          {{{fmt::format("+ {}: {}", counted(count, "group", "groups"), rule_sentence(rule)), Tone::dim}}});
    }
    return table;
  }

  [[nodiscard]] auto moves() const -> bool {
    return fate_.outcome == Outcome::preempts && fate_.action == Action::consolidation;
  }

  // Consolidation considers neither priorities nor min-runtimes.
  auto moved_groups(bool show_all) -> Table {
    std::vector<GroupId> moved;
    std::vector<GroupId> others;
    for (const auto& [id, standing] : *standings_) (is_victim(id) ? moved : others).push_back(id);
    const std::size_t shown = show_all ? moved.size() : std::min(moved.size(), kShownGroups);
    std::vector<GroupId> rows(moved.begin(), moved.begin() + static_cast<std::ptrdiff_t>(shown));
    if (show_all) rows.insert(rows.end(), others.begin(), others.end());
    Table table = table_of(rows, [&](Row& row, GroupId id) {
      const bool is_moved = is_victim(id);
      row.text("GROUP", cluster_info_.key(id), is_moved ? Tone::danger : Tone::plain);
      row.text("QUEUE", cluster_info_.group(id).queue_name);
      row.number("PRIORITY", cluster_info_.group(id).priority).optional();
      row.text("ACTION", action_name(Action::consolidation));
      row.text("RESULT", !is_moved ? "is not moved" : is_lost(id) ? "is evicted" : "is moved");
    });
    const auto fold = [&](std::size_t count, std::string_view what) {
      if (count == 0) return;
      table.footer.push_back({{{fmt::format("+ {} {}", counted(count, "group is", "groups are"), what), Tone::dim}}});
    };
    fold(moved.size() - shown, "moved");
    if (!show_all) fold(others.size(), "not moved");
    return table;
  }

  [[nodiscard]] auto is_lost(GroupId id) const -> bool {
    return std::any_of(fate_.evictions.begin(), fate_.evictions.end(), [&](const Eviction& each) {
      return cluster_info_.task(each.task).group == id && !e_.decision.cycle.moved_to(each.task);
    });
  }

  // Most relevant first: victims, then protected groups, then other candidates, also of a disabled action.
  static constexpr int kOther = 3;
  [[nodiscard]] auto weight(GroupId id, const Standing& standing) const -> int {
    if (is_victim(id)) return 0;
    if (standing.rule == Rule::min_runtime || standing.rule == Rule::candidate_elastic) return 1;
    return standing.rule == Rule::candidate || standing.rule == Rule::action_off ? 2 : kOther;
  }

  [[nodiscard]] auto is_victim(GroupId id) const -> bool {
    return std::any_of(fate_.evictions.begin(), fate_.evictions.end(),
                       [&](const Eviction& each) { return cluster_info_.task(each.task).group == id; });
  }

  void group_row(Row& row, const std::pair<GroupId, Standing>& each) {
    const auto& [id, standing] = each;
    const Group& group = cluster_info_.group(id);
    const bool evicted = is_victim(id);
    const Shield& shield = standing.shield;
    std::string until = shield.until ? until_words(e_, *shield.until) : "no start time";
    if (!e_.settings.plugins.min_runtime) until = "disabled";
    row.text("GROUP", cluster_info_.key(id), evicted ? Tone::danger : Tone::plain);
    row.text("QUEUE", group.queue_name);
    row.number("PRIORITY", group.priority).optional();
    row.text("ACTION", action_name(standing.action));
    row.text("RESULT", evicted ? "is evicted" : rule_sentence(standing.rule));
    row.text("MIN-RUNTIME", go_duration(shield.value.nanos)).optional();
    row.text("SET BY", path_words(cluster_info_, standing.action, shield.value, group.queue));
    row.number("STILL EVICTABLE", evictable_pods(session_, id)).optional();
    row.text("UNTIL", std::move(until), shield.now ? Tone::safe : Tone::plain);
  }

  // ---- the queues of the group and of its victims, with their ancestors
  auto queues(bool show_all) -> Queues {
    std::vector<QueueId> shown = cluster_info_.queue(e_.group().queue).path;
    for (const Eviction& each : fate_.evictions) {
      const QueueId of = cluster_info_.group(cluster_info_.task(each.task).group).queue;
      if (of) shown.insert(shown.end(), cluster_info_.queue(of).path.begin(), cluster_info_.queue(of).path.end());
    }
    for (const QueueId of : queues_of_others(show_all)) {
      shown.insert(shown.end(), cluster_info_.queue(of).path.begin(), cluster_info_.queue(of).path.end());
    }
    const auto place = [&](QueueId id) {
      std::vector<std::string_view> names;
      for (const QueueId above : cluster_info_.queue(id).path) names.push_back(cluster_info_.queue(above).name);
      return names;
    };
    std::sort(shown.begin(), shown.end(), [&](QueueId a, QueueId b) { return place(a) < place(b); });
    shown.erase(std::unique(shown.begin(), shown.end()), shown.end());
    Queues out = no_queues(e_.settings);
    const std::vector<std::size_t> resources = bounding(shown, show_all);
    if (resources.empty()) return out;
    for (const QueueId id : shown) {
      out.lines.push_back(queue_line(session_, e_.decision.cycle.shares(), id, resources));
    }
    return out;
  }

  // Returns the queues of groups that could lose pods to it, or that are protected from that; if there are none, of all
  // running groups. The largest first.
  [[nodiscard]] auto queues_of_others(bool show_all) const -> std::vector<QueueId> {
    constexpr std::size_t kShownQueues = 12;
    std::vector<QueueId> near;
    std::vector<QueueId> all;
    for (const auto& [id, standing] : *standings_) {
      const QueueId of = cluster_info_.group(id).queue;
      if (!of || cluster_info_.queue(of).looped) continue;
      all.push_back(of);
      if (weight(id, standing) < kOther) near.push_back(of);
    }
    std::vector<QueueId>& queues = near.empty() ? all : near;
    std::sort(queues.begin(), queues.end());
    queues.erase(std::unique(queues.begin(), queues.end()), queues.end());
    std::stable_sort(queues.begin(), queues.end(),
                     [&](QueueId a, QueueId b) { return session_.allocated(a)[kGpu] > session_.allocated(b)[kGpu]; });
    if (queues.size() > kShownQueues && !show_all) queues.resize(kShownQueues);
    return queues;
  }

  // Returns the resources that the group needs and for which some of the queues have bounds.
  [[nodiscard]] auto bounding(const std::vector<QueueId>& queues, bool show_all) -> std::vector<std::size_t> {
    const Share& need = need_of(session_, e_.subject.group).amount;
    std::vector<std::size_t> out;
    for (const std::size_t r : {kGpu, kCpu, kMemory}) {
      const bool some = std::any_of(queues.begin(), queues.end(), [&](QueueId id) {
        const TreeQueue& queue = cluster_info_.queue(id);
        return queue.deserved[r] != kUnlimited || queue.limit[r] != kUnlimited;
      });
      if (need[r] > 0 && (some || show_all)) out.push_back(r);
    }
    return out;
  }

  // ---- the nodes in the picture of shared GPUs: those of the group and of its victims
  [[nodiscard]] auto shard_nodes() const -> std::vector<ShardNodeId> {
    std::vector<ShardNodeId> out;
    for (const Eviction& each : fate_.evictions) {
      if (cluster_info_.task(each.task).shard_node) out.push_back(cluster_info_.task(each.task).shard_node);
    }
    each_placed([&](TaskId, ShardNodeId shard_node) { out.push_back(shard_node); });
    if (out.empty() && asks_for_parts()) {
      for (const ShardNodeId shard_node : cluster_info_.shard_nodes().ids()) out.push_back(shard_node);
    }
    return out;
  }

  [[nodiscard]] auto asks_for_parts() const -> bool {
    const Group& group = e_.group();
    for (std::uint32_t i = 0; i < group.sets; ++i) {
      for (const TaskId task : cluster_info_.tasks_of(group.set(i))) {
        if (cluster_info_.gpu(task).is_shared()) return true;
      }
    }
    return false;
  }

  template <class Visit>
  void each_placed(Visit visit) const {
    const Group& group = e_.group();
    for (std::uint32_t i = 0; i < group.sets; ++i) {
      for (const TaskId task : cluster_info_.tasks_of(group.set(i))) {
        if (cluster_info_.task(task).status != Status::pending) continue;
        const ShardNodeId allocated = e_.decision.cycle.allocated_to(task);
        const ShardNodeId shard_node = allocated ? allocated : e_.decision.cycle.pipelined_to(task);
        if (shard_node) visit(task, shard_node);
      }
    }
  }

  // ---- further remarks
  auto remarks() -> Paragraph {
    Paragraph notes;
    const auto say = [&](std::string text) { notes.lines.push_back({{{std::move(text)}}}); };
    if (e_.subject.assumed != nullptr) {
      say(
          fmt::format("the pod has no PodGroup yet; previct assumes the one that the default pod-grouper would create: "
                      "{} in queue {}, minMember {}",
                      cluster_info_.key(e_.subject.group), e_.group().queue_name, e_.subject.assumed->min_member));
    } else if (e_.subject.pod) {
      say(fmt::format("the pod belongs to group {}; the scheduler decides about groups",
                      cluster_info_.key(e_.subject.group)));
    }
    std::size_t told = 0;
    each_placed([&](TaskId task, ShardNodeId) {
      if (told == kShownGroups) return;
      const std::string gpus = planned_device_words(e_, task);
      if (gpus.empty()) return;
      say(fmt::format("{} gets {}", e_.cluster.key(cluster_info_.task(task).pod), gpus));
      ++told;
    });
    for (const Defect& defect : defects(e_, fate_)) {
      say(fmt::format("known defect of this release, at group {}: {}", cluster_info_.key(defect.group),
                      rule_sentence(defect.rule)));
    }
    if (fate_.action == Action::consolidation && moves_protected()) {
      say("consolidation ignores min-runtime: it moves groups that are protected from reclaim and preempt");
    }
    if (fate_.placement_depends_on_order && !e_.subject.pod)
      say("chance decides which of its pods runs on which of these nodes");
    if (fate_.for_rest > 0)
      say(fmt::format("in the same cycle, {} evicted for other pods of its group",
                      counted(fate_.for_rest, "pod is", "pods are")));
    if (const Range& others = fate_.for_others; others.is_open()) {
      say(fmt::format(
          "in the same cycle, {} to {} are evicted for other groups or as stale gangs; chance decides how many",
          others.least, counted(others.most, "pod", "pods")));
    } else if (others.most > 0) {
      say(fmt::format("in the same cycle, {} evicted for other groups or as stale gangs",
                      counted(others.most, "pod is", "pods are")));
    }
    elastic_by_accident(notes);
    return notes;
  }

  [[nodiscard]] auto moves_protected() const -> bool {
    return std::any_of(fate_.evictions.begin(), fate_.evictions.end(), [&](const Eviction& each) {
      Moment moment(e_.question.now);
      const GroupId victim = cluster_info_.task(each.task).group;
      const Action guard = cluster_info_.group(victim).queue == e_.group().queue ? Action::preempt : Action::reclaim;
      return shield_of(e_.decision.start(), guard, e_.group().queue, victim, moment).now;
    });
  }

  // Groups that are elastic, and lose or keep pods because of that, although all their running pods are needed.
  void elastic_by_accident(Paragraph& notes) {
    std::size_t said = 0;
    for (const auto& [id, standing] : *standings_) {
      const Group& group = cluster_info_.group(id);
      if (!group.elastic || said == kShownGroups) continue;
      if (standing.rule != Rule::candidate_elastic) continue;
      bool in_earnest = false;
      for (std::uint32_t i = 0; i < group.sets; ++i) {
        const std::int32_t min = cluster_info_.sets()[group.set(i)].min;
        in_earnest = in_earnest || (min > 0 && session_.counts(group.set(i)).allocated > min);
      }
      if (in_earnest) continue;
      ++said;
      notes.lines.push_back(
          {{{fmt::format("{} {}", cluster_info_.key(id), rule_sentence(Rule::defect_elastic_by_accident))}}});
    }
  }

  const Explained& e_;
  const ClusterInfo& cluster_info_;
  const Fate& fate_;
  Session& session_;  // the state before the cycle
  std::shared_ptr<const std::vector<GroupStanding>> standings_;
};

}  // namespace

void add_details(const Explained& explained, const Fate& fate, Answer& answer) {
  Details details(explained, fate);
  answer.details = details.blocks();
  answer.placements = details.placements();
  answer.devices = details.devices();
}

}  // namespace previct::kai
