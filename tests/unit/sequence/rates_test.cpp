// Pods that arrive at a rate, and the results of several seeds.
#include "sequence/kube_scenario.h"
#include "sequence/modes.h"
#include "sequence/report.h"
#include "support/cluster.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

namespace previct::sequence {
namespace {

using test::a_cluster;
using test::a_node;
using test::a_pod;

using Texts = std::vector<std::string>;

auto texts(const std::vector<Span>& cells, std::size_t most = 100) -> Texts {
  Texts found;
  for (std::size_t i = 0; i < std::min(cells.size(), most); ++i) found.push_back(cells[i].text);
  return found;
}

// Three nodes of 1 CPU, each with a victim of 1 CPU, and three preemptors.
auto rates_of(const std::vector<double>& rates, const std::string& release, std::string_view plugin = "off")
    -> Result<Sequence> {
  std::vector<std::string> documents;
  for (int i = 0; i < 3; ++i) {
    const std::string node = fmt::format("n{}", i);
    documents.push_back(a_node(node, "1"));
    documents.push_back(a_pod(fmt::format("d/v{}", i)).on(node).started("2026-03-02T11:00:00Z").yaml());
    documents.push_back(a_pod(fmt::format("d/p{}", i)).priority(9).yaml());
  }
  const auto cluster = a_cluster(documents);
  Settings settings;
  settings.question.now = parse_instant("2026-03-02T12:00:00Z").value();
  settings.question.k8s_version = release;
  settings.question.toleration_plugin = plugin;
  for (int i = 0; i < 3; ++i) settings.pods.push_back(cluster->snapshot->find_pod("d", fmt::format("p{}", i)));
  settings.arrivals = {{settings.pods.front(), 7 * kSecond}};  // replaced by those of the rates
  settings.rates = rates;
  return kube_sequence(cluster->objects, settings);
}

}  // namespace

// At 2 per second, the pods arrive at 0 s, 0.5 s and 1 s, and each is decided 2 ms later: 2 intervals in 1 s. At 4 per
// second, the last one arrives at 0.5 s.
TEST_CASE("rates: pods arrive at each rate, the first at once, in both modes", "[sequence][modes]") {
  const auto sequence = rates_of({2, 4}, "1.35");
  REQUIRE(sequence);
  REQUIRE(sequence->rates.size() == 4);
  for (const RateResult& each : sequence->rates) {
    CHECK(each.metrics.first_preemption == 2 * kMillisecond);
    CHECK(each.metrics.last_preemption == (each.per_second == 2 ? kSecond : kSecond / 2) + 2 * kMillisecond);
    CHECK(each.waits.bound.size() == 3);
  }
  const auto table = rates_table(*sequence);
  REQUIRE(table);
  REQUIRE(table->rows.size() == 4);
  CHECK(texts(table->rows[0], 5) == Texts{"2", "asynchronous", "3", "2.0", "3"});
  CHECK(texts(table->rows[1], 5) == Texts{"2", "synchronous", "3", "2.0", "3"});
  CHECK(texts(table->rows[2], 5) == Texts{"4", "asynchronous", "3", "4.0", "3"});
  CHECK(table->columns[5].head == "TIME FROM ARRIVAL TO BIND");
  Json document;
  add_modes(*sequence, document);
  const Json& last = document.at("rates").at(3);
  CHECK(last.at("arrivalsPerSecond") == 4);
  CHECK(last.at("mode") == "synchronous");
  CHECK(last.at("preemptors") == 3);
  CHECK(last.at("bound") == 3);
  CHECK(last.at("preemptorsPerSecond") == 4);
}

TEST_CASE("rates: need both modes of preemption", "[sequence][modes]") {
  CHECK_FALSE(rates_table(*rates_of({}, "1.35")));
  const auto old = rates_of({2}, "1.31");  // KEP-4832 is alpha in 1.32
  REQUIRE_FALSE(old);
  CHECK(old.error().message.find("this release of kube-scheduler has only one") != std::string::npos);
  const auto tolerates = rates_of({2}, "1.35", "on");
  REQUIRE_FALSE(tolerates);
  CHECK(tolerates.error().message.find("PreemptionToleration has only the synchronous one") != std::string::npos);
}

TEST_CASE("seeds: the table has the least, the median and the most of each result", "[sequence][modes]") {
  Sequence sequence;
  CHECK_FALSE(seeds_table(sequence));
  sequence.seeds = {{.seed = 3, .preemptions = 4, .failed = 2, .evicted = 9, .bound = 5, .length = 3 * kSecond},
                    {.seed = 4, .preemptions = 8, .failed = 0, .evicted = 7, .bound = 6, .length = kSecond},
                    {.seed = 5, .preemptions = 5, .failed = 1, .evicted = 8, .bound = 4, .length = 2 * kSecond},
                    {.seed = 6, .preemptions = 6, .failed = 3, .evicted = 1, .bound = 7, .length = 4 * kSecond}};
  const auto table = seeds_table(sequence);
  REQUIRE(table);
  CHECK(table->columns.front().head == "SEEDS 3 TO 6");
  std::vector<Texts> rows;
  for (const auto& cells : table->rows) rows.push_back(texts(cells));
  // Of four values, the second one is the median. Failure rates: 2 of 4, 0 of 8, 1 of 5, 3 of 6.
  CHECK(rows == std::vector<Texts>{{"preemptions", "4", "5", "8"},
                                   {"failed preemptions", "0", "1", "3"},
                                   {"failure rate", "0", "0.2", "0.5"},
                                   {"evicted pods", "1", "7", "9"},
                                   {"bound pods", "4", "5", "7"},
                                   {"end", "+1s", "+2s", "+4s"}});
}

}  // namespace previct::sequence
