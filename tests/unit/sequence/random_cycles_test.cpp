// Properties of simulated cycles of KAI and YuniKorn on small random clusters.
#include "sequence/cycle_simulation.h"
#include "support/kai_cycle.h"
#include "support/yunikorn.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace previct {

extern const Engine& kai_engine;

namespace sequence {
namespace {

namespace kai_text = test::cycles;

struct RandomCycles {
  std::string yaml{};
  std::map<std::string, int> amounts{};  // GPUs or CPUs of nodes and pods, by name
  std::map<std::string, bool> high{};    // of pods: the higher priority
  std::map<std::string, Time> arrivals{};
};

class Draw {
 public:
  explicit Draw(std::uint32_t seed) : random_(seed) {}
  auto below(std::size_t n) -> std::size_t { return random_() % n; }

 private:
  std::mt19937 random_;
};

// Pods of one queue with a quota for all of them. Pods `s…` end after 20 s.
auto random_cycles(std::uint32_t seed, bool of_kai) -> RandomCycles {
  Draw draw(seed);
  RandomCycles made;
  if (of_kai) made.yaml = std::string(kai_text::kTrain) + kai_text::queue("q", 90);
  const auto add_pod = [&](const std::string& name, int amount, bool high, const std::string& on) {
    made.amounts[name] = amount;
    made.high[name] = high;
    const std::string request = fmt::format(", nvidia.com/gpu: \"{}\"", amount);
    made.yaml += of_kai ? kai_text::group(name, "q", "", high ? "high" : "train") +
                              kai_text::pod({.name = name, .group = name, .node = on, .request = request})
                        : test::pod({.name = name, .cpu = std::to_string(amount), .on = on, .priority = high ? 1 : 0});
  };
  for (std::size_t n = 0, nodes = 1 + draw.below(3); n < nodes; ++n) {
    const std::string node = fmt::format("n{}", n);
    int left = of_kai ? 1 + static_cast<int>(draw.below(3)) : 4;
    made.amounts[node] = left;
    made.yaml += of_kai ? kai_text::node(node, left) : test::node(node);
    for (int i = 0; left > 0 && draw.below(4) != 0; ++i) {
      const int amount = 1 + static_cast<int>(draw.below(static_cast<std::size_t>(left)));
      add_pod(fmt::format("r{}{}", n, i), amount, draw.below(4) == 0, node);
      left -= amount;
    }
  }
  for (std::size_t i = 0, pending = 1 + draw.below(4); i < pending; ++i) {
    const std::string name = fmt::format("{}{}", draw.below(2) == 0 ? "s" : "p", i);
    add_pod(name, 1 + static_cast<int>(draw.below(3)), draw.below(2) == 0, "");
    if (draw.below(2) == 0) made.arrivals[name] = static_cast<Time>(draw.below(40'000)) * kMillisecond;
  }
  return made;
}

// Follows the steps of a simulation.
class StepCheck {
 public:
  StepCheck(const RandomCycles& made, const Snapshot& cluster, const SimulationResult& play, bool of_kai)
      : made_(made), cluster_(cluster), play_(play), of_kai_(of_kai) {
    for (const PodId pod : cluster.pods().ids()) {
      if (const NodeId node = cluster.node_of(pod)) {
        on_[pod] = node;
      } else if (!made.arrivals.contains(name(pod))) {
        waiting_.insert(pod);
      }
    }
  }

  void run() {
    for (std::size_t i = 0; i < play_.steps.size(); ++i) {
      const Step& step = play_.steps[i];
      INFO(step.at << " " << what_name(step.what) << " " << name(step.pod));
      if (i > 0) CHECK(step.at >= play_.steps[i - 1].at);
      // A cycle each second, after what happened until then.
      if (i > 0 && step.at / kSecond > play_.steps[i - 1].at / kSecond && play_.steps[i - 1].at % kSecond == 0)
        check_that_no_pod_fits();
      apply(step);
    }
    if (!play_.cut && !play_.circle) check_that_no_pod_fits();
    check_ends();
  }

 private:
  [[nodiscard]] auto name(PodId pod) const -> std::string {
    return std::string(cluster_.text(cluster_.pod(pod).meta.name));
  }
  [[nodiscard]] auto amount(PodId pod) const -> int { return made_.amounts.at(name(pod)); }
  [[nodiscard]] auto free_on(NodeId node) const -> int {
    int free = made_.amounts.at(std::string(cluster_.name(node)));
    for (const auto& [pod, at] : on_) free -= at == node ? amount(pod) : 0;
    return free;
  }

  void apply(const Step& step) {
    const bool decides = step.what == EventKind::bound || step.what == EventKind::preempts ||
                         step.what == EventKind::fails || step.what == EventKind::waits;
    if (decides) {
      CHECK(step.at % kSecond == 0);
      CHECK(waiting_.contains(step.pod));
      ++tried_[step.pod];
    }
    switch (step.what) {
      case EventKind::arrives:
        CHECK(step.at == made_.arrivals.at(name(step.pod)));
        waiting_.insert(step.pod);
        break;
      case EventKind::bound:
        CHECK(free_on(step.node) >= amount(step.pod));
        on_[step.pod] = step.node;
        bound_[step.pod] = step;
        waiting_.erase(step.pod);
        preempting_.erase(step.pod);
        break;
      case EventKind::preempts: check_victims(step); break;
      case EventKind::deleting:
        CHECK(step.at % kSecond == 0);
        deleted_[step.pod] = step.at;
        victims_of_[step.by].push_back(step.pod);
        break;
      case EventKind::gone:
        CHECK(step.at == deleted_.at(step.pod) + 30 * kSecond);
        on_.erase(step.pod);
        break;
      case EventKind::finished:
        CHECK(name(step.pod).starts_with("s"));
        CHECK(step.at == bound_.at(step.pod).at + 20 * kSecond);
        on_.erase(step.pod);
        finished_.insert(step.pod);
        break;
      default: break;
    }
  }

  // Victims are of lower priority, unless KAI may move them elsewhere. A victim
  // may have got its node in the same cycle.
  void check_victims(const Step& step) {
    preempting_.insert(step.pod);
    CHECK_FALSE(step.victims.empty());
    int free = 0;
    for (const NodeId node : cluster_.nodes().ids()) free += free_on(node);
    const bool may_move = free >= amount(step.pod);
    for (const PodId victim : step.victims) {
      CHECK((on_.contains(victim) || waiting_.contains(victim)));
      if (may_move) continue;
      CHECK(made_.high.at(name(step.pod)));
      CHECK_FALSE(made_.high.at(name(victim)));
    }
  }

  // Of a pod that waits for its victims, KAI keeps the resources that are free on its node.
  void check_that_no_pod_fits() const {
    if (!preempting_.empty() || !of_kai_) return;
    for (const PodId pod : waiting_) {
      for (const NodeId node : cluster_.nodes().ids()) {
        INFO(name(pod) << " on " << cluster_.name(node));
        CHECK(free_on(node) < amount(pod));
      }
    }
  }

  void check_ends() const {
    std::set<PodId> listed;
    for (const End& end : play_.ends) {
      INFO(end.name << " " << end_name(end.kind));
      CHECK(listed.insert(end.pod).second);
      CHECK(end.name == cluster_.key(end.pod));
      CHECK(end.after.empty());
      const auto tried = tried_.find(end.pod);
      CHECK(end.attempts >= (tried == tried_.end() ? 0 : tried->second));
      const auto victims = victims_of_.find(end.pod);
      CHECK(end.victims == (victims == victims_of_.end() ? std::vector<PodId>() : victims->second));
      CHECK(end.deleted.size() == end.victims.size());
      const auto bound = bound_.find(end.pod);
      const bool was_bound =
          end.kind == End::Kind::bound || end.kind == End::Kind::evicted || end.kind == End::Kind::finished;
      CHECK(was_bound == (bound != bound_.end()));
      if (!was_bound) continue;
      CHECK(end.kind == (finished_.contains(end.pod)  ? End::Kind::finished
                         : deleted_.contains(end.pod) ? End::Kind::evicted
                                                      : End::Kind::bound));
      CHECK(end.node == bound->second.node);
      if (end.kind != End::Kind::finished) CHECK(end.at == bound->second.at);
    }
    for (const auto& [pod, ignored] : tried_) CHECK(listed.contains(pod));
  }

  const RandomCycles& made_;
  const Snapshot& cluster_;
  const SimulationResult& play_;
  bool of_kai_;
  std::map<PodId, NodeId> on_;
  std::set<PodId> waiting_;
  std::set<PodId> preempting_;
  std::map<PodId, Step> bound_;
  std::map<PodId, Time> deleted_;
  std::set<PodId> finished_;
  std::map<PodId, std::size_t> tried_;
  std::map<PodId, std::vector<PodId>> victims_of_;
};

void check_cycles(std::uint32_t seed, const Engine& engine, bool of_kai) {
  const RandomCycles made = random_cycles(seed, of_kai);
  INFO(seed);
  INFO(made.yaml);
  Objects objects;
  REQUIRE(test::read_text(made.yaml, objects));
  Settings settings;
  settings.question.now = *parse_instant(of_kai ? "2026-03-02T10:00:00Z" : "2026-05-01T12:00:00Z");
  settings.run_durations = {{"s*", 20 * kSecond}};
  const Snapshot cluster(objects);
  for (const PodId pod : cluster.pods().ids()) {
    if (!cluster.pending(pod)) continue;
    settings.pods.push_back(pod);
    const auto arrival = made.arrivals.find(std::string(cluster.text(cluster.pod(pod).meta.name)));
    if (arrival != made.arrivals.end()) settings.arrivals.push_back({pod, arrival->second});
  }
  const auto sequence = simulate_cycles(objects, engine, settings);
  REQUIRE(sequence);
  CHECK(sequence->play.ends.size() == settings.pods.size());
  StepCheck(made, cluster, sequence->play, of_kai).run();
}

}  // namespace

TEST_CASE("random cycles: the steps and ends of KAI are possible and complete", "[sequence][kai]") {
  for (std::uint32_t seed = 0; seed < 300; ++seed) check_cycles(seed, kai_engine, true);
}

TEST_CASE("random cycles: the steps and ends of YuniKorn are possible", "[sequence][yunikorn]") {
  for (std::uint32_t seed = 0; seed < 200; ++seed) check_cycles(seed, yunikorn_engine, false);
}

}  // namespace sequence
}  // namespace previct
