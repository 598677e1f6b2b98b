// Times the decision alone: one preemptor, full nodes, nearly all of them candidates; and a pod that fits on every
// node, so that all are scored. `bench_whatif [NODES [PODS]]`; if PREVICT_REAL_DRY_RUN names the wrapper of the real
// scheduler, it also runs that on an equal cluster, and prints the ratio.

#include "engine/kube/attempt.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace previct;

constexpr int kRounds = 9;

// Generates the cluster that the real scheduler is timed on: full nodes; priorities from -1000 to 100000, where the
// preemptor has 60000, so that about ten of thirty pods of a node can be evicted; 600 budgets in 20 namespaces, most
// pods in none or one of them.
void fill(Objects& objects, int nodes, int pods_per_node, int budgets) {
  Symbols& s = objects.symbols;
  constexpr std::array kPriorities = {100'000, 50'000, 50'000, 50'000, 10'000, 1'000, 0, 0, -1'000};
  std::mt19937 random(7);
  const auto below = [&](std::uint32_t n) { return static_cast<int>(random() % n); };
  const Symbol cpu = s.intern("cpu");
  const Symbol memory = s.intern("memory");
  const Symbol app = s.intern("app");
  const auto pod = [&](const std::string& ns, const std::string& name, int millis, int gibibytes) {
    Pod p;
    p.meta.ns = s.intern(ns);
    p.meta.name = s.intern(name);
    p.meta.uid = p.meta.name;
    Container& c = p.spec.containers.emplace_back();
    c.resources.requests.set(cpu, Quantity::of_nanos(static_cast<__int128>(millis) * 1'000'000));
    c.resources.requests.set(memory, Quantity::of(std::int64_t{gibibytes} << 30));
    return p;
  };
  for (int n = 0; n < nodes; ++n) {
    Node node;
    node.meta.name = s.intern(fmt::format("node-{:05}", n));
    node.status.allocatable.set(cpu, Quantity::of(32));
    node.status.allocatable.set(memory, Quantity::of(std::int64_t{128} << 30));
    node.status.allocatable.set(s.intern("pods"), Quantity::of(110));
    const Symbol name = node.meta.name;
    objects.nodes.add(std::move(node));
    int left = 31'000;
    for (int p = 0; p < pods_per_node; ++p) {
      const int millis = p + 1 < pods_per_node ? std::min(left, 200 + below(1700)) : left;
      left -= millis;
      Pod running = pod(fmt::format("ns-{}", below(20)), fmt::format("pod-{}-{}", n, p), millis, 1 + below(3));
      running.meta.labels.set(app, s.intern(fmt::format("app-{}", below(2400))));
      running.spec.node_name = name;
      running.spec.priority = kPriorities[static_cast<std::size_t>(below(kPriorities.size()))];
      running.status.start_time = Instant{1'700'000'000 + below(5'000'000), 0};
      objects.pods.add(std::move(running));
    }
  }
  for (int b = 0; b < budgets; ++b) {
    PodDisruptionBudget budget;
    budget.meta.ns = s.intern(fmt::format("ns-{}", b % 20));
    budget.meta.name = s.intern(fmt::format("pdb-{}", b));
    budget.spec.selector.emplace().match_labels.set(app, s.intern(fmt::format("app-{}", b)));
    budget.status.disruptions_allowed = b % 3;
    objects.disruption_budgets.push_back(std::move(budget));
  }
  Pod wanted = pod("default", "wanted", 12'000, 16);
  wanted.spec.priority = 60'000;
  objects.pods.add(std::move(wanted));
}

template <class Work>
auto cpu_ms(Work work) -> double {
  const std::clock_t begin = std::clock();
  work();
  return 1000.0 * static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

// Returns CPU milliseconds of the real dry run on all nodes, as its wrapper reports them; 0 if there is no wrapper.
auto real_dry_run_ms(int nodes, int pods, bool budgets) -> double {
  const char* program = std::getenv("PREVICT_REAL_DRY_RUN");
  if (program == nullptr || *program == 0) return 0;
  const std::string command =
      fmt::format("'{}' {} {} default 100 {} 2>/dev/null", program, nodes, pods, budgets ? "" : "nopdb");
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  std::array<char, 4096> line{};
  while (pipe && fgets(line.data(), line.size(), pipe.get()) != nullptr) {
    constexpr std::string_view kMark = "dry run cpu min ";
    const std::string_view text(line.data());
    const std::size_t at = text.find(kMark);
    if (at != std::string_view::npos) return std::strtod(line.data() + at + kMark.size(), nullptr);
  }
  return 0;
}

// Each line compares measurements of one run: it alternates between the kinds and takes the best of each.
void measure(int nodes, int pods, int budgets) {
  Objects objects;
  fill(objects, nodes, pods, budgets);
  const Snapshot cluster(objects);
  kube::NodeInfoSnapshot world(cluster);
  const kube::Budgets matched(world);
  const kube::Profile profile = kube::Profile::standard(cluster, false, world.release());
  const PodId wanted = cluster.find_pod("default", "wanted");
  std::size_t candidates = 0;
  const auto decide = [&](bool fates) {
    const kube::AttemptOptions options{.records_results = fates};
    candidates = kube::attempt(world, matched, wanted, profile, Instant{1'800'000'000, 0}, options).candidates.size();
  };
  double matching = 1e18;
  double plain = 1e18;
  double explained = 1e18;
  for (int round = 0; round < kRounds; ++round) {
    if (budgets > 0) matching = std::min(matching, cpu_ms([&] { const kube::Budgets again(world); }));
    plain = std::min(plain, cpu_ms([&] { decide(false); }));
    explained = std::min(explained, cpu_ms([&] { decide(true); }));
  }
  fmt::print("{:>6} {:>5} {:>5} {:>11} {:>10.2f} {:>10.2f} {:>11.2f}", nodes, pods, budgets, candidates, plain,
             explained, explained / plain);
  fmt::print(" {:>13}", budgets > 0 ? fmt::format("{:.2f}", matching) : "-");
  if (const double real = nodes <= 5000 ? real_dry_run_ms(nodes, pods, budgets > 0) : 0; real > 0) {
    fmt::print(" {:>13.1f} {:>11.0f}", real, real / plain);
    if (budgets > 0) fmt::print(" {:>14.0f}", real / (plain + matching));
  }
  fmt::print("\n");
}

// Adds zones, host names, images and a Service, so that every plugin scores the pod.
void let_score(Objects& objects) {
  Symbols& s = objects.symbols;
  const Symbol host = s.intern("kubernetes.io/hostname");
  const Symbol zone = s.intern("topology.kubernetes.io/zone");
  std::mt19937 random(11);
  for (const NodeId id : objects.nodes.ids()) {
    Node& node = objects.nodes[id];
    node.meta.labels.set(host, node.meta.name);
    node.meta.labels.set(zone, s.intern(fmt::format("zone-{}", random() % 3)));
    for (int i = 0; i < 20; ++i)
      node.status.images.push_back({{s.intern(fmt::format("image-{}:1", random() % 200))}, 200'000'000});
  }
  Service service;
  service.meta.ns = s.intern("ns-1");
  service.meta.name = s.intern("service");
  service.spec.selector.set(s.intern("app"), s.intern("app-1"));
  objects.services.push_back(std::move(service));
  for (const char* kind : {"Service", "ReplicationController", "apps/ReplicaSet", "apps/StatefulSet", "Namespace"})
    objects.listed.try_emplace(kind, 0);
  Pod small;
  small.meta.ns = s.intern("ns-1");
  small.meta.name = s.intern("small");
  small.meta.labels.set(s.intern("app"), s.intern("app-1"));
  Container& c = small.spec.containers.emplace_back();
  c.image = s.intern("image-7:1");
  c.resources.requests.set(s.intern("cpu"), Quantity::of_nanos(100'000'000));
  WeightedPodAffinityTerm apart;
  apart.weight = 100;
  apart.term.topology_key = host;
  apart.term.selector.emplace().match_labels.set(s.intern("app"), s.intern("app-1"));
  small.spec.affinity.pod_anti.preferred.push_back(std::move(apart));
  objects.pods.add(std::move(small));
}

void measure_scores(int nodes, int pods, std::int32_t percentage) {
  Objects objects;
  fill(objects, nodes, pods, 0);
  let_score(objects);
  const Snapshot cluster(objects);
  kube::NodeInfoSnapshot world(cluster);
  const kube::Budgets budgets(world);
  kube::Profile profile = kube::Profile::standard(cluster, false, world.release());
  profile.percentage_of_nodes = percentage;
  const PodId small = cluster.find_pod("ns-1", "small");
  const kube::Incoming incoming{world, world.incoming(small)};
  std::vector<NodeId> feasible;
  for (const NodeId node : world.nodes()) feasible.push_back(node);
  const std::vector<char> searched(feasible.size(), 1);
  const auto percent = static_cast<std::size_t>(percentage);
  const std::size_t sample = std::max<std::size_t>(100, feasible.size() * percent / 100);
  double score = 1e18;
  double decision = 1e18;
  const kube::SelectionRequest request{
      .incoming = incoming, .profile = profile, .feasible = feasible, .nodes_to_find = sample, .searched = searched};
  for (int round = 0; round < kRounds; ++round) {
    score = std::min(score, cpu_ms([&] { (void)kube::select_node(request); }));
    decision = std::min(decision, cpu_ms([&] {
                          (void)kube::attempt(world, budgets, small, profile, Instant{1'800'000'000, 0}, {});
                        }));
  }
  fmt::print("{:>6} {:>5} {:>10} {:>10.2f} {:>10.2f}\n", nodes, pods, sample, score, decision);
}

}  // namespace

auto main(int count, char** words) -> int {
  fmt::print("one decision, all nodes; CPU ms, best of {} rounds in turn\n", kRounds);
  fmt::print(
      " NODES  PODS  PDBS  CANDIDATES      PLAIN  EXPLAINED  EXPL/PLAIN  PDB-MATCHING  REAL-DRY-RUN  REAL/PLAIN  "
      "..WITH-MATCHING\n");
  const int pods = count > 2 ? std::atoi(words[2]) : 30;
  const std::vector<int> sizes = count > 1 ? std::vector{std::atoi(words[1])} : std::vector{1000, 5000, 15000};
  for (const int nodes : sizes) {
    measure(nodes, pods, 0);
    measure(nodes, pods, 600);
  }
  fmt::print(
      "\none decision for a pod that fits on all nodes; LOOKED-AT: the sample that is scored, from every start\n");
  fmt::print(" NODES  PODS  LOOKED-AT     SCORES   DECISION\n");
  for (const int nodes : sizes) {
    measure_scores(nodes, pods, 100);
    measure_scores(nodes, pods, 10);
  }
  return 0;
}
