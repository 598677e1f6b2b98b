// Which of the nodes that fit is chosen: the points of each plugin, derived by hand.
#include "engine/kube/selection.h"
#include "tell/tell.h"
#include "unit/engine/kube/ask.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <random>

using namespace previct;
using namespace previct::test;
using Catch::Matchers::Contains;

namespace {

auto asked(const std::vector<std::string>& documents, const std::string& release = "1.35",
           std::optional<ConfigFile> configuration = {}) -> Answer {
  const auto cluster = a_cluster(documents);
  Question question = a_question();
  question.k8s_version = release;
  question.scheduler_config = std::move(configuration);
  return tell(*cluster->snapshot, question, verdict_on(*cluster, question));
}

// Returns the points that a plugin gave to a node: raw, normalized, weighted.
auto given(const Answer& answer, const std::string& plugin, const std::string& node) -> std::vector<std::int64_t> {
  const Json& nodes = answer.evidence.at("scores").at("nodes");
  const Json& plugins = nodes.at(node).at("plugins");
  if (!plugins.contains(plugin)) return {};
  const Json& points = plugins.at(plugin);
  return {points.at("raw"), points.at("normalized"), points.at("weighted")};
}
using Points = std::vector<std::int64_t>;

auto chosen(const Answer& answer) -> Names {
  return answer.evidence.at("scores").at("chosenSet");
}

auto node(const std::string& name, const std::string& metadata, const std::string& rest = "") -> std::string {
  return fmt::format(
      "apiVersion: v1\nkind: Node\nmetadata: {{name: {}, {}}}\n{}\n"
      "status: {{allocatable: {{cpu: '10', memory: 1000Mi, pods: '110'}}}}\n",
      name, metadata, rest);
}

// A pod that requests this CPU and memory, with more lines of its spec.
auto pod(const std::string& cpu, const std::string& memory, const std::string& rest = "") -> std::string {
  return fmt::format(
      "apiVersion: v1\nkind: Pod\nmetadata: {{namespace: ns, name: new, labels: {{app: new}}}}\n"
      "spec:\n  containers: [{{name: c, image: app, resources: {{requests: {{cpu: '{}', memory: '{}'}}}}}}]\n{}\n"
      "status: {{phase: Pending}}\n",
      cpu, memory, rest);
}

}  // namespace

TEST_CASE("scores: the emptier node is chosen, and the points of each plugin are in the evidence", "[kube][scores]") {
  // Each node has 10 CPUs and 1000Mi; the pod requests 1 and 100Mi. No pod runs on a. On b, 4 CPUs are in use, and the
  // 200Mi that are assumed for a container without a memory request.
  const Answer answer = asked(
      {node("a", "labels: {}"), node("b", "labels: {}"), a_pod("ns/x").on("b").cpu("4").yaml(), pod("1", "100Mi")});
  // a: cpu (10-1)*100/10 = 90, memory (1000-100)*100/1000 = 90, so 90. b: cpu 50, memory (1000-300)*100/1000 = 70,
  // so 60.
  CHECK(given(answer, "NodeResourcesFit", "a") == Points{90, 90, 90});
  CHECK(given(answer, "NodeResourcesFit", "b") == Points{60, 60, 60});
  // a: both fractions are 0.1. b: 0.5 of the CPUs and 0.1 of the memory are requested: (1 - 0.4/2) * 100 = 80.
  CHECK(given(answer, "NodeResourcesBalancedAllocation", "a") == Points{100, 100, 100});
  CHECK(given(answer, "NodeResourcesBalancedAllocation", "b") == Points{80, 80, 80});
  CHECK(given(answer, "TaintToleration", "a") == Points{0, 100, 300});
  CHECK(chosen(answer) == Names{"a"});
  CHECK(answer.node == "a");
}

TEST_CASE("scores: equal to those in the documents of kube-scheduler-simulator", "[kube][scores]") {
  // Its blog post (Introducing Kube-scheduler-simulator, 2024) shows a second pod of its default template (100m, 16Gi)
  // on two nodes of its default template (4 CPUs, 32Gi), one of which has the first pod.
  const auto of_template = [](const std::string& name) {
    return fmt::format(
        "apiVersion: v1\nkind: Node\nmetadata: {{name: {}}}\nstatus: {{allocatable: {{cpu: '4', memory: 32Gi, pods: "
        "'110'}}}}\n",
        name);
  };
  const std::string first =
      "apiVersion: v1\nkind: Pod\nmetadata: {namespace: ns, name: first}\nspec: {nodeName: node-jjfg5, containers: "
      "[{name: pause, resources: {requests: {cpu: 100m, memory: 16Gi}}}]}\nstatus: {phase: Running}\n";
  for (const char* release : {"1.31", "1.35"}) {
    const Answer answer =
        asked({of_template("node-jjfg5"), of_template("node-mtb5x"), first, pod("100m", "16Gi")}, release);
    CHECK(given(answer, "NodeResourcesFit", "node-jjfg5") == Points{47, 47, 47});
    CHECK(given(answer, "NodeResourcesBalancedAllocation", "node-jjfg5") == Points{52, 52, 52});
    CHECK(given(answer, "TaintToleration", "node-jjfg5") == Points{0, 100, 300});
    CHECK(given(answer, "NodeResourcesFit", "node-mtb5x") == Points{73, 73, 73});
    CHECK(given(answer, "NodeResourcesBalancedAllocation", "node-mtb5x") == Points{76, 76, 76});
    CHECK(chosen(answer) == Names{"node-mtb5x"});
  }
}

TEST_CASE("scores: equal to those of the simulator in a kind cluster, with both strategies", "[kube][scores]") {
  // Source: toVersus/kube-scheduler-code-reading, experiment 9 (1.29; the formulas are the same in 1.31 to 1.35).
  // kindnet requests 100m and 50Mi, kube-proxy nothing, and the pods one CPU each.
  std::vector<std::string> documents;
  const auto add = [&](const std::string& name, const std::string& cpu) {
    documents.push_back(fmt::format(
        "apiVersion: v1\nkind: Node\nmetadata: {{name: {}}}\nstatus: {{allocatable: {{cpu: '{}', memory: '5505789952', "
        "pods: '110'}}}}\n",
        name, cpu));
    documents.push_back(fmt::format(
        "apiVersion: v1\nkind: Pod\nmetadata: {{namespace: kube-system, name: kindnet-{}}}\nspec: {{nodeName: {}, "
        "containers: [{{name: c, resources: {{requests: {{cpu: 100m, memory: 50Mi}}}}}}]}}\nstatus: {{phase: "
        "Running}}\n",
        name, name));
    documents.push_back(fmt::format(
        "apiVersion: v1\nkind: Pod\nmetadata: {{namespace: kube-system, name: kube-proxy-{}}}\nspec: {{nodeName: {}, "
        "containers: [{{name: c}}]}}\nstatus: {{phase: Running}}\n",
        name, name));
  };
  add("kind-worker", "2");
  add("kind-worker2", "5");
  add("kind-worker3", "8");
  documents.push_back(
      "apiVersion: v1\nkind: Pod\nmetadata: {namespace: ns, name: new}\nspec: {containers: [{name: c, resources: "
      "{requests: {cpu: '1'}}}]}\nstatus: {phase: Pending}\n");
  std::vector<std::string> with_first = documents;
  with_first.push_back(
      "apiVersion: v1\nkind: Pod\nmetadata: {namespace: ns, name: nginx-1}\nspec: {nodeName: kind-worker3, containers: "
      "[{name: c, resources: {requests: {cpu: '1'}}}]}\nstatus: {phase: Running}\n");
  const Answer least = asked(with_first);
  CHECK(given(least, "NodeResourcesFit", "kind-worker") == Points{65, 65, 65});
  CHECK(given(least, "NodeResourcesFit", "kind-worker2") == Points{83, 83, 83});
  CHECK(given(least, "NodeResourcesFit", "kind-worker3") == Points{79, 79, 79});
  CHECK(given(least, "NodeResourcesBalancedAllocation", "kind-worker") == Points{72, 72, 72});
  CHECK(given(least, "NodeResourcesBalancedAllocation", "kind-worker2") == Points{89, 89, 89});
  CHECK(given(least, "NodeResourcesBalancedAllocation", "kind-worker3") == Points{87, 87, 87});
  const Answer most = asked(documents, "1.35",
                            with_profile("pluginConfig: [{name: NodeResourcesFit, args: {scoringStrategy: {type: "
                                         "MostAllocated, resources: [{name: cpu, weight: 1}, {name: memory, weight: "
                                         "1}]}}}]"));
  CHECK(given(most, "NodeResourcesFit", "kind-worker2") == Points{16, 16, 16});
  CHECK(given(most, "NodeResourcesFit", "kind-worker3") == Points{11, 11, 11});
  CHECK(given(most, "NodeResourcesBalancedAllocation", "kind-worker3") == Points{93, 93, 93});
}

TEST_CASE("balanced allocation score: since 1.36 it counts by how much the pod changes the balance", "[kube][scores]") {
  // a: before 100, after (1 - |0.2 - 0.1|/2) * 100 = 95: 50 + (50 + 95 - 100) / 2 = 50 + 22 = 72.
  const Answer answer = asked({node("a", "labels: {}"), node("b", "labels: {}"), pod("2", "100Mi")}, "1.36");
  CHECK(given(answer, "NodeResourcesBalancedAllocation", "a") == Points{72, 72, 72});
}

// Of the three resources, 0.1, 0.1 and 0.4 are requested: the mean is 0.2, the mean of the squares 0.02, and its root
// 0.1414: (1 - 0.1414) * 100 = 85.86. A resource that the node does not have does not count.
TEST_CASE("balanced allocation score: of three resources, it is their standard deviation", "[kube][scores]") {
  const auto with_gpus = [](const std::string& name, const std::string& gpus) {
    return fmt::format(
        "apiVersion: v1\nkind: Node\nmetadata: {{name: {}}}\nstatus: {{allocatable: {{cpu: '10', memory: 1000Mi, "
        "pods: '110'{}}}}}\n",
        name, gpus);
  };
  const ConfigFile configuration = with_profile(
      "pluginConfig: [{name: NodeResourcesBalancedAllocation, args: {resources: [{name: cpu, weight: 1}, "
      "{name: memory, weight: 1}, {name: example.com/gpu, weight: 1}, {name: example.com/nic, weight: "
      "1}]}}]");
  std::string wants = pod("1", "100Mi");
  wants.insert(wants.find("memory:"), "example.com/gpu: '4', ");
  const Answer answer =
      asked({with_gpus("a", ", example.com/gpu: '10'"), with_gpus("b", ", example.com/gpu: '40'"), wants}, "1.35",
            configuration);
  CHECK(given(answer, "NodeResourcesBalancedAllocation", "a") == Points{85, 85, 85});
  CHECK(given(answer, "NodeResourcesBalancedAllocation", "b") == Points{100, 100, 100});
}

// Source: plugins/podtopologyspread/plugin.go New: defaultingType List without constraints turns them off.
TEST_CASE("topology spread score: a list of default constraints replaces those of the system", "[kube][scores]") {
  const std::vector<std::string> documents = {
      node("a", "labels: {kubernetes.io/hostname: a, topology.kubernetes.io/zone: east}"),
      node("b", "labels: {kubernetes.io/hostname: b, topology.kubernetes.io/zone: west}"),
      a_pod("ns/other").on("a").labels("{app: new}").yaml(),
      "apiVersion: v1\nkind: Service\nmetadata: {namespace: ns, name: s}\nspec: {selector: {app: new}}\n",
      pod("1", "100Mi")};
  const auto points = [&](const std::string& type, const std::string& on) {
    return given(asked(documents, "1.35",
                       with_profile(fmt::format("pluginConfig: [{{name: PodTopologySpread, args: {{defaultingType: "
                                                "{}}}}}]",
                                                type))),
                 "PodTopologySpread", on);
  };
  REQUIRE(points("System", "a").size() == 3);
  CHECK(points("System", "a")[1] < points("System", "b")[1]);
  CHECK(points("List", "a") == points("List", "b"));
}

TEST_CASE("taint score: nodes with fewer PreferNoSchedule taints are preferred", "[kube][scores]") {
  const std::string one = "spec: {taints: [{key: k, effect: PreferNoSchedule}]}";
  const std::string three =
      "spec: {taints: [{key: k, effect: PreferNoSchedule}, {key: l, effect: PreferNoSchedule}, {key: m, effect: "
      "PreferNoSchedule}]}";
  const Answer answer = asked({node("a", "labels: {}", one), node("b", "labels: {}", three), pod("1", "100Mi")});
  CHECK(given(answer, "TaintToleration", "a") == Points{1, 67, 201});  // 100 - 100/3 = 67
  CHECK(given(answer, "TaintToleration", "b") == Points{3, 0, 0});
  CHECK(chosen(answer) == Names{"a"});
}

// Source: plugins/tainttoleration countIntolerableTaintsPreferNoSchedule, getAllTolerationPreferNoSchedule, v1.35.
TEST_CASE("taint score: tolerations of random pods count if they are for PreferNoSchedule or any effect",
          "[kube][scores]") {
  for (std::uint32_t seed = 0; seed < 150; ++seed) {
    std::mt19937 random(seed);
    struct Toleration {
      std::string key;
      std::string effect;
    };
    // A pod that does not tolerate NoSchedule would not fit.
    std::vector<Toleration> tolerations = {{"hard", "NoSchedule"}};
    for (std::size_t i = 0, count = random() % 3; i < count; ++i) {
      const std::array<std::string, 3> effects = {"", "PreferNoSchedule", "NoSchedule"};
      tolerations.push_back({fmt::format("k{}", random() % 3), effects[random() % 3]});
    }
    std::string text;
    for (const Toleration& each : tolerations) {
      text += fmt::format("{{key: {}, operator: Exists{}}}, ", each.key,
                          each.effect.empty() ? "" : ", effect: " + each.effect);
    }
    std::vector<std::string> documents = {pod("1", "100Mi", "  tolerations: [" + text + "]")};
    std::map<std::string, std::int64_t> expected;
    for (const std::string name : {"a", "b"}) {
      std::string taints = "{key: hard, effect: NoSchedule}, ";
      for (std::size_t k = 0; k < 3; ++k) {
        if (random() % 2 == 0) continue;
        const std::string key = fmt::format("k{}", k);
        taints += fmt::format("{{key: {}, effect: PreferNoSchedule}}, ", key);
        const bool tolerated = std::any_of(tolerations.begin(), tolerations.end(), [&](const Toleration& each) {
          return each.key == key && each.effect != "NoSchedule";
        });
        expected[name] += tolerated ? 0 : 1;
      }
      documents.push_back(node(name, "labels: {}", "spec: {taints: [" + taints + "]}"));
    }
    INFO(fmt::format("{}", fmt::join(documents, "---\n")));
    const Answer answer = asked(documents);
    REQUIRE(answer.outcome == Outcome::fits);
    const std::int64_t highest = std::max(expected["a"], expected["b"]);
    for (const std::string name : {"a", "b"}) {
      const Points points = given(answer, "TaintToleration", name);
      if (points.empty()) continue;  // no taint of that effect on any node
      CHECK(points[0] == expected[name]);
      CHECK(points[1] == (highest == 0 ? 100 : 100 - expected[name] * 100 / highest));
    }
  }
}

TEST_CASE("node affinity score: preferred terms give their weights, scaled to the maximum", "[kube][scores]") {
  const std::string terms =
      "  affinity: {nodeAffinity: {preferredDuringSchedulingIgnoredDuringExecution: ["
      "{weight: 30, preference: {matchExpressions: [{key: disk, operator: In, values: [ssd]}]}},"
      "{weight: 60, preference: {matchExpressions: [{key: zone, operator: In, values: [z]}]}}]}}";
  const Answer answer =
      asked({node("a", "labels: {disk: ssd}"), node("b", "labels: {disk: ssd, zone: z}"), pod("1", "100Mi", terms)});
  CHECK(given(answer, "NodeAffinity", "a") == Points{30, 33, 66});  // 100 * 30 / 90
  CHECK(given(answer, "NodeAffinity", "b") == Points{90, 100, 200});
  CHECK(answer.node == "b");
}

// "kube.score.preferred-malformed"
TEST_CASE("node affinity score: a malformed preferred term is an error as soon as two nodes fit", "[kube][scores]") {
  const std::string term =
      "  affinity: {nodeAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{weight: 1, preference: "
      "{matchExpressions: [{key: disk, operator: Gt, values: [abc]}]}}]}}";
  const Answer two = asked({node("a", "labels: {}"), node("b", "labels: {}"), pod("1", "100Mi", term)});
  CHECK(two.outcome == Outcome::error);
  CHECK(
      two.evidence.at("error") ==
      "running PreScore plugin \"NodeAffinity\": [0].matchExpressions[0].values[0]: Invalid value: \"abc\": for 'Gt', "
      "'Lt' operators, the value must be an integer");
  CHECK(asked({node("a", "labels: {}"), pod("1", "100Mi", term)}).outcome == Outcome::fits);
}

TEST_CASE("image score: nodes that have the pod's image are preferred", "[kube][scores]") {
  const auto with_images = [](const std::string& name, const std::string& images) {
    return fmt::format(
        "apiVersion: v1\nkind: Node\nmetadata: {{name: {}}}\n"
        "status: {{allocatable: {{cpu: '10', memory: 1000Mi, pods: '110'}}, images: [{}]}}\n",
        name, images);
  };
  // 600 MiB on one of two nodes count half: 100 * (300 - 23) / (1000 - 23) = 28. An image without a tag means latest.
  const std::string image = fmt::format("{{names: ['app:latest'], sizeBytes: {}}}", 600 * 1024 * 1024);
  const Answer answer = asked({with_images("a", ""), with_images("b", image), pod("1", "100Mi")});
  CHECK(given(answer, "ImageLocality", "a") == Points{0, 0, 0});
  CHECK(given(answer, "ImageLocality", "b") == Points{28, 28, 28});
  CHECK(answer.node == "b");
}

TEST_CASE("image score: a list of 50 images may lack the pod's image, which is reported if it decides",
          "[kube][scores]") {
  const auto with_images = [](const std::string& name, int count, std::int64_t size) {
    std::string images;
    for (int i = 0; i < count; ++i) images += fmt::format("{{names: ['other-{}:1'], sizeBytes: {}}},", i, size);
    return fmt::format(
        "apiVersion: v1\nkind: Node\nmetadata: {{name: {}}}\n"
        "status: {{allocatable: {{cpu: '10', memory: 1000Mi, pods: '110'}}, images: [{}]}}\n",
        name, images);
  };
  constexpr std::int64_t kLarge = 900'000'000;
  const auto node_of = [&](int images, std::int64_t size) {
    return asked({with_images("a", images, size), with_images("b", 3, size), a_pod("other/x").on("a").cpu("1").yaml(),
                  pod("1", "100Mi")});
  };
  CHECK(node_of(49, kLarge).node == "b");
  // An image that is smaller than all listed ones may be on a, and would outweigh the free CPU of b.
  const Answer open = node_of(50, kLarge);
  CHECK(open.outcome == Outcome::fits);
  CHECK(open.node.empty());
  CHECK_THAT(open.sentence, Contains("cannot tell which") && Contains("50 largest images"));
  // 20 MB are below the minimum size that counts.
  CHECK(node_of(50, 20'000'000).node == "b");
}

TEST_CASE("topology spread score: ScheduleAnyway constraints prefer the emptier domain", "[kube][scores]") {
  const std::string constraint =
      "  topologySpreadConstraints: [{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: ScheduleAnyway, "
      "labelSelector: {matchLabels: {app: web}}}]";
  const auto web = [](const std::string& name, const std::string& on) {
    return a_pod("ns/" + name).on(on).cpu("0").labels("{app: web}").yaml();
  };
  const Answer answer =
      asked({node("a", "labels: {zone: zx}"), node("b", "labels: {zone: zy}"), node("c", "labels: {}"), web("w1", "a"),
             web("w2", "a"), web("w3", "b"), pod("1", "100Mi", constraint)});
  // Two values: ln 4 = 1.386. zx: 2 * 1.386 = 2.77, so 3; zy: 1.386, so 1. 100 * (3 + 1 - raw) / 3.
  CHECK(given(answer, "PodTopologySpread", "a") == Points{3, 33, 66});
  CHECK(given(answer, "PodTopologySpread", "b") == Points{1, 100, 200});
  CHECK(given(answer, "PodTopologySpread", "c") == Points{0, 0, 0});  // it lacks the label
}

// Source: kubernetes pkg/scheduler/framework/plugins/podtopologyspread/common.go: without a selector, no pod matches.
TEST_CASE("topology spread score: a constraint without a selector counts no pods", "[kube][scores]") {
  const Answer answer =
      asked({node("a", "labels: {zone: zx}"), node("b", "labels: {zone: zy}"), a_pod("ns/w").on("a").cpu("0").yaml(),
             pod("1", "100Mi",
                 "  topologySpreadConstraints: [{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: ScheduleAnyway}]")});
  CHECK(given(answer, "PodTopologySpread", "a") == Points{0, 100, 200});
  CHECK(given(answer, "PodTopologySpread", "b") == Points{0, 100, 200});
}

TEST_CASE("topology spread score: the weight of a constraint follows from the values of its label", "[kube][scores]") {
  // Three nodes in two zones: each pod counts ln 4 = 1.386, and 3 of them 4.16, so 4. With ln 5, they would be 4.83.
  const std::string constraint =
      "  topologySpreadConstraints: [{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: ScheduleAnyway, "
      "labelSelector: {matchLabels: {app: web}}}]";
  std::vector<std::string> documents = {node("a", "labels: {zone: zx}"), node("b", "labels: {zone: zx}"),
                                        node("c", "labels: {zone: zy}"), pod("1", "100Mi", constraint)};
  for (const char* name : {"ns/w1", "ns/w2", "ns/w3"}) {
    documents.push_back(a_pod(name).on("a").cpu("0").labels("{app: web}").yaml());
  }
  const Answer answer = asked(documents);
  CHECK(given(answer, "PodTopologySpread", "a") == Points{4, 0, 0});
  CHECK(given(answer, "PodTopologySpread", "b") == Points{4, 0, 0});
  CHECK(given(answer, "PodTopologySpread", "c") == Points{0, 100, 200});
}

TEST_CASE("pod affinity score: preferences count in both directions", "[kube][scores]") {
  const std::string near_x =
      "affinity: {podAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{weight: 10, podAffinityTerm: "
      "{topologyKey: kubernetes.io/hostname, labelSelector: {matchLabels: {app: x}}}}]}}";
  const std::string away_from_new =
      "affinity: {podAntiAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{weight: 5, podAffinityTerm: "
      "{topologyKey: kubernetes.io/hostname, labelSelector: {matchLabels: {app: new}}}}]}}";
  const Answer answer =
      asked({node("a", "labels: {kubernetes.io/hostname: a}"), node("b", "labels: {kubernetes.io/hostname: b}"),
             node("c", "labels: {kubernetes.io/hostname: c}"), a_pod("ns/x").on("b").cpu("0").labels("{app: x}").yaml(),
             a_pod("ns/z").on("c").cpu("0").spec(away_from_new).yaml(), pod("1", "100Mi", "  " + near_x)});
  // a 0, b +10, c -5: 100 * (raw + 5) / 15.
  CHECK(given(answer, "InterPodAffinity", "a") == Points{0, 33, 66});
  CHECK(given(answer, "InterPodAffinity", "b") == Points{10, 100, 200});
  CHECK(given(answer, "InterPodAffinity", "c") == Points{-5, 0, 0});
}

TEST_CASE("equal scores: the node is drawn at random up to 1.34, and not since then", "[kube][scores]") {
  const std::vector<std::string> documents = {node("a", "labels: {}"), node("b", "labels: {}"),
                                              "apiVersion: v1\nkind: Service\nmetadata: {namespace: ns, name: s}\n"
                                              "spec: {selector: {app: other}}\n",
                                              pod("1", "100Mi")};
  const Answer drawn = asked(documents, "1.34");
  CHECK(drawn.tied == std::vector{NodeId{0}, NodeId{1}});
  REQUIRE(drawn.odds);
  CHECK(drawn.odds->nodes[0].likely == Approx(0.5));
  CHECK(drawn.odds->nodes[1].at_least == Approx(0.5));
  const Answer first = asked(documents, "1.35");
  CHECK(first.tied == std::vector{NodeId{0}, NodeId{1}});
  CHECK(first.node == "a");
  CHECK_FALSE(first.odds);
}

TEST_CASE("topology spread score: without Services in the input, the default constraints may decide",
          "[kube][scores]") {
  // a: 90 for CPU and 70 for memory give 80, balance 100. b: 80 and 70 give 75, balance 95. With the Service, the
  // spread is round(ln 4 + 2) = 3 for a and 2 for b: 100 * (3 + 2 - 3) / 3 = 66 and 100, with weight 2 132 and 200.
  const std::vector<std::string> documents = {node("a", "labels: {kubernetes.io/hostname: a}"),
                                              node("b", "labels: {kubernetes.io/hostname: b}"),
                                              a_pod("ns/w1").on("a").cpu("0").labels("{app: new}").yaml(),
                                              a_pod("other/x").on("b").cpu("1").yaml(), pod("1", "100Mi")};
  const Answer open = asked(documents);
  CHECK(open.outcome == Outcome::fits);
  CHECK(open.node.empty());
  CHECK_THAT(open.sentence, Contains("fits on 2 of 2 nodes") && Contains("through Services, and the input has none"));
  std::vector<std::string> with = documents;
  with.push_back(
      "apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: Service, metadata: {namespace: ns, name: "
      "s}, spec: {selector: {app: new}}}\n");
  const Answer known = asked(with);
  CHECK(known.node == "b");  // a holds one pod of the Service already
  CHECK(known.odds == std::nullopt);
}

TEST_CASE("topology spread score: a Service that the input lacks may select by more labels than the ReplicaSet",
          "[kube][scores]") {
  // b has more free CPU. By app alone, a has 3 pods and b has 1: round(6 ln 4 + 6) = 14 and round(2 ln 4 + 6) = 9, so b
  // gets 100 and a 100 * 9 / 14 = 64. By track, too, a has none and b has 1: 6 and 9, so a gets 100 and b 66.
  const auto worker = [](const std::string& name, const std::string& on, const std::string& track) {
    return a_pod("ns/" + name).on(on).cpu("0").labels("{app: new, track: " + track + "}").yaml();
  };
  std::vector<std::string> documents = {
      node("a", "labels: {kubernetes.io/hostname: a, topology.kubernetes.io/zone: za}"),
      node("b", "labels: {kubernetes.io/hostname: b, topology.kubernetes.io/zone: zb}"),
      worker("w1", "a", "canary"),
      worker("w2", "a", "canary"),
      worker("w3", "a", "canary"),
      worker("w4", "b", "stable"),
      a_pod("other/x").on("a").cpu("1").yaml(),
      "apiVersion: apps/v1\nkind: ReplicaSetList\nitems:\n- {metadata: {namespace: ns, name: r, uid: r}, spec: "
      "{selector: {matchLabels: {app: new}}}}\n",
      "apiVersion: v1\nkind: Pod\nmetadata: {namespace: ns, name: new, labels: {app: new, track: stable}, "
      "ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: r, uid: r, controller: true}]}\n"
      "spec: {containers: [{name: c, resources: {requests: {cpu: '1', memory: 100Mi}}}]}\nstatus: {phase: Pending}\n"};
  const Answer open = asked(documents);
  CHECK(open.outcome == Outcome::fits);
  CHECK(open.node.empty());
  CHECK_THAT(open.sentence, Contains("fits on 2 of 2 nodes") && Contains("through Services, and the input has none"));
  documents.emplace_back("apiVersion: v1\nkind: ServiceList\nitems: []\n");
  const Answer known = asked(documents);
  CHECK(known.node == "b");
  CHECK(given(known, "PodTopologySpread", "a") == Points{14, 64, 128});
}

TEST_CASE("extender: one that prioritizes may choose any node", "[kube][scores]") {
  const auto cluster = a_cluster({node("a", "labels: {}"), node("b", "labels: {}"), pod("1", "100Mi")});
  Question question = a_question();
  question.scheduler_config = ConfigFile{
      FileId{},
      "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\nprofiles: [{schedulerName: "
      "default-scheduler}]\nextenders: [{urlPrefix: 'http://x', prioritizeVerb: p, weight: 1}]\n"};
  const Verdict verdict = verdict_on(*cluster, question);
  CHECK(verdict.outcome == Outcome::fits);
  CHECK(verdict.node.empty());
  CHECK(cluster->snapshot->names(verdict.tied) == Names{"a", "b"});
}

// Source: kubernetes pkg/scheduler/framework/plugins/noderesources/resource_allocation.go, v1.35: an extended resource
// that a node does not offer may be served by devices, which are then counted.
TEST_CASE("devices for an extended resource: their number is not known where no node counts the resource",
          "[kube][scores]") {
  struct Case {
    std::string why, scored, requested, gates;
    std::vector<std::string> offered;  // by a, b and c
    bool open = false;
  };
  const std::vector<Case> cases = {
      {"c does not offer it", "example.com/gpu", "example.com/gpu", "DRAExtendedResource=true", {"2", "4", "0"}, true},
      {"all offer it", "example.com/gpu", "example.com/gpu", "DRAExtendedResource=true", {"2", "4", "1"}},
      {"the gate is off", "example.com/gpu", "example.com/gpu", "DRAExtendedResource=false", {"2", "4", "0"}},
      {"it is not scored", "cpu", "example.com/gpu", "DRAExtendedResource=true", {"2", "4", "0"}},
      {"it is not requested", "example.com/gpu", "example.com/fpga", "DRAExtendedResource=true", {"2", "4", "0"}},
      {"no object names it", "example.com/none", "example.com/gpu", "DRAExtendedResource=true", {"2", "4", "0"}},
      {"no device serves it", "hugepages-2Mi", "hugepages-2Mi", "DRAExtendedResource=true", {"2Mi", "4Mi", "0"}},
  };
  for (const Case& each : cases) {
    INFO(each.why);
    std::vector<std::string> documents = {
        fmt::format("apiVersion: v1\nkind: Pod\nmetadata: {{namespace: ns, name: new}}\n"
                    "spec: {{containers: [{{name: c, resources: {{requests: {{'{0}': '1'}}}}}}]}}\n"
                    "status: {{phase: Pending}}\n",
                    each.requested)};
    for (std::size_t i = 0; i < each.offered.size(); ++i) {
      documents.push_back(
          fmt::format("apiVersion: v1\nkind: Node\nmetadata: {{name: {}}}\nstatus: {{allocatable: "
                      "{{cpu: '4', memory: 1Gi, pods: '9', example.com/fpga: '1', '{}': '{}'}}}}\n",
                      static_cast<char>('a' + i),
                      each.requested == "hugepages-2Mi" ? each.requested : "example.com/gpu", each.offered[i]));
    }
    const auto cluster = a_cluster(documents);
    Question question = a_question();
    question.k8s_version = "1.35";
    question.feature_gates = each.gates;
    question.scheduler_config = with_profile(
        fmt::format("pluginConfig: [{{name: NodeResourcesFit, args: {{scoringStrategy: {{type: LeastAllocated, "
                    "resources: [{{name: '{}', weight: 1}}]}}}}}}]",
                    each.scored));
    const Verdict verdict = verdict_on(*cluster, question);
    CHECK(verdict.outcome == Outcome::fits);
    CHECK(std::any_of(verdict.gaps.begin(), verdict.gaps.end(),
                      [](const Gap& gap) { return gap.rule == GapRule::score_of_devices; }) == each.open);
  }
}

TEST_CASE("score weights: those of score, else those of multiPoint", "[kube][scores]") {
  const auto weights = [](const std::string& plugins) -> Json {
    return asked({node("a", "labels: {}"), node("b", "labels: {}"), pod("1", "100Mi")}, "1.35",
                 with_profile(fmt::format("plugins: {{{}}}", plugins)))
        .evidence.at("scores")
        .at("weights");
  };
  CHECK(weights("score: {enabled: [{name: TaintToleration, weight: 7}]}").at("TaintToleration") == 7);
  CHECK(weights("multiPoint: {enabled: [{name: TaintToleration}]}").at("TaintToleration") == 1);
  CHECK(weights("score: {disabled: [{name: '*'}], enabled: [{name: ImageLocality}]}") == Json{{"ImageLocality", 1}});
}

TEST_CASE("node sample: of more nodes than are looked at, each starting place counts", "[kube][scores]") {
  // Of 150 nodes, 50 - 150/125 = 49 % are wanted, but at least 100. Node 0 has the most free CPU, so it is the best of
  // every sample that contains it: those that start at it or at one of the 99 nodes before it.
  std::vector<std::string> documents;
  for (int i = 0; i < 150; ++i) documents.push_back(a_node(fmt::format("n{:03}", i), i == 0 ? "64" : "8"));
  documents.push_back(pod("1", "100Mi", ""));
  documents.push_back("apiVersion: v1\nkind: Service\nmetadata: {namespace: ns, name: s}\nspec: {selector: {a: b}}\n");
  const Answer answer = asked(documents);
  const Json& scores = answer.evidence.at("scores");
  CHECK(scores.at("by") == "sample");
  std::size_t alone = 0;
  for (const Json& sample : scores.at("samples")) {
    if (sample.at("chosenSet") == Json{"n000"}) alone = sample.at("starts");
  }
  CHECK(alone == 100);
  REQUIRE(answer.odds);
  CHECK(answer.odds->nodes.front().node == NodeId{0});
  CHECK(answer.odds->nodes.front().likely == Approx(100.0 / 150));
}

// 100 of 150 nodes are looked at, so every sample has nodes of both zones. The pod of web in z1 counts ln 4 = 1.386, so
// z1 gets 1 and z2 0, that is 0 and 100.
TEST_CASE("node sample: the spread of pods counts in every sample", "[kube][scores]") {
  std::vector<std::string> documents;
  for (int i = 0; i < 150; ++i)
    documents.push_back(node(fmt::format("n{:03}", i), fmt::format("labels: {{zone: {}}}", i < 75 ? "z1" : "z2")));
  documents.push_back(a_pod("ns/w").on("n000").cpu("0").labels("{app: web}").yaml());
  documents.push_back(pod("1", "100Mi",
                          "  topologySpreadConstraints: [{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: "
                          "ScheduleAnyway, labelSelector: {matchLabels: {app: web}}}]"));
  const Answer answer = asked(documents, "1.34");
  REQUIRE(answer.odds);
  CHECK(answer.odds->nodes.size() == 75);
  for (const auto& each : answer.odds->nodes) CHECK(each.node >= NodeId{75});
}

// n000 attracts the pod by 10 and n075 by 5; n075 has a taint that only makes it less preferred. InterPodAffinity has
// weight 3, TaintToleration 2. Samples that start at one of 100 nodes contain n000: it gets 300 + 200, n075
// 150 + 0, the others 0 + 200. The 50 others contain n075 and not n000: now n075 gets 300, and the others 200. Free
// resources and their balance differ by a few points only.
TEST_CASE("node sample: scores are normalized among the nodes of the sample", "[kube][scores]") {
  std::vector<std::string> documents;
  for (int i = 0; i < 150; ++i) {
    const std::string name = fmt::format("n{:03}", i);
    documents.push_back(node(name, fmt::format("labels: {{kubernetes.io/hostname: {}}}", name),
                             i == 75 ? "spec: {taints: [{key: k, effect: PreferNoSchedule}]}" : ""));
  }
  documents.push_back("apiVersion: v1\nkind: Service\nmetadata: {namespace: ns, name: s}\nspec: {selector: {a: b}}\n");
  documents.push_back(a_pod("ns/far").on("n000").cpu("0").labels("{app: first}").yaml());
  documents.push_back(a_pod("ns/near").on("n075").cpu("0").labels("{app: second}").yaml());
  const auto term = [](int weight, const char* app) {
    return fmt::format(
        "{{weight: {}, podAffinityTerm: {{topologyKey: kubernetes.io/hostname, labelSelector: {{matchLabels: {{app: "
        "{}}}}}}}}}",
        weight, app);
  };
  documents.push_back(pod("1", "100Mi",
                          fmt::format("  affinity: {{podAffinity: {{preferredDuringSchedulingIgnoredDuringExecution: "
                                      "[{}, {}]}}}}",
                                      term(10, "first"), term(5, "second"))));
  const Answer answer = asked(documents, "1.34",
                              with_profile("plugins: {score: {enabled: [{name: TaintToleration, weight: 2}, {name: "
                                           "InterPodAffinity, weight: 3}]}}"));
  REQUIRE(answer.odds);
  REQUIRE(answer.odds->nodes.size() == 2);
  CHECK(answer.odds->nodes[0].node == NodeId{0});
  CHECK(answer.odds->nodes[0].likely == Approx(100.0 / 150));
  CHECK(answer.odds->nodes[1].node == NodeId{75});
}

// 100 of 101 nodes are looked at. One sample lacks n000, the only node of its zone: then the label has two values, and
// a pod of `web` in z1 counts ln 4 = 1.386, so z1 gets round(1.386 + 9) = 10, z2 9, that is 90 and 100, weighted 180
// and 200. With ln 5, it would be 11, 81 and 162. The nodes of z2 have 2 of their 10 CPUs in use, and 200Mi of memory
// that are assumed: (70 + 70) / 2 = 70 instead of 90 for free resources, and 100 - |0.3 - 0.3| / 2 = 100 for their
// balance, as in z1. In the other samples, n000 has 5 pods: round(5 ln 5 + 9) = 17, z1 round(ln 5 + 9) = 11 and z2 9,
// that is 100 * (17 + 9 - 11) / 17 = 88 and 100, weighted 176 and 200.
TEST_CASE("node sample: values of a label on nodes that leave the sample do not count", "[kube][scores]") {
  std::vector<std::string> documents;
  const auto web = [](const std::string& name, const std::string& on) {
    return a_pod("ns/" + name).on(on).cpu("0").labels("{app: web}").yaml();
  };
  for (int i = 0; i <= 100; ++i) {
    const std::string name = fmt::format("n{:03}", i);
    documents.push_back(node(name, fmt::format("labels: {{zone: {}}}", i == 0 ? "z0" : i <= 50 ? "z1" : "z2")));
    if (i > 50) documents.push_back(a_pod("other/on-" + name).on(name).cpu("2").yaml());
  }
  for (const char* name : {"a", "b", "c", "d", "e"}) documents.push_back(web(name, "n000"));
  documents.push_back(web("f", "n001"));
  documents.push_back(pod("1", "100Mi",
                          "  topologySpreadConstraints: [{maxSkew: 10, topologyKey: zone, whenUnsatisfiable: "
                          "ScheduleAnyway, labelSelector: {matchLabels: {app: web}}}]"));
  const Answer answer = asked(documents, "1.34");
  REQUIRE(answer.odds);
  CHECK(answer.odds->nodes.size() == 49);  // on n001, 200Mi are assumed for the pod of web
  for (const auto& each : answer.odds->nodes) CHECK((each.node >= NodeId{2} && each.node <= NodeId{50}));
}

TEST_CASE("scores: VolumeBinding counts volumes that match, or else the capacity for new ones", "[kube][scores]") {
  // Two claims of 25Gi. Source: plugins/volumebinding/volume_binding.go Score, scorer.go; v1.36 with the gate
  // StorageCapacityScoring: 100 points if nothing of the capacity is used, 0 if all is.
  const auto capacity = [](const std::string& zone, const std::string& amount) {
    return fmt::format(
        "apiVersion: storage.k8s.io/v1\nkind: CSIStorageCapacity\nmetadata: {{name: k-{0}, namespace: ns}}\n"
        "storageClassName: local\nnodeTopology: {{matchLabels: {{zone: {0}}}}}\ncapacity: {1}\n",
        zone, amount);
  };
  const auto storage_class = [](const std::string& name) {
    return fmt::format(
        "apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: {{name: {0}}}\nprovisioner: {0}.csi\n"
        "volumeBindingMode: WaitForFirstConsumer\n",
        name);
  };
  const auto points = [&](const std::string& of_class, const std::string& gate) {
    const auto claim = [&](const std::string& name) {
      return fmt::format(
          "apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {{name: {}, namespace: ns}}\nspec: "
          "{{storageClassName: "
          "{}, accessModes: [ReadWriteOnce], resources: {{requests: {{storage: 25Gi}}}}}}\nstatus: {{phase: "
          "Pending}}\n",
          name, of_class);
    };
    const auto cluster = a_cluster(
        {node("a", "labels: {zone: za}"), node("b", "labels: {zone: zb}"), node("c", "labels: {zone: zc}"),
         storage_class("local"), storage_class("plain"),
         "apiVersion: storage.k8s.io/v1\nkind: CSIDriver\nmetadata: {name: local.csi}\nspec: {storageCapacity: true}\n",
         capacity("za", "100Gi"), capacity("zb", "50Gi"), capacity("zc", "30Gi"),
         "apiVersion: v1\nkind: PersistentVolume\nmetadata: {name: pv}\nspec: {storageClassName: local, accessModes: "
         "[ReadWriteOnce], capacity: {storage: 100Gi}, local: {path: /x}, nodeAffinity: {required: {nodeSelectorTerms: "
         "[{matchExpressions: [{key: zone, operator: In, values: [zc]}]}]}}}\nstatus: {phase: Available}\n",
         claim("c1"), claim("c2"),
         pod("1", "100Mi",
             "  volumes: [{name: v, persistentVolumeClaim: {claimName: c1}}, {name: w, persistentVolumeClaim: "
             "{claimName: c2}}]")});
    Question question = a_question();
    question.k8s_version = "1.36";
    question.feature_gates = gate;
    const Answer answer = tell(*cluster->snapshot, question, verdict_on(*cluster, question));
    std::vector<std::int64_t> raw;
    for (const char* name : {"a", "b", "c"}) {
      const Points found = given(answer, "VolumeBinding", name);
      if (!found.empty()) raw.push_back(found.front());
    }
    return raw;
  };
  const std::string on = "StorageCapacityScoring=true";
  // a: 50 of 100Gi, which are counted once. b: all of 50Gi. c: one claim gets the volume, 25 of 100Gi, and the capacity
  // of 30Gi for the other one does not count.
  CHECK(points("local", on) == Points{50, 0, 75});
  CHECK(points("plain", on) == Points{0, 0, 0});                   // its driver tracks no capacity
  CHECK(points("local", "StorageCapacityScoring=false").empty());  // PreScore skips it
}
