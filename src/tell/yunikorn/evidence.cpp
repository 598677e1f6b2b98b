#include "tell/yunikorn/evidence.h"

#include "base/duration.h"
#include "tell/yunikorn/messages.h"

#include <algorithm>
#include <map>

namespace previct::yunikorn {
namespace {

auto names_json(const Snapshot& cluster, const std::vector<PodId>& pods) -> Json {
  Json list = Json::array();
  for (const PodId pod : pods) list.push_back(cluster.key(pod));
  return list;
}

auto maybe_json(const TypeNames& types, const MaybeResources& amounts) -> Json {
  return amounts ? amounts_json(types, *amounts) : Json();
}

auto node_name(const Snapshot& cluster, NodeId node) -> std::string {
  return node ? std::string(cluster.name(node)) : std::string();
}

auto ask_json(const PartitionContext& core, const Allocation& ask) -> Json {
  Json json;
  json["pod"] = core.cluster().key(ask.pod);
  json["applicationID"] = core.app(ask.app).id;
  json["queue"] = core.queues()[ask.queue].path;
  json["priority"] = ask.priority;
  json["requiredNode"] = std::string(core.cluster().text(ask.required_node));
  json["originator"] = ask.originator;
  json["allowPreemptSelf"] = !ask.opted_out;
  json["allowPreemptOther"] = ask.may_preempt;
  json["resources"] = amounts_json(core.types(), ask.size);
  return json;
}

auto room_json(const PartitionContext& core, NodeId node, const NodeUsage& room) -> Json {
  Json json;
  json["name"] = node_name(core.cluster(), node);
  json["total"] = amounts_json(core.types(), room.total);
  json["allocated"] = amounts_json(core.types(), room.allocated);
  json["occupied"] = amounts_json(core.types(), room.occupied);
  json["available"] = amounts_json(core.types(), room.available());
  return json;
}

auto attempt_json(const PartitionContext& core, const RequiredNodeAttempt& attempt) -> Json {
  const Snapshot& cluster = core.cluster();
  Json json;
  json["counts"] = {{"total", attempt.counts.total},
                    {"requiredNode", attempt.counts.required_node},
                    {"higherPriority", attempt.counts.higher_priority},
                    {"alreadyPreempted", attempt.counts.already_preempted},
                    {"noResourceMatch", attempt.counts.no_resource_match},
                    {"released", attempt.counts.released}};
  Json candidates = Json::array();
  for (const Allocation& pod : attempt.candidates) {
    Json row;
    row["pod"] = cluster.key(pod.pod);
    row["class"] = class_word(class_of(pod));
    row["priority"] = pod.priority;
    row["resources"] = amounts_json(core.types(), pod.size);
    candidates.push_back(std::move(row));
  }
  json["candidates"] = std::move(candidates);
  json["victims"] = names_json(cluster, attempt.victims);
  json["collateral"] = names_json(cluster, attempt.collateral);
  Json outcomes = Json::array();
  for (const std::vector<PodId>& set : attempt.possible.sets) outcomes.push_back(names_json(cluster, set));
  json["outcomes"] = std::move(outcomes);
  json["always"] = names_json(cluster, attempt.possible.always);
  json["sometimes"] = names_json(cluster, attempt.possible.sometimes);
  json["deterministic"] = !attempt.possible.open();
  json["exhaustive"] = attempt.possible.complete;
  return json;
}

/// Returns the queues on the paths to root from the asking pod's queue and from those of all eligible victims.
auto queues_json(const PartitionContext& core, const Allocation& ask, const QueueAttempt& attempt) -> Json {
  const QueueTree& queues = core.queues();
  const QueueSnapshot queue_snapshot(queues, ask.queue);
  std::map<std::string, QueueId> involved;
  const auto involve = [&](QueueId leaf) {
    for (QueueId at = leaf; at; at = queues[at].parent) {
      if (!involved.emplace(queues[at].path, at).second) return;
    }
  };
  involve(ask.queue);
  for (const Allocation& pod : attempt.eligible) involve(pod.queue);
  Json json = Json::object();
  for (const auto& [path, id] : involved) {
    Json& row = json[path];
    row["allocated"] = amounts_json(core.types(), queues[id].allocated);
    row["guaranteed"] = maybe_json(core.types(), queues[id].guaranteed);
    row["max"] = maybe_json(core.types(), queues[id].max);
    row["preemptable"] = maybe_json(core.types(), queue_snapshot.preemptable(id));
    row["remainingGuaranteed"] = maybe_json(core.types(), queue_snapshot.remaining_guarantee(id));
  }
  return json;
}

auto eligible_json(const PartitionContext& core, const QueueAttempt& attempt) -> Json {
  std::map<std::string, std::vector<std::string>> by_queue;
  for (const Allocation& pod : attempt.eligible) {
    by_queue[core.queues()[pod.queue].path].push_back(core.cluster().key(pod.pod));
  }
  Json json = Json::object();
  for (auto& [path, pods] : by_queue) {
    std::sort(pods.begin(), pods.end());
    json[path] = pods;
  }
  return json;
}

auto solutions_json(const PartitionContext& core, const ReleaseDecision& decision) -> Json {
  const Snapshot& cluster = core.cluster();
  Json json = Json::array();
  const auto without_victims = [&](NodeId node, std::string_view outcome) {
    json.push_back({{"node", node_name(cluster, node)}, {"outcome", outcome}});
  };
  if (decision.replacement && !decision.replacement->nodes.empty()) {
    for (const NodeId node : decision.replacement->nodes) without_victims(node, "allocated");
    return json;
  }
  if (decision.outcome == ReleaseOutcome::allocated || decision.queue->solutions.empty()) {
    without_victims(decision.node, outcome_word(decision.outcome));
    return json;
  }
  const std::string_view otherwise = decision.reserved ? "reserved" : "pending";
  bool nobody = false;
  for (const QueueSolution& solution : decision.queue->solutions) {
    if (solution.rule == Rule::queue_preempts) {
      json.push_back({{"node", node_name(cluster, solution.node)}, {"victims", names_json(cluster, solution.victims)}});
    } else if (solution.rule == Rule::zero_request) {
      without_victims(solution.node, "reserved");
    } else if (!std::exchange(nobody, true)) {
      without_victims(decision.reserved, otherwise);
    }
  }
  return json;
}

/// Determines the victims of all results, and those of some.
void shares(const Snapshot& cluster, const std::vector<QueueSolution>& solutions, std::vector<PodId>& always,
            std::vector<PodId>& sometimes) {
  std::map<PodId, std::size_t> counts;
  for (const QueueSolution& solution : solutions) {
    for (const PodId pod : solution.victims) ++counts[pod];
  }
  for (const auto& [pod, count] : counts) (count == solutions.size() ? always : sometimes).push_back(pod);
  for (auto* list : {&always, &sometimes})
    std::sort(list->begin(), list->end(), [&](PodId a, PodId b) { return cluster.key(a) < cluster.key(b); });
}

void add_queue(const PartitionContext& core, const ReleaseDecision& decision, Json& json) {
  const QueueAttempt& attempt = *decision.queue;
  json["fence"] = core.queues()[attempt.fence].path;
  json["eligible"] = eligible_json(core, attempt);
  json["queues"] = queues_json(core, decision.ask, attempt);
  json["solutions"] = solutions_json(core, decision);
  json["deterministic"] = json["solutions"].size() <= 1;
  std::vector<PodId> always;
  std::vector<PodId> sometimes;
  shares(core.cluster(), attempt.solutions, always, sometimes);
  json["always"] = names_json(core.cluster(), always);
  json["sometimes"] = names_json(core.cluster(), sometimes);
  json["ordersTried"] = attempt.orders_tried;
  if (attempt.solutions.size() == 1 && decision.outcome == ReleaseOutcome::preempted) {
    json["fitsAfterwards"] = attempt.solutions[0].fits_then;
  }
}

}  // namespace

auto amounts_json(const TypeNames& types, const Resources& amounts) -> Json {
  Json json = Json::object();
  for (const auto& [name, amount] : types.by_name(amounts)) json[std::string(name)] = amount;
  return json;
}

auto evidence_unknown(const std::string& problem) -> Json {
  Json json;
  json["outcome"] = outcome_word(ReleaseOutcome::foreign);
  if (!problem.empty()) json["problems"] = Json::array({problem});
  return json;
}

auto evidence(const PartitionContext& core, const ReleaseDecision& decision) -> Json {
  Json json;
  json["mode"] = decision.ask.required_node ? "required-node" : "queue";
  json["outcome"] = outcome_word(decision.outcome);
  json["rule"] = rule_id(decision.rule);
  json["ask"] = ask_json(core, decision.ask);
  json["headroom"] = amounts_json(core.types(), decision.headroom);
  if (const OverMax& over = decision.over_max) {
    json["overMax"] = {{"queue", core.queues()[over.queue].path},
                       {"resource", core.types().name(over.type)},
                       {"used", over.used},
                       {"max", over.max}};
  }
  if (decision.node) json["node"] = room_json(core, decision.node, decision.room);
  if (decision.required) json["preemptor"] = attempt_json(core, *decision.required);
  if (decision.queue) add_queue(core, decision, json);
  json["victims"] = names_json(core.cluster(), certain_victims(decision));
  return json;
}

auto evidence(const Snapshot& cluster, PodId ask, const DesignDecision& decision, const TypeNames& types) -> Json {
  Json json;
  json["mode"] = "yunikorn-design";
  json["outcome"] = design_outcome_word(decision.rule);
  json["ask"]["pod"] = cluster.key(ask);
  json["ask"]["requiredNode"] = std::string(cluster.text(decision.required_node));
  json["ask"]["resources"] = amounts_json(types, decision.ask);
  if (decision.node) json["free"] = amounts_json(types, without_zeros(decision.free));
  if (decision.starts_after) {
    json["startsAfter"] = format_instant({decision.starts_after->seconds, 0});
  }
  if (!decision.filtered) return json;
  json["counts"] = {{"allocations", decision.allocations},
                    {"daemonSet", decision.daemon_set},
                    {"alreadyGone", decision.already_gone}};
  json["order"] = Json::array();
  for (const DesignCandidate& c : decision.order) {
    json["order"].push_back({{"pod", cluster.key(c.pod)}, {"class", class_word(c.cls)}, {"priority", c.priority}});
    json["deviations"].push_back(
        {{"pod", cluster.key(c.pod)}, {"percent", c.deviation.percent()}, {"enough", c.enough}, {"within", c.within}});
  }
  json["tried"] = Json::array();
  for (const DesignTrial& trial : decision.selection.trials) {
    json["tried"].push_back({{"strategy", trial.strategy}, {"victims", names_json(cluster, trial.victims)}});
  }
  if (!decision.strategy.empty()) json["strategy"] = decision.strategy;
  json["settings"] = {
      {"strategies", decision.settings.strategies},
      {"deviationPercent", static_cast<double>(decision.settings.deviation_percent.scaled) / Decimal::kScale},
      {"maxVictims", decision.settings.max_victims},
      {"startDelay", format_age(decision.settings.start_delay / go::kNanosPerSecond)},
      {"order", decision.settings.order == DesignOrder::zones ? "zones" : "sizes"}};
  if (decision.readings_differ()) json["otherReading"] = names_json(cluster, decision.other_selection.victims());
  json["victims"] = names_json(cluster, decision.victims);
  return json;
}

}  // namespace previct::yunikorn
