// Random configurations for the cases in fixtures: whatever plugins a profile runs, and at whatever extension points,
// there is a consistent answer, or a refusal with its position. The cases of the real scheduler (kube-config) check
// whether the answer is right.
#include "analysis/subject.h"
#include "api/load.h"
#include "base/contains.h"
#include "engine/kube/plugins.h"
#include "golden/cases.h"
#include "tell/tell.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <random>

namespace previct::test {
namespace {

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  auto below(std::size_t n) -> std::size_t { return n == 0 ? 0 : engine_() % n; }
  auto once_in(std::size_t n) -> bool { return below(n) == 0; }

 private:
  std::mt19937 engine_;
};

auto some_plugins(Random& random, kube::Point point) -> std::string {
  std::string list;
  for (const kube::PluginInfo& plugin : kube::plugins()) {
    const bool known = plugin.home != kube::PluginInfo::Home::published || plugin.name == "PreemptionToleration";
    if (!known || !plugin.implements(point) || !random.once_in(3)) continue;
    list += fmt::format("{}{{name: {}}}", list.empty() ? "" : ", ", plugin.name);
  }
  return list;
}

auto some_configuration(Random& random) -> std::string {
  std::string text =
      "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\nprofiles:\n- plugins:\n";
  for (const kube::PointInfo& point : kube::points()) {
    if (!random.once_in(3)) continue;
    text += fmt::format("    {}: {{disabled: [{}], enabled: [{}]}}\n", point.field,
                        random.once_in(4) ? "{name: '*'}" : some_plugins(random, point.point),
                        random.once_in(2) ? some_plugins(random, point.point) : "");
  }
  if (random.once_in(3)) text += "    multiPoint: {enabled: [{name: PreemptionToleration}]}\n";
  for (const char* plugin : {"DefaultPreemption", "PreemptionToleration"}) {
    if (plugin[0] == 'D') text += "  pluginConfig:\n";
    text += fmt::format("  - name: {}\n    args: {{minCandidateNodesPercentage: {}, minCandidateNodesAbsolute: {}}}\n",
                        plugin, random.below(3) * 50, random.below(3));
  }
  return text;
}

void check_answer(const Answer& answer, const Snapshot& cluster, const Question& q) {
  CHECK_FALSE(answer.sentence.empty());
  const PodId pod = cluster.find_pod(q.ns, q.name);
  for (const Victim& victim : answer.victims)
    CHECK(cluster.pod(victim.pod).spec.priority < cluster.pod(pod).spec.priority);
  if (answer.outcome == Outcome::preempts) {
    CHECK_FALSE(answer.victims.empty());
    CHECK_FALSE(answer.node.empty());
    CHECK(contains(cluster.names(answer.tied), answer.node));
  }
  if (answer.outcome == Outcome::fits) CHECK_FALSE(answer.feasible.empty());
  if (answer.outcome == Outcome::unknown) {
    CHECK(std::any_of(answer.gaps.begin(), answer.gaps.end(), [](const Gap& gap) { return gap.decides; }));
  }
}

}  // namespace

TEST_CASE("random plugin configurations: get a consistent answer, or a refusal with its position", "[golden]") {
  std::vector<Case> cases = cases_in_fixtures();
  std::erase_if(cases, [](const Case& c) { return c.family() != "kube"; });
  REQUIRE_FALSE(cases.empty());
  Random random(20261122);
  std::size_t answered = 0;
  std::size_t refused = 0;
  for (int i = 0; i < 60; ++i) {
    const Case& c = cases[random.below(cases.size())];
    const Json asked = json_of(c.folder / "case.json");
    Objects objects;
    REQUIRE(load({(c.folder / "dump.yaml").string()}, {}, objects));
    const Snapshot cluster(objects);
    const Result<Subject> subject = find_subject(cluster, asked.at("pod").get<std::string>(), "default");
    REQUIRE(subject);
    const Result<const Engine*> engine = choose_engine(engines(), "kube", cluster, *subject);
    REQUIRE(engine);
    for (int k = 0; k < 8; ++k) {
      Question q;
      q.ns = subject->ns;
      q.name = subject->name;
      q.now = parse_instant(asked.at("now").get<std::string>()).value_or(Instant{});
      const std::string text = some_configuration(random);
      INFO(c.folder.string() << "\n" << text);
      q.scheduler_config = ConfigFile{objects.files.add("scheduler.yaml"), text};
      const Result<Answer> answer = explain(**engine, cluster, q);
      if (answer) {
        ++answered;
        check_answer(*answer, cluster, q);
      } else {
        ++refused;
        CHECK(answer.error().place.line > 0);
        CHECK_FALSE(answer.error().message.empty());
      }
    }
  }
  CHECK(answered > 100);
  CHECK(refused > 20);
}

}  // namespace previct::test
