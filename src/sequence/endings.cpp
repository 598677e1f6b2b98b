#include "api/schedulers.h"
#include "base/text.h"
#include "engine/kube/running_release.h"
#include "sequence/controllers.h"
#include "sequence/cost.h"
#include "sequence/kube_scenario.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace previct::sequence {
namespace {

constexpr std::size_t kMostPodsForRaces = 50;
constexpr std::size_t kMostStepsForRaces = 2000;
// A simulation that examines more is not repeated with the other mode of preemption: it takes about ten seconds.
constexpr std::uint64_t kMostWorkForComparison = 20'000'000;
// Limit for scenarios other than the primary one, which has ended or loops: another may loop faster, or not at all.
constexpr std::size_t kMostStepsOfOthers = 10'000;

/// Something that upstream leaves to chance, with a description of both values.
struct Choice {
  bool Scenario::*taken;
  std::string_view otherwise;  ///< as in the primary scenario
  std::string_view words;
  bool outright = false;  ///< it decides which pod is served, not the order of calls: no event is its cause
};

constexpr std::array kChoices = {
    Choice{&Scenario::calls_first, "the preemptor's status is written before its first eviction call is sent",
           "eviction calls are sent before the preemptor's status is written"},
    Choice{&Scenario::reversed, "parallel calls are sent in the order of the victims",
           "parallel calls are sent in another order"},
    Choice{&Scenario::immediate_exits, "victims use their full grace period", "victims terminate at once"},
    Choice{&Scenario::other_ties, "of several possible nodes, the first is chosen",
           "of several possible nodes, another is chosen", true},
    Choice{&Scenario::half_second, "the clock's seconds begin at the time of the input",
           "the clock's seconds begin half a second earlier"},
    Choice{&Scenario::slow_cycles, "the next cycle begins before the calls of a preemption are answered",
           "calls are answered, and budgets are updated, before the next cycle begins"},
    Choice{&Scenario::late_arrivals, "a pod arrives before others end at the same moment",
           "a pod arrives after others have ended at the same moment"},
    Choice{&Scenario::conflicts, "the API server handles the evictions of a drain in turn",
           "the API server handles the evictions of a drain at the same time, and repeats those that conflict"},
    Choice{&Scenario::other_order, "the scheduler keeps equal victims in the order of the input",
           "the scheduler keeps equal victims in another order", true}};

struct ScenarioResult {
  Scenario course;
  SimulationResult play;
};

// Slow cycles change all times, so that only the order counts.
auto same_steps(const SimulationResult& a, const SimulationResult& b, bool with_times) -> bool {
  return std::equal(a.steps.begin(), a.steps.end(), b.steps.begin(), b.steps.end(), [&](const Step& x, const Step& y) {
    return (x.at == y.at || !with_times) && x.what == y.what && x.pod == y.pod && x.node == y.node;
  });
}

using Signature = std::pair<std::vector<std::tuple<std::string, End::Kind, NodeId>>, std::vector<std::string>>;

// The pods of the input that are evicted, as identity_of(), so that it does not count which of several equal pods it
// is.
auto evicted_identities(const SimulationResult& play, const Snapshot& cluster) -> std::vector<std::string> {
  std::vector<std::string> all;
  for (const PodId pod : play.evicted_of_input()) all.push_back(identity_of(cluster, cluster.pod(pod), pod));
  std::sort(all.begin(), all.end());
  return all;
}

// In a loop, the phase in which the simulation ends says nothing about pods that come and go. A pod that has ended does
// not come again.
auto comes_and_goes(const End& end, const SimulationResult& play) -> bool {
  if (!play.circle) return false;
  if (end.pod.index >= play.pods_before) return true;
  const bool is_over = end.kind == End::Kind::finished || end.kind == End::Kind::removed;
  return !is_over && end.at > play.circle->from;
}

// Endings are the same if each pod is on the same node and in the same state, at whatever time, and the same pods of
// the input, or equal ones, are evicted.
auto signature(const SimulationResult& play, const Snapshot& cluster) -> Signature {
  std::vector<std::tuple<std::string, End::Kind, NodeId>> result;
  std::size_t asked = 0;
  for (const End& end : play.ends) {
    if (comes_and_goes(end, play)) continue;
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
  return {std::move(result), evicted_identities(play, cluster)};
}

/// Two events whose order differs between scenarios.
struct DecidingEvents {
  Step first;
  Step second;
};

// Returns true for events that others wait for. The time at which a pod is tried is a consequence.
auto may_decide(EventKind what) -> bool {
  static const std::set<EventKind> kCauses = {EventKind::nominated, EventKind::cleared, EventKind::marked,
                                              EventKind::deleting,  EventKind::gone,    EventKind::released,
                                              EventKind::takes};
  return kCauses.contains(what);
}

// Returns the steps that may decide, in order. After the last pod that is gone, it adds a step without a pod: the last
// pod may differ between scenarios, and a preemptor that comes too late for it gets stuck.
auto causes(const SimulationResult& play) -> std::vector<Step> {
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

/// The position among causes() at which an event first happens in a scenario.
class Order {
 public:
  explicit Order(const SimulationResult& play) {
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

// Returns the earliest pair of events that all `members` have in one order and all other scenarios in the opposite
// order: the ending depends on it. None if one of the two events is missing somewhere, or if no single pair decides.
auto contest(const std::vector<const ScenarioResult*>& members, const std::vector<ScenarioResult>& all)
    -> std::optional<DecidingEvents> {
  std::vector<Order> mine;
  std::vector<Order> others;
  for (const ScenarioResult& played : all) {
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
        return DecidingEvents{steps[first], steps[second]};
      }
    }
  }
  return {};
}

auto words(const Step& step, const SimulationResult& play, const Snapshot& cluster) -> std::string {
  if (!step.pod) return "the last victim is gone";
  const std::string pod = play.key(step.pod, cluster);
  switch (step.what) {
    case EventKind::nominated: return pod + " is nominated";
    case EventKind::cleared: return fmt::format("the nomination of {} is cleared", pod);
    case EventKind::marked: return pod + " is marked as DisruptionTarget";
    case EventKind::deleting: return fmt::format("the deletion of {} begins", pod);
    case EventKind::gone: return pod + " is gone";
    case EventKind::released: return fmt::format("the preemption for {} releases it", pod);
    case EventKind::takes: return pod + " fits";
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
    case EventKind::refused:
    case EventKind::bound: break;
  }
  return fmt::format("{} {}", pod, what_name(step.what));
}

/// The values of choices that all scenarios of an ending share and that some other scenario does not have.
struct SharedChoices {
  std::string words;      ///< empty: there are none
  bool outright = false;  ///< they alone lead to this ending, and each is `Choice::outright`
};

auto shared_choices(const std::vector<const ScenarioResult*>& members, const std::vector<ScenarioResult>& all)
    -> SharedChoices {
  std::vector<std::string> parts;
  bool outright = true;
  const auto agrees = [&](const ScenarioResult& played) {
    return std::all_of(kChoices.begin(), kChoices.end(), [&](const Choice& choice) {
      const bool value = members.front()->course.*choice.taken;
      const bool shared = std::all_of(members.begin(), members.end(),
                                      [&](const ScenarioResult* p) { return p->course.*choice.taken == value; });
      return !shared || played.course.*choice.taken == value;
    });
  };
  // Such scenarios are not combined with other choices, which therefore say nothing about them.
  const bool of_picks = std::all_of(members.begin(), members.end(),
                                    [](const ScenarioResult* p) { return p->course.picks != Scenario().picks; });
  const auto agreeing = static_cast<std::size_t>(std::count_if(all.begin(), all.end(), agrees));
  for (const Choice& choice : kChoices) {
    const bool value = members.front()->course.*choice.taken;
    const auto has_value = [&](const ScenarioResult& p) { return p.course.*choice.taken == value; };
    const bool shared =
        std::all_of(members.begin(), members.end(), [&](const ScenarioResult* p) { return has_value(*p); });
    const bool telling = std::any_of(all.begin(), all.end(), [&](const ScenarioResult& p) { return !has_value(p); });
    if (!shared || !telling || (of_picks && choice.taken != &Scenario::other_ties)) continue;
    parts.emplace_back(value ? choice.words : choice.otherwise);
    outright = outright && choice.outright;
  }
  if (parts.empty()) return {};
  const bool alone = agreeing == members.size();
  return {(alone ? "" : "only if ") + joined(parts, " and "), alone && outright};
}

// Simulates the same with the other mode of preemption.
auto play_otherwise(Objects& objects, const Snapshot& cluster, const Settings& settings, bool asynchronous)
    -> Result<std::optional<SimulationResult>> {
  Settings other = settings;
  std::string& gates = other.question.feature_gates;
  gates += fmt::format("{}SchedulerAsyncPreemption={}", gates.empty() ? "" : ",", asynchronous ? "false" : "true");
  Result<SimulationResult> play = simulate_kube(objects, cluster, other, {});
  // A release that does not know the feature gate has only one mode.
  if (!play) return std::optional<SimulationResult>{};
  return std::optional<SimulationResult>(*std::move(play));
}

/// The work of the scenarios beside the primary one. Together, they may do a fixed multiple of what one may do.
class TotalWork {
 public:
  explicit TotalWork(const Settings& settings) : most_(4 * settings.most_work) {}
  void add(const SimulationResult& play) { work_ += play.work; }
  [[nodiscard]] auto is_used_up() const -> bool { return work_ >= most_; }

 private:
  std::uint64_t most_;
  std::uint64_t work_ = 0;
};

// Of more equal nodes, only one other is chosen.
constexpr std::size_t kMostEqual = 16;

// Further scenarios in which each of the equal nodes is chosen, and in which choices take the first and another node in
// turn. None if more than `most` nodes are equal.
auto of_further_nodes(const SimulationResult& primary, std::size_t most) -> std::vector<Scenario> {
  if (primary.most_equal > most) return {};
  std::vector<Scenario> all;
  for (std::uint32_t pick = 2; pick < primary.most_equal; ++pick) all.push_back({.other_ties = true, .picks = {pick}});
  if (primary.node_choices > 1) {
    all.push_back({.other_ties = true, .picks = {0, 1}});
    all.push_back({.other_ties = true, .picks = {1, 0}});
  }
  return all;
}

// Returns true if nodes may be chosen among equals in more ways than were simulated. With another choice, only the
// first and the second of equal nodes are combined.
auto has_more_ties(const std::vector<ScenarioResult>& all, std::size_t choices) -> bool {
  const SimulationResult& primary = all.front().play;
  return std::any_of(all.begin(), all.end(), [&](const ScenarioResult& played) {
    const SimulationResult& play = played.play;
    const bool in_turn = choices == 1 && play.most_equal <= 2 && primary.node_choices > 1;
    return play.node_choices > (in_turn ? 2U : 1U) ||
           (play.most_equal > 2 && (choices > 1 || play.most_equal > std::min(primary.most_equal, kMostEqual)));
  });
}

// Returns the primary scenario and the others: choices alone, then combinations.
auto all_courses(Objects& objects, const Snapshot& cluster, const Settings& of_others, Sequence& sequence,
                 TotalWork& total) -> Result<std::vector<ScenarioResult>> {
  std::vector<ScenarioResult> all;
  all.push_back({{}, sequence.play});
  std::vector<Choice> open;
  // Simulates the choice on top of a scenario, and keeps the result if the choice changes that one.
  const auto try_choice = [&](const Choice& choice, std::size_t on) -> Result<bool> {
    Scenario course = all[on].course;
    course.*choice.taken = true;
    // Only a disruption budget that is updated in the meantime can change a later decision.
    if (choice.taken == &Scenario::slow_cycles && objects.disruption_budgets.empty()) return false;
    if (choice.taken == &Scenario::late_arrivals && of_others.arrivals.empty()) return false;
    if (choice.taken == &Scenario::conflicts && of_others.drained.empty()) return false;
    PREVICT_TRY(SimulationResult play, simulate_kube(objects, cluster, of_others, course));
    total.add(play);
    if (same_steps(play, all[on].play, choice.taken != &Scenario::slow_cycles)) return false;
    if (play.too_much) {
      ++sequence.unfinished;
      return false;
    }
    all.push_back({course, std::move(play)});
    return true;
  };
  const auto is_open = [&](const Choice& choice) {
    return std::any_of(open.begin(), open.end(), [&](const Choice& each) { return each.taken == choice.taken; });
  };
  for (const Choice& choice : kChoices) {
    PREVICT_TRY(const bool opens, try_choice(choice, 0));
    if (opens) open.push_back(choice);
  }
  // A choice that changes nothing by itself is combined if it changes something after another one.
  const std::size_t alone = all.size();
  for (const Choice& choice : kChoices) {
    for (std::size_t on = 1; on < alone && !is_open(choice) && !total.is_used_up(); ++on) {
      PREVICT_TRY(const bool opens, try_choice(choice, on));
      if (opens) open.push_back(choice);
    }
  }
  const SimulationResult& primary = sequence.play;
  std::vector<Scenario> further = of_further_nodes(primary, kMostEqual);
  for (unsigned mask = 1; mask < (1U << open.size()); ++mask) {
    Scenario& course = further.emplace_back();
    for (std::size_t i = 0; i < open.size(); ++i) course.*open[i].taken = ((mask >> i) & 1U) != 0;
  }
  const auto is_known = [&](const Scenario& course) {
    return std::any_of(all.begin(), all.end(), [&](const ScenarioResult& each) { return each.course == course; });
  };
  for (const Scenario& course : further) {
    if (is_known(course)) continue;
    if (total.is_used_up()) {
      ++sequence.unfinished;
      continue;
    }
    PREVICT_TRY(SimulationResult play, simulate_kube(objects, cluster, of_others, course));
    total.add(play);
    if (play.too_much) {
      ++sequence.unfinished;
    } else {
      all.push_back({course, std::move(play)});
    }
  }
  sequence.more_choices = has_more_ties(all, open.size());
  return all;
}

auto evicted_names(const SimulationResult& play, const Snapshot& cluster) -> std::vector<std::string> {
  std::vector<std::string> names;
  for (const PodId pod : play.evicted_of_input()) names.push_back(play.key(pod, cluster));
  return names;
}

void note_thrashing(const SimulationResult& play, const Settings& settings, const Snapshot& cluster,
                    Sequence& sequence) {
  if (play.circle && SimulationCosts(play, settings, cluster).thrashes()) sequence.others_thrash = true;
}

// Scenarios that end alike are one ending. The first of `all` is the primary one. Returns the endings.
auto tell_endings(const std::vector<ScenarioResult>& all, const Settings& settings, const Snapshot& cluster,
                  Sequence& sequence) -> std::set<Signature> {
  std::set<Signature> endings;
  std::vector<std::pair<decltype(signature(sequence.play, cluster)), std::vector<const ScenarioResult*>>> groups;
  for (const ScenarioResult& played : all) {
    if (&played != &all.front()) note_thrashing(played.play, settings, cluster, sequence);
    add_gaps(played.play.decision_gaps, sequence.gaps);
    auto key = signature(played.play, cluster);
    auto found = std::find_if(groups.begin(), groups.end(), [&](const auto& group) { return group.first == key; });
    if (found == groups.end())
      found = groups.emplace(groups.end(), std::move(key), std::vector<const ScenarioResult*>());
    found->second.push_back(&played);
  }
  for (const auto& [key, members] : groups) {
    endings.insert(key);
    const SimulationResult& play = members.front()->play;
    sequence.evictions_differ = sequence.evictions_differ || key.second != groups.front().first.second;
    std::string when{};
    if (groups.size() > 1) {
      SharedChoices choices = shared_choices(members, all);
      const std::optional<DecidingEvents> decides = choices.outright ? std::nullopt : contest(members, all);
      when = decides ? fmt::format("{} before {}", words(decides->first, play, cluster),
                                   words(decides->second, play, cluster))
                     : std::move(choices.words);
    }
    sequence.endings.push_back({.ends = play.ends,
                                .evicted = evicted_names(play, cluster),
                                .when = std::move(when),
                                .courses = members.size(),
                                .length = play.length});
  }
  return endings;
}

// `default/p is bound on n1`: how a simulation ends where `primary` does not.
auto difference(const SimulationResult& play, const SimulationResult& primary, const Snapshot& cluster) -> std::string {
  for (const End& end : play.ends) {
    if (end.pod.index >= play.pods_before) continue;
    const auto before =
        std::find_if(primary.ends.begin(), primary.ends.end(), [&](const End& each) { return each.pod == end.pod; });
    if (before != primary.ends.end() && before->kind == end.kind && before->node == end.node) continue;
    const std::string on = end.node ? fmt::format(" on {}", cluster.text(cluster.node(end.node).meta.name)) : "";
    return fmt::format("{} ends as {}{}", play.key(end.pod, cluster), end_name(end.kind), on);
  }
  return "other pods are evicted or created";
}

// Simulates the other releases that may run.
auto play_releases(Objects& objects, const Snapshot& cluster, const Settings& of_others,
                   const kube::RunningRelease& running, const std::set<Signature>& endings, Sequence& sequence,
                   TotalWork& total) -> Result<void> {
  std::vector<std::string> others;
  for (const int minor : kube::other_releases(running, !objects.device_classes.empty())) {
    if (total.is_used_up()) {
      ++sequence.unfinished;
      continue;
    }
    Settings settings = of_others;
    settings.question = kube::asked_of(minor, cluster, of_others.question);
    settings.requests.reset();  // they are those of the other release
    const auto play = simulate_kube(objects, cluster, settings, {});
    if (!play) continue;  // a release that would refuse the given gates or configuration does not run
    total.add(*play);
    if (play->too_much) {
      ++sequence.unfinished;
    } else if (!endings.contains(signature(*play, cluster))) {
      others.push_back(
          fmt::format("with {}, {}", settings.question.k8s_version, difference(*play, sequence.play, cluster)));
    }
  }
  if (others.empty()) return {};
  std::erase_if(sequence.gaps, kube::names_running_releases);
  std::erase_if(sequence.play.decision_gaps, kube::names_running_releases);
  std::vector<Gap> gaps = running.gaps;
  kube::add_other_releases(running, others, gaps);
  add_gaps(gaps, sequence.gaps);
  return {};
}

// ---- the order in which pods of equal priority are tried

using Turns = std::vector<PodId>;
using Equals = std::vector<std::vector<PodId>>;

auto flat(const Equals& alike) -> Turns {
  Turns turns;
  for (const std::vector<PodId>& pods : alike) turns.insert(turns.end(), pods.begin(), pods.end());
  return turns;
}

// Returns every combination of the orders of all groups if there are at most `most`; otherwise, each pod of a group
// first, and the reverse. The first result is the order that is simulated anyway.
auto orders_of(const std::vector<Equals>& groups, std::size_t most, bool& more) -> std::vector<Turns> {
  std::size_t count = 1;
  for (const Equals& group : groups) {
    for (std::size_t i = 2; i <= group.size() && count <= most; ++i) count *= i;
  }
  more = count > most;
  std::vector<Turns> orders = {{}};
  for (const Equals& group : groups) {
    std::vector<std::size_t> places(group.size());
    for (std::size_t i = 0; i < places.size(); ++i) places[i] = i;
    const auto order_of = [&] {
      Equals alike;
      for (const std::size_t place : places) alike.push_back(group[place]);
      return flat(alike);
    };
    std::vector<Turns> of_group = {order_of()};
    if (!more) {
      while (std::next_permutation(places.begin(), places.end())) of_group.push_back(order_of());
      std::vector<Turns> product;
      for (const Turns& before : orders) {
        for (const Turns& after : of_group) {
          product.push_back(before);
          product.back().insert(product.back().end(), after.begin(), after.end());
        }
      }
      orders = std::move(product);
      continue;
    }
    for (std::size_t first = 1; first < places.size() && orders.size() < most; ++first) {
      std::rotate(places.begin(), places.begin() + static_cast<std::ptrdiff_t>(first),
                  places.begin() + static_cast<std::ptrdiff_t>(first) + 1);
      orders.push_back(order_of());
      std::sort(places.begin(), places.end());
    }
    std::reverse(places.begin(), places.end());
    orders.push_back(order_of());
  }
  return orders;
}

// Orders are the same if each pod has the same state and the same victims, and is bound in the same second. Which free
// node a pod gets depends on more than the order.
auto result_of(const SimulationResult& play) -> std::vector<std::tuple<PodId, End::Kind, Time, std::vector<PodId>>> {
  std::vector<std::tuple<PodId, End::Kind, Time, std::vector<PodId>>> result;
  for (const End& end : play.ends) {
    if (end.pod.index >= play.pods_before || comes_and_goes(end, play)) continue;
    const Time at = end.kind == End::Kind::bound ? (end.at + kSecond / 2) / kSecond : 0;
    std::vector<PodId> victims;
    for (const PodId victim : end.victims) {
      if (victim.index < play.pods_before) victims.push_back(victim);
    }
    result.emplace_back(end.pod, end.kind, at, std::move(victims));
  }
  return result;
}

// Describes an order, with one pod for each set of interchangeable pods: `a, b, c`.
auto order_words(const SimulationResult& play, const Snapshot& cluster) -> std::string {
  std::vector<std::string> groups;
  for (const Equals& group : play.equals) {
    std::vector<std::string> names;
    for (const std::vector<PodId>& alike : group) names.push_back(play.key(alike.front(), cluster));
    groups.push_back(joined(names, ", "));
  }
  return fmt::format("pods of equal priority are tried in this order: {}", joined(groups, "; "));
}

// Orders are simulated alone, not combined with the other choices: there may be more results if these matter, too.
auto play_orders(Objects& objects, const Snapshot& cluster, const Settings& of_others, Sequence& sequence,
                 TotalWork& total) -> Result<void> {
  if (sequence.play.equals.empty()) return {};
  constexpr std::size_t kMostOrders = 120;
  constexpr std::size_t kMostSteps = 30'000;
  const std::size_t most =
      std::clamp<std::size_t>(kMostSteps / std::max<std::size_t>(1, sequence.play.steps.size()), 2, kMostOrders);
  const std::vector<Turns> orders = orders_of(sequence.play.equals, most, sequence.more_orders);
  std::vector<decltype(result_of(sequence.play))> results = {result_of(sequence.play)};
  const std::size_t others = sequence.endings.size();  // number of endings found by other choices
  bool others_matter = others > 1;
  for (std::size_t i = 1; i < orders.size(); ++i) {
    if (total.is_used_up()) {
      sequence.more_orders = true;
      break;
    }
    Scenario course;
    course.turns = orders[i];
    PREVICT_TRY(SimulationResult play, simulate_kube(objects, cluster, of_others, course));
    total.add(play);
    if (play.too_much) {
      ++sequence.unfinished;
      continue;
    }
    ++sequence.courses;
    note_thrashing(play, of_others, cluster, sequence);
    add_gaps(play.decision_gaps, sequence.gaps);
    const auto result = result_of(play);
    const auto known = static_cast<std::size_t>(std::find(results.begin(), results.end(), result) - results.begin());
    if (known < results.size()) {
      ++sequence.endings[known == 0 ? 0 : others + known - 1].courses;
      continue;
    }
    results.push_back(result);
    others_matter = others_matter || play.node_choices > 0;
    if (evicted_identities(play, cluster) != evicted_identities(sequence.play, cluster))
      sequence.evictions_differ = true;
    sequence.endings.push_back({.ends = std::move(play.ends),
                                .evicted = evicted_names(play, cluster),
                                .when = order_words(play, cluster),
                                .courses = 1,
                                .length = play.length,
                                .by_order = true});
  }
  sequence.more_orders = sequence.more_orders || (orders.size() > 1 && others_matter);
  if (results.size() > 1 && others == 1) sequence.endings.front().when = order_words(sequence.play, cluster);
  return {};
}

}  // namespace

namespace {

// The pods arrive at a constant rate, the first at once.
auto play_rates(Objects& objects, const Snapshot& cluster, const Settings& settings, Sequence& sequence)
    -> Result<void> {
  if (settings.rates.empty()) return {};
  if (!sequence.play.has_other_mode)
    return fail("--rates compares two modes of preemption, but PreemptionToleration has only the synchronous one");
  for (const double rate : settings.rates) {
    Settings arriving = settings;
    arriving.arrivals.clear();
    for (std::size_t i = 1; i < settings.pods.size(); ++i) {
      const double after = static_cast<double>(i) * static_cast<double>(kSecond) / rate;
      arriving.arrivals.push_back({settings.pods[i], static_cast<Time>(after)});
    }
    for (const bool asynchronous : {true, false}) {
      PREVICT_TRY(const std::optional<SimulationResult> play,
                  play_otherwise(objects, cluster, arriving, !asynchronous));
      if (!play)
        return fail("--rates compares two modes of preemption, but this release of kube-scheduler has only one");
      sequence.rates.push_back({rate, asynchronous, play->metrics, waits_of(*play, arriving)});
    }
  }
  return {};
}

auto result_of_seed(std::uint64_t seed, const SimulationResult& play) -> SeedResult {
  SeedResult result{
      .seed = seed, .preemptions = play.metrics.ended(), .failed = play.metrics.failed(), .length = play.length};
  std::set<PodId> in_place_of_others;
  for (const Step& step : play.steps) {
    if (step.what == EventKind::created) in_place_of_others.insert(step.pod);
    result.evicted += step.what == EventKind::deleting && step.by ? 1U : 0U;
    result.bound += step.what == EventKind::bound && !in_place_of_others.contains(step.pod) ? 1U : 0U;
  }
  return result;
}

// One seed is one draw. All seeds together may examine twice as much as one simulation, and take as many steps as one.
auto play_seeds(Objects& objects, const Snapshot& cluster, const Settings& settings, Sequence& sequence)
    -> Result<void> {
  constexpr std::size_t kSeeds = 20;
  sequence.seeds.push_back(result_of_seed(settings.seed, sequence.play));
  Settings other = settings;
  std::uint64_t work = 0;
  std::size_t steps = sequence.play.steps.size();
  while (sequence.seeds.size() < kSeeds && work < 2 * settings.most_work && steps < settings.most_steps) {
    ++other.seed;
    PREVICT_TRY(const SimulationResult play, simulate_kube(objects, cluster, other, {}));
    sequence.seeds.push_back(result_of_seed(other.seed, play));
    work += play.work;
    steps += play.steps.size();
  }
  return {};
}

}  // namespace

auto behaves_of(const kube::RunningRelease& running, const SimulationResult& play) -> std::string {
  return fmt::format("{}, {} preemption{}", running.release.name(), play.asynchronous ? "asynchronous" : "synchronous",
                     running.known_by.empty() ? "" : fmt::format(" ({})", running.known_by));
}

auto with_other_choices(const SimulationResult& primary) -> std::vector<Scenario> {
  if (!chose_among_equals(primary)) return {};
  // Each scenario costs as much as the primary one; that of little work takes a few milliseconds.
  constexpr std::uint64_t kLittleWork = 30'000;
  std::vector<Scenario> all = of_further_nodes(primary, primary.work <= kLittleWork ? kMostEqual : kMostEqual / 4);
  all.insert(all.begin(), {.other_ties = true, .other_order = true});
  return all;
}

auto kube_sequence(Objects& objects, const Settings& settings) -> Result<Sequence> {
  Sequence sequence;
  const Snapshot cluster(objects);
  PREVICT_TRY(const kube::RunningRelease running, kube::running_release(cluster, settings.question));
  sequence.engine = schedulers::kube.engine;
  sequence.calls_played = true;
  if (!settings.lost.empty()) sequence.gaps.push_back({GapRule::lost_at_once});
  PREVICT_TRY(sequence.play, simulate_kube(objects, cluster, settings, {}));
  sequence.behaves = behaves_of(running, sequence.play);
  const bool preempts = std::any_of(sequence.play.steps.begin(), sequence.play.steps.end(),
                                    [](const Step& s) { return s.what == EventKind::preempts; });
  Settings of_others = settings;
  of_others.most_steps = std::min(settings.most_steps, std::max(kMostStepsOfOthers, 2 * sequence.play.steps.size()));
  const bool compares = sequence.play.has_other_mode && sequence.play.work <= kMostWorkForComparison;
  if (preempts && !sequence.play.circle && compares) {
    PREVICT_TRY(sequence.other_mode, play_otherwise(objects, cluster, of_others, sequence.play.asynchronous));
    if (sequence.other_mode && sequence.other_mode->too_much) sequence.other_mode.reset();
  }
  PREVICT_CHECK(play_rates(objects, cluster, settings, sequence));
  if (fails_by_rate(settings)) PREVICT_CHECK(play_seeds(objects, cluster, settings, sequence));
  std::vector<ScenarioResult> all;
  TotalWork total(settings);
  const bool open =
      preempts || !sequence.play.node_open.empty() || !sequence.play.drained.empty() || sequence.play.arrives_at_an_end;
  const bool small = settings.pods.size() <= kMostPodsForRaces && sequence.play.steps.size() <= kMostStepsForRaces;
  if (open && small) {
    PREVICT_TRY(all, all_courses(objects, cluster, of_others, sequence, total));
  } else {
    all.push_back({{}, sequence.play});
  }
  const std::set<Signature> endings = tell_endings(all, of_others, cluster, sequence);
  // Of a drain, one order is simulated, and the opposite one.
  if (sequence.endings.size() > 1 && !sequence.play.drained.empty() && settings.drained.size() > 2)
    sequence.more_orders = true;
  sequence.courses = all.size();
  if (small) PREVICT_CHECK(play_orders(objects, cluster, of_others, sequence, total));
  if (kube::side_by_side(running) || small) {
    PREVICT_CHECK(play_releases(objects, cluster, of_others, running, endings, sequence, total));
  }
  return sequence;
}

}  // namespace previct::sequence
