#include "base/text.h"
#include "support/yunikorn.h"

#include <algorithm>
#include <map>
#include <vector>

using namespace previct;
using namespace previct::test;

namespace {

/// A candidate on node n: milli-CPU, priority, minute of creation.
struct DesignPod {
  std::string name;
  int cpu;
  int priority = 1;
  int minute = 0;
  bool opted_out = false;
};

/// A running pod of a DaemonSet for node n, which is never a candidate.
auto running_daemon_pod(int cpu) -> std::string {
  YunikornPod p;
  p.name = "fill";
  p.cpu = fmt::format("{}m", cpu);
  p.meta = R"("ownerReferences": [{"kind": "DaemonSet", "name": "f", "uid": "uf"}], )";
  p.spec =
      R"("affinity": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [{"matchFields": [{"key": "metadata.name", "operator": "In", "values": ["n"]}]}]}}}, )";
  return pod(p);
}

struct DesignAnswer {
  std::string sentence;
  std::string victims;  ///< `a b`, sorted; `-`: none
};

/// Returns the answer for a pod of a DaemonSet that requests 1000m on a node of which `free` milli-CPU are free.
auto design_answer(const std::vector<DesignPod>& candidates, const std::string& settings, int free = 0)
    -> DesignAnswer {
  int used = free;
  std::string manifests = node("n");
  for (const DesignPod& c : candidates) {
    used += c.cpu;
    YunikornPod p{.name = c.name, .cpu = fmt::format("{}m", c.cpu), .priority = c.priority, .minute = c.minute};
    if (c.opted_out) p.meta = R"("annotations": {"yunikorn.apache.org/allow-preemption": "false"}, )";
    manifests += pod(p);
  }
  Asked asked(manifests + running_daemon_pod(4000 - used) + daemon("1"));
  asked.question.yunikorn_mode = "design-1.5.1";
  asked.assume("kind: Assumptions\nyunikorn: {design: {" + settings + "}}\n");
  const Answer answer = asked.explain("d");
  std::vector<std::string> names;
  for (const Victim& victim : answer.victims)
    names.emplace_back(asked.cluster->text(asked.cluster->pod(victim.pod).meta.name));
  std::sort(names.begin(), names.end());
  return {answer.sentence, names.empty() ? "-" : joined(names, " ")};
}

struct DesignScene {
  std::string about;
  std::vector<DesignPod> candidates;
  std::string settings;
  std::string by_zones;
  std::string by_sizes;
  int free = 0;
};

}  // namespace

// The pod requests 1000m, so a candidate of 1090m deviates by 9 %. Unless a scene says otherwise, the limits are 10 %
// and three victims, and the strategies are single, then multiple.
TEST_CASE("yunikorn design mode: scenes of the strategies, in both readings of the document", "[yunikorn]") {
  const std::string multiple_single = "preemption_victim_pods_selection_strategy: 'multiple,single'";
  const std::vector<DesignScene> scenes = {
      {"the nearest of one zone: 5 % and 2 %", {{"a", 1050}, {"b", 1020}}, "", "b", "b"},
      {"9 % of the lower priority, 1 % of the higher", {{"a", 1090, 1}, {"b", 1010, 2}}, "", "a", "b"},
      {"9 % of the younger pod, 1 % of the older", {{"a", 1090, 1, 10}, {"b", 1010, 1, 0}}, "", "a", "b"},
      {"15 % and 20 %: several, and one is enough", {{"a", 1150, 1}, {"b", 1200, 2}}, "", "a", "b"},
      {"10 % is within 10 %", {{"a", 1100}}, "", "a", "a"},
      {"5 % too small is not enough", {{"a", 950}, {"b", 1080}}, "", "b", "b"},
      {"950 + 200", {{"a", 950}, {"b", 200}}, "", "a b", "a b"},
      {"by zones 400 + 300 + 900, by sizes 900 + 400",
       {{"a", 300, 1}, {"b", 400, 1}, {"c", 900, 2}},
       "",
       "a b c",
       "b c"},
      {"by zones 3 x 300 + 900 are four, by sizes 900 + 300 are two",
       {{"a", 300, 1}, {"b", 300, 1}, {"c", 300, 1}, {"e", 900, 2}},
       "",
       "-",
       "a e"},
      {"600 together", {{"a", 300}, {"b", 300}}, "", "-", "-"},
      {"regular pods come before those that opted out", {{"a", 1000, 0, 0, true}, {"b", 1090, 9}}, "", "b", "b"},
      {"one that opted out is better than none", {{"a", 1000, 0, 0, true}}, "", "a", "a"},
      {"multiple first: the largest of the zone is enough",
       {{"a", 500}, {"b", 600}, {"c", 1000}},
       multiple_single,
       "c",
       "c"},
      {"multiple first, at most one: by zones two, so single",
       {{"a", 600, 1}, {"b", 1050, 2}},
       multiple_single + ", max_victims: 1",
       "b",
       "b"},
      {"single alone, 50 % off", {{"a", 1500}}, "preemption_victim_pods_selection_strategy: single", "-", "-"},
      {"50 % is within 50 %",
       {{"a", 1500}},
       "preemption_victim_pods_selection_strategy: single, deviation_percent: 50",
       "a",
       "a"},
      {"ascending: 200 + 300 + 900",
       {{"a", 200}, {"b", 300}, {"c", 900}},
       "multiple_order: ascending",
       "a b c",
       "a b c"},
      {"500 free count: 600 is enough", {{"a", 600}}, "count_free: true", "a", "a", 500},
      {"500 free do not count: 600 is not enough", {{"a", 600}}, "", "-", "-", 500},
      {"0 %: only the exact size", {{"a", 1000, 2}, {"b", 1001, 1}}, "deviation_percent: 0", "a", "a"},
      {"three needed, two allowed", {{"a", 400}, {"b", 400}, {"c", 400}}, "max_victims: 2", "-", "-"},
      {"of equal sizes the youngest", {{"a", 600, 1, 10}, {"b", 600, 1, 0}, {"c", 600, 1, 5}}, "", "a c", "a c"}};
  for (const DesignScene& scene : scenes) {
    INFO(scene.about);
    const std::string more = scene.settings.empty() ? "" : ", " + scene.settings;
    const DesignAnswer by_zones = design_answer(scene.candidates, "order: zones" + more, scene.free);
    CHECK(by_zones.victims == scene.by_zones);
    CHECK(design_answer(scene.candidates, "order: sizes" + more, scene.free).victims == scene.by_sizes);
    const bool said = by_zones.sentence.find("by the other reading of the document") != std::string::npos;
    CHECK(said == (scene.by_zones != scene.by_sizes));
  }
}

TEST_CASE("yunikorn design mode: the answer says why a strategy selects no pod", "[yunikorn]") {
  const auto sentence = [](const std::vector<DesignPod>& candidates, const std::string& settings) {
    const std::string all = design_answer(candidates, settings).sentence;
    return all.substr(0, all.find(" (1.5.1"));
  };
  CHECK(sentence({{"a", 1125}}, "preemption_victim_pods_selection_strategy: single") ==
        "stays pending for its node n: single: ns/a has the smallest deviation of those that suffice alone, 12.5 %, "
        "which is more than 10 %");
  CHECK(sentence({{"a", 400}, {"b", 400}, {"c", 400}}, "max_victims: 2") ==
        "stays pending for its node n: single: no candidate suffices alone; multiple: 3 victims would suffice, which "
        "is more than 2");
  CHECK(sentence({{"a", 400}}, "") ==
        "stays pending for its node n: single: no candidate suffices alone; multiple: all candidates together do not "
        "suffice");
}

TEST_CASE("yunikorn design mode: an unknown age of the reservation is reported if a start delay counts", "[yunikorn]") {
  // It is noon. The pod was created at 11:00, and its reservation is younger than that.
  const std::vector<DesignPod> one = {{"a", 1000}};
  CHECK(design_answer(one, "preemption_start_delay: 30s")
            .sentence.find("the start delay is assumed to have passed, and will have passed by 12:00:30") !=
        std::string::npos);
  CHECK(design_answer(one, "preemption_start_delay: 2h")
            .sentence.starts_with("waits for its node n: preemption starts after 13:00:00 (in 1h) at the earliest: the "
                                  "reservation is younger than "
                                  "the pod"));
  CHECK(design_answer(one, "preemption_start_delay: 30s, reservation_created: '2026-05-01T11:59:00Z'").sentence ==
        "would preempt ns/a on its node n by strategy single (1.5.1 design document, not in any release)");
}

TEST_CASE("yunikorn design mode: pods that are gone already, and those of DaemonSets, are spared", "[yunikorn]") {
  // Each pod of 1000m would be enough. [A4] a was preempted before and b was released, so that c of higher priority is.
  Asked asked(node("n") + pod({.name = "a"}) + pod({.name = "b"}) + pod({.name = "c", .priority = 1}) +
              running_daemon_pod(1000) + daemon("1"));
  asked.question.yunikorn_mode = "design-1.5.1";
  asked.question.documents = true;
  asked.assume("kind: Assumptions\nyunikorn: {preempted: [ns/a], released: [ns/b]}\n");
  const Answer answer = asked.explain("d");
  REQUIRE(answer.victims.size() == 1);
  CHECK(asked.cluster->key(answer.victims[0].pod) == "ns/c");
  std::map<std::string, std::string_view> spared;
  for (const Tolerating& each : answer.tolerating) spared[asked.cluster->key(each.pod)] = each.rule;
  CHECK(spared == std::map<std::string, std::string_view>{{"ns/a", "yunikorn.spared.already-preempted"},
                                                          {"ns/b", "yunikorn.spared.already-preempted"},
                                                          {"ns/fill", "yunikorn.spared.daemonset"}});
  const Json& counts = answer.evidence.at("counts");
  CHECK(counts.at("allocations") == 4);
  CHECK(counts.at("daemonSet") == 1);
  CHECK(counts.at("alreadyGone") == 2);
}

TEST_CASE("yunikorn design mode: preemption starts in the second after the delay", "[yunikorn]") {
  // The age must exceed the delay: at 12:00:00 it is 30 s.
  Asked asked(node("n") + node("m") + pod({.name = "w", .cpu = "4"}) + daemon("4"));
  asked.question.yunikorn_mode = "design-1.5.1";
  asked.assume(
      "kind: Assumptions\nyunikorn: {design: {preemption_start_delay: 30s, reservation_created: "
      "'2026-05-01T11:59:30Z'}}\n");
  const Answer answer = asked.explain("d");
  CHECK(answer.outcome == Outcome::not_eligible);
  CHECK(answer.next_change == parse_instant("2026-05-01T12:00:01Z"));
}

TEST_CASE("yunikorn design mode: ConfigMaps hold settings of the document", "[yunikorn]") {
  // 3 x 400m are needed for 1000m.
  const auto asked_with = [](const std::string& value) {
    std::string pods;
    for (const char* name : {"a", "b", "c"}) pods += pod({.name = name, .cpu = "400m"});
    Asked asked(node("n") + pods + running_daemon_pod(2800) + daemon("1") +
                R"({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "yunikorn-configs", "namespace": )"
                R"("yunikorn"}, "data": {"max_victims": ")" +
                value + "\"}}\n");
    asked.question.yunikorn_mode = "design-1.5.1";
    return asked;
  };
  CHECK(asked_with("3").explain("d").victims.size() == 3);
  CHECK(asked_with("2").explain("d").victims.empty());
  CHECK(asked_with("two").failure("d").message == "max_victims: expected an integer, 0 or more, found \"two\"");
}
