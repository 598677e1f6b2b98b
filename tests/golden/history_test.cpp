// Post-mortems of real preemptions: the dumps of a live control plane and what its watch recorded. The states are built
// from both: the dump from before the decision, updated with the recorded events, bindings and deletions.

#include "api/load.h"
#include "golden/cases.h"
#include "history/post_mortem.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <map>

namespace previct::history {
namespace {

using test::Case;

enum class Input : std::uint8_t {
  afterwards,  ///< only the dump from after the preemption
  both         ///< also the dump from before: it shows victims that are gone
};

/// A recorded preemption.
struct Recorded {
  std::string victim;
  std::string by;
  std::string node;
};

class Incident {
 public:
  Incident(const Case& c, Input input) : input_(input) {
    REQUIRE(load({(c.folder / "dump.yaml").string()}, {}, objects));
    const Json expected = test::json_of(c.folder / "expected.json");
    started_ = parse_instant(expected.at("schedulerStartedAt").get<std::string>()).value();
    for (const Json& step : expected.at("timeline")) apply(step);
    if (input_ == Input::both) return;
    std::erase_if(objects.pods.items(),
                  [&](const Pod& pod) { return std::find(gone_.begin(), gone_.end(), key(pod.meta)) != gone_.end(); });
  }

  Objects objects;
  std::vector<Recorded> recorded;  ///< the first of each victim that the dump holds

 private:
  [[nodiscard]] auto key(const ObjectMeta& meta) const -> std::string {
    return fmt::format("{}/{}", objects.symbols.text(meta.ns), objects.symbols.text(meta.name));
  }
  auto find(const std::string& wanted) -> Pod* {
    for (Pod& pod : objects.pods) {
      if (key(pod.meta) == wanted) return &pod;
    }
    return nullptr;
  }
  void condition(Pod& pod, std::string_view type, std::string_view reason, Instant at) {
    const Symbol name = objects.symbols.intern(type);
    erase_if(pod.status.conditions, [&](const Condition& c) { return c.type == name; });
    at.nanos = 0;  // the API has whole seconds
    pod.status.conditions.push_back({name, objects.symbols.intern("True"), objects.symbols.intern(reason), {}, at});
  }

  void apply(const Json& step) {
    const std::string what = step.at("what");
    const std::string name = step.at("pod");
    Pod* pod = find(name);
    if (pod == nullptr) return;  // created after the dump
    const Instant at = started_.plus_nanos(static_cast<std::int64_t>(step.at("t").get<double>() * 1e9));
    const bool goes_on = input_ == Input::afterwards;  // only this input can show that a victim ended by itself
    if (what == "event Preempted") {
      ClusterEvent event;
      event.meta.name = objects.symbols.intern(fmt::format("e{}", objects.events.size()));
      event.meta.ns = pod->meta.ns;
      event.regarding = {objects.symbols.intern("Pod"), pod->meta.ns, pod->meta.name, pod->meta.uid};
      event.reason = objects.symbols.intern("Preempted");
      event.note = objects.symbols.intern(step.at("note").get<std::string>());
      event.time = parse_instant(step.at("at").get<std::string>());
      objects.events.push_back(std::move(event));
      const bool first =
          std::none_of(recorded.begin(), recorded.end(), [&](const Recorded& r) { return r.victim == name; });
      const std::string note = step.at("note");
      if (first) recorded.push_back({name, step.at("by"), note.substr(note.rfind(' ') + 1)});
    } else if (what == "bound") {
      pod->spec.node_name = objects.symbols.intern(step.at("node").get<std::string>());
      condition(*pod, "PodScheduled", "", at);
    } else if (what == "nominated") {
      pod->status.nominated_node_name = objects.symbols.intern(step.at("node").get<std::string>());
    } else if (what == "nomination cleared") {
      pod->status.nominated_node_name = {};
    } else if (what == "disruption-target" && goes_on) {
      condition(*pod, "DisruptionTarget", step.at("reason").get<std::string>(), at);
    } else if (what == "deleting" && goes_on) {
      pod->meta.deleting = parse_instant(step.at("until").get<std::string>());
      pod->meta.deletion_grace_seconds = step.at("grace").get<std::int64_t>();
    } else if (what == "gone") {
      gone_.push_back(name);
    }
  }

  Input input_;
  Instant started_;
  std::vector<std::string> gone_;
};

struct Score {
  std::size_t victims = 0;
  std::map<Verdict, std::size_t> verdicts;
  std::vector<std::string> wrong;
};

void score_case(const Case& c, Input input, Score& score) {
  Incident incident(c, input);
  if (incident.recorded.empty()) return;
  Question question = test::question_of(c, test::json_of(c.folder / "case.json"), incident.objects);
  for (const Recorded& recorded : incident.recorded) {
    const auto say = [&](const std::string& what) {
      score.wrong.push_back(fmt::format("{} {}: {}", c.folder.filename().string(), recorded.victim, what));
    };
    ++score.victims;
    const auto found =
        post_mortem({incident.objects, Snapshot(incident.objects), question, "kube"}, recorded.victim, "default");
    if (!found) {
      say(found.error().message);
      continue;
    }
    ++score.verdicts[found->verdict];
    if (!found->disruption || !found->disruption->by) {
      say("no preemptor");
      continue;
    }
    const Named& by = *found->disruption->by;
    // The preemptor was created after the dump and is known only by its UID.
    if (by.pod ? by.text() != recorded.by : by.uid.empty()) say(fmt::format("by {}, not {}", by.text(), recorded.by));
    if (found->disruption->node != recorded.node)
      say(fmt::format("on {}, not {}", found->disruption->node, recorded.node));
    if (found->verdict == Verdict::unexpected) say("unexpected: " + found->why);
    if (input == Input::both && by.pod && found->verdict != Verdict::expected) {
      say(fmt::format("{}: {}", verdict_name(found->verdict), found->why));
    }
  }
}

void score_all(const std::vector<Case>& cases, Input input) {
  Score score;
  for (const Case& c : cases) {
    if (c.family() == "cluster") score_case(c, input, score);
  }
  for (const std::string& line : score.wrong) UNSCOPED_INFO(line);
  INFO(fmt::format("{} victims: {} expected, {} unclear, {} unexpected", score.victims,
                   score.verdicts[Verdict::expected], score.verdicts[Verdict::unclear],
                   score.verdicts[Verdict::unexpected]));
  if (std::getenv("PREVICT_SCORE") != nullptr) {
    std::cout << fmt::format("{} victims: {} expected, {} unclear, {} unexpected\n", score.victims,
                             score.verdicts[Verdict::expected], score.verdicts[Verdict::unclear],
                             score.verdicts[Verdict::unexpected]);
  }
  CHECK(score.wrong.empty());
}

TEST_CASE("post-mortem: every real preemption is found, and judged as expected given the earlier state",
          "[golden][history]") {
  const std::vector<Case> cases = test::cases_in_fixtures();
  REQUIRE(cases.size() >= 50);
  score_all(cases, Input::both);
  score_all(cases, Input::afterwards);
}

TEST_CASE("post-mortem: so is every real preemption next to the project", "[golden][history]") {
  const std::vector<Case> cases = test::cases_beside();
  score_all(cases, Input::both);
  score_all(cases, Input::afterwards);
}

// Dumps that kubectl took during a real preemption. They hold no events: only the nomination, if there is one yet,
// identifies the preemptor.
TEST_CASE("post-mortem: preemptions in progress are found by the conditions of their victims", "[golden][history]") {
  std::size_t inferred = 0;
  std::size_t victims = 0;
  std::vector<Case> cases = test::cases_in_fixtures();
  for (const Case& c : test::cases_beside()) cases.push_back(c);
  for (const Case& c : cases) {
    const std::filesystem::path dump = c.folder / "dump-mid.yaml";
    if (!std::filesystem::exists(dump)) continue;
    INFO(dump.string());
    std::multimap<std::string, std::string> recorded;  // by victim
    const Json expected = test::json_of(c.folder / "expected.json");
    for (const Json& step : expected.at("timeline")) {
      if (step.at("what") == "event Preempted")
        recorded.emplace(step.at("pod").get<std::string>(), step.at("by").get<std::string>());
    }
    Objects objects;
    REQUIRE(load({dump.string()}, {}, objects));
    Question question = test::question_of(c, test::json_of(c.folder / "case.json"), objects);
    question.now = objects.newest;
    const auto all = post_mortems({objects, Snapshot(objects), question, "kube"}, "");
    REQUIRE(all);
    for (const PostMortem& each : *all) {
      INFO(each.pod.text() << ": " << each.why);
      ++victims;
      CHECK(recorded.contains(each.pod.text()));
      CHECK(each.verdict != Verdict::unexpected);
      if (!each.disruption->by) continue;
      ++inferred;
      const auto [first, last] = recorded.equal_range(each.pod.text());
      CHECK(std::any_of(first, last, [&](const auto& r) { return r.second == each.disruption->by->text(); }));
    }
  }
  if (std::getenv("PREVICT_SCORE") != nullptr)
    std::cout << fmt::format("{} victims, {} preemptors inferred\n", victims, inferred);
  CHECK(victims > 0);
  CHECK(inferred > 0);
}

}  // namespace
}  // namespace previct::history
