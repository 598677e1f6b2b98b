#include "analysis/report_context.h"
#include "report/format.h"
#include "report/json_text.h"
#include "support/input.h"

#include <catch2/catch.hpp>

using namespace previct;

namespace {

const Gap kBudgets{GapRule::missing, {"PodDisruptionBudget", "every eviction is assumed to be allowed"}};
const Gap kExtender{GapRule::filter_plugin, {"extender http://x"}};
const Gap kAssumed{GapRule::one_namespace, {"ml"}};

struct Input {
  Objects objects;
  std::unique_ptr<Snapshot> cluster;

  Input() {
    objects.files.add("dump.yaml");
    REQUIRE(test::read_text("apiVersion: v1\nkind: Pod\nmetadata: {name: a, namespace: ml}\n", objects));
    cluster = std::make_unique<Snapshot>(objects);
  }
  [[nodiscard]] auto context(std::vector<Gap> gaps = {}) const -> ReportContext {
    return {.cluster = *cluster,
            .now = parse_instant("2026-11-20T22:41:07Z").value(),
            .now_source = "newest-in-input",
            .input_gaps = std::move(gaps)};
  }
};

auto text_of(const Provenance& provenance) -> std::string {
  Report report;
  for (Line& line : provenance.lines()) report.blocks.emplace_back(std::move(line));
  return find_format("text")->render(report, {});
}

}  // namespace

TEST_CASE("grounds: those of several answers are printed once, with every engine", "[grounds]") {
  const Input input;
  Provenance provenance(input.context({kBudgets}));
  provenance.add("kube", "1.35 + DefaultPreemption", {kBudgets, kAssumed});
  provenance.add("kube", "1.35 + DefaultPreemption", {kAssumed, kExtender});
  provenance.add("kai", "after v0.17.0, shard gold", {kBudgets});
  CHECK(text_of(provenance) ==
        "as of 2026-11-20 22:41:07 UTC (newest time in the input); kube 1.35 + DefaultPreemption and kai after "
        "v0.17.0, shard "
        "gold; input incomplete\n"
        "not in the input: PodDisruptionBudget; every eviction is assumed to be allowed\n"
        "not modeled: extender http://x; it may reject nodes\n"
        "assumed: the input has all pods (all of them are in namespace ml); if others run on these nodes, less is "
        "free\n");
  const Json json = provenance.document("SomeReport");
  CHECK_FALSE(json["metadata"].contains("engine"));
  CHECK(
      json_text(json["metadata"]["engines"], -1) ==
      R"([{"name":"kube","behaves":"1.35 + DefaultPreemption"},{"name":"kai","behaves":"after v0.17.0, shard gold"}])");
  CHECK(json_text(json["completeness"], -1) ==
        R"json({"level":"incomplete","missingKinds":["PodDisruptionBudget"],"unmodelled":["extender http://x"],)json"
        R"json("assumptions":["the input has all pods (all of them are in namespace ml)"],"weakens":[)json"
        R"json({"what":"PodDisruptionBudget","conclusion":"every eviction is assumed to be allowed"},)json"
        R"json({"what":"the input has all pods (all of them are in namespace ml)",)json"
        R"json("conclusion":"if others run on these nodes, less is free"},)json"
        R"json({"what":"extender http://x","conclusion":"it may reject nodes"}]})json");
}

TEST_CASE("grounds: assumptions, and gaps that cannot change the answer, leave it complete", "[grounds]") {
  const Input input;
  Provenance provenance(input.context({kAssumed}));
  CHECK(provenance.complete());
  Gap harmless = kExtender;
  harmless.could_change_answer = false;
  provenance.add("kube", "", {harmless});
  CHECK(provenance.complete());
  provenance.add("kube", "", {kBudgets});
  CHECK_FALSE(provenance.complete());
}

TEST_CASE("grounds: every input has its size and digest, if they were requested", "[grounds]") {
  const Input input;
  CHECK(json_text(Provenance(input.context()).document("X")["metadata"]["inputs"], -1) ==
        R"([{"path":"dump.yaml","objects":{"Pod":1}}])");
  ReportContext context = input.context();
  context.arrivals[FileId{0}] = {3, "ba78"};
  CHECK(json_text(Provenance(context).document("X")["metadata"]["inputs"], -1) ==
        R"([{"path":"dump.yaml","bytes":3,"sha256":"ba78","objects":{"Pod":1}}])");
}
