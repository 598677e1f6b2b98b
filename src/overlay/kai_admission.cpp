#include "overlay/kai_admission.h"

#include "api/locate.h"
#include "api/quantity.h"
#include "api/schedulers.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace previct {
namespace {

// strconv.ParseUint, and not 0.
auto is_positive_integer(std::string_view text) -> bool {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() && value > 0;
}

// strconv.ParseFloat and resource.ParseQuantity accept it: neither `50%`, `500m` nor `0x1p-1`.
auto is_part_of_one(std::string_view text) -> bool {
  if (!Quantity::parse(text)) return false;
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() && value > 0 && value < 1;
}

auto limits_whole_gpus(const Pod& pod, const Symbols& symbols) -> bool {
  const Symbol gpu = symbols.find("nvidia.com/gpu");
  const auto limits = [&](const Container& each) { return gpu && each.resources.limits.get(gpu).has_value(); };
  return std::any_of(pod.spec.containers.begin(), pod.spec.containers.end(), limits) ||
         std::any_of(pod.spec.init_containers.begin(), pod.spec.init_containers.end(), limits);
}

auto is_of_kai(const Pod& pod, const Objects& objects) -> bool {
  std::string_view name = schedulers::kai.scheduler_name;
  for (const kai::Config& config : objects.kai_configs) {
    if (config.spec.global.scheduler_name) name = objects.symbols.text(config.spec.global.scheduler_name);
  }
  return objects.symbols.text(pod.spec.scheduler_name) == name;
}

}  // namespace

auto check_gpu_request(const Pod& pod, const Objects& objects) -> Result<void> {
  if (!is_of_kai(pod, objects)) return {};
  const auto note = [&](std::string_view key) -> std::optional<std::string_view> {
    const Symbol symbol = objects.symbols.find(key);
    if (!symbol || !pod.meta.annotations.has(symbol)) return {};
    return objects.symbols.text(pod.meta.annotations.get(symbol));
  };
  const auto fraction = note("gpu-fraction");
  const auto memory = note("gpu-memory");
  const auto devices = note("gpu-fraction-num-devices");
  const bool whole = limits_whole_gpus(pod, objects.symbols);
  const auto refuse = [&](std::string_view key, const std::string& why) {
    return fail(fmt::format("pod {}/{} would be refused by KAI's admission webhook: {}",
                            objects.symbols.text(pod.meta.ns), objects.symbols.text(pod.meta.name), why),
                locate(objects.sources, pod.meta.source, fmt::format("metadata.annotations[\"{}\"]", key)));
  };
  if (!fraction && !memory && note("mps") == "true")
    return refuse("mps", "the annotation mps needs gpu-fraction or gpu-memory");
  if (fraction && whole) return refuse("gpu-fraction", "it has gpu-fraction and a limit of nvidia.com/gpu");
  if (memory && fraction) return refuse("gpu-memory", "it has gpu-memory and gpu-fraction");
  if (memory && whole) return refuse("gpu-memory", "it has gpu-memory and a limit of nvidia.com/gpu");
  if (devices && !fraction && !memory)
    return refuse("gpu-fraction-num-devices",
                  "the annotation gpu-fraction-num-devices needs gpu-fraction or gpu-memory");
  if (memory && !is_positive_integer(*memory))
    return refuse("gpu-memory", fmt::format("gpu-memory \"{}\" is no positive integer (MiB)", *memory));
  if (fraction && !is_part_of_one(*fraction))
    return refuse("gpu-fraction", fmt::format("gpu-fraction \"{}\" is no decimal number between 0 and 1", *fraction));
  if (devices && !is_positive_integer(*devices))
    return refuse("gpu-fraction-num-devices",
                  fmt::format("gpu-fraction-num-devices \"{}\" is no positive integer", *devices));
  return {};
}

}  // namespace previct
