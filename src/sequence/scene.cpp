#include "sequence/scene.h"

#include "cluster/matching.h"
#include "engine/kube/words.h"

namespace previct::sequence {

struct Scene::Pictures {
  explicit Pictures(Objects& objects) : cluster(objects), world(cluster), budgets(world) {}
  Snapshot cluster;
  kube::World world;
  kube::Budgets budgets;
};

Scene::Scene(Objects& objects)
    : objects_(objects), budgets_before_(objects.disruption_budgets), pictures_(std::make_unique<Pictures>(objects)) {
  node_of_ = IdVector<PodId, NodeId>(objects.pods.size());
  for (const PodId id : objects.pods.ids()) {
    if (!cluster().finished(id)) node_of_[id] = cluster().node_of(id);
  }
}

Scene::~Scene() {
  for (auto& [index, pod] : before_) objects_.pods[PodId{index}] = std::move(pod);
  objects_.disruption_budgets = std::move(budgets_before_);
}

auto Scene::pictures() const -> Pictures& {
  if (!pictures_) pictures_ = std::make_unique<Pictures>(objects_);
  return *pictures_;
}

auto Scene::cluster() const -> const Snapshot& { return pictures().cluster; }

auto Scene::change(PodId id) -> Pod& {
  Pod& pod = objects_.pods[id];
  before_.try_emplace(id.index, pod);
  pictures_.reset();
  ++version_;
  return pod;
}

// Finished pods are invisible to schedulers, which is what a pod that is gone, or not yet there, has to be.
void Scene::hide(PodId id) {
  const Symbol failed = cluster().known().failed;
  change(id).status.phase = failed;
}

void Scene::show(PodId id) {
  change(id).status.phase = before_.at(id.index).status.phase;
}

void Scene::place(PodId id, NodeId node, Instant at) {
  const Snapshot& snapshot = cluster();
  const Symbol name = snapshot.node(node).meta.name;
  const Condition scheduled{.type = snapshot.known().pod_scheduled, .status = snapshot.known().true_status, .reason = {},
                            .last_transition = Instant{at.seconds, 0}};
  Pod& pod = change(id);
  pod.spec.node_name = name;
  pod.status.nominated_node_name = {};
  pod.status.start_time = Instant{at.seconds, 0};
  std::erase_if(pod.status.conditions, [&](const Condition& c) { return c.type == scheduled.type; });
  pod.status.conditions.push_back(scheduled);
  node_of_[id] = node;
}

void Scene::take_back(PodId id) {
  Pod& pod = change(id);
  pod.spec.node_name = {};
  pod.status.start_time = before_.at(id.index).status.start_time;
  pod.status.conditions = before_.at(id.index).status.conditions;
  node_of_[id] = {};
}

void Scene::mark_as_target(PodId id) {
  const WellKnown& known = cluster().known();
  const Condition target{.type = known.disruption_target, .status = known.true_status,
                         .reason = known.preemption_by_scheduler, .last_transition = {}};
  Pod& pod = change(id);
  std::erase_if(pod.status.conditions, [&](const Condition& c) { return c.type == target.type; });
  pod.status.conditions.push_back(target);
}

void Scene::begin_deletion(PodId id, Instant end) {
  Pod& pod = change(id);
  pod.meta.deleting = end;
  for (PodDisruptionBudget& budget : objects_.disruption_budgets) {
    if (budget.meta.ns != pod.meta.ns || budget.status.disruptions_allowed <= 0 || !budget.spec.selector) continue;
    if (matches(*budget.spec.selector, pod.meta.labels, objects_.symbols)) --budget.status.disruptions_allowed;
  }
}

void Scene::remove(PodId id) {
  hide(id);
  node_of_[id] = {};
}

void Scene::nominate(PodId id, NodeId node) {
  const Symbol name = node ? cluster().node(node).meta.name : Symbol{};
  if (pod(id).status.nominated_node_name != name) change(id).status.nominated_node_name = name;
}

auto Scene::attempt(PodId id, NodeId own_nomination, const kube::Profile& profile, Instant now, unsigned threads)
    -> kube::Decision {
  auto& [cluster, world, budgets] = pictures();
  Symbol& nominated = objects_.pods[id].status.nominated_node_name;
  const Symbol in_memory = nominated;
  nominated = own_nomination ? cluster.node(own_nomination).meta.name : Symbol{};
  kube::Decision decision = kube::attempt(world, budgets, id, profile, now, {.with_fates = false, .threads = threads});
  objects_.pods[id].status.nominated_node_name = in_memory;
  return decision;
}

auto Scene::message(PodId id, const kube::Decision& decision, const kube::Profile& profile, Instant now) -> std::string {
  auto& [cluster, world, budgets] = pictures();
  return kube::fit_message(decision, profile, world, kube::Words(world, id, now)).text;
}

}  // namespace previct::sequence
