#include "engine/yunikorn/partition_context.h"

#include "base/contains.h"
#include "engine/yunikorn/placement.h"

#include <fmt/format.h>

#include <algorithm>

namespace previct::yunikorn {
namespace {

auto created(const Pod& pod) -> Instant {
  return pod.meta.created.value_or(Instant{});
}

/// Finds the application of each pod. Ids and namespaces in the input are symbols, so most pods cost one lookup; the id
/// itself, which may be generated, is built once for each of them.
class ApplicationFinder {
 public:
  ApplicationFinder(const Snapshot& cluster, const Keys& keys, bool unique, IdVector<AppId, Application>& apps)
      : cluster_(cluster), keys_(keys), unique_(unique), apps_(apps) {}

  auto find(PodId id) -> AppId {
    const Pod& pod = cluster_.pod(id);
    const std::string_view written = written_application(cluster_, keys_, pod);
    if (written.empty() ? unique_ : written.back() == 'n') {  // may contain the pod's own uid
      return by_id(application_id(cluster_, pod, written, unique_));
    }
    if (written.empty()) {
      AppId& app = by_namespace_[pod.meta.ns.index];
      if (!app) app = by_id(application_id(cluster_, pod, written, unique_));
      return app;
    }
    const auto known = by_text_.find(written);
    if (known != by_text_.end()) return known->second;
    const AppId app = by_id(std::string(written));
    by_text_.emplace(written, app);
    return app;
  }

 private:
  auto by_id(std::string id) -> AppId {
    const auto [at, added] = by_id_.try_emplace(std::move(id));
    if (added) {
      Application app;
      app.id = at->first;
      at->second = apps_.add(std::move(app));
    }
    return at->second;
  }

  const Snapshot& cluster_;
  const Keys& keys_;
  bool unique_;
  IdVector<AppId, Application>& apps_;
  std::unordered_map<std::uint32_t, AppId> by_namespace_;
  std::unordered_map<std::string_view, AppId> by_text_;
  std::unordered_map<std::string, AppId> by_id_;
};

}  // namespace

PartitionContext::PartitionContext(const Snapshot& cluster, const Config& config, const Assumptions& assumptions,
                                   const PartitionSettings& settings)
    : cluster_(cluster),
      config_(*config.default_partition()),
      keys_(cluster, settings.release),
      types_(cluster),
      queues_(config_, types_),
      limits_(config.partitions.back(), queues_, types_),
      settings_(settings),
      app_of_(cluster.pods().size()) {
  find_applications();
  find_originators();
  place_applications();
  find_placed();
  note_assumptions(assumptions);
  add_up();
  find_running();
}

void PartitionContext::find_applications() {
  ApplicationFinder finder(cluster_, keys_, settings_.unique_app_ids, apps_);
  for (const PodId id : cluster_.pods().ids()) {
    const Pod& pod = cluster_.pod(id);
    const bool orphan = pod.spec.node_name && !cluster_.node_of(id);
    if (!is_ours(keys_, pod) || cluster_.finished(id) || cluster_.runs_on_unknown_node(id)) continue;
    if (!pod.spec.scheduling_gates.empty() || orphan) continue;
    const AppId app_id = finder.find(id);
    app_of_[id] = app_id;
    Application& app = apps_[app_id];
    if (!app.first || created(pod) < created(cluster_.pod(app.first))) {
      app.first = id;
      app.as_old.clear();
    } else if (created(pod) == created(cluster_.pod(app.first))) {
      app.as_old.push_back(id);
    }
  }
  if (!settings_.eldest || !app_of_[settings_.eldest]) return;
  Application& app = apps_[app_of_[settings_.eldest]];
  const auto at = std::find(app.as_old.begin(), app.as_old.end(), settings_.eldest);
  if (at != app.as_old.end()) std::swap(app.first, *at);
}

void PartitionContext::find_originators() {
  for (const PodId id : cluster_.pods().ids()) {
    if (!app_of_[id]) continue;
    Application& app = apps_[app_of_[id]];
    if (!holds_place(app.first)) {
      app.originator = app.first;
      continue;
    }
    // A placeholder is owned by the pod that it was created for.
    const Pod& pod = cluster_.pod(id);
    const auto& owners = cluster_.pod(app.first).meta.owners;
    const bool owns = pod.meta.uid && std::any_of(owners.begin(), owners.end(), [&](const OwnerReference& owner) {
                        return owner.uid == pod.meta.uid;
                      });
    if (!owns || holds_place(id)) continue;
    if (!app.originator || created(pod) < created(cluster_.pod(app.originator))) app.originator = id;
  }
}

void PartitionContext::place_applications() {
  std::vector<AppId> order;
  for (const AppId id : apps_.ids()) order.push_back(id);
  std::stable_sort(order.begin(), order.end(), [&](AppId a, AppId b) {
    const PodId first_a = apps_[a].first;
    const PodId first_b = apps_[b].first;
    const Instant at_a = created(cluster_.pod(first_a));
    const Instant at_b = created(cluster_.pod(first_b));
    return at_a != at_b ? at_a < at_b : first_a < first_b;
  });
  Placement placement(cluster_, keys_, config_, types_, queues_);
  for (const AppId id : order) {
    Application& app = apps_[id];
    const Pod& first = cluster_.pod(app.first);
    app.user = user_of(cluster_, keys_, first);
    if (!settings_.gangs_off) app.gang = gang_size(cluster_, keys_, first, types_).value_or(Resources());
    Placed placed = config_.absent ? Placed{{}, "partition default doesn't exist"} : placement.place(first);
    app.queue = placed.queue;
    app.refusal = std::move(placed.refusal);
    app.failed = std::move(placed.failed);
    if (!app.queue) continue;
    if (std::string refusal = gang_refused(app); !refusal.empty()) {
      app.queue = {};
      app.refusal = std::move(refusal);
      continue;
    }
    app.group = limits_.group_of(app.user, app.queue);
  }
  unread_pattern_ = placement.unread_pattern();
  unread_tag_ = placement.met_tag();
}

/// Returns the scheduler's reason for rejecting the gang; empty if it accepts it.
/// Source: apache/yunikorn-core 1.9 pkg/scheduler/partition.go AddApplication.
auto PartitionContext::gang_refused(const Application& app) const -> std::string {
  if (without_zeros(app.gang).empty()) return {};
  const std::string& path = queues_[app.queue].path;
  if (queues_[app.queue].policy.fair) {
    return fmt::format("queue {} cannot run application {} with task group request: unsupported sort type", path,
                       app.id);
  }
  const MaybeResources max = queues_.configured_max(app.queue);
  if (!max || fits_where_limited(*max, app.gang)) return {};
  return fmt::format("queue {} cannot fit application {}: its task groups ask for more than the max of its queues",
                     path, app.id);
}

auto PartitionContext::lacks_group(PodId pod) const -> bool {
  return holds_place(pod) && group_of(pod).empty();
}

auto PartitionContext::is_lost_on_restart(PodId pod) const -> bool {
  if (!app_of_[pod] || !cluster_.node_of(pod)) return false;
  const Application& app = apps_[app_of_[pod]];
  return without_zeros(app.gang).empty() ? holds_place(pod) : !holds_place(pod) && !app.placed;
}

void PartitionContext::find_placed() {
  IdVector<AppId, Resources> places(apps_.size());
  for (const PodId id : cluster_.pods().ids()) {
    if (app_of_[id] && cluster_.node_of(id) && holds_place(id)) places[app_of_[id]] += size_of(id);
  }
  for (const AppId id : apps_.ids()) apps_[id].placed = fits(places[id], apps_[id].gang);
}

auto PartitionContext::group_of(PodId pod) const -> std::string_view {
  return task_group(cluster_, keys_, cluster_.pod(pod));
}

void PartitionContext::note_assumptions(const Assumptions& assumptions) {
  const auto note = [&](const std::vector<PodName>& names, std::vector<PodId>& pods) {
    for (const PodName& name : names) {
      if (const PodId pod = cluster_.find_pod(name.ns, name.name)) pods.push_back(pod);
    }
  };
  note(assumptions.preempted, preempted_);
  note(assumptions.released, released_);
}

void PartitionContext::add_up() {
  Resources all;
  for (const NodeId id : cluster_.nodes().ids()) {
    all += totals_[totals_.add(without_zeros(types_.read(cluster_.node(id).status.allocatable)))];
  }
  if (!totals_.empty()) queues_[queues_.root()].max = all;

  // Sums are computed per leaf first, so that the way up is walked once per queue and not once per pod.
  std::vector<Resources> leaves(queues_.size());
  for (const PodId id : cluster_.pods().ids()) {
    if (!known(id) || !cluster_.node_of(id)) continue;
    leaves[apps_[app_of_[id]].queue.index] += size_of(id);
  }
  for (const QueueId id : queues_.ids()) queues_.allocate(id, leaves[id.index]);
  for (const PodId id : preempted_) {
    if (known(id) && cluster_.node_of(id)) queues_.mark_preempting(apps_[app_of_[id]].queue, size_of(id));
  }
}

/// An application runs once a pod of it runs that is not a placeholder, or once its bound placeholders are all that its
/// gang has.
/// Source: apache/yunikorn-core 1.9 pkg/scheduler/objects/application.go addAllocationInternal.
void PartitionContext::find_running() {
  std::vector<PodId> bound;
  for (const PodId id : cluster_.pods().ids()) {
    if (known(id) && cluster_.node_of(id)) bound.push_back(id);
  }
  std::stable_sort(bound.begin(), bound.end(),
                   [&](PodId a, PodId b) { return created(cluster_.pod(a)) < created(cluster_.pod(b)); });
  IdVector<AppId, Resources> places(apps_.size());
  for (const PodId id : bound) {
    Application& app = apps_[app_of_[id]];
    const Resources size = size_of(id);
    limits_.use(app.user.name, app.group, app_of_[id], app.queue, size);
    if (holds_place(id)) {
      places[app_of_[id]] += size;
      app.running = app.running || equal(places[app_of_[id]], app.gang);
    } else {
      app.regular = true;
      app.running = true;
    }
  }
  for (const Application& app : apps_) {
    if (app.running) queues_.count_running(app.queue);
  }
}

auto PartitionContext::size_of(PodId pod) const -> Resources {
  return pod_size(keys_, cluster_.pod(pod), types_);
}

auto PartitionContext::allocation(PodId id) const -> Allocation {
  const Pod& pod = cluster_.pod(id);
  const Application& application = apps_[app_of_[id]];
  Allocation result;
  result.pod = id;
  result.app = app_of_[id];
  result.queue = application.queue;
  result.node = cluster_.node_of(id);
  const bool lost = settings_.restarted && result.node && !keys_.release.has(Change::required_nodes_are_recovered);
  if (!lost) result.required_node = required_node(cluster_, keys_, pod);
  result.size = size_of(id);
  result.priority = pod.spec.priority;
  result.created = created(pod);
  result.opted_out = opted_out(cluster_, keys_, pod);
  result.may_preempt = pod.spec.preemption_policy != cluster_.known().never;
  result.preempted = contains(preempted_, id);
  result.released = contains(released_, id);
  result.originator = id == application.originator;
  return result;
}

auto PartitionContext::kept_from(NodeId node, PodId ask) const -> bool {
  return std::any_of(settings_.reservations.begin(), settings_.reservations.end(),
                     [&](const Reservation& r) { return r.node == node && r.pod != ask; });
}

auto PartitionContext::kept_for(NodeId node, PodId ask) const -> bool {
  return std::any_of(settings_.reservations.begin(), settings_.reservations.end(),
                     [&](const Reservation& r) { return r.node == node && r.pod == ask; });
}

auto PartitionContext::over_max(const QueueTree& queues, const Allocation& ask) const -> OverMax {
  const bool asked_only = keys_.release.has(Change::max_of_asked_types);
  return queues.over_max(ask.queue, ask.size, asked_only ? CheckedTypes::requested : CheckedTypes::all);
}

auto PartitionContext::room(NodeId node) const -> NodeUsage {
  NodeUsage room;
  room.total = totals_[node];
  for (const PodId pod : cluster_.pods_on(node)) {
    if (known(pod)) {
      room.allocated += size_of(pod);
    } else if (!is_ours(keys_, cluster_.pod(pod))) {
      room.occupied += size_of(pod);
    }
  }
  return room;
}

auto PartitionContext::allocations_on(NodeId node) const -> std::vector<PodId> {
  std::vector<PodId> result;
  for (const PodId pod : cluster_.pods_on(node)) {
    if (known(pod)) result.push_back(pod);
  }
  return result;
}

}  // namespace previct::yunikorn
