#include "sequence/simulated_cluster.h"

#include "api/known_class.h"
#include "base/contains.h"
#include "cluster/controlled_pods.h"
#include "cluster/matching.h"
#include "engine/doubts.h"
#include "engine/kube/account.h"
#include "engine/kube/equals.h"
#include "engine/kube/groups/group.h"
#include "engine/kube/unknown_volumes.h"
#include "overlay/admission.h"
#include "overlay/limits.h"
#include "overlay/pod_template.h"
#include "tell/kube/messages.h"

#include <fmt/format.h>

#include <algorithm>

namespace previct::sequence {

struct SimulatedCluster::Snapshots {
  Snapshots(Objects& objects, const kube::Release& release, const kube::NodeInfoSnapshot* before)
      : cluster(objects), node_infos(cluster, release, before), budgets(node_infos) {}
  Snapshot cluster;
  kube::NodeInfoSnapshot node_infos;
  kube::Budgets budgets;
};

SimulatedCluster::SimulatedCluster(Objects& objects, const kube::Release& release, const kube::NodeInfoSnapshot* before)
    : objects_(objects),
      changed_(objects),
      node_of_(objects.pods.size()),
      snapshots_(std::make_unique<Snapshots>(objects, release, before)),
      on_node_(objects.nodes.size()) {
  for (const NodeId node : cluster().nodes().ids()) {
    const auto pods = cluster().pods_on(node);
    on_node_[node].assign(pods.begin(), pods.end());
    for (const PodId pod : pods) node_of_[pod] = node;
  }
  note_templates();
}

SimulatedCluster::~SimulatedCluster() = default;

auto SimulatedCluster::cluster() const -> const Snapshot& {
  return snapshots_->cluster;
}

auto SimulatedCluster::names(std::span<const PodId> pods) const -> std::vector<std::string> {
  std::vector<std::string> names;
  for (const PodId pod : pods) names.push_back(cluster().key(pod));
  return names;
}

auto SimulatedCluster::change(PodId id) -> Pod& {
  ++version_;
  forget_groups();
  return changed_.pod(id);
}

void SimulatedCluster::forget_groups() const {
  if (!objects_.pod_groups.empty()) cluster().forget<kube::Groups>();
}

auto SimulatedCluster::node_infos() const -> kube::NodeInfoSnapshot& {
  return snapshots_->node_infos;
}

void SimulatedCluster::apply(const kube::VolumeChanges& changes) {
  if (changes.empty()) return;
  kube::apply(changes, changed_);
  snapshots_->cluster.volumes_changed();
  ++version_;
}

void SimulatedCluster::rearrange(NodeId node) {
  node_infos().arrange(node, on_node_[node]);
  touched_.push_back({version_, node});
  moved_.insert(node);
}

auto SimulatedCluster::touched_since(std::uint64_t version) const -> std::span<const Touch> {
  const auto first =
      std::partition_point(touched_.begin(), touched_.end(), [&](const Touch& t) { return t.version <= version; });
  return {first, touched_.end()};
}

auto SimulatedCluster::lacks_capacity(NodeId node, const kube::PodInfo& incoming) const -> bool {
  for (const kube::Amount& amount : node_infos().amounts(incoming)) {
    const kube::ResourceColumn& column = node_infos().column(amount.resource);
    if (amount.value > column.allocatable[node] - column.used[node]) return true;
  }
  return false;
}

auto SimulatedCluster::node_by_node(PodId id) const -> bool {
  const PodSpec& spec = pod(id).spec;
  return spec.affinity.pod.required.empty() && spec.affinity.pod_anti.required.empty() &&
         spec.topology_spread.empty() && !spec.has_storage() && node_infos().repelling().empty();
}

void SimulatedCluster::take_out(PodId id) {
  std::vector<PodId>& pods = on_node_[node_of_[id]];
  *std::find(pods.begin(), pods.end(), id) = pods.back();
  pods.pop_back();
}

void SimulatedCluster::update(PodId id) {
  take_out(id);
  on_node_[node_of_[id]].push_back(id);
  rearrange(node_of_[id]);
}

void SimulatedCluster::reverse_nodes() {
  for (const NodeId node : cluster().nodes().ids()) {
    std::reverse(on_node_[node].begin(), on_node_[node].end());
    rearrange(node);
  }
}

auto SimulatedCluster::admitted(PodId like, const PodSpec* pods, const ControllerObjects& controller_objects,
                                Instant at) -> Result<Admitted> {
  if (is_terminating(cluster(), objects_.pods[like].meta.ns)) {
    return fail(fmt::format("namespace {} is being terminated, so no pod is created to replace it",
                            cluster().text(objects_.pods[like].meta.ns)));
  }
  Admitted made{objects_.pods[like], {}, webhooks_of_pods(objects_)};
  Pod& pod = made.pod;
  pod.meta.uid = {};
  pod.meta.created = Instant{at.seconds, 0};
  pod.meta.deleting.reset();
  pod.meta.deletion_grace_seconds.reset();
  pod.spec.node_name = {};
  pod.spec.ephemeral_containers.clear();
  pod.status = {};
  pod.status.phase = objects_.symbols.intern("Pending");
  if (pods != nullptr) {
    // A Deployment makes another ReplicaSet for each template, and gives its pods this label.
    const Symbol hash = objects_.symbols.find("pod-template-hash");
    const bool fixed = hash && pod.meta.labels.has(hash);
    made.differences = follow_template(*pods, made.webhooks.empty(), fixed, pod, objects_);
  }
  const Symbol name = pod.spec.priority_class_name;
  const bool all_known = objects_.listed.contains("scheduling.k8s.io/PriorityClass");
  // A pod without a class came before the class that is the default now.
  const bool gets_default = !name && pod.spec.priority == 0 && default_class(objects_) != nullptr;
  const bool gets_other = made.webhooks.empty() && contains(made.differences, "priorityClassName");
  if (gets_default || gets_other || (name && (all_known || cluster().priority_class(name) != nullptr))) {
    pod.spec.has_priority = false;
    pod.spec.priority = 0;
    pod.spec.preemption_policy = {};
    PREVICT_CHECK(admit(pod, at, objects_));
  }
  if (controller_objects.all_limit_ranges) take_back_limits(pod, objects_.symbols);
  PREVICT_CHECK(apply_limits(pod, controller_objects.limit_ranges, objects_));
  return made;
}

auto SimulatedCluster::name_by_ordinal(Pod& pod, Symbol set, std::int64_t ordinal) -> Symbol {
  Symbols& symbols = objects_.symbols;
  const Symbol name = symbols.intern(fmt::format("{}-{}", symbols.text(set), ordinal));
  const auto set_label = [&](const char* key, Symbol value) {
    if (const Symbol label = symbols.find(key); label && pod.meta.labels.has(label)) pod.meta.labels.set(label, value);
  };
  set_label("statefulset.kubernetes.io/pod-name", name);
  set_label("apps.kubernetes.io/pod-index", symbols.intern(std::to_string(ordinal)));
  if (name != pod.meta.name) claim_volumes(pod, name);
  return name;
}

auto SimulatedCluster::create(Pod pod, Symbol name, PodId like) -> PodId {
  pod.meta.name = name;
  // Claims refer to their pods by UID.
  const auto& volumes = pod.spec.volumes;
  if (!pod.spec.resource_claims.empty() ||
      std::any_of(volumes.begin(), volumes.end(), [](const Volume& volume) { return volume.ephemeral; })) {
    pod.meta.uid = objects_.symbols.intern(fmt::format("{}/{} at {}", objects_.symbols.text(pod.meta.ns),
                                                       objects_.symbols.text(name), objects_.pods.size()));
  }
  const PodId id = changed_.add(std::move(pod));
  node_of_.add({});
  snapshots_->cluster.pod_was_added();
  snapshots_->node_infos.pod_was_added();
  snapshots_->budgets.pod_was_added(snapshots_->node_infos);
  for (const Volume& volume : this->pod(id).spec.volumes) {
    const auto known = ephemeral_claims_.find({like, volume.name});
    if (volume.ephemeral && known != ephemeral_claims_.end())
      ephemeral_claims_.insert_or_assign({id, volume.name}, PersistentVolumeClaim(known->second));
  }
  ++version_;
  forget_groups();
  return id;
}

void SimulatedCluster::shift_budgets(PodId id, std::int32_t by) {
  if (!counts_as_healthy(pod(id), cluster().symbols())) return;
  for (const std::uint32_t i : snapshots_->budgets.of(id)) snapshots_->budgets.allow(i, changed_.shift_budget(i, by));
}

void SimulatedCluster::ready(PodId id) {
  shift_budgets(id, 1);
}

void SimulatedCluster::not_ready(PodId id) {
  shift_budgets(id, -1);
}

void SimulatedCluster::hide(PodId id) {
  ++version_;
  forget_groups();
  changed_.hide(id);
}

void SimulatedCluster::show(PodId id) {
  change(id).status.phase = changed_.before(id).status.phase;
}

void SimulatedCluster::place(PodId id, NodeId node, Instant at) {
  const NodeId nominated = cluster().find_node(pod(id).status.nominated_node_name);
  ++version_;
  if (nominated) touched_.push_back({version_, nominated});
  changed_.bind(id, cluster().node(node).meta.name, at);
  node_of_[id] = node;
  on_node_[node].push_back(id);
  rearrange(node);
}

void SimulatedCluster::take_back(PodId id) {
  Pod& pod = change(id);
  pod.spec.node_name = {};
  const PodStatus& before = changed_.before(id).status;
  pod.status.phase = before.phase;
  pod.status.start_time = before.start_time;
  pod.status.conditions = before.conditions;
  leave_node(id);
}

void SimulatedCluster::mark_as_target(PodId id) {
  const WellKnown& known = cluster().known();
  const Condition target{.type = known.disruption_target,
                         .status = known.true_status,
                         .reason = known.preemption_by_scheduler,
                         .last_transition = {}};
  Pod& pod = change(id);
  erase_if(pod.status.conditions, [&](const Condition& c) { return c.type == target.type; });
  pod.status.conditions.push_back(target);
  update(id);
}

void SimulatedCluster::begin_deletion(PodId id, Instant end) {
  Pod& pod = change(id);
  pod.meta.deleting = end;
  shift_budgets(id, -1);
  update(id);
}

void SimulatedCluster::remove(PodId id) {
  hide(id);
  leave_node(id);
}

void SimulatedCluster::leave_node(PodId id) {
  const NodeId node = node_of_[id];
  take_out(id);
  node_of_[id] = {};
  rearrange(node);
}

void SimulatedCluster::nominate(PodId id, NodeId node) {
  const Symbol name = node ? cluster().node(node).meta.name : Symbol{};
  if (pod(id).status.nominated_node_name == name) return;
  const NodeId before = cluster().find_node(pod(id).status.nominated_node_name);
  change(id).status.nominated_node_name = name;
  for (const NodeId touched : {before, node}) {
    if (touched) touched_.push_back({version_, touched});
  }
  node_infos().may_be_nominated(id);
}

auto SimulatedCluster::attempt(PodId id, NodeId own_nomination, const kube::Profile& profile, Instant now,
                               unsigned threads) -> kube::Decision {
  auto& [cluster, node_infos, budgets] = *snapshots_;
  Symbol& nominated = objects_.pods[id].status.nominated_node_name;
  const Symbol in_memory = nominated;
  nominated = own_nomination ? cluster.node(own_nomination).meta.name : Symbol{};
  kube::Decision decision = kube::attempt(node_infos, budgets, id, profile, now,
                                          {.records_results = false, .order_steps = order_steps_, .threads = threads});
  // The attempts with other orders together take about as long as one answer.
  if (decision.orders) order_steps_ -= order_steps_ / 10;
  objects_.pods[id].status.nominated_node_name = in_memory;
  constexpr std::uint64_t kDecision = 20;
  // A pod is held against so many terms in the time that looking at it takes; for victims, several times.
  constexpr std::uint64_t kTermsOnce = 8;
  constexpr std::uint64_t kTermsForVictims = 2;
  const bool looked_for_victims = decision.ending != kube::Ending::scheduled;
  constexpr std::uint64_t kConstraintsOnce = 4;
  const PodSpec& spec = cluster.pod(id).spec;
  const Affinity& affinity = spec.affinity;
  const std::size_t terms = affinity.pod.required.size() + affinity.pod.preferred.size() +
                            affinity.pod_anti.required.size() + affinity.pod_anti.preferred.size();
  work_ += kDecision + cluster.nodes().size() + (looked_for_victims ? cluster.pods().size() : 0) +
           terms * cluster.pods().size() / (looked_for_victims ? kTermsForVictims : kTermsOnce) +
           spec.topology_spread.size() * (cluster.nodes().size() + cluster.pods().size()) / kConstraintsOnce;
  return decision;
}

auto SimulatedCluster::gaps(PodId id, const kube::Profile& profile, const kube::RunningRelease& running,
                            kube::Decision& decision, const Question& question) const -> std::vector<Gap> {
  kube::EngineTrace account(snapshots_->node_infos, snapshots_->budgets, running, id);
  account.profile = {std::shared_ptr<const kube::Profile>(), &profile};
  account.decision = std::move(decision);
  // add_input_gaps() needs only these parts of the verdict: probabilities and orders do not matter here.
  Verdict verdict;
  verdict.subject = id;
  verdict.outcome = kube::outcome_of(account.decision);
  verdict.gaps = kube::gaps(account, question);
  const Snapshot& cluster = snapshots_->cluster;
  if (const auto unknown = kube::unknown_volumes(cluster, cluster.pod(id))) kube::make_decisive(*unknown, verdict.gaps);
  add_input_gaps(cluster, kube::decisive_nodes(account), verdict);
  if (!account.decision.gate) add_volume_gaps(id, verdict.gaps);
  decision = std::move(account.decision);
  return std::move(verdict.gaps);
}

auto SimulatedCluster::replaceable_victims(PodId id, const kube::Decision& decision, NodeId node) const
    -> ReplaceableVictims {
  const kube::EqualPodGroups equals(decision, node_infos(), node, pod(id).spec.priority);
  // In other orders, another node may be chosen, unless only one can be.
  const kube::NodeOrders* orders = decision.orders && decision.orders->size() == 1 ? decision.orders_on(node) : nullptr;
  ReplaceableVictims open;
  for (const PodId victim : decision.nodes[node].run->victims) {
    if (equals.certain(victim) || (orders != nullptr && orders->evicted_in_every_order(victim))) continue;
    open.taken.push_back(victim);
    const std::vector<PodId>* group = equals.group_of(victim);
    if (group == nullptr || equals.depends_on_order() || contains(open.out_of, group->front())) continue;
    open.out_of.insert(open.out_of.end(), group->begin(), group->end());
  }
  return open;
}

auto SimulatedCluster::message(PodId id, const kube::Decision& decision, Instant now) -> std::string {
  auto& [cluster, node_infos, budgets] = *snapshots_;
  const kube::Words words(node_infos, id, now);
  return decision.gate ? words.upstream(*decision.gate) : kube::fit_message(decision, node_infos, words).text;
}

}  // namespace previct::sequence
