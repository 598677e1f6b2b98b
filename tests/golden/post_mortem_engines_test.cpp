// Post-mortems of preemptions by KAI and YuniKorn: the dumps of the agreement suites, with the evictions that the
// schedulers' own code decided on them (expected.json), in the words that those schedulers write. Each must be found,
// with action and preemptor, and repeating the decision on the earlier state must give the same result.
//
// Source of the words: kai-scheduler/KAI-Scheduler pkg/scheduler/api/unschedule_info.go; apache/yunikorn-core
// pkg/scheduler/objects/events/ask_events.go SendPreemptedByScheduler.

#include "api/load.h"
#include "golden/cases.h"
#include "history/post_mortem.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace previct::history {
namespace {

using test::Case;

struct Eviction {
  std::string pod;
  std::string action;  ///< of KAI
};

/// The decision of one case; no evictions: none is certain, or none is of this kind.
struct Decided {
  std::string by;  ///< `ns/name` of a PodGroup or a pod
  std::vector<Eviction> evictions;
};

auto decided_by_kai(const Json& asked, const Json& expected) -> Decided {
  Decided decided{asked.at("podgroup"), {}};
  if (!expected.contains("outcomes") || expected["outcomes"].size() != 1) return decided;
  for (const Json& each : expected["outcomes"][0]["evictions"]) {
    const std::string action = each.at("action");
    const bool ours = each.value("preemptor", "") == decided.by && (action == "reclaim" || action == "preempt");
    if (!ours) return {decided.by, {}};
    decided.evictions.push_back({each.at("pod"), action});
  }
  return decided;
}

auto decided_by_yunikorn(const Json& asked, const Json& expected) -> Decided {
  Decided decided{asked.at("pending"), {}};
  if (asked.at("mode") == "yunikorn-design" || asked.contains("assume")) return decided;
  if (expected.value("outcome", "") != "preempted") return decided;
  Json victims = expected.value("victims", Json::array());
  if (expected.value("mode", "") == "queue") {
    if (expected["solutions"].size() != 1) return decided;
    victims = expected["solutions"][0].value("victims", Json::array());
  } else if (!expected["preemptor"].value("deterministic", true)) {
    return decided;
  }
  for (const Json& victim : victims) decided.evictions.push_back({victim, ""});
  return decided;
}

/// A dump with the traces of the decision on it.
class Traces {
 public:
  Traces(const Case& c, const Decided& decided, Instant at) : at_(at) {
    REQUIRE(load({(c.folder / "dump.yaml").string()}, {}, objects));
    for (const Eviction& each : decided.evictions) {
      Pod* pod = find(each.pod);
      REQUIRE(pod != nullptr);
      c.family() == "kai" ? report_of_group(*pod, each, decided.by) : report_of_pod(*pod, decided.by);
      pod->meta.deleting = at_.plus_seconds(kGrace);
      pod->meta.deletion_grace_seconds = kGrace;
    }
  }

  Objects objects;

 private:
  static constexpr std::int64_t kGrace = 30;

  auto find(const std::string& key) -> Pod* {
    for (Pod& pod : objects.pods) {
      if (fmt::format("{}/{}", objects.symbols.text(pod.meta.ns), objects.symbols.text(pod.meta.name)) == key)
        return &pod;
    }
    return nullptr;
  }
  void report(const ObjectReference& of, std::string_view reason, const std::string& note) {
    ClusterEvent event;
    event.meta.name = objects.symbols.intern(fmt::format("e{}", objects.events.size()));
    event.meta.ns = of.ns;
    event.regarding = of;
    event.reason = objects.symbols.intern(reason);
    event.note = objects.symbols.intern(note);
    event.time = at_;
    objects.events.push_back(std::move(event));
  }
  void report_of_group(const Pod& pod, const Eviction& eviction, const std::string& by) {
    const Symbol key = objects.symbols.intern("pod-group-name");
    const std::string victim =
        fmt::format("{}/{}", objects.symbols.text(pod.meta.ns), objects.symbols.text(pod.meta.name));
    const bool reclaims = eviction.action == "reclaim";
    report({objects.symbols.intern("PodGroup"), pod.meta.ns, pod.meta.annotations.get(key), {}}, "Evict",
           fmt::format("Pod {} was preempted by {} {}{}", victim, reclaims ? "workload" : "higher priority workload",
                       by, reclaims ? "." : ""));
  }
  void report_of_pod(const Pod& pod, const std::string& by) {
    const Pod* ask = find(by);
    REQUIRE(ask != nullptr);
    report({objects.symbols.intern("Pod"), pod.meta.ns, pod.meta.name, pod.meta.uid}, "Informational",
           fmt::format("Preempted by {} from application a in root.q", objects.symbols.text(ask->meta.uid)));
  }

  Instant at_;
};

auto cause_of(const std::string& action) -> Cause {
  return action == "reclaim" ? Cause::kai_reclaim : Cause::kai_preemption;
}

struct Judged {
  std::size_t decisions = 0;
  std::size_t victims = 0;
  std::vector<std::string> wrong;
};

void judge_case(const Case& c, Judged& judged) {
  if (c.folder.filename() == "stale-chunk-partly-pending") return;  // a node of its dump holds more than its capacity
  const Json asked = test::json_of(c.folder / "case.json");
  const Json expected = test::json_of(c.folder / "expected.json");
  const bool kai = c.family() == "kai";
  const Decided decided = kai ? decided_by_kai(asked, expected) : decided_by_yunikorn(asked, expected);
  if (decided.evictions.empty()) return;
  Objects unused;
  Question question = test::question_of(c, asked, unused);
  const Instant at = question.now;
  question.now = at.plus_seconds(10);
  Traces incident(c, decided, at);
  ++judged.decisions;
  for (const Eviction& eviction : decided.evictions) {
    ++judged.victims;
    const auto say = [&](const std::string& what) {
      judged.wrong.push_back(fmt::format("{}/{} {}: {}", c.suite, c.folder.filename().string(), eviction.pod, what));
    };
    const auto found =
        post_mortem({incident.objects, Snapshot(incident.objects), question, "auto"}, eviction.pod, "default");
    if (!found) {
      say(found.error().message);
      continue;
    }
    if (!found->disruption || !found->disruption->by || found->disruption->by->text() != decided.by) {
      say("another preemptor, or none");
    } else if (kai && found->disruption->cause != cause_of(eviction.action)) {
      say(fmt::format("{}, not {}", cause_id(found->disruption->cause), eviction.action));
    } else if (found->verdict != Verdict::expected) {
      say(fmt::format("{}: {}", verdict_name(found->verdict), found->why));
    }
  }
}

TEST_CASE("post-mortem: preemptions by KAI and YuniKorn are judged by repeating the decision", "[golden][history]") {
  for (const std::string family : {"kai", "yunikorn"}) {
    Judged judged;
    for (const Case& c : test::cases_in_fixtures()) {
      if (c.family() == family) judge_case(c, judged);
    }
    INFO(fmt::format("{}: {} decisions, {} victims", family, judged.decisions, judged.victims));
    for (const std::string& line : judged.wrong) UNSCOPED_INFO(line);
    CHECK(judged.wrong.empty());
    CHECK(judged.decisions >= 10);
  }
}

}  // namespace
}  // namespace previct::history
