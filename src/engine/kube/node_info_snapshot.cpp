#include "engine/kube/node_info_snapshot.h"

#include "api/upstream.h"
#include "base/go.h"
#include "engine/kube/scored_request.h"

#include <algorithm>
#include <map>

namespace previct::kube {
namespace {

auto starts_with(std::string_view text, std::string_view prefix) -> bool {
  return text.substr(0, prefix.size()) == prefix;
}

/// Returns true for the resource names that the scheduler keeps.
/// Source: pkg/scheduler/framework/types.go Resource.Add; pkg/scheduler/util/utils.go IsScalarResourceName.
auto is_counted(std::string_view name) -> bool {
  return name == "cpu" || name == "memory" || name == "ephemeral-storage" || starts_with(name, "hugepages-") ||
         starts_with(name, "attachable-volumes-") || name.find("kubernetes.io/") != std::string_view::npos ||
         upstream::is_extended_resource(name);
}

constexpr std::uint32_t kNoSlot = UINT32_MAX;

// Returns the entry of a pod whose requests are not in the tables yet.
auto unplaced(const Snapshot& cluster, PodId pod) -> PodInfo {
  const Pod& p = cluster.pod(pod);
  return {.pod = pod,
          .priority = p.spec.priority,
          .has_start = p.status.start_time.has_value(),
          .priority_class = p.spec.priority_class_name,
          .start = p.status.start_time.value_or(Instant{})};
}

}  // namespace

NodeInfoSnapshot::Tables::Tables(const Snapshot& cluster)
    : places(cluster.nodes().size()),
      strictly_ordered(cluster.nodes().size()),
      slot_as_placed(cluster.pods().size(), kNoSlot),
      slot_as_incoming(cluster.pods().size(), kNoSlot),
      allocatable(cluster.nodes().size()),
      max_pods(cluster.nodes().size()),
      restricted(cluster.nodes().size()),
      repelling(cluster.nodes().size(), cluster.symbols()),
      attracting(cluster.nodes().size(), cluster.symbols()),
      place(cluster.pods().size()),
      names(cluster.nodes().size()),
      by_label(cluster) {}

void NodeInfoSnapshot::Tables::take_requests(const Tables& other, std::span<const PodId> changed) {
  amounts = other.amounts;
  amounts_begin = other.amounts_begin;
  for (std::uint32_t i = 0; i < other.slot_as_placed.size(); ++i) {
    slot_as_placed[PodId{i}] = other.slot_as_placed[PodId{i}];
    slot_as_incoming[PodId{i}] = other.slot_as_incoming[PodId{i}];
  }
  for (const PodId pod : changed) slot_as_placed[pod] = slot_as_incoming[pod] = kNoSlot;
  resource_names = other.resource_names;
  resource_ids = other.resource_ids;
  while (columns.size() < resource_names.size()) columns.add(nullptr);
  for (std::size_t i = 0; i < scored.size(); ++i) {
    if (!other.scored[i]) continue;
    scored[i] = std::make_unique<ScoredColumns>();
    scored[i]->milli_cpu.demand = other.scored[i]->milli_cpu.demand;
    scored[i]->memory.demand = other.scored[i]->memory.demand;
  }
}

NodeInfoSnapshot::NodeInfoSnapshot(const Snapshot& cluster, const Release& release, const NodeInfoSnapshot* before)
    : cluster_(cluster), release_(release), tables_(std::make_shared<Tables>(cluster)) {
  const bool same_requests = before != nullptr && rules_of_requests(before->release_) == rules_of_requests(release);
  if (same_requests) tables_->take_requests(*before->tables_, {});
  read_nodes(same_requests ? before : nullptr, {});
}

NodeInfoSnapshot::NodeInfoSnapshot(const Snapshot& cluster, const NodeInfoSnapshot& before,
                                   std::span<const PodId> changed)
    : cluster_(cluster), release_(before.release_), tables_(std::make_shared<Tables>(cluster)) {
  tables_->take_requests(*before.tables_, changed);
  read_nodes(&before, changed);
}

// `alike`: most nodes have the same pods there.
void NodeInfoSnapshot::read_nodes(const NodeInfoSnapshot* alike, std::span<const PodId> changed) {
  const WellKnown& known = cluster_.known();
  for (const Symbol name : {known.cpu, known.memory, known.ephemeral_storage}) counted(name);

  constexpr std::size_t kUsualAmounts = 2;  // cpu and memory
  tables_->placed.reserve(cluster_.pods().size());
  tables_->amounts.reserve(cluster_.pods().size() * kUsualAmounts);
  tables_->amounts_begin.reserve(cluster_.pods().size() + 1);
  IdVector<NodeId, char> same(node_count(), 0);
  if (alike != nullptr) {
    const auto has_same_pods = [&](NodeId node) {
      const std::span<const PodId> now = cluster_.pods_on(node);
      const std::span<const PodInfo> then = alike->pods_on(node);
      return now.size() == then.size() && std::all_of(then.begin(), then.end(), [&](const PodInfo& placed) {
               return placed.order < now.size() && now[placed.order] == placed.pod;
             });
    };
    const auto is_same_node = [&](NodeId node) {
      return node.index < alike->tables_->max_pods.size() && name(node) == alike->tables_->names[node];
    };
    for (const NodeId node : nodes()) same[node] = is_same_node(node) && has_same_pods(node) ? 1 : 0;
    for (const PodId pod : changed) {
      if (const NodeId now = cluster_.node_of(pod)) same[now] = 0;
      const NodeId then = pod.index < alike->tables_->place.size() ? alike->tables_->place[pod] : NodeId{};
      if (then && then.index < node_count()) same[then] = 0;
    }
    tables_->repelling.copy(alike->tables_->repelling, same);
    tables_->attracting.copy(alike->tables_->attracting, same);
  }
  for (const NodeId node : nodes()) {
    const std::size_t begin = tables_->placed.size();
    read_node(node);
    tables_->names[node] = name(node);
    if (same[node] != 0) {
      copy_pods(node, *alike);
    } else {
      for (PodInfo& placed : ordered(node, cluster_.pods_on(node))) {
        take_slot(placed, true);
        tables_->placed.push_back(placed);
        tables_->place[placed.pod] = node;
        note_terms(node, placed.pod);
      }
    }
    const auto pods = static_cast<std::uint32_t>(tables_->placed.size() - begin);
    tables_->places[node] = {static_cast<std::uint32_t>(begin), pods, pods};
  }
  list_restricted();
  for (const PodId pod : cluster_.pods().ids()) {
    if (cluster_.pod(pod).status.nominated_node_name && cluster_.pending(pod)) tables_->nominees.push_back(pod);
  }
  for (const auto& scored : tables_->scored) {
    if (scored) sum_up(*scored);
  }
}

void NodeInfoSnapshot::read_node(NodeId node) {
  const WellKnown& known = cluster_.known();
  const NodeSpec& spec = cluster_.node(node).spec;
  tables_->restricted[node] = spec.unschedulable || !spec.taints.empty() ? 1 : 0;
  for (const auto& [name, quantity] : cluster_.node(node).status.allocatable) {
    if (name == known.pods) {
      tables_->max_pods[node] = quantity.value();
    } else if (const ResourceId id = counted(name)) {
      tables_->allocatable[node].push_back({id, name == known.cpu ? quantity.milli() : quantity.value()});
    }
  }
}

void NodeInfoSnapshot::list_restricted() {
  std::map<std::vector<std::uint32_t>, std::size_t> known;
  for (const NodeId node : nodes()) {
    if (!restricted(node)) continue;
    const NodeSpec& spec = cluster_.node(node).spec;
    std::vector<std::uint32_t> restriction = {spec.unschedulable ? 1U : 0U};
    for (const Taint& taint : spec.taints)
      restriction.insert(restriction.end(), {taint.key.index, taint.value.index, taint.effect.index});
    const auto [at, is_new] = known.try_emplace(std::move(restriction), known.size());
    if (is_new) tables_->restricted_alike.emplace_back();
    tables_->restricted_alike[at->second].push_back(node);
  }
}

void NodeInfoSnapshot::keep_with_room_for_one(IdVector<NodeId, char>& nodes) const {
  // Without bounds checks, so that the compiler can compute several nodes at once.
  char* keeps = nodes.items().data();
  const Places* places = tables_->places.items().data();
  const std::int64_t* most = tables_->max_pods.items().data();
  for (std::size_t i = 0; i < node_count(); ++i) {
    if (std::int64_t{places[i].used} >= most[i]) keeps[i] = 0;
  }
}

void NodeInfoSnapshot::copy_pods(NodeId node, const NodeInfoSnapshot& before) {
  const std::span<const PodInfo> pods = before.pods_on(node);
  tables_->placed.insert(tables_->placed.end(), pods.begin(), pods.end());
  for (const PodInfo& placed : pods) tables_->place[placed.pod] = node;
  tables_->strictly_ordered[node] = before.tables_->strictly_ordered[node];
}

auto NodeInfoSnapshot::holds_for(const Release& other) const -> bool {
  if (rules_of_requests(release_) == rules_of_requests(other)) return true;
  std::optional<bool>& by_rules = tables_->by_rules;
  if (!by_rules)
    by_rules = std::any_of(cluster_.pods().begin(), cluster_.pods().end(),
                           [&](const Pod& pod) { return request_depends_on_rules(cluster_, pod); });
  return !*by_rules;
}

void NodeInfoSnapshot::arrange(NodeId node, std::span<const PodId> ids) {
  std::vector<PodInfo> pods = ordered(node, ids);
  tables_->repelling.clear(node);
  tables_->attracting.clear(node);
  for (const PodInfo& placed : pods_on(node)) {
    if (tables_->place[placed.pod] == node) tables_->place[placed.pod] = NodeId{};
  }
  for (PodInfo& placed : pods) {
    take_slot(placed, true);
    note_terms(node, placed.pod);
    tables_->place[placed.pod] = node;
  }
  Places& places = tables_->places[node];
  places.used = static_cast<std::uint32_t>(pods.size());
  if (places.used > places.room) {
    places.room = places.used + places.used / 2 + 1;
    places.begin = static_cast<std::uint32_t>(tables_->placed.size());
    tables_->placed.resize(tables_->placed.size() + places.room);
  }
  std::copy(pods.begin(), pods.end(), tables_->placed.begin() + places.begin);
  const auto sum_up_again = [&](ResourceColumn& column) {
    std::int64_t used = 0;
    for (const PodInfo& placed : pods) used = go::add(used, column.demand[placed.slot]);
    column.used[node] = used;
  };
  for (const auto& column : tables_->columns) {
    if (column) sum_up_again(*column);
  }
  for (const auto& scored : tables_->scored) {
    if (!scored) continue;
    sum_up_again(scored->milli_cpu);
    sum_up_again(scored->memory);
  }
}

void NodeInfoSnapshot::note_terms(NodeId node, PodId pod) {
  const Symbol ns = cluster_.pod(pod).meta.ns;
  const PodAffinitySpec& affinity = cluster_.pod(pod).spec.affinity.pod;
  const PodAffinitySpec& anti = cluster_.pod(pod).spec.affinity.pod_anti;
  if (!anti.required.empty()) tables_->repelling.add(node, ns, anti.required);
  if (!affinity.required.empty() || !affinity.preferred.empty() || !anti.preferred.empty())
    tables_->attracting.add(node, ns, affinity.required, affinity.preferred, anti.preferred);
}

void NodeInfoSnapshot::pod_was_added() {
  tables_->slot_as_placed.add(kNoSlot);
  tables_->by_label.add(tables_->slot_as_incoming.add(kNoSlot));
  tables_->place.add({});
}

void NodeInfoSnapshot::may_be_nominated(PodId pod) {
  if (std::find(tables_->nominees.begin(), tables_->nominees.end(), pod) == tables_->nominees.end())
    tables_->nominees.push_back(pod);
}

auto NodeInfoSnapshot::ordered(NodeId node, std::span<const PodId> ids) -> std::vector<PodInfo> {
  std::vector<PodInfo> pods;
  pods.reserve(ids.size());
  for (const PodId pod : ids) {
    pods.push_back(unplaced(cluster_, pod));
    pods.back().order = static_cast<std::uint32_t>(pods.size() - 1);
  }
  std::vector<PodInfo> sorted = pods;
  std::stable_sort(sorted.begin(), sorted.end(), clearly_more_important);
  const bool tie = std::adjacent_find(sorted.begin(), sorted.end(), interchangeable) != sorted.end();
  tables_->strictly_ordered[node] = tie ? 0 : 1;
  return tie ? pods : sorted;
}

void NodeInfoSnapshot::take_slot(PodInfo& placed, bool on_node) {
  std::uint32_t& known = (on_node ? tables_->slot_as_placed : tables_->slot_as_incoming)[placed.pod];
  if (known != kNoSlot) {
    placed.slot = known;
    return;
  }
  known = placed.slot = static_cast<std::uint32_t>(tables_->amounts_begin.size() - 1);
  for (const auto& column : tables_->columns) {
    if (column) column->demand.push_back(0);
  }
  const Pod& pod = cluster_.pod(placed.pod);
  for (const auto& scored : tables_->scored) {
    if (!scored) continue;
    const ScoredRequest request = scored_request(cluster_, pod, release_);
    scored->milli_cpu.demand.push_back(request.milli_cpu);
    scored->memory.demand.push_back(request.memory);
  }
  for (const auto& [name, quantity] :
       pod_request(cluster_, pod, on_node ? RequestOf::placed : RequestOf::incoming, rules_of_requests(release_))) {
    const ResourceId id = counted(name);
    if (!id) continue;
    tables_->amounts.push_back({id, name == cluster_.known().cpu ? quantity.milli() : quantity.value()});
    if (tables_->columns[id]) tables_->columns[id]->demand.back() = tables_->amounts.back().value;
  }
  tables_->amounts_begin.push_back(static_cast<std::uint32_t>(tables_->amounts.size()));
}

auto NodeInfoSnapshot::incoming(PodId pod) -> PodInfo {
  PodInfo placed = unplaced(cluster_, pod);
  take_slot(placed, false);
  for (const Amount& amount : amounts(placed)) make_column(amount.resource);
  return placed;
}

auto NodeInfoSnapshot::nominated(PodId pod) -> PodInfo {
  PodInfo placed = unplaced(cluster_, pod);
  take_slot(placed, true);
  return placed;
}

void NodeInfoSnapshot::make_column(ResourceId resource) const {
  if (tables_->columns[resource]) return;
  ResourceColumn column;
  column.demand.resize(tables_->amounts_begin.size() - 1);
  for (std::uint32_t slot = 0; slot < column.demand.size(); ++slot) {
    for (std::uint32_t i = tables_->amounts_begin[slot]; i < tables_->amounts_begin[slot + 1]; ++i) {
      if (tables_->amounts[i].resource == resource) column.demand[slot] = tables_->amounts[i].value;
    }
  }
  column.allocatable = IdVector<NodeId, std::int64_t>(node_count());
  for (const NodeId node : nodes()) {
    for (const Amount& amount : tables_->allocatable[node]) {
      if (amount.resource == resource) column.allocatable[node] = amount.value;
    }
  }
  sum_up(column);
  tables_->columns[resource] = std::make_unique<ResourceColumn>(std::move(column));
}

void NodeInfoSnapshot::sum_up(ResourceColumn& column) const {
  column.used = IdVector<NodeId, std::int64_t>(node_count());
  for (const NodeId node : nodes()) {
    for (const PodInfo& placed : pods_on(node))
      column.used[node] = go::add(column.used[node], column.demand[placed.slot]);
  }
}

auto NodeInfoSnapshot::column_of(Symbol name) const -> const ResourceColumn* {
  const ResourceId resource = counted(name);
  if (!resource) return nullptr;
  make_column(resource);
  return tables_->columns[resource].get();
}

auto NodeInfoSnapshot::scored_columns() const -> const ScoredColumns& {
  std::unique_ptr<ScoredColumns>& scored = tables_->scored[release_.has(Change::sidecars_count_in_scores) ? 1 : 0];
  if (scored) return *scored;
  scored = std::make_unique<ScoredColumns>();
  const std::size_t slots = tables_->amounts_begin.size() - 1;
  scored->milli_cpu.demand.resize(slots);
  scored->memory.demand.resize(slots);
  // Slots of pods that are not on a node stay 0: such a pod gets another slot when it is placed.
  for (const PodId pod : cluster_.pods().ids()) {
    const std::uint32_t slot = tables_->slot_as_placed[pod];
    if (slot == kNoSlot) continue;
    const ScoredRequest request = scored_request(cluster_, cluster_.pod(pod), release_);
    scored->milli_cpu.demand[slot] = request.milli_cpu;
    scored->memory.demand[slot] = request.memory;
  }
  sum_up(*scored);
  return *scored;
}

void NodeInfoSnapshot::sum_up(ScoredColumns& scored) const {
  scored.milli_cpu.allocatable = column_of(cluster_.known().cpu)->allocatable;
  scored.memory.allocatable = column_of(cluster_.known().memory)->allocatable;
  sum_up(scored.milli_cpu);
  sum_up(scored.memory);
}

auto NodeInfoSnapshot::counted(Symbol name) const -> ResourceId {
  const auto [at, is_new] = tables_->resource_ids.try_emplace(name.index);
  if (is_new && is_counted(cluster_.text(name))) {
    at->second = tables_->resource_names.add(name);
    tables_->columns.add(nullptr);
  }
  return at->second;
}

}  // namespace previct::kube
