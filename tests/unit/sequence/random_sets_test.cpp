// What the controllers of random StatefulSets, ReplicaSets and Jobs do first, compared with plain formulations.
#include "sequence/controllers.h"
#include "support/cluster.h"
#include "support/owned.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace previct::sequence {
namespace {

using test::a_cluster;
using test::a_node;
using test::a_pod;
using test::owned;

// Noon is the start of the simulation.
auto before_noon(std::int64_t seconds) -> std::string {
  return fmt::format("2026-03-02T11:{:02}:{:02}Z", 59 - seconds / 60, (60 - seconds % 60) % 60);
}

// A StatefulSet `db` in namespace `d`, and its pods.
class RandomSet {
 public:
  enum class State : std::uint8_t { ready, unready, unassigned, terminating, ended };
  struct Member {
    State state = State::ready;
    bool outdated = false;
    std::int64_t ready_for = 0;  // seconds
  };
  // What the controller does: new pods by ordinal, with the time in seconds; deleted pods by ordinal.
  struct Actions {
    std::map<std::int64_t, std::int64_t> created{};
    std::vector<std::int64_t> deleted{};
    std::optional<std::int64_t> looks_again_at{};

    friend auto operator==(const Actions&, const Actions&) -> bool = default;
  };

  explicit RandomSet(std::uint32_t seed) : random_(seed) {
    first_ = below(3) == 0 ? 2 : 0;
    replicas_ = below(4);
    partition_ = below(3) == 0 ? below(3) : 0;
    parallel_ = below(2) == 0;
    on_delete_ = below(6) == 0;
    being_deleted_ = below(12) == 0;
    min_ready_ = below(2) == 0 ? 0 : 20;
    if (below(3) == 0) most_unavailable_ = 1 + below(2);
    for (std::int64_t ordinal = 0; ordinal < first_ + replicas_ + 2; ++ordinal) {
      const bool wanted = is_wanted(ordinal);
      if (below(wanted ? 8 : 2) == 0) continue;
      Member member;
      const std::int64_t drawn = below(wanted ? 12 : 6);
      member.state = drawn == 0   ? State::unready
                     : drawn == 1 ? State::unassigned
                     : drawn == 2 ? State::terminating
                     : drawn == 6 ? State::ended
                                  : State::ready;
      member.outdated = below(2) == 0;
      // No pod becomes available in the moment of the start.
      member.ready_for = below(3) == 0 ? 5 + below(10) : 30;
      members_.emplace(ordinal, member);
    }
  }

  // The API server keeps `maxUnavailable` only with the gate MaxUnavailableStatefulSet.
  [[nodiscard]] auto documents() const -> std::vector<std::string> {
    std::vector<std::string> all = {a_node("n1", "90")};
    for (const auto& [ordinal, member] : members_) {
      test::PodBuilder pod = a_pod(fmt::format("d/db-{}", ordinal));
      pod.labels(fmt::format("{{app: db, controller-revision-hash: {}}}", member.outdated ? "old" : "new"));
      pod.spec("terminationGracePeriodSeconds: 10").priority(1);
      if (member.state != State::unassigned) pod.on("n1");
      if (member.state == State::terminating) pod.deleting("2026-03-02T12:00:08Z");
      std::string text = owned(pod.yaml(), "StatefulSet", "db");
      if (member.state == State::ended) text.replace(text.find("phase: Running"), 14, "phase: Failed");
      const bool ready = member.state == State::ready || member.state == State::terminating;
      if (member.state != State::unassigned) {
        text += fmt::format("  conditions: [{{type: Ready, status: \"{}\", lastTransitionTime: \"{}\"}}]\n",
                            ready ? "True" : "False", before_noon(member.ready_for));
      }
      all.push_back(std::move(text));
    }
    const std::string most = most_unavailable_ ? fmt::format(", maxUnavailable: {}", *most_unavailable_) : "";
    const std::string strategy =
        on_delete_ ? "{type: OnDelete}"
                   : fmt::format("{{type: RollingUpdate, rollingUpdate: {{partition: {}{}}}}}", partition_, most);
    all.push_back(fmt::format(
        "apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {{namespace: d, name: db, uid: u-db{}}}\n"
        "spec: {{replicas: {}, ordinals: {{start: {}}}, podManagementPolicy: {}, minReadySeconds: {}, updateStrategy: "
        "{}, template: {{metadata: {{labels: {{app: db}}}}, spec: {{containers: [{{name: main}}]}}}}}}\n"
        "status: {{replicas: {}, currentRevision: old, updateRevision: new}}\n",
        being_deleted_ ? ", deletionTimestamp: \"2026-03-02T11:59:00Z\"" : "", replicas_, first_,
        parallel_ ? "Parallel" : "OrderedReady", min_ready_, strategy, members_.size()));
    return all;
  }

  // Without any pod in the range, the input does not show what a new one is like.
  [[nodiscard]] auto shows_new_pods() const -> bool {
    return replicas_ == 0 ||
           std::any_of(members_.begin(), members_.end(), [&](const auto& each) { return is_wanted(each.first); });
  }

  // A plain formulation of what one synchronization does. Source: kubernetes v1.35.4
  // pkg/controller/statefulset/stateful_set_control.go updateStatefulSet, processReplica, processCondemned,
  // updateStatefulSetAfterInvariantEstablished.
  [[nodiscard]] auto expected() const -> Actions {
    Actions actions;
    if (being_deleted_) return actions;
    if (!create(actions)) return actions;
    if (!delete_condemned(actions)) return actions;
    if (!on_delete_) update(actions);
    return actions;
  }

  // Returns true if the set has pods to delete besides these, and no pod that terminates makes it look again anyway.
  [[nodiscard]] auto has_more_to_delete(const Actions& actions) const -> bool {
    const auto last =
        std::find_if(members_.rbegin(), members_.rend(), [&](const auto& each) { return !is_wanted(each.first); });
    if (!parallel_ && last != members_.rend()) return last->second.state != State::terminating;
    return std::any_of(members_.begin(), members_.end(), [&](const auto& each) {
      const auto& [ordinal, member] = each;
      const bool deleted = std::find(actions.deleted.begin(), actions.deleted.end(), ordinal) != actions.deleted.end();
      return is_wanted(ordinal) && !on_delete_ && member.outdated && member.state != State::ended &&
             ordinal >= first_ + partition_ && !deleted;
    });
  }

  [[nodiscard]] auto actual() const -> Actions {
    const auto cluster = a_cluster(documents());
    const ControllerObjects objects = controller_objects_of(cluster->objects);
    Controllers controllers(*cluster->snapshot, objects, parse_instant("2026-03-02T12:00:00Z").value(), 35);
    const Controllers::Reaction reaction = controllers.start();
    const auto ordinal = [&](PodId pod) {
      return previct::ordinal_of(cluster->snapshot->text(cluster->snapshot->pod(pod).meta.name));
    };
    Actions actions;
    for (const auto& each : reaction.created)
      actions.created.emplace(each.ordinal.value_or(ordinal(each.like)), each.at / kSecond);
    for (const auto& each : reaction.deleted) {
      CHECK(each.at == 0);
      actions.deleted.push_back(ordinal(each.pod));
    }
    for (const auto& each : reaction.checks) {
      CHECK_FALSE(actions.looks_again_at);
      actions.looks_again_at = each.at / kSecond;
    }
    return actions;
  }

 private:
  auto below(std::int64_t n) -> std::int64_t {
    return static_cast<std::int64_t>(random_() % static_cast<std::size_t>(n));
  }

  [[nodiscard]] auto is_wanted(std::int64_t ordinal) const -> bool {
    return ordinal >= first_ && ordinal < first_ + replicas_;
  }
  [[nodiscard]] auto find(std::int64_t ordinal) const -> const Member* {
    const auto found = members_.find(ordinal);
    return found == members_.end() || found->second.state == State::ended ? nullptr : &found->second;
  }
  [[nodiscard]] auto available_in(const Member& member) const -> std::int64_t {
    return std::max<std::int64_t>(0, min_ready_ - member.ready_for);
  }
  [[nodiscard]] auto is_available(const Member* member) const -> bool {
    return member != nullptr && member->state == State::ready && available_in(*member) == 0;
  }

  // Returns false if the synchronization ends here. A pod that has ended is deleted and created again.
  auto create(Actions& actions) const -> bool {
    std::int64_t wait = 0;
    for (std::int64_t ordinal = first_; ordinal < first_ + replicas_; ++ordinal) {
      const Member* const member = find(ordinal);
      if (member == nullptr) {
        actions.created.emplace(ordinal, wait);
        if (!parallel_) return false;
      } else if (!parallel_) {
        if (member->state != State::ready) return false;
        wait = std::max(wait, available_in(*member));
      }
    }
    if (wait == 0) return true;
    look_again(actions);
    return false;
  }

  // An ordered set continues when its pods have been ready for minReadySeconds; it looks when the first of them has.
  void look_again(Actions& actions) const {
    for (const auto& [ordinal, member] : members_) {
      if (!is_wanted(ordinal) || member.state != State::ready || available_in(member) == 0) continue;
      actions.looks_again_at = std::min(actions.looks_again_at.value_or(min_ready_), available_in(member));
    }
  }

  void look_again_at_condemned(Actions& actions) const {
    for (const auto& [ordinal, member] : members_) {
      if (is_wanted(ordinal) || member.state != State::ready || available_in(member) == 0) continue;
      actions.looks_again_at = std::min(actions.looks_again_at.value_or(min_ready_), available_in(member));
    }
  }

  auto delete_condemned(Actions& actions) const -> bool {
    bool goes_on = true;
    for (auto at = members_.rbegin(); at != members_.rend(); ++at) {
      const auto& [ordinal, member] = *at;
      if (is_wanted(ordinal)) continue;
      if (parallel_) {
        if (member.state != State::terminating) actions.deleted.push_back(ordinal);
        continue;
      }
      if (!goes_on) continue;
      goes_on = false;
      if (member.state == State::terminating) continue;
      // Only the unavailable pod with the lowest ordinal may be deleted.
      const std::int64_t own = ordinal;
      const bool is_first = std::none_of(members_.begin(), members_.end(), [&](const auto& each) {
        return !is_wanted(each.first) && each.first != own && !is_available(&each.second);
      });
      if (is_available(&member) || is_first) {
        actions.deleted.push_back(ordinal);
      } else {
        look_again_at_condemned(actions);
      }
    }
    return goes_on;
  }

  void update(Actions& actions) const {
    std::int64_t allowed = 1;
    if (most_unavailable_) {
      allowed = *most_unavailable_;
      for (std::int64_t ordinal = first_; ordinal < first_ + replicas_; ++ordinal)
        allowed -= is_available(find(ordinal)) ? 0 : 1;
    }
    for (std::int64_t ordinal = first_ + replicas_ - 1; ordinal >= first_ + partition_ && allowed > 0; --ordinal) {
      const Member* const member = find(ordinal);
      const bool outdated = member != nullptr && member->outdated && member->state != State::terminating;
      if (outdated) {
        actions.deleted.push_back(ordinal);
        --allowed;
      } else if (!most_unavailable_ && !is_available(member)) {
        if (member != nullptr && member->state == State::ready) actions.looks_again_at = available_in(*member);
        return;
      }
    }
    if (most_unavailable_ && allowed <= 0) look_again(actions);
  }

  std::mt19937 random_;
  std::int64_t first_ = 0;
  std::int64_t replicas_ = 0;
  std::int64_t partition_ = 0;
  std::int64_t min_ready_ = 0;
  std::optional<std::int64_t> most_unavailable_;
  bool parallel_ = false;
  bool on_delete_ = false;
  bool being_deleted_ = false;
  std::map<std::int64_t, Member> members_;
};

auto words(const RandomSet::Actions& actions) -> std::string {
  std::vector<std::string> created;
  for (const auto& [ordinal, at] : actions.created) created.push_back(fmt::format("{} at {}", ordinal, at));
  return fmt::format("creates {}; deletes {}; looks again at {}", fmt::join(created, ", "),
                     fmt::join(actions.deleted, ", "), actions.looks_again_at.value_or(-1));
}

}  // namespace

TEST_CASE("random sets: what a StatefulSet does first is that of a plain formulation", "[sequence][controllers]") {
  for (std::uint32_t seed = 0; seed < 4000; ++seed) {
    const RandomSet set(seed);
    if (!set.shows_new_pods()) continue;
    INFO(seed);
    INFO(fmt::format("{}", fmt::join(set.documents(), "---\n")));
    RandomSet::Actions expected = set.expected();
    RandomSet::Actions actual = set.actual();
    // When it looks at its pods again does not matter if it finds nothing to do.
    if (!expected.looks_again_at || !set.has_more_to_delete(expected))
      expected.looks_again_at = actual.looks_again_at = {};
    CHECK(words(actual) == words(expected));
  }
}

namespace {

// Pods of a ReplicaSet or Job.
class RandomPods {
 public:
  enum class State : std::uint8_t { running, unassigned, terminating, failed, succeeded };
  struct Member {
    State state = State::running;
    std::int64_t ended = 0;  // seconds before the start that it failed, or that its deletion began
  };

  RandomPods(std::mt19937& random, std::int64_t most, bool of_job) {
    const auto below = [&](std::size_t n) { return static_cast<std::int64_t>(random() % n); };
    const std::int64_t count = below(static_cast<std::size_t>(most) + 1);
    for (std::int64_t i = 0; i < count; ++i) {
      const std::int64_t drawn = below(10);
      Member member;
      member.state = drawn == 0             ? State::unassigned
                     : drawn <= 2           ? State::terminating
                     : drawn == 3           ? State::failed
                     : drawn == 4 && of_job ? State::succeeded
                                            : State::running;
      member.ended = 1 + below(28);
      members_.push_back(member);
    }
  }

  [[nodiscard]] auto documents(const std::string& kind, const std::string& owner) const -> std::vector<std::string> {
    std::vector<std::string> all = {a_node("n1", "90")};
    for (std::size_t i = 0; i < members_.size(); ++i) {
      const Member& member = members_[i];
      test::PodBuilder pod = a_pod(fmt::format("d/{}-{}", owner, i));
      pod.spec("terminationGracePeriodSeconds: 30").priority(1).labels("{app: web}");
      if (member.state != State::unassigned) pod.on("n1");
      // The end of a grace period of 30 s.
      if (member.state == State::terminating) pod.deleting(fmt::format("2026-03-02T12:00:{:02}Z", 30 - member.ended));
      std::string text = owned(pod.yaml(), kind, owner);
      const std::string phase = member.state == State::failed ? "Failed" : "Succeeded";
      if (member.state == State::failed || member.state == State::succeeded)
        text.replace(text.find("phase: Running"), 14, "phase: " + phase);
      if (member.state == State::terminating) {
        text += "  conditions: [{type: DisruptionTarget, status: \"True\"}]\n";
      } else if (member.state == State::failed) {
        text += fmt::format("  conditions: [{{type: Ready, status: \"False\", lastTransitionTime: \"{}\"}}]\n",
                            before_noon(member.ended));
      }
      all.push_back(std::move(text));
    }
    return all;
  }

  [[nodiscard]] auto count(State state) const -> std::int64_t {
    return std::count_if(members_.begin(), members_.end(), [&](const Member& each) { return each.state == state; });
  }
  [[nodiscard]] auto active() const -> std::int64_t { return count(State::running) + count(State::unassigned); }
  [[nodiscard]] auto size() const -> std::int64_t { return static_cast<std::int64_t>(members_.size()); }
  [[nodiscard]] auto members() const -> const std::vector<Member>& { return members_; }

 private:
  std::vector<Member> members_;
};

struct FirstActions {
  std::vector<Time> created{};
  std::vector<bool> deleted{};  // of each pod: it is on a node
  std::vector<GapRule> gaps{};
};

auto first_actions(const std::vector<std::string>& documents) -> FirstActions {
  const auto cluster = a_cluster(documents);
  const ControllerObjects objects = controller_objects_of(cluster->objects);
  Controllers controllers(*cluster->snapshot, objects, parse_instant("2026-03-02T12:00:00Z").value(), 35);
  const Controllers::Reaction reaction = controllers.start();
  FirstActions actions;
  for (const auto& each : reaction.created) actions.created.push_back(each.at);
  for (const auto& each : reaction.deleted) {
    CHECK_FALSE(cluster->snapshot->pod(each.pod).meta.deleting);
    CHECK_FALSE(cluster->snapshot->finished(each.pod));
    actions.deleted.push_back(bool{cluster->snapshot->node_of(each.pod)});
  }
  for (const Gap& gap : controllers.gaps()) actions.gaps.push_back(gap.rule);
  return actions;
}

auto has(const std::vector<GapRule>& gaps, GapRule rule) -> bool {
  return std::find(gaps.begin(), gaps.end(), rule) != gaps.end();
}

// Of the pods that are deleted, those without a node are the first.
void check_deleted(const std::vector<bool>& deleted, std::int64_t count, std::int64_t unassigned) {
  CHECK(static_cast<std::int64_t>(deleted.size()) == count);
  CHECK(std::count(deleted.begin(), deleted.end(), false) == std::min(count, unassigned));
}

}  // namespace

// Source: kubernetes v1.35 pkg/controller/replicaset/replica_set.go manageReplicas; controller_utils.go IsPodActive.
TEST_CASE("random sets: what a ReplicaSet does first is that of a plain formulation", "[sequence][controllers]") {
  for (std::uint32_t seed = 0; seed < 3000; ++seed) {
    std::mt19937 random(seed);
    const auto below = [&](std::size_t n) { return static_cast<std::int64_t>(random() % n); };
    const bool controller = below(4) == 0;
    const RandomPods pods(random, 5, false);
    const std::int64_t replicas = below(6);
    const bool being_deleted = below(8) == 0;
    const std::int64_t counted = below(3) == 0 ? below(7) : pods.size();
    std::vector<std::string> documents = pods.documents(controller ? "ReplicationController" : "ReplicaSet", "web");
    documents.push_back(
        fmt::format("apiVersion: {}\nkind: {}\nmetadata: {{namespace: d, name: web, uid: u-web{}}}\n"
                    "spec: {{replicas: {}}}\nstatus: {{replicas: {}}}\n",
                    controller ? "v1" : "apps/v1", controller ? "ReplicationController" : "ReplicaSet",
                    being_deleted ? ", deletionTimestamp: \"2026-03-02T11:59:00Z\"" : "", replicas, counted));
    INFO(seed);
    INFO(fmt::format("{}", fmt::join(documents, "---\n")));
    const FirstActions actions = first_actions(documents);
    const std::int64_t elsewhere = std::max<std::int64_t>(0, counted - pods.size());
    const std::int64_t surplus = pods.active() + elsewhere - replicas;
    const bool deletes = !being_deleted && surplus > 0 && pods.active() > 0;
    // Which of its pods it deletes depends on the others, which the input lacks.
    const bool known = elsewhere == 0 || replicas == 0;
    CHECK(has(actions.gaps, GapRule::surplus_pods) == (deletes && !known));
    check_deleted(actions.deleted, deletes && known ? std::min(surplus, pods.active()) : 0,
                  pods.count(RandomPods::State::unassigned));
    // The status must show that the set has been seen by its controller, and a pod what new ones are like.
    const bool creates =
        !being_deleted && elsewhere == 0 && surplus < 0 && pods.size() > 0 && (counted > 0 || pods.active() == 0);
    CHECK(actions.created == std::vector<Time>(creates ? static_cast<std::size_t>(-surplus) : 0, 0));
  }
}

// Source: kubernetes v1.35 pkg/controller/job/job_controller.go manageJob, backoff_utils.go.
TEST_CASE("random sets: what a Job does first is that of a plain formulation", "[sequence][controllers]") {
  using State = RandomPods::State;
  for (std::uint32_t seed = 0; seed < 4000; ++seed) {
    std::mt19937 random(seed);
    const auto below = [&](std::size_t n) { return static_cast<std::int64_t>(random() % n); };
    const RandomPods pods(random, 5, true);
    const std::int64_t parallelism = below(5);
    const bool counts_completions = below(3) != 0;
    const std::int64_t completions = 1 + below(6);
    const bool suspended = below(6) == 0;
    const bool replaces_failed = below(3) == 0;
    const bool begun = below(8) != 0;
    const std::int64_t succeeded_in_status = below(3);
    const std::int64_t failed_in_status = below(3);
    std::vector<std::string> documents = pods.documents("Job", "j");
    documents.push_back(
        fmt::format("apiVersion: batch/v1\nkind: Job\nmetadata: {{namespace: d, name: j, uid: u-j}}\n"
                    "spec: {{parallelism: {}, backoffLimit: 90, suspend: {}, podReplacementPolicy: {}{}}}\n"
                    "status: {{succeeded: {}, failed: {}{}}}\n",
                    parallelism, suspended, replaces_failed ? "Failed" : "TerminatingOrFailed",
                    counts_completions ? fmt::format(", completions: {}", completions) : "", succeeded_in_status,
                    failed_in_status, begun ? ", startTime: \"2026-03-02T11:00:00Z\"" : ""));
    INFO(seed);
    INFO(fmt::format("{}", fmt::join(documents, "---\n")));
    const FirstActions actions = first_actions(documents);

    const std::int64_t succeeded = std::max(succeeded_in_status, pods.count(State::succeeded));
    // Without completions, the first pod that succeeds ends the work: no other one is created, and none is deleted.
    const std::int64_t wanted = counts_completions ? std::min(parallelism, completions - succeeded)
                                : succeeded > 0    ? 0
                                                   : parallelism;
    const bool leaves_the_others = !counts_completions && succeeded > 0;
    std::int64_t surplus = 0;
    if (suspended) {
      surplus = pods.active();
    } else if (begun && !leaves_the_others) {
      surplus = std::clamp<std::int64_t>(pods.active() - std::max<std::int64_t>(0, wanted), 0, pods.active());
    }
    check_deleted(actions.deleted, surplus, pods.count(State::unassigned));

    const std::int64_t terminating = pods.count(State::terminating);
    const std::int64_t missing = wanted - pods.active() - (replaces_failed ? terminating : 0);
    const bool creates = begun && !suspended && missing > 0 && pods.size() > 0;
    std::int64_t failures = pods.count(State::failed) + (replaces_failed ? 0 : terminating);
    std::int64_t last = 90;
    for (const RandomPods::Member& each : pods.members()) {
      const bool counts = each.state == State::failed || (each.state == State::terminating && !replaces_failed);
      if (counts) last = std::min(last, each.ended);
    }
    failures = std::max(failures, failed_in_status);
    // Without a failed pod, the input does not show when the last one failed.
    CHECK(has(actions.gaps, GapRule::job_back_off_missing) == (creates && failures > 0 && last == 90));
    const Time wait = failures > 0 && last != 90 ? std::max<Time>(0, (10 << (failures - 1)) - last) * kSecond : 0;
    CHECK(actions.created == std::vector<Time>(creates ? static_cast<std::size_t>(missing) : 0, wait));
  }
}

}  // namespace previct::sequence
