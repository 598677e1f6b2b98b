#include "engine/gap.h"
#include "support/generated_page.h"
#include "tell/gap_words.h"
#include "tell/words_page.h"

#include <catch2/catch.hpp>

#include <set>

using namespace previct;

TEST_CASE("docs/words.md: is the catalogue of all words", "[tell][manual]") {
  test::check_generated_page("words.md", words_page());
}

TEST_CASE("gap words: hold their operands unchanged, and of a long text the start and the end", "[tell]") {
  CHECK(gap_words({GapRule::missing, {"PodDisruptionBudget", "every eviction is assumed to be allowed"}}) ==
        "not in the input: PodDisruptionBudget; every eviction is assumed to be allowed");
  const std::string selector(10'000, 'x');
  const std::string words = gap_words({GapRule::class_expression, {"spec", "gpu", "", selector}});
  CHECK(words.size() < 600);
  CHECK(words.ends_with("xxx\" of DeviceClass gpu is not evaluated"));
  CHECK(gap_words({GapRule::whole_grace}) == "assumed: deleted pods use their full grace period");
  CHECK(what_words({GapRule::grace_over, {"1"}}) == "1 terminating pod whose grace period is over");
  CHECK(what_words({GapRule::grace_over, {"3"}}) == "3 terminating pods whose grace period is over");
  CHECK(what_words({GapRule::webhooks, {"a, b", "2"}}) == "the changes that mutating webhooks a, b make to new pods");
  CHECK(what_words({GapRule::webhooks, {"a", "1"}}) == "the changes that mutating webhook a makes to new pods");
  // A name may contain text that looks like an operand.
  CHECK(what_words({GapRule::filter_plugin, {"{0} {1|a|b}"}}) == "{0} {1|a|b}");
}

TEST_CASE("gap words: a missing reason for an unknown answer is built from the gap", "[tell]") {
  CHECK(because_words({GapRule::missing, {"Pod", ""}}) == "Pod is not in the input");
  // The input has manifests of the kind: it is not missing, but the cluster may have more.
  Gap manifests{GapRule::missing, {"Queue", "previct assumes that the cluster has no others"}};
  manifests.manifests_only = true;
  CHECK(because_words(manifests) == "the input has only manifests of Queue, and the cluster may have others");
  CHECK(gap_words(manifests) == "only manifests in the input: Queue; previct assumes that the cluster has no others");
  manifests.rule = GapRule::missing_volume;
  manifests.operands = {"PersistentVolume", "", "data"};
  CHECK(because_words(manifests) ==
        "the pod uses the claim data, but the input has only manifests of PersistentVolume");
  CHECK(because_words({GapRule::missing_nodes, {"Node", ""}}) == "the input has no nodes");
  CHECK(because_words({GapRule::post_filter, {"Mine"}}) == "PostFilter plugin Mine is not modeled");
  CHECK(because_words({GapRule::yunikorn_place_too_late}) ==
        "the pod is a placeholder for a gang that no longer allocates placeholders");
}

TEST_CASE("gap words: a missing kind is reported once, whatever follows from it", "[tell]") {
  std::vector<Gap> gaps;
  add_gaps({{GapRule::missing, {"ConfigMap", "a"}}, {GapRule::kai_config_maps_exist, {"ConfigMap"}}}, gaps);
  CHECK(gaps.size() == 1);
  add_gaps({{GapRule::missing, {"Topology", "a"}}, {GapRule::filter_plugin, {"x"}}, {GapRule::filter_plugin, {"y"}}},
           gaps);
  CHECK(gaps.size() == 4);
}

// Each pattern is used with the number of operands that it names: {n}, {n|one|many}, {n?one|many}.
TEST_CASE("gap words: the catalogue's lines are well formed and have unique names", "[tell]") {
  std::set<std::string_view> names;
  for (const GapRow& row : gap_rows()) {
    INFO(row.name);
    CHECK(names.insert(row.name).second);
    CHECK_FALSE(row.what.empty());
    for (std::string_view pattern : {row.what, row.follows, row.because}) {
      for (std::size_t at = pattern.find('{'); at != std::string_view::npos; at = pattern.find('{', at + 1)) {
        const std::size_t end = pattern.find('}', at);
        REQUIRE(end != std::string_view::npos);
        const std::string_view field = pattern.substr(at + 1, end - at - 1);
        REQUIRE_FALSE(field.empty());
        CHECK((field.front() >= '0' && field.front() <= '9'));
        const bool word = field.size() > 1 && (field[1] == '|' || field[1] == '?') && field.find('|', 2) < field.size();
        CHECK((field.size() == 1 || word));
      }
    }
  }
}
