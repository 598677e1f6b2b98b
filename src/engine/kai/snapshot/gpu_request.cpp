#include "engine/kai/snapshot/gpu_request.h"

#include "base/go.h"
#include "engine/kai/snapshot/annotation.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

namespace previct::kai {
namespace {

constexpr std::string_view kMigPrefix = "nvidia.com/mig-";
constexpr std::string_view kGroupLabel = "runai-gpu-group";
constexpr double kHundredths = 100;
constexpr std::int64_t kMebibyte = std::int64_t{1024} * 1024;

// strconv.ParseFloat; returns 0 for text that is not a number.
auto go_float(std::string_view text) -> double {
  if (text.starts_with('+')) text.remove_prefix(1);
  const bool hex = text.starts_with("0x") || text.starts_with("0X");
  if (hex) text.remove_prefix(2);
  if (hex && text.find_first_of("pP") == std::string_view::npos) return 0;  // Go requires the exponent
  const auto format = hex ? std::chars_format::hex : std::chars_format::general;
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, format);
  return error == std::errc() && end == text.data() + text.size() && std::isfinite(value) ? value : 0;
}

// int64(float64) on amd64: a value that does not fit into 64 bits becomes the lowest number.
auto go_int(double value) -> std::int64_t {
  constexpr double kEnd = 9'223'372'036'854'775'808.0;  // 2^63
  const bool fits = value >= -kEnd && value < kEnd;
  return fits ? static_cast<std::int64_t>(value) : std::numeric_limits<std::int64_t>::min();
}

auto digits(std::string_view& text) -> std::optional<std::int64_t> {
  std::size_t length = 0;
  while (length < text.size() && text[length] >= '0' && text[length] <= '9') ++length;
  const auto value = length == 0 ? std::nullopt : go::parse_int(text.substr(0, length), 64);
  text.remove_prefix(length);
  return value;
}

// Returns true for the label of a GPU other than the first.
auto names_more_groups(std::string_view label) -> bool {
  return label.starts_with(kGroupLabel) && label.substr(kGroupLabel.size()).starts_with('/');
}

}  // namespace

auto GpuRequest::parts(std::int64_t devices, double portion) -> double {
  const std::int64_t hundredths = go_int(std::round(portion * kHundredths));
  return static_cast<double>(go::multiply(hundredths, devices)) / kHundredths;
}

auto GpuModel::portion_of(std::int64_t amount) const -> double {
  if (memory == 0) return amount == 0 ? 0 : INFINITY;
  return std::ceil(static_cast<double>(amount) / static_cast<double>(memory) * kHundredths) / kHundredths;
}

auto GpuModel::memory_for(const GpuRequest& request) const -> std::int64_t {
  return request.memory > 0 ? request.memory : static_cast<std::int64_t>(request.portion * static_cast<double>(memory));
}

auto GpuModel::portion_for(const GpuRequest& request) const -> double {
  return request.memory > 0 ? portion_of(request.memory) : request.portion;
}

auto gpu_model(const Snapshot& cluster, const Node& node) -> GpuModel {
  const Symbol label = cluster.symbol("nvidia.com/gpu.memory");
  const auto told = label ? go::parse_int(cluster.text(node.meta.labels.get(label)), 64) : std::nullopt;
  if (!told) return {};
  constexpr std::int64_t kFloor = 100;  // upstream rounds memory down to 100 MiB, so that equal devices are equal
  const std::int64_t mebibytes = *told >= kMebibyte ? *told / kMebibyte : *told;
  return {mebibytes - mebibytes % kFloor, true};
}

auto is_mig(std::string_view resource) -> bool {
  return resource.starts_with(kMigPrefix);
}

auto mig_profile(std::string_view resource) -> std::optional<MigProfile> {
  if (!is_mig(resource)) return {};
  resource.remove_prefix(kMigPrefix.size());
  const auto gpus = digits(resource);
  if (!gpus || !resource.starts_with("g.")) return {};
  resource.remove_prefix(2);
  const auto gigabytes = digits(resource);
  if (!gigabytes || resource != "gb") return {};
  return MigProfile{*gpus, *gigabytes};
}

auto legacy_mig_of(const Snapshot& cluster, const Pod& pod) -> std::optional<LegacyMig> {
  // If there are several, use the first by name: the scheduler iterates over them in no fixed order.
  std::optional<LegacyMig> first;
  for (const auto& [key, value] : pod.meta.annotations) {
    if (!is_mig(cluster.text(key))) continue;
    const auto count = go::parse_int(cluster.text(value), 64);
    if (count && (!first || cluster.text(key) < cluster.text(first->resource))) first = LegacyMig{key, *count};
  }
  return first;
}

auto with_annotations(const Snapshot& cluster, const Pod& pod, const GpuRequest& asked) -> GpuRequest {
  const SymbolMap& all = pod.meta.annotations;
  const auto about_gpus = [&](const auto& each) { return cluster.text(each.first).starts_with("gpu-"); };
  if (std::none_of(all.begin(), all.end(), about_gpus)) return asked;
  GpuRequest request = asked;
  const auto memory = go::parse_int(annotation(cluster, pod.meta, "gpu-memory").value_or(""), 64);
  if (memory && *memory > 0) {
    request = {.kind = GpuRequest::Kind::memory, .devices = 1, .memory = *memory};
  }
  const double fraction = go_float(annotation(cluster, pod.meta, "gpu-fraction").value_or(""));
  if (fraction > 0 && fraction <= 1) {
    request = {.kind = GpuRequest::Kind::fraction, .devices = 1, .portion = fraction};
  }
  if (!request.is_shared()) return request;
  // With a number of devices, both annotations count, and the fraction counts even if it is out of bounds.
  if (const auto devices = go::parse_int(annotation(cluster, pod.meta, "gpu-fraction-num-devices").value_or(""), 64)) {
    request.devices = *devices;
    request.portion = fraction;
    request.memory = memory.value_or(0);
  }
  return request;
}

auto gpu_groups_of(const Snapshot& cluster, const Pod& pod) -> std::vector<Symbol> {
  const Symbol label = cluster.symbol(kGroupLabel);
  if (!label || !pod.meta.labels.has(label)) return {};
  std::vector<Symbol> groups;
  for (const auto& [key, value] : pod.meta.labels) {
    if (names_more_groups(cluster.text(key))) groups.push_back(value);
  }
  std::sort(groups.begin(), groups.end(), [&](Symbol a, Symbol b) { return cluster.text(a) < cluster.text(b); });
  groups.insert(groups.begin(), pod.meta.labels.get(label));
  return groups;
}

void set_gpu_groups(const std::vector<std::string>& names, Pod& pod, Symbols& symbols) {
  SymbolMap labels;
  for (const auto& [key, value] : pod.meta.labels) {
    const std::string_view label = symbols.text(key);
    if (label != kGroupLabel && !names_more_groups(label)) labels.set(key, value);
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string key = i == 0 ? std::string(kGroupLabel) : fmt::format("{}/{}", kGroupLabel, names[i]);
    labels.set(symbols.intern(key), symbols.intern(names[i]));
  }
  pod.meta.labels = std::move(labels);
}

}  // namespace previct::kai
