// The cases that are tried if the input does not show which nodes reach the volumes of a pod.
#include "engine/kube/unknown_volumes.h"

#include "tell/tell.h"
#include "unit/engine/kube/ask.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <algorithm>

using namespace previct;
using namespace previct::test;

TEST_CASE("unknown volumes: volumes of one zone are assumed only if the profile can select its nodes",
          "[kube][volumes]") {
  const auto cluster = a_cluster({a_node("a", "1")});
  Symbols& symbols = cluster->snapshot->symbols();
  const Symbol key = symbols.intern("zone");
  const Symbol zone = symbols.intern("z");
  const kube::Profile standard = kube::Profile::standard(*cluster->snapshot, false, kube::Release(35));
  const auto within = kube::with_volumes_in(standard, key, zone);
  REQUIRE(within);
  REQUIRE(within->settings.added_affinity->terms.size() == 1);
  CHECK(std::none_of(within->filters.begin(), within->filters.end(), kube::looks_at_volumes));
  CHECK(std::none_of(within->pre_filters.begin(), within->pre_filters.end(), kube::looks_at_volumes));
  // The assumption uses NodeAffinityArgs.addedAffinity, so the plugin must run and have none of its own.
  kube::Profile without = standard;
  std::erase_if(without.filters, [](const kube::FilterInfo* f) { return f->name == "NodeAffinity"; });
  CHECK_FALSE(kube::with_volumes_in(without, key, zone));
  kube::Profile own = standard;
  own.settings.added_affinity.emplace();
  CHECK_FALSE(kube::with_volumes_in(own, key, zone));
}

TEST_CASE("unknown volumes: zones are tried one by one if there are several, and not too many", "[kube][volumes]") {
  const auto zones = [](const std::vector<std::string>& of, std::string_view asked = "zone") {
    std::vector<std::string> documents;
    for (std::size_t i = 0; i < of.size(); ++i)
      documents.push_back(
          fmt::format("apiVersion: v1\nkind: Node\nmetadata: {{name: n{}, labels: {{{}}}}}\n", i, of[i]));
    const auto cluster = a_cluster(documents);
    std::string names;
    for (const Symbol zone : kube::zones_of(*cluster->snapshot, cluster->snapshot->symbol(asked), 3))
      names += std::string(cluster->snapshot->text(zone)) + " ";
    return names;
  };
  CHECK(zones({"zone: z", "zone: a", "zone: z", ""}) == "a z ");
  CHECK(zones({"zone: z", "zone: a", "zone: m"}) == "a m z ");
  CHECK(zones({"zone: z", "zone: a", "zone: m", "zone: b"}).empty());
  CHECK(zones({"zone: z", "zone: z"}).empty());
  CHECK(zones({"zone: z", "zone: a"}, "no-such-label").empty());
}

TEST_CASE("unknown volumes: zones are not tried without NodeAffinity, or if nothing shows them", "[kube][volumes]") {
  const auto node = [](std::string_view name) {
    return fmt::format(
        "apiVersion: v1\nkind: Node\nmetadata: {{name: {0}, labels: {{topology.kubernetes.io/zone: {0}}}}}\n"
        "status: {{allocatable: {{cpu: 4, memory: 8Gi, pods: 110}}}}\n",
        name);
  };
  const auto cases = [&](std::string_view plugins, bool shown = true) {
    const auto cluster =
        a_cluster({node("a"), node("b"),
                   a_pod("ns/new").spec("volumes: [{name: d, persistentVolumeClaim: {claimName: c}}]").yaml()});
    Question question = a_question();
    question.scheduler_config = with_profile(fmt::format("plugins: {{{}}}", plugins));
    question.follows_assumptions = shown;
    const Verdict verdict = verdict_on(*cluster, question);
    CHECK(verdict.outcome == Outcome::unknown);
    // If the volume is reached from everywhere, a and b have equal scores. A node is chosen only if it is shown.
    REQUIRE(!verdict.assumed.empty());
    CHECK(verdict.assumed.front().outcome == Outcome::fits);
    CHECK(verdict.assumed.front().node.empty() != shown);
    const Answer answer = tell(*cluster->snapshot, question, verdict);
    const bool in_short = answer.assuming.front().sentence == "fits on 2 of 2 nodes; no preemption needed";
    CHECK(in_short != shown);
    return verdict.assumed.size();
  };
  // Either every node reaches the volume, or only those of zone a, or only those of zone b.
  CHECK(cases("") == 3);
  CHECK(cases("", false) == 1);
  CHECK(cases("multiPoint: {disabled: [{name: NodeAffinity}]}") == 1);
}
