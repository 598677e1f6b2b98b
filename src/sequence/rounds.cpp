#include "sequence/rounds.h"

#include "api/upstream.h"
#include "base/text.h"
#include "sequence/scene.h"
#include "tell/tell.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace previct::sequence {
namespace {

constexpr Time kCycle = kSecond;  // KAI's schedule period; YuniKorn looks more often, and finds the same

class Rounds {
 public:
  Rounds(Objects& objects, const Engine& engine, const Settings& settings)
      : objects_(objects), engine_(engine), settings_(settings), at_once_(engine.acts_at_once()), scene_(objects) {}

  auto run() -> Result<Sequence> {
    open();
    for (now_ = 0; now_ <= settings_.horizon;) {
      happen();
      PREVICT_CHECK(cycle());
      const Time next = next_change();
      if (next == kNever) break;
      sequence_.play.cut = next > settings_.horizon;
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
    NodeId node{};
    Time since = 0;
    Instant next_change = Instant::never();
  };

  [[nodiscard]] auto clock() const -> Instant { return settings_.question.now.plus_nanos(now_); }

  void open() {
    std::map<PodId, Time> arrivals;
    for (const Arrival& arrival : settings_.arrivals) arrivals[arrival.pod] = arrival.at;
    for (const PodId pod : settings_.pods) {
      Waiting waiting;
      waiting.pod = pod;
      if (const auto found = arrivals.find(pod); found != arrivals.end()) {
        waiting.here = false;
        scene_.hide(pod);
        coming_.emplace(found->second, pod);
      }
      pods_.push_back(std::move(waiting));
    }
    std::stable_sort(pods_.begin(), pods_.end(), [&](const Waiting& a, const Waiting& b) {
      return scene_.pod(a.pod).spec.priority > scene_.pod(b.pod).spec.priority;
    });
    for (const PodId pod : scene_.cluster().pods().ids()) {
      const auto& end = scene_.pod(pod).meta.deleting;
      if (end && scene_.node_of(pod) && *end >= settings_.question.now) leaving_.emplace(since_start(*end), pod);
    }
  }

  [[nodiscard]] auto since_start(Instant at) const -> Time { return since(settings_.question.now, at); }

  void tell(Step step) {
    step.at = now_;
    sequence_.play.steps.push_back(std::move(step));
  }

  // What has come about by now.
  void happen() {
    while (!leaving_.empty() && leaving_.begin()->first <= now_) {
      const auto [at, pod] = *leaving_.begin();
      leaving_.erase(leaving_.begin());
      if (!scene_.node_of(pod)) continue;
      tell({.what = What::gone, .pod = pod, .node = scene_.node_of(pod)});
      sequence_.play.steps.back().at = at;  // between two cycles
      scene_.remove(pod);
      for (Waiting& waiting : pods_) waiting.victims.erase(pod);
    }
    while (!coming_.empty() && coming_.begin()->first <= now_) {
      const PodId pod = coming_.begin()->second;
      coming_.erase(coming_.begin());
      scene_.show(pod);
      for (Waiting& waiting : pods_) waiting.here = waiting.here || waiting.pod == pod;
      tell({.what = What::arrives, .pod = pod, .why = fmt::format("priority {}", scene_.pod(pod).spec.priority)});
    }
  }

  auto cycle() -> Result<void> {
    std::vector<std::pair<Waiting*, Answer>> answers;
    auto snapshot = std::make_unique<Snapshot>(objects_);
    for (Waiting& waiting : pods_) {
      if (!waiting.here || waiting.outcome == Outcome::scheduled) continue;
      if (at_once_ && !waiting.victims.empty()) continue;
      Question question = settings_.question;
      const ObjectMeta& meta = scene_.pod(waiting.pod).meta;
      question.ns = snapshot->text(meta.ns);
      question.name = snapshot->text(meta.name);
      question.now = clock();
      question.brief = true;
      PREVICT_TRY(Answer answer, explain(engine_, *snapshot, question));
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

  void note(const Answer& answer) {
    sequence_.engine = answer.engine;
    sequence_.behaves = answer.behaves;
    add_gaps(answer.gaps, sequence_.gaps);
  }

  // True: the cluster is another one now.
  auto act(Waiting& waiting, const Answer& answer) -> bool {
    ++waiting.attempts;
    waiting.next_change = answer.next_change;
    const bool same = waiting.attempts > 1 && waiting.outcome == answer.outcome && waiting.words == answer.sentence;
    if (!same) waiting.since = now_;
    waiting.outcome = answer.outcome;
    waiting.words = answer.sentence;
    const NodeId node = scene_.cluster().find_node(scene_.cluster().symbol(answer.node));
    if (answer.outcome == Outcome::fits && node) return place(waiting, node);
    if (answer.outcome == Outcome::preempts) return evict(waiting, answer, node);
    if (!same) {
      tell({.what = answer.outcome == Outcome::waits ? What::waits : What::fails,
            .pod = waiting.pod,
            .node = node,
            .why = answer.sentence});
    }
    return false;
  }

  auto place(Waiting& waiting, NodeId node) -> bool {
    waiting.outcome = Outcome::scheduled;
    waiting.node = node;
    scene_.place(waiting.pod, node, clock());
    tell({.what = What::bound, .pod = waiting.pod, .node = node, .why = waiting.words});
    return true;
  }

  auto evict(Waiting& waiting, const Answer& answer, NodeId node) -> bool {
    Step step{.what = What::preempts, .pod = waiting.pod, .node = node, .why = answer.sentence};
    for (const Victim& victim : answer.victims) step.victims.push_back(victim.pod);
    const std::vector<PodId> victims = step.victims;
    const bool fresh =
        std::any_of(victims.begin(), victims.end(), [&](PodId v) { return !scene_.pod(v).meta.deleting; });
    if (fresh || waiting.attempts == 1) tell(std::move(step));
    waiting.node = node;
    for (const PodId victim : victims) {
      waiting.victims.insert(victim);
      if (scene_.pod(victim).meta.deleting || !scene_.node_of(victim)) continue;
      const std::int64_t grace = std::max<std::int64_t>(
          0, scene_.pod(victim).spec.termination_grace_seconds.value_or(upstream::kDefaultGraceSeconds));
      const Instant end = Instant{clock().seconds, 0}.plus_seconds(grace);
      const Time until = std::max(now_, since_start(end));
      tell({.what = What::deleting, .pod = victim, .node = scene_.node_of(victim), .by = waiting.pod, .until = until});
      scene_.begin_deletion(victim, end);
      waiting.deleted.push_back(victim);
      leaving_.emplace(until, victim);
    }
    return fresh;
  }

  // The next moment at which a cycle may find something else than this one did.
  [[nodiscard]] auto next_change() const -> Time {
    Time next = kNever;
    if (!leaving_.empty()) next = std::min(next, leaving_.begin()->first);
    if (!coming_.empty()) next = std::min(next, coming_.begin()->first);
    for (const Waiting& waiting : pods_) {
      if (!waiting.here || waiting.outcome == Outcome::scheduled) continue;
      if (!waiting.next_change.is_never()) next = std::min(next, std::max(now_ + 1, since_start(waiting.next_change)));
    }
    // Whoever was placed in this cycle may have changed things for the others.
    const auto& steps = sequence_.play.steps;
    if (!steps.empty() && steps.back().at == now_ && anybody_waits() &&
        std::any_of(steps.rbegin(), steps.rend(),
                    [&](const Step& s) { return s.at == now_ && s.what == What::bound; })) {
      next = std::min(next, now_ + kCycle);
    }
    if (next == kNever) return next;
    return std::max(now_ + 1, (next + kCycle - 1) / kCycle * kCycle);
  }
  [[nodiscard]] auto anybody_waits() const -> bool {
    return std::any_of(pods_.begin(), pods_.end(),
                       [](const Waiting& w) { return w.here && w.outcome != Outcome::scheduled; });
  }

  auto finish() -> Sequence {
    Play& play = sequence_.play;
    play.length = play.steps.empty() ? 0 : play.steps.back().at;
    for (const Waiting& waiting : pods_) {
      play.ends.push_back(end_of(waiting));
      const bool left = !scene_.node_of(waiting.pod) || scene_.pod(waiting.pod).meta.deleting;
      if (play.ends.back().kind == End::Kind::bound && left) play.ends.back().kind = End::Kind::evicted;
    }
    sequence_.endings.push_back({.ends = play.ends, .when = {}, .courses = 1, .length = play.length});
    sequence_.engine = engine_.name();
    if (!pods_.empty()) add_gaps(engine_.forgotten_between_cycles(), sequence_.gaps);
    return std::move(sequence_);
  }

  [[nodiscard]] static auto end_of(const Waiting& waiting) -> End {
    End end{.pod = waiting.pod,
            .node = waiting.node,
            .at = waiting.since,
            .attempts = waiting.attempts,
            .victims = waiting.deleted,
            .why = waiting.words};
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
    return end;
  }

  Objects& objects_;
  const Engine& engine_;
  const Settings& settings_;
  bool at_once_;  ///< each answer counts for the next pod of the same cycle
  Scene scene_;
  std::vector<Waiting> pods_;
  std::multimap<Time, PodId> leaving_;
  std::multimap<Time, PodId> coming_;
  Time now_ = 0;
  Sequence sequence_;
};

}  // namespace

auto rounds(Objects& objects, const Engine& engine, const Settings& settings) -> Result<Sequence> {
  return Rounds(objects, engine, settings).run();
}

}  // namespace previct::sequence
