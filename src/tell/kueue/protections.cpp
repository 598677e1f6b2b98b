#include "tell/kueue/protections.h"

#include "base/text.h"
#include "engine/kueue/gaps.h"
#include "engine/kueue/needs.h"
#include "engine/kueue/reach.h"
#include "engine/kueue/rules.h"
#include "engine/kueue/subject.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace previct::kueue {
namespace {

class Safety {
 public:
  explicit Safety(const Controller& controller)
      : controller_(controller), inventory_(controller.inventory()), reach_(controller) {}

  /// Returns what prevents workloads of the queue `by` from preempting this one; none: nothing does.
  [[nodiscard]] auto from(QueueId by, WorkloadId workload) const -> std::optional<Rule> {
    return reach_.kept_by(by, controller_.state(workload).holds_in, {}, workload);
  }
  /// Returns the same for all other queues: the rule that holds least long, if each of them has one.
  [[nodiscard]] auto from_others(WorkloadId workload) const -> std::optional<Rule> {
    std::optional<Rule> weakest = Rule::spared_tree;  // also if there is no other queue
    for (const QueueId by : inventory_.queues().ids()) {
      if (by == controller_.state(workload).holds_in) continue;
      const auto rule = from(by, workload);
      if (!rule) return {};
      if (weakest == Rule::spared_tree || *rule == Rule::spared_nominal) weakest = rule;
    }
    return weakest;
  }
  [[nodiscard]] auto from_own(WorkloadId workload) const -> std::optional<Rule> {
    return from(controller_.state(workload).holds_in, workload);
  }

 private:
  const Controller& controller_;
  const Inventory& inventory_;
  Reach reach_;
};

}  // namespace

auto protections(const Inventory& inventory, const Question& question) -> Result<Protections> {
  const Controller start(inventory, question.now);
  Protections found;
  found.engine = "kueue";
  found.against = question.against.empty() ? "other ClusterQueues" : fmt::format("ClusterQueue {}", question.against);
  QueueId only;
  if (!question.against.empty()) {
    only = inventory.find_queue(question.against);
    if (!only) {
      std::vector<std::string> names;
      for (const QueueInfo& each : inventory.queues()) names.push_back(each.name);
      const auto meant = nearest(question.against, names);
      return fail(fmt::format("no ClusterQueue {} in the input{}", question.against,
                              meant ? fmt::format("; did you mean {}?", *meant) : ""));
    }
  }
  const Safety safety(start);
  for (const WorkloadId id : inventory.workloads().ids()) {
    if (!start.state(id).holds_in) continue;
    if (!question.ns.empty() && inventory.text(inventory.workloads()[id].object->meta.ns) != question.ns) continue;
    const auto kept = only ? safety.from(only, id) : safety.from_others(id);
    if (!kept) continue;
    const auto own = safety.from_own(id);
    for (const PodId pod : running_pods_of(inventory, id)) {
      Protection row;
      row.line.pod = pod;
      row.line.rule = rule_id(*kept);
      row.line.why = rule_words(*kept);
      row.partial = *kept == Rule::spared_nominal;
      row.own = {{"WORKLOAD", "workload", inventory.workloads()[id].key},
                 {"CLUSTERQUEUE", "clusterQueue", inventory.queues()[start.state(id).holds_in].name},
                 {"ONLY WHILE", "onlyWhile", row.partial ? std::string(rule_words(*kept)) : "-"},
                 {"FROM ITS OWN QUEUE", "fromItsOwnQueue", own ? std::string(rule_words(*own)) : "no"}};
      found.rows.push_back(std::move(row));
    }
  }
  std::sort(found.rows.begin(), found.rows.end(), [&](const Protection& a, const Protection& b) {
    return inventory.cluster().key(a.line.pod) < inventory.cluster().key(b.line.pod);
  });
  found.gaps = gaps_of(inventory);
  found.unknown = doubt_of_queues(inventory);
  if (found.unknown) {
    found.rows.clear();
    add_gaps({*found.unknown}, found.gaps);
  } else {
    found.unknown = first_missing(inventory.cluster().objects(), kNeeds, {"Workload", "ClusterQueue"});
  }
  return found;
}

auto possible_preemptors(const Inventory& inventory, const Question& question) -> Result<PossiblePreemptors> {
  PREVICT_TRY(const WorkloadId workload, find_asked(inventory, question));
  const Controller start(inventory, question.now);
  PossiblePreemptors found;
  found.engine = "kueue";
  found.one = "ClusterQueue or pending workload";
  found.many = "ClusterQueues and pending workloads";
  if (question.kind == "pod") found.subject = inventory.cluster().find_pod(question.ns, question.name);
  found.gaps = gaps_of(inventory);
  found.unknown = doubt_of_queues(inventory);
  if (found.unknown) add_gaps({*found.unknown}, found.gaps);
  const QueueId holds = start.state(workload).holds_in;
  if (!holds || found.unknown) return found;
  const Safety safety(start);
  for (const QueueId by : inventory.queues().ids()) {
    if (safety.from(by, workload)) continue;
    const QueueInfo& queue = inventory.queues()[by];
    const Policy policy = by == holds ? queue.within : queue.reclaim;
    found.rows.push_back({.who = fmt::format("ClusterQueue {}", queue.name),
                          .rank = std::string(policy_name(policy)),
                          .pending = false,
                          .from = Instant{},
                          .rule = std::string(rule_id(by == holds ? Rule::victim_queue : Rule::victim_reclaim)),
                          .why = std::string(rule_words(by == holds ? Rule::victim_queue : Rule::victim_reclaim)),
                          .evidence = {}});
    for (const WorkloadId ask : start.queue(by, false)) {
      if (!start.satisfies(ask, workload, policy)) continue;
      found.rows.push_back({.who = inventory.workloads()[ask].key,
                            .rank = fmt::format("{}", inventory.workloads()[ask].priority()),
                            .pending = true,
                            .from = Instant{},
                            .rule = std::string(rule_id(by == holds ? Rule::victim_queue : Rule::victim_reclaim)),
                            .why = fmt::format("waits in ClusterQueue {}", queue.name),
                            .evidence = {}});
    }
  }
  return found;
}

}  // namespace previct::kueue
