#include "engine/engine.h"

#include "engine/kueue/account.h"
#include "engine/kueue/gaps.h"
#include "engine/kueue/known.h"
#include "engine/kueue/needs.h"
#include "engine/kueue/parameters.h"
#include "engine/kueue/play.h"
#include "engine/kueue/queued_jobs.h"
#include "engine/kueue/release_pods.h"
#include "engine/kueue/rules.h"
#include "engine/kueue/subject.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>

namespace previct {
namespace kueue {
namespace {

auto rule_of(PreemptionReason reason) -> Rule {
  constexpr std::array kRules = {Rule::victim_queue, Rule::victim_reclaim, Rule::victim_borrow, Rule::victim_fair};
  return kRules[static_cast<std::size_t>(reason)];
}

auto outcome_of(NotQueued why) -> Outcome {
  switch (why) {
    case NotQueued::admitted: return Outcome::scheduled;
    case NotQueued::reserved: return Outcome::waits;
    case NotQueued::evicting:
    case NotQueued::deleting:
    case NotQueued::finished: return Outcome::deleting;
    case NotQueued::deactivated:
    case NotQueued::on_hold:
    case NotQueued::admission_gated:
    case NotQueued::waiting_for_replacement_pods: return Outcome::gated;
    case NotQueued::no_local_queue:
    case NotQueued::local_queue_stopped:
    case NotQueued::no_cluster_queue:
    case NotQueued::cluster_queue_inactive:
    case NotQueued::backoff:
    case NotQueued::no: break;
  }
  return Outcome::pending;
}

auto outcome_of(const EngineTrace& account) -> Outcome {
  const Controller::WorkloadState& state = account.start.state(account.workload);
  if (account.not_queued == NotQueued::evicting && state.loss.reason != LossReason::none)
    return state.deactivated ? Outcome::gated : Outcome::pending;
  if (account.not_queued != NotQueued::no) return outcome_of(account.not_queued);
  const Entry* const entry = account.entry();
  return entry == nullptr ? Outcome::pending : outcome_of(*entry);
}

/// Kueue: workloads in queues that share quota. kube-scheduler decides where their pods run.
class KueueEngine final : public Engine {
 public:
  [[nodiscard]] auto name() const -> std::string_view override { return "kueue"; }
  [[nodiscard]] auto rank() const -> int override { return 10; }
  [[nodiscard]] auto is_configured_by(const Configurations& given) const -> bool override {
    return given.kueue_config.has_value();
  }
  [[nodiscard]] auto needs() const -> std::span<const RequiredKind> override { return kNeeds; }
  [[nodiscard]] auto needed_for(const Snapshot& cluster, const RequiredKind& need) const -> bool override {
    const Objects& objects = cluster.objects();
    if (need.kind == &kinds::admission_checks) {
      return std::any_of(objects.cluster_queues.begin(), objects.cluster_queues.end(),
                         [](const ClusterQueue& each) { return !each.spec.admission_checks.checks.empty(); });
    }
    if (need.kind == &kinds::kueue_topologies) {
      return std::any_of(objects.resource_flavors.begin(), objects.resource_flavors.end(),
                         [](const ResourceFlavor& each) { return bool{each.spec.topology}; });
    }
    return need.always;
  }
  [[nodiscard]] auto asked_kind() const -> std::string_view override { return "workload"; }
  [[nodiscard]] auto decides_about_groups() const -> bool override { return true; }

  [[nodiscard]] auto pending(const Snapshot& cluster, const Question& question, std::string_view ns) const
      -> Result<std::vector<AskedObject>> override {
    if (cluster.objects().kueue_workloads.empty()) return std::vector<AskedObject>{};
    PREVICT_TRY(const std::shared_ptr<const Inventory> inventory, known(cluster, question));
    return pending_objects(*inventory, question.now, ns);
  }
  [[nodiscard]] auto representative_of(const Snapshot& cluster, std::string_view kind, std::string_view ns,
                                       std::string_view name) const -> std::optional<AskedObject> override {
    for (const Workload& each : cluster.objects().kueue_workloads) {
      if (cluster.text(each.meta.ns) != ns) continue;
      for (const OwnerReference& owner : each.meta.owners) {
        if (cluster.text(owner.kind) == kind && cluster.text(owner.name) == name)
          return AskedObject{std::string(ns), std::string(cluster.text(each.meta.name))};
      }
    }
    return {};
  }

  // Source: pkg/controller/jobs, apart from the kinds of Kubernetes.
  [[nodiscard]] auto represented_kinds() const -> std::span<const std::string_view> override {
    static constexpr std::array<std::string_view, 14> kKinds = {
        "AppWrapper", "JAXJob", "JobSet",     "LeaderWorkerSet",  "MPIJob", "PaddleJob", "PyTorchJob",
        "RayCluster", "RayJob", "RayService", "SparkApplication", "TFJob",  "TrainJob",  "XGBoostJob"};
    return kKinds;
  }

  [[nodiscard]] auto waiting_without_pods(const Objects& objects) const -> std::vector<AskedObject> override {
    std::vector<AskedObject> waiting;
    for (const Workload& each : objects.kueue_workloads) {
      if (each.status.admission) continue;
      waiting.push_back(
          {std::string(objects.symbols.text(each.meta.ns)), std::string(objects.symbols.text(each.meta.name))});
    }
    return waiting;
  }

  [[nodiscard]] auto create_for(const FoundObject& found, FileId file, Objects& objects) const
      -> Result<bool> override {
    return add_workload_of_job(found, file, objects);
  }

  [[nodiscard]] auto pods_of_objects(const Snapshot& cluster) const -> std::size_t override {
    std::size_t pods = 0;
    for (const Workload& each : cluster.objects().kueue_workloads) {
      for (const PodSet& set : each.spec.pod_sets)
        pods += static_cast<std::size_t>(std::max<std::int64_t>(count_of(set), 0));
    }
    return pods;
  }

  // kube-scheduler ignores the pod while it has Kueue's scheduling gate. Without its workload, nothing more is known.
  [[nodiscard]] auto owns_pod(const Snapshot& cluster, PodId pod) const -> bool override {
    if (!pod) return false;
    const Symbol gate = cluster.symbol("kueue.x-k8s.io/admission");
    const auto& gates = cluster.pod(pod).spec.scheduling_gates;
    const bool gated =
        gate && std::any_of(gates.begin(), gates.end(), [&](const Named& each) { return each.name == gate; });
    return gated && has_workload(cluster, pod);
  }

  [[nodiscard]] auto evicts_pod_of_others(const Snapshot& cluster, PodId pod) const -> bool override {
    return pod && cluster.pod(pod).spec.node_name && has_workload(cluster, pod);
  }

  [[nodiscard]] auto parameters() const -> std::span<const FieldParameter> override { return kueue::parameters(); }

  [[nodiscard]] auto simulates_cycles() const -> bool override { return true; }
  [[nodiscard]] auto simulate(const Snapshot& cluster, const Question& question) const
      -> Result<SimulatedCycles> override {
    PREVICT_TRY(const std::shared_ptr<const Inventory> inventory, known(cluster, question));
    return simulated_cycles(*inventory, question.now, question.cycles);
  }

  void prepare(const Snapshot& cluster) const override { static_cast<void>(settings_of(cluster, {}, {})); }

  [[nodiscard]] auto check_configuration(const Snapshot& cluster, const Question& question) const
      -> Result<void> override {
    return settings_of(cluster, question.kueue_config, question.kueue_version).map([](const Settings&) {});
  }

  [[nodiscard]] auto verdict_on(const Snapshot& cluster, const Question& question) const -> Result<Verdict> override {
    PREVICT_TRY(const std::shared_ptr<const Inventory> inventory, known(cluster, question));
    PREVICT_TRY(const WorkloadId workload, find_asked(*inventory, question));
    const Depth depth = question.documents ? Depth::in_full : question.brief ? Depth::brief : Depth::explained;
    Future& expected = future(cluster, question, kAsRead);
    const auto account = account_of(inventory, expected, workload, question.cycles, depth);
    const bool waits = account->not_queued == NotQueued::no;
    if (account->by_chance && !waits && !account->preemptor) add_possible_preemptor(cluster, question, *account);
    Verdict verdict;
    verdict.engine = "kueue";
    if (question.kind == "pod") verdict.subject = cluster.find_pod(question.ns, question.name);
    verdict.subject_name =
        verdict.subject ? cluster.key(verdict.subject) : "workload/" + inventory->workloads()[workload].key;
    verdict.account = account;
    verdict.outcome = outcome_of(*account);
    if (account->preemptor)
      verdict.evicted_for = "workload/" + inventory->workloads()[account->preemptor->workload].key;
    verdict.gaps = gaps_of(*account);
    // A workload that holds quota may be considered again and lose it.
    const bool again = std::any_of(verdict.gaps.begin(), verdict.gaps.end(), [](const Gap& gap) {
      return gap.rule == GapRule::kueue_second_pass && gap.decides;
    });
    if (again && verdict.outcome == Outcome::scheduled) {
      verdict.assumed.push_back({{}, verdict.outcome, {}, account});
      verdict.outcome = Outcome::unknown;
    }
    if (const Entry* const entry = account->entry(); entry != nullptr && entry->outcome == EntryOutcome::preempting) {
      for (const Target& each : entry->targets) {
        for (const PodId pod : running_pods_of(*inventory, each.workload))
          verdict.victims.push_back({pod, rule_id(rule_of(each.reason))});
        verdict.evicted.push_back("workload/" + inventory->workloads()[each.workload].key);
      }
    }
    if (const Entry* const entry = account->entry(); entry != nullptr && outcome_of(*entry) != Outcome::pending)
      verdict.assigned = assigned_by(*inventory, *entry);
    verdict.releases = released_by(*account);
    if (!verdict.releases.empty()) add_other_pods(*account, question.brief, verdict);
    if (account->by_chance && waits) doubt_for_order(cluster, question, account, depth, verdict);
    if (account->not_queued == NotQueued::backoff) {
      const Workload& object = *inventory->workloads()[workload].object;
      const Instant at = object.status.requeue_state.requeue_at.value_or(Instant{});
      if (at > question.now) verdict.next_change = at;
    }
    // Timelines ask again at each time at which another workload may come first.
    if (question.brief && account->queue)
      verdict.next_change =
          std::min(verdict.next_change, account->start.next_requeue(inventory->queues()[account->queue].scope));
    if (account->start.state(workload).holds_in) {
      if (const QuotaLoss loss = account->start.loss_of(workload); loss.at > question.now)
        verdict.next_change = std::min(verdict.next_change, loss.at);
    } else if (account->queue && account->not_queued == NotQueued::no &&
               (question.brief || verdict.outcome == Outcome::pending)) {
      const std::string& scope = inventory->queues()[account->queue].scope;
      verdict.next_change = std::min(verdict.next_change, account->start.next_loss(scope).second.at);
    }
    return verdict;
  }

 private:
  // A workload that holds quota in one order of equal workloads may be preempted in another.
  static void add_possible_preemptor(const Snapshot& cluster, const Question& question, EngineTrace& account) {
    const auto decide = [&](TieOrder order) -> std::optional<std::uint64_t> {
      const auto other = account_of(account.inventory, future(cluster, question, order), account.workload,
                                    question.cycles, Depth::explained);
      if (!other->preemptor) return other->orders;
      account.preemptor = other->preemptor;
      account.preemptor->certain = false;
      return {};
    };
    each_order(*account.inventory, account.orders, {}, decide);
  }

  // The orders of equal workloads that have another result, or were not tried.
  static void doubt_for_order(const Snapshot& cluster, const Question& question,
                              const std::shared_ptr<const EngineTrace>& account, Depth depth, Verdict& verdict) {
    const std::shared_ptr<const Inventory>& inventory = account->inventory;
    const auto in_order = [&](TieOrder order, Depth how_deep) {
      return account_of(inventory, future(cluster, question, order), account->workload, question.cycles, how_deep);
    };
    bool differs = false;
    const auto decide = [&](TieOrder order) -> std::optional<std::uint64_t> {
      const auto other = in_order(order, Depth::brief);
      if (alike(*account, *other)) return other->orders;
      const auto told = question.brief ? other : in_order(order, depth);
      verdict.gaps.push_back({GapRule::kueue_chance, {}, true});
      verdict.assumed.push_back({Gap{GapRule::kueue_in_one_order}, verdict.outcome, {}, account});
      verdict.assumed.push_back({Gap{GapRule::kueue_in_another_order}, outcome_of(*told), {}, told});
      differs = true;
      return {};
    };
    const bool tried_all = each_order(*inventory, account->orders, {account->queue}, decide);
    if (!differs && !tried_all) verdict.gaps.push_back({GapRule::kueue_chance});
  }

  // What else affects where the released pods run: the pods of workloads that lose their quota anyway end, too, and
  // some workloads may have more pods than the input shows.
  static void add_other_pods(const EngineTrace& account, bool brief, Verdict& verdict) {
    const Inventory& inventory = *account.inventory;
    const auto note_lost = [&](WorkloadId id, bool is_target) {
      if (!lacks_pods(inventory, id)) return;
      const Gap gap{GapRule::kueue_lost_pods, {inventory.workloads()[id].key}};
      if (is_target) add_gaps({gap}, verdict.gaps);
      if (!verdict.more_end) verdict.more_end = gap;
    };
    std::vector<WorkloadId> targets;
    if (const Entry* const entry = account.entry(); entry->outcome == EntryOutcome::preempting) {
      for (const Target& each : entry->targets) targets.push_back(each.workload);
    }
    for (const WorkloadId id : targets) note_lost(id, true);
    if (brief) return;
    const Snapshot& cluster = inventory.cluster();
    const auto end = [&](WorkloadId id, bool only_pending) {
      for (const PodId pod : pods_of(inventory, id)) {
        if (!cluster.finished(pod) && (cluster.pending(pod) || !only_pending)) verdict.ending.push_back(pod);
      }
    };
    for (const WorkloadId id : targets) end(id, true);
    for (const WorkloadId id : inventory.workloads().ids()) {
      if (std::find(targets.begin(), targets.end(), id) != targets.end()) continue;
      if (account.start.ends_pods(id)) {
        end(id, false);
        note_lost(id, false);
      } else if (!verdict.more_come && account.start.phase(id) == Phase::admitted) {
        const std::int64_t missing = pods_to_come(inventory, id);
        if (missing == 0) continue;
        verdict.more_come = Gap{GapRule::kueue_pods_to_come, {inventory.workloads()[id].key, std::to_string(missing)}};
      }
    }
  }

  // Quota does not depend on nodes; a topology does, and workloads of one cycle share it.
  [[nodiscard]] auto decisive_nodes(const Verdict& verdict) const -> std::optional<std::vector<Symbol>> override {
    const auto* const account = static_cast<const EngineTrace*>(verdict.account.get());
    if (account != nullptr && !account->inventory->topologies().all().empty()) return {};
    return std::vector<Symbol>{};
  }
};

const KueueEngine kEngine;

}  // namespace
}  // namespace kueue

const Engine& kueue_engine = kueue::kEngine;

}  // namespace previct
