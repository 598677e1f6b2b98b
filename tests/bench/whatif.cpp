// Times the decision alone: one preemptor, every node full of pods of lower priority, every node a candidate. CPU time, the
// best of several rounds. `bench_whatif [NODES [PODS]]`; with PREVICT_KUBE_ORACLE naming the program around the real
// scheduler, that runs beside it on the same cluster, and the ratio is printed.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <string>
#include <vector>

#include "engine/kube/attempt.h"

namespace {

using namespace previct;

constexpr int kRounds = 9;

// The cluster that the real scheduler's own benchmark program makes: 200m a pod, seven priorities, every node full.
void fill(Objects& objects, int nodes, int pods_per_node, int budgets) {
  Symbols& s = objects.symbols;
  constexpr std::array kApps = {"web", "api", "db", "cache", "batch", "queue", "etl", "cron"};
  const Symbol cpu = s.intern("cpu");
  const Symbol memory = s.intern("memory");
  const Symbol app = s.intern("app");
  const Instant start = parse_instant("2026-03-01T00:00:00Z").value_or(Instant{});
  const auto pod = [&](const std::string& ns, const std::string& name, int millis, int mebibytes) {
    Pod p;
    p.meta.ns = s.intern(ns);
    p.meta.name = s.intern(name);
    p.meta.uid = p.meta.name;
    Container& c = p.spec.containers.emplace_back();
    c.resources.requests.set(cpu, Quantity::of_nanos(static_cast<__int128>(millis) * 1'000'000));
    c.resources.requests.set(memory, Quantity::of(std::int64_t{mebibytes} << 20));
    return p;
  };
  for (int n = 0; n < nodes; ++n) {
    Node node;
    node.meta.name = s.intern(fmt::format("node-{:05}", n));
    node.status.allocatable.set(cpu, Quantity::of_nanos(static_cast<__int128>(pods_per_node) * 200'000'000));
    node.status.allocatable.set(memory, Quantity::of(std::int64_t{64} << 30));
    node.status.allocatable.set(s.intern("pods"), Quantity::of(110));
    const Symbol name = node.meta.name;
    objects.nodes.add(std::move(node));
    for (int p = 0; p < pods_per_node; ++p) {
      const int i = n * pods_per_node + p;
      Pod running = pod(fmt::format("ns-{}", i % 20), fmt::format("pod-{:06}", i), 200, 128);
      running.meta.labels.set(app, s.intern(kApps[static_cast<std::size_t>(i) % kApps.size()]));
      running.spec.node_name = name;
      running.spec.priority = i * 31 % 7 * 100;
      running.status.start_time = start.plus_seconds(std::int64_t{i} * 7919 % 864'000);
      objects.pods.add(std::move(running));
    }
  }
  for (int b = 0; b < budgets; ++b) {
    PodDisruptionBudget budget;
    budget.meta.ns = s.intern(fmt::format("ns-{}", b % 20));
    budget.meta.name = s.intern(fmt::format("pdb-{}", b));
    budget.spec.selector.emplace().match_labels.set(app, s.intern(kApps[static_cast<std::size_t>(b) % kApps.size()]));
    budget.status.disruptions_allowed = b % 3;
    objects.disruption_budgets.push_back(std::move(budget));
  }
  Pod wanted = pod("ns-1", "wanted", 2000, 512);
  wanted.spec.priority = 100'000;
  objects.pods.add(std::move(wanted));
}

template <class Work>
auto best_cpu_ms(Work work) -> double {
  double best = 1e18;
  for (int round = 0; round < kRounds; ++round) {
    const std::clock_t begin = std::clock();
    work();
    best = std::min(best, 1000.0 * static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
  }
  return best;
}

// CPU milliseconds of the real dry run on all nodes, by the oracle's own report; 0 if it is not there.
auto real_dry_run_ms(int nodes, int pods) -> double {
  const char* oracle = std::getenv("PREVICT_KUBE_ORACLE");
  if (oracle == nullptr) return 0;
  const std::string command = fmt::format("'{}' -bench-nodes {} -bench-pods {} 2>/dev/null", oracle, nodes, pods);
  std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  if (!pipe) return 0;
  std::array<char, 4096> line{};
  double best = 0;
  while (fgets(line.data(), line.size(), pipe.get()) != nullptr) {
    const std::string text(line.data());
    const std::size_t at = text.find("dry run all ");
    const std::size_t cpu = at == std::string::npos ? at : text.find("(cpu ", at);
    if (cpu == std::string::npos || text.find("rich false") == std::string::npos) continue;
    const double ms = std::strtod(text.c_str() + cpu + 5, nullptr);
    best = best == 0 ? ms : std::min(best, ms);
  }
  return best;
}

void measure(int nodes, int pods, int budgets, double real) {
  Objects objects;
  fill(objects, nodes, pods, budgets);
  const Snapshot cluster(objects);
  kube::World world(cluster);
  const double matching = best_cpu_ms([&] { (void)kube::Budgets(world); });
  const kube::Budgets selectors(world);
  const kube::Profile profile = kube::Profile::standard(false);
  const PodId wanted = cluster.find_pod("ns-1", "wanted");
  const auto once = [&](bool fates) {
    return best_cpu_ms([&] {
      const kube::Decision d = kube::attempt(world, selectors, wanted, profile, Instant{1'800'000'000, 0}, {.with_fates = fates});
      if (d.candidates.size() != static_cast<std::size_t>(nodes)) std::puts("not every node is a candidate");
    });
  };
  const double plain = once(false);
  const double explained = once(true);
  fmt::print("{:>6} {:>5} {:>5} {:>12.2f} {:>12.2f} {:>9.2f} {:>12.2f}", nodes, pods, budgets, plain, explained, explained / plain, matching);
  if (real > 0) fmt::print(" {:>10.1f} {:>7.0f}x", real, real / plain);
  fmt::print("\n");
}

}  // namespace

auto main(int count, char** words) -> int {
  fmt::print("one decision, all nodes; CPU ms, best of {} rounds\n", kRounds);
  fmt::print(" NODES  PODS  PDBS        PLAIN    EXPLAINED     RATIO   PDB-MATCHING  REAL-DRY-RUN\n");
  const int pods = count > 2 ? std::atoi(words[2]) : 30;
  const std::vector<int> sizes = count > 1 ? std::vector{std::atoi(words[1])} : std::vector{1000, 5000, 15000};
  for (const int nodes : sizes) {
    const double real = nodes <= 5000 ? real_dry_run_ms(nodes, pods) : 0;
    measure(nodes, pods, 0, real);
    measure(nodes, pods, 600, real);
  }
  return 0;
}
