#pragma once

#include "cluster/snapshot.h"
#include "report/report.h"

#include <map>
#include <string>

namespace previct {

/// Work that is lost with evicted pods if it cannot be resumed: their requests, multiplied by how long they had run.
struct LostWork {
  double cpu_hours = 0;
  double memory_gib_hours = 0;
  std::map<std::string, double> device_hours{};  ///< for each extended resource

  void add(const Snapshot& cluster, const Pod& pod, double hours);
  [[nodiscard]] auto all_device_hours() const -> double;
};

/// `0.4`; `-` if it is negligible.
[[nodiscard]] auto hours_words(double hours) -> std::string;

/// Rounds to thousandths: the figure is not more precise, and the result is the same on every machine.
[[nodiscard]] auto rounded_hours(double hours) -> double;

}  // namespace previct
