// `lint --fix` does not change decisions, unless it fixes a policy that had no effect as written. Checked with the
// cases of all schedulers, for every pending pod.

#include "lint/fix.h"

#include "analysis/equivalence.h"
#include "api/load.h"
#include "base/contains.h"
#include "golden/cases.h"
#include "lint/linter.h"
#include "support/scratch.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <iostream>

namespace previct::test {
namespace {

/// Rules about annotations that are not read as written, and about settings that have another effect: once fixed, they
/// take effect.
constexpr std::array<std::string_view, 3> kMakeCount = {"PT002", "PT006", "YK006"};

struct Fixed {
  std::string text;
  bool makes_count = false;
};

/// None: there is nothing to fix.
auto fixed(const std::string& dump) -> std::optional<Fixed> {
  lint::Tree tree;
  tree.read_text("dump.yaml", dump);
  tree.finish({}, true);
  const Findings findings = lint::lint(tree, {}, {});
  const std::vector<lint::FixedText> texts = fixed_texts(findings, tree);
  if (texts.empty()) return std::nullopt;
  const bool makes_count = std::any_of(findings.items.begin(), findings.items.end(),
                                       [](const Finding& each) { return contains(kMakeCount, each.rule); });
  return Fixed{texts.front().after, makes_count};
}

}  // namespace

TEST_CASE("lint --fix: does not change correct decisions", "[golden][lint]") {
  const Scratch scratch;
  std::vector<Case> cases = cases_in_fixtures();
  for (const std::vector<Case>& more : {cases_beside(), newer_cases_beside()})
    cases.insert(cases.end(), more.begin(), more.end());
  std::size_t changed = 0;
  std::size_t counts_now = 0;
  for (const Case& c : cases) {
    const auto after = fixed(text_of(c.folder / "dump.yaml"));
    if (!after) continue;
    INFO(c.folder.string());
    ++changed;
    if (after->makes_count) {
      ++counts_now;
      continue;
    }
    Objects objects;
    Objects again;
    REQUIRE(load({(c.folder / "dump.yaml").string()}, {}, objects));
    REQUIRE(load({scratch.file("fixed.yaml", after->text)}, {}, again));
    const std::string engine = c.family() == "kai" || c.family() == "yunikorn" ? c.family() : "kube";
    const Json asked = json_of(c.folder / "case.json");
    Question before = question_of(c, asked, objects);
    Question then = question_of(c, asked, again);
    before.brief = then.brief = true;
    const std::vector<std::string> subjects = pending_names(objects, "");
    const auto is = evaluate_cluster(objects, before, engine, subjects);
    const auto will_be = evaluate_cluster(again, then, engine, subjects);
    REQUIRE(is.has_value() == will_be.has_value());
    if (!is) continue;
    const auto same = [](std::string_view name) { return std::string(name); };
    for (const Disagreement& each : disagreements(*is, *will_be, same))
      FAIL_CHECK(each.pod << ": " << each.before << " -> " << each.after);
  }
  CHECK(changed > counts_now);
  std::cout << "    fixed: " << changed << " dumps, " << counts_now << " of them with a policy that counts only now\n";
}

}  // namespace previct::test
