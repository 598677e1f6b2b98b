#include "base/text.h"
#include "engine/kube/running_release.h"
#include "sequence/controllers.h"
#include "sequence/kube_play.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace previct::sequence {
namespace {

constexpr std::size_t kMostPodsForRaces = 50;
constexpr std::size_t kMostStepsForRaces = 2000;
// Of another course than the first, which has ended or turns in a circle: so many may turn faster than it, or in none.
constexpr std::size_t kMostStepsOfOthers = 10'000;

/// A choice that upstream leaves to chance, in words for both of its values.
struct Choice {
  bool Course::*taken;
  std::string_view otherwise;  ///< as in the course that is told first
  std::string_view words;
  bool outright = false;  ///< it decides who is served, not which call comes first: no event is its cause
};

constexpr std::array kChoices = {
    Choice{&Course::calls_first, "the preemptor's status is written before its first eviction call leaves",
           "eviction calls leave before the preemptor's status is written"},
    Choice{&Course::reversed, "calls made in parallel leave in the order of the list of victims",
           "calls made in parallel leave in another order"},
    Choice{&Course::quick_exits, "victims use their whole grace period", "victims terminate at once"},
    Choice{&Course::other_queue, "pods of one priority and creation time are tried by their names",
           "pods of one priority and creation time are tried in another order", true},
    Choice{&Course::other_ties, "of equal nodes, the first by name is chosen",
           "of equal nodes, the last by name is chosen; each of the others would do as well", true},
    Choice{&Course::half_second, "the clock's seconds begin as the input's time says",
           "the clock's seconds begin half a second sooner"},
    Choice{&Course::slow_cycles, "the next cycle begins before the calls of a preemption are answered",
           "calls are answered, and budgets follow, before the next cycle begins"},
    Choice{&Course::other_order, "the scheduler holds equal victims in the order of the input",
           "the scheduler holds equal victims in another order", true}};

struct Played {
  Course course;
  Play play;
};

// Slow cycles change all times: then only the order counts.
auto same_steps(const Play& a, const Play& b, bool with_times) -> bool {
  return std::equal(a.steps.begin(), a.steps.end(), b.steps.begin(), b.steps.end(), [&](const Step& x, const Step& y) {
    return (x.at == y.at || !with_times) && x.what == y.what && x.pod == y.pod && x.node == y.node;
  });
}

// What makes two endings the same: who is where, and in what state; not when.
auto signature(const Play& play, const Snapshot& cluster) -> std::vector<std::tuple<std::string, End::Kind, NodeId>> {
  std::vector<std::tuple<std::string, End::Kind, NodeId>> result;
  std::size_t asked = 0;
  for (const End& end : play.ends) {
    // Of a circle, the phase in which the play ends says nothing of what becomes of pods that come and go in it.
    if (play.circle && (end.pod.index >= play.pods_before || end.at > play.circle->from)) continue;
    const bool placed = end.kind == End::Kind::bound || end.kind == End::Kind::waits;
    const bool is_new = end.pod.index >= play.pods_before;
    std::string who = fmt::format("#{}", end.pod.index);
    if (is_new) {
      const NewPod& made = play.created[end.pod.index - play.pods_before];
      who = identity_of(cluster, made.pod, made.like);
    }
    result.emplace_back(std::move(who), end.kind, placed ? end.node : NodeId{});
    asked += is_new ? 0U : 1U;
  }
  std::sort(result.begin() + static_cast<std::ptrdiff_t>(asked), result.end());
  return result;
}

/// Two things happen in the one order in some courses and in the other order in the others.
struct Contest {
  Step first;
  Step second;
};

// What others wait for; who is tried when is a consequence.
auto may_decide(EventKind what) -> bool {
  static const std::set<EventKind> kCauses = {EventKind::nominated, EventKind::cleared, EventKind::marked,
                                              EventKind::deleting,  EventKind::gone,    EventKind::released,
                                              EventKind::takes};
  return kCauses.contains(what);
}

// What may decide, in order. After the last pod that goes stands one more without a name: who that is may differ
// between courses, and to be too late for it is what strands a preemptor.
auto causes(const Play& play) -> std::vector<Step> {
  std::vector<Step> result;
  std::size_t last_gone = 0;
  for (const Step& step : play.steps) {
    if (!may_decide(step.what)) continue;
    result.push_back(step);
    if (step.what == EventKind::gone) last_gone = result.size();
  }
  if (last_gone > 0)
    result.insert(result.begin() + static_cast<std::ptrdiff_t>(last_gone), Step{.what = EventKind::gone});
  return result;
}

/// When something first happens in a course: its place among the causes.
class Order {
 public:
  explicit Order(const Play& play) {
    const std::vector<Step> steps = causes(play);
    for (std::size_t i = 0; i < steps.size(); ++i) places_.emplace(key(steps[i]), i);
  }
  [[nodiscard]] auto place(const Step& step) const -> std::optional<std::size_t> {
    const auto found = places_.find(key(step));
    return found == places_.end() ? std::nullopt : std::optional(found->second);
  }

 private:
  static auto key(const Step& step) -> std::pair<EventKind, PodId> { return {step.what, step.pod}; }
  std::map<std::pair<EventKind, PodId>, std::size_t> places_;
};

// The earliest pair of events that all `members` have in one order and all other courses in the other: what the ending
// hangs on. None if one of the two is missing somewhere, or if it takes more than one pair.
auto contest(const std::vector<const Played*>& members, const std::vector<Played>& all) -> std::optional<Contest> {
  std::vector<Order> mine;
  std::vector<Order> others;
  for (const Played& played : all) {
    const bool member = std::find(members.begin(), members.end(), &played) != members.end();
    (member ? mine : others).emplace_back(played.play);
  }
  const auto before = [](const Order& order, const Step& a, const Step& b) -> std::optional<bool> {
    const auto at_a = order.place(a);
    const auto at_b = order.place(b);
    return at_a && at_b ? std::optional(*at_a < *at_b) : std::nullopt;
  };
  const auto everywhere = [&](const std::vector<Order>& orders, const Step& a, const Step& b, bool value) {
    return std::all_of(orders.begin(), orders.end(), [&](const Order& o) { return before(o, a, b) == value; });
  };
  const std::vector<Step> steps = causes(members.front()->play);
  for (std::size_t second = 0; second < steps.size(); ++second) {
    for (std::size_t first = second; first-- > 0;) {
      if (everywhere(others, steps[first], steps[second], false) &&
          everywhere(mine, steps[first], steps[second], true)) {
        return Contest{steps[first], steps[second]};
      }
    }
  }
  return {};
}

auto words(const Step& step, const Play& play, const Snapshot& cluster) -> std::string {
  if (!step.pod) return "the last victim is gone";
  const std::string pod = play.key(step.pod, cluster);
  switch (step.what) {
    case EventKind::nominated: return pod + " is nominated";
    case EventKind::cleared: return fmt::format("the nomination of {} is cleared", pod);
    case EventKind::marked: return pod + " is marked as DisruptionTarget";
    case EventKind::deleting: return fmt::format("the deletion of {} begins", pod);
    case EventKind::gone: return pod + " is gone";
    case EventKind::released: return fmt::format("the preemption for {} releases it", pod);
    case EventKind::takes: return pod + " finds room";
    case EventKind::arrives:
    case EventKind::created:
    case EventKind::finished:
    case EventKind::gives_up:
    case EventKind::preempts:
    case EventKind::fails:
    case EventKind::waits:
    case EventKind::held:
    case EventKind::requeued:
    case EventKind::call_failed:
    case EventKind::bound: break;
  }
  return fmt::format("{} {}", pod, what_name(step.what));
}

/// The values of choices that all courses of an ending share and that some other course has not.
struct SharedChoices {
  std::string words;      ///< empty: there are none
  bool outright = false;  ///< they alone lead there, and each is
};

auto shared_choices(const std::vector<const Played*>& members, const std::vector<Played>& all) -> SharedChoices {
  std::vector<std::string> parts;
  bool outright = true;
  const auto agrees = [&](const Played& played) {
    return std::all_of(kChoices.begin(), kChoices.end(), [&](const Choice& choice) {
      const bool value = members.front()->course.*choice.taken;
      const bool shared = std::all_of(members.begin(), members.end(),
                                      [&](const Played* p) { return p->course.*choice.taken == value; });
      return !shared || played.course.*choice.taken == value;
    });
  };
  const auto agreeing = static_cast<std::size_t>(std::count_if(all.begin(), all.end(), agrees));
  for (const Choice& choice : kChoices) {
    const bool value = members.front()->course.*choice.taken;
    const auto has_value = [&](const Played& p) { return p.course.*choice.taken == value; };
    const bool shared = std::all_of(members.begin(), members.end(), [&](const Played* p) { return has_value(*p); });
    const bool telling = std::any_of(all.begin(), all.end(), [&](const Played& p) { return !has_value(p); });
    if (!shared || !telling) continue;
    parts.emplace_back(value ? choice.words : choice.otherwise);
    outright = outright && choice.outright;
  }
  if (parts.empty()) return {};
  const bool alone = agreeing == members.size();
  return {(alone ? "" : "only if ") + joined(parts, " and "), alone && outright};
}

// The same with the other kind of preemption. PreemptionToleration knows the synchronous one only.
auto play_otherwise(Objects& objects, const Settings& settings, bool asynchronous) -> Result<std::optional<Play>> {
  Settings other = settings;
  std::string& gates = other.question.feature_gates;
  gates += fmt::format("{}SchedulerAsyncPreemption={}", gates.empty() ? "" : ",", asynchronous ? "false" : "true");
  Result<Play> play = kube_play(objects, other, {});
  // A release that does not know the gate has one mode.
  if (!play) return std::optional<Play>{};
  return std::optional<Play>(*std::move(play));
}

// The play as told, and what else may come of it: choices alone, then several together.
auto all_courses(Objects& objects, const Settings& of_others, Sequence& sequence) -> Result<std::vector<Played>> {
  std::vector<Played> all;
  all.push_back({{}, sequence.play});
  // A choice that changes nothing by itself is left alone.
  std::vector<Choice> open;
  for (const Choice& choice : kChoices) {
    Course course;
    course.*choice.taken = true;
    // Only a budget that follows in the meantime lets a later decision come out otherwise.
    if (course.slow_cycles && objects.disruption_budgets.empty()) continue;
    PREVICT_TRY(Play play, kube_play(objects, of_others, course));
    if (same_steps(play, sequence.play, !course.slow_cycles)) continue;
    if (play.too_much) {
      ++sequence.unfinished;
      continue;
    }
    open.push_back(choice);
    all.push_back({course, std::move(play)});
  }
  for (unsigned mask = 1; mask < (1U << open.size()); ++mask) {
    if ((mask & (mask - 1)) == 0) continue;  // one alone was played above
    Course course;
    for (std::size_t i = 0; i < open.size(); ++i) course.*open[i].taken = ((mask >> i) & 1U) != 0;
    PREVICT_TRY(Play play, kube_play(objects, of_others, course));
    if (play.too_much) {
      ++sequence.unfinished;
    } else {
      all.push_back({course, std::move(play)});
    }
  }
  return all;
}

// Courses that end alike are one ending.
void tell_endings(const std::vector<Played>& all, const Snapshot& cluster, Sequence& sequence) {
  std::vector<std::pair<decltype(signature(sequence.play, cluster)), std::vector<const Played*>>> groups;
  for (const Played& played : all) {
    auto key = signature(played.play, cluster);
    auto found = std::find_if(groups.begin(), groups.end(), [&](const auto& group) { return group.first == key; });
    if (found == groups.end()) found = groups.emplace(groups.end(), std::move(key), std::vector<const Played*>());
    found->second.push_back(&played);
  }
  for (const auto& [key, members] : groups) {
    const Play& play = members.front()->play;
    std::string when{};
    if (groups.size() > 1) {
      SharedChoices choices = shared_choices(members, all);
      const std::optional<Contest> decides = choices.outright ? std::nullopt : contest(members, all);
      when = decides ? fmt::format("{} before {}", words(decides->first, play, cluster),
                                   words(decides->second, play, cluster))
                     : std::move(choices.words);
    }
    sequence.endings.push_back({play.ends, std::move(when), members.size(), play.length});
  }
}

}  // namespace

auto kube_sequence(Objects& objects, const Settings& settings) -> Result<Sequence> {
  Sequence sequence;
  PREVICT_TRY(const kube::RunningRelease running, kube::running_release(Snapshot(objects), settings.question));
  sequence.engine = "kube";
  sequence.calls_played = true;
  const bool asynchronous = running.release.has(kube::Change::asynchronous_preemption);
  sequence.behaves =
      fmt::format("{}, {} preemption{}", running.release.name(), asynchronous ? "asynchronous" : "synchronous",
                  running.known_by.empty() ? "" : fmt::format(" ({})", running.known_by));
  PREVICT_TRY(sequence.play, kube_play(objects, settings, {}));
  sequence.asynchronous = asynchronous;
  const bool preempts = std::any_of(sequence.play.steps.begin(), sequence.play.steps.end(),
                                    [](const Step& s) { return s.what == EventKind::preempts; });
  Settings of_others = settings;
  of_others.most_steps = std::min(settings.most_steps, std::max(kMostStepsOfOthers, 2 * sequence.play.steps.size()));
  if (preempts && !sequence.play.circle) {
    PREVICT_TRY(sequence.other_mode, play_otherwise(objects, of_others, asynchronous));
    if (sequence.other_mode && sequence.other_mode->too_much) sequence.other_mode.reset();
  }
  std::vector<Played> all;
  if (preempts && settings.pods.size() <= kMostPodsForRaces && sequence.play.steps.size() <= kMostStepsForRaces) {
    PREVICT_TRY(all, all_courses(objects, of_others, sequence));
  } else {
    all.push_back({{}, sequence.play});
  }
  tell_endings(all, Snapshot(objects), sequence);
  sequence.courses = all.size();
  return sequence;
}

}  // namespace previct::sequence
