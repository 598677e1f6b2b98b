#include "analysis/subject.h"

#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

namespace previct {
namespace {

auto take_prefix(std::string_view& text, std::string_view prefix) -> bool {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

// Kinds that make pods; `deployment/web` would be a pod of a namespace of that name, and there is none.
auto makes_pods(std::string_view kind) -> bool {
  constexpr std::array<std::string_view, 18> kKinds = {
      "deployment",  "deployments",  "deploy", "replicaset", "replicasets", "rs",
      "statefulset", "statefulsets", "sts",    "daemonset",  "daemonsets",  "ds",
      "job",         "jobs",         "cj",     "cronjob",    "cronjobs",    "podgroups"};
  return std::find(kKinds.begin(), kKinds.end(), kind) != kKinds.end();
}

auto no_such_pod(const Snapshot& cluster, const Subject& subject) {
  if (makes_pods(subject.ns)) {
    return fail(fmt::format("{}/{} is no pod, and pods are asked about: NAME or NAMESPACE/NAME of one", subject.ns,
                            subject.name),
                {}, "--with FILE asks about the pod that a manifest of a workload would make");
  }
  std::vector<std::string> keys;
  std::vector<std::string> namesakes;  // the same name in another namespace
  std::size_t pending = 0;
  for (const PodId id : cluster.pods().ids()) {
    keys.push_back(cluster.key(id));
    if (cluster.text(cluster.pod(id).meta.name) == subject.name) namesakes.push_back(keys.back());
    if (cluster.pending(id)) ++pending;
  }
  const std::string wanted = fmt::format("{}/{}", subject.ns, subject.name);
  const auto meant = namesakes.empty() ? nearest(wanted, keys) : namesakes.front();
  return fail(fmt::format("no pod {} in the input{} ({})", wanted,
                          meant ? fmt::format("; did you mean {}?", *meant) : "",
                          counted(pending, "pending pod", "pending pods")));
}

auto subject_of(const Snapshot& cluster, PodId id) -> Subject {
  const ObjectMeta& meta = cluster.pod(id).meta;
  return {"pod", std::string(cluster.text(meta.ns)), std::string(cluster.text(meta.name)), id};
}

}  // namespace

auto read_subject(std::string_view text, std::string_view ns) -> Result<Subject> {
  Subject subject;
  const std::string_view given = text;
  if (take_prefix(text, "podgroup/")) {
    subject.kind = "podgroup";
  } else if (!take_prefix(text, "pod/")) {
    if (!take_prefix(text, "pods/")) take_prefix(text, "po/");
  }
  const std::size_t slash = text.find('/');
  subject.ns = slash == std::string_view::npos ? ns : text.substr(0, slash);
  subject.name = slash == std::string_view::npos ? text : text.substr(slash + 1);
  if (subject.ns.empty() || subject.name.empty() || subject.name.find('/') != std::string::npos) {
    return fail(
        fmt::format("\"{}\" names no pod; expected NAME, NAMESPACE/NAME, pod/NAME or podgroup/NAMESPACE/NAME", given));
  }
  return subject;
}

auto find_subject(const Snapshot& cluster, std::string_view text, std::string_view ns) -> Result<Subject> {
  PREVICT_TRY(Subject subject, read_subject(text, ns));
  if (subject.kind == "podgroup") return subject;
  subject.pod = cluster.find_pod(subject.ns, subject.name);
  if (!subject.pod) return no_such_pod(cluster, subject);
  if (cluster.finished(subject.pod)) {
    const Pod& pod = cluster.pod(subject.pod);
    return fail(fmt::format("pod {} has finished (phase {}); no scheduler looks at it again", cluster.key(subject.pod),
                            cluster.text(pod.status.phase)),
                pod.meta.source);
  }
  if (cluster.runs_nowhere(subject.pod)) {
    return fail(
        fmt::format("pod {} is Running by its phase and has no spec.nodeName: the input has lost where it runs, "
                    "and no scheduler looks for a place for it",
                    cluster.key(subject.pod)),
        cluster.pod(subject.pod).meta.source, "to ask what would happen to it, set status.phase to Pending");
  }
  return subject;
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

auto choose_engine(const std::vector<const Engine*>& engines, std::string_view name, const Snapshot& cluster,
                   const Subject& subject) -> Result<const Engine*> {
  std::vector<std::string> names;
  for (const Engine* engine : engines) {
    if (engine->name() == name) return engine;
    // A group has no pod to show.
    const bool of_group = subject.kind == "podgroup";
    if (name == "auto" && (of_group ? engine->decides_about_groups() : engine->takes(cluster, subject.pod)))
      return engine;
    names.emplace_back(engine->name());
  }
  if (name == "auto" && subject.kind == "podgroup") return fail("no engine decides about groups");
  if (name == "auto") {
    const std::string_view scheduler = cluster.text(cluster.pod(subject.pod).spec.scheduler_name);
    return fail(fmt::format("no engine knows the scheduler of pod {}/{}: schedulerName is \"{}\"", subject.ns,
                            subject.name, scheduler.empty() ? "default-scheduler" : scheduler),
                {}, fmt::format("--engine {} answers by the rules of that scheduler", joined(names, ", or ")));
  }
  const auto meant = nearest(name, names);
  return fail(fmt::format(
      "unknown engine \"{}\"; {}", name,
      meant ? fmt::format("did you mean {}?", *meant) : fmt::format("there are auto, {}", joined(names, ", "))));
}

auto engine_of(const std::vector<const Engine*>& engines, const Snapshot& cluster, PodId pod) -> const Engine* {
  const auto found =
      std::find_if(engines.begin(), engines.end(), [&](const Engine* engine) { return engine->takes(cluster, pod); });
  return found == engines.end() ? nullptr : *found;
}

auto main_engine(const std::vector<const Engine*>& engines, std::string_view name, const Snapshot& cluster)
    -> Result<const Engine*> {
  for (const Engine* engine : engines) {
    if (engine->name() == name) return engine;
  }
  if (name != "auto") return fail(fmt::format("--engine: no engine is called {}", name));
  std::map<const Engine*, std::size_t> takes;
  for (const PodId pod : cluster.pods().ids()) {
    if (const Engine* const engine = engine_of(engines, cluster, pod)) ++takes[engine];
  }
  // The last by rank takes what no other does.
  const Engine* most = engines.back();
  for (const Engine* engine : engines) {
    if (takes[engine] > takes[most]) most = engine;
  }
  return most;
}

}  // namespace previct
