#include "sequence/generic_cycles.h"

#include "api/upstream.h"
#include "base/text.h"
#include "sequence/circle.h"
#include "sequence/controllers.h"
#include "sequence/quota_gate.h"
#include "sequence/simulated_cluster.h"
#include "tell/tell.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace previct::sequence {
// NOLINTBEGIN(misc-no-recursion): a job gives up once
namespace {

constexpr Time kCycle = kSecond;  // the schedule period of KAI; YuniKorn runs more often and finds the same

class Rounds {
 public:
  Rounds(Objects& objects, const Engine& engine, const Settings& settings)
      : objects_(objects),
        groups_before_(objects.kai_pod_groups),
        engine_(engine),
        settings_(settings),
        at_once_(engine.acts_at_once()),
        simulated_(objects),
        controllers_(simulated_.cluster(), settings.makers, settings.question.now),
        quotas_(simulated_.cluster(), settings.controllers ? settings.makers.quotas : std::vector<ResourceQuota>()) {}
  ~Rounds() { objects_.kai_pod_groups = std::move(groups_before_); }
  Rounds(const Rounds&) = delete;
  auto operator=(const Rounds&) -> Rounds& = delete;

  auto run() -> Result<Sequence> {
    open();
    for (now_ = 0; now_ == 0 || now_ < settings_.horizon;) {
      happen();
      if (sequence_.play.circle) break;
      PREVICT_CHECK(cycle());
      const Time next = next_change();
      if (next == kNever) break;
      sequence_.play.too_much = sequence_.play.work >= settings_.most_work;
      sequence_.play.cut = sequence_.play.too_much || next >= settings_.horizon;
      if (sequence_.play.too_much) break;
      now_ = next;
    }
    return finish();
  }

 private:
  struct Waiting {
    PodId pod{};
    bool here = true;
    std::set<PodId> victims{};  // not gone yet
    std::vector<PodId> deleted{};
    std::size_t attempts = 0;
    Outcome outcome = Outcome::pending;
    std::string words{};
    Cause cause{};
    std::string aims_at{};  // the node of the latest answer
    NodeId node{};
    Time since = 0;
    Instant next_change = Instant::never();
    PodId after{};  // the pod that it replaces
    bool ended = false;
  };

  [[nodiscard]] auto clock() const -> Instant { return settings_.question.now.plus_nanos(now_); }

  void open() {
    sequence_.play.pods_before = objects_.pods.size();
    std::map<PodId, Time> arrivals;
    for (const Arrival& arrival : settings_.arrivals) arrivals[arrival.pod] = arrival.at;
    for (const PodId pod : settings_.pods) {
      Waiting waiting;
      waiting.pod = pod;
      if (const auto found = arrivals.find(pod); found != arrivals.end()) {
        waiting.here = false;
        simulated_.hide(pod);
        coming_.emplace(found->second, pod);
      }
      pods_.push_back(std::move(waiting));
    }
    if (!at_once_) hide_others();
    std::stable_sort(pods_.begin(), pods_.end(), [&](const Waiting& a, const Waiting& b) {
      return simulated_.pod(a.pod).spec.priority > simulated_.pod(b.pod).spec.priority;
    });
    for (const PodId pod : simulated_.cluster().pods().ids()) {
      const auto& end = simulated_.pod(pod).meta.deleting;
      if (end && simulated_.node_of(pod) && *end >= settings_.question.now) leaving_.emplace(since_start(*end), pod);
      if (end || !simulated_.node_of(pod)) continue;
      const auto& start = simulated_.pod(pod).status.start_time;
      if (start) began_[pod] = since_start(*start);
      if (start && length_of(pod) != kNever) ending_.emplace(std::max<Time>(0, began_[pod] + length_of(pod)), pod);
    }
    for (const Recurring& recurring : settings_.recurring) {
      Time first = 0;
      for (const Arrival& arrival : settings_.arrivals) {
        if (arrival.pod == recurring.pod) first = arrival.at;
      }
      recurring_.emplace(first + recurring.every, recurring);
    }
  }

  // One cycle decides about all pending groups, so groups that do not take part are hidden.
  void hide_others() {
    const Symbol key = simulated_.cluster().symbol("pod-group-name");
    const auto group_of = [&](PodId pod) { return key ? simulated_.pod(pod).meta.annotations.get(key) : Symbol{}; };
    std::set<PodId> asked;
    std::set<std::pair<Symbol, Symbol>> groups;
    for (const Waiting& waiting : pods_) {
      asked.insert(waiting.pod);
      if (const Symbol group = group_of(waiting.pod)) groups.emplace(simulated_.pod(waiting.pod).meta.ns, group);
    }
    for (const PodId pod : simulated_.cluster().pods().ids()) {
      const bool with_asked = asked.contains(pod) || groups.contains({simulated_.pod(pod).meta.ns, group_of(pod)});
      if (simulated_.cluster().pending(pod) && !with_asked) simulated_.hide(pod);
    }
  }

  [[nodiscard]] auto since_start(Instant at) const -> Time { return since(settings_.question.now, at); }

  void tell(Step step) {
    step.at = now_;
    sequence_.play.steps.push_back(std::move(step));
  }

  // Handles everything that has happened by now.
  void happen() {
    bool moved = false;
    while (!leaving_.empty() && leaving_.begin()->first <= now_) {
      const auto [at, pod] = *leaving_.begin();
      leaving_.erase(leaving_.begin());
      if (!simulated_.node_of(pod)) continue;
      tell({.what = EventKind::gone, .pod = pod, .node = simulated_.node_of(pod)});
      sequence_.play.steps.back().at = at;  // it left between two cycles
      simulated_.remove(pod);
      try_again(quotas_.goes(pod));
      for (Waiting& waiting : pods_) waiting.victims.erase(pod);
      if (settings_.controllers) react(controllers_.gone(pod, now_));
      moved = true;
    }
    while (!ending_.empty() && ending_.begin()->first <= now_) {
      const PodId pod = ending_.begin()->second;
      ending_.erase(ending_.begin());
      if (!simulated_.node_of(pod) || simulated_.pod(pod).meta.deleting) continue;
      tell({.what = EventKind::finished, .pod = pod, .node = simulated_.node_of(pod)});
      end_run(pod, Run::Ending::finished);
      controllers_.succeeds(pod);
      simulated_.remove(pod);
      try_again(quotas_.goes(pod));
      finished_.insert(pod);
      moved = true;
    }
    while (!creations_.empty() && creations_.begin()->first <= now_) {
      const PodId old = creations_.begin()->second;
      creations_.erase(creations_.begin());
      create_in_place_of(old);
    }
    while (!recurring_.empty() && recurring_.begin()->first <= now_) {
      const auto [at, recurring] = *recurring_.begin();
      recurring_.erase(recurring_.begin());
      recurring_.emplace(at + recurring.every, recurring);
      come_again(recurring.pod);
      moved = true;
    }
    while (!coming_.empty() && coming_.begin()->first <= now_) {
      const PodId pod = coming_.begin()->second;
      coming_.erase(coming_.begin());
      simulated_.show(pod);
      for (Waiting& waiting : pods_) waiting.here = waiting.here || waiting.pod == pod;
      tell({.what = EventKind::arrives,
            .pod = pod,
            .why = fmt::format("priority {}", simulated_.pod(pod).spec.priority)});
    }
    const bool may_turn = settings_.controllers || !settings_.recurring.empty();
    if (moved && may_turn && coming_.empty())
      sequence_.play.circle = states_.see(state(), now_, sequence_.play.runs.size());
  }

  void react(const Controllers::Reaction& reaction) {
    for (const Controllers::Creation& creation : reaction.created)
      creations_.emplace(std::max(now_, creation.at), creation.after);
    if (!reaction.gives_up) return;
    const Snapshot& cluster = simulated_.cluster();
    bool told = false;
    for (const PodId pod : cluster.pods().ids()) {
      if (cluster.finished(pod) || owner_of(cluster, simulated_.pod(pod)) != *reaction.gives_up) continue;
      if (!told) {
        tell({.what = EventKind::gives_up,
              .pod = pod,
              .why = fmt::format("{}: {}", owner_words(cluster, *reaction.gives_up), reaction.why)});
      }
      told = true;
      for (Waiting& waiting : pods_) waiting.ended = waiting.ended || waiting.pod == pod;
      std::erase_if(reservations_, [&](const Reservation& r) { return r.pod == pod; });
      if (simulated_.pod(pod).meta.deleting) continue;
      simulated_.node_of(pod) ? begin_deletion(pod, {}) : simulated_.hide(pod);
    }
  }

  void create_in_place_of(PodId old) {
    const Snapshot& cluster = simulated_.cluster();
    const Owner owner = owner_of(cluster, simulated_.pod(old));
    if (controllers_.ended(owner)) return;
    if (const Time later = controllers_.waits_until(old); later > now_) {
      creations_.emplace(later, old);
      return;
    }
    Result<Pod> made = simulated_.admitted(old, settings_.makers, clock());
    if (!made) return tell({.what = EventKind::call_failed, .pod = old, .why = made.error().message});
    if (std::string why = quotas_.refuses(*made, old); !why.empty())
      return tell({.what = EventKind::call_failed, .pod = old, .why = std::move(why)});
    const PodId pod = add_pod(*std::move(made), old);
    sequence_.play.created.back().after = old;
    for (Waiting& waiting : pods_) {
      if (waiting.pod == pod) waiting.after = old;
    }
    tell({.what = EventKind::created,
          .pod = pod,
          .why = fmt::format("by {}, in place of {}", owner_words(cluster, owner), cluster.key(old))});
  }

  void come_again(PodId like) {
    Result<Pod> made = simulated_.admitted(like, settings_.makers, clock());
    if (!made) return tell({.what = EventKind::call_failed, .pod = like, .why = made.error().message});
    const PodId pod = add_pod(*std::move(made), like);
    tell(
        {.what = EventKind::arrives, .pod = pod, .why = fmt::format("priority {}", simulated_.pod(pod).spec.priority)});
  }

  void try_again(const std::vector<PodId>& refused) {
    for (const PodId old : refused) creations_.emplace(now_, old);
  }

  auto add_pod(Pod made, PodId like) -> PodId {
    const PodId created = simulated_.create(std::move(made), new_names_.next(simulated_.cluster(), like));
    quotas_.comes(created);
    Play& play = sequence_.play;
    play.created.push_back({simulated_.pod(created), {}, root_of(like)});
    Waiting waiting;
    waiting.pod = created;
    waiting.since = now_;
    const auto place = std::find_if(pods_.begin(), pods_.end(), [&](const Waiting& other) {
      return simulated_.pod(other.pod).spec.priority < simulated_.pod(created).spec.priority;
    });
    pods_.insert(place, std::move(waiting));
    return created;
  }

  [[nodiscard]] auto root_of(PodId pod) const -> PodId {
    const Play& play = sequence_.play;
    return pod.index < play.pods_before ? pod : play.created[pod.index - play.pods_before].like;
  }

  [[nodiscard]] auto length_of(PodId pod) const -> Time {
    const ObjectMeta& meta = simulated_.pod(root_of(pod)).meta;
    const Snapshot& cluster = simulated_.cluster();
    for (const Lasting& lasting : settings_.lasting) {
      if (matches(lasting, cluster.text(meta.ns), cluster.text(meta.name))) return lasting.length;
    }
    return kNever;
  }

  void end_run(PodId pod, Run::Ending ending) {
    const auto began = began_.find(pod);
    const std::optional<Time> from = began == began_.end() ? std::nullopt : std::optional(began->second);
    sequence_.play.runs.push_back({ending, pod, from, now_});
  }

  // KAI records on the group when its first pod starts; min-runtime counts from that time.
  void note_start_of_group(PodId id) {
    const Snapshot& cluster = simulated_.cluster();
    const Symbol key = cluster.symbol("pod-group-name");
    const Symbol group = key ? simulated_.pod(id).meta.annotations.get(key) : Symbol{};
    if (!group) return;
    const Symbol ns = simulated_.pod(id).meta.ns;
    for (const PodId other : cluster.pods().ids()) {
      const Pod& pod = simulated_.pod(other);
      const bool runs = other != id && simulated_.node_of(other) && !pod.meta.deleting;
      if (runs && pod.meta.ns == ns && pod.meta.annotations.get(key) == group) return;
    }
    for (kai::PodGroup& object : objects_.kai_pod_groups) {
      if (object.meta.ns != ns || object.meta.name != group) continue;
      Symbols& symbols = objects_.symbols;
      object.meta.annotations.set(symbols.intern("kai.scheduler/last-start-timestamp"),
                                  symbols.intern(format_instant(Instant{clock().seconds, 0})));
    }
  }

  // ---- the state, to detect loops

  [[nodiscard]] auto state() const -> std::string {
    const Snapshot& cluster = simulated_.cluster();
    std::string text = fmt::format("{}\n", controllers_.failures());
    for (const NodeId node : simulated_.moved()) {
      text += fmt::format("@{}", node.index);
      for (const PodId pod : simulated_.pods_on(node)) {
        const Pod& p = simulated_.pod(pod);
        const auto end = std::find_if(ending_.begin(), ending_.end(), [&](const auto& e) { return e.second == pod; });
        const auto began = began_.find(pod);
        const Time age = began == began_.end() ? kNever : now_ - began->second;
        text += fmt::format(" {}:{}:{}:{}", identity_of(cluster, p, root_of(pod)),
                            p.meta.deleting ? std::max<Time>(0, since_start(*p.meta.deleting) - now_) : -1,
                            std::min(age, longest_protection_), end == ending_.end() ? -1 : end->first - now_);
      }
      text += '\n';
    }
    for (const Waiting& waiting : pods_) {
      if (!waiting.here || waiting.ended || waiting.outcome == Outcome::scheduled) continue;
      const Pod& p = simulated_.pod(waiting.pod);
      const Time age = p.meta.created ? now_ - since_start(*p.meta.created) : kNever;
      text += fmt::format("?{} {} {} {}\n", identity_of(cluster, p, root_of(waiting.pod)),
                          static_cast<int>(waiting.outcome), waiting.victims.size(), std::min(age, kLongestWait));
    }
    for (const Reservation& each : reservations_) {
      text +=
          fmt::format("!{} {}\n", each.node.index, identity_of(cluster, simulated_.pod(each.pod), root_of(each.pod)));
    }
    for (const PodId pod : quotas_.refused()) text += fmt::format("-{}\n", root_of(pod).index);
    for (const auto& [at, pod] : creations_) text += fmt::format("+{} {}\n", at - now_, root_of(pod).index);
    for (const auto& [at, recurring] : recurring_) text += fmt::format("~{} {}\n", at - now_, recurring.pod.index);
    return text;
  }

  // Returns the longest min-runtime of a queue or a shard: a longer run of a pod makes no difference.
  [[nodiscard]] static auto longest_protection(const Objects& objects) -> Time {
    Time longest = 0;
    const auto look = [&](const std::optional<Duration>& length) {
      if (length) longest = std::max(longest, length->nanos);
    };
    for (const kai::Queue& queue : objects.kai_queues) {
      look(queue.spec.preempt_min_runtime);
      look(queue.spec.reclaim_min_runtime);
    }
    for (const kai::SchedulingShard& shard : objects.kai_shards) {
      for (const auto& text : {shard.spec.min_runtime.preempt, shard.spec.min_runtime.reclaim}) {
        if (text) longest = std::max(longest, parse_go_duration(objects.symbols.text(*text)).value_or(0));
      }
    }
    return longest;
  }

  auto cycle() -> Result<void> {
    std::vector<std::pair<Waiting*, Answer>> answers;
    auto snapshot = std::make_unique<Snapshot>(objects_);
    for (Waiting* const each : in_turn()) {
      Waiting& waiting = *each;
      if (!waiting.here || waiting.ended || waiting.outcome == Outcome::scheduled) continue;
      if (at_once_ && !waiting.victims.empty()) continue;
      Question question = settings_.question;
      const ObjectMeta& meta = simulated_.pod(waiting.pod).meta;
      question.ns = snapshot->text(meta.ns);
      question.name = snapshot->text(meta.name);
      question.now = clock();
      question.brief = true;
      question.marked = marked();
      question.triggered = !waiting.deleted.empty();
      question.reservations = reservations_;
      PREVICT_TRY(Answer answer, explain(engine_, *snapshot, question));
      constexpr std::uint64_t kDecision = 20;
      // An engine's own count is of pods and nodes that it simulates.
      constexpr std::uint64_t kSimulated = 4;
      sequence_.play.work += kDecision + kSimulated * answer.work + snapshot->pods().size() + snapshot->nodes().size();
      note(answer);
      if (at_once_) {
        if (act(waiting, answer)) snapshot = std::make_unique<Snapshot>(objects_);
      } else {
        answers.emplace_back(&waiting, std::move(answer));
      }
    }
    for (auto& [waiting, answer] : answers) act(*waiting, answer);
    return {};
  }

  // Pods with a reservation come first.
  [[nodiscard]] auto in_turn() -> std::vector<Waiting*> {
    std::vector<Waiting*> pods;
    for (Waiting& waiting : pods_) pods.push_back(&waiting);
    std::stable_partition(pods.begin(), pods.end(), [&](const Waiting* waiting) { return reserves(waiting->pod); });
    return pods;
  }
  [[nodiscard]] auto reserves(PodId pod) const -> bool {
    return std::any_of(reservations_.begin(), reservations_.end(), [&](const Reservation& r) { return r.pod == pod; });
  }
  // A reservation stays, unless its pod preempts on another node, or the node is required by a pod that can run nowhere
  // else.
  void reserve(const Reservation& reservation, Outcome outcome) {
    if (reserves(reservation.pod) && outcome != Outcome::preempts) return;
    std::erase_if(reservations_, [&](const Reservation& r) {
      return r.pod == reservation.pod || (reservation.required && !r.required && r.node == reservation.node);
    });
    reservations_.push_back(reservation);
  }

  // Victims that still exist: the scheduler knows that it has evicted them.
  [[nodiscard]] auto marked() const -> std::vector<PodId> {
    std::set<PodId> pods;
    for (const Waiting& waiting : pods_) pods.insert(waiting.victims.begin(), waiting.victims.end());
    return {pods.begin(), pods.end()};
  }

  void note(const Answer& answer) {
    sequence_.engine = answer.engine;
    sequence_.behaves = answer.behaves;
    add_gaps(answer.gaps, sequence_.gaps);
  }

  // Returns true if the cluster has changed.
  auto act(Waiting& waiting, const Answer& answer) -> bool {
    ++waiting.attempts;
    waiting.next_change = answer.next_change;
    const bool same = waiting.attempts > 1 && waiting.outcome == answer.outcome && waiting.cause == answer.cause &&
                      waiting.aims_at == answer.node;
    if (!same) waiting.since = now_;
    waiting.outcome = answer.outcome;
    waiting.words = answer.sentence;
    waiting.cause = answer.cause;
    waiting.aims_at = answer.node;
    if (answer.reserves) reserve(*answer.reserves, answer.outcome);
    const NodeId node = simulated_.cluster().find_node(simulated_.cluster().symbol(answer.node));
    if (answer.outcome == Outcome::fits && node) return place(waiting, node);
    if (answer.outcome == Outcome::preempts) return evict(waiting, answer, node);
    if (!same) {
      tell({.what = answer.outcome == Outcome::waits ? EventKind::waits : EventKind::fails,
            .pod = waiting.pod,
            .node = node,
            .why = answer.sentence});
    }
    return false;
  }

  auto place(Waiting& waiting, NodeId node) -> bool {
    std::erase_if(reservations_, [&](const Reservation& r) { return r.pod == waiting.pod; });
    waiting.outcome = Outcome::scheduled;
    waiting.node = node;
    simulated_.place(waiting.pod, node, clock());
    note_start_of_group(waiting.pod);
    began_[waiting.pod] = now_;
    if (length_of(waiting.pod) != kNever) ending_.emplace(now_ + length_of(waiting.pod), waiting.pod);
    if (settings_.controllers && waiting.after) simulated_.ready(waiting.pod);
    if (settings_.controllers) react(controllers_.runs(waiting.pod, now_));
    tell({.what = EventKind::bound, .pod = waiting.pod, .node = node, .why = waiting.words});
    return true;
  }

  auto evict(Waiting& waiting, const Answer& answer, NodeId node) -> bool {
    Step step{.what = EventKind::preempts, .pod = waiting.pod, .node = node, .why = answer.sentence};
    for (const Victim& victim : answer.victims) step.victims.push_back(victim.pod);
    if (!answer.ends.empty()) step.victims = answer.ends.front();
    step.open = open_victims(answer, step.victims);
    const std::vector<PodId> victims = step.victims;
    const bool fresh =
        std::any_of(victims.begin(), victims.end(), [&](PodId v) { return !simulated_.pod(v).meta.deleting; });
    if (fresh || waiting.attempts == 1) tell(std::move(step));
    waiting.node = node;
    for (const PodId victim : victims) {
      waiting.victims.insert(victim);
      if (simulated_.pod(victim).meta.deleting || !simulated_.node_of(victim)) continue;
      waiting.deleted.push_back(victim);
      begin_deletion(victim, waiting.pod);
    }
    return fresh;
  }

  void begin_deletion(PodId victim, PodId by) {
    const std::int64_t grace = std::max<std::int64_t>(
        0, simulated_.pod(victim).spec.termination_grace_seconds.value_or(upstream::kDefaultGraceSeconds));
    const Instant end = Instant{clock().seconds, 0}.plus_seconds(grace);
    const Time until = std::max(now_, since_start(end));
    tell({.what = EventKind::deleting, .pod = victim, .node = simulated_.node_of(victim), .by = by, .until = until});
    end_run(victim, Run::Ending::evicted);
    simulated_.begin_deletion(victim, end);
    leaving_.emplace(until, victim);
    controllers_.note_finalizers(victim);
    if (settings_.controllers) react(controllers_.deletion_begins(victim, now_));
  }

  // Returns the next time at which a cycle may find something different.
  [[nodiscard]] auto next_change() const -> Time {
    Time next = kNever;
    if (!leaving_.empty()) next = std::min(next, leaving_.begin()->first);
    if (!coming_.empty()) next = std::min(next, coming_.begin()->first);
    if (!ending_.empty()) next = std::min(next, ending_.begin()->first);
    if (!creations_.empty()) next = std::min(next, std::max(creations_.begin()->first, now_ + 1));
    if (!recurring_.empty()) next = std::min(next, recurring_.begin()->first);
    for (const Waiting& waiting : pods_) {
      if (!waiting.here || waiting.ended || waiting.outcome == Outcome::scheduled) continue;
      if (!waiting.next_change.is_never()) next = std::min(next, std::max(now_ + 1, since_start(waiting.next_change)));
    }
    // A pod that was placed in this cycle may have changed things for the others.
    const auto& steps = sequence_.play.steps;
    if (!steps.empty() && steps.back().at == now_ && anybody_waits() &&
        std::any_of(steps.rbegin(), steps.rend(),
                    [&](const Step& s) { return s.at == now_ && s.what == EventKind::bound; })) {
      next = std::min(next, now_ + kCycle);
    }
    if (next == kNever) return next;
    return std::max(now_ + 1, (next + kCycle - 1) / kCycle * kCycle);
  }
  [[nodiscard]] auto anybody_waits() const -> bool {
    return std::any_of(pods_.begin(), pods_.end(),
                       [](const Waiting& w) { return w.here && !w.ended && w.outcome != Outcome::scheduled; });
  }

  auto finish() -> Sequence {
    Play& play = sequence_.play;
    play.length = play.steps.empty() ? 0 : play.steps.back().at;
    for (const Waiting& waiting : pods_) {
      End end = end_of(waiting);
      const bool left = !simulated_.node_of(waiting.pod) || simulated_.pod(waiting.pod).meta.deleting;
      if (end.kind == End::Kind::bound && left) end.kind = End::Kind::evicted;
      if (finished_.contains(waiting.pod)) end.kind = End::Kind::finished;
      if (waiting.ended) end.kind = End::Kind::removed;
      // Of the new pods, only those that still exist are reported.
      const bool is_new = waiting.pod.index >= play.pods_before;
      const bool passed = end.kind == End::Kind::evicted || end.kind == End::Kind::finished;
      if (!is_new || !passed) play.ends.push_back(std::move(end));
    }
    std::stable_partition(play.ends.begin(), play.ends.end(),
                          [&](const End& end) { return end.pod.index < play.pods_before; });
    for (const PodId pod : simulated_.cluster().pods().ids()) {
      if (simulated_.node_of(pod) && !simulated_.pod(pod).meta.deleting) end_run(pod, Run::Ending::goes_on);
    }
    add_gaps(controllers_.gaps(), play.assumed);
    sequence_.endings.push_back({.ends = play.ends, .when = {}, .courses = 1, .length = play.length});
    sequence_.engine = engine_.name();
    if (!pods_.empty()) add_gaps(engine_.forgotten_between_cycles(), sequence_.gaps);
    return std::move(sequence_);
  }

  [[nodiscard]] auto end_of(const Waiting& waiting) const -> End {
    End end{.pod = waiting.pod,
            .name = simulated_.cluster().key(waiting.pod),
            .node = waiting.node,
            .at = waiting.since,
            .attempts = waiting.attempts,
            .victims = waiting.deleted,
            .deleted = simulated_.names(waiting.deleted),
            .why = waiting.words,
            .after = waiting.after ? simulated_.cluster().key(waiting.after) : ""};
    switch (waiting.outcome) {
      case Outcome::scheduled: end.kind = End::Kind::bound; break;
      case Outcome::preempts:
      case Outcome::waits: end.kind = End::Kind::waits; break;
      case Outcome::gated: end.kind = End::Kind::gated; break;
      case Outcome::deleting: end.kind = End::Kind::deleting; break;
      case Outcome::error: end.kind = End::Kind::error; break;
      case Outcome::fits:
      case Outcome::pending:
      case Outcome::unknown:
      case Outcome::not_eligible: end.kind = End::Kind::unschedulable; break;
    }
    if (waiting.attempts == 0 && end.kind == End::Kind::unschedulable) end.kind = End::Kind::pending;
    return end;
  }

  static constexpr Time kLongestWait = 600 * kSecond;

  Objects& objects_;
  std::vector<kai::PodGroup> groups_before_;
  const Engine& engine_;
  const Settings& settings_;
  bool at_once_;  ///< each answer takes effect before the next pod of the same cycle is asked
  SimulatedCluster simulated_;
  Controllers controllers_;
  QuotaGate quotas_;
  NewNames new_names_;
  States states_;
  Time longest_protection_ = longest_protection(objects_);
  std::vector<Waiting> pods_;
  std::vector<Reservation> reservations_;
  std::map<PodId, Time> began_;
  std::set<PodId> finished_;
  std::multimap<Time, PodId> ending_;
  std::multimap<Time, PodId> creations_;
  std::multimap<Time, Recurring> recurring_;
  std::multimap<Time, PodId> leaving_;
  std::multimap<Time, PodId> coming_;
  Time now_ = 0;
  Sequence sequence_;
};

}  // namespace

auto rounds(Objects& objects, const Engine& engine, const Settings& settings) -> Result<Sequence> {
  return Rounds(objects, engine, settings).run();
}

// NOLINTEND(misc-no-recursion)
}  // namespace previct::sequence
