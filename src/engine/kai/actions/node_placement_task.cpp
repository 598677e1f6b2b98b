// Places one task: its nodes and GPUs.

#include "base/go.h"
#include "cluster/matching.h"
#include "engine/kai/actions/node_placement_attempt.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace previct::kai {
namespace {

constexpr double kFitsNow = 1'000;
constexpr double kCpuOnlyNode = 10;
constexpr double kSharesGpu = 10'000;
constexpr double kPreference = 1'000'000;
constexpr double kNominated = 10'000'000;
constexpr double kPack = 9;

auto kind_of_gpu_suits(const ClusterInfo& cluster_info, TaskId task, const ShardNode& shard_node) -> bool {
  const GpuRequest& gpu = cluster_info.gpu(task);
  if (gpu.legacy_mig) return false;
  if (!gpu.needs_gpu()) return true;
  const bool accepts_plugins = cluster_info.settings().running.release.has(Change::slices_accept_plugin_pods);
  if (shard_node.has_dra_gpus && (accepts_plugins ? gpu.is_shared() : gpu.gpus() > 0)) return false;
  const bool mig = gpu.kind == GpuRequest::Kind::mig;
  switch (shard_node.mig) {
    case ShardNode::Mig::off: return !mig;
    case ShardNode::Mig::single: return gpu.kind == GpuRequest::Kind::whole;
    case ShardNode::Mig::mixed: return mig && !shard_node.has_legacy_mig;
    case ShardNode::Mig::any: return !mig || !shard_node.has_legacy_mig;
  }
  return true;
}

}  // namespace

struct NodePlacer::Demand {
  TaskId task;
  std::size_t resource = kCpu;  // the resource by which nodes are packed
  bool spread = false;
  std::string_view nominated{};
  bool has_nominated = false;
  std::vector<double> preferences{};              // by node; empty: none
  const std::vector<double>* topology = nullptr;  // by node; below 0: must not be used
};

auto NodePlacer::place_task(Attempt& attempt, std::uint32_t set, CopyId id, std::span<const ShardNodeId> shard_nodes)
    -> bool {
  const TaskId task = session_.copy(id).task;
  const Settings& settings = cluster_info_.settings();
  if (hopeless({id}) != Rule::candidate) return false;
  if (settings.plugins.predicates) filters_.begin(task);
  Demand demand{.task = task};
  const bool wants_gpu = cluster_info_.gpu(task).needs_gpu();
  demand.resource = wants_gpu ? kGpu : kCpu;
  demand.spread = wants_gpu ? settings.gpu_spread : settings.cpu_spread;
  const Symbol nominated = cluster_info_.cluster().pod(cluster_info_.task(task).pod).status.nominated_node_name;
  demand.has_nominated = nominated && settings.plugins.nominated_node;
  demand.nominated = cluster_info_.cluster().text(nominated);
  if (settings.plugins.pod_affinity) demand.preferences = preferences_.points(task);
  demand.topology = topology_.scores_for(attempt.view, set);

  refused_.clear();
  while (true) {
    const ShardNodeId shard_node = best_shard_node(demand, shard_nodes);
    if (!shard_node) return false;
    if (put_on(attempt, id, shard_node)) return true;
    refused_.push_back(shard_node);
  }
}

auto NodePlacer::put_on(Attempt& attempt, CopyId id, ShardNodeId shard_node) -> bool {
  const TaskId task = session_.copy(id).task;
  if (cluster_info_.gpu(task).is_shared()) {
    SharedChoice choice = choose_gpus(task, shard_node, attempt.only_reserve);
    if (choice.gpus.empty()) return false;
    for (GpuGroupId& gpu : choice.gpus) {
      if (!gpu) gpu = session_.new_gpu();
    }
    if (attempt.only_reserve || choice.only_later) {
      return session_.pipeline(attempt.statement, id, shard_node, false, std::move(choice.gpus));
    }
    session_.allocate(attempt.statement, id, shard_node, std::move(choice.gpus));
    return true;
  }
  if (!attempt.only_reserve && fits(task, shard_node, false)) {
    session_.allocate(attempt.statement, id, shard_node);
    return true;
  }
  return session_.pipeline(attempt.statement, id, shard_node, !attempt.only_reserve);
}

// ---- one task and the nodes

auto NodePlacer::is_full_for(TaskId task) -> bool {
  if (full_since_ != session_.freed_version()) too_many_.clear();
  full_since_ = session_.freed_version();
  const double* request = cluster_info_.request(task);
  return std::any_of(too_many_.begin(), too_many_.end(), [&](TaskId other) {
    const double* least = cluster_info_.request(other);
    return std::equal(least, least + cluster_info_.dims(), request, std::less_equal<>());
  });
}

// Returns the node with the highest score among those that accept the task; ties are broken by name.
auto NodePlacer::best_shard_node(const Demand& demand, std::span<const ShardNodeId> shard_nodes) -> ShardNodeId {
  constexpr std::size_t kMostRemembered = 64;
  const bool remembers = shard_nodes.data() == all_shard_nodes_.data() && demand.topology == nullptr &&
                         !cluster_info_.gpu(demand.task).is_shared();
  if (remembers && is_full_for(demand.task)) return {};
  double low = std::numeric_limits<double>::infinity();
  double high = 0;
  for (const ShardNodeId shard_node : shard_nodes) {
    if (cluster_info_.allocatable(shard_node)[demand.resource] == 0) continue;
    const double free = session_.free_later(shard_node, demand.resource);
    low = std::min(low, free);
    high = std::max(high, free);
  }
  ShardNodeId best;
  double best_score = 0;
  bool any = false;
  for (const ShardNodeId shard_node : shard_nodes) {
    if (demand.topology != nullptr && (*demand.topology)[shard_node.index] < 0) continue;
    if (!fits(demand.task, shard_node, true)) continue;
    any = true;
    const double points = score(demand, shard_node, low, high);
    if (best && (points < best_score || (points == best_score && best < shard_node))) continue;
    if (!accepts(demand.task, shard_node)) continue;
    if (!refused_.empty() && std::find(refused_.begin(), refused_.end(), shard_node) != refused_.end()) continue;
    best = shard_node;
    best_score = points;
  }
  if (remembers && !any && too_many_.size() < kMostRemembered) too_many_.push_back(demand.task);
  return best;
}

auto NodePlacer::score(const Demand& demand, ShardNodeId id, double low, double high) const -> double {
  const Plugins& on = cluster_info_.settings().plugins;
  const ShardNode& shard_node = cluster_info_.shard_nodes()[id];
  const double* allocatable = cluster_info_.allocatable(id);
  const GpuRequest& gpu = cluster_info_.gpu(demand.task);
  double points = on.node_availability && fits(demand.task, id, false) ? kFitsNow : 0;
  const bool cpu_only_shard_node =
      shard_node.mig == ShardNode::Mig::off && allocatable[kGpu] <= 0 && !shard_node.has_dra_gpus;
  if (on.resource_type && !gpu.needs_gpu() && cpu_only_shard_node) points += kCpuOnlyNode;
  if (!demand.preferences.empty()) points += kPreference * demand.preferences[id.index];
  if (demand.has_nominated && demand.nominated == shard_node.name) points += kNominated;
  if (demand.topology != nullptr) points += (*demand.topology)[id.index];
  const double free = session_.free_later(id, demand.resource);
  if (on.node_placement && demand.spread) {
    const double total =
        demand.resource == kGpu ? static_cast<double>(shard_node.gpu_count) : allocatable[demand.resource];
    points += total != 0 ? free / total : 0;
  } else if (on.node_placement && allocatable[demand.resource] != 0 && high != 0) {
    points += low == high ? kPack : kPack * (1 - (free - low) / (high - low));
  }
  if (!on.gpu_sharing_order) return points;
  const std::int64_t memory = shard_node.gpu.memory_for(gpu);
  const auto& gpus = session_.shared_gpus(id).gpus();
  const bool shares = std::any_of(gpus.begin(), gpus.end(), [&](const SharedGpus::Gpu& each) {
    return SharedGpus::has_room(each, shard_node.gpu.memory, memory);
  });
  return points + (shares ? kSharesGpu : 0);
}

// Source: api/node_info isTaskAllocatableOnNonAllocatedResources.
auto NodePlacer::fits(TaskId task, ShardNodeId id, bool later) const -> bool {
  const GpuRequest& gpu = cluster_info_.gpu(task);
  const double* request = cluster_info_.request(task);
  const double* idle = session_.idle(id);
  const double* releasing = session_.releasing(id);
  for (std::size_t i = 0; i < cluster_info_.dims(); ++i) {
    if (i == kGpu && gpu.is_shared()) continue;
    if (request[i] > (later ? idle[i] + releasing[i] : idle[i])) return false;
  }
  if (!gpu.is_shared()) return true;
  const ShardNode& shard_node = cluster_info_.shard_nodes()[id];
  const double portion = shard_node.gpu.portion_for(gpu);
  if (portion > 1 && (std::isinf(portion) || portion != std::trunc(portion))) return false;
  const std::int64_t memory = shard_node.gpu.memory_for(gpu);
  const auto& gpus = session_.shared_gpus(id).gpus();
  // Upstream counts at most as many shared GPUs as the task requests (but at least one), even if the number of free
  // whole GPUs is negative.
  const std::int64_t with_room = std::count_if(gpus.begin(), gpus.end(), [&](const SharedGpus::Gpu& each) {
    return SharedGpus::has_room(each, shard_node.gpu.memory, memory);
  });
  const std::int64_t shared = std::min(with_room, std::max<std::int64_t>(gpu.devices, 1));
  const double whole = std::floor(later ? idle[kGpu] + releasing[kGpu] : idle[kGpu]);
  return static_cast<std::int64_t>(whole) + shared >= gpu.devices;
}

// Chooses the best GPUs first: shared GPUs with enough memory, and whole ones. Ties among shared GPUs are random
// upstream.
// Source: framework/session.go FittingGPUs; gpu_sharing GetNodePreferableGpuForSharing.
auto NodePlacer::choose_gpus(TaskId task, ShardNodeId id, bool only_reserve) const -> SharedChoice {
  const ShardNode& shard_node = cluster_info_.shard_nodes()[id];
  const GpuRequest& asked = cluster_info_.gpu(task);
  const Plugins& on = cluster_info_.settings().plugins;
  const std::int64_t memory = shard_node.gpu.memory_for(asked);
  struct Option {
    double score;
    const SharedGpus::Gpu* gpu;  // null: a whole GPU
  };
  std::vector<Option> options;
  const bool scored = on.gpu_pack || on.gpu_spread;
  for (const SharedGpus::Gpu& each : session_.shared_gpus(id).gpus()) {
    if (!SharedGpus::has_room(each, shard_node.gpu.memory, memory)) continue;
    if (scored && shard_node.gpu.memory < GpuModel().memory) continue;
    const double used = static_cast<double>(each.used) / static_cast<double>(shard_node.gpu.memory);
    const double score = (on.gpu_pack ? used : 0) + (on.gpu_spread ? 1 - used : 0);
    const auto equal = [&](const Option& other) { return other.score == score; };
    if (std::any_of(options.begin(), options.end(), equal)) session_.chance().note();
    options.push_back({score, &each});
  }
  session_.chance().reorder(options);
  const double idle = session_.idle(id)[kGpu];
  const double releasing = session_.releasing(id)[kGpu];
  const std::int64_t whole = static_cast<std::int64_t>(idle) + static_cast<std::int64_t>(releasing);
  for (std::int64_t i = 0; (idle > 0 || releasing > 0) && i < whole; ++i) {
    options.push_back({on.gpu_spread ? 1.0 : 0.0, nullptr});
  }
  std::stable_sort(options.begin(), options.end(), [](const Option& a, const Option& b) { return a.score > b.score; });
  const bool fits_now = fits(task, id, false);
  SharedChoice choice;
  for (const Option& option : options) {
    const bool free =
        fits_now &&
        (option.gpu == nullptr ? !only_reserve : SharedGpus::has_room_now(*option.gpu, shard_node.gpu.memory, memory));
    choice.only_later = choice.only_later || !free;
    choice.gpus.push_back(option.gpu == nullptr ? GpuGroupId() : option.gpu->id);
    if (static_cast<std::int64_t>(choice.gpus.size()) == asked.devices) return choice;
  }
  return {};
}

// A pod that starts a new shared GPU needs a second pod slot, for the reservation pod. GPUs count as new unless their
// names are plain numbers. Source: plugins/predicates checkMaxPodsWithGpuGroupReservation.
auto NodePlacer::has_slots(TaskId task, ShardNodeId shard_node) const -> bool {
  if (!cluster_info_.settings().running.release.has(Change::evicted_pods_leave_places))
    return session_.free_places(shard_node) >= (cluster_info_.gpu(task).is_shared() ? 2 : 1);
  const double slots = session_.free_later(shard_node, kPods);
  if (!cluster_info_.gpu(task).is_shared()) return slots > 0;
  if (slots >= 2) return true;
  SharedChoice choice = choose_gpus(task, shard_node, false);
  if (choice.gpus.empty() || choice.only_later) choice = choose_gpus(task, shard_node, true);
  return !choice.gpus.empty() && std::all_of(choice.gpus.begin(), choice.gpus.end(), [&](GpuGroupId gpu) {
    return gpu && go::parse_int(cluster_info_.gpu_group_name(gpu), 64).has_value();
  });
}

auto NodePlacer::accepts(TaskId task, ShardNodeId id) -> bool {
  if (!cluster_info_.settings().plugins.predicates) return true;
  const ShardNode& shard_node = cluster_info_.shard_nodes()[id];
  if (!shard_node.available) return false;
  const GpuRequest& gpu = cluster_info_.gpu(task);
  Share share = cluster_info_.request_share(task);
  if (gpu.kind != GpuRequest::Kind::mig) {
    share[kGpu] = static_cast<double>(gpu.devices) * shard_node.gpu.portion_of(shard_node.gpu.memory_for(gpu));
  } else {
    share[kGpu] = gpu.quota();
  }
  return !over_capacity(cluster_info_.task(task).group, share) &&
         node_refusal(cluster_info_, task, id) == Rule::candidate && has_slots(task, id) &&
         label_refusal(cluster_info_, task, id) == Rule::candidate && filters_.accept(task, id);
}

auto node_refusal(const ClusterInfo& cluster_info, TaskId task, ShardNodeId id) -> Rule {
  const ShardNode& shard_node = cluster_info.shard_nodes()[id];
  if (!shard_node.available)
    return cluster_info.cluster().node(shard_node.node).spec.unschedulable ? Rule::node_cordoned : Rule::node_not_ready;
  if (!kind_of_gpu_suits(cluster_info, task, shard_node)) return Rule::node_gpu_kind;
  return cluster_info.gpu(task).memory > 0 && !shard_node.gpu.memory_known ? Rule::node_gpu_memory : Rule::candidate;
}

auto label_refusal(const ClusterInfo& cluster_info, TaskId task, ShardNodeId id) -> Rule {
  const ShardNode& shard_node = cluster_info.shard_nodes()[id];
  if (cluster_info.settings().restrict_nodes &&
      !(cluster_info.gpu(task).needs_gpu() ? shard_node.is_gpu_worker : shard_node.is_cpu_worker))
    return Rule::node_restricted;
  const Snapshot& cluster = cluster_info.cluster();
  const Pod& pod = cluster.pod(cluster_info.task(task).pod);
  const Node& node = cluster.node(shard_node.node);
  if (!matches_required_affinity(pod.spec, node, cluster)) return Rule::node_affinity;
  return first_untolerated_taint(pod.spec, node, cluster.known()) == nullptr ? Rule::candidate : Rule::node_taint;
}

}  // namespace previct::kai
