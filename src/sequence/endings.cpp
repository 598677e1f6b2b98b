#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/text.h"
#include "engine/kube/release.h"
#include "sequence/kube_play.h"

namespace previct::sequence {
namespace {

constexpr std::size_t kMostPodsForRaces = 50;

/// A choice that upstream leaves to chance, in words for both of its values.
struct Choice {
  bool Course::*taken;
  std::string_view otherwise;  ///< as in the course that is told first
  std::string_view words;
};

constexpr std::array kChoices = {
    Choice{&Course::calls_first, "the preemptor's status is written before its first eviction call leaves",
           "eviction calls leave before the preemptor's status is written"},
    Choice{&Course::reversed, "calls made in parallel leave in the order of the list of victims",
           "calls made in parallel leave in another order"},
    Choice{&Course::quick_exits, "victims use their whole grace period", "victims end as soon as they are told to"},
    Choice{&Course::other_ties, "of equal nodes the first by name is taken", "of equal nodes another one is taken"},
    Choice{&Course::other_order, "the scheduler holds equal victims in the order of the input",
           "the scheduler holds equal victims in another order"}};

struct Played {
  Course course;
  Play play;
};

auto same_steps(const Play& a, const Play& b) -> bool {
  return std::equal(a.steps.begin(), a.steps.end(), b.steps.begin(), b.steps.end(), [](const Step& x, const Step& y) {
    return x.at == y.at && x.what == y.what && x.pod == y.pod && x.node == y.node;
  });
}

// What makes two endings the same: who is where, and in what state; not when.
auto signature(const Play& play) -> std::vector<std::tuple<PodId, End::Kind, NodeId>> {
  std::vector<std::tuple<PodId, End::Kind, NodeId>> result;
  for (const End& end : play.ends) {
    const bool placed = end.kind == End::Kind::bound || end.kind == End::Kind::waits;
    result.emplace_back(end.pod, end.kind, placed ? end.node : NodeId{});
  }
  return result;
}

// The values of choices that all courses of `members` share and that some other course has not: what it hangs on.
auto condition(const std::vector<const Played*>& members, const std::vector<Played>& all) -> std::string {
  std::vector<std::string> parts;
  for (const Choice& choice : kChoices) {
    const bool value = members.front()->course.*choice.taken;
    const auto has_value = [&](const Played& p) { return p.course.*choice.taken == value; };
    const bool shared = std::all_of(members.begin(), members.end(), [&](const Played* p) { return has_value(*p); });
    const bool telling = std::any_of(all.begin(), all.end(), [&](const Played& p) { return !has_value(p); });
    if (shared && telling) parts.emplace_back(value ? choice.words : choice.otherwise);
  }
  return joined(parts, " and ");
}

}  // namespace

auto kube_sequence(Objects& objects, const Settings& settings) -> Result<Sequence> {
  Sequence sequence;
  PREVICT_TRY(const kube::Release release, kube::read_release(settings.question));
  sequence.engine = "kube";
  sequence.behaves = fmt::format("{}, {} preemption", release.version,
                                 release.asynchronous_preemption ? "asynchronous" : "synchronous");
  PREVICT_TRY(sequence.play, kube_play(objects, settings, {}));
  std::vector<Played> all;
  all.push_back({{}, sequence.play});
  const bool preempts = std::any_of(sequence.play.steps.begin(), sequence.play.steps.end(),
                                    [](const Step& s) { return s.what == What::preempts; });
  if (preempts && settings.pods.size() <= kMostPodsForRaces) {
    // A choice that changes nothing by itself is left alone.
    std::vector<Choice> open;
    for (const Choice& choice : kChoices) {
      Course course;
      course.*choice.taken = true;
      PREVICT_TRY(Play play, kube_play(objects, settings, course));
      if (same_steps(play, sequence.play)) continue;
      open.push_back(choice);
      all.push_back({course, std::move(play)});
    }
    for (unsigned mask = 1; mask < (1U << open.size()); ++mask) {
      if ((mask & (mask - 1)) == 0) continue;  // one alone was played above
      Course course;
      for (std::size_t i = 0; i < open.size(); ++i) course.*open[i].taken = ((mask >> i) & 1U) != 0;
      PREVICT_TRY(Play play, kube_play(objects, settings, course));
      all.push_back({course, std::move(play)});
    }
  }
  std::vector<std::pair<decltype(signature(sequence.play)), std::vector<const Played*>>> groups;
  for (const Played& played : all) {
    auto key = signature(played.play);
    auto found = std::find_if(groups.begin(), groups.end(), [&](const auto& group) { return group.first == key; });
    if (found == groups.end()) found = groups.insert(groups.end(), {std::move(key), {}});
    found->second.push_back(&played);
  }
  for (const auto& [key, members] : groups) {
    const Play& play = members.front()->play;
    sequence.endings.push_back({play.ends, groups.size() == 1 ? "" : condition(members, all), members.size(), play.length});
  }
  sequence.courses = all.size();
  return sequence;
}

}  // namespace previct::sequence
