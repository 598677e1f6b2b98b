#pragma once

// Whole simulations of kube-scheduler, step by step. A cycle takes 2 ms, a call to the API server 5 ms.

#include "sequence/kube_scenario.h"
#include "support/cluster.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <map>
#include <string>
#include <vector>

namespace previct::sequence {

/// See trace_of().
using Trace = std::vector<std::string>;

/// Simulates all pending pods. `later`: pods that arrive later, and when.
inline auto traced(test::TestCluster& cluster, const std::string& release, const std::string& gates = "",
                   bool controllers = false, const std::map<std::string, Time>& later = {},
                   const std::vector<Failure>& failures = {}) -> SimulationResult {
  Settings settings;
  settings.question.now = parse_instant("2026-03-02T12:00:00Z").value();
  settings.question.k8s_version = release;
  settings.question.feature_gates = gates;
  for (const PodId pod : cluster.snapshot->pods().ids()) {
    if (cluster.snapshot->pending(pod)) settings.pods.push_back(pod);
  }
  for (const auto& [name, at] : later) settings.arrivals.push_back({cluster.snapshot->find_pod("d", name), at});
  settings.failures = failures;
  settings.controllers = controllers;
  settings.controller_objects = controller_objects_of(cluster.objects);
  auto play = simulate_kube(cluster.objects, settings, {});
  if (!play) FAIL(play.error().message);
  return *std::move(play);
}

/// Returns `MILLISECONDS STEP POD`, of the steps that are named here.
inline auto trace_of(const SimulationResult& play, const test::TestCluster& cluster) -> Trace {
  static const std::map<EventKind, std::string_view> kNames = {{EventKind::preempts, "preempts"},
                                                               {EventKind::nominated, "nominated"},
                                                               {EventKind::cleared, "cleared"},
                                                               {EventKind::marked, "marked"},
                                                               {EventKind::deleting, "deleting"},
                                                               {EventKind::gone, "gone"},
                                                               {EventKind::takes, "takes"},
                                                               {EventKind::bound, "bound"},
                                                               {EventKind::fails, "fails"},
                                                               {EventKind::gives_up, "gives up"},
                                                               {EventKind::call_failed, "call failed"}};
  Trace trace;
  for (const Step& step : play.steps) {
    const auto name = kNames.find(step.what);
    if (name == kNames.end()) continue;
    trace.push_back(
        fmt::format("{} {} {}", step.at / kMillisecond, name->second, play.key(step.pod, *cluster.snapshot)));
  }
  return trace;
}

}  // namespace previct::sequence
