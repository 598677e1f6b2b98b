// kai_bench FILE…: CPU time of deciding podgroup/default/want in clusters made by kai_cluster.py.
#include "api/load.h"
#include "engine/kai/actions/decision.h"

#include <fmt/format.h>

#include <ctime>

namespace {

auto milliseconds(std::clock_t since) -> double {
  return 1000.0 * static_cast<double>(std::clock() - since) / CLOCKS_PER_SEC;
}

auto bench(const std::string& path) -> int {
  using namespace previct;
  Objects objects;
  const std::clock_t loading = std::clock();
  if (const auto loaded = load({path}, {}, objects); !loaded) {
    fmt::print(stderr, "{}: {}\n", path, loaded.error().message);
    return 2;
  }
  const double load_ms = milliseconds(loading);
  const Snapshot cluster(objects);
  const auto settings = kai::effective_settings(cluster, "");
  const Instant now = *parse_instant("2026-03-02T10:00:00Z");
  const std::clock_t opening = std::clock();
  Moment moment(now);
  const kai::ClusterInfo cluster_info(cluster, *settings, moment, nullptr);
  kai::Cycle cycle(cluster_info, moment, now);
  const double open_ms = milliseconds(opening);
  const std::clock_t deciding = std::clock();
  cycle.run();
  const double run_ms = milliseconds(deciding);
  const kai::Effort& effort = cycle.effort();
  fmt::print(
      "{}: load {:.0f} ms, open {:.1f} ms, actions {:.1f} ms; {} evictions, {} scenarios, {} simulated, {} victims "
      "looked at\n",
      path, load_ms, open_ms, run_ms, cycle.evictions().size(), effort.scenarios, effort.simulated,
      effort.victims_popped);
  return 0;
}

}  // namespace

auto main(int argc, char** argv) -> int {
  int worst = 0;
  for (int i = 1; i < argc; ++i) worst = std::max(worst, bench(argv[i]));
  return worst;
}
