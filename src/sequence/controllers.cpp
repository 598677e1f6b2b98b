#include "sequence/controllers.h"

#include "cluster/matching.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <tuple>

namespace previct::sequence {
namespace {

// Source: kubernetes v1.35 pkg/controller/job: DefaultJobPodFailureBackOff, MaxJobPodFailureBackOff;
// pkg/apis/batch/v1/defaults.go.
constexpr Time kFirstBackoff = 10 * kSecond;
constexpr Time kLongestBackoff = 600 * kSecond;
constexpr std::int64_t kDefaultBackoffLimit = 6;

// A kind of the same name in another group behaves differently: Job of batch.volcano.sh, StatefulSet of apps.kruise.io.
// Captures may lack the group.
auto is_builtin(std::string_view api_version) -> bool {
  const std::string_view group = api_version.substr(0, api_version.rfind('/') + 1);
  return group.empty() || group == "apps/" || group == "batch/" || group == "extensions/";
}

auto maker_of(std::string_view api_version, std::string_view kind) -> Maker {
  if (!is_builtin(api_version)) return Maker::other;
  if (kind == "ReplicaSet" || kind == "ReplicationController") return Maker::replica_set;
  if (kind == "StatefulSet") return Maker::stateful_set;
  if (kind == "DaemonSet") return Maker::daemon_set;
  if (kind == "Job") return Maker::job;
  if (kind == "Node") return Maker::kubelet;
  return Maker::other;
}

template <class Object>
auto find_object(const std::vector<Object>& all, const Owner& owner) -> const Object* {
  const auto found = std::find_if(all.begin(), all.end(), [&](const Object& object) {
    return object.meta.ns == owner.ns && object.meta.name == owner.name;
  });
  return found == all.end() ? nullptr : &*found;
}

// Returns 3 for `web-3`; -1 if the name has no number.
auto ordinal(std::string_view name) -> std::int64_t {
  const std::size_t dash = name.rfind('-');
  std::int64_t number = -1;
  if (dash == std::string_view::npos) return number;
  const char* const end = name.data() + name.size();
  const auto [stop, error] = std::from_chars(name.data() + dash + 1, end, number);
  return error == std::errc() && stop == end ? number : -1;
}

auto backoff(std::int64_t failures) -> Time {
  constexpr std::int64_t kMostDoublings = 10;  // 10 s, doubled this often, exceeds the longest back-off
  if (failures <= 0) return 0;
  return std::min(kLongestBackoff, kFirstBackoff << std::min(failures - 1, kMostDoublings));
}

}  // namespace

auto owner_of(const Snapshot& cluster, const Pod& pod) -> Owner {
  const OwnerReference* owner = controller_of(pod.meta);
  if (owner == nullptr) return {};
  return {maker_of(cluster.text(owner->api_version), cluster.text(owner->kind)), pod.meta.ns, owner->kind, owner->name};
}

auto owner_words(const Snapshot& cluster, const Owner& owner) -> std::string {
  return fmt::format("{} {}/{}", cluster.text(owner.kind), cluster.text(owner.ns), cluster.text(owner.name));
}

auto NewNames::next(const Snapshot& cluster, PodId old) -> Symbol {
  const Pod& pod = cluster.pod(old);
  const Owner owner = owner_of(cluster, pod);
  if (owner.maker == Maker::stateful_set) return pod.meta.name;
  std::string begin(cluster.text(pod.meta.generate_name));
  if (begin.empty()) {
    const std::string_view name = cluster.text(owner.name ? owner.name : pod.meta.name);
    const std::size_t counted = name.find("-new-");  // the pod has no owner and may be a new one of the simulation
    begin = fmt::format("{}-", owner.name ? name : name.substr(0, counted));
  }
  std::size_t& count = given_[cluster.symbols().intern(begin)];
  for (;;) {
    const std::string name = fmt::format("{}new-{}", begin, ++count);
    if (!cluster.find_pod(cluster.text(pod.meta.ns), name)) return cluster.symbols().intern(name);
  }
}

auto identity_of(const Snapshot& cluster, const Pod& pod, PodId like) -> std::string {
  const Owner owner = owner_of(cluster, pod);
  const bool alike = owner.maker == Maker::replica_set || owner.maker == Maker::job;
  return alike ? fmt::format("{}.{}.{}", owner.ns.index, owner.kind.index, owner.name.index)
               : fmt::format("#{}", like.index);
}

void Controllers::note_finalizers(PodId pod) {
  for (const Symbol finalizer : cluster_.pod(pod).meta.finalizers)
    remark(GapRule::finalizers, {std::string(cluster_.text(finalizer)), cluster_.key(pod)});
}

auto Controllers::deletion_begins(PodId pod, Time now) -> Reaction {
  const Owner owner = owner_of(cluster_, cluster_.pod(pod));
  switch (owner.maker) {
    case Maker::replica_set: return {.created = {{now, pod}}};
    case Maker::job: return replaces_failed_only(job_of(owner)) ? Reaction{} : failed(owner, pod, now);
    case Maker::kubelet: remark(GapRule::static_victims); return {};
    case Maker::other: remark(GapRule::other_controller, {std::string(cluster_.text(owner.kind))}); return {};
    case Maker::none:
    case Maker::stateful_set:
    case Maker::daemon_set: return {};
  }
  return {};
}

auto Controllers::gone(PodId pod, Time now) -> Reaction {
  const Owner owner = owner_of(cluster_, cluster_.pod(pod));
  switch (owner.maker) {
    case Maker::stateful_set: {
      set_of(owner).missing.push_back(pod);
      return next_of_set(owner, now);
    }
    case Maker::daemon_set: return should_run(pod) ? Reaction{.created = {{now, pod}}} : Reaction{};
    // A pod that counted as failed when its deletion began does not count again.
    // Source: kubernetes v1.35 pkg/controller/job: job_controller.go isPodFailed, getNewFinishedPods; backoff_utils.go
    // getFinishTimeFromDeletionTimestamp.
    case Maker::job: return replaces_failed_only(job_of(owner)) ? failed(owner, pod, now) : Reaction{};
    case Maker::none:
    case Maker::replica_set:
    case Maker::kubelet:
    case Maker::other: return {};
  }
  return {};
}

// Returns true if the DaemonSet should run a pod on the node of this one.
// Source: daemon_controller.go NodeShouldRunDaemonPod, predicates.
auto Controllers::should_run(PodId pod) const -> bool {
  const PodSpec& spec = cluster_.pod(pod).spec;
  const NodeId node = cluster_.find_node(spec.node_name);
  if (!node) return true;
  return matches_required_affinity(spec, cluster_.node(node), cluster_) &&
         first_untolerated_taint(spec, cluster_.node(node), cluster_.known()) == nullptr;
}

auto Controllers::runs(PodId pod, Time now) -> Reaction {
  const Owner owner = owner_of(cluster_, cluster_.pod(pod));
  if (owner.maker != Maker::stateful_set) return {};
  remark_missing(owner);
  if (!sets_.contains(owner)) return {};
  set_of(owner).making.erase(ordinal(cluster_.text(cluster_.pod(pod).meta.name)));
  return next_of_set(owner, now);
}

// A StatefulSet that has not created all of its pods yet continues once its last pod is ready.
void Controllers::remark_missing(const Owner& owner) {
  const OrderedSet* const object = find_object(makers_.sets, owner);
  if (object == nullptr || !object->spec.replicas) return;
  std::int64_t present = 0;
  for (const PodId pod : cluster_.pods().ids())
    present += !cluster_.finished(pod) && owner_of(cluster_, cluster_.pod(pod)) == owner ? 1 : 0;
  const auto found = sets_.find(owner);
  const auto awaited = found == sets_.end() ? 0 : static_cast<std::int64_t>(found->second.missing.size());
  if (present + awaited < *object->spec.replicas)
    remark(GapRule::stateful_set_incomplete,
           {owner_words(cluster_, owner), std::to_string(present), std::to_string(*object->spec.replicas)});
}

void Controllers::succeeds(PodId pod) {
  const auto found = jobs_.find(owner_of(cluster_, cluster_.pod(pod)));
  if (found == jobs_.end()) return;
  found->second.in_row = 0;
  found->second.until = 0;
}

auto Controllers::waits_until(PodId pod) const -> Time {
  const auto found = jobs_.find(owner_of(cluster_, cluster_.pod(pod)));
  return found == jobs_.end() ? 0 : found->second.until;
}

auto Controllers::ended(const Owner& owner) const -> bool {
  const auto found = jobs_.find(owner);
  return found != jobs_.end() && found->second.over;
}

auto Controllers::failures() const -> std::string {
  std::string text;
  for (const auto& [owner, job] : jobs_) {
    const std::int64_t wait = backoff(job.in_row) / kSecond;  // the failures matter only through it
    text += fmt::format("{}:{}:{};", owner.name.index, job.counted, wait);
  }
  return text;
}

auto Controllers::job_of(const Owner& owner) -> OfJob& {
  const auto [at, is_new] = jobs_.try_emplace(owner);
  OfJob& job = at->second;
  if (!is_new) return job;
  job.object = find_object(makers_.jobs, owner);
  if (job.object == nullptr) {
    remark(GapRule::job_missing, {owner_words(cluster_, owner), std::to_string(kDefaultBackoffLimit)});
    return job;
  }
  job.counted = job.in_row = job.object->status.failed;
  if (job.counted > 0) {
    remark(GapRule::job_failures, {owner_words(cluster_, owner)});
  }
  if (job.object->spec.backoff_limit_per_index) {
    remark(GapRule::job_index_backoff, {owner_words(cluster_, owner)});
  }
  return job;
}

auto Controllers::set_of(const Owner& owner) -> OfSet& {
  const auto [at, is_new] = sets_.try_emplace(owner);
  if (!is_new) return at->second;
  const OrderedSet* object = find_object(makers_.sets, owner);
  if (object == nullptr) {
    remark(GapRule::stateful_set_missing, {owner_words(cluster_, owner)});
  } else {
    at->second.parallel = cluster_.text(object->spec.pod_management_policy) == "Parallel";
  }
  return at->second;
}

// The time of a failure is recorded in whole seconds.
auto Controllers::whole_second(Time now) const -> Time {
  return since(start_, Instant{start_.plus_nanos(now).seconds, 0});
}

auto Controllers::replaces_failed_only(const OfJob& job) const -> bool {
  if (job.object == nullptr) return false;
  const JobSpec& spec = job.object->spec;
  return spec.pod_failure_policy || cluster_.text(spec.pod_replacement_policy) == "Failed";
}

// The first matching rule decides. A preempted pod has the condition DisruptionTarget; the exit codes of its containers
// are unknown.
auto Controllers::failed(const Owner& owner, PodId pod, Time now) -> Reaction {
  OfJob& job = job_of(owner);
  if (job.over) return {};
  std::string_view action = "Count";
  if (job.object != nullptr && job.object->spec.pod_failure_policy) {
    for (const PodFailureRule& rule : job.object->spec.pod_failure_policy->rules) {
      if (rule.has_exit_codes) {
        remark(GapRule::job_exit_codes, {owner_words(cluster_, owner)});
        continue;
      }
      const auto matches = [&](const FailedPodCondition& condition) {
        const std::string_view status = cluster_.text(condition.status);
        return cluster_.text(condition.type) == "DisruptionTarget" && (status.empty() || status == "True");
      };
      if (!std::any_of(rule.on_pod_conditions.begin(), rule.on_pod_conditions.end(), matches)) continue;
      action = cluster_.text(rule.action);
      break;
    }
  }
  ++job.in_row;
  if (action != "Ignore") ++job.counted;
  const bool by_index = job.object != nullptr && job.object->spec.backoff_limit_per_index.has_value();
  const std::int64_t limit =
      job.object == nullptr ? kDefaultBackoffLimit : job.object->spec.backoff_limit.value_or(kDefaultBackoffLimit);
  if (action == "FailJob" || (!by_index && job.counted > limit)) {
    job.over = true;
    return {.created = {},
            .gives_up = owner,
            .why = action == "FailJob"
                       ? std::string("its pod failure policy fails the Job when a pod is evicted")
                       : fmt::format("{} of its pods failed, more than its backoffLimit of {}", job.counted, limit)};
  }
  job.until = std::max(now, whole_second(now) + backoff(job.in_row));
  return {.created = {{job.until, pod}}};
}

// An ordered set creates the pod with the lowest number first, and continues once all pods with lower numbers run.
auto Controllers::next_of_set(const Owner& owner, Time now) -> Reaction {
  OfSet& set = set_of(owner);
  Reaction reaction;
  const auto number = [&](PodId pod) { return ordinal(cluster_.text(cluster_.pod(pod).meta.name)); };
  std::sort(set.missing.begin(), set.missing.end(), [&](PodId a, PodId b) { return number(a) < number(b); });
  const auto holds_up = [&](PodId candidate) {
    if (!set.making.empty() && *set.making.begin() < number(candidate)) return true;
    for (const PodId other : cluster_.pods().ids()) {
      const Pod& pod = cluster_.pod(other);
      if (cluster_.finished(other) || owner_of(cluster_, pod) != owner) continue;
      if (number(other) < number(candidate) && (!pod.spec.node_name || pod.meta.deleting)) return true;
    }
    return false;
  };
  while (!set.missing.empty()) {
    if (!set.parallel && holds_up(set.missing.front())) break;
    reaction.created.push_back({now, set.missing.front()});
    set.making.insert(number(set.missing.front()));
    set.missing.erase(set.missing.begin());
    if (!set.parallel) break;
  }
  return reaction;
}

}  // namespace previct::sequence
