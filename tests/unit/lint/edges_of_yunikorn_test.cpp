// Sources: those that the rules name.
#include "unit/lint/edges.h"

namespace previct::lint::edges::of_yunikorn {
namespace {

auto partition_of(std::string_view queues, std::string_view more = "") -> std::string {
  return fmt::format("---\npartitions:\n- name: default\n  queues: [{{name: root, queues: [{}]}}]\n{}", queues, more);
}
auto allow(std::string_view value) -> std::string {
  return fmt::format("annotations: {{yunikorn.apache.org/allow-preemption: {}}}", value);
}
auto a_class(std::string_view meta) -> std::string {
  return object("scheduling.k8s.io/v1", "PriorityClass", fmt::format("name: c, {}", meta), "value: 1");
}

}  // namespace

TEST_CASE("lint limits: properties of YuniKorn's queues", "[lint]") {
  const auto is = [](std::string_view property) { return yunikorn_queue(property); };
  const std::string off = "  preemption: {enabled: false}\n";
  const std::string quota_on = "  preemption: {quotapreemptionenabled: true}\n";
  const auto quota_delay = [](std::string_view delay) {
    return fmt::format("{{name: a, properties: {{quota.preemption.delay: {}}}}}", delay);
  };
  const std::string no_effect =
      "queue root.a: quota.preemption.delay has no effect, because quota preemption is disabled";
  const std::string unguaranteed = "queue root.b has no guarantee and cannot preempt other queues";
  const std::string guaranteed = "{name: a, resources: {guaranteed: {vcore: 1}}}, ";
  const std::string b_delay = "{name: b, properties: {preemption.delay: 1m}}";
  const auto fence = [](std::string_view children) {
    return partition_of(fmt::format("{{name: t, properties: {{preemption.policy: fence}}, queues: [{}]}}", children));
  };
  check({
      {"YK001", "fifo", is("application.sort.policy: fifo"), {}},
      {"YK001", "fair", is("application.sort.policy: fair"), {}},
      {"YK001", "stateaware", is("application.sort.policy: stateaware"), {}},
      {"YK001", "an empty one", is("application.sort.policy: \"\""), {}},
      {"YK001",
       "capitals count",
       is("application.sort.policy: Fair"),
       {"queue root.a: application.sort.policy \"Fair\" is unknown: fifo is used instead"}},
      {"YK001", "of preemption they do not", is("preemption.policy: Disabled"), {}},
      {"YK001", "fence", is("preemption.policy: fence"), {}},
      {"YK001", "default", is("preemption.policy: default"), {}},
      {"YK001", "an empty one", is("preemption.policy: \"\""), {}},
      {"YK001",
       "another",
       is("preemption.policy: off"),
       {"queue root.a: preemption.policy \"off\" is unknown: preemption stays enabled"}},
      {"YK002", "a second", is("preemption.delay: 1s"), {}},
      {"YK002", "a nanosecond", is("preemption.delay: 1ns"), {}},
      {"YK002", "0", is("preemption.delay: 0s"), {"queue root.a: preemption.delay \"0s\" is not a duration above 0"}},
      {"YK002", "below 0", is("preemption.delay: -1s"), {"\"-1s\" is not a duration above 0"}},
      {"YK002", "a number", is("preemption.delay: 30"), {"\"30\" is not a duration above 0"}},
      {"YK003", "two below", fence("{name: a}, {name: b}"), {"the 2 queues below root.t may preempt each other"}},
      {"YK003", "one below", fence("{name: a}"), {}},
      {"YK003", "one of them is fenced", fence("{name: a}, {name: b, properties: {preemption.policy: fence}}"), {}},
      {"YK003",
       "another policy above",
       partition_of("{name: t, properties: {preemption.policy: disabled}, queues: [{name: a}, {name: b}]}"),
       {}},
      {"YK004", "an offset", is("priority.offset: -5"), {}},
      {"YK004", "the largest", is("priority.offset: 2147483647"), {}},
      {"YK004",
       "one more",
       is("priority.offset: 2147483648"),
       {"queue root.a: priority.offset \"2147483648\" is not a 32-bit number: 0 is used instead"}},
      {"YK004", "a policy", is("priority.policy: Fence"), {}},
      {"YK004", "a policy", is("priority.policy: default"), {}},
      {"YK004",
       "another policy",
       is("priority.policy: fenced"),
       {"queue root.a: priority.policy \"fenced\" is unknown: default is used instead"}},
      {"YK005", "nothing is guaranteed anywhere", partition_of(b_delay), {}},
      {"YK005", "another queue has a guarantee", partition_of(guaranteed + b_delay), {unguaranteed}},
      {"YK005", "it has no wish to preempt", partition_of(guaranteed + "{name: b}"), {}},
      {"YK005",
       "an offset above 0 is one",
       partition_of(guaranteed + "{name: b, properties: {priority.offset: 1}}"),
       {unguaranteed}},
      {"YK005", "an offset of 0 is none", partition_of(guaranteed + "{name: b, properties: {priority.offset: 0}}"), {}},
      {"YK005",
       "a guarantee above",
       partition_of("{name: t, resources: {guaranteed: {vcore: 1}}, queues: [{name: m, queues: [" + b_delay + "]}]}"),
       {}},
      {"YK005",
       "an empty guarantee is none",
       partition_of(guaranteed + "{name: b, resources: {guaranteed: {}}, properties: {preemption.delay: 1m}}"),
       {unguaranteed}},
      {"YK005",
       "only leaves preempt",
       partition_of(guaranteed + "{name: b, parent: true, properties: {preemption.delay: 1m}}"),
       {}},
      {"YK005",
       "a queue with children is no leaf",
       partition_of(guaranteed + "{name: b, properties: {preemption.delay: 1m}, queues: [{name: c}]}"),
       {}},
      {"YK010",
       "both properties",
       partition_of("{name: a, properties: {preemption.policy: fence, preemption.delay: 1m}}", off),
       {"queue root.a: preemption.policy has no effect, because preemption is disabled",
        "queue root.a: preemption.delay has no effect"}},
      {"YK010", "it is enabled", partition_of("{name: a, properties: {preemption.policy: fence}}"), {}},
      {"YK010", "other properties", partition_of("{name: a, properties: {priority.offset: 1}}", off), {}},
      {"YK011", "not said", partition_of(quota_delay("1m")), {no_effect}},
      {"YK011", "enabled", partition_of(quota_delay("1m"), quota_on), {}},
      {"YK011", "0 is off, too", partition_of(quota_delay("0s")), {}},
      {"YK011", "no delay", partition_of("{name: a}"), {}},
      {"YK013", "unlike all that are known", is("colour: red"), {}},
      {"YK013",
       "misspelt",
       is("preemption.dealy: 1m"),
       {"queue root.a: unknown property preemption.dealy, did you mean preemption.delay?"}},
      {"YK014",
       "a maximum",
       partition_of("{name: a, resources: {max: {cpu: 1}}}"),
       {"queue root.a: no pod requests cpu"}},
      {"YK014", "a guarantee", partition_of("{name: a, resources: {guaranteed: {cpu: 1}}}"), {"no pod requests cpu"}},
      {"YK014", "vcores", partition_of("{name: a, resources: {guaranteed: {vcore: 1}, max: {vcore: 2}}}"), {}},
      {"YK009",
       "of a design document",
       is("x.preemption_victim_y: 1, x.preemption_start_delay: 1, deviation_percent: 1, max_victims: 1"),
       {"x.preemption_victim_y comes from a design document", "x.preemption_start_delay", "deviation_percent",
        "max_victims"}},
      {"YK009",
       "in YuniKorn's ConfigMap",
       object("v1", "ConfigMap", "name: yunikorn-defaults", "data: {max_victims: '1'}") +
           object("v1", "ConfigMap", "name: yunikorn-configs", "data: {deviation_percent: '1'}") +
           object("v1", "ConfigMap", "name: other", "data: {max_victims: '1'}"),
       {"max_victims", "deviation_percent"}},
      {"YK009", "read by a release", is("preemption.delay: 1m"), {}},
  });
  CHECK(findings_of("YK001", is("preemption.policy: fenced")).at(0).fixes.size() == 1);
  CHECK(findings_of("YK001", is("preemption.policy: nothing")).at(0).fixes.empty());
}

TEST_CASE("lint limits: allow-preemption of pods and classes", "[lint]") {
  const std::string ignored = "is ignored: only true and false are valid";
  const std::string label = "labels: {yunikorn.apache.org/allow-preemption: 'false'}";
  check({
      {"YK006", "true", a_class(allow("'true'")), {}},
      {"YK006", "false", a_class(allow("'false'")), {}},
      {"YK006", "a capital", a_class(allow("'False'")), {"allow-preemption \"False\" " + ignored}},
      {"YK006", "of a pod", pod("name: p, " + allow("'no'"), ""), {"allow-preemption \"no\" " + ignored}},
      {"YK006", "none", a_class("labels: {}"), {}},
      {"YK007",
       "a class",
       a_class(allow("'false'")),
       {"pods of class c are preempted last, but they may be preempted"}},
      {"YK007", "a pod", pod("name: p, " + allow("'false'"), ""), {"the pod is preempted last"}},
      {"YK007", "a pod of a controller", pod(std::string(kOwned) + ", " + allow("'false'"), ""), {}},
      {"YK007", "true", a_class(allow("'true'")) + pod("name: p, " + allow("'true'"), ""), {}},
      {"YK008", "a class", a_class(label), {"a label allow-preemption is not read"}},
      {"YK008", "a pod", pod("name: p, " + label, ""), {"a label allow-preemption is not read"}},
      {"YK008", "an annotation", a_class(allow("'false'")), {}},
  });
  CHECK(findings_of("YK006", a_class(allow("'False'"))).at(0).fixes.size() == 1);
  CHECK(findings_of("YK006", a_class(allow("'TRUE'"))).at(0).fixes.size() == 1);
  CHECK(findings_of("YK006", a_class(allow("'no'"))).at(0).fixes.empty());
}

}  // namespace previct::lint::edges::of_yunikorn
