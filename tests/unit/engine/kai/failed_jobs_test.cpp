// What the scheduling signature of a group covers: a group with the signature of one that failed is not tried.
// Source: kai-scheduler/KAI-Scheduler: pkg/scheduler/actions/common/minimal_job_comparison.go,
// api/pod_info/scheduling_constraints_signature.go (d5bc503a); spec §10.
#include "support/kai_cycle.h"

using namespace previct;
using namespace previct::test::cycles;

namespace {

struct PendingGroup {
  std::string spec = {};       // of the pod: `, key: value`
  std::string container = {};  // `, key: value`
  std::string request = std::string(kGpuEach);
  std::string group = {};  // `, key: value`
};

// A pending group of the class `high` in the queue `want`.
auto pending_group(std::string_view name, std::string_view preemptibility, const PendingGroup& w) -> std::string {
  return group(name, "want", fmt::format(", preemptibility: {}{}", preemptibility, w.group), "high") +
         pod({.name = name, .group = name, .request = w.request, .spec = w.spec, .container = w.container});
}

// `want` has no quota of GPUs, so `first`, which is non-preemptible, may not preempt, whatever it requests. `second`
// may evict the holder of the GPU, and is tried if its signature differs from that of `first`.
auto is_tried_after(const PendingGroup& first, const PendingGroup& second, const std::string& version = {}) -> bool {
  static const std::string cluster =
      node("a", 1, ", x: \"1\", rack: r") + queue("top", 1) + queue("want", 0, ", parentQueue: top") +
      group("holder", "want") + pod({.name = "holder", .group = "holder", .node = "a", .request = kGpuEach}) +
      [] {
        std::string claims;
        for (const std::string_view name : {"data", "more"}) {
          claims += fmt::format(
              "---\n{{apiVersion: v1, kind: PersistentVolume, metadata: {{name: v-{0}}}, spec: {{capacity: {{storage: "
              "1Gi}}, accessModes: [ReadWriteMany], claimRef: {{namespace: ml, name: {0}}}}}}}\n---\n{{apiVersion: v1, "
              "kind: PersistentVolumeClaim, metadata: {{name: {0}, namespace: ml, annotations: "
              "{{pv.kubernetes.io/bind-completed: \"yes\"}}}}, spec: {{accessModes: [ReadWriteMany], volumeName: "
              "v-{0}, "
              "resources: {{requests: {{storage: 1Gi}}}}}}, status: {{phase: Bound}}}}\n",
              name);
        }
        return claims;
      }() +
      "---\n{apiVersion: kai.scheduler/v1alpha1, kind: Topology, metadata: {name: dc}, spec: {levels: [{nodeLabel: "
      "rack}, {nodeLabel: x}]}}\n";
  const Cluster decided(
      cluster + pending_group("first", "non-preemptible", first) + pending_group("second", "preemptible", second),
      version);
  CHECK(decided.why("first", Action::preempt) == "kai.action.over-quota");
  const auto rule = decided.why("second", Action::preempt);
  INFO("second: " << rule);
  CHECK((rule == "kai.action.solved" || rule == "kai.action.no-solution" || rule == "kai.action.like-failed"));
  return rule != "kai.action.like-failed";
}

// Checks that `harmless` equals itself and differs from each of `others`.
void differ(const PendingGroup& harmless, const std::vector<PendingGroup>& others) {
  CHECK_FALSE(is_tried_after(harmless, harmless));
  for (std::size_t i = 0; i < others.size(); ++i) {
    INFO("number " << i << ": " << others[i].spec << others[i].container << others[i].group);
    CHECK(is_tried_after(others[i], harmless));
  }
}

// Checks that no two of them are equal, and that each equals itself.
void all_differ(const std::vector<PendingGroup>& groups) {
  for (std::size_t i = 0; i < groups.size(); ++i) {
    for (std::size_t j = i; j < groups.size(); ++j) {
      INFO("numbers " << i << " and " << j << ": " << groups[i].spec << groups[j].spec);
      CHECK(is_tried_after(groups[j], groups[i]) == (i != j));
    }
  }
}

auto affinity(std::string_view text) -> PendingGroup {
  return {.spec = fmt::format(", affinity: {{{}}}", text)};
}

auto required_node(std::string_view term) -> PendingGroup {
  return affinity(fmt::format(
      "nodeAffinity: {{requiredDuringSchedulingIgnoredDuringExecution: {{nodeSelectorTerms: [{{{}}}]}}}}", term));
}

auto preferred_node(int weight, std::string_view key) -> PendingGroup {
  return affinity(fmt::format(
      "nodeAffinity: {{preferredDuringSchedulingIgnoredDuringExecution: [{{weight: {}, preference: {{matchExpressions: "
      "[{{key: {}, operator: Exists}}]}}}}]}}",
      weight, key));
}

auto required_pod(std::string_view kind, std::string_view term) -> PendingGroup {
  return affinity(fmt::format("{}: {{requiredDuringSchedulingIgnoredDuringExecution: [{{{}}}]}}", kind, term));
}

auto preferred_pod(std::string_view kind, int weight, std::string_view key) -> PendingGroup {
  return affinity(fmt::format(
      "{}: {{preferredDuringSchedulingIgnoredDuringExecution: [{{weight: {}, podAffinityTerm: {{topologyKey: {}}}}}]}}",
      kind, weight, key));
}

auto toleration(std::string_view text) -> PendingGroup {
  return {.spec = fmt::format(", tolerations: [{{{}}}]", text)};
}

auto spread(std::string_view text) -> PendingGroup {
  return {.spec = fmt::format(", topologySpreadConstraints: [{{{}}}]", text)};
}

auto volume(std::string_view text) -> PendingGroup {
  return {.spec = fmt::format(", volumes: [{{{}}}]", text)};
}

}  // namespace

TEST_CASE("kai signatures: cover what pods require of nodes", "[kai]") {
  differ({.spec = ", nodeSelector: {x: \"1\"}"},
         {{}, {.spec = ", nodeSelector: {z: \"1\"}"}, {.spec = ", nodeSelector: {x: \"2\"}"}});
  differ({}, {affinity(""), {.spec = ", priorityClassName: train"}, {.spec = ", priority: 0"}});
  differ({.spec = ", priority: 3"}, {{.spec = ", priority: 4"}});
  differ(
      required_node("matchExpressions: [{key: x, operator: In, values: [\"1\"]}]"),
      {required_node("matchExpressions: [{key: z, operator: In, values: [\"1\"]}]"),
       required_node("matchExpressions: [{key: x, operator: NotIn, values: [\"1\"]}]"),
       required_node("matchExpressions: [{key: x, operator: In, values: [\"2\"]}]"),
       required_node("matchExpressions: [{key: x, operator: In, values: [\"1\"]}], matchFields: [{key: metadata.name, "
                     "operator: In, values: [a]}]")});
  differ(preferred_node(1, "x"), {preferred_node(2, "x"), preferred_node(1, "z"), affinity("")});
  differ(toleration("key: k, operator: Equal, value: v, effect: NoSchedule"),
         {toleration("key: l, operator: Equal, value: v, effect: NoSchedule"),
          toleration("key: k, operator: Exists, value: v, effect: NoSchedule"),
          toleration("key: k, operator: Equal, value: w, effect: NoSchedule"),
          toleration("key: k, operator: Equal, value: v, effect: NoExecute")});
}

TEST_CASE("kai signatures: cover what pods require of other pods", "[kai]") {
  const std::string labels = "topologyKey: rack, labelSelector: {matchLabels: {app: none}}";
  differ(required_pod("podAntiAffinity", labels),
         {affinity(""), required_pod("podAffinity", labels),
          required_pod("podAntiAffinity", "topologyKey: x, labelSelector: {matchLabels: {app: none}}"),
          required_pod("podAntiAffinity", "topologyKey: rack"),
          required_pod("podAntiAffinity", "topologyKey: rack, labelSelector: {matchLabels: {app: other}}"),
          required_pod("podAntiAffinity", "topologyKey: rack, labelSelector: {matchLabels: {tier: none}}"),
          required_pod(
              "podAntiAffinity",
              "topologyKey: rack, labelSelector: {matchLabels: {app: none}, matchExpressions: [{key: x, operator: "
              "Exists}]}"),
          required_pod("podAntiAffinity", labels + ", namespaces: [other]"),
          required_pod("podAntiAffinity", labels + ", namespaceSelector: {}"),
          required_pod("podAntiAffinity", labels + ", matchLabelKeys: [k]"),
          required_pod("podAntiAffinity", labels + ", mismatchLabelKeys: [k]")});
  // A missing selector selects nothing, an empty one everything.
  differ(required_pod("podAntiAffinity", "topologyKey: rack"),
         {required_pod("podAntiAffinity", "topologyKey: rack, labelSelector: {}")});
  differ(preferred_pod("podAffinity", 1, "rack"),
         {affinity(""), preferred_pod("podAffinity", 2, "rack"), preferred_pod("podAffinity", 1, "x"),
          preferred_pod("podAntiAffinity", 1, "rack"), required_pod("podAffinity", "topologyKey: rack")});
  const std::string even = "topologyKey: rack, whenUnsatisfiable: ScheduleAnyway, maxSkew: 1";
  differ(spread(even), {{},
                        spread("topologyKey: x, whenUnsatisfiable: ScheduleAnyway, maxSkew: 1"),
                        spread("topologyKey: rack, whenUnsatisfiable: DoNotSchedule, maxSkew: 1"),
                        spread("topologyKey: rack, whenUnsatisfiable: ScheduleAnyway, maxSkew: 2"),
                        spread(even + ", minDomains: 2"),
                        spread(even + ", nodeAffinityPolicy: Ignore"),
                        spread(even + ", nodeTaintsPolicy: Honor"),
                        spread(even + ", labelSelector: {matchLabels: {a: b}}"),
                        spread(even + ", matchLabelKeys: [k]")});
}

TEST_CASE("kai signatures: cover host ports, volumes and topology constraints", "[kai]") {
  const auto port = [](int number) {
    return PendingGroup{.container = fmt::format(", ports: [{{containerPort: 80, hostPort: {}}}]", number)};
  };
  differ(port(81), {{}, port(82)});
  const auto init_port = [](int number) {
    return PendingGroup{
        .spec = fmt::format(", initContainers: [{{name: i, ports: [{{containerPort: 80, hostPort: {}}}]}}]", number)};
  };
  differ(init_port(81), {{}, init_port(82)});
  differ(volume("name: v, persistentVolumeClaim: {claimName: data}"),
         {{},
          volume("name: w, persistentVolumeClaim: {claimName: data}"),
          volume("name: v, persistentVolumeClaim: {claimName: more}")});
  differ(volume("name: v, gcePersistentDisk: {pdName: d}"),
         {{},
          volume("name: v, gcePersistentDisk: {pdName: e}"),
          volume("name: v, gcePersistentDisk: {pdName: d, readOnly: true}"),
          volume("name: v, awsElasticBlockStore: {volumeID: d}")});
  const auto projected = [](std::string_view name) {
    return volume(fmt::format("name: v, projected: {{sources: [{{configMap: {{name: {}, optional: true}}}}]}}", name));
  };
  differ(projected("c"), {{}, projected("d")});
  // Plain ConfigMap and Secret volumes do not count.
  CHECK_FALSE(is_tried_after(volume("name: v, secret: {secretName: s, optional: true}"), {}));
  const auto constrained = [](std::string_view text) {
    return PendingGroup{.group = fmt::format(", topologyConstraint: {{{}}}", text)};
  };
  differ(constrained("topology: dc, requiredTopologyLevel: rack"),
         {{},
          constrained("topology: dd, requiredTopologyLevel: rack"),
          constrained("topology: dc, requiredTopologyLevel: x"),
          constrained("topology: dc, preferredTopologyLevel: rack"),
          constrained("topology: dc, requiredTopologyLevel: rack, preferredTopologyLevel: x")});
}

// Upstream hashes the text of each part, in which the names of the fields, or brackets, show where a value belongs.
TEST_CASE("kai signatures: the same values in other fields, or in lists of other lengths, differ", "[kai]") {
  const std::string one = "{key: metadata.name, operator: NotIn, values: [b]}";
  const std::string other = "{key: metadata.name, operator: NotIn, values: [c]}";
  all_differ({required_node("matchExpressions: [" + one + "]"), required_node("matchFields: [" + one + "]"),
              required_node("matchExpressions: [" + one + ", " + other + "]"),
              required_node("matchExpressions: [" + one + "], matchFields: [" + other + "]"),
              required_node("matchExpressions: [" + one + "]}, {matchExpressions: [" + other + "]"),
              required_node("matchExpressions: [{key: metadata.name, operator: NotIn, values: [b, c]}]")});
  const auto anti = [](std::string_view more) {
    return required_pod("podAntiAffinity", fmt::format("topologyKey: rack{}", more));
  };
  all_differ({anti(""), anti(", labelSelector: {}"), anti(", namespaceSelector: {}"),
              anti(", labelSelector: {}, namespaceSelector: {}"), anti(", labelSelector: {matchLabels: {a: b}}"),
              anti(", namespaceSelector: {matchLabels: {a: b}}"), anti(", labelSelector: {matchLabels: {a: b, c: d}}"),
              anti(", labelSelector: {matchLabels: {a: b}}, namespaceSelector: {matchLabels: {c: d}}"),
              anti(", namespaces: [k]"), anti(", namespaces: [k, l]"), anti(", matchLabelKeys: [k]"),
              anti(", mismatchLabelKeys: [k]"), anti(", matchLabelKeys: [k], mismatchLabelKeys: [l]"),
              anti(", matchLabelKeys: [k, l]"), anti("}, {topologyKey: x")});
  const auto tolerations = [](std::string_view text) {
    return PendingGroup{.spec = fmt::format(", tolerations: [{}]", text)};
  };
  all_differ({{},
              tolerations("{operator: Exists}"),
              tolerations("{operator: Exists}, {operator: Exists}"),
              tolerations("{key: k, operator: Exists}"),
              tolerations("{key: k, value: v}"),
              tolerations("{key: k, effect: NoSchedule}"),
              tolerations("{key: k}, {key: v}")});
}

// Until 0.13, only the lowest byte of each of these numbers is hashed: 260 is 256 + 4, 8080 is 31 * 256 + 144, and 400
// is 256 + 144. Source: api/pod_info/scheduling_constraints_signature.go (v0.13.4, v0.14.0).
TEST_CASE("kai signatures, until 0.13: priorities and host ports are compared modulo 256", "[kai][release]") {
  const auto priority = [](int number) { return PendingGroup{.spec = fmt::format(", priority: {}", number)}; };
  const auto port = [](int number) {
    return PendingGroup{.container = fmt::format(", ports: [{{containerPort: 80, hostPort: {}}}]", number)};
  };
  for (const char* version : {"0.10", "0.12", "0.13", "0.14", "0.17"}) {
    INFO(version);
    const bool whole = std::string_view(version) >= "0.14";
    CHECK(is_tried_after(priority(4), priority(260), version) == whole);
    CHECK(is_tried_after(priority(260), priority(4), version) == whole);
    CHECK(is_tried_after(port(8080), port(400), version) == whole);
    CHECK(is_tried_after(priority(4), priority(261), version));
    CHECK(is_tried_after(port(8080), port(401), version));
    CHECK_FALSE(is_tried_after(priority(4), priority(4), version));
  }
}

TEST_CASE("kai signatures: of equal groups, one that requests less is tried", "[kai]") {
  const auto asks = [](std::string_view memory) {
    return PendingGroup{.request = fmt::format("{}, memory: {}", kGpuEach, memory)};
  };
  CHECK(is_tried_after(asks("2Gi"), asks("1Gi")));
  CHECK_FALSE(is_tried_after(asks("1Gi"), asks("1Gi")));
  CHECK_FALSE(is_tried_after(asks("1Gi"), asks("2Gi")));
}

TEST_CASE("kai signatures: requests of gangs are compared from the smallest pod on, in any order of pods", "[kai]") {
  const auto second_after = [](const std::vector<std::string>& first, const std::vector<std::string>& second) {
    const auto gang = [](const std::string& name, std::string_view preemptibility, const auto& requests) {
      std::string text = group(name, "want", fmt::format(", minMember: 2, preemptibility: {}", preemptibility), "high");
      for (const std::string& request : requests) {
        const std::string pod_name = fmt::format("{}-{}", name, &request - requests.data());
        text += pod({.name = pod_name, .group = name, .request = request});
      }
      return text;
    };
    return Cluster(node("a", 3) + queue("want", 0) + group("holder", "want") +
                   pod({.name = "holder", .group = "holder", .node = "a", .request = ", nvidia.com/gpu: \"3\""}) +
                   gang("first", "non-preemptible", first) + gang("second", "preemptible", second))
        .why("second", Action::preempt);
  };
  const std::string one = ", nvidia.com/gpu: \"1\"";
  const std::string two = ", nvidia.com/gpu: \"2\"";
  CHECK(second_after({two, one}, {one, two}) == "kai.action.like-failed");
  CHECK(second_after({one, two}, {two, one}) == "kai.action.like-failed");
  CHECK(second_after({one, two}, {one, one}) == "kai.action.solved");
  const std::string small = one + ", memory: 1Gi";
  const std::string large = one + ", memory: 2Gi";
  CHECK(second_after({large, small}, {small, large}) == "kai.action.like-failed");
  CHECK(second_after({small, large}, {large, small}) == "kai.action.like-failed");
  CHECK(second_after({large, small}, {small, small}) == "kai.action.solved");
  // GPUs are compared before memory: 1 with 2Gi is less than 1 with 3Gi. By memory, 2 with 1Gi would come first.
  const auto asks = [](int gpus, int gibibytes) {
    return fmt::format(", nvidia.com/gpu: \"{}\", memory: {}Gi", gpus, gibibytes);
  };
  CHECK(second_after({asks(1, 3), asks(2, 1)}, {asks(1, 2), asks(3, 9)}) == "kai.action.no-solution");
  CHECK(second_after({asks(1, 2), asks(2, 1)}, {asks(1, 2), asks(3, 9)}) == "kai.action.like-failed");
}

TEST_CASE("kai signatures: of failed groups, the one that requests least is remembered", "[kai]") {
  const auto third_after = [](std::string_view first, std::string_view second, std::string_view third) {
    const auto of = [](std::string_view memory) {
      return PendingGroup{.request = fmt::format("{}, memory: {}", kGpuEach, memory)};
    };
    return Cluster(node("a", 1) + queue("want", 0) + group("holder", "want") +
                   pod({.name = "holder", .group = "holder", .node = "a", .request = kGpuEach}) +
                   pending_group("g1", "non-preemptible", of(first)) +
                   pending_group("g2", "non-preemptible", of(second)) + pending_group("g3", "preemptible", of(third)))
        .why("g3", Action::preempt);
  };
  CHECK(third_after("3Gi", "1Gi", "2Gi") == "kai.action.like-failed");
  CHECK(third_after("3Gi", "2Gi", "1Gi") == "kai.action.solved");
  // The second group is not even tried.
  CHECK(third_after("2Gi", "3Gi", "2Gi") == "kai.action.like-failed");
  CHECK(third_after("2Gi", "3Gi", "1Gi") == "kai.action.solved");
}

TEST_CASE("kai signatures: a group with more pending pods does not replace one that failed", "[kai]") {
  // Each group has two pods without a node; one pod of g1 is gated. The pending pods of g2 request less than that of
  // g1, but g2 has more of them.
  const auto gang = [](std::string_view name, std::string_view preemptibility, std::string_view one,
                       std::string_view other, std::string_view spec = "") {
    std::string text = group(name, "want", fmt::format(", preemptibility: {}", preemptibility), "high");
    const auto add = [&](std::string_view memory, std::string_view of_pod) {
      text += pod({.name = fmt::format("{}-{}", name, memory),
                   .group = name,
                   .request = fmt::format("{}, memory: {}", kGpuEach, memory),
                   .spec = of_pod});
    };
    add(one, "");
    add(other, spec);
    return text;
  };
  const std::string cluster = node("a", 1) + queue("want", 0) + group("holder", "want") +
                              pod({.name = "holder", .group = "holder", .node = "a", .request = kGpuEach}) +
                              gang("g1", "non-preemptible", "2Gi", "9Gi", ", schedulingGates: [{name: wait}]");
  const std::string second = gang("g2", "non-preemptible", "1Gi", "3Gi");
  // g3 requests less than g1, but neither of its pods requests less than those of g2.
  CHECK(Cluster(cluster + second + gang("g3", "preemptible", "1500Mi", "9Gi")).why("g3", Action::preempt) ==
        "kai.action.solved");
  CHECK(Cluster(cluster + gang("g3", "preemptible", "2Gi", "9Gi")).why("g3", Action::preempt) ==
        "kai.action.like-failed");
}
