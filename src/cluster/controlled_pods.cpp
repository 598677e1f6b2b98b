#include "cluster/controlled_pods.h"

#include "base/go.h"
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <type_traits>
#include <utility>

namespace previct {
namespace {

// The number of running pods of each owner, counted once for all answers.
struct RunningPods {
  explicit RunningPods(const Snapshot& cluster) {
    for (const PodId id : cluster.pods().ids()) {
      if (cluster.node_of(id) && !cluster.pod(id).meta.deleting) ++of[owner_of_pod(cluster, cluster.pod(id))];
    }
  }
  std::map<PodOwner, std::size_t> of;
};

}  // namespace

// The name of a ReplicaSet of a Deployment is the Deployment's name and the hash of its pod template.
auto owner_of_pod(const Snapshot& cluster, const Pod& pod) -> PodOwner {
  const ObjectMeta& meta = pod.meta;
  const std::string_view ns = cluster.text(meta.ns);
  const OwnerReference* const owner = controller_of(meta);
  if (owner == nullptr) return {ns, "Pod", cluster.text(meta.name)};
  const std::string_view kind = cluster.text(owner->kind);
  const std::string_view name = cluster.text(owner->name);
  if (kind != kinds::replica_sets.name) return {ns, kind, name};
  const Symbol label = cluster.symbol("pod-template-hash");
  const std::string_view hash = label ? cluster.text(meta.labels.get(label)) : std::string_view();
  const std::size_t begin = name.size() - std::min(name.size(), hash.size() + 1);  // of `-` and the hash
  const bool of_deployment = !hash.empty() && begin > 0 && name[begin] == '-' && name.ends_with(hash);
  return of_deployment ? PodOwner{ns, kinds::deployments.name, name.substr(0, begin)} : PodOwner{ns, kind, name};
}

auto describe_owner(const PodOwner& owner) -> std::string {
  return fmt::format("{} {}/{}", owner.kind, owner.ns, owner.name);
}

auto running_pods(const Snapshot& cluster, const PodOwner& owner) -> std::size_t {
  const std::map<PodOwner, std::size_t>& running = cluster.derived<RunningPods>().of;
  const auto found = running.find(owner);
  return found == running.end() ? 0 : found->second;
}

auto describe_pods(const Snapshot& cluster, const std::vector<PodId>& pods) -> std::string {
  if (pods.size() == 1) return cluster.key(pods.front());
  const std::string many = counted(pods.size(), "pod", "pods");
  if (pods.empty() || controller_of(cluster.pod(pods.front()).meta) == nullptr) return many;
  const PodOwner owner = owner_of_pod(cluster, cluster.pod(pods.front()));
  const bool one_owner = std::all_of(pods.begin(), pods.end(),
                                     [&](PodId pod) { return owner_of_pod(cluster, cluster.pod(pod)) == owner; });
  if (!one_owner) return many;
  const std::size_t all = running_pods(cluster, owner);
  return all > pods.size() ? fmt::format("{} of {} pods of {}", pods.size(), all, describe_owner(owner))
                           : fmt::format("{} of {}", many, describe_owner(owner));
}

auto belongs_to_node(const Pod& pod, const Snapshot& cluster) -> bool {
  return is_static(pod, cluster) ||
         std::any_of(pod.meta.owners.begin(), pod.meta.owners.end(),
                     [&](const OwnerReference& owner) { return cluster.text(owner.kind) == kinds::daemon_sets.name; });
}

auto is_static(const Pod& pod, const Snapshot& cluster) -> bool {
  const Symbol mirror = cluster.symbol("kubernetes.io/config.mirror");
  return (mirror && pod.meta.annotations.has(mirror)) ||
         std::any_of(pod.meta.owners.begin(), pod.meta.owners.end(),
                     [&](const OwnerReference& owner) { return cluster.text(owner.kind) == kinds::nodes.name; });
}

auto ordinal_of(std::string_view pod_name) -> std::int64_t {
  const std::size_t dash = pod_name.rfind('-');
  std::int64_t number = -1;
  if (dash == std::string_view::npos) return number;
  const char* const end = pod_name.data() + pod_name.size();
  const auto [stop, error] = std::from_chars(pod_name.data() + dash + 1, end, number);
  return error == std::errc() && stop == end ? number : -1;
}

auto creates_no_pods(const Job& job, const Symbols& symbols) -> bool {
  constexpr std::array<std::string_view, 4> kEnds = {"Complete", "Failed", "FailureTarget", "SuccessCriteriaMet"};
  const auto ends = [&](const Condition& condition) {
    const std::string_view type = symbols.text(condition.type);
    return symbols.text(condition.status) == "True" && std::find(kEnds.begin(), kEnds.end(), type) != kEnds.end();
  };
  return job.spec.suspend || job.meta.deleting ||
         std::any_of(job.status.conditions.begin(), job.status.conditions.end(), ends);
}

auto other_controller_of(const Job& job, const Symbols& symbols) -> Symbol {
  return symbols.text(job.spec.managed_by) == "kubernetes.io/job-controller" ? Symbol{} : job.spec.managed_by;
}

// Source: kubernetes pkg/controller/job/pod_failure_policy.go isOnExitCodesOperatorMatching, v1.35.
static auto matches_a_stop(const FailedExitCodes& rule, const Symbols& symbols) -> bool {
  constexpr std::array<std::int64_t, 2> kBySignal = {143, 137};  // 128 + SIGTERM, 128 + SIGKILL
  const std::string_view op = symbols.text(rule.op);
  return std::any_of(kBySignal.begin(), kBySignal.end(), [&](std::int64_t code) {
    const bool listed = std::find(rule.values.begin(), rule.values.end(), code) != rule.values.end();
    return op == "In" ? listed : op == "NotIn" && !listed;
  });
}

auto on_disruption(const Job& job, const Symbols& symbols) -> JobDisruption {
  JobDisruption disruption;
  if (!job.spec.pod_failure_policy) return disruption;
  const std::vector<PodFailureRule>& rules = job.spec.pod_failure_policy->rules;
  std::vector<const PodFailureRule*> by_exit_code;
  for (const PodFailureRule& rule : rules) {
    if (rule.on_exit_codes) {
      disruption.assumes_exit_codes = true;
      if (matches_a_stop(*rule.on_exit_codes, symbols)) by_exit_code.push_back(&rule);
      continue;
    }
    const auto matches = [&](const FailedPodCondition& condition) {
      const std::string_view status = symbols.text(condition.status);
      return symbols.text(condition.type) == "DisruptionTarget" && (status.empty() || status == "True");
    };
    if (!std::any_of(rule.on_pod_conditions.begin(), rule.on_pod_conditions.end(), matches)) continue;
    disruption.action = symbols.text(rule.action);
    break;
  }
  const auto other = std::find_if(by_exit_code.begin(), by_exit_code.end(), [&](const PodFailureRule* rule) {
    return symbols.text(rule->action) != disruption.action;
  });
  if (other == by_exit_code.end()) return disruption;
  disruption.by_exit_code = symbols.text((*other)->action);
  disruption.exit_code_rule = static_cast<std::size_t>(*other - rules.data());
  return disruption;
}

auto indexes_in(std::string_view text) -> JobIndexes {
  JobIndexes indexes;
  while (!text.empty()) {
    const std::string_view interval = text.substr(0, text.find(','));
    const std::size_t dash = interval.find('-');
    const auto first = go::parse_int(interval.substr(0, dash), 32);
    const auto last = dash == std::string_view::npos ? first : go::parse_int(interval.substr(dash + 1), 32);
    if (first && last) indexes.emplace_back(*first, *last);
    text.remove_prefix(std::min(text.size(), interval.size() + 1));
  }
  return indexes;
}

// The number of indexes that are in both, of which no two intervals overlap.
static auto in_both(const JobIndexes& left, const JobIndexes& right) -> std::int64_t {
  std::int64_t count = 0;
  for (const auto& [first, last] : left) {
    for (const auto& [from, to] : right)
      count += std::max<std::int64_t>(0, std::min(last, to) - std::max(first, from) + 1);
  }
  return count;
}

auto failed_indexes(const Job& job, const Symbols& symbols) -> std::int64_t {
  const JobIndexes failed = indexes_in(symbols.text(job.status.failed_indexes));
  return in_both(failed, {{0, INT32_MAX}});
}

auto meets_success_policy(const Job& job, const JobIndexes& succeeded, const Symbols& symbols) -> bool {
  if (!job.spec.success_policy || succeeded.empty()) return false;
  const auto& rules = job.spec.success_policy->rules;
  return std::any_of(rules.begin(), rules.end(), [&](const SuccessRule& rule) {
    const JobIndexes all = {{0, INT32_MAX}};
    const JobIndexes required = rule.succeeded_indexes ? indexes_in(symbols.text(rule.succeeded_indexes)) : all;
    const std::int64_t count = in_both(required, succeeded);
    const bool every = rule.succeeded_indexes && !required.empty() && count == in_both(required, all);
    return every || (rule.succeeded_count && !required.empty() && count >= *rule.succeeded_count);
  });
}

auto fails_index(const Job& job, const Pod& pod, const Symbols& symbols, std::string_view action) -> bool {
  if (!job.spec.backoff_limit_per_index) return false;
  if (action == "FailIndex") return true;
  const Symbol count = symbols.find("batch.kubernetes.io/job-index-failure-count");
  const auto failed = go::parse_int(count ? symbols.text(pod.meta.annotations.get(count)) : std::string_view(), 32);
  return action != "Ignore" && failed.value_or(0) >= *job.spec.backoff_limit_per_index;
}

auto failure_of(const Job& job, JobFailures failed, std::string_view action) -> std::string {
  if (action == "FailJob") return "its pod failure policy fails the Job when a pod is evicted";
  const std::int64_t most = job.spec.backoff_limit_per_index ? kNoBackoffLimit : kDefaultBackoffLimit;
  const std::int64_t limit = job.spec.backoff_limit.value_or(most);
  if (failed.pods > limit)
    return fmt::format("{} of its pods failed, more than its backoffLimit of {}", failed.pods, limit);
  const auto& indexes = job.spec.max_failed_indexes;
  if (!job.spec.backoff_limit_per_index || !indexes || failed.indexes <= *indexes) return {};
  return fmt::format("{} of its indexes failed, more than its maxFailedIndexes of {}", failed.indexes, *indexes);
}

auto wants_ordinal(const StatefulSet& set, std::int64_t ordinal) -> bool {
  if (ordinal < 0) return true;  // an anonymized name has no number
  const std::int64_t start = set.spec.ordinals.start;
  return ordinal >= start && (!set.spec.replicas || ordinal - start < *set.spec.replicas);
}

auto is_terminating(const Snapshot& cluster, Symbol ns) -> bool {
  const auto& all = cluster.objects().namespaces;
  return std::any_of(all.begin(), all.end(),
                     [&](const Namespace& each) { return each.meta.name == ns && each.meta.deleting; });
}

namespace {

/// The objects of one kind, by namespace and name.
template <auto Store>
struct ByName {
  explicit ByName(const Snapshot& cluster) {
    for (const auto& each : cluster.objects().*Store) objects.emplace(std::pair(each.meta.ns, each.meta.name), &each);
  }
  using Object = typename std::decay_t<decltype(std::declval<Stores>().*Store)>::value_type;
  std::map<std::pair<Symbol, Symbol>, const Object*> objects;
};

// Null: there is none.
template <auto Store>
auto named(const Snapshot& cluster, Symbol ns, Symbol name) -> const typename ByName<Store>::Object* {
  const auto& all = cluster.derived<ByName<Store>>().objects;
  const auto found = all.find({ns, name});
  return found == all.end() ? nullptr : found->second;
}

}  // namespace

auto job_failure_after(const Snapshot& cluster, const std::vector<PodId>& pods, std::size_t disrupted) -> JobFailure {
  const Pod& pod = cluster.pod(pods.front());
  const OwnerReference* const owner = controller_of(pod.meta);
  if (owner == nullptr || cluster.text(owner->kind) != kinds::jobs.name) return {};
  const Job* const job = named<&Stores::jobs>(cluster, pod.meta.ns, owner->name);
  if (job == nullptr || other_controller_of(*job, cluster.symbols()) || creates_no_pods(*job, cluster.symbols()))
    return {};
  const auto failure = [&](std::string_view action) {
    const std::int64_t counts = action == "Ignore" ? 0 : static_cast<std::int64_t>(disrupted);
    const auto fails = [&](PodId id) { return fails_index(*job, cluster.pod(id), cluster.symbols(), action); };
    const std::int64_t indexes =
        std::min<std::int64_t>(std::count_if(pods.begin(), pods.end(), fails), static_cast<std::int64_t>(disrupted));
    return failure_of(*job, {job->status.failed + counts, failed_indexes(*job, cluster.symbols()) + indexes}, action);
  };
  const JobDisruption on = on_disruption(*job, cluster.symbols());
  std::string why = failure(on.action);
  if (on.by_exit_code.empty() || failure(on.by_exit_code).empty() == why.empty()) return {std::move(why)};
  return {fmt::format("podFailurePolicy.rules[{}], {}, may match first: a container that SIGTERM or SIGKILL ends has "
                      "exit code 143 or 137",
                      on.exit_code_rule, on.by_exit_code),
          false};
}

auto new_pod_after(const Snapshot& cluster, const Pod& pod) -> NewPod {
  const OwnerReference* const owner = controller_of(pod.meta);
  if (owner == nullptr || is_terminating(cluster, pod.meta.ns)) return NewPod::no;
  const auto of_replicas = [](const auto* set) {
    return set == nullptr || (!set->meta.deleting && set->spec.replicas.value_or(1) > 0) ? NewPod::yes : NewPod::no;
  };
  const std::string_view kind = cluster.text(owner->kind);
  if (kind == kinds::jobs.name) {
    const Job* job = named<&Stores::jobs>(cluster, pod.meta.ns, owner->name);
    if (job == nullptr) return NewPod::yes;
    if (other_controller_of(*job, cluster.symbols())) return NewPod::unknown;
    if (creates_no_pods(*job, cluster.symbols())) return NewPod::no;
    const auto ends = [&](std::string_view action) {
      const bool no_index = action == "FailIndex" || fails_index(*job, pod, cluster.symbols(), action);
      const JobFailures failed{job->status.failed + (action == "Ignore" ? 0 : 1),
                               failed_indexes(*job, cluster.symbols()) + (no_index ? 1 : 0)};
      return no_index || !failure_of(*job, failed, action).empty();
    };
    const JobDisruption on = on_disruption(*job, cluster.symbols());
    if (!on.by_exit_code.empty() && ends(on.action) != ends(on.by_exit_code)) return NewPod::unknown;
    return ends(on.action) ? NewPod::no : NewPod::yes;
  }
  if (kind == kinds::stateful_sets.name) {
    const StatefulSet* set = named<&Stores::stateful_sets>(cluster, pod.meta.ns, owner->name);
    if (set == nullptr) return NewPod::yes;
    return !set->meta.deleting && wants_ordinal(*set, ordinal_of(cluster.text(pod.meta.name))) ? NewPod::yes
                                                                                               : NewPod::no;
  }
  if (kind == kinds::replica_sets.name)
    return of_replicas(named<&Stores::replica_sets>(cluster, pod.meta.ns, owner->name));
  if (kind == kinds::replication_controllers.name)
    return of_replicas(named<&Stores::replication_controllers>(cluster, pod.meta.ns, owner->name));
  return NewPod::yes;
}

}  // namespace previct
