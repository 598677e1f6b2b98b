// New pods from templates of which the input has no pod.

#include "api/upstream.h"
#include "cluster/controlled_pods.h"
#include "overlay/admission.h"
#include "overlay/creation.h"
#include "overlay/limits.h"
#include "sequence/simulated_cluster.h"

#include <fmt/format.h>

#include <algorithm>

namespace previct::sequence {
namespace {

auto holds(const SharedList<Container>& list, Symbol name) -> bool {
  return std::any_of(list.begin(), list.end(), [&](const Container& each) { return each.name == name; });
}

auto tolerates_the_same(const PodSpec& spec, const TaintToleration& toleration) -> bool {
  return std::any_of(spec.tolerations.begin(), spec.tolerations.end(), [&](const TaintToleration& other) {
    return other.key == toleration.key && other.op == toleration.op && other.value == toleration.value &&
           other.effect == toleration.effect && other.seconds == toleration.seconds;
  });
}

void add_containers(const SharedList<Container>& has, const SharedList<Container>& of_template,
                    SharedList<Container>& made) {
  for (const Container& each : has) {
    if (!holds(of_template, each.name) && !holds(made, each.name)) made.push_back(each);
  }
}

// Adds what admission has added to the pod `has`: sidecars, tolerations, and labels that nodes must have.
void add_admitted(const PodSpec& has, const PodSpec& of_template, PodSpec& made) {
  add_containers(has.containers, of_template.containers, made.containers);
  add_containers(has.init_containers, of_template.init_containers, made.init_containers);
  for (const TaintToleration& each : has.tolerations) {
    if (!tolerates_the_same(of_template, each) && !tolerates_the_same(made, each)) made.tolerations.push_back(each);
  }
  for (const auto& [key, value] : has.node_selector) {
    if (!of_template.node_selector.has(key) && !made.node_selector.has(key)) made.node_selector.set(key, value);
  }
}

}  // namespace

auto SimulatedCluster::admitted(const PodsOfSet& by, PodId like, const PodSpec* of_like,
                                const ControllerObjects& controller_objects, Instant at) -> Result<Admitted> {
  Symbols& symbols = objects_.symbols;
  if (is_terminating(cluster(), by.ns)) {
    return fail(fmt::format("namespace {} is being terminated, so ReplicaSet {} creates no pod", symbols.text(by.ns),
                            symbols.text(by.name)));
  }
  Admitted made{.pod = {}, .differences = {}, .webhooks = webhooks_of_pods(objects_)};
  Pod& pod = made.pod;
  pod.meta.ns = by.ns;
  pod.meta.labels = by.pods.meta.labels;
  pod.meta.annotations = by.pods.meta.annotations;
  pod.meta.generate_name = symbols.intern(fmt::format("{}-", symbols.text(by.name)));
  pod.meta.created = Instant{at.seconds, 0};
  pod.meta.owners = {{.kind = symbols.intern(kinds::replica_sets.name),
                      .name = by.name,
                      .uid = by.uid,
                      .controller = true,
                      .api_version = symbols.intern("apps/v1")}};
  pod.spec = by.pods.spec;
  pod.status.phase = symbols.intern("Pending");
  // Its default, unless the pods of the input were written by hand, without it.
  if (!pod.spec.scheduler_name && objects_.pods[like].spec.scheduler_name)
    pod.spec.scheduler_name = symbols.intern(upstream::kDefaultScheduler);
  if (of_like != nullptr) {
    Pod bare = objects_.pods[like];
    take_back_limits(bare, symbols);
    add_admitted(bare.spec, *of_like, pod.spec);
  }
  PREVICT_CHECK(admit(pod, at, objects_));
  PREVICT_CHECK(apply_limits(pod, controller_objects.limit_ranges, objects_));
  PREVICT_CHECK(apply_runtime_class(pod, pod.spec.runtime_class_name, has_all_runtime_classes(objects_), objects_));
  return made;
}

}  // namespace previct::sequence
