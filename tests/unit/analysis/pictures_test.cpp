#include "analysis/charts.h"
#include "support/cluster.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

namespace previct::test {

TEST_CASE("pictures: pods too small for a bar are drawn together, by what happens to them", "[pictures]") {
  // 100m of 16 CPUs is 0.6 % of the bar; 2 CPUs are an eighth.
  std::vector<std::string> documents{a_node("n", "16"), a_pod("ns/new").priority(9).cpu("14").yaml(),
                                     a_pod("ns/large").on("n").cpu("2").yaml()};
  for (int i = 0; i < 20; ++i) documents.push_back(a_pod(fmt::format("ns/v-{}", i)).on("n").cpu("100m").yaml());
  documents.push_back(a_pod("ns/quiet").on("n").cpu("100m").yaml());
  const auto cluster = a_cluster(documents);
  const Snapshot& snapshot = *cluster->snapshot;
  Answer answer;
  answer.outcome = Outcome::preempts;
  answer.subject = snapshot.find_pod("ns", "new");
  answer.node = "n";
  for (int i = 0; i < 20; ++i) answer.victims.push_back({.pod = snapshot.find_pod("ns", fmt::format("v-{}", i))});
  const auto pictures = node_pictures(answer, {snapshot, Instant{}, "flag", {}});
  REQUIRE(pictures.size() == 1);
  const std::vector<Picture::Part>& now = pictures.front().rows.front().parts;
  REQUIRE(now.size() == 4);
  CHECK(now[0].name == "ns/large");
  CHECK(now[1].name == "ns/quiet");
  CHECK(now[2].name == "20 small pods");
  CHECK(now[2].size == "2");
  CHECK(now[2].tone == Tone::danger);
  // The bar is from 2.1 of 16 to 4.1 of 16.
  CHECK(now[2].from == 1312);
  CHECK(now[2].to == 2562);
  CHECK(now[3].name == "free");
}

}  // namespace previct::test
