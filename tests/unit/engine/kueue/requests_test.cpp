// What Kueue counts as the request of a workload. Source: kubernetes-sigs/kueue v0.19.0 pkg/workload/resources.go
// AdjustResources; pkg/util/limitrange Summarize, ValidatePodSpec; pkg/workload/workload.go
// applyResourceTransformations, podSetsCountsAfterReclaim. Amounts are milli-CPU, and units of other resources.
#include "engine/kueue/requests.h"

#include "support/kueue.h"

#include <catch2/catch.hpp>

namespace previct::of_requests {
namespace {

struct RequestsOf {
  std::string spec = "containers: [{name: c, resources: {requests: {cpu: 1}}}]";
  std::string more = "";  ///< other objects
  std::string config = "";
  std::string set = "";     ///< more of the pod set: `, count: 2`
  std::string status = "";  ///< of the workload
  std::string release = "";
};

/// A workload of one pod set, and the reader of its requests.
struct Counted {
  explicit Counted(const RequestsOf& of)
      : asked(of.more +
              fmt::format("---\n{{apiVersion: kueue.x-k8s.io/v1beta2, kind: Workload, metadata: {{name: w, "
                          "namespace: ns}}, spec: {{podSets: [{{name: main, template: {{spec: {{{}}}}}{}}}]}}, "
                          "status: {{{}}}}}\n",
                          of.spec, of.set, of.status)),
        cluster(asked.objects) {
    asked.config(of.config);
    auto read = kueue::settings_of(cluster, asked.question.kueue_config, of.release);
    REQUIRE(read);
    settings = *std::move(read);
  }

  [[nodiscard]] auto workload() const -> const kueue::Workload& { return asked.objects.kueue_workloads[0]; }

  test::KueueAsked asked;
  Snapshot cluster;
  kueue::Settings settings;
};

// Returns `cpu=1000 memory=5`.
auto requests(const RequestsOf& of) -> std::string {
  const Counted counted(of);
  std::string text;
  for (const kueue::PodSetRequest& set :
       kueue::RequestReader(counted.cluster, counted.settings).requests_of(counted.workload())) {
    for (const kueue::ResourceAmount& each : set.requests)
      text += fmt::format("{}{}={}", text.empty() ? "" : " ", counted.cluster.text(each.resource), each.amount.value);
  }
  return text;
}

// Returns the resources of which the order of a Go map decides how much is requested.
auto by_chance(const RequestsOf& of) -> std::vector<std::string> {
  const Counted counted(of);
  std::vector<std::string> names;
  for (const kueue::PodSetRequest& set :
       kueue::RequestReader(counted.cluster, counted.settings).requests_of(counted.workload())) {
    for (const Symbol each : set.by_chance) names.emplace_back(counted.cluster.text(each));
  }
  return names;
}

auto refusal(const RequestsOf& of) -> std::string {
  const Counted counted(of);
  return kueue::RequestReader(counted.cluster, counted.settings).refusal(counted.workload());
}

auto range(const std::string& items, const std::string& ns = "ns", const std::string& name = "l") -> std::string {
  return fmt::format(
      "---\n{{apiVersion: v1, kind: LimitRange, metadata: {{name: {}, namespace: {}}}, spec: {{limits: [{}]}}}}\n",
      name, ns, items);
}

}  // namespace

TEST_CASE("kueue requests: limits and LimitRanges fill in what containers do not request", "[kueue]") {
  const auto one = [](const std::string& resources, const std::string& more = "") {
    return requests({.spec = fmt::format("containers: [{{name: c, resources: {{{}}}}}]", resources), .more = more});
  };
  CHECK(one("limits: {cpu: 2}") == "cpu=2000");
  CHECK(one("requests: {cpu: 1}, limits: {cpu: 2, memory: 5}") == "cpu=1000 memory=5");
  const std::string defaults = range("{type: Container, default: {cpu: 4}, defaultRequest: {cpu: 3}}");
  CHECK(one("", defaults) == "cpu=3000");
  CHECK(one("requests: {cpu: 1}", defaults) == "cpu=1000");
  // A limit alone does not keep the default request away.
  CHECK(one("limits: {cpu: 2}", defaults) == "cpu=3000");
  CHECK(one("", range("{type: Container, default: {cpu: 4}}")) == "cpu=4000");
  CHECK(one("", range("{type: Pod, default: {cpu: 4}, defaultRequest: {cpu: 3}}")).empty());
  CHECK(one("", range("{type: Container, default: {cpu: 4}}", "other")).empty());
  // Of two, the first one in the order of the input counts for each resource.
  CHECK(one("", defaults + range("{type: Container, defaultRequest: {cpu: 1, memory: 7}}", "ns", "m")) ==
        "cpu=3000 memory=7");
  // Init containers get them, too: 3 is the peak.
  CHECK(requests({.spec = "initContainers: [{name: i}], containers: [{name: c, resources: {requests: {cpu: 1}}}]",
                  .more = defaults}) == "cpu=3000");
  // spec.resources gets those of pods.
  const std::string of_pod = "resources: {limits: {cpu: 8}}, containers: [{name: c}]";
  CHECK(requests({.spec = of_pod}) == "cpu=8000");
  CHECK(requests({.spec = of_pod, .more = range("{type: Pod, defaultRequest: {cpu: 5}}")}) == "cpu=5000");
}

TEST_CASE("kueue requests: overhead, counts and reclaimable pods", "[kueue]") {
  const std::string runtime =
      "---\n{apiVersion: node.k8s.io/v1, kind: RuntimeClass, metadata: {name: vm}, handler: vm, overhead: {podFixed: "
      "{cpu: 500m}}}\n";
  const std::string vm = "runtimeClassName: vm, containers: [{name: c, resources: {requests: {cpu: 1}}}]";
  CHECK(requests({.spec = vm, .more = runtime}) == "cpu=1500");
  CHECK(requests({.spec = "overhead: {cpu: 100m}, " + vm, .more = runtime}) == "cpu=1100");
  CHECK(requests({.spec = vm}) == "cpu=1000");
  const auto missing = [](const std::string& spec, const std::string& more) {
    const Counted counted({.spec = spec, .more = more});
    return std::string(
        kueue::RequestReader(counted.cluster, counted.settings).missing_runtime_class(counted.workload()));
  };
  CHECK(missing(vm, "") == "vm");
  CHECK(missing(vm, runtime).empty());
  CHECK(missing("overhead: {cpu: 100m}, " + vm, "").empty());
  CHECK(missing("containers: []", "").empty());

  CHECK(requests({.set = ", count: 3"}) == "cpu=3000");
  CHECK(requests({}) == "cpu=1000");
  const auto reclaimable = [](const std::string& name, int count, const std::string& config = "") {
    return requests({.config = config,
                     .set = ", count: 3",
                     .status = fmt::format("reclaimablePods: [{{name: {}, count: {}}}]", name, count)});
  };
  CHECK(reclaimable("main", 1) == "cpu=2000");
  CHECK(reclaimable("other", 1) == "cpu=3000");
  CHECK(reclaimable("main", 3) == "cpu=0");
  CHECK(reclaimable("main", 4) == "cpu=0");
  CHECK(reclaimable("main", 1, "featureGates: {ReclaimablePods: false}\n") == "cpu=3000");
}

TEST_CASE("kueue requests: excluded and transformed resources", "[kueue]") {
  const auto with = [](const std::string& requests_of_pod, const std::string& resources) {
    return requests({.spec = fmt::format("containers: [{{name: c, resources: {{requests: {{{}}}}}}}]", requests_of_pod),
                     .config = fmt::format("resources: {{{}}}\n", resources)});
  };
  const auto rule = [](const std::string& text) { return fmt::format("transformations: [{{{}}}]", text); };
  CHECK(with("cpu: 1, a/x: 2, a/y: 3, b/x: 4", "excludeResourcePrefixes: [a/, b/y]") == "b/x=4 cpu=1000");
  const std::string gpu = "nvidia.com/gpu: 3, cpu: 1";
  CHECK(with(gpu, rule("input: nvidia.com/gpu, strategy: Replace, outputs: {mem: 40}")) == "cpu=1000 mem=120");
  CHECK(with(gpu, rule("input: nvidia.com/gpu, strategy: Retain, outputs: {mem: 40}")) ==
        "cpu=1000 mem=120 nvidia.com/gpu=3");
  CHECK(with(gpu, rule("input: nvidia.com/gpu, strategy: Replace, outputs: {mem: 40, credits: 2}")) ==
        "cpu=1000 credits=6 mem=120");
  CHECK(with(gpu, rule("input: other, strategy: Replace, outputs: {mem: 40}")) == "cpu=1000 nvidia.com/gpu=3");
  // 0.5 * 3 = 1.5, and counts as 2 of what is counted in units; cpu is counted in thousandths.
  CHECK(with(gpu, rule("input: nvidia.com/gpu, strategy: Replace, outputs: {mem: 500m}")) == "cpu=1000 mem=2");
  CHECK(with("nvidia.com/gpu: 3", rule("input: nvidia.com/gpu, strategy: Replace, outputs: {cpu: 500m}")) ==
        "cpu=1500");
  // 1.5 * 1.5 = 2.25
  CHECK(with("cpu: 1500m", rule("input: cpu, strategy: Replace, outputs: {cpu: 1500m}")) == "cpu=2250");
  // 3 * 10 * 2, and of Retain the product with `multiplyBy`.
  CHECK(with("gpu: 3, mem: 10", rule("input: gpu, strategy: Replace, multiplyBy: mem, outputs: {total: 2}")) ==
        "mem=10 total=60");
  CHECK(with("gpu: 3, mem: 10", rule("input: gpu, strategy: Retain, multiplyBy: mem, outputs: {total: 2}")) ==
        "gpu=30 mem=10 total=60");
  CHECK(with("gpu: 3", rule("input: gpu, strategy: Replace, multiplyBy: mem, outputs: {total: 2}")) == "total=6");
  // Two inputs with the same output are added.
  CHECK(
      with("a: 1, b: 2",
           "transformations: [{input: a, strategy: Replace, outputs: {t: 10}}, {input: b, strategy: Replace, outputs: "
           "{t: 100}}]") == "t=210");
  // The largest amount is a limit.
  CHECK(with("gpu: 9223372036854775807", rule("input: gpu, strategy: Replace, outputs: {t: 9223372036854775807}")) ==
        "t=9223372036854775807");
  CHECK(with("gpu: 4611686018427387904", rule("input: gpu, strategy: Replace, outputs: {t: 1}")) ==
        "t=4611686018427387904");
}

// The outputs are added to what has been counted, and what is retained replaces it: which one comes last depends on the
// order of a Go map. Source: applyResourceTransformations; since v0.18.5 and v0.19.1, all is added (#13986, #14032).
TEST_CASE("kueue requests: a transformation to a resource that the pods request depends on chance", "[kueue]") {
  const auto of = [](const std::string& requests_of_pod, const std::string& rules, const std::string& release = "",
                     const std::string& set = "") {
    return RequestsOf{
        .spec = fmt::format("containers: [{{name: c, resources: {{requests: {{{}}}}}}}]", requests_of_pod),
        .config = fmt::format("resources: {{transformations: [{}]}}\n", rules),
        .set = set,
        .release = release};
  };
  using Names = std::vector<std::string>;
  const std::string replace = "{input: a, strategy: Replace, outputs: {cpu: 2}}";
  const std::string retain = "{input: a, strategy: Retain, outputs: {cpu: 2}}";
  CHECK(by_chance(of("cpu: 1, a: 3", replace)) == Names{"cpu"});
  CHECK(by_chance(of("cpu: 1, a: 3", retain)) == Names{"cpu"});
  CHECK(requests(of("cpu: 1, a: 3", replace)) == "cpu=7000");  // all of it
  // Also if a transformation retains it itself; not if one replaces it.
  CHECK(by_chance(of("cpu: 1, a: 3", retain + ", {input: cpu, strategy: Retain, outputs: {b: 1}}")) == Names{"cpu"});
  CHECK(by_chance(of("cpu: 1, a: 3", retain + ", {input: cpu, strategy: Replace, outputs: {b: 1}}")).empty());
  CHECK(requests(of("cpu: 1, a: 3", retain + ", {input: cpu, strategy: Replace, outputs: {b: 1}}")) ==
        "a=3 b=1 cpu=6000");
  // No chance: two outputs that no pod requests, an output of 0, no input, no pods.
  CHECK(by_chance(of("a: 1, b: 1", "{input: a, outputs: {t: 1}}, {input: b, outputs: {t: 1}}")).empty());
  CHECK(by_chance(of("cpu: 1, a: 3", "{input: a, outputs: {cpu: 0}}")).empty());
  CHECK(by_chance(of("cpu: 1", replace)).empty());
  CHECK(by_chance(of("cpu: 1, a: 3", replace, "", ", count: 0")).empty());
  // A retained input overwrites what it generates of itself.
  CHECK(requests(of("a: 3", "{input: a, strategy: Retain, outputs: {a: 10}}")) == "a=3");
  CHECK(by_chance(of("a: 3", "{input: a, strategy: Retain, outputs: {a: 10}}")).empty());

  for (const std::string release : {"0.18.5", "0.19.1", "0.19.2"}) {
    CHECK(by_chance(of("cpu: 1, a: 3", retain, release)).empty());
    CHECK(requests(of("cpu: 1, a: 3", retain, release)) == "a=3 cpu=7000");
    CHECK(requests(of("a: 3", "{input: a, strategy: Retain, outputs: {a: 10}}", release)) == "a=33");
    CHECK(requests(of("a: 3, b: 10", "{input: a, strategy: Retain, multiplyBy: b, outputs: {t: 2}}", release)) ==
          "a=3 b=10 t=60");
    // -5 + 2 is an allowance of 3, which counts as 0.
    CHECK(requests(of("cpu: 1, a: 1, b: 2", "{input: a, outputs: {cpu: -5}}, {input: b, outputs: {cpu: 1}}",
                      release)) == "a=1 b=2 cpu=1000");
  }
  for (const std::string release : {"0.18.4", "0.19.0"})
    CHECK(by_chance(of("cpu: 1, a: 3", retain, release)) == Names{"cpu"});
}

// The example of the changelog: 300m of CPU times 1000. Source: CHANGELOG/CHANGELOG-0.17.md v0.17.7 (#12962).
TEST_CASE("kueue requests: older releases round before they multiply", "[kueue]") {
  const auto with = [](const std::string& release, const std::string& rule) {
    return requests({.spec = "containers: [{name: c, resources: {requests: {cpu: 300m, gpu: 3}}}]",
                     .config = fmt::format("resources: {{transformations: [{{{}}}]}}\n", rule),
                     .release = release});
  };
  const std::string credits = "input: cpu, strategy: Replace, outputs: {credits: 1000}";
  const std::string by_cpu = "input: gpu, strategy: Replace, multiplyBy: cpu, outputs: {credits: 10}";
  for (const std::string release : {"0.17.0", "0.17.6", "0.18.0", "0.18.2"}) {
    CHECK(with(release, credits) == "credits=1000 gpu=3");
    CHECK(with(release, by_cpu) == "cpu=300 credits=30");
  }
  for (const std::string release : {"0.17.7", "0.18.3", "0.19.0"}) {
    CHECK(with(release, credits) == "credits=300 gpu=3");
    CHECK(with(release, by_cpu) == "cpu=300 credits=9");
  }
}

TEST_CASE("kueue refusal: which containers are outside which bounds", "[kueue]") {
  const std::string set = "spec.podSets[0].template.spec";
  const std::string exceed = "]: requests must not exceed its limits";
  CHECK(refusal({}).empty());
  CHECK(refusal({.spec = "initContainers: [{name: i, resources: {requests: {cpu: 2}, limits: {cpu: 1}}}], containers: "
                         "[{name: c}]"}) ==
        "resources validation failed: " + set + ".initContainers[0]: Invalid value: [\"cpu\"" + exceed);
  CHECK(
      refusal({.spec = "containers: [{name: c}, {name: d, resources: {requests: {memory: 2, cpu: 2}, limits: {cpu: 1, "
                       "memory: 1}}}]"}) ==
      "resources validation failed: " + set + ".containers[1]: Invalid value: [\"cpu\",\"memory\"" + exceed);
  const std::string two =
      "containers: [{name: c, resources: {requests: {cpu: 2}, limits: {cpu: 1}}}, {name: d, "
      "resources: {requests: {cpu: 2}, limits: {cpu: 1}}}]";
  CHECK(refusal({.spec = two}) == "resources validation failed: [" + set + ".containers[0]: Invalid value: [\"cpu\"" +
                                      exceed + ", " + set + ".containers[1]: Invalid value: [\"cpu\"" + exceed + "]");

  const std::string unsatisfied = "resources didn't satisfy LimitRange constraints: ";
  const std::string c = set + ".containers[0]: Invalid value: [\"cpu\"]: requests must not be ";
  const auto within = [](const std::string& resources, const std::string& items) {
    return refusal(
        {.spec = fmt::format("containers: [{{name: c, resources: {{{}}}}}]", resources), .more = range(items)});
  };
  // The larger one of request and limit counts against the maximum, the smaller one against the minimum.
  const std::string between = "requests: {cpu: 2}, limits: {cpu: 4}";
  CHECK(within(between, "{type: Container, max: {cpu: 3}}") == unsatisfied + c + "above the limitRange max");
  CHECK(within(between, "{type: Container, max: {cpu: 4}}").empty());
  CHECK(within(between, "{type: Container, min: {cpu: 3}}") == unsatisfied + c + "below the limitRange min");
  CHECK(within(between, "{type: Container, min: {cpu: 2}}").empty());
  // Of two ranges, the lowest maximum and the highest minimum.
  CHECK(within(between, "{type: Container, max: {cpu: 9}}, {type: Container, max: {cpu: 3}}") ==
        unsatisfied + c + "above the limitRange max");
  CHECK(within(between, "{type: Container, max: {cpu: 3}}, {type: Container, max: {cpu: 9}}") ==
        unsatisfied + c + "above the limitRange max");
  CHECK(within(between, "{type: Container, min: {cpu: 1}}, {type: Container, min: {cpu: 3}}") ==
        unsatisfied + c + "below the limitRange min");
  CHECK(within(between, "{type: Container, min: {cpu: 3}}, {type: Container, min: {cpu: 1}}") ==
        unsatisfied + c + "below the limitRange min");
  // A resource without a bound has none, and a bound needs a request.
  CHECK(within(between, "{type: Container, max: {memory: 1}}").empty());
  CHECK(within(between, "{type: Container, min: {memory: 1}}").empty());
  CHECK(within(between, "{type: PersistentVolumeClaim, max: {cpu: 1}}").empty());
  // Both, of a pod: its request is 2.
  const std::string pod = set + ": Invalid value: [\"cpu\"]: requests must not be ";
  CHECK(within(between, "{type: Pod, max: {cpu: 1}, min: {cpu: 3}}") ==
        unsatisfied + "[" + pod + "above the limitRange max, " + pod + "below the limitRange min]");
  CHECK(within(between, "{type: Pod, max: {cpu: 2}, min: {cpu: 2}}").empty());
  // spec.resources is no container.
  CHECK(refusal({.spec = "resources: {requests: {cpu: 2}}, containers: [{name: c}]",
                 .more = range("{type: Container, max: {cpu: 1}}")})
            .empty());
}

}  // namespace previct::of_requests
