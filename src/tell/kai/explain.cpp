#include "tell/kai/explain.h"

#include "base/contains.h"
#include "base/text.h"
#include "tell/kai/devices.h"
#include "tell/kai/evidence.h"
#include "tell/kai/pending.h"
#include "tell/kai/tolerations.h"
#include "tell/kai/undecided.h"
#include "tell/pod_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace previct::kai {
namespace {

constexpr std::size_t kShownNodes = 3;
constexpr std::size_t kMostTolerating = 200;  // pods listed as protected; the table of groups summarizes the rest

auto groups_of(const ClusterInfo& cluster_info, const std::vector<Eviction>& evictions) -> std::vector<GroupId> {
  std::vector<GroupId> groups;
  for (const Eviction& each : evictions) groups.push_back(cluster_info.task(each.task).group);
  std::sort(groups.begin(), groups.end());
  groups.erase(std::unique(groups.begin(), groups.end()), groups.end());
  return groups;
}

auto queue_words(const ClusterInfo& cluster_info, const std::vector<GroupId>& groups) -> std::string {
  std::vector<std::string> names;
  for (const GroupId group : groups) names.emplace_back(cluster_info.group(group).queue_name);
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  if (names.size() > kShownNodes) return fmt::format("{} queues", names.size());
  return fmt::format("queue{} {}", names.size() == 1 ? "" : "s", joined(names, ", "));
}

/// `2`, `2 to 5`.
auto range_words(const Range& range) -> std::string {
  return range.is_open() ? fmt::format("{} to {}", range.least, range.most) : fmt::format("{}", range.most);
}

// `g1, g2`; of a pod for which chance decides: `g1 or g2, depending on chance`
auto node_words(const Explained& e, const Fate& fate) -> std::string {
  if (!e.subject.pod || fate.nodes.size() < 2) return joined_up_to(kShownNodes, fate.nodes);
  if (fate.nodes.size() > kShownNodes) return fmt::format("one of {} nodes, depending on chance", fate.nodes.size());
  return fmt::format("{}, depending on chance", joined(fate.nodes, " or "));
}

// ` with 1 of its 3 pending pods`; empty if all of them get a node, or for a question about a pod.
auto part_words(const Explained& e, const Fate& fate) -> std::string {
  if (e.subject.pod || fate.placed == 0 || fate.placed >= fate.pending) return {};
  return fmt::format(" with {} of its {} pending pods", fate.placed, fate.pending);
}

auto preempts(const Explained& e, const Fate& fate) -> std::string {
  const std::vector<GroupId> groups = groups_of(e.cluster_info(), fate.evictions);
  const std::string pods = counted(fate.evictions.size(), "pod", "pods");
  const std::string whom = groups.size() == 1
                               ? fmt::format("{} of group {}", pods, e.cluster_info().key(groups.front()))
                               : fmt::format("{} of {} groups", pods, groups.size());
  const std::string where = fmt::format("and run{} on {}", part_words(e, fate), node_words(e, fate));
  if (fate.action == Action::consolidation) {
    std::string what = fmt::format("would move {} to other nodes {}", whom, where);
    const Range lost{fate.evictions.size() - fate.moved.most, fate.evictions.size() - fate.moved.least};
    if (lost.most == 0) return what;
    return fmt::format("{}; in the same cycle, {} of them {} evicted again for another group", what, range_words(lost),
                       lost.most == 1 ? "is" : "are");
  }
  const std::string of = queue_words(e.cluster_info(), groups);
  std::string what = fate.action == Action::reclaim ? fmt::format("would reclaim {} from {} {}", whom, of, where)
                                                    : fmt::format("would preempt {} in its {} {}", whom, of, where);
  if (fate.moved.most == 0) return what;
  const std::string who = fate.moved.least < fate.evictions.size() ? fmt::format("{} of them", range_words(fate.moved))
                          : fate.moved.most == 1                   ? "it"
                                                                   : "all of them";
  return fmt::format("{}; {} can run on another node", what, who);
}

// `its sub-group workers has 1 pod, and its minMember is 2`
auto set_not_ready(const Explained& e) -> std::string {
  for (std::uint32_t i = 0; i < e.group().sets; ++i) {
    const SetId id = e.group().set(i);
    const SetCounts& counts = e.decision.start().counts(id);
    const PodSet& set = e.cluster_info().sets()[id];
    if (counts.alive - counts.gated >= set.min) continue;
    const std::string pods = counted(static_cast<std::size_t>(counts.alive), "pod", "pods");
    const std::string gated = counts.gated == 0 ? ""
                                                : fmt::format(" ({} of them {} scheduling gates)", counts.gated,
                                                              counts.gated == 1 ? "has" : "have");
    return fmt::format("its sub-group {} has {}{}, and its minMember is {}", set.name, pods, gated, set.min);
  }
  return "fewer of its pods are without scheduling gates than its minimum requires";
}

// `it has 2 pods, and its minMember is 3`
auto not_ready(const Explained& e) -> std::string {
  const Group& group = e.group();
  if (group.sets != 1 || e.cluster_info().sets()[group.set(0)].name != "default") return set_not_ready(e);
  const SetCounts& counts = e.decision.start().counts(group.set(0));
  const std::int32_t min = e.cluster_info().sets()[group.set(0)].min;
  const std::string pods = counted(static_cast<std::size_t>(counts.alive), "pod", "pods");
  if (counts.gated == 0) return fmt::format("it has {}, and its minMember is {}", pods, min);
  return fmt::format("{} of its {} {} scheduling gates, and its minMember is {}", counts.gated, pods,
                     counts.gated == 1 ? "has" : "have", min);
}

// What the cycle does with the rest of gangs that are below their minimum, as its last action: `; in the same cycle, 3
// pods of the stale gang ml/b are evicted`.
auto stale_gangs(const Explained& e) -> std::string {
  if (e.question.brief) return {};  // a simulation does not evict them, and a row of a list names what concerns its pod
  const std::vector<Eviction> evictions = stale_evictions(e.decision.cycle);
  if (evictions.empty()) return {};
  const std::vector<GroupId> groups = groups_of(e.cluster_info(), evictions);
  const std::string whose = groups.size() == 1 ? fmt::format("the stale gang {}", e.cluster_info().key(groups.front()))
                                               : fmt::format("{} stale gangs", groups.size());
  return fmt::format("; in the same cycle, {} of {} {} evicted", counted(evictions.size(), "pod", "pods"), whose,
                     evictions.size() == 1 ? "is" : "are");
}

// The same for a subject that runs itself.
auto is_evicted(const Explained& e) -> std::string {
  const std::vector<Eviction> evictions = stale_evictions(e.decision.cycle);
  const bool own = std::any_of(evictions.begin(), evictions.end(), [&](const Eviction& each) {
    const Task& task = e.cluster_info().task(each.task);
    return e.subject.pod ? task.pod == e.subject.pod : task.group == e.subject.group;
  });
  return own ? fmt::format("; in the next cycle, it is {}", rule_sentence(Rule::victim_stale_gang)) : std::string();
}

// A pod with a BindRequest and no node yet is on its way to a node.
auto scheduled(const Explained& e) -> std::string {
  const auto is_bound_later = [&](TaskId task) {
    return e.cluster_info().task(task).status == Status::binding &&
           !e.cluster.pod(e.cluster_info().task(task).pod).spec.node_name;
  };
  const Group& group = e.group();
  std::vector<std::string> nodes;
  bool own = false;
  for (std::uint32_t i = 0; i < group.sets; ++i) {
    for (const TaskId task : e.cluster_info().tasks_of(group.set(i))) {
      if (!is_bound_later(task)) continue;
      const Task& of = e.cluster_info().task(task);
      const std::string node = of.shard_node ? std::string(e.cluster_info().shard_nodes()[of.shard_node].name)
                                             : std::string(e.cluster.text(of.lost_node));
      if (of.pod == e.subject.pod) {
        own = true;
        nodes = {node};
      } else if (!own) {
        nodes.push_back(node);
      }
    }
  }
  if (nodes.empty()) return "is already running: none of its pods is pending" + is_evicted(e);
  if (own) return fmt::format("is being bound to {} (BindRequest)", nodes.front());
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  return fmt::format("is already scheduled: pods of it are being bound to {} (BindRequest)",
                     joined_up_to(kShownNodes, nodes));
}

auto pending(const Explained& e, const NextChange* next) -> std::string {
  const Group& group = e.group();
  if (!group.queue) {
    return fmt::format("stays pending: its queue \"{}\"{} does not exist in this shard, so it is never scheduled",
                       group.queue_name,
                       e.subject.assumed != nullptr && group.queue_name == "default-queue"
                           ? ", that of pods without the label kai.scheduler/queue,"
                           : "");
  }
  if (!e.cluster_info().queue(group.queue).is_leaf()) {
    return fmt::format("stays pending: its queue {} has child queues, and only leaf queues are scheduled",
                       group.queue_name);
  }
  if (!is_ready(e.decision.start(), e.subject.group)) return "stays pending: " + not_ready(e);
  return pending_words(e, next);
}

// For a pod that gets no node while others of its group do: the last attempt of each action says why.
auto left_out(const Explained& e, const Fate& fate) -> std::string {
  std::vector<std::string> placed;
  for (std::uint32_t i = 0; i < e.group().sets; ++i) {
    for (const TaskId task : e.cluster_info().tasks_of(e.group().set(i))) {
      const bool has_place = e.decision.cycle.allocated_to(task) || e.decision.cycle.pipelined_to(task);
      if (e.cluster_info().task(task).status == Status::pending && has_place)
        placed.push_back(e.cluster.key(e.cluster_info().task(task).pod));
    }
  }
  std::map<Action, Rule> last;
  for (const Attempt& each : e.decision.cycle.attempts()) {
    if (each.group == e.subject.group) last.insert_or_assign(each.action, each.rule);
  }
  std::vector<std::string> why;
  for (const auto& [action, rule] : last) {
    if (rule != Rule::placed && rule != Rule::solved && rule != Rule::nothing_pending)
      why.push_back(fmt::format("{}: {}", action_name(action), rule_sentence(rule)));
  }
  return fmt::format("stays pending: only {} of the {} pending pods of its group {} a node in this cycle ({}){}{}",
                     fate.placed_of_group, fate.pending, fate.placed_of_group == 1 ? "gets" : "get",
                     joined_up_to(kShownNodes, placed), why.empty() ? "" : "; ", joined(why, "; "));
}

// KAI does not add such a pod to its group. Source: api/podgroup_info/job_info.go AddTaskInfo.
auto no_part(const Explained& e) -> std::string {
  const Symbol key = e.cluster.symbol("kai.scheduler/subgroup-name");
  const Symbol label = key ? e.cluster.pod(e.subject.pod).meta.labels.get(key) : Symbol{};
  const std::string group = e.cluster_info().key(e.subject.group);
  if (!label) {
    return fmt::format(
        "stays pending: it has no label kai.scheduler/subgroup-name, but group {} has sub-groups, so "
        "the scheduler ignores it",
        group);
  }
  return fmt::format(
      "stays pending: its label kai.scheduler/subgroup-name names {}, which is no sub-group of group {} "
      "that has pods, so the scheduler ignores it",
      e.cluster.text(label), group);
}

auto not_eligible(const Explained& e) -> std::string {
  const Group& group = e.group();
  const Instant since = group.last_eviction ? std::max(group.created, *group.last_eviction) : group.created;
  return fmt::format("stays pending: it may evict pods only after its preemption delay of {}, which ends {}",
                     go_duration(group.preemption_delay), until_words(e, since.plus_nanos(group.preemption_delay)));
}

// For a pod whose own state takes precedence over that of its group.
auto of_pod(const Explained& e, Outcome outcome) -> std::string {
  const Pod& pod = e.cluster.pod(e.subject.pod);
  if (outcome == Outcome::deleting) return "is being deleted; the scheduler does not try it";
  if (outcome == Outcome::scheduled)
    return fmt::format("is already on {}{}", e.cluster.text(pod.spec.node_name), is_evicted(e));
  return "stays pending: it waits for " + gate_words(pod, e.cluster);
}

class Victims {
 public:
  Victims(const Explained& e, const Fate& fate) : e_(e), cluster_info_(e.cluster_info()), fate_(fate) {}

  // Returns the lines of those victims that this cycle evicts.
  [[nodiscard]] auto lines(const std::vector<Victim>& victims) const -> std::vector<VictimLine> {
    std::map<GroupId, std::size_t> taken;
    for (const Eviction& each : fate_.evictions) ++taken[cluster_info_.task(each.task).group];
    std::vector<VictimLine> lines;
    for (const Victim& victim : victims) {
      const auto is_it = [&](const Eviction& each) { return cluster_info_.task(each.task).pod == victim.pod; };
      const auto found = std::find_if(fate_.evictions.begin(), fate_.evictions.end(), is_it);
      if (found == fate_.evictions.end()) continue;
      lines.push_back(line(victim, *found, taken.at(cluster_info_.task(found->task).group)));
    }
    return lines;
  }

 private:
  [[nodiscard]] auto line(const Victim& victim, const Eviction& each, std::size_t taken) const -> VictimLine {
    const Task& task = cluster_info_.task(each.task);
    VictimLine out{victim};
    std::vector<std::string> why{how(task.group, taken)};
    const auto& by_chance = fate_.moves_depending_on_order;
    if (std::find(by_chance.begin(), by_chance.end(), each.task) != by_chance.end()) {
      why.emplace_back("may fit on another node afterward, depending on chance");
    } else if (const ShardNodeId shard_node = e_.decision.cycle.moved_to(each.task)) {
      why.push_back(fmt::format("fits on {} afterward", cluster_info_.shard_nodes()[shard_node].name));
    }
    Moment moment(e_.question.now);
    const bool reclaims = cluster_info_.group(task.group).queue != e_.group().queue;
    const Action guard = reclaims ? Action::reclaim : Action::preempt;
    const Shield shield = shield_of(e_.decision.start(), guard, e_.group().queue, task.group, moment);
    if (std::string gpus = device_words(cluster_info_, each.task); !gpus.empty())
      why.push_back("has " + std::move(gpus));
    why.push_back(shield_words(each.action, task.group, shield));
    out.why = joined(why, "; ");
    out.toleration = shield_json(guard, shield);
    out.evidence = evidence_for(cluster_info_, guard, task.group, shield);
    return out;
  }

  [[nodiscard]] auto how(GroupId group, std::size_t taken) const -> std::string {
    std::size_t running = 0;
    const Group& of = cluster_info_.group(group);
    for (std::uint32_t i = 0; i < of.sets; ++i) {
      running += static_cast<std::size_t>(e_.decision.start().counts(of.set(i)).allocated);
    }
    const std::string part = taken == running
                                 ? fmt::format("whole group {}", cluster_info_.key(group))
                                 : fmt::format("{} of {} pods of {}", taken, running, cluster_info_.key(group));
    return fmt::format("{}, {} of queue {}", action_name(fate_.action), part, of.queue_name);
  }

  [[nodiscard]] auto shield_words(Action action, GroupId group, const Shield& shield) const -> std::string {
    if (!e_.settings.plugins.min_runtime) return "min-runtime is disabled";
    if (shield.now && action == Action::consolidation) {
      return fmt::format("min-runtime protects it until {}, but consolidation ignores min-runtime",
                         until_words(e_, *shield.until));
    }
    if (shield.now) {
      return fmt::format("protected until {}, but elastic: {} above its minimum can be evicted",
                         until_words(e_, *shield.until),
                         counted(static_cast<std::size_t>(evictable_pods(e_.decision.start(), group)), "pod", "pods"));
    }
    if (shield.value.nanos <= 0) return "no min-runtime protects it";
    const std::string value =
        fmt::format("min-runtime {} ({})", go_duration(shield.value.nanos), resolved_from(cluster_info_, shield.value));
    if (!shield.until) return value + " has no effect: the group has no start time";
    // Where the two differ: the document evicts from `now > start + min-runtime` on.
    const std::string_view border =
        *shield.until == e_.question.now ? "; by the design document it still holds at this moment" : "";
    return fmt::format("{} ended {}{}", value, until_words(e_, *shield.until), border);
  }

  [[nodiscard]] auto shield_json(Action guard, const Shield& shield) const -> Json {
    Json out = {{"policy", "min-runtime"},
                {"action", action_name(guard)},
                {"minRuntime", go_duration(shield.value.nanos)},
                {"resolvedFrom", resolved_from(cluster_info_, shield.value)},
                {"protected", shield.now}};
    if (shield.until) out["until"] = format_instant(*shield.until);
    return out;
  }

 public:
  // Returns the lines of the protected pods of the verdict; if there are too many, the table of groups summarizes the
  // rest.
  [[nodiscard]] auto tolerating(const std::vector<Tolerating>& pods) const -> std::vector<ToleratingLine> {
    std::map<PodId, TaskId> tasks;
    for (const TaskId id : cluster_info_.tasks().ids()) tasks.emplace(cluster_info_.task(id).pod, id);
    Session& session = e_.decision.start();
    std::map<GroupId, Standing> standings;
    std::vector<ToleratingLine> lines;
    for (const Tolerating& each : pods) {
      if (lines.size() >= kMostTolerating && !e_.question.show_all) break;
      const TaskId task = tasks.at(each.pod);
      const GroupId group = cluster_info_.task(task).group;
      auto standing = standings.find(group);
      if (standing == standings.end()) standing = standings.emplace(group, standing_of(e_, session, group)).first;
      lines.push_back(tolerating_line(each, task, standing->second, evictable_pods(session, group)));
    }
    return lines;
  }

 private:
  [[nodiscard]] auto tolerating_line(const Tolerating& pod, TaskId task, const Standing& standing,
                                     std::int64_t floor) const -> ToleratingLine {
    ToleratingLine line{pod};
    line.why =
        fmt::format("against {} by queue {}, {} from {}", action_name(standing.action), e_.group().queue_name,
                    go_duration(standing.shield.value.nanos), resolved_from(cluster_info_, standing.shield.value));
    if (standing.rule == Rule::candidate_elastic) {
      line.why += fmt::format("; elastic: {} of its group can still be evicted",
                              counted(static_cast<std::size_t>(floor), "pod", "pods"));
    }
    if (const std::string gpus = device_words(cluster_info_, task); !gpus.empty()) line.why += "; has " + gpus;
    line.evidence = evidence_for(cluster_info_, standing.action, cluster_info_.task(task).group, standing.shield);
    line.toleration = shield_json(standing.action, standing.shield);
    return line;
  }

  const Explained& e_;
  const ClusterInfo& cluster_info_;
  const Fate& fate_;
};

auto loses_it_again(const Explained& e) -> std::string {
  const GroupId to = placement_lost_to(e.decision, e.subject);
  if (!to) return {};
  return fmt::format("; in the same cycle, it is evicted itself for group {}", e.cluster_info().key(to));
}

// Adds the victims that only other possible results have.
void add_lines_of_other_results(const Explained& e, Answer& out) {
  for (const Assumption& each : out.assumed) {
    const auto& other = static_cast<const EngineTrace&>(*each.account);
    std::vector<Victim> rest = out.victims;
    std::erase_if(rest, [&](const Victim& victim) {
      const auto told = [&](const VictimLine& line) { return line.pod == victim.pod; };
      return std::any_of(out.victim_lines.begin(), out.victim_lines.end(), told);
    });
    if (rest.empty()) return;
    const Explained of{e.cluster, other.settings(), e.question, other.decision, other.subject};
    const std::vector<VictimLine> lines = Victims(of, other.fate).lines(rest);
    out.victim_lines.insert(out.victim_lines.end(), lines.begin(), lines.end());
  }
}

// The resources that the group waits for. If no pod is terminating on the nodes where it has places, and this cycle
// evicts none, they are free: an action that only reserves places, such as preempt, found them, because allocate did
// not try the group.
auto reserved_words(const Explained& e, const Fate& fate) -> std::string {
  const auto& pods = e.cluster.pods();
  const bool some_end =
      !distinct_evictions(e.decision.cycle).empty() || std::any_of(pods.begin(), pods.end(), [&](const Pod& pod) {
        return pod.meta.deleting && contains(fate.nodes, e.cluster.text(pod.spec.node_name));
      });
  const std::string nodes = node_words(e, fate);
  if (some_end) return fmt::format("resources on {} that terminating pods still use; no more pods are evicted", nodes);
  return fmt::format("free resources on {}, which this cycle reserves and a later one allocates; no pod is evicted",
                     nodes);
}

}  // namespace

auto sentence(const Explained& e, const Fate& fate, const NextChange* next) -> std::string {
  switch (fate.outcome) {
    case Outcome::preempts: return preempts(e, fate) + loses_it_again(e);
    case Outcome::fits:
      return fmt::format("fits{} on {} now; no pod is evicted", part_words(e, fate), node_words(e, fate)) +
             loses_it_again(e);
    case Outcome::waits:
      return fmt::format("waits{} for {}", part_words(e, fate), reserved_words(e, fate)) + loses_it_again(e);
    case Outcome::scheduled: return scheduled(e);
    case Outcome::gated: return "stays pending: its pods have scheduling gates";
    case Outcome::not_eligible: return not_eligible(e) + stale_gangs(e);
    case Outcome::pending:
      return (fate.no_part ? no_part(e) : fate.left_out ? left_out(e, fate) : pending(e, next)) + stale_gangs(e);
    case Outcome::deleting:
    case Outcome::error:
    case Outcome::unknown: break;
  }
  return {};
}

auto sentence(const Explained& e, const EngineTrace& account) -> std::string {
  if (account.backing_off != nullptr) return backing_off(e, *account.backing_off);
  if (const auto outcome = outcome_of_pod(e)) return of_pod(e, *outcome);
  const NoCycle why = no_cycle(e, account.fate);
  const bool settled = account.fate.outcome == Outcome::scheduled || account.fate.outcome == Outcome::gated ||
                       account.fate.outcome == Outcome::deleting;
  return why == NoCycle::none || settled ? sentence(e, account.fate, &account.next) : no_cycle_words(e, why);
}

void tell(const Explained& e, const EngineTrace& account, Answer& out) {
  if (e.question.brief) return;
  if (account.backing_off == nullptr && !outcome_of_pod(e)) {
    const Victims victims(e, account.fate);
    out.victim_lines = victims.lines(out.victims);
    add_lines_of_other_results(e, out);
    out.tolerating_lines = victims.tolerating(out.tolerating);
    out.next_change_words = next_change_words(e, account.next);
    add_details(e, account.fate, out);
  }
  if (!e.question.documents) return;
  out.evidence = evidence_of(e.decision.cycle, e.decision.start(), e.subject.group, e.question.now,
                             shares_depend_on_order(account.cycles));
  if (account.backing_off != nullptr) return;
  Json found = Json::array();
  for (const Defect& defect : defects(e, account.fate)) {
    found.push_back({{"rule", rule_id(defect.rule)}, {"podGroup", e.cluster_info().key(defect.group)}});
  }
  if (!found.empty()) out.evidence["defects"] = std::move(found);
}

}  // namespace previct::kai
