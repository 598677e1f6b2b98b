#include "sequence/world.h"

#include "api/upstream.h"
#include "base/text.h"
#include "engine/kube/devices/rules.h"
#include "tell/budgets.h"

#include <fmt/format.h>

#include <algorithm>

namespace previct::sequence {
// NOLINTBEGIN(misc-no-recursion): a Job fails once
namespace {

// The API server repeats an eviction that conflicts after this time, up to a tenth longer.
constexpr Time kRepeatedEviction = kSecond / 2;

}  // namespace

World::World(Objects& objects, const Settings& settings, const kube::Release& release, Options options,
             WorldObserver& observer)
    : settings_(settings),
      options_(options),
      observer_(observer),
      cluster_(objects, release, settings.requests.get()),
      controllers_(cluster_.cluster(), settings.controller_objects, settings.question.now, release.minor()),
      quotas_(cluster_.cluster(),
              settings.controllers ? settings.controller_objects.quotas : std::vector<ResourceQuota>()),
      device_taints_(release.has(kube::Change::device_taints)),
      taint_rules_(kube::devices::taint_rules_of_eviction(release)),
      lives_(objects.pods.size()) {
  result_.pods_before = objects.pods.size();
  if (kube::devices::taint_rules_open(release, objects.device_taint_rules))
    result_.assumed.push_back({GapRule::device_taint_rules});
}

void World::open() {
  // Before pods that arrive later are hidden: their controllers have created them.
  const Controllers::Reaction missing = settings_.controllers ? controllers_.start() : Controllers::Reaction{};
  std::map<PodId, Time> arrivals;
  for (const Arrival& each : settings_.arrivals) arrivals[each.pod] = each.at;
  for (const PodId pod : settings_.pods) {
    if (!arrivals.contains(pod)) continue;
    cluster_.hide(pod);
    schedule(arrival, arrivals[pod], pod.index);
  }
  for (const PodId pod : cluster_.cluster().pods().ids()) {
    if (!cluster_.node_of(pod)) continue;
    lives_[pod].ran_at_start = true;
    const auto& end = cluster_.pod(pod).meta.deleting;
    const NodeId node = cluster_.node_of(pod);
    // A pod whose grace period is over stays, unless others delete it.
    if (!end || (since_start(*end) < 0 && !is_out_of_service(cluster_.cluster().node(node), cluster_.cluster())))
      continue;
    if (const auto gone = end_on(node, since_start(*end))) {
      schedule(exit, *gone, pod.index);
      expect({.at = *gone, .pod = pod});
    }
  }
  plan_runs(arrivals);
  // A pod that has failed to fit is not tried until something changes: its controller deletes it before that.
  for (const auto& [pod, why, at] : missing.deleted) {
    if (!cluster_.node_of(pod)) plan_removal(pod, {now_, why, true});
  }
  react(missing);
  lose_pods();
  plan_taint_evictions();
  plan_ends_of_namespaces();
  if (settings_.controllers) {
    for (const Controllers::Deadline& each : controllers_.deadlines()) plan_deadline(each);
  }
  std::vector<PodId> drained = settings_.drained;
  if (options_.reversed) std::reverse(drained.begin(), drained.end());
  for (const PodId pod : drained) {
    schedule(eviction, 0, pod.index);
    if (options_.conflicts && !refusal_to_evict(cluster_.cluster(), pod)) allowed_.insert(pod);
  }
}

// kubectl drain evicts all pods at once: whose call comes first is left to chance. If the API server handles several at
// the same time, all of them read the budget, one of them updates it, and the others conflict and are repeated.
// Source: kubernetes v1.35 pkg/registry/core/pod/storage/eviction.go Create, EvictionsRetry.
void World::evict(PodId pod) {
  if (!cluster_.node_of(pod) || cluster_.cluster().finished(pod) || cluster_.pod(pod).meta.deleting) return;
  const auto refusal = refusal_to_evict(cluster_.cluster(), pod);
  const bool was_allowed = allowed_.erase(pod) > 0;
  if (refusal && was_allowed) {
    conflicts_.insert(pod);
    return schedule(eviction, now_ + kRepeatedEviction, pod.index);
  }
  if (!refusal) {
    result_.drained.insert(pod);
    return begin_deletion(pod, {}, cluster_.node_of(pod));
  }
  not_evicted_.push_back(pod);
  const auto known = std::find(refused_.begin(), refused_.end(), pod);
  if (known != refused_.end()) return;
  refused_.push_back(pod);
  record({.what = EventKind::refused,
          .pod = pod,
          .node = cluster_.node_of(pod),
          .why = refusal_words(*refusal, cluster_.cluster().symbols())});
}

// kubectl drain tries again every 5 seconds. The attempts that cannot succeed, because no pod has become ready, are
// left out. Source: kubernetes v1.35 staging/src/k8s.io/kubectl/pkg/drain/drain.go evictPods.
void World::retry_evictions() {
  constexpr Time kPause = 5 * kSecond;
  for (const PodId pod : not_evicted_) {
    const Time first = conflicts_.contains(pod) ? kRepeatedEviction : 0;
    schedule(eviction, first + (now_ - first + kPause - 1) / kPause * kPause, pod.index);
  }
  not_evicted_.clear();
}

void World::plan_taint_evictions() {
  const Snapshot& cluster = cluster_.cluster();
  for (const TaintEviction& each : previct::taint_evictions(cluster, clock())) {
    plan_taint_eviction(each.pod, since_start(each.at), describe_taint(*each.taint, cluster));
    if (each.since_missing) {
      add_gaps(
          {{GapRule::taint_time_missing, {describe_taint(*each.taint, cluster), std::string(cluster.name(each.node))}}},
          result_.assumed);
    }
  }
  if (!device_taints_) return;
  for (const DeviceEviction& each : device_evictions(cluster, taint_rules_, clock())) plan_device_eviction(each);
}

void World::plan_device_eviction(const DeviceEviction& each) {
  plan_taint_eviction(each.pod, since_start(each.at), each.taint);
  if (!each.since_missing) return;
  const Snapshot& cluster = cluster_.cluster();
  add_gaps({{GapRule::taint_time_missing, {each.taint, std::string(cluster.name(cluster_.node_of(each.pod)))}}},
           result_.assumed);
}

// The first one counts.
void World::plan_taint_eviction(PodId pod, Time at, std::string taint) {
  const auto [known, is_new] = taint_evictions_.try_emplace(pod, at, taint);
  if (!is_new && known->second.first <= at) return;
  known->second = {at, std::move(taint)};
  schedule(taint_eviction, at, pod.index);
}

void World::evict_by_taint(PodId pod) {
  const auto found = taint_evictions_.find(pod);
  if (found == taint_evictions_.end() || found->second.first != now_) return;
  const std::string taint = std::move(found->second.second);
  taint_evictions_.erase(found);
  if (!cluster_.node_of(pod) || cluster_.cluster().finished(pod) || cluster_.pod(pod).meta.deleting) return;
  begin_deletion(pod, {}, cluster_.node_of(pod), "taint " + taint);
}

void World::plan_deadline(const Controllers::Deadline& deadline) {
  schedule(job_deadline, deadline.at, static_cast<std::uint32_t>(deadlines_.size()));
  deadlines_.push_back(deadline);
}

void World::pass_deadline(const Controllers::Deadline& deadline) {
  if (const std::string why = controllers_.deadline_passes(deadline); !why.empty()) fail_job(deadline.job, why);
}

// The API server keeps a pod until its kubelet has ended it. The garbage collection of pods deletes it only once its
// node is gone, or has the out-of-service taint: it looks every 20 s.
auto World::end_on(NodeId node, Time end_of_grace) -> std::optional<Time> {
  const Snapshot& cluster = cluster_.cluster();
  if (!node) return end_of_grace;
  const bool out_of_service = is_out_of_service(cluster.node(node), cluster);
  if (!out_of_service && !is_unreachable(cluster.node(node), cluster)) return end_of_grace;
  const GapRule rule = out_of_service ? GapRule::out_of_service : GapRule::unreachable_node;
  add_gaps({{rule, {std::string(cluster.name(node))}}}, result_.assumed);
  return out_of_service ? std::optional(now_) : std::nullopt;
}

// The garbage collection of pods deletes the pods of a node that no longer exists, without a grace period. All are gone
// at the same moment here, before a controller reacts.
// Source: kubernetes v1.35 pkg/controller/podgc/gc_controller.go gcOrphaned.
void World::lose_pods() {
  for (const PodId pod : settings_.lost) {
    if (!cluster_.pod(pod).meta.deleting) cluster_.not_ready(pod);
    observer_.pod_leaves(pod);
    cluster_.hide(pod);
    retry_refused(pod);
    observer_.pod_left(pod);
  }
  for (const PodId pod : settings_.lost) {
    record({.what = EventKind::gone, .pod = pod, .why = "its node is lost"});
    if (!settings_.controllers) continue;
    if (!cluster_.pod(pod).meta.deleting) react(controllers_.deletion_begins(pod, now_));
    react(controllers_.gone(pod, now_));
  }
}

void World::plan_runs(const std::map<PodId, Time>& arrivals) {
  for (const PodId pod : cluster_.cluster().pods().ids()) {
    const auto& started = cluster_.pod(pod).status.start_time;
    if (!lives_[pod].ran_at_start || cluster_.pod(pod).meta.deleting || !started) continue;
    lives_[pod].began = since_start(*started);
    plan_end(pod, since_start(*started));
  }
  for (std::uint32_t i = 0; i < settings_.recurring.size(); ++i) {
    const auto first = arrivals.find(settings_.recurring[i].pod);
    next_recurrence_[i] = (first == arrivals.end() ? 0 : first->second) + settings_.recurring[i].every;
    schedule(recurrence, next_recurrence_[i], i);
  }
}

void World::schedule(std::uint8_t kind, Time at, std::uint32_t subject, bool last) {
  events_.push({at, last, next_order_++, kind, subject});
}

void World::advance() {
  const Event next = events_.top();
  events_.pop();
  now_ = next.at;
  switch (next.kind) {
    case arrival: return arrive(PodId{next.subject});
    case exit: return leave(PodId{next.subject});
    case creation: return create(next.subject);
    case recurrence: return recur(next.subject);
    case finish: return finish_run(PodId{next.subject});
    case eviction: return evict(PodId{next.subject});
    case taint_eviction: return evict_by_taint(PodId{next.subject});
    case removal: return remove(PodId{next.subject});
    case rollout_check: return react(controllers_.check(checks_[next.subject], now_));
    case job_deadline: {
      const Controllers::Deadline passes = deadlines_[next.subject];  // further ones may come
      return pass_deadline(passes);
    }
    default: return observer_.handle(next.kind, next.subject);
  }
}

void World::record(Step step) {
  step.at = now_;
  result_.steps.push_back(std::move(step));
}

// Of two events of the same moment, the scheduler may hear of either one first.
void World::arrive(PodId pod) {
  const bool coincides =
      !events_.empty() && events_.top().at == now_ && (events_.top().kind == exit || events_.top().kind == finish);
  result_.arrives_at_an_end = result_.arrives_at_an_end || coincides;
  if (coincides && options_.late_arrivals) return schedule(arrival, now_ + 1, pod.index);
  cluster_.show(pod);
  record({.what = EventKind::arrives, .pod = pod, .why = fmt::format("priority {}", cluster_.pod(pod).spec.priority)});
  observer_.pod_added(pod);
}

void World::leave(PodId pod) {
  if (!cluster_.node_of(pod)) return;
  record({.what = EventKind::gone, .pod = pod, .node = cluster_.node_of(pod)});
  leave_node(pod);
  if (settings_.controllers) react(controllers_.gone(pod, now_));
  const bool more = !events_.empty() && events_.top().at == now_ && events_.top().kind == exit;
  if (!more) observer_.changed();
}

void World::leave_node(PodId pod) {
  observer_.pod_leaves(pod);
  cluster_.remove(pod);
  retry_refused(pod);
  observer_.pod_left(pod);
}

// A controller whose pod a quota refused tries again when another pod of the namespace is gone. If that is not its own,
// nothing notifies the controller, and it waits for the end of its back-off.
// Source: client-go util/workqueue/default_rate_limiters.go DefaultTypedControllerRateLimiter.
void World::retry_refused(PodId gone) {
  const Snapshot& cluster = cluster_.cluster();
  for (Controllers::Creation again : quotas_.goes(gone)) {
    const Owner owner = controllers_.creator_of(again);
    if (owner != owner_of(cluster, cluster_.pod(gone)))
      add_gaps({{GapRule::quota_retried, {describe_owner(cluster, owner)}}}, result_.assumed);
    again.at = now_ + options_.controller_delay;
    plan_creation(again);
  }
}

void World::finish_run(PodId pod) {
  if (!cluster_.node_of(pod) || cluster_.pod(pod).meta.deleting) return;
  const bool fails = lives_[pod].fails;
  record({.what = EventKind::finished,
          .pod = pod,
          .node = cluster_.node_of(pod),
          .why = fails ? "its activeDeadlineSeconds end" : ""});
  end_run(pod, Run::Ending::finished);
  observer_.pod_ended(pod, End::Kind::finished, {});
  Controllers::Reaction reaction;
  const bool succeeds = !fails && owner_of(cluster_.cluster(), cluster_.pod(pod)).maker == ControllerKind::job;
  if (succeeds) reaction = controllers_.succeeds(pod, now_);
  cluster_.not_ready(pod);
  leave_node(pod);
  if (!succeeds && settings_.controllers) reaction = controllers_.ends(pod, now_);
  if (settings_.controllers) react(reaction);
  observer_.changed();
}

void World::end_run(PodId pod, Run::Ending ending) {
  const Life& life = lives_[pod];
  if (life.ran_at_start || life.began) result_.runs.push_back({ending, pod, life.began, now_});
}

auto World::run_length(PodId pod) const -> Time {
  if (settings_.run_durations.empty()) return kNever;
  const ObjectMeta& meta = cluster_.pod(root_of(pod)).meta;
  const Snapshot& cluster = cluster_.cluster();
  for (const PodDuration& each : settings_.run_durations) {
    if (matches(each, cluster.text(meta.ns), cluster.text(meta.name))) return each.length;
  }
  return kNever;
}

// A kubelet stops the containers of a pod whose activeDeadlineSeconds end; the pod has failed when they have stopped.
// Jobs count such failures by rules of their own, which are not simulated.
// Source: kubernetes v1.35 pkg/kubelet/active_deadline.go; kubelet_pods.go generateAPIPodStatus.
void World::plan_end(PodId pod, Time since) {
  Life& life = lives_[pod];
  Time length = run_length(pod);
  const PodSpec& spec = cluster_.pod(pod).spec;
  const OwnerReference* const controller = controller_of(cluster_.pod(pod).meta);
  const bool of_job = controller != nullptr && cluster_.cluster().text(controller->kind) == kinds::jobs.name;
  if (spec.active_deadline_seconds && !of_job) {
    const Time grace = spec.termination_grace_seconds.value_or(upstream::kDefaultGraceSeconds) * kSecond;
    const Time most = std::min<std::int64_t>(*spec.active_deadline_seconds, kNever / kSecond / 2) * kSecond +
                      (options_.immediate_exits ? 0 : grace);
    life.fails = length == kNever || most < length;
    if (life.fails) length = most;
  }
  if (length == kNever) return;
  life.finishes_at = std::max<Time>(0, since + length);
  schedule(finish, life.finishes_at, pod.index);
  if (life.ran_at_start) expect({.at = life.finishes_at, .pod = pod});
}

void World::start(PodId pod) {
  lives_[pod].began = now_;
  plan_end(pod, now_);
  if (const NodeId node = cluster_.node_of(pod)) {
    const auto stay = stay_of(cluster_.pod(pod), cluster_.cluster().node(node), cluster_.cluster());
    if (stay)
      plan_taint_eviction(pod, now_ + stay->seconds * kSecond, describe_taint(*stay->taint, cluster_.cluster()));
  }
  if (device_taints_ && !cluster_.pod(pod).spec.resource_claims.empty()) {
    if (const auto planned = device_eviction_of(pod, cluster_.cluster(), taint_rules_, clock()))
      plan_device_eviction(*planned);
  }
  if (!settings_.controllers) return;
  cluster_.ready(pod);
  retry_evictions();
  react(controllers_.runs(pod, now_));
}

// The API server sets the end of the grace period in whole seconds; a negative grace period counts as one second.
// Source: kubernetes v1.35 pkg/registry/core/pod/strategy.go CheckGracefulDelete.
void World::begin_deletion(PodId pod, PodId by, NodeId node, std::string why, Run::Ending ending) {
  const auto& given = cluster_.pod(pod).spec.termination_grace_seconds;
  const std::int64_t grace = given && *given < 0 ? 1 : given.value_or(upstream::kDefaultGraceSeconds);
  const Instant end = Instant{clock().seconds, 0}.plus_seconds(grace);
  const Time until = std::max(now_, since_start(end));
  record({.what = EventKind::deleting, .pod = pod, .node = node, .by = by, .why = std::move(why), .until = until});
  end_run(pod, ending);
  cluster_.begin_deletion(pod, end);
  observer_.deletion_began(pod);
  if (const auto gone = end_on(node, options_.immediate_exits || grace == 0 ? now_ : until))
    schedule(exit, *gone, pod.index);
  controllers_.note_finalizers(pod);
  if (settings_.controllers) react(controllers_.deletion_begins(pod, now_));
}

void World::react(const Controllers::Reaction& reaction) {
  for (Controllers::Creation each : reaction.created) {
    each.at = std::max(now_, each.at) + options_.controller_delay;
    plan_creation(each);
  }
  for (const auto& [pod, why, at] : reaction.deleted)
    plan_removal(pod, {std::max(now_, at) + options_.controller_delay, why, true});
  if (reaction.ends_back_off) bring_forward(*reaction.ends_back_off, reaction.sync + options_.controller_delay);
  if (reaction.fails) plan_deadline(*reaction.fails);
  for (const Controllers::Check& each : reaction.checks) {
    schedule(rollout_check, each.at, static_cast<std::uint32_t>(checks_.size()));
    checks_.push_back(each);
  }
}

void World::plan_removal(PodId pod, Removal planned) {
  const Time at = planned.at;
  if (!removals_.try_emplace(pod, std::move(planned)).second) return;
  schedule(Kind::removal, at, pod.index);
}

// The namespace controller begins 5 s after the deletion of the namespace.
// Source: kubernetes v1.35 pkg/controller/namespace/namespace_controller.go namespaceDeletionGracePeriod.
void World::plan_ends_of_namespaces() {
  constexpr Time kPause = 5 * kSecond;
  const Snapshot& cluster = cluster_.cluster();
  std::map<Symbol, Time> ends;
  for (const Namespace& each : cluster.objects().namespaces) {
    if (each.meta.deleting) ends[each.meta.name] = std::max<Time>(0, since_start(*each.meta.deleting) + kPause);
  }
  if (ends.empty()) return;
  for (const PodId id : cluster.pods().ids()) {
    const Pod& pod = cluster.pod(id);
    const auto end = ends.find(pod.meta.ns);
    if (end == ends.end() || pod.meta.deleting || cluster.finished(id)) continue;
    plan_removal(id, {end->second, fmt::format("namespace {} is being deleted", cluster.text(pod.meta.ns))});
  }
}

void World::remove(PodId pod) {
  const auto found = removals_.find(pod);
  if (found == removals_.end()) return;
  const Removal planned = std::move(found->second);
  const std::string& why = planned.why;
  removals_.erase(found);
  if (cluster_.cluster().finished(pod) || cluster_.pod(pod).meta.deleting) return;
  if (planned.by_owner) controllers_.lets_go(pod);
  if (cluster_.node_of(pod)) return begin_deletion(pod, {}, cluster_.node_of(pod), why, Run::Ending::removed);
  record({.what = EventKind::gone, .pod = pod, .why = why});
  delete_pending(pod, why);
  if (settings_.controllers) react(controllers_.gone(pod, now_));
}

void World::delete_pending(PodId pod, const std::string& why) {
  observer_.delete_pending(pod);
  retry_refused(pod);
  observer_.pod_ended(pod, End::Kind::removed, why);
}

void World::bring_forward(const Owner& owner, Time latest) {
  std::vector<Controllers::Creation> earlier;
  std::erase_if(planned_, [&](const auto& plan) {
    const Controllers::Creation& each = plan.second;
    const bool moves = each.at > latest && owner_of(cluster_.cluster(), cluster_.pod(each.like)) == owner;
    if (moves) earlier.push_back(each);
    return moves;
  });
  for (Controllers::Creation& each : earlier) {
    each.at = latest;
    plan_creation(each);
  }
}

void World::plan_creation(const Controllers::Creation& planned) {
  planned_.emplace(plans_, planned);
  schedule(creation, planned.at, plans_);
  ++plans_;
}

void World::create(std::uint32_t plan) {
  const auto found = planned_.find(plan);
  if (found == planned_.end()) return;  // it was brought forward
  Controllers::Creation planned = found->second;
  planned_.erase(found);
  const Snapshot& cluster = cluster_.cluster();
  const PodId like = planned.like;
  const Owner owner = controllers_.creator_of(planned);
  if (controllers_.ended(owner) || controllers_.gives_up(planned)) return;
  if (const Time later = controllers_.waits_until(like) + options_.controller_delay; later > now_) {
    planned.at = later;
    return plan_creation(planned);
  }
  const auto failed = [&](std::string why, bool for_good) {
    record({.what = EventKind::call_failed, .pod = like, .why = std::move(why), .of_new = for_good});
  };
  const ControllerObjects& objects = settings_.controller_objects;
  Result<SimulatedCluster::Admitted> admitted =
      planned.by != nullptr ? cluster_.admitted(*planned.by, like, controllers_.own_template(like), objects, clock())
                            : cluster_.admitted(like, controllers_.template_for(planned), objects, clock());
  if (!admitted) {
    controllers_.created(planned);
    return failed(admitted.error().message, true);
  }
  Pod& made = admitted->pod;
  if (std::string why = quotas_.refuses(made, planned); !why.empty()) return failed(std::move(why), false);
  controllers_.created(planned);
  controllers_.follow_revision(planned, made);
  planned.by != nullptr ? note_template(*admitted, owner, like) : note_differences(*admitted, like);
  const Symbol name = planned.ordinal ? cluster_.name_by_ordinal(made, owner.name, *planned.ordinal)
                                      : new_names_.next(cluster, planned.by != nullptr ? made : cluster_.pod(like));
  const PodId pod = add_pod(std::move(made), like, name);
  std::string why = fmt::format("by {}", describe_owner(cluster, owner));
  if (planned.replaces) {
    lives_[pod].replaces = like;
    result_.created.back().after = like;
    why += fmt::format(", in place of {}", cluster.key(like));
  }
  record({.what = EventKind::created, .pod = pod, .why = std::move(why)});
  observer_.pod_added(pod);
}

void World::note_differences(const SimulatedCluster::Admitted& admitted, PodId like) {
  if (admitted.differences.empty()) return;
  const Snapshot& cluster = cluster_.cluster();
  const PodId old = root_of(like);
  const std::string owner = describe_owner(cluster, owner_of(cluster, cluster_.pod(old)));
  const std::string fields = joined(admitted.differences, ", ");
  // One pod is enough as an example.
  const bool is_known = std::any_of(result_.assumed.begin(), result_.assumed.end(), [&](const Gap& gap) {
    return gap.rule == GapRule::template_differs && gap.operands[0] == owner && gap.operands[1] == fields;
  });
  if (is_known) return;
  const auto& webhooks = admitted.webhooks;
  add_gaps({webhooks.empty() ? Gap{GapRule::template_differs, {owner, fields, cluster.key(old)}}
                             : Gap{GapRule::template_of_webhooks,
                                   {joined(webhooks, ", "), std::to_string(webhooks.size()), owner, cluster.key(old)}}},
           result_.assumed);
}

void World::note_template(const SimulatedCluster::Admitted& admitted, const Owner& owner, PodId like) {
  const Snapshot& cluster = cluster_.cluster();
  add_gaps({{GapRule::rollout_template, {describe_owner(cluster, owner), cluster.key(root_of(like))}}},
           result_.assumed);
  const auto& webhooks = admitted.webhooks;
  if (!webhooks.empty())
    add_gaps({{GapRule::webhooks, {joined(webhooks, ", "), std::to_string(webhooks.size())}}}, result_.assumed);
}

void World::recur(std::uint32_t index) {
  const Recurring& recurring = settings_.recurring[index];
  next_recurrence_[index] = now_ + recurring.every;
  schedule(recurrence, next_recurrence_[index], index);
  Result<SimulatedCluster::Admitted> made =
      cluster_.admitted(recurring.pod, nullptr, settings_.controller_objects, clock());
  if (!made) {
    return record({.what = EventKind::call_failed, .pod = recurring.pod, .why = made.error().message, .of_new = true});
  }
  const PodId pod =
      add_pod(std::move(made->pod), recurring.pod, new_names_.next(cluster_.cluster(), cluster_.pod(recurring.pod)));
  record({.what = EventKind::arrives, .pod = pod, .why = fmt::format("priority {}", cluster_.pod(pod).spec.priority)});
  observer_.pod_added(pod);
  observer_.changed();
}

auto World::add_pod(Pod made, PodId like, Symbol name) -> PodId {
  const PodId created = cluster_.create(std::move(made), name, like);
  quotas_.comes(created);
  lives_.add({.like = root_of(like)});
  result_.created.push_back({cluster_.pod(created), {}, root_of(like)});
  observer_.pod_created(created);
  return created;
}

// The Job deletes its pods: those on nodes terminate, pending ones are gone at once.
void World::fail_job(const Owner& owner, const std::string& why) {
  const Snapshot& cluster = cluster_.cluster();
  std::vector<PodId> pods;
  for (const PodId pod : cluster.pods().ids()) {
    if (owner_of(cluster, cluster_.pod(pod)) == owner) pods.push_back(pod);
  }
  if (pods.empty()) return;
  // One that is still there, if any is.
  const auto running = std::find_if(pods.begin(), pods.end(), [&](PodId pod) { return !cluster.finished(pod); });
  record({.what = EventKind::gives_up,
          .pod = running == pods.end() ? pods.front() : *running,
          .why = fmt::format("{}: {}", describe_owner(cluster, owner), why)});
  for (const PodId pod : pods) {
    if (cluster.finished(pod)) continue;
    if (cluster_.pod(pod).meta.deleting) continue;
    constexpr const char* kWhy = "deleted by its Job, which has failed";
    if (!cluster_.node_of(pod)) {
      delete_pending(pod, kWhy);
      continue;
    }
    begin_deletion(pod, {}, cluster_.node_of(pod), {}, Run::Ending::removed);
    observer_.pod_ended(pod, End::Kind::removed, kWhy);
  }
}

void World::close() {
  if (result_.circle) result_.circle->until = first_beyond_horizon();
  if (refused_.empty() && conflicts_.empty()) result_.drained.clear();
  result_.length = result_.steps.empty() ? 0 : result_.steps.back().at;
  for (const PodId pod : cluster_.cluster().pods().ids()) {
    if (cluster_.node_of(pod) && !cluster_.pod(pod).meta.deleting) end_run(pod, Run::Ending::goes_on);
  }
  add_gaps(controllers_.gaps(), result_.assumed);
  const auto& budgets = cluster_.cluster().objects().disruption_budgets;
  for (std::size_t i = 0; i < budgets.size(); ++i) {
    if (is_short(budgets[i])) result_.short_budgets.push_back(i);
  }
}

auto World::next_expected() const -> const KnownChange* {
  const auto counts = [&](const auto& entry) {
    const NodeId node = cluster_.node_of(entry.second.pod);
    return node && !cluster_.moved().contains(node);
  };
  const auto next = std::find_if(expected_.upper_bound(now_), expected_.end(), counts);
  return next == expected_.end() ? nullptr : &next->second;
}

auto World::first_beyond_horizon() const -> std::optional<KnownChange> {
  std::vector<KnownChange> all;
  if (const KnownChange* next = next_expected()) all.push_back(*next);
  // Newer pods come and go in the loop itself.
  for (const auto& [pod, each] : taint_evictions_) {
    if (lives_[pod].ran_at_start && cluster_.node_of(pod)) all.push_back({.at = each.first, .pod = pod});
  }
  for (const Controllers::Deadline& each : deadlines_) {
    all.push_back({.at = each.at, .what = KnownChange::What::deadline_ends, .ns = each.job.ns, .job = each.job.name});
  }
  std::erase_if(all, [&](const KnownChange& each) { return each.at < settings_.horizon; });
  const auto first = std::min_element(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.at < b.at; });
  return first == all.end() ? std::nullopt : std::optional(*first);
}

auto World::identity_of_new(const Controllers::Creation& planned) const -> std::string {
  return planned.by == nullptr ? identity(planned.like) : fmt::format("of {}", planned.by->name.index);
}

auto World::state() const -> std::string {
  std::string text = controllers_.state() + '\n';
  if (const KnownChange* next = next_expected(); next != nullptr && next->at < settings_.horizon)
    text += fmt::format("^{}\n", next->at - now_);
  std::vector<std::pair<Time, std::string>> to_come;
  for (const auto& [plan, each] : planned_) to_come.emplace_back(each.at - now_, identity_of_new(each));
  std::stable_sort(to_come.begin(), to_come.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (const auto& [at, pod] : to_come) text += fmt::format("+{} {}\n", at, pod);
  for (const Controllers::Creation& each : quotas_.refused()) text += fmt::format("-{}\n", identity_of_new(each));
  for (const Controllers::Check& each : checks_) {
    if (each.at > now_) text += fmt::format(":{} {}\n", each.of.name.index, each.at - now_);
  }
  for (const auto& [pod, each] : removals_) text += fmt::format("/{} {}\n", identity(pod), each.at - now_);
  for (const PodId pod : not_evicted_) text += fmt::format("={}\n", identity(pod));
  for (const auto& [pod, each] : taint_evictions_) {
    if (each.first < settings_.horizon) text += fmt::format("*{} {}\n", identity(pod), each.first - now_);
  }
  for (const Controllers::Deadline& each : deadlines_) {
    if (each.at > now_ && each.at < settings_.horizon)
      text += fmt::format("%{} {}\n", each.job.name.index, each.at - now_);
  }
  for (const auto& [index, at] : next_recurrence_) text += fmt::format("~{} {}\n", index, at - now_);
  for (const Arrival& each : settings_.arrivals) {
    if (each.at > now_) text += fmt::format("!{} {}\n", each.pod.index, each.at - now_);
  }
  return text;
}

// NOLINTEND(misc-no-recursion)
}  // namespace previct::sequence
