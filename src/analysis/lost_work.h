#pragma once

#include "cluster/snapshot.h"
#include "report/report.h"

#include <map>
#include <string>

namespace previct {

/// What is lost with evicted pods if their work cannot be resumed: what they requested, times how long they had run.
struct LostWork {
  double cpu_hours = 0;
  double memory_gib_hours = 0;
  std::map<std::string, double> device_hours{};  ///< by extended resource

  void add(const Snapshot& cluster, const Pod& pod, double hours);
  [[nodiscard]] auto all_device_hours() const -> double;
};

/// `0.4`; `-` if it is next to nothing.
[[nodiscard]] auto hours_words(double hours) -> std::string;

/// To the thousandth: more is more than such a figure is worth, and so it is the same on every machine.
[[nodiscard]] auto rounded_hours(double hours) -> double;

}  // namespace previct
