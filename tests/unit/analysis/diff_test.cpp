#include "analysis/diff.h"

#include "support/cluster.h"
#include "support/kueue.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

namespace previct::test {

// New pods replace those of the earlier template, which is not simulated.
TEST_CASE("diff: what a rollout changes is not known", "[diff]") {
  const auto cluster = a_cluster({a_node("n1", "4"), a_pod("x/w-0").on("n1").yaml()});
  Stores before = static_cast<const Stores&>(cluster->objects);
  Question question;
  question.now = parse_instant("2026-03-02T12:00:00Z").value();
  const auto sentence = [&](std::vector<Gap> gaps) {
    const auto compared = diff({.objects = cluster->objects,
                                .before = before,
                                .sides = {{"before", question}, {"after", question}},
                                .subjects = {},
                                .remarks = {},
                                .now_source = "flag",
                                .input_gaps = std::move(gaps),
                                .arrivals = {}});
    REQUIRE(compared);
    return std::get<Line>(compared->report.blocks.front()).spans.front().text;
  };
  const Gap rollout{GapRule::rollout_of_change, {"the rollout of StatefulSet x/w", "its pod is not replaced"}};
  CHECK(sentence({}).starts_with("nothing differs"));
  CHECK(sentence({rollout}).starts_with(
      "cannot tell, because the rollout of StatefulSet x/w is not modeled. Without it: nothing differs"));
  CHECK(sentence({rollout, rollout}).starts_with("cannot tell, because 2 rollouts are not modeled (below)."));
}

// Priority admission sets the priority of a new pod: that of its class, without which the pod is refused, or that of
// the global default. Source: kubernetes v1.35 plugin/pkg/admission/priority/admission.go admitPod.
TEST_CASE("diff: a class that is added or removed decides about new pods", "[diff]") {
  const std::string usual = a_class("usual", 500) + "globalDefault: true\n";
  const auto cluster = a_cluster({a_node("n1", "4"), a_pod("x/w-0").on("n1").yaml(), a_class("low", 10), usual});
  static_cast<void>(cluster->objects.files.add("test.yaml"));  // the places of all objects are in it
  const Stores all = static_cast<const Stores&>(cluster->objects);
  const auto with_classes = [&](std::string_view names) {
    Stores some = all;
    std::erase_if(some.priority_classes, [&](const PriorityClass& each) {
      return names.find(cluster->objects.symbols.text(each.meta.name)) == std::string_view::npos;
    });
    return some;
  };
  const auto sentence = [&](std::string_view earlier, std::string_view later, std::string_view limits = {}) {
    Stores before = with_classes(earlier);
    static_cast<Stores&>(cluster->objects) = with_classes(later);
    if (!limits.empty()) {
      ObjectMeta& meta = cluster->objects.limit_ranges.emplace_back().meta;
      meta.name = cluster->objects.symbols.intern(limits);
      meta.source = cluster->objects.pods[PodId{0}].meta.source;
    }
    Question question;
    question.now = parse_instant("2026-03-02T12:00:00Z").value();
    const auto compared = diff({.objects = cluster->objects,
                                .before = before,
                                .sides = {{"before", question}, {"after", question}},
                                .subjects = {},
                                .remarks = {},
                                .now_source = "flag",
                                .input_gaps = {},
                                .arrivals = {}});
    REQUIRE(compared);
    return std::get<Line>(compared->report.blocks.front()).spans.front().text;
  };
  CHECK_THAT(sentence("low", "low usual"),
             Catch::EndsWith("; class usual is now the default of new pods, which get priority 500."));
  CHECK_THAT(sentence("low usual", "usual"), Catch::EndsWith("; new pods of class low are refused."));
  CHECK_THAT(
      sentence("low usual", "low"),
      Catch::EndsWith("; new pods of class usual are refused; class usual is no longer the default of new pods."));
  CHECK_THAT(sentence("low", "low", "limits"),
             Catch::EndsWith("; LimitRange/limits is added, which may change new pods."));
  // A dump without any class may have left them out: every cluster has system classes.
  CHECK_THAT(sentence("low usual", ""), Catch::StartsWith("nothing differs:"));
}

TEST_CASE("diff: the sentence names the kind of what is pending", "[diff][kueue]") {
  KueueAsked asked(flavor() + queue({}) + workload({.name = "w"}));
  Stores before = static_cast<const Stores&>(asked.objects);
  asked.question.now = parse_instant("2026-05-01T12:00:00Z").value();
  const auto compared = diff({.objects = asked.objects,
                              .before = before,
                              .sides = {{"before", asked.question}, {"after", asked.question}},
                              .engine = "kueue",
                              .subjects = {"workload/ns/w"},
                              .remarks = {},
                              .now_source = "flag",
                              .input_gaps = {},
                              .arrivals = {}});
  REQUIRE(compared);
  CHECK(std::get<Line>(compared->report.blocks.front())
            .spans.front()
            .text.find("1 pending workload decided in the same way") != std::string::npos);
}

// A brief decision leaves out what only a full answer shows, such as what other releases decide.
TEST_CASE("diff: of many pods, those that differ are decided like a single pod", "[diff]") {
  std::vector<std::string> documents = {a_node("n1", "4"), a_node("n2", "4"), a_pod("x/low").on("n2").cpu("3").yaml(),
                                        a_pod("x/high").on("n1").priority(100).cpu("3").yaml()};
  std::vector<std::string> subjects;
  for (std::size_t i = 0; i <= kDecidedInFull; ++i) {
    const std::string name = fmt::format("x/p{:03}", i);
    // The first of three fits nowhere; the second preempts, and then fits on n2; the third fits only then.
    documents.push_back(a_pod(name).priority(10).cpu(i % 3 == 0 ? "20" : i % 3 == 1 ? "4" : "5").yaml());
    subjects.push_back(name);
  }
  documents.push_back(a_node("larger", "9"));
  const auto cluster = a_cluster(documents);
  static_cast<void>(cluster->objects.files.add("test.yaml"));  // the places of all objects are in it
  auto& nodes = cluster->objects.nodes.items();
  const auto larger = nodes.back().status.allocatable;
  nodes.pop_back();
  Stores before = static_cast<const Stores&>(cluster->objects);
  nodes.back().status.allocatable = larger;  // of n2
  Question question;
  question.now = parse_instant("2026-03-02T12:00:00Z").value();
  const auto decisions = [&](std::vector<std::string> of) {
    const auto compared = diff({.objects = cluster->objects,
                                .before = before,
                                .sides = {{"before", question}, {"after", question}},
                                .subjects = std::move(of),
                                .remarks = {},
                                .now_source = "flag",
                                .input_gaps = {},
                                .arrivals = {}});
    REQUIRE(compared);
    return compared->report.data["decisions"];
  };
  const Json of_all = decisions(subjects);
  CHECK(of_all.size() == 67);  // p001, p002, p004, ... p100
  Json one_by_one = Json::array();
  for (const std::string& subject : subjects) {
    for (Json& decision : decisions({subject})) one_by_one.push_back(std::move(decision));
  }
  CHECK(of_all == one_by_one);
}

}  // namespace previct::test
