// Sources: those that the rules name.
#include "unit/lint/edges.h"

namespace previct::lint::edges::of_kai {
namespace {

auto shard(std::string_view spec) -> std::string {
  return object("kai.scheduler/v1", "SchedulingShard", "name: default", fmt::format("spec: {{{}}}", spec));
}
auto minruntime(std::string_view arguments) -> std::string {
  return shard(fmt::format("plugins: {{minruntime: {{arguments: {{{}}}}}}}", arguments));
}
auto pod_group(std::string_view spec, std::string_view meta = "name: g") -> std::string {
  return object("scheduling.run.ai/v2alpha2", "PodGroup", meta, fmt::format("spec: {{{}}}", spec));
}
auto kai_topology(std::string_view levels) -> std::string {
  return object("kai.scheduler/v1alpha1", "Topology", "name: racks", fmt::format("spec: {{levels: [{}]}}", levels));
}
auto kai_pod(std::string_view meta, std::string_view spec) -> std::string {
  return pod(fmt::format("name: p{}{}", meta.empty() ? "" : ", ", meta), spec);
}
// Returns the number of fixes of the first finding.
auto fixes_of(std::string_view rule, const std::string& text) -> std::size_t {
  const auto found = findings_of(rule, text);
  REQUIRE_FALSE(found.empty());
  return found[0].fixes.size();
}

}  // namespace

TEST_CASE("lint limits: min-runtimes of KAI's queues and shards", "[lint]") {
  const std::string no_duration = "is not a duration; its unit is missing or unknown";
  const auto own = [](std::string_view value) { return kai_queue("q", fmt::format("reclaimMinRuntime: {}", value)); };
  const std::string top = kai_queue("top", "");
  const std::string other = kai_queue("other", "");
  const std::string leaf = kai_queue("leaf", "parentQueue: top, reclaimMinRuntime: 3m");
  const auto first = [](std::string_view value) {
    return kai_queue("top", fmt::format("reclaimMinRuntime: {}", value));
  };
  const std::string against = "queue leaf: against other top-level queues ";
  const std::string off = "plugins: {minruntime: {enabled: false}}";
  check({
      // time.ParseDuration
      {"KA001", "with a unit", own("1h30m"), {}},
      {"KA001", "0 needs none", own("\"0\""), {}},
      {"KA001", "a number", own("90"), {"queue q: reclaimMinRuntime \"90\" " + no_duration}},
      {"KA001", "days", own("1d"), {"\"1d\" " + no_duration}},
      {"KA001", "an empty one", own("\"\""), {"\"\" " + no_duration}},
      {"KA001", "below 0", own("-5m"), {}},
      {"KA001",
       "each of the two",
       kai_queue("q", "preemptMinRuntime: 1, reclaimMinRuntime: 2"),
       {"preemptMinRuntime \"1\"", "reclaimMinRuntime \"2\""}},
      {"KA002", "below 0", own("-1ns"), {"queue q: reclaimMinRuntime -1ns protects no pod"}},
      {"KA002", "of preemption", kai_queue("q", "preemptMinRuntime: -1m"), {"preemptMinRuntime -1m protects no pod"}},
      {"KA002", "0", own("0s"), {}},
      {"KA002", "no duration", own("-1"), {}},
      {"KA003", "of a shard", shard("minRuntime: {preemptMinRuntime: 1m, reclaimMinRuntime: 1w}"), {}},
      {"KA003",
       "none of them",
       shard("minRuntime: {preemptMinRuntime: soon, reclaimMinRuntime: -1s}"),
       {"preemptMinRuntime \"soon\" is not a duration: 0s is used instead",
        "reclaimMinRuntime \"-1s\" is negative: 0s is used instead"}},
      {"KA003",
       "of the plugin",
       minruntime("defaultPreemptMinRuntime: 5, defaultReclaimMinRuntime: -1ns"),
       {"defaultPreemptMinRuntime \"5\" is not a duration", "defaultReclaimMinRuntime \"-1ns\" is negative"}},
      {"KA003", "0 is none of both", minruntime("defaultPreemptMinRuntime: 0s, defaultReclaimMinRuntime: 0s"), {}},
      {"KA004", "lca", minruntime("reclaimResolveMethod: lca"), {}},
      {"KA004", "queue", minruntime("reclaimResolveMethod: queue"), {}},
      {"KA004", "not said", minruntime("defaultPreemptMinRuntime: 0s"), {}},
      {"KA004",
       "another",
       minruntime("reclaimResolveMethod: nearest"),
       {"reclaimResolveMethod \"nearest\" is unknown: lca is used instead"}},
      {"KA005", "nothing is set", shard(off) + kai_queue("q", ""), {}},
      {"KA005", "it is enabled", shard("plugins: {minruntime: {enabled: true}}") + own("1m"), {}},
      {"KA005", "it is not mentioned", shard("") + own("1m"), {}},
      {"KA005", "of a queue", shard(off) + own("1m"), {"so the min-runtime of queue q protects no pod"}},
      {"KA005",
       "of preemption, of the first queue that has one",
       shard(off) + kai_queue("p", "") + kai_queue("q", "preemptMinRuntime: 1m") +
           kai_queue("r", "preemptMinRuntime: 1m"),
       {"the min-runtime of queue q protects no pod"}},
      {"KA005",
       "of the shard and of a queue",
       shard(off + ", minRuntime: {preemptMinRuntime: 1m}") + own("1m"),
       {"so preemptMinRuntime of the shard protects no pod", "queue q"}},
      {"KA008", "of two top queues", top + other + leaf, {against + "the default applies, not 3m"}},
      {"KA008", "of one", top + leaf, {}},
      {"KA008", "shorter above", first("2m") + other + leaf, {against + "2m of top applies, not 3m"}},
      {"KA008", "as long above", first("180s") + other + leaf, {}},
      {"KA008", "nothing below", first("2m") + other + kai_queue("leaf", "parentQueue: top"), {}},
      {"KA008", "0 below", top + other + kai_queue("leaf", "parentQueue: top, reclaimMinRuntime: 0s"), {}},
      {"KA008", "resolved by queue", minruntime("reclaimResolveMethod: queue") + top + other + leaf, {}},
      {"KA008", "resolved by lca", minruntime("reclaimResolveMethod: lca") + top + other + leaf, {against}},
      {"KA008",
       "in a cycle there is no top",
       top + other + kai_queue("a", "parentQueue: b, reclaimMinRuntime: 3m") +
           kai_queue("b", "parentQueue: a, reclaimMinRuntime: 3m"),
       {}},
      {"KA019",
       "two in a cycle, and one below",
       kai_queue("a", "parentQueue: b") + kai_queue("b", "parentQueue: a") + kai_queue("c", "parentQueue: a"),
       {"queue a is its own ancestor, through b", "queue b is its own ancestor, through a"}},
      {"KA019", "its own parent", kai_queue("a", "parentQueue: a"), {"queue a is its own ancestor, through a"}},
      {"KA019", "a chain", top + leaf + kai_queue("x", "parentQueue: leaf"), {}},
      {"KA021",
       "both names that are not read",
       shard(
           "plugins: {proportion: {arguments: {reclaimerUtilizationMultiplier: 1, reclaimerSaturationMultiplier: 2}}}"),
       {"argument reclaimerUtilizationMultiplier is not read", "argument reclaimerSaturationMultiplier is not read"}},
      {"KA021", "the one that is", shard("plugins: {proportion: {arguments: {relcaimerSaturationMultiplier: 2}}}"), {}},
      {"KA022",
       "each value of the shard",
       shard("minRuntime: {preemptMinRuntime: 1m, reclaimMinRuntime: 2m}, plugins: {minruntime: {arguments: "
             "{reclaimResolveMethod: lca}}}"),
       {"preemptMinRuntime 1m has no effect: the arguments of the plugin replace it", "reclaimMinRuntime 2m"}},
      {"KA022",
       "no arguments",
       shard("minRuntime: {preemptMinRuntime: 1m}, plugins: {minruntime: {enabled: true}}"),
       {}},
      {"KA028",
       "known fields",
       shard("placementStrategy: {gpu: binpack, cpu: spread}, kValue: 1, args: {}, queueDepthPerAction: {}"),
       {}},
      {"KA028",
       "a misspelt one",
       shard("placementStratgy: {gpu: binpack}"),
       {"shard default: unknown field placementStratgy, did you mean placementStrategy?"}},
      {"KA028", "one of a newer release", shard("colour: red"), {}},
      {"KA028",
       "a strategy",
       shard("placementStrategy: {gpu: pack, cpu: spread}"),
       {"shard default: placement strategy \"pack\" is neither binpack nor spread"}},
  });
  CHECK(fixes_of("KA001", own("90")) == 1);
  CHECK(fixes_of("KA001", own("1d")) == 0);
  CHECK(fixes_of("KA004", minruntime("reclaimResolveMethod: Queue")) == 1);
  CHECK(fixes_of("KA004", minruntime("reclaimResolveMethod: QUEUE")) == 1);
  CHECK(fixes_of("KA004", minruntime("reclaimResolveMethod: LCA")) == 1);
  CHECK(fixes_of("KA004", minruntime("reclaimResolveMethod: Lca")) == 1);
  CHECK(fixes_of("KA004", minruntime("reclaimResolveMethod: nearest")) == 0);
}

TEST_CASE("lint limits: rules on KAI's groups and pods", "[lint]") {
  const auto delay = [](std::string_view value) {
    return kai_pod(fmt::format("annotations: {{kai.scheduler/preemption-delay: {}}}", value), "");
  };
  const auto of_template = [](std::string_view meta) { return workload("Deployment", "d", "", "replicas: 1", meta); };
  const auto started = [](std::string_view at) {
    return pod_group("minMember: 1",
                     fmt::format("name: g, annotations: {{kai.scheduler/last-start-timestamp: {}}}", at));
  };
  const std::string never = priority_class("mild", 1, "preemptionPolicy: Never");
  const auto label = [](std::string_view value) {
    return fmt::format("labels: {{kai.scheduler/preemptibility: {}}}", value);
  };
  const std::string unknown = "is unknown and ignored: the priority decides";
  check({
      {"KA014", "RFC 3339", started("\"2026-03-02T08:00:00Z\""), {}},
      {"KA014",
       "without a zone",
       started("\"2026-03-02T08:00:00\""),
       {"is not protected: its start \"2026-03-02T08:00:00\" is not RFC 3339"}},
      {"KA014", "not started", pod_group("minMember: 1"), {}},
      {"KA016", "a delay", delay("5m"), {}},
      {"KA016", "0 with a unit", delay("0s"), {}},
      {"KA016", "a number", delay("\"30\""), {"preemption-delay \"30\" is ignored: it is no duration"}},
      {"KA016", "below 0", delay("-1ns"), {"preemption-delay \"-1ns\" is ignored: it is negative"}},
      {"KA016",
       "of a template",
       of_template("annotations: {kai.scheduler/preemption-delay: soon}"),
       {"preemption-delay \"soon\" is ignored"}},
      {"KA017",
       "by the scheduler's name",
       never + kai_pod("", "schedulerName: kai-scheduler, priorityClassName: mild"),
       {"KAI Scheduler ignores preemptionPolicy Never of class mild"}},
      {"KA017",
       "by the queue",
       never + kai_pod("labels: {kai.scheduler/queue: q}", "priorityClassName: mild"),
       {"KAI Scheduler ignores preemptionPolicy Never of class mild"}},
      {"KA017", "another scheduler", never + kai_pod("", "priorityClassName: mild"), {}},
      {"KA017",
       "a class that preempts",
       kLow + kai_pod("", "schedulerName: kai-scheduler, priorityClassName: low"),
       {}},
      {"KA017", "no class", never + kai_pod("", "schedulerName: kai-scheduler"), {}},
      {"KA017",
       "a pod of a controller",
       never + pod(kOwned, "schedulerName: kai-scheduler, priorityClassName: mild"),
       {}},
      {"KA018", "known", kai_pod(label("preemptible"), ""), {}},
      {"KA018", "known", kai_pod(label("non-preemptible"), ""), {}},
      {"KA018", "known", kai_pod(label("semi-preemptible"), ""), {}},
      {"KA018", "of a pod", kai_pod(label("sometimes"), ""), {"preemptibility \"sometimes\" " + unknown}},
      {"KA018", "of a template", of_template(label("preemtible")), {"preemptibility \"preemtible\" " + unknown}},
      {"KA023",
       "in two namespaces",
       pod_group("minMember: 1", "name: g, namespace: a") + pod_group("minMember: 1", "name: g, namespace: b"),
       {"have the same name: the scheduler treats them as one group"}},
      {"KA023",
       "in one namespace",
       pod_group("minMember: 1", "name: g, namespace: a") + pod_group("minMember: 1", "name: g, namespace: a"),
       {}},
      {"KA023",
       "of two names",
       pod_group("minMember: 1", "name: g, namespace: a") + pod_group("minMember: 1", "name: h, namespace: b"),
       {}},
      {"KA024",
       "of one name",
       pod_group("subGroups: [{name: a, minMember: 1}, {name: b, minMember: 1}, {name: a, minMember: 1}]"),
       {"two sub-groups are named a, so all are ignored"}},
      {"KA024",
       "a parent that is missing",
       pod_group("subGroups: [{name: a, minSubGroup: 1}, {name: b, parent: a}, {name: c, parent: d}]"),
       {"no sub-group d, so all are ignored"}},
      {"KA024",
       "a parent that comes later",
       pod_group("subGroups: [{name: b, parent: a}, {name: a, minSubGroup: 1}]"),
       {}},
  });
  CHECK(fixes_of("KA016", delay("\"30\"")) == 1);
  CHECK(fixes_of("KA016", delay("\"00\"")) == 1);
  CHECK(fixes_of("KA016", delay("soon")) == 0);
  CHECK(fixes_of("KA016", delay("-5m")) == 0);
  CHECK(fixes_of("KA018", kai_pod(label("non-preemptable"), "")) == 1);
  CHECK(fixes_of("KA018", kai_pod(label("sometimes"), "")) == 0);
  const auto starts = [&](std::string_view now) {
    Tree tree;
    tree.read_text("m.yaml", started("\"2026-03-02T08:00:00Z\""), false);
    tree.now = *parse_instant(now);
    tree.finish({}, true);
    std::vector<std::string> messages;
    for (const Finding& finding : lint::lint(tree, {}, {}).items) {
      if (finding.rule == "KA014") messages.push_back(finding.message);
    }
    return messages;
  };
  CHECK(starts("2026-03-02T08:00:00Z").empty());
  REQUIRE(starts("2026-03-02T07:59:59Z").size() == 1);
  CHECK_THAT(starts("2026-03-02T07:59:59Z")[0],
             Catch::Matchers::Contains("is protected too long: its start 2026-03-02T08:00:00Z is in the future"));
}

TEST_CASE("lint limits: topologies and sub-groups of KAI's groups", "[lint]") {
  const std::string racks = kai_topology("{nodeLabel: zone}, {nodeLabel: rack}");
  const auto wants = [](std::string_view constraint) {
    return pod_group(fmt::format("minMember: 1, topologyConstraint: {{{}}}", constraint));
  };
  const std::string rack = wants("topology: racks, requiredTopologyLevel: rack");
  const auto node = [](std::string_view labels) {
    return object("v1", "Node", fmt::format("name: n, labels: {{{}}}", labels), "");
  };
  const std::string not_a_name = "is not a valid name of a sub-group";
  const auto subs = [](std::string_view list) { return pod_group(fmt::format("subGroups: [{}]", list)); };
  check({
      {"KA025", "a level", racks + rack, {}},
      {"KA025", "no topology is known", rack, {}},
      {"KA025",
       "another is",
       racks + wants("topology: rows, requiredTopologyLevel: row"),
       {"no Topology rows in the input"}},
      {"KA025", "none is asked for", racks + wants("topology: \"\""), {}},
      {"KA025",
       "a level that is missing",
       racks + wants("topology: racks, preferredTopologyLevel: row"),
       {"topology racks has no level row"}},
      {"KA025",
       "two levels that are missing",
       racks + wants("topology: racks, requiredTopologyLevel: a, preferredTopologyLevel: b"),
       {"no level a", "no level b"}},
      {"KA025", "an empty level is none", racks + wants("topology: racks, preferredTopologyLevel: \"\""), {}},
      {"KA025",
       "a level by its alias",
       kai_topology("{nodeLabel: zone, alias: z}") + wants("topology: racks, requiredTopologyLevel: z"),
       {}},
      {"KA025", "a node with all labels", racks + rack + node("zone: a, rack: b"), {}},
      {"KA025",
       "a node with one of them",
       racks + rack + node("zone: a"),
       {"no node has the labels of all levels of topology racks"}},
      {"KA025", "one of two nodes", racks + rack + node("zone: a, rack: b") + node("zone: a"), {}},
      {"KA027", "0", pod_group("minMember: 0"), {}},
      {"KA027", "below 0", pod_group("minMember: -1"), {"minMember -1 should be greater than or equal to 0"}},
      {"KA027", "of sub-groups", pod_group("minSubGroup: -2"), {"minSubGroup -2 should be greater than or equal to 0"}},
      {"KA027",
       "both",
       pod_group("minMember: 1, minSubGroup: 1"),
       {"minMember and minSubGroup are mutually exclusive"}},
      {"KA027", "names", subs("{name: a}, {name: a-1}, {name: \"0\"}"), {}},
      {"KA027", "a capital", subs("{name: A}"), {"\"A\" " + not_a_name}},
      {"KA027", "a hyphen at the start", subs("{name: -a}"), {"\"-a\" " + not_a_name}},
      {"KA027", "a hyphen at the end", subs("{name: a-}"), {"\"a-\" " + not_a_name}},
      {"KA027", "a dot", subs("{name: a.b}"), {"\"a.b\" " + not_a_name}},
      {"KA027", "none", subs("{minMember: 1}"), {"\"\" " + not_a_name}},
      {"KA027", "numbers of a sub-group", subs("{name: a, minMember: -3}"), {"minMember -3 should be"}},
      {"KA027", "children with minSubGroup", subs("{name: a, minSubGroup: 1}, {name: b, parent: a, minMember: 1}"), {}},
      {"KA027",
       "children with minMember",
       subs("{name: a, minMember: 1}, {name: b, parent: a, minMember: 1}"),
       {"sub-group a has children, so it needs minSubGroup instead of minMember"}},
      {"KA027", "its own parent", subs("{name: a, parent: a}"), {"sub-group a is its own ancestor"}},
      {"KA027",
       "a cycle of two, and one below",
       subs("{name: a, parent: b}, {name: b, parent: a}, {name: c, parent: a}"),
       {"sub-group a is its own ancestor", "sub-group b is its own ancestor"}},
      {"KA027", "a parent that is missing is of KA024", subs("{name: a, parent: b}"), {}},
  });
}

}  // namespace previct::lint::edges::of_kai
