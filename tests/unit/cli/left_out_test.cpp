#include "cli/kept_inputs.h"
#include "cli/run.h"
#include "support/scratch.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <string>
#include <vector>

// What an answer says about parts of the input that could not be read, and about fields that the API server would set.

using namespace previct;

namespace {

auto pod_text(const std::string& name, const std::string& spec, const std::string& phase = "Pending") -> std::string {
  return fmt::format(
      "{{apiVersion: v1, kind: Pod, metadata: {{name: {}, namespace: d}}, spec: {{{}containers: [{{name: c, image: "
      "x}}]}}, status: {{phase: {}}}}}\n",
      name, spec, phase);
}

// Returns the completeness of the answer about pod d/p. Of everything that can be left out or set, the folder has so
// many; names in the answer are relative to it.
auto completeness_with(int count) -> nlohmann::json {
  const test::Scratch scratch;
  const std::string folder = scratch.path() + "/in/";
  const auto write = [&](const std::string& name, const std::string& text) { (void)scratch.file("in/" + name, text); };
  write("node.yaml",
        "{apiVersion: v1, kind: Node, metadata: {name: a}, status: {allocatable: {cpu: \"2\", pods: \"10\"}}}\n");
  write("never.yaml",
        "{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: never}, value: 7, preemptionPolicy: "
        "Never}\n");
  write("usual.yaml",
        "{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: usual}, value: 5, globalDefault: "
        "true}\n");
  write("p.yaml", pod_text("p", "priority: 9, "));
  write("run.yaml", pod_text("run", "priority: 1, nodeName: a, ", "Running"));
  for (int i = 1; i <= count; ++i) {
    write(fmt::format("cut-nodes-{}.json", i), R"({"kind":"NodeList","apiVersion":"v1","items":[)");
    write(fmt::format("cut-pods-{}.json", i), R"({"kind":"PodList","apiVersion":"v1","items":[{"metadata":{)");
    write(fmt::format("nameless-{}.json", i),
          R"({"kind":"List","apiVersion":"v1","items":[{"kind":"Pod","apiVersion":"v1","metadata":{"namespace":"d"},)"
          R"("spec":{}},{"kind":"Namespace","apiVersion":"v1","metadata":{"name":"d"}}]})");
    const auto write_pod = [&](const std::string& name, const std::string& spec, const std::string& phase) {
      const std::string of = fmt::format("{}-{}", name, i);
      write(of + ".yaml", pod_text(of, spec, phase));
    };
    write_pod("unplaced", "priority: 1, ", "Running");
    write_pod("policy", "priority: 7, priorityClassName: never, ", "Pending");
    write_pod("class", "priorityClassName: never, ", "Pending");
    write_pod("default", "", "Pending");
    write_pod("older", "nodeName: a, ", "Running");
  }
  const std::string out = scratch.path() + "/out.json";
  cli::KeptInputs kept;
  REQUIRE(cli::run(
              {"previct", "explain", "-q", "-f", folder, "d/p", "-o", "json=" + out},
              [] {
                return Instant{1'700'000'000, 0};
              },
              &kept) <= 1);
  std::ifstream in(out, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(in), {}};
  for (std::size_t at = text.find(folder); at != std::string::npos; at = text.find(folder, at))
    text.erase(at, folder.size());
  return nlohmann::json::parse(text).at("completeness");
}

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("left out: the answer names the file, object or pod", "[cli]") {
  const nlohmann::json said = completeness_with(1);
  CHECK(said.at("missingKinds").get<Texts>() == Texts{"1 file that could not be read (cut-nodes-1.json)",
                                                      "the pods of 1 file that could not be read (cut-pods-1.json)",
                                                      "1 object without a name or a kind (nameless-1.json:1:43)",
                                                      "1 running pod without spec.nodeName (unplaced-1.yaml:1:1)"});
  CHECK(said.at("assumptions").get<Texts>() ==
        Texts{"the pod that names a PriorityClass but sets no spec.preemptionPolicy does not preempt, because the API "
              "server would copy Never from its class (policy-1.yaml:1:1)",
              "the pod that names a PriorityClass but sets no spec.priority has the value of its class, which the API "
              "server would set (class-1.yaml:1:1)",
              "the pod that sets neither a PriorityClass nor spec.priority has the global default class, which the API "
              "server would set (default-1.yaml:1:1)",
              "the running pod that sets neither a PriorityClass nor spec.priority has priority 0: it may be older "
              "than the global default class (older-1.yaml:1:1)"});
}

TEST_CASE("left out: of several, the answer gives the number and names the first", "[cli]") {
  const nlohmann::json said = completeness_with(2);
  CHECK(said.at("missingKinds").get<Texts>() ==
        Texts{"2 files that could not be read (the first: cut-nodes-1.json)",
              "the pods of 2 files that could not be read (the first: cut-pods-1.json)",
              "2 objects without a name or a kind (the first: nameless-1.json:1:43)",
              "2 running pods without spec.nodeName (the first: unplaced-1.yaml:1:1)"});
  CHECK(said.at("assumptions").get<Texts>() ==
        Texts{"the 2 pods that name a PriorityClass but set no spec.preemptionPolicy do not preempt, because the API "
              "server would copy Never from their class (the first: policy-1.yaml:1:1)",
              "the 2 pods that name a PriorityClass but set no spec.priority have the value of their class, which the "
              "API server would set (the first: class-1.yaml:1:1)",
              "the 2 pods that set neither a PriorityClass nor spec.priority have the global default class, which the "
              "API server would set (the first: default-1.yaml:1:1)",
              "the 2 running pods that set neither a PriorityClass nor spec.priority have priority 0: they may be "
              "older than the global default class (the first: older-1.yaml:1:1)"});
}

TEST_CASE("left out: an answer about a whole input says nothing of it", "[cli]") {
  const nlohmann::json said = completeness_with(0);
  CHECK(said.at("missingKinds").empty());
  for (const auto& each : said.at("assumptions"))
    CHECK(each.get<std::string>().find("PriorityClass") == std::string::npos);
}
