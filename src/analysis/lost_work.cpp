#include "analysis/lost_work.h"

#include "cluster/pod_request.h"

#include <fmt/format.h>

#include <cmath>

namespace previct {

void LostWork::add(const Snapshot& cluster, const Pod& pod, double hours) {
  constexpr double kMilli = 1000;
  constexpr double kGibibyte = 1024.0 * 1024.0 * 1024.0;
  for (const auto& [symbol, amount] : pod_request(cluster, pod, RequestOf::placed)) {
    const std::string_view name = cluster.text(symbol);
    if (name == "cpu") {
      cpu_hours += static_cast<double>(amount.milli()) / kMilli * hours;
    } else if (name == "memory") {
      memory_gib_hours += static_cast<double>(amount.value()) / kGibibyte * hours;
    } else if (name.find('/') != std::string_view::npos) {
      device_hours[std::string(name)] += static_cast<double>(amount.value()) * hours;
    }
  }
}

auto LostWork::all_device_hours() const -> double {
  double sum = 0;
  for (const auto& [name, hours] : device_hours) sum += hours;
  return sum;
}

auto hours_words(double hours) -> std::string {
  return hours < 0.05 ? "-" : fmt::format("{:.1f}", hours);
}

auto rounded_hours(double hours) -> double {
  constexpr double kThousandth = 1000;
  return std::round(hours * kThousandth) / kThousandth;
}

}  // namespace previct
