#include "sequence/cycle_simulation.h"

#include "base/text.h"
#include "sequence/loop_detector.h"
#include "sequence/stale_gangs.h"
#include "sequence/world.h"
#include "tell/budgets.h"
#include "tell/tell.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace previct::sequence {
namespace {

constexpr Time kCycle = kSecond;  // KAI's schedule period; YuniKorn looks more often, and finds the same

class CycleSimulation final : WorldObserver {
 public:
  CycleSimulation(Objects& objects, const Engine& engine, const Settings& settings)
      : objects_(objects),
        engine_(engine),
        settings_(settings),
        at_once_(engine.sees_own_decisions_in_cycle()),
        world_(objects, settings, kube::Release(kube::NodeInfoSnapshot::kBuiltIn), {}, *this),
        cluster_(world_.cluster()),
        result_(world_.result()),
        longest_protection_(engine.longest_protection(cluster_.cluster()).nanos) {}

  auto run() -> Result<Sequence> {
    open();
    for (Time cycle_at = 0;;) {
      while (world_.next_event() <= cycle_at) world_.advance();
      world_.advance_to(cycle_at);
      if (has_recurred()) break;
      PREVICT_CHECK(cycle());
      const Time next = next_cycle();
      if (next == kNever) break;
      result_.too_much = result_.work >= settings_.most_work;
      result_.cut = result_.too_much || next >= settings_.horizon;
      if (result_.cut) break;
      cycle_at = next;
    }
    return finish();
  }

 private:
  /// A pod that waits for a node, or has waited.
  struct Waiting {
    PodId pod{};
    bool exists = true;
    std::set<PodId> victims{};  ///< that have not left yet
    std::vector<PodId> deleted{};
    std::size_t attempts = 0;
    Outcome outcome = Outcome::pending;
    bool not_covered = false;  ///< the rules in use say nothing about the pod
    std::string sentence{};
    std::optional<Gap> unknown{};  ///< what the decision depends on
    Cause cause{};
    std::string answered_node{};
    NodeId node{};
    Time since = 0;
    Instant next_change = Instant::never();
    std::optional<End::Kind> ended{};

    [[nodiscard]] auto is_waiting() const -> bool { return exists && !ended && outcome != Outcome::scheduled; }
  };

  // ---- what the World reports

  void pod_created(PodId created) override {
    Waiting waiting;
    waiting.pod = created;
    waiting.since = world_.now();
    cluster_.make_volume_claims(created);
    const auto place = std::find_if(pods_.begin(), pods_.end(), [&](const Waiting& other) {
      return cluster_.pod(other.pod).spec.priority < cluster_.pod(created).spec.priority;
    });
    pods_.insert(place, std::move(waiting));
  }
  void pod_added(PodId pod) override {
    for (Waiting& waiting : pods_) waiting.exists = waiting.exists || waiting.pod == pod;
  }
  void pod_leaves(PodId /*pod*/) override {}
  void pod_left(PodId pod) override {
    cluster_.drop_volume_claims(pod);
    for (Waiting& waiting : pods_) waiting.victims.erase(pod);
  }
  void deletion_began(PodId /*pod*/) override {}
  void delete_pending(PodId pod) override {
    cluster_.drop_volume_claims(pod);
    cluster_.hide(pod);
  }
  void pod_ended(PodId pod, End::Kind how, const std::string& /*why*/) override {
    for (Waiting& waiting : pods_) {
      if (waiting.pod != pod) continue;
      waiting.ended = how;
      waiting.since = world_.now();
    }
    std::erase_if(reservations_, [&](const Reservation& each) { return each.pod == pod; });
  }
  void changed() override { has_changed_ = true; }
  void handle(std::uint8_t /*kind*/, std::uint32_t /*subject*/) override {}

  // ---- the start

  void open() {
    for (const PodId pod : settings_.pods) {
      Waiting waiting;
      waiting.pod = pod;
      waiting.exists = std::none_of(settings_.arrivals.begin(), settings_.arrivals.end(),
                                    [&](const Arrival& arrival) { return arrival.pod == pod; });
      pods_.push_back(std::move(waiting));
    }
    world_.open();
    for (const PodId pod : cluster_.cluster().pods().ids()) {
      const auto began = cluster_.node_of(pod) ? world_.began_at(pod) : std::nullopt;
      if (!began || *began + longest_protection_ <= 0) continue;
      world_.expect({.at = *began + longest_protection_, .what = KnownChange::What::protection_ends, .pod = pod});
    }
    if (!at_once_) hide_others();
    std::stable_sort(pods_.begin(), pods_.end(), [&](const Waiting& a, const Waiting& b) {
      return cluster_.pod(a.pod).spec.priority > cluster_.pod(b.pod).spec.priority;
    });
  }

  // One cycle decides for all groups that wait: those that are not part of the simulation do not exist in it. Pods that
  // are on their way to a node do not wait.
  void hide_others() {
    const Snapshot& cluster = cluster_.cluster();
    std::set<PodId> asked;
    std::set<std::pair<Symbol, std::string_view>> groups;
    for (const Waiting& waiting : pods_) {
      asked.insert(waiting.pod);
      if (const std::string_view group = engine_.group_of(cluster, waiting.pod); !group.empty())
        groups.emplace(cluster_.pod(waiting.pod).meta.ns, group);
    }
    for (const PodId pod : cluster.pods().ids()) {
      const bool with_asked =
          asked.contains(pod) || groups.contains({cluster_.pod(pod).meta.ns, engine_.group_of(cluster, pod)});
      if (cluster.pending(pod) && !with_asked && !engine_.is_being_bound(cluster, pod)) cluster_.hide(pod);
    }
  }

  // ---- states that recur

  // Has the cluster come back to an earlier state? From there on everything happens again.
  auto has_recurred() -> bool {
    const bool arrivals_done = std::all_of(settings_.arrivals.begin(), settings_.arrivals.end(),
                                           [&](const Arrival& arrival) { return arrival.at <= world_.now(); });
    if (std::exchange(has_changed_, false) && world_.may_recur() && arrivals_done)
      result_.circle = loop_detector_.see(state(), world_.now(), result_.runs.size());
    return result_.circle.has_value();
  }

  [[nodiscard]] auto state() const -> std::string {
    const Time now = world_.now();
    std::string text = world_.state();
    for (const NodeId node : cluster_.moved()) {
      text += fmt::format("@{}", node.index);
      for (const PodId id : cluster_.pods_on(node)) {
        const Pod& pod = cluster_.pod(id);
        const auto began = world_.began_at(id);
        const Time end = world_.finishes_at(id);
        text += fmt::format(" {}:{}:{}:{}", world_.identity(id),
                            pod.meta.deleting ? std::max<Time>(0, world_.since_start(*pod.meta.deleting) - now) : -1,
                            std::min(began ? now - *began : kNever, longest_protection_),
                            end == kNever || pod.meta.deleting ? -1 : end - now);
      }
      text += '\n';
    }
    for (const Waiting& waiting : pods_) {
      if (!waiting.is_waiting()) continue;
      const auto& created = cluster_.pod(waiting.pod).meta.created;
      const Time age = created ? now - world_.since_start(*created) : kNever;
      text += fmt::format("?{} {} {} {}\n", world_.identity(waiting.pod), static_cast<int>(waiting.outcome),
                          waiting.victims.size(), std::min(age, kLongestWait));
    }
    for (const Reservation& each : reservations_)
      text += fmt::format("!{} {}\n", each.node.index, world_.identity(each.pod));
    return text;
  }

  // ---- a cycle

  auto cycle() -> Result<void> {
    std::vector<std::pair<Waiting*, Answer>> answers;
    auto snapshot = std::make_unique<Snapshot>(objects_);
    std::vector<Waiting*> untried;
    for (Waiting& waiting : pods_) {
      if (waiting.is_waiting() && !(at_once_ && !waiting.victims.empty())) untried.push_back(&waiting);
    }
    PREVICT_CHECK(put_in_order(untried, *snapshot));
    while (!untried.empty()) {
      Waiting& waiting = *untried.front();
      untried.erase(untried.begin());
      if (result_.work >= settings_.most_work) break;  // thousands of replicas may wait
      if (!waiting.is_waiting()) continue;
      PREVICT_TRY(Answer answer, explain(engine_, *snapshot, question_about(waiting, *snapshot)));
      constexpr std::uint64_t kDecision = 20;
      constexpr std::uint64_t kSimulated = 4;  // the unit of an engine's own count is a simulated placement
      constexpr std::uint64_t kInQueues = 4;   // an engine also puts each pod into its queues
      result_.work +=
          kDecision + kSimulated * answer.work + kInQueues * snapshot->pods().size() + snapshot->nodes().size();
      sequence_.engine = answer.engine;
      sequence_.behaves = answer.behaves;
      add_gaps(answer.gaps, sequence_.gaps);
      if (at_once_) {
        if (!act(waiting, answer)) continue;
        snapshot = std::make_unique<Snapshot>(objects_);
        PREVICT_CHECK(put_in_order(untried, *snapshot));
      } else {
        answers.emplace_back(&waiting, std::move(answer));
      }
    }
    for (auto& [waiting, answer] : answers) act(*waiting, answer);
    return {};
  }

  [[nodiscard]] auto question_about(const Waiting& waiting, const Snapshot& snapshot) const -> Question {
    Question question = settings_.question;
    const ObjectMeta& meta = cluster_.pod(waiting.pod).meta;
    question.ns = snapshot.text(meta.ns);
    question.name = snapshot.text(meta.name);
    question.now = world_.clock();
    question.brief = true;
    question.marked = marked();
    question.triggered = !waiting.deleted.empty();
    question.reservations = reservations_;
    return question;
  }

  // The scheduler tries pods for which a node is reserved first.
  auto put_in_order(std::vector<Waiting*>& untried, const Snapshot& snapshot) const -> Result<void> {
    if (untried.empty()) return {};
    std::vector<PodId> pods;
    for (const Waiting* each : untried) pods.push_back(each->pod);
    PREVICT_TRY(pods,
                engine_.in_order_of_attempts(snapshot, question_about(*untried.front(), snapshot), std::move(pods)));
    std::map<PodId, Waiting*> by_pod;
    for (Waiting* each : untried) by_pod.emplace(each->pod, each);
    for (std::size_t i = 0; i < pods.size(); ++i) untried[i] = by_pod.at(pods[i]);
    std::stable_partition(untried.begin(), untried.end(),
                          [&](const Waiting* waiting) { return has_reservation(waiting->pod); });
    return {};
  }
  [[nodiscard]] auto has_reservation(PodId pod) const -> bool {
    return std::any_of(reservations_.begin(), reservations_.end(),
                       [&](const Reservation& each) { return each.pod == pod; });
  }
  // A reservation stays as it is, unless its pod preempts on another node, or a pod requires the node.
  void reserve(const Reservation& reservation, Outcome outcome) {
    if (has_reservation(reservation.pod) && outcome != Outcome::preempts) return;
    std::erase_if(reservations_, [&](const Reservation& each) {
      return each.pod == reservation.pod || (reservation.required && !each.required && each.node == reservation.node);
    });
    reservations_.push_back(reservation);
  }

  // Victims that have not left yet: the scheduler knows that it has evicted them.
  [[nodiscard]] auto marked() const -> std::vector<PodId> {
    std::set<PodId> pods;
    for (const Waiting& waiting : pods_) pods.insert(waiting.victims.begin(), waiting.victims.end());
    return {pods.begin(), pods.end()};
  }

  // Returns true if the cluster has changed.
  auto act(Waiting& waiting, const Answer& answer) -> bool {
    ++waiting.attempts;
    waiting.next_change = answer.next_change;
    const bool same = waiting.attempts > 1 && waiting.outcome == answer.outcome && waiting.cause == answer.cause &&
                      waiting.answered_node == answer.node;
    if (!same) waiting.since = world_.now();
    waiting.outcome = answer.outcome;
    waiting.not_covered = answer.outcome == Outcome::not_eligible && answer.never_tried;
    waiting.sentence = answer.sentence;
    const Gap* const deciding = deciding_gap(answer.gaps);
    waiting.unknown = deciding == nullptr ? std::nullopt : std::optional(*deciding);
    waiting.cause = answer.cause;
    waiting.answered_node = answer.node;
    if (answer.reserves && answer.outcome != Outcome::unknown) reserve(*answer.reserves, answer.outcome);
    const NodeId node = cluster_.cluster().find_node(cluster_.cluster().symbol(answer.node));
    // A pod that was on its way to a node at the start is scheduled.
    if ((answer.outcome == Outcome::fits || answer.outcome == Outcome::scheduled) && node)
      return place(waiting, answer, node);
    if (answer.outcome == Outcome::preempts) return evict(waiting, answer, node);
    if (!same && answer.outcome != Outcome::unknown && !waiting.not_covered) {
      world_.record({.what = answer.outcome == Outcome::waits ? EventKind::waits : EventKind::fails,
                     .pod = waiting.pod,
                     .node = node,
                     .why = answer.sentence});
    }
    return false;
  }

  auto place(Waiting& waiting, const Verdict& verdict, NodeId node) -> bool {
    const PodId pod = waiting.pod;
    std::erase_if(reservations_, [&](const Reservation& each) { return each.pod == pod; });
    waiting.outcome = Outcome::scheduled;
    waiting.node = node;
    world_.record({.what = EventKind::bound, .pod = pod, .node = node, .why = waiting.sentence});
    cluster_.place(pod, node, world_.clock());
    engine_.note_start(cluster_.cluster(), pod, world_.clock(), verdict, cluster_.changed());
    world_.start(pod);
    return true;
  }

  auto evict(Waiting& waiting, const Answer& answer, NodeId node) -> bool {
    Step step{.what = EventKind::preempts, .pod = waiting.pod, .node = node, .why = answer.sentence};
    step.victims = victims_of_one_end(answer);
    step.open = replaceable_victims(answer, step.victims);
    const std::vector<PodId> victims = step.victims;
    const Snapshot& cluster = cluster_.cluster();
    for (const auto& [pod, budget] : violations(cluster, victims)) {
      const ObjectMeta& meta = budget->meta;
      step.violates.emplace_back(pod, fmt::format("{}/{}", cluster.text(meta.ns), cluster.text(meta.name)));
    }
    const bool any_new =
        std::any_of(victims.begin(), victims.end(), [&](PodId pod) { return !cluster_.pod(pod).meta.deleting; });
    if (any_new || waiting.attempts == 1) world_.record(std::move(step));
    waiting.node = node;
    for (const PodId victim : victims) {
      waiting.victims.insert(victim);
      if (cluster_.pod(victim).meta.deleting || !cluster_.node_of(victim)) continue;
      waiting.deleted.push_back(victim);
      world_.begin_deletion(victim, waiting.pod, cluster_.node_of(victim));
    }
    return any_new;
  }

  // The next cycle that may decide otherwise than this one did.
  [[nodiscard]] auto next_cycle() const -> Time {
    const Time now = world_.now();
    Time next = world_.next_event();
    for (const Waiting& waiting : pods_) {
      if (waiting.is_waiting() && !waiting.next_change.is_never())
        next = std::min(next, std::max(now + 1, world_.since_start(waiting.next_change)));
    }
    // A pod that was placed in this cycle may have changed something for the others.
    const auto bound_now = [&](const Step& step) { return step.at == now && step.what == EventKind::bound; };
    const auto& steps = result_.steps;
    if (!steps.empty() && steps.back().at == now && std::any_of(steps.rbegin(), steps.rend(), bound_now) &&
        std::any_of(pods_.begin(), pods_.end(), [](const Waiting& waiting) { return waiting.is_waiting(); })) {
      next = std::min(next, now + kCycle);
    }
    if (next == kNever) return next;
    return (std::max(next, now + 1) + kCycle - 1) / kCycle * kCycle;
  }

  // ---- the end

  auto finish() -> Sequence {
    const bool stale = engine_.decides_about_groups() && has_stale_gang(cluster_.cluster());
    for (const Waiting& waiting : pods_) {
      End end = end_of(waiting);
      if (stale && end.kind == End::Kind::unschedulable) {
        end.kind = End::Kind::not_simulated;  // what stays pending may get the place of the gang
        end.unknown = Gap{GapRule::stale_gangs};
      }
      const bool left = !cluster_.node_of(waiting.pod) || cluster_.pod(waiting.pod).meta.deleting;
      if (end.kind == End::Kind::bound && left) end.kind = End::Kind::evicted;
      if (waiting.ended) end.kind = *waiting.ended;
      // Of the pods that controllers created, only those that are left are listed.
      const bool is_new = waiting.pod.index >= result_.pods_before;
      const bool has_left = end.kind == End::Kind::evicted || end.kind == End::Kind::finished;
      if (!is_new || !has_left) result_.ends.push_back(std::move(end));
    }
    std::stable_partition(result_.ends.begin(), result_.ends.end(),
                          [&](const End& end) { return end.pod.index < result_.pods_before; });
    world_.close();
    sequence_.endings.push_back({.ends = result_.ends, .when = {}, .courses = 1, .length = result_.length});
    sequence_.engine = engine_.name();
    if (!pods_.empty()) add_gaps(engine_.state_lost_between_cycles(), sequence_.gaps);
    if (pods_.size() > 1)  // the others compete in the simulation
      std::erase_if(sequence_.gaps, [](const Gap& gap) { return gap.rule == GapRule::yunikorn_no_reservations; });
    sequence_.play = std::move(result_);
    return std::move(sequence_);
  }

  [[nodiscard]] auto end_of(const Waiting& waiting) const -> End {
    const PodId replaced = world_.replaced_by(waiting.pod);
    End end{.pod = waiting.pod,
            .name = cluster_.cluster().key(waiting.pod),
            .node = waiting.node,
            .at = waiting.since,
            .attempts = waiting.attempts,
            .victims = waiting.deleted,
            .deleted = cluster_.names(waiting.deleted),
            .why = waiting.sentence,
            .unknown = waiting.unknown,
            .after = replaced ? cluster_.cluster().key(replaced) : ""};
    switch (waiting.outcome) {
      case Outcome::scheduled: end.kind = End::Kind::bound; break;
      case Outcome::preempts:
      case Outcome::waits: end.kind = End::Kind::waits; break;
      case Outcome::gated: end.kind = End::Kind::gated; break;
      case Outcome::deleting: end.kind = End::Kind::deleting; break;
      case Outcome::error: end.kind = End::Kind::error; break;
      case Outcome::unknown: end.kind = End::Kind::not_simulated; break;
      case Outcome::fits:
      case Outcome::pending:
      case Outcome::not_eligible: end.kind = End::Kind::unschedulable; break;
    }
    if (waiting.not_covered) end.kind = End::Kind::not_simulated;
    if (waiting.attempts == 0 && end.kind == End::Kind::unschedulable) end.kind = End::Kind::pending;
    return end;
  }

  static constexpr Time kLongestWait = 600 * kSecond;

  Objects& objects_;
  const Engine& engine_;
  const Settings& settings_;
  bool at_once_;  ///< each decision counts for the next pod of the same cycle
  World world_;
  SimulatedCluster& cluster_;
  SimulationResult& result_;
  Time longest_protection_;  ///< how long a pod has run matters no longer than that
  LoopDetector loop_detector_;
  bool has_changed_ = false;
  std::vector<Waiting> pods_;
  std::vector<Reservation> reservations_;
  Sequence sequence_;
};

}  // namespace

auto simulate_cycles(Objects& objects, const Engine& engine, const Settings& settings) -> Result<Sequence> {
  return CycleSimulation(objects, engine, settings).run();
}

}  // namespace previct::sequence
