#pragma once

#include "analysis/subject.h"
#include "sequence/controllers.h"
#include "sequence/kube_scenario.h"
#include "support/cluster.h"

#include <catch2/catch.hpp>

#include <utility>

namespace previct::test {

/// Simulates all pending pods, with controllers, from `now` on.
inline auto simulated(TestCluster& cluster, const char* now = "2026-03-02T12:00:00Z") -> sequence::SimulationResult {
  sequence::Settings settings;
  settings.question.now = parse_instant(now).value();
  for (const Subject& subject : pending_subjects(*cluster.snapshot, "")) settings.pods.push_back(subject.pod);
  settings.controllers = true;
  settings.controller_objects = sequence::controller_objects_of(cluster.objects);
  auto play = sequence::simulate_kube(cluster.objects, settings, {});
  if (!play) FAIL(play.error().message);
  return *std::move(play);
}

}  // namespace previct::test
