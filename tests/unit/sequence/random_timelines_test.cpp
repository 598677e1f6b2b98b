// Properties of simulations of small random clusters.
#include "sequence/kube_scenario.h"
#include "support/cluster.h"
#include "support/owned.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <tuple>

namespace previct::sequence {
namespace {

using test::a_cluster;
using test::a_node;
using test::a_pod;
using test::owned;
using test::TestCluster;

class RandomTimeline {
 public:
  explicit RandomTimeline(std::uint32_t seed) : random_(seed) {
    const std::size_t nodes = 2 + below(3);
    for (std::size_t n = 0; n < nodes; ++n) {
      const std::size_t cpus = 2 + below(4);
      documents_.push_back(a_node(fmt::format("n{}", n), std::to_string(cpus)));
      cpus_.emplace(fmt::format("n{}", n), cpus);
      for (std::size_t used = below(2); used < cpus;) used += add_running(n, cpus - used);
    }
    const std::size_t pending = 1 + below(4);
    for (std::size_t i = 0; i < pending; ++i) add_pending(i, nodes);
    release_ = 31 + static_cast<int>(below(7));
    latency_ = Time{1 + static_cast<Time>(below(3)) * 400} * 5 * kMillisecond;
    in_cycle_ = below(3) == 0;
    failures_.push_back({.verb = Failure::Verb::remove, .per_million = 300'000});
    failures_.push_back({.verb = Failure::Verb::mark, .per_million = 200'000});
    failures_.push_back({.verb = Failure::Verb::nominate, .per_million = 200'000});
  }

  struct Run {
    std::unique_ptr<TestCluster> cluster;
    SimulationResult play;
  };

  // `repelling`: one pod repels pods that do not exist. `fail`: some calls fail.
  [[nodiscard]] auto run(bool repelling, bool fail) const -> Run {
    Run run{cluster_of(repelling), {}};
    const Snapshot& cluster = *run.cluster->snapshot;
    Settings settings;
    settings.question.now = parse_instant("2026-03-02T12:00:00Z").value();
    settings.question.k8s_version = fmt::format("1.{}", release_);
    if (in_cycle_ && release_ > 31) settings.question.feature_gates = "SchedulerAsyncPreemption=false";
    for (const PodId pod : cluster.pods().ids()) {
      if (cluster.pending(pod)) settings.pods.push_back(pod);
    }
    for (const auto& [name, at] : arrivals_) settings.arrivals.push_back({cluster.find_pod("d", name), at});
    if (fail) settings.failures = failures_;
    settings.run_durations = {{"short-*", 20 * kSecond}};
    settings.controllers = true;
    settings.controller_objects = controller_objects_of(run.cluster->objects);
    settings.api_latency = latency_;
    settings.horizon = 700 * kSecond;
    auto made = simulate_kube(run.cluster->objects, settings, {});
    if (!made) FAIL(made.error().message);
    run.play = *std::move(made);
    return run;
  }

  [[nodiscard]] auto text(bool repelling) const -> std::string {
    const auto [cluster, play] = run(repelling, false);
    std::string text;
    for (const Step& step : play.steps) {
      text += fmt::format("{} {} {} {}", step.at / kMillisecond, what_name(step.what),
                          play.key(step.pod, *cluster->snapshot), step.node ? step.node.index : 99);
      for (const PodId victim : step.victims) text += " " + play.key(victim, *cluster->snapshot);
      text += " " + step.why + "\n";
    }
    for (const End& end : play.ends)
      text += fmt::format("{} {} {} {} {}\n", end.name, end_name(end.kind), end.at, end.attempts, end.why);
    const Metrics& metrics = play.metrics;
    return text + fmt::format("{} {} {} {}\n", metrics.scheduled, metrics.unschedulable, metrics.preemption_attempts,
                              play.circle ? play.circle->from : kNever);
  }

  // Of a pod of the input, or a node.
  [[nodiscard]] auto cpus_of(const std::string& name) const -> std::int64_t { return cpus_.at(name); }
  [[nodiscard]] auto latency() const -> Time { return latency_; }

 private:
  auto below(std::size_t n) -> std::size_t { return random_() % n; }

  auto add_running(std::size_t node, std::size_t free) -> std::size_t {
    const std::size_t number = documents_.size();
    const std::size_t set = below(4);
    // The pods of a ReplicaSet are alike.
    const std::size_t cpus = set < 3 ? 1 + set % 2 : 1 + below(2);
    if (cpus > free) return 1;
    const auto priority = static_cast<int>(set < 3 ? set * 3 : below(12));
    const std::string name = fmt::format("{}-{}",
                                         set < 3         ? fmt::format("w{}", set)
                                         : below(2) == 0 ? "short"
                                                         : "v",
                                         number);
    cpus_.emplace(name, cpus);
    test::PodBuilder pod = a_pod("d/" + name);
    pod.on(fmt::format("n{}", node)).priority(priority).cpu(std::to_string(cpus));
    pod.started(fmt::format("2026-03-02T10:{:02}:{:02}Z", below(60), number));
    if (set == 3 && below(3) == 0) pod.deleting(fmt::format("2026-03-02T12:00:{:02}Z", below(60)));
    documents_.push_back(set < 3 ? owned(pod.yaml(), "ReplicaSet", fmt::format("w{}", set)) : pod.yaml());
    return cpus;
  }

  void add_pending(std::size_t number, std::size_t nodes) {
    const std::string name = fmt::format("p{}", number);
    test::PodBuilder pod = a_pod("d/" + name);
    const std::size_t cpus = 1 + below(4);
    cpus_.emplace(name, cpus);
    pod.priority(static_cast<int>(below(12))).cpu(std::to_string(cpus));
    if (below(4) == 0) pod.nominated(fmt::format("n{}", below(nodes)));
    if (below(5) == 0) pod.never_preempts();
    documents_.push_back(pod.yaml());
    if (below(2) == 0) arrivals_.emplace_back(name, static_cast<Time>(below(40'000)) * kMillisecond);
  }

  [[nodiscard]] auto cluster_of(bool repelling) const -> std::unique_ptr<TestCluster> {
    std::vector<std::string> documents = documents_;
    documents.push_back(a_node("other", "1"));
    test::PodBuilder pod = a_pod("d/other");
    pod.on("other").priority(99).started("2026-03-02T10:00:00Z");
    if (repelling) {
      pod.spec(
          "affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{labelSelector: "
          "{matchLabels: {none: here}}, topologyKey: kubernetes.io/hostname}]}}");
    }
    documents.push_back(pod.yaml());
    return a_cluster(documents);
  }

  std::mt19937 random_;
  std::vector<std::string> documents_;
  std::vector<std::pair<std::string, Time>> arrivals_;
  std::map<std::string, std::int64_t> cpus_;
  std::vector<Failure> failures_;
  int release_ = 35;
  Time latency_ = 0;
  bool in_cycle_ = false;
};

// Checks the decisions of a simulation against a plain formulation of the scheduler's, for pods that only request CPUs.
// Source: pkg/scheduler/schedule_one.go; backend/queue/nominator.go addNominatedPodUnlocked;
// framework/runtime/framework.go RunFilterPluginsWithNominatedPods; plugins/defaultpreemption SelectVictimsOnNode;
// framework/preemption/preemption.go pickOneNodeForPreemption; v1.35.
class DecisionCheck {
 public:
  DecisionCheck(const RandomTimeline& timeline, const TestCluster& cluster, const SimulationResult& play)
      : timeline_(timeline), cluster_(*cluster.snapshot), play_(play) {
    for (const PodId pod : cluster_.pods().ids()) {
      if (const NodeId node = cluster_.node_of(pod)) on_[pod] = node;
      if (cluster_.pod(pod).meta.deleting) terminating_.insert(pod);
      if (const NodeId node = cluster_.find_node(cluster_.pod(pod).status.nominated_node_name))
        in_api_[pod] = nominated_[pod] = node;
    }
    for (const NodeId node : cluster_.nodes().ids()) {
      if (cluster_.name(node) != "other") nodes_.push_back(node);
    }
  }

  void run() {
    constexpr Time kCycle = 2 * kMillisecond;
    std::size_t applied = 0;
    Time last = -kCycle;
    for (const Step& step : play_.steps) {
      const bool decides = step.what == EventKind::takes || step.what == EventKind::preempts ||
                           step.what == EventKind::fails || step.what == EventKind::waits;
      // A preemption within its cycle that fails is reported at the end of the cycle.
      if (!decides || failed_in_cycle(step)) continue;
      INFO(step.at << " " << what_name(step.what) << " " << play_.key(step.pod, cluster_));
      CHECK(step.at - last >= kCycle);
      last = step.at;
      // The cycle began with what had happened until then.
      for (; play_.steps[applied].at <= step.at - kCycle; ++applied) apply(play_.steps[applied]);
      check(step);
    }
  }

 private:
  using Pods = std::vector<PodId>;

  [[nodiscard]] static auto failed_in_cycle(const Step& step) -> bool {
    return step.why.starts_with("a call of its preemption failed");
  }
  [[nodiscard]] auto pod(PodId id) const -> const Pod& { return play_.root(id, cluster_); }
  [[nodiscard]] auto may_preempt(PodId id) const -> bool {
    return cluster_.text(pod(id).spec.preemption_policy) != "Never";
  }
  [[nodiscard]] auto priority(PodId id) const -> std::int32_t { return pod(id).spec.priority; }
  [[nodiscard]] auto cpus(PodId id) const -> std::int64_t {
    return timeline_.cpus_of(std::string(cluster_.text(pod(id).meta.name)));
  }
  [[nodiscard]] auto cpus(NodeId node) const -> std::int64_t {
    return timeline_.cpus_of(std::string(cluster_.name(node)));
  }
  [[nodiscard]] auto start(PodId id) const -> Time {
    const auto began = began_.find(id);
    if (began != began_.end()) return began->second;
    return since(parse_instant("2026-03-02T12:00:00Z").value(), pod(id).status.start_time.value_or(Instant{}));
  }

  void apply(const Step& step) {
    switch (step.what) {
      case EventKind::takes:
        on_[step.pod] = step.node;
        began_[step.pod] = step.at / kSecond * kSecond;
        nominated_.erase(step.pod);
        in_api_.erase(step.pod);
        break;
      case EventKind::gone:
      case EventKind::finished: on_.erase(step.pod); break;
      case EventKind::deleting: terminating_.insert(step.pod); break;
      case EventKind::preempts:
      case EventKind::nominated:
        if (on_.contains(step.pod)) break;
        nominated_[step.pod] = step.node;
        if (step.what == EventKind::nominated) in_api_[step.pod] = step.node;
        break;
      case EventKind::cleared:
        nominated_.erase(step.pod);
        in_api_.erase(step.pod);
        break;
      case EventKind::fails:
      case EventKind::waits:
        // The scheduler forgets the nomination of a pod that no preemption helps. Otherwise, that of the status counts
        // again: for a pod that is not eligible, and after a preemption within its cycle has failed.
        nominated_.erase(step.pod);
        if (step.what == EventKind::fails && may_preempt(step.pod) && !failed_in_cycle(step)) break;
        if (const auto known = in_api_.find(step.pod); known != in_api_.end()) nominated_.insert(*known);
        break;
      default: break;
    }
  }

  // What is free for a pod on the node: pods that are nominated there count unless their priority is lower.
  [[nodiscard]] auto free_for(PodId incoming, NodeId node) const -> std::int64_t {
    std::int64_t free = cpus(node);
    for (const auto& [other, at] : on_) free -= at == node ? cpus(other) : 0;
    for (const auto& [other, at] : nominated_) {
      if (at == node && other != incoming && priority(other) >= priority(incoming)) free -= cpus(other);
    }
    return free;
  }
  [[nodiscard]] auto fits(PodId incoming, NodeId node) const -> bool {
    return free_for(incoming, node) >= cpus(incoming);
  }

  // The most important first; empty: preemption does not help there.
  [[nodiscard]] auto victims_on(PodId incoming, NodeId node) const -> Pods {
    Pods potential;
    for (const auto& [other, at] : on_) {
      if (at == node && priority(other) < priority(incoming)) potential.push_back(other);
    }
    std::sort(potential.begin(), potential.end(), [&](PodId a, PodId b) {
      return std::tuple(-std::int64_t{priority(a)}, start(a), a) < std::tuple(-std::int64_t{priority(b)}, start(b), b);
    });
    std::int64_t left = free_for(incoming, node) - cpus(incoming);
    for (const PodId other : potential) left += cpus(other);
    if (left < 0) return {};
    Pods victims;
    for (const PodId other : potential) {
      if (cpus(other) <= left) {
        left -= cpus(other);
      } else {
        victims.push_back(other);
      }
    }
    return victims;
  }

  [[nodiscard]] auto rank(const Pods& victims) const {
    const std::int32_t highest = priority(victims.front());
    std::int64_t sum = 0;
    Time earliest = kNever;
    for (const PodId each : victims) {
      sum += priority(each) + (std::int64_t{1} << 31);
      if (priority(each) == highest) earliest = std::min(earliest, start(each));
    }
    return std::tuple(highest, sum, victims.size(), -earliest);
  }

  [[nodiscard]] auto candidates(PodId incoming) const -> std::map<NodeId, Pods> {
    std::map<NodeId, Pods> all;
    for (const NodeId node : nodes_) {
      if (Pods victims = victims_on(incoming, node); !victims.empty()) all.emplace(node, std::move(victims));
    }
    return all;
  }

  void check(const Step& step) const {
    const auto own = in_api_.find(step.pod);  // the status is what counts for the pod itself
    if (step.what == EventKind::takes) {
      CHECK(fits(step.pod, step.node));
      if (own != in_api_.end() && fits(step.pod, own->second)) CHECK(step.node == own->second);
      return;
    }
    for (const NodeId node : nodes_) CHECK_FALSE(fits(step.pod, node));
    if (step.what == EventKind::waits) {
      REQUIRE(own != in_api_.end());
      CHECK(std::any_of(on_.begin(), on_.end(), [&](const auto& each) {
        return each.second == own->second && terminating_.contains(each.first) &&
               priority(each.first) < priority(step.pod);
      }));
      return;
    }
    const std::map<NodeId, Pods> all = candidates(step.pod);
    if (step.what == EventKind::fails) {
      if (may_preempt(step.pod)) CHECK(all.empty());
      return;
    }
    const auto chosen = all.find(step.node);
    REQUIRE(chosen != all.end());
    for (const auto& [node, victims] : all) CHECK_FALSE(rank(victims) < rank(chosen->second));
    CHECK(rank(step.victims) == rank(chosen->second));
    check_reason(step, static_cast<std::size_t>(std::count_if(all.begin(), all.end(), [&](const auto& each) {
                   return rank(each.second) == rank(chosen->second);
                 })));
  }

  // The other nodes that are equal, and the victims that are terminating already.
  void check_reason(const Step& step, std::size_t equal) const {
    const auto says = [&](const std::string& words) { return step.why.find(words) != std::string::npos; };
    INFO(step.why);
    CHECK(says("equal to") == (equal > 1));
    if (equal > 1) CHECK(says(fmt::format("equal to {} other node{}", equal - 1, equal > 2 ? "s" : "")));
    CHECK_FALSE(says("sample"));
    const auto terminating = static_cast<std::size_t>(std::count_if(
        step.victims.begin(), step.victims.end(), [&](PodId victim) { return terminating_.contains(victim); }));
    CHECK(says("all victims are already terminating") == (terminating == step.victims.size()));
    if (terminating < step.victims.size()) {
      CHECK(says("already terminating") == (terminating > 0));
      if (terminating > 0) CHECK(says(fmt::format("{} already terminating", terminating)));
    }
  }

  const RandomTimeline& timeline_;
  const Snapshot& cluster_;
  const SimulationResult& play_;
  std::vector<NodeId> nodes_;
  std::map<PodId, NodeId> on_;
  std::map<PodId, NodeId> nominated_;  // in the memory of the scheduler
  std::map<PodId, NodeId> in_api_;     // in the status of the pods
  std::map<PodId, Time> began_;
  std::set<PodId> terminating_;
};

}  // namespace

// An attempt is left out if it would find the same as an earlier one. A pod that repels others makes this uncertain, so
// that each attempt is made; here it repels none, so that the results are the same.
TEST_CASE("random timelines: attempts that are left out would find the same", "[sequence]") {
  for (std::uint32_t seed = 0; seed < 1000; ++seed) {
    const RandomTimeline timeline(seed);
    INFO(seed);
    CHECK(timeline.text(false) == timeline.text(true));
  }
}

TEST_CASE("random timelines: each decision is that of a plain formulation", "[sequence]") {
  for (std::uint32_t seed = 0; seed < 1500; ++seed) {
    const RandomTimeline timeline(seed);
    INFO(seed);
    for (const bool fail : {false, true}) {
      const auto [cluster, play] = timeline.run(false, fail);
      DecisionCheck(timeline, *cluster, play).run();
    }
  }
}

// Without failures, each victim is deleted, and leaves at the end of its grace period of 30 s, which is counted in
// whole seconds; a binding is answered after one call.
TEST_CASE("random timelines: what follows a decision", "[sequence]") {
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    const RandomTimeline timeline(seed);
    INFO(seed);
    const auto [cluster, play] = timeline.run(false, false);
    const auto at = [&, &steps = play.steps](PodId pod, EventKind what) {
      const auto found = std::find_if(steps.begin(), steps.end(),
                                      [&](const Step& step) { return step.pod == pod && step.what == what; });
      return found == steps.end() ? kNever : found->at;
    };
    for (const Step& step : play.steps) {
      INFO(step.at << " " << what_name(step.what) << " " << play.key(step.pod, *cluster->snapshot));
      if (step.what == EventKind::takes) CHECK(at(step.pod, EventKind::bound) == step.at + timeline.latency());
      if (step.what == EventKind::deleting && at(step.pod, EventKind::finished) == kNever)
        CHECK(at(step.pod, EventKind::gone) == step.at / kSecond * kSecond + 30 * kSecond);
      for (const PodId victim : step.victims) {
        const bool terminating = victim.index < play.pods_before && cluster->snapshot->pod(victim).meta.deleting;
        if (!terminating) CHECK(at(victim, EventKind::deleting) != kNever);
      }
    }
  }
}

namespace {

// What the steps say of one pod of the input that was pending.
struct StepsOfPod {
  std::size_t tried = 0;  // steps that are results of attempts: repeated failures are no steps
  Time bound = kNever;
  Time finished = kNever;
  Time deleted = kNever;    // its deletion began
  Time preempted = kNever;  // it first chose victims
  NodeId node{};
  std::vector<PodId> victims{};  // whose deletion it caused
};

auto steps_of_pod(const SimulationResult& play, PodId pod) -> StepsOfPod {
  StepsOfPod all;
  for (const Step& step : play.steps) {
    if (step.what == EventKind::deleting && step.by == pod) all.victims.push_back(step.pod);
    if (step.pod != pod) continue;
    switch (step.what) {
      case EventKind::takes:
        all.node = step.node;
        ++all.tried;
        break;
      case EventKind::preempts:
        all.preempted = std::min(all.preempted, step.at);
        ++all.tried;
        break;
      case EventKind::fails:
      case EventKind::waits:
        // A preemption within its cycle that fails has two steps.
        if (!step.why.starts_with("a call of its preemption failed")) ++all.tried;
        break;
      case EventKind::bound: all.bound = step.at; break;
      case EventKind::finished: all.finished = step.at; break;
      case EventKind::deleting: all.deleted = step.at; break;
      default: break;
    }
  }
  return all;
}

}  // namespace

TEST_CASE("random timelines: the ends of pods and the metrics follow from the steps", "[sequence]") {
  for (std::uint32_t seed = 0; seed < 500; ++seed) {
    const RandomTimeline timeline(seed);
    INFO(seed);
    for (const bool fail : {false, true}) {
      INFO(fail);
      const auto [cluster, play] = timeline.run(false, fail);
      std::multiset<Time> times_to_bind;
      std::set<PodId> ended;
      std::size_t attempts = 0;
      for (const End& end : play.ends) {
        INFO(end.name << " " << end_name(end.kind) << " " << end.why);
        CHECK(ended.insert(end.pod).second);
        attempts += end.attempts;
        const StepsOfPod steps = steps_of_pod(play, end.pod);
        CHECK(end.name == play.key(end.pod, *cluster->snapshot));
        CHECK(end.victims == steps.victims);
        CHECK(end.deleted.size() == steps.victims.size());
        CHECK(end.attempts >= steps.tried);
        CHECK(end.after.empty() == (end.pod.index < play.pods_before));
        const bool was_bound =
            end.kind == End::Kind::bound || end.kind == End::Kind::evicted || end.kind == End::Kind::finished;
        CHECK(was_bound == (steps.bound != kNever));
        if (steps.bound == kNever) {
          if (end.kind == End::Kind::pending) CHECK(end.attempts == 0);
          continue;
        }
        CHECK(end.node == steps.node);
        const bool is_new = !end.after.empty();
        if (steps.finished != kNever) {
          CHECK(end.kind == End::Kind::finished);
        } else if (steps.deleted != kNever) {
          CHECK(end.kind == (is_new ? End::Kind::bound : End::Kind::evicted));
          CHECK(end.leaving == is_new);
        } else {
          CHECK(end.kind == End::Kind::bound);
          CHECK_FALSE(end.leaving);
          CHECK(end.why == (steps.victims.empty() ? "fits" : ""));
        }
        if (end.kind == End::Kind::bound) CHECK(end.at == steps.bound);
      }
      const auto count = [&](EventKind what) {
        return static_cast<std::size_t>(
            std::count_if(play.steps.begin(), play.steps.end(), [&](const Step& step) { return step.what == what; }));
      };
      Time first = kNever;
      Time last = 0;
      std::set<PodId> preemptors;
      std::map<PodId, Time> began;
      for (const Step& step : play.steps) {
        if (step.what == EventKind::preempts) {
          first = std::min(first, step.at);
          last = step.at;
          began.emplace(step.pod, step.at);
        }
        if (step.what == EventKind::bound && began.contains(step.pod)) times_to_bind.insert(step.at - began[step.pod]);
      }
      const Metrics& metrics = play.metrics;
      CHECK(metrics.scheduled == count(EventKind::takes));
      CHECK(metrics.preemptions == count(EventKind::preempts));
      CHECK(metrics.first_preemption == first);
      CHECK(metrics.last_preemption == last);
      CHECK(std::multiset<Time>(metrics.time_to_bind.begin(), metrics.time_to_bind.end()) == times_to_bind);
      CHECK(metrics.scheduled + metrics.unschedulable + metrics.error >= attempts);
      CHECK(metrics.ended() <= metrics.preemptions);
      if (!fail) CHECK(metrics.failed() == 0);
    }
  }
}

}  // namespace previct::sequence
