#include "tell/kueue/evidence.h"

#include "report/json_members.h"
#include "tell/kueue/messages.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace previct::kueue {
namespace {

auto amount_json(Amount amount) -> Json {
  return amount.is_unlimited() ? Json("unlimited") : Json(amount.value);
}

auto share_json(double share) -> Json {
  constexpr double kDigits = 1e9;
  return std::isinf(share) ? Json("inf") : Json(std::round(share * kDigits) / kDigits);
}

auto outcome_of(EntryOutcome outcome) -> std::string_view {
  switch (outcome) {
    case EntryOutcome::admitted:
    case EntryOutcome::reserved: return "admitted";
    case EntryOutcome::preempting: return "preempting";
    case EntryOutcome::inadmissible: return "inadmissible";
    case EntryOutcome::no_fit:
    case EntryOutcome::no_candidates:
    case EntryOutcome::skipped: break;
  }
  return "pending";
}

auto requeue_of(const Entry& entry) -> std::string_view {
  if (entry.refused != Refused::no) return entry.refused == Refused::namespace_mismatch ? "NamespaceMismatch" : "";
  switch (entry.outcome) {
    case EntryOutcome::no_fit: return "NoFit";
    case EntryOutcome::no_candidates: return "PreemptionNoCandidates";
    case EntryOutcome::skipped: return "FailedAfterNomination";
    case EntryOutcome::preempting: return "PendingPreemption";
    case EntryOutcome::admitted:
    case EntryOutcome::reserved:
    case EntryOutcome::inadmissible: break;
  }
  return "";
}

class EvidenceWriter {
 public:
  explicit EvidenceWriter(const EngineTrace& account) : account_(account), inventory_(*account.inventory) {}

  auto all() -> Json {
    const WorkloadInfo& info = inventory_.workloads()[account_.workload];
    Json json{{"workload", info.key}, {"localQueue", info.local_queue_key}, {"priority", info.priority()}};
    if (const std::string_view queue = queue_name(account_); !queue.empty()) {
      const bool active = account_.queue && inventory_.queues()[account_.queue].inactive == Inactive::no;
      json["clusterQueue"] = queue;
      json["path"] = active ? inventory_.queues()[account_.queue].path : fmt::format("/{}", queue);
      if (active) json["nodes"] = nodes();
    }
    add_queues(json);
    if (account_.not_queued != NotQueued::no) {
      const QuotaReservedCondition said = condition_of(account_);
      json["outcome"] = "notQueued";
      json["why"] = not_queued_name(account_.not_queued);
      json["reason"] = said.reason;
      json["message"] = said.message;
      return json;
    }
    add_entry(json);
    json["cycles"] = Json::array();
    // A cycle with the result of the one before adds nothing.
    const CycleFacts* last = nullptr;
    for (const auto& each : account_.cycles) {
      if (last == nullptr || !each->same(*last)) json["cycles"].push_back(cycle(*each));
      last = each.get();
    }
    json["final"] = Json::object();
    std::map<std::string, std::string_view> ends;
    for (const auto& [id, phase] : account_.changed) ends.emplace(key(id), phase_name(phase));
    for (const auto& [workload, phase] : ends) json["final"][workload] = phase;
    if (account_.alone) json["alone"] = alone(*account_.alone);
    return json;
  }

 private:
  [[nodiscard]] auto key(WorkloadId id) const -> const std::string& { return inventory_.workloads()[id].key; }
  [[nodiscard]] auto name_of(FlavorResource of) const -> std::string {
    const FlavorResources::Names& names = inventory_.names()[of];
    return fmt::format("{}/{}", inventory_.text(names.flavor), inventory_.text(names.resource));
  }
  [[nodiscard]] auto queue_of(WorkloadId id) const -> const std::string& {
    return inventory_.queues()[account_.start.quota_queue(id)].name;
  }

  void add_queues(Json& json) const {
    constexpr std::size_t kMostInFull = 60;
    const Controller& start = account_.start;
    const QueueId own = inventory_.queue_of(account_.workload);
    std::size_t waiting = 0;
    std::map<std::string, Json> queues;
    for (const QueueId id : inventory_.queues().ids()) {
      const std::vector<WorkloadId> queue = start.queue(id, false);
      waiting += queue.size();
      Json names = Json::array();
      for (const WorkloadId each : queue) names.push_back(key(each));
      if (!queue.empty()) queues.emplace(inventory_.queues()[id].name, std::move(names));
      const auto at = std::find(queue.begin(), queue.end(), account_.workload);
      if (id == own && at != queue.end()) json["position"] = at - queue.begin() + 1;
    }
    json["queues"] = Json::object();
    for (auto& [name, names] : queues) {
      if (waiting <= kMostInFull || name == queue_name(account_)) json["queues"][name] = std::move(names);
    }
  }

  void add_entry(Json& json) const {
    const Entry* const entry = account_.entry();
    if (entry == nullptr) {
      json["outcome"] = "waiting";
      json["why"] = "behindOthers";
      return;
    }
    json["cycle"] = account_.cycle;
    json["outcome"] = outcome_of(entry->outcome);
    json["why"] = outcome_name(entry->outcome);
    add_choice(*entry, json);
    if (entry->outcome == EntryOutcome::preempting) json["preemptions"] = targets(*entry, true);
    json["reason"] = reason_of(*entry, inventory_);
    json["message"] = message_of(*entry, inventory_);
    json["events"] = events_of(*entry, account_.start);
  }

  void add_choice(const Entry& entry, Json& json) const {
    if (entry.mode == Mode::no_fit) return;
    json["borrows"] = entry.assignment.level;
    const Workload& object = *inventory_.workloads()[entry.workload].object;
    for (const AssignedPodSet& set : entry.assignment.sets) {
      if (set.flavors.empty()) continue;
      const std::string name(kueue::name_of(object.spec.pod_sets[set.index], inventory_.cluster()));
      for (const ChosenFlavor& each : set.flavors)
        json["flavors"][name][std::string(inventory_.text(each.resource))] = inventory_.text(each.flavor);
      json["counts"][name] = set.count;
      if (set.placed && (outcome_of(entry.outcome) == "admitted" || entry.outcome == EntryOutcome::preempting))
        json["topology"][name] = placement(set);
    }
  }

  // As in status.admission: of nodes only the host name.
  [[nodiscard]] auto placement(const AssignedPodSet& set) const -> Json {
    Json list = Json::array();
    const TopologyFlavor* const flavor = inventory_.topologies().find(set.topology_flavor);
    for (const PlacedPods& each : *set.placed) {
      Json values = Json::array();
      const std::size_t from = flavor != nullptr && flavor->lowest_is_node() ? each.values.size() - 1 : 0;
      for (std::size_t i = from; i < each.values.size(); ++i) values.push_back(inventory_.text(each.values[i]));
      list.push_back({{"values", std::move(values)}, {"count", each.count}});
    }
    return list;
  }

  [[nodiscard]] auto targets(const Entry& entry, bool with_messages) const -> Json {
    Json list = Json::array();
    for (std::size_t i = 0; i < entry.targets.size(); ++i) {
      const Target& each = entry.targets[i];
      Json json{{"workload", key(each.workload)}, {"clusterQueue", queue_of(each.workload)}};
      const bool ongoing = entry.ongoing[i] != 0;
      if (entry.outcome == EntryOutcome::preempting) json["reason"] = ongoing ? "ongoing" : reason_name(each.reason);
      if (entry.outcome == EntryOutcome::preempting && with_messages && !ongoing)
        json["message"] = preempted_message(entry, each, account_.start);
      list.push_back(std::move(json));
    }
    return list;
  }

  [[nodiscard]] auto entry_json(const Entry& entry, bool with_messages) const -> Json {
    Json json{{"workload", key(entry.workload)},
              {"clusterQueue", inventory_.queues()[entry.queue].name},
              {"outcome", outcome_name(entry.outcome)}};
    const bool holds = entry.outcome == EntryOutcome::admitted || entry.outcome == EntryOutcome::reserved;
    json["message"] = holds ? std::string() : message_of(entry, inventory_);
    json["requeue"] = requeue_of(entry);
    if (entry.refused != Refused::no) return json;
    json["mode"] = mode_name(entry.mode);
    add_choice(entry, json);
    if (!entry.targets.empty()) json["targets"] = targets(entry, with_messages);
    for (const auto& [cohort, share] : entry.shares) json["shares"][inventory_.tree()[cohort].name] = share_json(share);
    return json;
  }

  [[nodiscard]] auto cycle(const CycleFacts& facts) const -> Json {
    Json json{{"entries", Json::object()}};
    for (const Entry& each : facts.entries)
      json["entries"][inventory_.queues()[each.queue].tree].push_back(entry_json(each, false));
    for (const Entry& each : facts.refused) json["notNominated"].push_back(entry_json(each, false));
    for (const WorkloadId each : facts.gone) json["gone"].push_back(key(each));
    return json;
  }

  [[nodiscard]] auto attempts(const Entry& entry) const -> Json {
    Json json = Json::object();
    const Workload& object = *inventory_.workloads()[entry.workload].object;
    for (const AssignedPodSet& set : entry.assignment.sets) {
      Json list = Json::array();
      for (const Attempt& each : set.attempts) {
        Json one{{"flavor", inventory_.text(each.flavor)}, {"mode", mode_name(each.mode)}, {"borrow", each.level}};
        if (each.way == ByWay::no_candidates) one["preemption"] = "NoCandidates";
        if (each.way == ByWay::preempt) one["preemption"] = "Preempt";
        if (each.way == ByWay::reclaim) one["preemption"] = "Reclaim";
        std::vector<std::string> reasons;
        for (const WhyNot& reason : each.reasons) reasons.push_back(message_of(reason, inventory_));
        std::sort(reasons.begin(), reasons.end());
        if (!reasons.empty()) one["reasons"] = reasons;
        list.push_back(std::move(one));
      }
      json[std::string(kueue::name_of(object.spec.pod_sets[set.index], inventory_.cluster()))] = std::move(list);
    }
    return json;
  }

  [[nodiscard]] auto step(const Step& step) const -> Json {
    Json json{{"workload", key(step.workload)}, {"clusterQueue", queue_of(step.workload)}};
    if (step.reason) json["reason"] = reason_name(*step.reason);
    if (step.fits) json["fits"] = true;
    const bool by_share = step.rule == StepRule::first_strategy || step.rule == StepRule::second_strategy;
    if (step.rule == StepRule::same_queue) json["rule"] = "sameQueue";
    if (step.rule == StepRule::within_nominal) json["rule"] = "withinNominal";
    if (!by_share) return json;
    json["rule"] =
        fmt::format("{}{}", step.rule == StepRule::second_strategy ? "second " : "", strategy_name(step.strategy));
    json["preemptorShare"] = share_json(step.preemptor_share);
    json["targetOldShare"] = share_json(step.old_share);
    if (step.new_share) json["targetNewShare"] = share_json(*step.new_share);
    json["passed"] = step.passed.value_or(false);
    return json;
  }

  [[nodiscard]] auto trace(const Alone& alone) const -> Json {
    const Trace& trace = *alone.trace;
    std::vector<std::string> needs;
    for (const FlavorResource each : trace.needs) needs.push_back(name_of(each));
    std::sort(needs.begin(), needs.end());
    Json json{{"needs", needs}, {"requests", Json::object()}};
    for (const Request& each : trace.requests) json["requests"][name_of(each.of)] = amount_json(each.amount);
    for (const Candidate& each : trace.candidates) {
      json["candidates"][key(each.workload)] = {{"reason", reason_name(each.reason)},
                                                {"whileBorrowing", each.while_borrowing}};
    }
    for (const auto& [id, why] : alone.others) json["others"][key(id)] = no_candidate_name(why);
    for (const Pass& pass : trace.passes) {
      Json search{{"fits", pass.fits}};
      if (pass.borrowing) search["borrowing"] = *pass.borrowing;
      for (const Step& each : pass.steps) search["steps"].push_back(step(each));
      for (const auto& [id, why] : pass.passed_over) search["passedOver"][key(id)] = passed_over_name(why);
      for (const WorkloadId id : pass.put_back) search["putBack"].push_back(key(id));
      json["searches"].push_back(std::move(search));
    }
    return json;
  }

  [[nodiscard]] auto alone(const Alone& alone) const -> Json {
    Json json = entry_json(alone.entry, true);
    const EntryOutcome outcome = alone.entry.outcome;
    if (outcome != EntryOutcome::inadmissible) json["attempts"] = attempts(alone.entry);
    const bool searched = outcome == EntryOutcome::preempting || outcome == EntryOutcome::no_candidates;
    if (alone.trace && searched) json["trace"] = trace(alone);
    if (alone.then) json["then"] = outcome_name(*alone.then);
    return json;
  }

  [[nodiscard]] auto nodes() const -> Json {
    const QuotaTree& tree = account_.start.tree();
    const bool fair = inventory_.settings().fair;
    std::map<std::string, Json> all;  // independent of input order
    std::vector<QuotaNodeId> open = {tree.root(inventory_.queues()[account_.queue].node)};
    while (!open.empty()) {
      const QuotaNodeId id = open.back();
      open.pop_back();
      const QuotaTree::Node& node = tree[id];
      open.insert(open.end(), node.children.begin(), node.children.end());
      if (node.hidden) continue;
      Json facts = Json::object();
      if (node.parent) {
        facts["parent"] = tree[node.parent].name;
        if (fair) {
          facts["weight"] = node.weight;
          facts["share"] = share_json(tree.share(id).value());
        }
      }
      facts["quota"] = Json::object();
      for (const QuotaTree::Cell& cell : node.cells) {
        if (cell.has_subtree) facts["quota"][name_of(cell.of)] = quota(id, cell);
      }
      all.emplace(fmt::format("{}/{}", node.is_cluster_queue ? "clusterqueue" : "cohort", node.name), std::move(facts));
    }
    JsonMembers json;
    for (auto& [name, facts] : all) json.add(name, std::move(facts));
    return std::move(json).object();
  }

  [[nodiscard]] auto quota(QuotaNodeId id, const QuotaTree::Cell& cell) const -> Json {
    const QuotaTree& tree = account_.start.tree();
    Json json{{"nominal", amount_json(cell.quota.nominal)}};
    if (cell.quota.borrowing_limit) json["borrowingLimit"] = amount_json(*cell.quota.borrowing_limit);
    if (cell.quota.lending_limit) json["lendingLimit"] = amount_json(*cell.quota.lending_limit);
    json["subtreeQuota"] = amount_json(cell.subtree);
    json["usage"] = amount_json(cell.usage);
    if (!tree[id].is_cluster_queue) return json;
    json["available"] = amount_json(tree.free(id, cell.of));
    json["potentialAvailable"] = amount_json(tree.potential(id, cell.of));
    return json;
  }

  const EngineTrace& account_;
  const Inventory& inventory_;
};

}  // namespace

auto evidence(const EngineTrace& account) -> Json {
  return EvidenceWriter(account).all();
}

}  // namespace previct::kueue
