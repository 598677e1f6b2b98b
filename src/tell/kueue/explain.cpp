#include "tell/kueue/explain.h"

#include "base/text.h"
#include "engine/kueue/rules.h"
#include "engine/kueue/subject.h"
#include "report/rows.h"
#include "tell/kueue/amounts.h"
#include "tell/kueue/evidence.h"
#include "tell/kueue/messages.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <list>
#include <map>
#include <set>
#include <span>

namespace previct::kueue {
namespace {

constexpr std::size_t kMostNamed = 3;

auto inactive_words(const QueueInfo& queue) -> std::string {
  switch (queue.inactive) {
    case Inactive::deleted: return "it is being deleted";
    case Inactive::stopped: return fmt::format("its stopPolicy is {}", queue.inactive_because);
    case Inactive::flavor_missing: return fmt::format("ResourceFlavor {} does not exist", queue.inactive_because);
    case Inactive::check_missing: return fmt::format("AdmissionCheck {} does not exist", queue.inactive_because);
    case Inactive::check_inactive: return fmt::format("AdmissionCheck {} is not active", queue.inactive_because);
    case Inactive::checks:
      return fmt::format("AdmissionCheck {} does not suit its other checks", queue.inactive_because);
    case Inactive::topology: return fmt::format("Topology {} of a flavor does not exist", queue.inactive_because);
    case Inactive::cycle: return fmt::format("the cohorts above it form a cycle ({})", queue.inactive_because);
    case Inactive::no: break;
  }
  return "it is inactive";
}

/// The text for one account.
class Explainer {
 public:
  explicit Explainer(const EngineTrace& account)
      : account_(account),
        inventory_(*account.inventory),
        info_(inventory_.workloads()[account.workload]),
        tree_(account.start.tree()) {}

  auto sentence() -> std::string {
    if (account_.not_queued != NotQueued::no) return not_queued();
    const Entry* const entry = account_.entry();
    if (entry == nullptr) return waiting();
    return of_entry(*entry, account_.cycle);
  }

  auto details() -> std::vector<Block> {
    std::vector<Block> blocks;
    add_queue(blocks);
    const Entry* const entry = account_.entry();
    const Entry* const shown = account_.alone ? &account_.alone->entry : entry;
    if (shown != nullptr) add_flavors(*shown, blocks);
    if (entry != nullptr) add_placement(*entry, blocks);
    if (account_.queue && inventory_.queues()[account_.queue].inactive == Inactive::no) add_quota(blocks);
    if (account_.alone && account_.alone->trace) add_candidates(*account_.alone, blocks);
    add_cycles(blocks);
    add_alone(blocks);
    add_pending_pods(blocks);
    return blocks;
  }

  // `workload speech/asr: InCohortReclamation`
  [[nodiscard]] auto why_victim(PodId pod) const -> std::string {
    const WorkloadId of = workload_of(inventory_, pod);
    const std::vector<Target>& targets = account_.entry()->targets;
    const auto target =
        std::find_if(targets.begin(), targets.end(), [&](const Target& each) { return each.workload == of; });
    return target == targets.end() ? std::string()
                                   : fmt::format("workload {}: {}", key(of), reason_name(target->reason));
  }

 private:
  [[nodiscard]] auto queue() const -> const QueueInfo& { return inventory_.queues()[account_.queue]; }
  [[nodiscard]] auto key(WorkloadId id) const -> const std::string& { return inventory_.workloads()[id].key; }
  [[nodiscard]] auto holds_in(WorkloadId id) const -> const std::string& {
    return inventory_.queues()[account_.start.quota_queue(id)].name;
  }

  auto not_queued() -> std::string {
    const std::string_view queue_name = kueue::queue_name(account_);
    switch (account_.not_queued) {
      case NotQueued::admitted:
        return fmt::format("is already admitted by ClusterQueue {}{}{}", queue_name, held(), preempted());
      case NotQueued::reserved:
        if (const QuotaLoss coming = account_.start.loss_of(account_.workload); coming.reason != LossReason::none)
          return loses_quota(queue_name, coming);
        return fmt::format("holds quota of ClusterQueue {}{}, and is admitted when its admission checks are ready{}{}",
                           queue_name, held(), checks(), preempted());
      case NotQueued::evicting:
        if (state().loss.reason != LossReason::none) return loses_quota(queue_name, state().loss);
        return fmt::format("is being evicted ({}); its quota of ClusterQueue {} is used until its pods have ended",
                           state()[ConditionType::evicted].reason, queue_name);
      case NotQueued::finished: return "has finished";
      case NotQueued::deleting: return deleting(queue_name);
      case NotQueued::deactivated:
        return state().is(ConditionType::quota_reserved)
                   ? fmt::format(
                         "is being evicted, because it is deactivated (spec.active is false); its quota of "
                         "ClusterQueue {} is free",
                         queue_name)
                   : "is not admitted, because it is deactivated (spec.active is false)";
      case NotQueued::on_hold: return "is on hold (condition QuotaReserved, reason OnHold)";
      case NotQueued::admission_gated:
        return "waits for its admission gate (annotation kueue.x-k8s.io/admission-gated-by)";
      case NotQueued::waiting_for_replacement_pods: return "waits for replacement pods";
      case NotQueued::no_local_queue:
        return fmt::format("is in no queue, because LocalQueue {} does not exist", info_.local_queue_key);
      case NotQueued::local_queue_stopped:
        return fmt::format("is in no queue, because LocalQueue {} is stopped (stopPolicy {})", info_.local_queue_key,
                           inventory_.text(inventory_.local_queues()[info_.local_queue].object->spec.stop_policy));
      case NotQueued::no_cluster_queue:
        return fmt::format("is in no queue, because ClusterQueue {}, which LocalQueue {} names, does not exist",
                           queue_name, info_.local_queue_key);
      case NotQueued::cluster_queue_inactive:
        return fmt::format("stays pending, because ClusterQueue {} is inactive: {}", queue_name,
                           inactive_words(queue()));
      case NotQueued::backoff: {
        const Instant at = account_.start.requeued_at(account_.workload);
        if (at > account_.start.now() && !at.is_never())
          return fmt::format("stays pending until {} ({})", format_moment(at, account_.start.now()),
                             at == account_.start.retry_time(account_.workload) ? "an admission check requests a retry"
                                                                                : "status.requeueState.requeueAt");
        const std::string_view reason = state()[ConditionType::requeued].reason;
        return fmt::format("stays pending: its condition Requeued is False{}",
                           reason.empty() ? "" : fmt::format(" ({})", reason));
      }
      case NotQueued::no: break;
    }
    return "is not in a queue";
  }

  [[nodiscard]] auto state() const -> const Controller::WorkloadState& {
    return account_.start.state(account_.workload);
  }

  [[nodiscard]] auto deleting(std::string_view queue_name) const -> std::string {
    const ObjectMeta& meta = info_.object->meta;
    std::vector<std::string> finalizers;
    for (const Symbol each : meta.finalizers) finalizers.emplace_back(inventory_.text(each));
    std::string words = "is being deleted";
    if (!finalizers.empty())
      words += fmt::format(" ({} {})", finalizers.size() == 1 ? "finalizer" : "finalizers", joined(finalizers, ", "));
    if (state().holds_in) words += fmt::format("; until then, its quota of ClusterQueue {} is used", queue_name);
    return words;
  }

  [[nodiscard]] auto loses_quota(std::string_view queue_name, const QuotaLoss& loss) const -> std::string {
    const LossReason reason = loss.reason;
    const bool drained = reason == LossReason::local_queue_drained || reason == LossReason::cluster_queue_drained;
    const Instant now = account_.start.now();
    const std::string at = loss.at > now ? fmt::format(" at {}", format_moment(loss.at, now)) : "";
    return fmt::format("loses its quota of ClusterQueue {}{}, because {}, and is {}", queue_name, at,
                       why_it_loses(loss),
                       is_deleted()          ? "deleted with its pods, which nothing recreates"
                       : deactivates(reason) ? "deactivated"
                       : drained             ? "queued again when the queue is started"
                                             : "queued again");
  }

  [[nodiscard]] auto is_deleted() const -> bool {
    return state().is(ConditionType::admitted) && goes_with_its_pods(inventory_, account_.workload);
  }

  [[nodiscard]] auto why_it_loses(const QuotaLoss& loss) const -> std::string {
    const auto at = [&] { return format_moment(loss.at, account_.start.now()); };
    switch (loss.reason) {
      case LossReason::deactivation_target:
        return fmt::format("its condition DeactivationTarget is True ({})",
                           state()[ConditionType::deactivation_target].reason);
      case LossReason::check_rejected: return "an admission check rejects it" + checks();
      case LossReason::check_retried: return "an admission check requests a retry" + checks();
      case LossReason::local_queue_drained:
        return fmt::format("LocalQueue {} is stopped (stopPolicy HoldAndDrain)", info_.local_queue_key);
      case LossReason::cluster_queue_drained: return "the queue is stopped (stopPolicy HoldAndDrain)";
      case LossReason::pods_not_ready: return fmt::format("its pods were not ready until {} (waitForPodsReady)", at());
      case LossReason::requeuing_limit:
        return fmt::format(
            "its pods were not ready until {}, more often than backoffLimitCount of waitForPodsReady "
            "allows",
            at());
      case LossReason::execution_time: return fmt::format("its maximumExecutionTimeSeconds ended at {}", at());
      case LossReason::none: break;
    }
    return {};
  }

  // `; workload team/train would preempt it in the next cycle`
  [[nodiscard]] auto preempted() const -> std::string {
    if (!account_.preemptor) return {};
    const auto& [by, cycle, certain] = *account_.preemptor;
    return fmt::format("; workload {} {} preempt it in {}", key(by), certain ? "would" : "may",
                       cycle == 1 ? "the next cycle" : fmt::format("cycle {} from now", cycle));
  }

  // `, on flavor spot`
  [[nodiscard]] auto held() const -> std::string {
    std::set<std::string> flavors;
    for (const FlavorResource each : account_.start.state(account_.workload).flavors)
      flavors.insert(std::string(inventory_.text(inventory_.names()[each].flavor)));
    if (flavors.empty()) return {};
    return fmt::format(" on flavor {}", fmt::join(flavors, ", "));
  }

  [[nodiscard]] auto checks() const -> std::string {
    std::vector<std::string> states;
    for (const AdmissionCheckState& each : info_.object->status.admission_checks)
      states.push_back(fmt::format("{}: {}", inventory_.text(each.name), inventory_.text(each.state)));
    return states.empty() ? std::string() : fmt::format(" ({})", joined(states, ", "));
  }

  auto waiting() -> std::string {
    if (const Entry* const like = account_.entry_like(); like != nullptr)
      return fmt::format("{} (as {}, which has the same pods)", pending(*like, "", account_.like_cycle == 1),
                         key(like->workload));
    const std::vector<WorkloadId> all = account_.start.queue(account_.queue, false);
    const auto at = std::find(all.begin(), all.end(), account_.workload);
    const auto before = static_cast<std::size_t>(at - all.begin());
    std::string words = fmt::format("stays pending, {} of {} in ClusterQueue {}: {} first", ordinal(before + 1),
                                    all.size(), queue().name, counted(before, "workload comes", "workloads come"));
    if (before > 0) words += fmt::format(" ({})", named(std::vector<WorkloadId>(all.begin(), at)));
    if (queue().strict) words += ", and the queue is StrictFIFO";
    return words;
  }

  // `cycle`: the number of the cycle of its turn; mentioned from the second cycle on, unless it was `told`.
  auto of_entry(const Entry& entry, std::size_t cycle, bool told = false) -> std::string {
    const bool tells = cycle > 1 && !told;
    const std::string in_cycle = tells ? fmt::format(", in cycle {} from now", cycle) : std::string();
    const std::string turn = tells ? fmt::format(" (it is tried in cycle {})", cycle) : std::string();
    switch (entry.outcome) {
      case EntryOutcome::admitted:
        return fmt::format("would be admitted by ClusterQueue {}{}{}", queue().name, on(entry), in_cycle);
      case EntryOutcome::reserved:
        return fmt::format(
            "would get quota of ClusterQueue {}{}{}, and be admitted when its admission checks are ready{}",
            queue().name, on(entry), in_cycle, missing_checks());
      case EntryOutcome::preempting: return preempting(entry) + in_cycle;
      case EntryOutcome::skipped: return skipped(entry, turn);
      case EntryOutcome::inadmissible: return refused(entry);
      case EntryOutcome::no_fit:
      case EntryOutcome::no_candidates: break;
    }
    return pending(entry, turn, cycle == 1) + (&entry == account_.entry() ? quota_returns() : "");
  }

  auto skipped(const Entry& entry, const std::string& turn) -> std::string {
    const Entry* const then = &entry == account_.entry() ? account_.entry_again() : nullptr;
    const bool stays = then != nullptr && outcome_of(*then) == Outcome::pending;
    std::string words = fmt::format("stays pending{}{}: {}", stays ? "" : " for now", turn,
                                    entry.skipped == Skipped::overlapping_targets
                                        ? "an earlier workload of the cycle preempts one of its victims"
                                        : "earlier workloads of the cycle use the quota");
    if (then == nullptr) return words + "; it is tried again in the next cycle";
    return fmt::format("{}; in cycle {}, it {}", words, account_.again, of_entry(*then, account_.again, true));
  }

  // What becomes of it once workloads that are being evicted or deleted have returned their quota.
  auto quota_returns() -> std::string {
    const bool retried = account_.awaits_quota();
    const std::vector<WorkloadId> ids = retried ? account_.start.leaving(queue().tree) : account_.returning_unnoticed();
    if (ids.empty()) return {};
    const bool one = ids.size() == 1;
    const bool evicted =
        std::all_of(ids.begin(), ids.end(), [&](WorkloadId id) { return account_.start.is_evicted(id); });
    const std::string who = fmt::format("{} {}, which {} being {},", one ? "workload" : "workloads", named(ids),
                                        one ? "is" : "are", evicted ? "evicted" : "evicted or deleted");
    const std::string_view its = one ? "its" : "their";
    if (!retried)
      return fmt::format(
          "; {} {} {} quota, but Kueue tries no other workload for that, because {} LocalQueue is stopped "
          "or missing",
          who, one ? "returns" : "return", its, its);
    return fmt::format("; when {} {} returned {} quota, it {}", who, one ? "has" : "have", its,
                       of_entry(*account_.entry_again(), 1));
  }

  // ` on flavor spot, borrowing from cohort team, with 3 of 5 pods`
  [[nodiscard]] auto on(const Entry& entry) const -> std::string {
    std::map<std::string, std::set<std::string>> by_resource;
    std::set<std::string> flavors;
    std::int64_t pods = 0;
    std::int64_t all = 0;
    for (const AssignedPodSet& set : entry.assignment.sets) {
      pods += set.count;
      for (const ChosenFlavor& each : set.flavors) {
        flavors.insert(std::string(inventory_.text(each.flavor)));
        by_resource[std::string(inventory_.text(each.resource))].insert(std::string(inventory_.text(each.flavor)));
      }
    }
    for (const PodSetRequest& each : inventory_.requests(account_.workload)) all += each.count;
    std::string words;
    if (flavors.size() == 1) words = fmt::format(" on flavor {}", *flavors.begin());
    if (flavors.size() > 1) {
      std::vector<std::string> parts;
      for (const auto& [resource, of] : by_resource)
        parts.push_back(fmt::format("{}: {}", resource, fmt::join(of, ", ")));
      words = fmt::format(" on flavors {} ({})", fmt::join(flavors, ", "), joined(parts, "; "));
    }
    if (entry.assignment.level > 0)
      words += fmt::format(", borrowing from cohort {}", tree_[tree_[queue().node].parent].name);
    if (pods != all) words += fmt::format(", with {} of {} pods", pods, all);
    return words + placed(entry);
  }

  // `, with its pods in gpu-1 (2), gpu-2 (1)`
  [[nodiscard]] auto placed(const Entry& entry) const -> std::string {
    std::map<std::string, std::int64_t> pods;
    for (const AssignedPodSet& set : entry.assignment.sets) {
      if (!set.placed) continue;
      for (const PlacedPods& each : *set.placed) pods[each.domain] += each.count;
    }
    std::vector<std::string> parts;
    for (const auto& [domain, count] : pods)
      parts.push_back(pods.size() == 1 ? domain : fmt::format("{} ({})", domain, count));
    return parts.empty() ? std::string()
                         : fmt::format(", with its pods in {}", joined_up_to(kMostNamed, std::move(parts)));
  }

  [[nodiscard]] auto missing_checks() const -> std::string {
    std::vector<std::string> names;
    for (const CheckOfFlavors& each : queue().object->spec.admission_checks.checks)
      names.emplace_back(inventory_.text(each.name));
    return names.empty() ? std::string() : fmt::format(" ({})", joined(names, ", "));
  }

  [[nodiscard]] auto named(const std::vector<WorkloadId>& ids) const -> std::string {
    std::vector<std::string> names;
    for (const WorkloadId id : ids) names.push_back(key(id));
    return joined_up_to(kMostNamed, std::move(names));
  }

  auto preempting(const Entry& entry) -> std::string {
    std::map<std::string, std::vector<WorkloadId>> by_queue;
    std::size_t ongoing = 0;
    for (std::size_t i = 0; i < entry.targets.size(); ++i) {
      by_queue[holds_in(entry.targets[i].workload)].push_back(entry.targets[i].workload);
      ongoing += entry.ongoing[i] != 0 ? 1U : 0U;
    }
    std::vector<std::string> parts;
    for (const auto& [name, ids] : by_queue) {
      parts.push_back(by_queue.size() == 1 ? fmt::format("of ClusterQueue {} ({})", name, named(ids))
                                           : fmt::format("{} of ClusterQueue {} ({})", ids.size(), name, named(ids)));
    }
    const std::string verb = ongoing == entry.targets.size() ? "waits until" : "would preempt";
    const std::string victims = counted(entry.targets.size(), "workload", "workloads");
    const std::string named_victims =
        fmt::format("{}{} {}", victims, by_queue.size() == 1 ? "" : ":", joined(parts, ", "));
    if (ongoing == entry.targets.size())
      return fmt::format("waits until {} {} evicted; then it would be admitted{}", named_victims,
                         entry.targets.size() == 1 ? "is" : "are", on(entry));
    std::string words = fmt::format("{} {}, and then be admitted{}", verb, named_victims, on(entry));
    if (ongoing > 0) words += fmt::format(" ({} of them already being evicted)", ongoing);
    return words;
  }

  auto refused(const Entry& entry) -> std::string {
    switch (entry.refused) {
      case Refused::failed_checks: return fmt::format("is not admissible: an admission check failed{}", checks());
      case Refused::namespace_mismatch:
        return queue().object->spec.namespace_selector
                   ? fmt::format(
                         "is not admissible: the namespaceSelector of ClusterQueue {} does not match namespace {}",
                         queue().name, inventory_.text(info_.object->meta.ns))
                   : fmt::format(
                         "is not admissible: ClusterQueue {} has no namespaceSelector, so it admits no namespace",
                         queue().name);
      case Refused::resources: return fmt::format("is not admissible: {}", inventory_.refusal(account_.workload));
      case Refused::queue_inactive:
      case Refused::no: break;
    }
    return fmt::format("is not admissible: ClusterQueue {} is inactive", queue().name);
  }

  // `at_start`: its turn is in the first cycle.
  auto pending(const Entry& entry, const std::string& turn, bool at_start) -> std::string {
    const std::vector<WorkloadId> all = account_.start.queue(account_.queue, false);
    const auto at = std::find(all.begin(), all.end(), account_.workload);
    std::string place;
    if (all.size() > 1)
      place = fmt::format(", {} of {}", ordinal(static_cast<std::size_t>(at - all.begin()) + 1), all.size());
    const Workload& object = *inventory_.workloads()[entry.workload].object;
    if (const std::string error = topology_error_words(entry.assignment, object, inventory_); !error.empty())
      return fmt::format("stays pending{} in ClusterQueue {}{}: {}", place, queue().name, turn, error);
    std::vector<std::string> reasons;
    std::set<std::string> seen;
    for (const AssignedPodSet& set : entry.assignment.sets) {
      for (const WhyNot& why : set.reasons) {
        std::string words = why_not_words(why, account_.queue, tree_, inventory_, at_start);
        if (seen.insert(words).second) reasons.push_back(std::move(words));
      }
    }
    constexpr std::size_t kMostReasons = 2;
    std::string words = fmt::format("stays pending{} in ClusterQueue {}{}: {}", place, queue().name, turn,
                                    joined_up_to(kMostReasons, std::move(reasons)));
    for (const AssignedPodSet& set : entry.assignment.sets) {
      if (!set.never_fits) continue;
      const bool same = std::any_of(set.reasons.begin(), set.reasons.end(),
                                    [&](const WhyNot& why) { return why.placement == set.never_fits; });
      if (same) return words + ", even without other workloads";
      return words + "; even without other workloads, " + no_placement_words(*set.never_fits, inventory_);
    }
    if (entry.outcome == EntryOutcome::no_candidates) words += "; " + why_no_victims(entry);
    if (entry.outcome == EntryOutcome::no_fit && short_only(entry)) words += fmt::format("; {}", may_not_preempt());
    return words;
  }

  // Why no preemption helps, if the search for victims found candidates.
  [[nodiscard]] auto why_no_victims(const Entry& entry) const -> std::string {
    const bool searched = account_.alone && account_.alone->trace && entry.workload == account_.workload &&
                          account_.alone->entry.outcome == EntryOutcome::no_candidates;
    if (!searched || account_.alone->trace->candidates.empty()) return "no workload may be preempted for it";
    const Trace& trace = *account_.alone->trace;
    std::set<WorkloadId> removed;
    std::set<WorkloadId> only_without_borrowing;
    for (const Pass& pass : trace.passes) {
      // Without borrowing, candidates are removed that a workload that borrows may not preempt.
      for (const Step& step : pass.steps) {
        if (step.reason && pass.borrowing != false) removed.insert(step.workload);
      }
      for (const auto& [id, why] : pass.passed_over) {
        if (why == PassedOver::only_without_borrowing) only_without_borrowing.insert(id);
      }
    }
    const std::size_t all = trace.candidates.size();
    const std::string candidates = counted(all, "workload", "workloads");
    if (only_without_borrowing.size() == all && removed.empty()) {
      return fmt::format(
          "{} may be preempted only if ClusterQueue {} does not borrow, but it would borrow {} "
          "(borrowWithinCohort: {})",
          candidates, queue().name, borrowed_words(entry), queue().borrows_to_preempt ? "LowerPriority" : "Never");
    }
    if (inventory_.settings().fair && removed.size() < all)
      return fmt::format("fair shares let it preempt {} of {}", removed.empty() ? "none" : "too few", candidates);
    if (only_topology_is_left(entry, trace))
      return fmt::format("{} may be preempted, but even then its pods do not fit into the topology", candidates);
    return fmt::format("{} may be preempted, but that is not enough", candidates);
  }

  // `4 cpu, 2 memory`: what its ClusterQueue would borrow for it.
  [[nodiscard]] auto borrowed_words(const Entry& entry) const -> std::string {
    std::vector<std::string> parts;
    for (const Request& each : entry.assignment.usage) {
      const Symbol resource = inventory_.names()[each.of].resource;
      const Amount own = tree_.nominal(queue().node, each.of) - tree_.usage(queue().node, each.of);
      const Amount more = each.amount - std::max(kNothing, own);
      if (more > kNothing)
        parts.push_back(fmt::format("{} {}", plain_amount(more, resource, inventory_), inventory_.text(resource)));
    }
    return joined(parts, ", ");
  }

  // Returns true if the quota of the candidates, all of its own queue, would be enough.
  [[nodiscard]] auto only_topology_is_left(const Entry& entry, const Trace& trace) const -> bool {
    if (!needs_topology(inventory_, account_.workload, account_.queue)) return false;
    std::map<FlavorResource, Amount> freed;
    for (const Candidate& each : trace.candidates) {
      const Controller::WorkloadState& state = account_.start.state(each.workload);
      if (state.holds_in != account_.queue) return false;
      for (const Request& used : state.usage) {
        const auto at = freed.try_emplace(used.of, kNothing).first;
        at->second = at->second + used.amount;
      }
    }
    return std::all_of(entry.assignment.sets.begin(), entry.assignment.sets.end(), [&](const AssignedPodSet& set) {
      return std::all_of(set.reasons.begin(), set.reasons.end(), [&](const WhyNot& why) {
        if (why.kind != WhyNot::Kind::short_of) return false;
        const auto found = freed.find(inventory_.names().find(why.flavor, why.resource));
        return found != freed.end() && found->second >= why.limit;
      });
    });
  }

  // Returns true if it would fit without other workloads.
  [[nodiscard]] static auto short_only(const Entry& entry) -> bool {
    for (const AssignedPodSet& set : entry.assignment.sets) {
      for (const WhyNot& why : set.reasons) {
        if (why.kind == WhyNot::Kind::short_of) return true;
      }
    }
    return false;
  }

  [[nodiscard]] auto may_not_preempt() const -> std::string {
    return fmt::format("ClusterQueue {} may not preempt to borrow (borrowWithinCohort: {})", queue().name,
                       queue().borrows_to_preempt ? "LowerPriority" : "Never");
  }

  // ---- tables

  void add_queue(std::vector<Block>& blocks) {
    if (!account_.queue || account_.not_queued != NotQueued::no) return;
    const std::vector<WorkloadId> all = account_.start.queue(account_.queue, false);
    if (all.size() < 2) return;
    constexpr std::size_t kShown = 8;
    std::vector<std::size_t> shown;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (i < kShown || all[i] == account_.workload) shown.push_back(i);
    }
    Table table = table_of(shown, [&](Row& row, std::size_t i) {
      const WorkloadInfo& info = inventory_.workloads()[all[i]];
      row.number("PLACE", i + 1);
      row.text("IN QUEUE", info.key, all[i] == account_.workload ? Tone::verdict : Tone::plain);
      row.number("PRIORITY", info.priority());
      row.text("LOCALQUEUE", info.local_queue_key).optional();
      row.text("QUEUED", format_clock(account_.start.queue_time(all[i]), account_.start.now())).optional();
    });
    if (all.size() > table.rows.size())
      table.footer.push_back(
          {{{fmt::format("+ {} more of ClusterQueue {}", all.size() - table.rows.size(), queue().name)}}});
    blocks.emplace_back(std::move(table));
  }

  // Where the topology assignment places the pods.
  void add_placement(const Entry& entry, std::vector<Block>& blocks) {
    const Outcome outcome = outcome_of(entry);
    if (outcome != Outcome::fits && outcome != Outcome::preempts) return;
    constexpr std::size_t kShown = 30;
    using Part = std::pair<const AssignedPodSet*, const PlacedPods*>;
    std::vector<Part> parts;
    std::size_t more = 0;
    for (const AssignedPodSet& set : entry.assignment.sets) {
      if (!set.placed) continue;
      for (const PlacedPods& each : *set.placed) {
        if (parts.size() < kShown) {
          parts.emplace_back(&set, &each);
        } else {
          ++more;
        }
      }
    }
    Table table = table_of(parts, [&](Row& row, const Part& part) {
      const auto& [set, placed] = part;
      std::vector<std::string> values;
      for (const Symbol value : placed->values) values.emplace_back(inventory_.text(value));
      row.text("POD SET", name_of(info_.object->spec.pod_sets[set->index], inventory_.cluster()));
      row.text("FLAVOR", inventory_.text(set->topology_flavor));
      row.text("TOPOLOGY DOMAIN", joined(values, " / "));
      row.number("PODS", placed->count);
    });
    if (more > 0) table.footer.push_back({{{fmt::format("+ {} more (-o json has all)", more)}}});
    if (!table.rows.empty()) blocks.emplace_back(std::move(table));
  }

  void add_flavors(const Entry& entry, std::vector<Block>& blocks) {
    using Tried = std::pair<std::string, const Attempt*>;  // of a pod set
    std::vector<Tried> tried;
    std::list<Attempt> undeclared;  // one for each resource without quota
    const auto no_flavor = [](const WhyNot& why) {
      return Attempt{.flavor = {}, .mode = Mode::no_fit, .reasons = {why}};
    };
    for (const AssignedPodSet& set : entry.assignment.sets) {
      const std::string name(name_of(info_.object->spec.pod_sets[set.index], inventory_.cluster()));
      for (const Attempt& each : set.attempts) tried.emplace_back(name, &each);
      for (const WhyNot& why : set.reasons) {
        if (why.kind == WhyNot::Kind::undeclared) tried.emplace_back(name, &undeclared.emplace_back(no_flavor(why)));
      }
    }
    Table table = table_of(tried, [&](Row& row, const Tried& of) {
      const Attempt& each = *of.second;
      std::vector<std::string> reasons;
      for (const WhyNot& why : each.reasons) reasons.push_back(why_not_words(why, account_.queue, tree_, inventory_));
      constexpr std::array<std::string_view, 5> kWays = {"no", "no victims", "preempts in its queue", "reclaims",
                                                         "fits"};
      const auto way = each.mode == Mode::no_fit ? ByWay::no_fit : each.way;
      row.text("POD SET", of.first);
      row.text("FLAVOR", each.flavor ? inventory_.text(each.flavor) : "-");
      row.text("RESULT", {kWays[static_cast<std::size_t>(way)], way == ByWay::fit ? Tone::safe : Tone::plain});
      row.number("BORROWS", each.level == 0 ? Cell("-") : Cell(each.level)).optional();
      row.text("WHY", reasons.empty() ? "-" : joined(reasons, "; "));
    });
    if (!table.rows.empty()) blocks.emplace_back(std::move(table));
  }

  // From the ClusterQueue up: what each level has, uses, borrows and could lend of the resources that the workload
  // requests.
  void add_quota(std::vector<Block>& blocks) {
    std::set<Symbol> resources;
    for (const PodSetRequest& set : inventory_.requests(account_.workload)) {
      for (const ResourceAmount& each : set.requests) resources.insert(each.resource);
    }
    struct AtLevel {
      const QuotaTree::Node& node;
      const QuotaTree::Cell& cell;
      Amount free;
    };
    std::vector<AtLevel> quotas;
    std::vector<QuotaNodeId> levels = tree_.ancestors(queue().node);
    levels.insert(levels.begin(), queue().node);
    for (const QuotaNodeId level : levels) {
      for (const QuotaTree::Cell& cell : tree_[level].cells) {
        const FlavorResources::Names& names = inventory_.names()[cell.of];
        if (cell.has_subtree && resources.contains(names.resource) && offered(names))
          quotas.push_back({tree_[level], cell, tree_.free(level, cell.of)});
      }
    }
    Table table = table_of(quotas, [&](Row& row, const AtLevel& each) {
      const QuotaTree::Cell& cell = each.cell;
      const FlavorResources::Names& names = inventory_.names()[cell.of];
      const auto plain = [&](Amount amount) { return plain_amount(amount, names.resource, inventory_); };
      std::vector<std::string> limits;
      if (cell.quota.borrowing_limit) limits.push_back(fmt::format("borrowing {}", plain(*cell.quota.borrowing_limit)));
      if (cell.quota.lending_limit) limits.push_back(fmt::format("lending {}", plain(*cell.quota.lending_limit)));
      row.text("LEVEL", fmt::format("{} {}", each.node.is_cluster_queue ? "ClusterQueue" : "Cohort", each.node.name));
      row.text("FLAVOR", inventory_.text(names.flavor));
      row.text("RESOURCE", inventory_.text(names.resource));
      row.number("QUOTA", plain(cell.subtree));
      row.number("USED", plain(cell.usage));
      row.number("BORROWED", plain(std::max(kNothing, cell.usage - cell.subtree)));
      row.number("FREE", plain(each.free));
      row.text("LIMITS", limits.empty() ? "-" : joined(limits, ", ")).optional();
    });
    if (!table.rows.empty()) blocks.emplace_back(std::move(table));
  }

  [[nodiscard]] auto offered(const FlavorResources::Names& names) const -> bool {
    return std::any_of(queue().groups.begin(), queue().groups.end(), [&](const FlavorGroup& group) {
      return group.covers(names.resource) &&
             std::any_of(group.flavors.begin(), group.flavors.end(),
                         [&](const FlavorOfGroup& flavor) { return flavor.name == names.flavor; });
    });
  }

  // Adds the workloads that were tried as victims, with the result, and those that are not candidates, counted by
  // reason.
  void add_candidates(const Alone& alone, std::vector<Block>& blocks) {
    const Trace& trace = *alone.trace;
    constexpr std::size_t kShown = 15;
    const std::span candidates(trace.candidates);
    const bool folded = candidates.size() > kShown;
    Table table = table_of(folded ? candidates.first(kShown) : candidates, [&](Row& row, const Candidate& each) {
      const auto [result, why] = result_of(each, alone);
      row.text("CANDIDATE", key(each.workload));
      row.text("CLUSTERQUEUE", holds_in(each.workload));
      row.number("PRIORITY", inventory_.workloads()[each.workload].priority());
      row.text("RESULT", result, result == "victim" ? Tone::danger : Tone::plain);
      row.text("WHY", why).optional();
    });
    if (folded) table.footer.push_back({{{fmt::format("+ {} more candidates", candidates.size() - kShown)}}});
    std::map<NoCandidate, std::vector<WorkloadId>> others;
    for (const auto& [id, why] : alone.others) others[why].push_back(id);
    for (const auto& [why, ids] : others) {
      table.footer.push_back({{{fmt::format("no candidates: {} ({}): {}", counted(ids.size(), "workload", "workloads"),
                                            no_candidate_words(why), named(ids))}}});
    }
    if (!table.rows.empty()) return blocks.emplace_back(std::move(table)), void();
    if (table.footer.empty()) return;
    blocks.emplace_back(Paragraph{"no candidates", std::move(table.footer)});
  }

  [[nodiscard]] auto no_candidate_words(NoCandidate why) const -> std::string {
    switch (why) {
      case NoCandidate::policy_never:
        return fmt::format("withinClusterQueue is {}, reclaimWithinCohort {}", policy_name(queue().within),
                           policy_name(queue().reclaim));
      case NoCandidate::within_nominal: return "their ClusterQueue, or a cohort above it, uses only its own quota";
      case NoCandidate::other_flavor: return "they use none of the missing quota";
      case NoCandidate::priority: break;
    }
    return fmt::format("their priority is not below {}", info_.priority());
  }

  [[nodiscard]] auto result_of(const Candidate& candidate, const Alone& alone) const
      -> std::pair<std::string, std::string> {
    const auto is_it = [&](const Target& each) { return each.workload == candidate.workload; };
    const auto target = std::find_if(alone.entry.targets.begin(), alone.entry.targets.end(), is_it);
    if (target != alone.entry.targets.end()) return {"victim", std::string(reason_name(target->reason))};
    for (const Pass& pass : alone.trace->passes) {
      if (std::find(pass.put_back.begin(), pass.put_back.end(), candidate.workload) != pass.put_back.end())
        return {"put back", std::string(rule_words(Rule::spared_put_back))};
    }
    for (const Pass& pass : alone.trace->passes) {
      for (const auto& [id, why] : pass.passed_over) {
        if (id != candidate.workload) continue;
        return {"passed over",
                std::string(rule_words(why == PassedOver::only_without_borrowing ? Rule::spared_borrowing
                                                                                 : Rule::spared_back_to_nominal))};
      }
      for (const Step& step : pass.steps) {
        if (step.workload != candidate.workload || step.reason) continue;
        return {"passed over", fmt::format("its side has share {:.1f}, the preemptor's {:.1f}",
                                           step.new_share.value_or(step.old_share), step.preemptor_share)};
      }
    }
    const bool tried = std::any_of(alone.trace->passes.begin(), alone.trace->passes.end(), [&](const Pass& pass) {
      return std::any_of(pass.steps.begin(), pass.steps.end(),
                         [&](const Step& step) { return step.workload == candidate.workload; });
    });
    if (tried) return {"tried", "not enough, with all others"};
    if (!alone.entry.targets.empty()) return {"not needed", "-"};
    return {"passed over", std::string(rule_words(never_chosen(candidate.workload)))};
  }

  // Returns why a search without success did not try a candidate: fair sharing leaves out ClusterQueues, and cohorts
  // that are not above the preemptor's, that borrow nothing.
  // Source: pkg/scheduler/preemption/fairsharing/ordering.go nextTarget.
  [[nodiscard]] auto never_chosen(WorkloadId id) const -> Rule {
    const std::vector<QuotaNodeId> own = tree_.ancestors(queue().node);
    const QuotaNodeId node = inventory_.queues()[account_.start.quota_queue(id)].node;
    bool borrows = tree_.share(node).borrows;
    for (const QuotaNodeId above : tree_.ancestors(node)) {
      if (std::find(own.begin(), own.end(), above) != own.end()) break;
      borrows = borrows && tree_.share(above).borrows;
    }
    return borrows ? Rule::spared_back_to_nominal : Rule::spared_nominal;
  }

  // Adds the cycles of its scope, up to its turn.
  void add_cycles(std::vector<Block>& blocks) {
    constexpr std::size_t kShown = 12;
    using Tried = std::pair<std::size_t, const Entry*>;  // in a cycle
    std::vector<Tried> tried;
    std::size_t more = 0;
    const std::string& scope = account_.queue ? queue().scope : "";
    for (std::size_t i = 0; i < account_.cycles.size(); ++i) {
      if (account_.cycle != 0 && i >= account_.cycle) break;
      for (const std::vector<Entry>* list : {&account_.cycles[i]->refused, &account_.cycles[i]->entries}) {
        for (const Entry& entry : *list) {
          if (inventory_.queues()[entry.queue].scope != scope) continue;
          if (tried.size() < kShown || entry.workload == account_.workload) {
            tried.emplace_back(i, &entry);
          } else {
            ++more;
          }
        }
      }
    }
    Table table = table_of(tried, [&](Row& row, const Tried& each) {
      const Entry& entry = *each.second;
      std::vector<WorkloadId> victims;
      for (const Target& target : entry.targets) victims.push_back(target.workload);
      row.number("CYCLE", each.first + 1);
      row.text("WORKLOAD", key(entry.workload), entry.workload == account_.workload ? Tone::verdict : Tone::plain);
      row.text("CLUSTERQUEUE", inventory_.queues()[entry.queue].name);
      row.text("OUTCOME", outcome_name(entry.outcome));
      row.text("VICTIMS", victims.empty() ? "-" : named(victims)).optional();
    });
    if (more > 0) table.footer.push_back({{{fmt::format("+ {} more", more)}}});
    if (table.rows.size() > 1) blocks.emplace_back(std::move(table));
  }

  // Adds the result without other workloads, if it differs.
  void add_alone(std::vector<Block>& blocks) {
    const Entry* const entry = account_.entry();
    if (!account_.alone || (entry != nullptr && entry->outcome == account_.alone->entry.outcome)) return;
    blocks.emplace_back(
        Line{{{fmt::format("If no other workload waited, it {}.", of_entry(account_.alone->entry, 1))}}});
  }

  // Adds the pods of an admitted workload that are on no node: another scheduler decides about them.
  void add_pending_pods(std::vector<Block>& blocks) const {
    if (account_.not_queued != NotQueued::admitted) return;
    const Snapshot& cluster = inventory_.cluster();
    std::vector<PodId> pods = pods_of(inventory_, account_.workload);
    std::erase_if(pods, [&](PodId pod) {
      return cluster.node_of(pod) || cluster.text(cluster.pod(pod).status.phase) != "Pending";
    });
    if (pods.empty()) return;
    blocks.emplace_back(Line{{{fmt::format("{} on no node; previct explain {} shows why",
                                           counted(pods.size(), "pod is", "pods are"), cluster.key(pods.front()))}}});
  }

  const EngineTrace& account_;
  const Inventory& inventory_;
  const WorkloadInfo& info_;
  const QuotaTree& tree_;
};

}  // namespace

auto sentence(const EngineTrace& account) -> std::string {
  return Explainer(account).sentence();
}

namespace {

// Why it is not queued, or loses its quota.
auto cause_of(const EngineTrace& account) -> Cause {
  const auto because = [](std::string_view words) {
    return Cause{fmt::format("{} {}", rule_id(Rule::not_queued), words), std::string(words)};
  };
  switch (account.not_queued) {
    case NotQueued::deactivated: return because("it is deactivated");
    case NotQueued::on_hold: return because("it is on hold");
    case NotQueued::admission_gated: return because("it waits for its admission gate");
    case NotQueued::waiting_for_replacement_pods: return because("it waits for replacement pods");
    case NotQueued::no_local_queue: return because("its LocalQueue does not exist");
    case NotQueued::local_queue_stopped: return because("its LocalQueue is stopped");
    case NotQueued::no_cluster_queue: return because("its ClusterQueue does not exist");
    case NotQueued::cluster_queue_inactive: return because("its ClusterQueue is inactive");
    case NotQueued::evicting: {
      const Controller::WorkloadState& state = account.start.state(account.workload);
      if (state.loss.reason == LossReason::none) break;
      return because(state.deactivated ? "it is deactivated" : "it loses its quota");
    }
    case NotQueued::no:
    case NotQueued::finished:
    case NotQueued::deleting:
    case NotQueued::admitted:
    case NotQueued::reserved:
    case NotQueued::backoff: break;
  }
  return {};
}

auto cause_of(Refused refused) -> Cause {
  const auto because = [](std::string_view words) {
    return Cause{fmt::format("{} {}", rule_id(Rule::refused), words), std::string(words)};
  };
  switch (refused) {
    case Refused::failed_checks: return because("an admission check failed");
    case Refused::queue_inactive: return because("its ClusterQueue is inactive");
    case Refused::namespace_mismatch: return because("its ClusterQueue does not select its namespace");
    case Refused::resources: return because("its requests are not valid");
    case Refused::no: break;
  }
  return {};
}

}  // namespace

auto cause(const EngineTrace& account) -> Cause {
  const auto of_rule = [](Rule rule) { return Cause{std::string(rule_id(rule)), std::string(rule_words(rule))}; };
  const Entry* const entry = account.entry() == nullptr ? account.entry_like() : account.entry();
  if (account.not_queued == NotQueued::backoff) return of_rule(Rule::backoff);
  if (account.not_queued != NotQueued::no) return cause_of(account);
  if (entry == nullptr) return of_rule(Rule::behind);
  if (entry->refused != Refused::no) return cause_of(entry->refused);
  if (entry->outcome == EntryOutcome::skipped)
    return of_rule(entry->skipped == Skipped::overlapping_targets ? Rule::overlapping : Rule::no_longer_fits);
  const Inventory& inventory = *account.inventory;
  if (entry->assignment.error != TopologyError::no) return of_rule(Rule::topology_flavors);
  for (const AssignedPodSet& set : entry->assignment.sets) {
    if (set.reasons.empty()) continue;
    const WhyNot& why = set.reasons.front();
    const std::string_view resource = inventory.text(why.resource);
    const auto about = [&](Rule rule, std::string words) {
      return Cause{fmt::format("{} {}", rule_id(rule), resource), std::move(words)};
    };
    switch (why.kind) {
      case WhyNot::Kind::flavor_missing: return of_rule(Rule::flavor_missing);
      case WhyNot::Kind::taint: return of_rule(Rule::flavor_taint);
      case WhyNot::Kind::affinity: return of_rule(Rule::flavor_affinity);
      case WhyNot::Kind::no_topology:
      case WhyNot::Kind::no_level:
      case WhyNot::Kind::only_topology: return of_rule(Rule::flavor_topology);
      case WhyNot::Kind::no_placement: return of_rule(Rule::no_placement);
      case WhyNot::Kind::not_nominated: return of_rule(Rule::no_longer_fits);
      case WhyNot::Kind::over_capacity:
        return about(Rule::flavor_capacity, fmt::format("more {} than the ClusterQueue can ever have", resource));
      case WhyNot::Kind::short_of: return about(Rule::flavor_short, fmt::format("quota lacks {}", resource));
      case WhyNot::Kind::undeclared:
      case WhyNot::Kind::not_provided: return about(Rule::flavor_undeclared, fmt::format("no quota for {}", resource));
    }
  }
  return of_rule(Rule::no_fit);
}

namespace {

// What happens at that time, if a workload loses its quota then.
auto next_change_words(const EngineTrace& account, Instant at) -> std::string {
  const Controller& start = account.start;
  const bool holds = bool{start.state(account.workload).holds_in};
  if (at.is_never() || (!holds && !account.queue)) return {};
  const auto [id, loss] = holds ? std::pair(account.workload, start.loss_of(account.workload))
                                : start.next_loss(account.inventory->queues()[account.queue].scope);
  if (loss.at != at) return {};
  const std::string whose = fmt::format("workload {}", account.inventory->workloads()[id].key);
  if (loss.reason == LossReason::check_retried || loss.reason == LossReason::check_rejected)
    return fmt::format("an admission check of {} fails, and it is {}", whose,
                       deactivates(loss.reason) ? "deactivated" : "evicted");
  if (loss.reason == LossReason::local_queue_drained || loss.reason == LossReason::cluster_queue_drained)
    return fmt::format("the queue of {} is stopped, and it is evicted", whose);
  if (loss.reason == LossReason::execution_time)
    return fmt::format("maximumExecutionTimeSeconds of {} end, and it is deactivated", whose);
  return fmt::format("unless the pods of {} are ready by then, it is {}", whose,
                     deactivates(loss.reason) ? "deactivated" : "evicted");
}

}  // namespace

void tell(const EngineTrace& account, const Question& question, Answer& answer) {
  const Entry* const entry = account.entry();
  answer.scheduler_message = entry != nullptr                      ? message_of(*entry, *account.inventory)
                             : account.not_queued != NotQueued::no ? condition_of(account).message
                                                                   : std::string();
  if (question.brief) return;
  answer.details = Explainer(account).details();
  answer.next_change_words = next_change_words(account, answer.next_change);
  for (const Victim& victim : answer.victims)
    answer.victim_lines.push_back({victim, Explainer(account).why_victim(victim.pod)});
  if (question.documents) answer.evidence = evidence(account.recorded == nullptr ? account : *account.recorded);
}

}  // namespace previct::kueue
