#include "prove/search.h"

#include "cluster/changed_cluster.h"
#include "cluster/pod_request.h"
#include "tell/tell.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace previct::prove {
namespace {

constexpr std::string_view kPreemptor = "previct-preemptor";

// What schedulers read of a pod, as far as it is cheap to compare: pods that differ elsewhere are tried more often.
auto shape_of(const Pod& pod) -> std::string {
  std::string shape = fmt::format("{} {} {} {}", pod.meta.ns.index, pod.spec.scheduler_name.index,
                                  pod.spec.priority_class_name.index, pod.spec.priority);
  for (const auto& [key, value] : pod.meta.labels) shape += fmt::format(" {}={}", key.index, value.index);
  for (const auto& [key, value] : pod.meta.annotations) shape += fmt::format(" {}:{}", key.index, value.index);
  for (const Container& each : pod.spec.containers) {
    for (const auto& [name, amount] : each.resources.requests)
      shape += fmt::format(" {}x{}", name.index, amount.milli());
  }
  return shape;
}

// A pod whose victims are searched: a pending pod of the input, or one more pod like a pod of the input.
struct PodToTry {
  PodId like;
  bool itself = false;
};

auto preemptors_of(const Engine& engine, const Snapshot& cluster) -> std::vector<PodToTry> {
  std::vector<PodToTry> all;
  std::set<std::string> shapes;
  for (const PodId pod : cluster.pods().ids()) {
    if (cluster.finished(pod) || engine_of(engines(), cluster, pod) != &engine) continue;
    if (cluster.pending(pod)) all.push_back({pod, true});
    if (shapes.insert(shape_of(cluster.pod(pod))).second) all.push_back({pod});
  }
  return all;
}

// Fails if the statement is about no running pod.
auto violation_of(const MakeInvariant& make, const Snapshot& cluster) -> Result<std::string> {
  PREVICT_TRY(const std::unique_ptr<Invariant> invariant, make(cluster));
  bool any = false;
  for (const NodeId node : cluster.nodes().ids()) any = any || invariant->pods_on(node) > 0;
  if (!any) return fail("no running pod is concerned, so there is nothing to search");
  return invariant->violation();
}

auto another_like(const Pod& like, Instant created, Symbols& symbols) -> Pod {
  Pod pod = like;
  pod.meta.name = symbols.intern(kPreemptor);
  pod.meta.uid = {};
  pod.meta.created = created;
  pod.meta.deleting.reset();
  pod.spec.node_name = {};
  pod.status = {};
  pod.status.phase = symbols.intern("Pending");
  return pod;
}

}  // namespace

auto search(const Engine& engine, Objects& objects, Question question, const MakeInvariant& make, std::size_t most)
    -> Result<Search> {
  Search out;
  out.engine = engine.name();
  PREVICT_TRY(out.violation, violation_of(make, Snapshot(objects)));
  std::vector<PodToTry> pods = preemptors_of(engine, Snapshot(objects));
  if (pods.empty()) return fail(fmt::format("no pod of the input is scheduled by {}", engine.name()));
  out.left_out = pods.size() - std::min(most, pods.size());
  pods.resize(pods.size() - out.left_out);
  question.kind = "pod";
  for (const auto& [like, itself] : pods) {
    ChangedCluster changed(objects);
    if (!itself) changed.add(another_like(objects.pods[like], question.now, objects.symbols));
    const Snapshot cluster(objects);
    PREVICT_TRY(const std::unique_ptr<Invariant> invariant, make(cluster));
    question.ns = cluster.text(cluster.pod(like).meta.ns);
    question.name = itself ? cluster.text(cluster.pod(like).meta.name) : kPreemptor;
    const Result<Answer> answer = explain(engine, cluster, question);
    ++out.tried;
    out.unknown += !answer || answer->outcome == Outcome::unknown ? 1U : 0U;
    if (!answer) continue;
    out.behaves = answer->behaves;
    add_gaps(answer->gaps, out.gaps);
    if (answer->outcome == Outcome::unknown || !invariant->is_broken_by(*answer)) continue;
    out.found = cluster.key(like);
    out.is_pending = itself;
    for (const Victim& each : answer->victims) out.victims.push_back(cluster.key(each.pod));
    return out;
  }
  return out;
}

}  // namespace previct::prove
