// Random small clusters: what fit proposes, compared with a plain search over the nodes and their pods.
#include "fit/fit.h"
#include "support/cluster.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace previct::test::fit_properties {
namespace {

constexpr int kNodeCpu = 4;

struct Running {
  std::size_t node;
  int cpu;
  int priority;
};

struct Random {
  std::size_t nodes = 0;
  std::vector<Running> pods;
  int wants = 0;

  [[nodiscard]] auto free(std::size_t node) const -> int {
    int left = kNodeCpu;
    for (const Running& pod : pods) left -= pod.node == node ? pod.cpu : 0;
    return left;
  }
  [[nodiscard]] auto most_free() const -> int {
    int most = 0;
    for (std::size_t i = 0; i < nodes; ++i) most = std::max(most, free(i));
    return most;
  }
  // Returns true if the pod fits in place of this one, which fits on another node.
  [[nodiscard]] auto may_move(std::size_t pod) const -> bool {
    const Running& mover = pods[pod];
    if (free(mover.node) + mover.cpu < wants) return false;
    for (std::size_t i = 0; i < nodes; ++i) {
      if (i != mover.node && free(i) >= mover.cpu) return true;
    }
    return false;
  }
  // The lowest priority with which enough pods of one node are below the pod.
  [[nodiscard]] auto lowest_priority() const -> int {
    for (int priority = 1;; ++priority) {
      for (std::size_t i = 0; i < nodes; ++i) {
        int left = free(i);
        for (const Running& pod : pods) left += pod.node == i && pod.priority < priority ? pod.cpu : 0;
        if (left >= wants) return priority;
      }
    }
  }
};

auto random_cluster(std::mt19937& random) -> Random {
  const auto upto = [&](int most) { return static_cast<int>(random() % static_cast<unsigned>(most + 1)); };
  Random made;
  made.nodes = static_cast<std::size_t>(2 + upto(1));
  for (std::size_t i = 0; i < made.nodes; ++i) {
    for (int left = kNodeCpu; left > 0 && upto(3) > 0;) {
      const int cpu = 1 + upto(std::min(left, 3) - 1);
      made.pods.push_back({i, cpu, 1 + upto(5)});
      left -= cpu;
    }
  }
  made.wants = 3 + upto(1);
  return made;
}

auto engine() -> const Engine& {
  const auto found =
      std::find_if(engines().begin(), engines().end(), [](const Engine* e) { return e->name() == "kube"; });
  REQUIRE(found != engines().end());
  return **found;
}

auto fit_of(const Random& given, bool victims) -> fit::Fit {
  std::vector<std::string> documents;
  for (std::size_t i = 0; i < given.nodes; ++i)
    documents.push_back(a_node(fmt::format("n{}", i), std::to_string(kNodeCpu)));
  for (std::size_t i = 0; i < given.pods.size(); ++i) {
    documents.push_back(a_pod(fmt::format("x/r{}", i))
                            .on(fmt::format("n{}", given.pods[i].node))
                            .cpu(std::to_string(given.pods[i].cpu))
                            .priority(given.pods[i].priority)
                            .yaml());
  }
  documents.push_back(a_pod("x/p").cpu(std::to_string(given.wants)).yaml());
  const auto cluster = a_cluster(documents);
  Question question;
  question.ns = "x";
  question.name = "p";
  question.now = parse_instant("2026-03-02T12:00:00Z").value();
  question.toleration_plugin = "off";
  auto found = fit::fit({.objects = cluster->objects,
                         .cluster = *cluster->snapshot,
                         .engine = engine(),
                         .engine_name = "kube",
                         .question = question,
                         .pod = cluster->snapshot->find_pod("x", "p"),
                         .limits = {.victims = victims}});
  REQUIRE(found);
  return *std::move(found);
}

// The solutions of one change of this kind.
auto of_kind(const fit::Fit& found, fit::Kind kind) -> std::vector<fit::Solution> {
  std::vector<fit::Solution> of;
  for (const fit::Solution& each : found.solutions) {
    if (each.steps.size() == 1 && each.steps.front().kind == kind) of.push_back(each);
  }
  return of;
}

}  // namespace

TEST_CASE("fit: in random clusters, the largest request, the pods to move and the lowest priority are exact", "[fit]") {
  std::mt19937 random(11);
  int requests = 0;
  int moves = 0;
  int priorities = 0;
  for (int round = 0; round < 120; ++round) {
    const Random given = random_cluster(random);
    std::string shown = fmt::format("{} nodes, wants {}:", given.nodes, given.wants);
    for (const Running& pod : given.pods) shown += fmt::format(" n{}: {} cpu of {},", pod.node, pod.cpu, pod.priority);
    INFO(shown);
    const fit::Fit without = fit_of(given, false);
    CHECK(without.in == (given.most_free() >= given.wants));
    if (without.in) {
      CHECK(without.solutions.empty());
      continue;
    }
    // The largest request that fits, on nodes on which it does.
    const auto smaller = of_kind(without, fit::Kind::request);
    REQUIRE(smaller.size() == (given.most_free() > 0 ? 1 : 0));
    if (!smaller.empty()) {
      ++requests;
      CHECK(smaller[0].steps[0].what == fmt::format("cpu {} -> {}", given.wants, given.most_free()));
      std::vector<std::string> nodes = smaller[0].nodes;
      std::sort(nodes.begin(), nodes.end());
      std::vector<std::string> expected;
      for (std::size_t i = 0; i < given.nodes; ++i) {
        if (given.free(i) == given.most_free()) expected.push_back(fmt::format("n{}", i));
      }
      CHECK_FALSE(nodes.empty());
      CHECK(std::includes(expected.begin(), expected.end(), nodes.begin(), nodes.end()));
    }
    // Some pod is proposed to be moved if any can be, and only such a pod.
    std::vector<std::string> movers;
    for (std::size_t i = 0; i < given.pods.size(); ++i) {
      if (given.may_move(i)) movers.push_back(fmt::format("Pod/x/r{}", i));
    }
    const auto moved = of_kind(without, fit::Kind::move);
    CHECK(moved.empty() == movers.empty());
    for (const fit::Solution& each : moved) {
      ++moves;
      INFO(each.steps[0].what);
      const auto at = std::find(movers.begin(), movers.end(), each.steps[0].object);
      REQUIRE(at != movers.end());
      const auto pod = static_cast<std::size_t>(std::stoul(at->substr(std::string("Pod/x/r").size())));
      CHECK(each.nodes == std::vector<std::string>{fmt::format("n{}", given.pods[pod].node)});
    }
    // With victims, the lowest priority.
    const auto raised = of_kind(fit_of(given, true), fit::Kind::priority);
    REQUIRE(raised.size() == 1);
    ++priorities;
    CHECK(raised[0].steps[0].what ==
          fmt::format("priority 0 -> a new class with value {}, the lowest that helps", given.lowest_priority()));
  }
  CHECK(requests > 15);
  CHECK(moves > 2);
  CHECK(priorities > 30);
}

}  // namespace previct::test::fit_properties
