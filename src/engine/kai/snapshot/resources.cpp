#include "engine/kai/snapshot/resources.h"

#include <algorithm>

namespace previct::kai {
namespace {

auto is_gpu(std::string_view resource) -> bool {
  return resource == "nvidia.com/gpu" || resource == "amd.com/gpu";
}

// Returns true for resources that are dimensions of their own: extended resources, huge pages, attachable volumes.
// Source: k8s_internal IsScalarResourceName; k8s.io/component-helpers IsExtendedResourceName.
auto is_scalar(std::string_view resource) -> bool {
  return resource.find('/') != std::string_view::npos
             ? !resource.starts_with("requests.")
             : resource.starts_with("hugepages-") || resource.starts_with("attachable-volumes-");
}

auto is_storage(std::string_view resource) -> bool {
  return resource == "ephemeral-storage" || resource == "storage";
}

}  // namespace

Resources::Resources(const Snapshot& cluster, std::span<const NodeId> nodes, const Release& release)
    : cluster_(cluster),
      sidecars_end_(sidecars_end(release)),
      counts_overhead_(!release.has(Change::overhead_is_ignored)),
      names_{"cpu", "memory", "gpu", "pods"},
      dim_of_(cluster.objects().symbols.size(), -1) {
  for (const NodeId id : nodes) note(cluster.node(id).status.allocatable);
  for (const Pod& pod : cluster.pods()) {
    for (const Container& c : pod.spec.init_containers) note(c.resources.requests);
    for (const Container& c : pod.spec.containers) note(c.resources.requests);
  }
  for (const std::string_view name : names_) {
    const auto profile = mig_profile(name);
    gpus_.push_back(profile ? static_cast<double>(profile->gpus) : 0);
    gigabytes_.push_back(profile ? profile->gigabytes : 0);
  }
  gpus_[kGpu] = 1;
}

void Resources::note(const ResourceList& list) {
  for (const auto& [symbol, quantity] : list) {
    std::int32_t& dim = dim_of_[symbol.index];
    if (dim >= 0) continue;
    const std::string_view name = cluster_.text(symbol);
    if (name != "cpu" && name != "memory" && name != "pods" && !is_storage(name) && !is_scalar(name)) continue;
    const std::string_view wanted = name.ends_with("gpu") ? "gpu" : name;
    const auto found = std::find(names_.begin(), names_.end(), wanted);
    dim = static_cast<std::int32_t>(found - names_.begin());
    if (found == names_.end()) names_.push_back(wanted);
  }
}

auto Resources::of_node(const Node& node) const -> std::vector<double> {
  std::vector<double> amounts(count(), 0);
  double stand_in = -1;  // of a resource whose name only ends in gpu
  for (const auto& [symbol, quantity] : node.status.allocatable) {
    const std::string_view name = cluster_.text(symbol);
    const std::int32_t dim = symbol.index < dim_of_.size() ? dim_of_[symbol.index] : -1;
    if (dim < 0 || quantity.milli() == 0) continue;
    double& amount = amounts[static_cast<std::size_t>(dim)];
    if (name == "cpu") {
      amount += static_cast<double>(quantity.milli());
    } else if (name.ends_with("gpu") && !is_gpu(name)) {
      stand_in = static_cast<double>(quantity.milli());
    } else if (is_scalar(name) && !is_gpu(name) && !is_mig(name)) {
      amount += static_cast<double>(quantity.milli());
    } else {
      amount += static_cast<double>(quantity.value());
    }
  }
  if (stand_in >= 0) amounts[kGpu] = stand_in;
  return amounts;
}

void Resources::add(Sum& sum, const ResourceList& list, bool overhead) const {
  for (const auto& [symbol, quantity] : list) {
    const std::string_view name = cluster_.text(symbol);
    const std::int32_t dim = symbol.index < dim_of_.size() ? dim_of_[symbol.index] : -1;
    if (dim < 0) continue;
    double& amount = sum.amounts[static_cast<std::size_t>(dim)];
    if (is_gpu(name)) {
      if (!overhead) sum.gpus += quantity.value();
    } else if (name == "cpu") {
      amount += static_cast<double>(quantity.milli());
    } else if (is_mig(name)) {
      if (overhead) continue;
      amount += static_cast<double>(quantity.value());
      sum.names_mig = true;
    } else if (name == "memory" || is_storage(name)) {
      amount += static_cast<double>(quantity.value());
    } else if (name != "pods" && !name.ends_with("gpu")) {
      amount += static_cast<double>(quantity.milli());
    }
  }
}

void Resources::take_larger(Sum& sum, const Sum& other) {
  for (std::size_t i = 0; i < sum.amounts.size(); ++i) sum.amounts[i] = std::max(sum.amounts[i], other.amounts[i]);
  sum.gpus = std::max(sum.gpus, other.gpus);
  sum.names_mig = sum.names_mig || other.names_mig;
}

// Source: pkg/scheduler/api/pod_info getPodResourceRequest (spec §2.9).
auto Resources::of_pod(const Pod& pod, Counted counted) const -> OfPod {
  Sum total{std::vector<double>(count(), 0)};
  if (counted != Counted::slot) {
    const bool starts_others = !pod.spec.init_containers.empty();
    Sum peak = total;
    Sum sidecars = starts_others ? total : Sum();
    for (const Container& c : pod.spec.init_containers) {
      if (!sidecars_end_ && c.restart_policy == cluster_.known().always) {
        add(sidecars, c.resources.requests, false);
        continue;
      }
      Sum here = sidecars;
      add(here, c.resources.requests, false);
      take_larger(peak, here);
    }
    if (starts_others) total = std::move(sidecars);
    for (const Container& c : pod.spec.containers) add(total, c.resources.requests, false);
    take_larger(total, peak);
    if (counts_overhead_) add(total, pod.spec.overhead, true);
  }
  total.amounts[kPods] = 1;

  GpuRequest asked{.devices = total.gpus, .portion = total.gpus > 0 ? 1.0 : 0.0};
  const bool annotated = counted == Counted::all;
  GpuRequest gpu = annotated ? with_annotations(cluster_, pod, asked) : asked;
  const auto legacy = annotated ? legacy_mig_of(cluster_, pod) : std::nullopt;
  // Annotations replace everything that containers request; devices named there remain in the vector nevertheless.
  if (legacy) {
    gpu = {.kind = GpuRequest::Kind::mig, .legacy_mig = true};
    if (const auto profile = mig_profile(cluster_.text(legacy->resource))) {
      gpu.mig = static_cast<double>(profile->gpus) * static_cast<double>(legacy->count);
    }
    const std::int32_t dim = dim_of_[legacy->resource.index];
    if (dim >= 0) total.amounts[static_cast<std::size_t>(dim)] = static_cast<double>(legacy->count);
  } else if (!gpu.is_shared() && total.names_mig) {
    gpu.kind = GpuRequest::Kind::mig;
    for (std::size_t i = kShared; i < count(); ++i) {
      gpu.mig += gpus_[i] * total.amounts[i];
      gpu.mig_gigabytes += gigabytes_[i] * static_cast<std::int64_t>(total.amounts[i]);
    }
  }
  total.amounts[kGpu] = gpu.gpus();
  return {std::move(total.amounts), gpu};
}

}  // namespace previct::kai
