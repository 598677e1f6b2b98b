#include "analysis/subject.h"

#include "api/event_reasons.h"
#include "base/ascii.h"
#include "base/contains.h"
#include "base/instant.h"
#include "base/text.h"
#include "cluster/where_read.h"
#include "tell/gap_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

namespace previct {
namespace {

auto take_prefix(std::string_view& text, std::string_view prefix) -> bool {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

// Returns the kind if the text names a kind that creates pods, with or without its group: `deployments.apps`; empty if
// not. Without this check `deployment/web` would be a pod in a namespace of that name.
auto workload_kind(std::string_view text) -> std::string_view {
  text = text.substr(0, text.find('.'));
  if (text == kinds::kai_pod_groups.plural) return kinds::kai_pod_groups.name;  // the singular is a subject of its own
  const auto kinds = all_kinds();
  const auto found = std::find_if(kinds.begin(), kinds.end(),
                                  [&](const KindInfo* kind) { return kind->makes_pods && kind->is_called(text); });
  if (found != kinds.end()) return (*found)->name;
  for (const Engine* engine : engines()) {
    for (const std::string_view kind : engine->represented_kinds()) {
      if (equal_but_for_case(text, kind) || equal_but_for_case(text, std::string(kind) + 's')) return kind;
    }
  }
  return {};
}

// Returns true if the workload created the pod. The name of a Deployment's ReplicaSet is the Deployment's name and the
// template hash; the name of a CronJob's Job is the CronJob's name and its time.
auto made_by(const Snapshot& cluster, const Pod& pod, std::string_view kind, std::string_view name) -> bool {
  return std::any_of(pod.meta.owners.begin(), pod.meta.owners.end(), [&](const OwnerReference& owner) {
    const std::string_view of = cluster.text(owner.kind);
    const std::string_view called = cluster.text(owner.name);
    if (of == kind) return called == name;
    const bool between = (kind == "Deployment" && of == "ReplicaSet") || (kind == "CronJob" && of == "Job");
    return between && called.starts_with(name) && called.substr(name.size()).starts_with('-') &&
           called.find('-', name.size() + 1) == std::string_view::npos;
  });
}

auto is_end(const ClusterEvent& event, const Snapshot& cluster) -> bool {
  return ends_pod(cluster.text(event.reason), cluster.text(event.note));
}

// The last event about a deleted pod, preferably the one that ended it; null if there is none.
auto last_event_of(const Snapshot& cluster, const Subject& subject) -> const ClusterEvent* {
  const ClusterEvent* last = nullptr;
  const auto rank = [&](const ClusterEvent& event) {
    return std::pair(is_end(event, cluster), event.at().value_or(Instant{}));
  };
  for (const ClusterEvent& event : cluster.objects().events) {
    const bool ours = cluster.text(event.regarding.kind) == "Pod" && cluster.text(event.regarding.ns) == subject.ns &&
                      cluster.text(event.regarding.name) == subject.name;
    if (ours && (last == nullptr || rank(*last) < rank(event))) last = &event;
  }
  return last;
}

// The object with that name that waits without pods, `workload/NAMESPACE/NAME`; empty if there is none.
auto waiting_namesake(const Snapshot& cluster, const Subject& subject) -> std::string {
  for (const Engine* engine : engines()) {
    for (const AskedObject& each : engine->waiting_without_pods(cluster.objects())) {
      if (each.ns == subject.ns && each.name == subject.name)
        return fmt::format("{}/{}/{}", engine->asked_kind(), each.ns, each.name);
    }
  }
  return {};
}

auto no_such_pod(const Snapshot& cluster, const Subject& subject) {
  if (!workload_kind(subject.ns).empty()) {
    return fail(fmt::format("{}/{} is not a pod; pass the NAME or NAMESPACE/NAME of a pod", subject.ns, subject.name),
                {}, "to explain a pod that does not exist yet, pass its workload's manifest with --with FILE");
  }
  if (const ClusterEvent* const last = last_event_of(cluster, subject)) {
    const std::string_view reason = cluster.text(last->reason);
    const std::string at = last->at() ? fmt::format(" at {}", format_instant(*last->at())) : "";
    return fail(fmt::format("pod {}/{} is gone; its last event: {}{}: {}", subject.ns, subject.name, reason, at,
                            cluster.text(last->note)),
                {},
                is_end(*last, cluster) ? fmt::format("previct why-preempted {}/{} shows why", subject.ns, subject.name)
                                       : "no event shows that it was evicted");
  }
  std::vector<std::string> keys;
  std::vector<std::string> namesakes;  // pods with the same name in other namespaces
  std::size_t pending = 0;
  for (const PodId id : cluster.pods().ids()) {
    keys.push_back(cluster.key(id));
    if (cluster.text(cluster.pod(id).meta.name) == subject.name) namesakes.push_back(keys.back());
    if (cluster.pending(id)) ++pending;
  }
  const std::string wanted = fmt::format("{}/{}", subject.ns, subject.name);
  const std::string waiting = waiting_namesake(cluster, subject);
  const std::optional<std::string> meant = !waiting.empty()    ? waiting
                                           : namesakes.empty() ? nearest(wanted, keys)
                                                               : namesakes.front();
  return fail(fmt::format("no pod {} {}{} ({})", wanted, where_pods_read(cluster.objects(), subject.ns),
                          meant ? fmt::format("; did you mean {}?", *meant) : "",
                          counted(pending, "pending pod", "pending pods")));
}

auto subject_of(const Snapshot& cluster, PodId id) -> Subject {
  const ObjectMeta& meta = cluster.pod(id).meta;
  return {"pod", std::string(cluster.text(meta.ns)), std::string(cluster.text(meta.name)), id};
}

}  // namespace

auto about(const Subject& subject, Question question) -> Question {
  question.kind = subject.kind;
  question.ns = subject.ns;
  question.name = subject.name;
  return question;
}

auto read_subject(std::string_view text, std::string_view ns) -> Result<Subject> {
  Subject subject;
  const std::string_view given = text;
  const auto asked = std::find_if(engines().begin(), engines().end(), [&](const Engine* engine) {
    const std::string_view kind = engine->asked_kind();
    return !kind.empty() && text.starts_with(kind) && text.substr(kind.size()).starts_with('/');
  });
  if (asked != engines().end()) {
    subject.kind = (*asked)->asked_kind();
    text.remove_prefix(subject.kind.size() + 1);
  } else if (!take_prefix(text, "pod/")) {
    if (!take_prefix(text, "pods/")) take_prefix(text, "po/");
  }
  const std::size_t slash = text.find('/');
  subject.ns = slash == std::string_view::npos ? ns : text.substr(0, slash);
  subject.name = slash == std::string_view::npos ? text : text.substr(slash + 1);
  if (subject.ns.empty() || subject.name.empty() || subject.name.find('/') != std::string::npos) {
    return fail(
        fmt::format("\"{}\" is not a pod name; expected NAME, NAMESPACE/NAME, pod/NAME, podgroup/NAMESPACE/NAME or "
                    "workload/NAMESPACE/NAME",
                    given));
  }
  return subject;
}

auto find_subject(const Snapshot& cluster, std::string_view text, std::string_view ns) -> Result<Subject> {
  PREVICT_TRY(Subject subject, read_subject(text, ns));
  if (subject.kind != "pod") return subject;
  subject.pod = cluster.find_pod(subject.ns, subject.name);
  if (!subject.pod) return no_such_pod(cluster, subject);
  if (cluster.finished(subject.pod)) {
    const Pod& pod = cluster.pod(subject.pod);
    return fail(fmt::format("pod {} has finished (phase {}); no scheduler will try it again", cluster.key(subject.pod),
                            cluster.text(pod.status.phase)),
                pod.meta.source);
  }
  if (cluster.runs_on_unknown_node(subject.pod)) {
    return fail(
        fmt::format(
            "pod {} has phase Running but no spec.nodeName: the input lacks its node, and no scheduler tries it",
            cluster.key(subject.pod)),
        cluster.pod(subject.pod).meta.source, "to explain it as a pending pod, set status.phase to Pending");
  }
  return subject;
}

auto find_pod(const Snapshot& cluster, std::string_view text, std::string_view ns) -> Result<PodId> {
  PREVICT_TRY(const Subject subject, find_subject(cluster, text, ns));
  if (subject.pod) return subject.pod;
  return fail(fmt::format("\"{}\" is a group; expected a pod, such as one of the group's", text));
}

auto names_workload(std::string_view text) -> bool {
  const std::size_t slash = text.find('/');
  return slash != std::string_view::npos && !workload_kind(text.substr(0, slash)).empty();
}

namespace {

// The workload that `deploy/NAME` or `deploy/NS/NAME` names.
struct NamedWorkload {
  std::string_view kind;
  std::string_view ns;
  std::string_view name;
};

auto workload_of(std::string_view text, std::string_view ns) -> std::optional<NamedWorkload> {
  const std::size_t slash = text.find('/');
  const std::string_view kind = slash == std::string_view::npos ? "" : workload_kind(text.substr(0, slash));
  if (kind.empty() || kind == "PodGroup") return {};
  std::string_view name = text.substr(slash + 1);
  if (const std::size_t next = name.find('/'); next != std::string_view::npos) {
    ns = name.substr(0, next);
    name.remove_prefix(next + 1);
  }
  return NamedWorkload{kind, ns, name};
}

auto pods_of(const Snapshot& cluster, const NamedWorkload& workload) -> std::vector<PodId> {
  std::vector<PodId> pods;
  for (const PodId id : cluster.pods().ids()) {
    const Pod& pod = cluster.pod(id);
    if (cluster.text(pod.meta.ns) == workload.ns && made_by(cluster, pod, workload.kind, workload.name))
      pods.push_back(id);
  }
  std::sort(pods.begin(), pods.end(), [&](PodId a, PodId b) {
    return cluster.text(cluster.pod(a).meta.name) < cluster.text(cluster.pod(b).meta.name);
  });
  return pods;
}

auto no_pod_of(const Snapshot& cluster, const NamedWorkload& workload) -> std::string {
  return fmt::format("no pod of {} {}/{} {}", workload.kind, workload.ns, workload.name,
                     where_pods_read(cluster.objects(), std::string(workload.ns)));
}

}  // namespace

auto pods_of_workload(const Snapshot& cluster, std::string_view text, std::string_view ns)
    -> Result<std::optional<std::vector<PodId>>> {
  const std::optional<NamedWorkload> workload = workload_of(text, ns);
  if (!workload) return std::nullopt;
  std::vector<PodId> pods = pods_of(cluster, *workload);
  std::erase_if(pods, [&](PodId pod) { return cluster.finished(pod); });
  if (pods.empty()) return fail(no_pod_of(cluster, *workload));
  return std::optional(std::move(pods));
}

auto pending_of_workload(const Snapshot& cluster, std::string_view text, std::string_view ns)
    -> Result<std::optional<std::vector<Subject>>> {
  const std::optional<NamedWorkload> workload = workload_of(text, ns);
  if (!workload) return std::nullopt;
  const std::vector<PodId> all = pods_of(cluster, *workload);
  std::vector<Subject> subjects;
  for (const PodId pod : all) {
    if (cluster.pending(pod)) subjects.push_back(subject_of(cluster, pod));
  }
  if (!subjects.empty()) return std::optional(std::move(subjects));
  return fail(all.empty() ? no_pod_of(cluster, *workload)
                          : fmt::format("{} {}/{} has no pending pod ({})", workload->kind, workload->ns,
                                        workload->name, counted(all.size(), "pod in all", "pods in all")),
              {}, "to explain a pod that does not exist yet, pass its workload's manifest with --with FILE");
}

auto stand_in_of_workload(const std::vector<const Engine*>& engines, std::string_view engine, const Snapshot& cluster,
                          std::string_view text, std::string_view ns) -> std::optional<Subject> {
  const std::size_t slash = text.find('/');
  const std::string_view kind = slash == std::string_view::npos ? "" : workload_kind(text.substr(0, slash));
  if (kind.empty()) return {};
  std::string_view name = text.substr(slash + 1);
  if (const std::size_t next = name.find('/'); next != std::string_view::npos) {
    ns = name.substr(0, next);
    name.remove_prefix(next + 1);
  }
  for (const Engine* each : engines) {
    if (engine != "auto" && each->name() != engine) continue;
    const auto found = each->representative_of(cluster, kind, ns, name);
    if (found) return Subject{std::string(each->asked_kind()), found->ns, found->name, {}};
  }
  return {};
}

auto pending_of(const std::vector<const Engine*>& engines, std::string_view engine, const Snapshot& cluster,
                const Question& question, std::string_view ns) -> Result<std::vector<Subject>> {
  std::vector<Subject> subjects;
  std::vector<const Engine*> with_objects;
  for (const Engine* each : engines) {
    if (engine != "auto" && each->name() != engine) continue;
    PREVICT_TRY(const std::vector<AskedObject> waiting, each->pending(cluster, question, ns));
    for (const AskedObject& object : waiting)
      subjects.push_back({std::string(each->asked_kind()), object.ns, object.name, {}});
    if (!waiting.empty()) with_objects.push_back(each);
  }
  // A pod that waits for one of these objects is covered by it.
  for (Subject& subject : pending_subjects(cluster, ns)) {
    const Engine* const owns_pod = engine_of(engines, cluster, subject.pod);
    const bool told = std::find(with_objects.begin(), with_objects.end(), owns_pod) != with_objects.end();
    const bool asked = engine == "auto" || with_objects.empty();
    if (!told && asked) subjects.push_back(std::move(subject));
  }
  return subjects;
}

auto pending_subjects(const Snapshot& cluster, std::string_view ns) -> std::vector<Subject> {
  std::vector<Subject> subjects;
  for (const PodId id : cluster.pods().ids()) {
    if (cluster.pending(id) && (ns.empty() || cluster.text(cluster.pod(id).meta.ns) == ns)) {
      subjects.push_back(subject_of(cluster, id));
    }
  }
  std::sort(subjects.begin(), subjects.end(),
            [](const Subject& a, const Subject& b) { return std::tie(a.ns, a.name) < std::tie(b.ns, b.name); });
  return subjects;
}

auto pending_by_engine(const Snapshot& cluster, std::string_view ns) -> std::map<std::string_view, std::size_t> {
  std::map<std::string_view, std::size_t> counts;
  for (const Subject& subject : pending_subjects(cluster, ns)) {
    const Engine* const decides = engine_of(engines(), cluster, subject.pod);
    if (decides != nullptr) ++counts[decides->name()];
  }
  return counts;
}

namespace {

// Number of objects that wait without pods.
auto waiting_objects(const Engine& engine, const Snapshot& cluster, std::string_view ns) -> std::size_t {
  const std::vector<AskedObject> all = engine.waiting_without_pods(cluster.objects());
  return static_cast<std::size_t>(
      std::count_if(all.begin(), all.end(), [&](const AskedObject& each) { return ns.empty() || each.ns == ns; }));
}

}  // namespace

auto pending_of_others(const Engine& engine, const Snapshot& cluster, std::string_view ns) -> std::vector<Gap> {
  std::vector<Gap> gaps;
  for (const auto& [name, count] : pending_by_engine(cluster, ns)) {
    if (name != engine.name()) gaps.push_back({GapRule::pods_not_asked, {std::to_string(count), std::string(name)}});
  }
  for (const Engine* const other : engines()) {
    const std::size_t waiting = other == &engine ? 0 : waiting_objects(*other, cluster, ns);
    if (waiting == 0) continue;
    const std::string one = fmt::format("pending {}", other->asked_kind());
    gaps.push_back({GapRule::objects_not_asked, {counted(waiting, one, one + "s"), std::string(other->name())}});
  }
  return gaps;
}

auto left_out_words(const std::vector<Gap>& left_out) -> std::string {
  if (left_out.empty()) return {};
  std::vector<std::string> parts;
  for (const Gap& gap : left_out)
    parts.push_back(fmt::format("{} (--engine {})", what_words(gap), gap.operands.back()));
  return fmt::format(" Not included: {}.", joined(parts, ", "));
}

auto check_engine_name(const std::vector<const Engine*>& engines, std::string_view name) -> Result<void> {
  std::vector<std::string> names = {"auto"};
  for (const Engine* engine : engines) names.emplace_back(engine->name());
  if (std::find(names.begin(), names.end(), name) != names.end()) return {};
  const auto meant = nearest(name, names);
  return fail(
      fmt::format("unknown engine \"{}\"; {}", name,
                  meant ? fmt::format("did you mean {}?", *meant) : fmt::format("there are {}", joined(names, ", "))));
}

auto choose_engine(const std::vector<const Engine*>& engines, std::string_view name, const Snapshot& cluster,
                   const Subject& subject) -> Result<const Engine*> {
  PREVICT_CHECK(check_engine_name(engines, name));
  std::vector<std::string> names;
  for (const Engine* engine : engines) {
    if (engine->name() == name) return engine;
    // takes() needs a pod, and with a given engine name the input may have none.
    const auto owns_pod = [&] {
      return subject.kind == "pod" ? engine->owns_pod(cluster, subject.pod) : engine->asked_kind() == subject.kind;
    };
    if (name == "auto" && owns_pod()) return engine;
    names.emplace_back(engine->name());
  }
  if (subject.kind != "pod") return fail(fmt::format("no engine decides about a {}", subject.kind));
  return fail(fmt::format("no engine models the scheduler of pod {}/{}: schedulerName is \"{}\"", subject.ns,
                          subject.name, scheduler_of(cluster, subject.pod)),
              {}, fmt::format("--engine {} applies the rules of that scheduler", joined(names, ", or ")));
}

namespace {

// Kubernetes itself defines such kinds, so that they say nothing about schedulers.
auto is_built_in(const KindInfo& kind) -> bool {
  return kind.group.find('.') == std::string_view::npos || kind.group.ends_with(".k8s.io");
}

// Number of objects of the kinds that no other engine reads.
auto objects_of_its_own(const std::vector<const Engine*>& engines, const Engine& engine, const Snapshot& cluster)
    -> std::size_t {
  std::size_t count = 0;
  for (const RequiredKind& need : engine.needs()) {
    const bool shared = std::any_of(engines.begin(), engines.end(), [&](const Engine* other) {
      const auto needs = other->needs();
      return other != &engine &&
             std::any_of(needs.begin(), needs.end(), [&](const RequiredKind& each) { return each.kind == need.kind; });
    });
    const auto& counts = cluster.objects().counts;
    const auto found = counts.find(std::string(need.kind->key));
    if (!shared && !is_built_in(*need.kind) && found != counts.end()) count += found->second;
  }
  return count;
}

}  // namespace

auto engine_without_subjects(const Snapshot& cluster) -> const Engine* {
  const auto& all = engines();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Engine* engine) {
    return !engine->needs().empty() && lacks(cluster.objects(), *engine->needs().front().kind) &&
           objects_of_its_own(all, *engine, cluster) > 0;
  });
  return found == all.end() ? nullptr : *found;
}

auto main_engine(const std::vector<const Engine*>& engines, std::string_view name, const Snapshot& cluster)
    -> Result<const Engine*> {
  PREVICT_CHECK(check_engine_name(engines, name));
  for (const Engine* engine : engines) {
    if (engine->name() == name) return engine;
  }
  std::map<const Engine*, std::size_t> owns_pod;
  for (const PodId pod : cluster.pods().ids()) {
    if (const Engine* const engine = engine_of(engines, cluster, pod)) ++owns_pod[engine];
  }
  for (const Engine* engine : engines) owns_pod[engine] += engine->pods_of_objects(cluster);
  // Without any pod, the kinds that only one scheduler reads identify it.
  const bool none = std::all_of(owns_pod.begin(), owns_pod.end(), [](const auto& each) { return each.second == 0; });
  if (none) {
    for (const Engine* engine : engines) owns_pod[engine] = objects_of_its_own(engines, *engine, cluster);
  }
  // The last engine by rank takes what no other engine claims.
  const Engine* most = engines.back();
  for (const Engine* engine : engines) {
    if (owns_pod[engine] > owns_pod[most]) most = engine;
  }
  return most;
}

auto engine_of_pending(const std::vector<const Engine*>& engines, std::string_view name, const Snapshot& cluster,
                       std::string_view ns) -> Result<const Engine*> {
  PREVICT_TRY(const Engine* chosen, main_engine(engines, name, cluster));
  if (name != "auto") return chosen;
  auto waiting = pending_by_engine(cluster, ns);
  for (const Engine* engine : engines) waiting[engine->name()] += waiting_objects(*engine, cluster, ns);
  if (waiting[chosen->name()] > 0) return chosen;
  for (const Engine* engine : engines) {
    if (waiting[engine->name()] > waiting[chosen->name()]) chosen = engine;
  }
  return chosen;
}

}  // namespace previct
