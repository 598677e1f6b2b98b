// Anonymized dumps lead to the same decisions: for the cases of all schedulers, about every pending pod, including
// protections. For a dump with one case, both sides are asked the question of the case.

#include "analysis/equivalence.h"
#include "api/load.h"
#include "capture/renaming.h"
#include "golden/cases.h"
#include "support/scratch.h"

#include <catch2/catch.hpp>

#include <iostream>

namespace previct::test {

TEST_CASE("anonymize: every pod gets the same decision as before", "[golden][anonymize]") {
  const Scratch scratch;
  std::vector<Case> cases = cases_in_fixtures();
  if (std::getenv("PREVICT_ALL") != nullptr) {
    const std::vector<Case> beside = cases_beside();
    cases.insert(cases.end(), beside.begin(), beside.end());
  }
  std::size_t pods = 0;
  std::size_t dumps = 0;
  for (const Case& c : cases) {
    Objects objects;
    auto loaded = load({(c.folder / "dump.yaml").string()}, {}, objects);
    if (!loaded) continue;
    const std::string engine = c.family() == "cluster" ? "kube" : c.family();
    Question question = question_of(c, json_of(c.folder / "case.json"), objects);
    question.brief = true;
    INFO(c.folder.string());
    const auto renaming = capture::Renaming::of(objects, question);
    if (!renaming) continue;
    const Capture manifest = capture::manifest_of(objects, nullptr, {});
    const auto text = capture::text_of(objects, question, manifest, *renaming);
    REQUIRE(text);
    Objects again;
    auto reloaded = load({scratch.file("safe.jsonl", *text)}, {}, again);
    INFO((reloaded ? "" : reloaded.error().message));
    REQUIRE(reloaded);
    const auto rename = [&](std::string_view name) { return renaming->name_of(name); };
    Question other = question;
    static_cast<Configurations&>(other) = *reloaded;
    other.shard = rename(question.shard);
    const std::vector<std::string> subjects = pending_names(objects, "");
    std::vector<std::string> renamed;
    for (const std::string& subject : subjects) renamed.push_back(renamed_key(subject, rename));
    const auto before = evaluate_cluster(objects, question, engine, subjects);
    const auto after = evaluate_cluster(again, other, engine, renamed);
    REQUIRE(before.has_value() == after.has_value());
    if (!before) continue;
    for (const Disagreement& each : disagreements(*before, *after, rename)) {
      FAIL_CHECK(c.folder.string() << ": " << each.pod << ": " << each.before << " -> " << each.after);
    }
    pods += subjects.size();
    ++dumps;
  }
  CHECK(dumps > 100);
  std::cout << "    anonymized: " << pods << " pods of " << dumps << " dumps are decided about as before\n";
}

}  // namespace previct::test
