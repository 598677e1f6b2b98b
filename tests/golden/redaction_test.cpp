// Every pod of every kube case is evicted for a pod of another namespace: `why-preempted --hide-foreign` must not print
// a name of another namespace, in any format.

#include "api/load.h"
#include "golden/cases.h"
#include "history/post_mortem.h"
#include "report/format.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <set>
#include <utility>

namespace previct::history {
namespace {

using test::Case;
using Names = std::set<std::string, std::less<>>;

/// The names of an input by namespace, found without the redactor's own lists.
struct NamesOf {
  Names own;      ///< of the reader's namespace, and of the cluster
  Names foreign;  ///< of the others
};

auto names_of(const Objects& objects, Symbol ns) -> NamesOf {
  NamesOf names;
  const auto text = [&](Symbol symbol) { return std::string(objects.symbols.text(symbol)); };
  objects.each_store([&](std::string_view kind, const auto& store) {
    for (const auto& object : store) {
      Names& to = object.meta.ns == ns || text(object.meta.ns).empty() ? names.own : names.foreign;
      // These objects are cluster-scoped, but their names reveal other namespaces.
      if (kind == "Namespace" || kind == "PersistentVolume") continue;
      to.insert(text(object.meta.name));
    }
  });
  for (const Pod& pod : objects.pods) {
    if (pod.meta.ns != ns) names.foreign.insert(text(pod.meta.ns));
    Names& to = pod.meta.ns == ns ? names.own : names.foreign;
    for (const OwnerReference& owner : pod.meta.owners) to.insert(text(owner.name));
    for (const Volume& volume : pod.spec.volumes) to.insert(text(volume.claim.claim_name));
  }
  for (const PersistentVolumeClaim& claim : objects.persistent_volume_claims) {
    (claim.meta.ns == ns ? names.own : names.foreign).insert(text(claim.spec.volume_name));
  }
  names.own.insert(text(ns));
  for (const Pod& pod : objects.pods) names.own.insert(text(pod.meta.uid));  // they replace the names
  for (const std::string& name : names.own) names.foreign.erase(name);
  names.foreign.erase("");
  return names;
}

/// Returns the foreign names in a text, as whole words: `a-1` is not in `data-1`.
auto leaks(const std::string& text, const Names& foreign) -> std::vector<std::string> {
  constexpr std::string_view kOfNames = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";
  std::vector<std::string> found;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = text.find_first_of(kOfNames, at);
    if (begin == std::string::npos) break;
    const std::size_t end = std::min(text.find_first_not_of(kOfNames, begin), text.size());
    std::string_view word = std::string_view(text).substr(begin, end - begin);
    while (word.ends_with('.')) word.remove_suffix(1);
    if (foreign.contains(word))
      found.push_back(fmt::format("'{}' in {}", word, text.substr(begin < 60 ? 0 : begin - 60, 100)));
    at = end;
  }
  return found;
}

struct Tally {
  std::size_t cases = 0;
  std::size_t victims = 0;
  std::size_t texts = 0;
  std::vector<std::string> wrong;
};

/// Adds a condition and an event, as the scheduler writes them.
void take_away(Objects& objects, PodId victim, const Pod& by, Instant now) {
  Symbols& symbols = objects.symbols;
  Pod& pod = objects.pods[victim];
  const std::string node(symbols.text(pod.spec.node_name));
  pod.meta.deleting = now;
  Condition condition;
  condition.type = symbols.intern("DisruptionTarget");
  condition.status = symbols.intern("True");
  condition.reason = symbols.intern("PreemptionByScheduler");
  condition.last_transition = now;
  pod.status.conditions.push_back(condition);
  ClusterEvent event;
  event.meta.name = symbols.intern("preempted-by-another");
  event.meta.ns = pod.meta.ns;
  event.regarding = {symbols.intern("Pod"), pod.meta.ns, pod.meta.name, pod.meta.uid};
  event.reason = symbols.intern("Preempted");
  event.note = symbols.intern(fmt::format("Preempted by pod {} on node {}", symbols.text(by.meta.uid), node));
  event.time = now;
  objects.events.push_back(std::move(event));
}

void look_for_leaks(const Case& c, Tally& tally) {
  Objects objects;
  REQUIRE(load({(c.folder / "dump.yaml").string()}, {}, objects));
  const Question question = test::question_of(c, test::json_of(c.folder / "case.json"), objects);
  bool counted = false;
  for (const PodId victim : objects.pods.ids()) {
    if (objects.symbols.text(objects.pods[victim].spec.node_name).empty()) continue;
    const Symbol ns = objects.pods[victim].meta.ns;
    const auto by = std::find_if(objects.pods.begin(), objects.pods.end(), [&](const Pod& pod) {
      return pod.meta.ns != ns && objects.symbols.text(pod.spec.node_name).empty();
    });
    if (by == objects.pods.end()) continue;
    tally.cases += std::exchange(counted, true) ? 0U : 1U;
    const Pod before = objects.pods[victim];
    take_away(objects, victim, *by, question.now);
    const std::string name =
        fmt::format("{}/{}", objects.symbols.text(ns), objects.symbols.text(objects.pods[victim].meta.name));
    const auto found = post_mortem({objects, Snapshot(objects), question, "kube", true}, name, "default");
    if (found) {
      ++tally.victims;
      const NamesOf names = names_of(objects, ns);
      const Snapshot cluster(objects);
      Report report =
          post_mortem_report(*found, {.cluster = cluster, .now = question.now, .now_source = "flag", .input_gaps = {}});
      std::vector<Named> named = found->others;
      if (found->disruption && found->disruption->by) named.push_back(*found->disruption->by);
      hide_foreign(report, cluster, objects.symbols.text(ns), named);
      for (const char* format : {"text", "wide", "json", "yaml", "html", "md", "name"}) {
        ++tally.texts;
        for (const std::string& leak : leaks(find_format(format)->render(report, {}), names.foreign)) {
          tally.wrong.push_back(
              fmt::format("{}/{} {} {}: …{}…", c.suite, c.folder.filename().string(), name, format, leak));
        }
      }
    }
    objects.pods[victim] = before;
    objects.events.pop_back();
  }
}

void look_for_leaks_in_all(const std::vector<Case>& cases) {
  Tally tally;
  for (const Case& c : cases) {
    if (c.family().starts_with("kube")) look_for_leaks(c, tally);
  }
  if (std::getenv("PREVICT_SCORE") != nullptr) {
    std::cout << fmt::format("{} cases, {} victims, {} texts, {} leaks\n", tally.cases, tally.victims, tally.texts,
                             tally.wrong.size());
  }
  for (const std::string& line : tally.wrong) UNSCOPED_INFO(line);
  CHECK(tally.wrong.empty());
}

TEST_CASE("--hide-foreign: no case prints a name of another namespace, whichever pod was evicted",
          "[golden][redaction]") {
  const std::vector<Case> cases = test::cases_in_fixtures();
  REQUIRE(cases.size() >= 50);
  look_for_leaks_in_all(cases);
}

TEST_CASE("--hide-foreign: nor does a case next to the project", "[golden][redaction][beside]") {
  look_for_leaks_in_all(test::cases_beside());
  look_for_leaks_in_all(test::newer_cases_beside());
}

}  // namespace
}  // namespace previct::history
