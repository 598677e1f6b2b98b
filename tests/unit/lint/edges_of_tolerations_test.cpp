// Source: kubernetes-sigs/scheduler-plugins pkg/preemptiontoleration/preemption_toleration_policy.go and
// preemption_toleration.go: a pod of the class tolerates preemption by priorities above its own and below the minimum,
// for so many seconds after it was scheduled. Both annotations are read by strconv.ParseInt.
#include "unit/lint/edges.h"

namespace previct::lint::edges::of_tolerations {
namespace {

const std::string kPrefix = "preemption-toleration.scheduling.x-k8s.io/";

// A class `low` of 100 with annotations; an empty text leaves one out.
auto tolerating(std::string_view minimum, std::string_view seconds, std::string_view more = "") -> std::string {
  std::string annotations;
  if (!minimum.empty()) annotations += fmt::format("{}minimum-preemptable-priority: \"{}\"", kPrefix, minimum);
  if (!minimum.empty() && !seconds.empty()) annotations += ", ";
  if (!seconds.empty()) annotations += fmt::format("{}toleration-seconds: \"{}\"", kPrefix, seconds);
  return object("scheduling.k8s.io/v1", "PriorityClass", fmt::format("name: low, annotations: {{{}}}", annotations),
                fmt::format("value: 100\n{}", more));
}

auto configuration(std::string_view profiles) -> std::string {
  return fmt::format("---\napiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n{}\n",
                     profiles);
}
// Runs PreemptionToleration instead of DefaultPreemption.
const std::string kOn =
    "plugins: {postFilter: {enabled: [{name: PreemptionToleration}], disabled: [{name: DefaultPreemption}]}}";

}  // namespace

TEST_CASE("lint limits: what PreemptionToleration reads of a class", "[lint]") {
  const std::string unprotected = "low is not protected: ";
  const auto key = [](std::string_view name, std::string_view more = "") {
    return object("scheduling.k8s.io/v1", "PriorityClass",
                  fmt::format("name: low, annotations: {{{}{}: \"1\"{}}}", kPrefix, name, more), "value: 100");
  };
  check({
      {"PT001", "the largest", tolerating("2147483647", "60"), {}},
      {"PT001",
       "one more",
       tolerating("2147483648", "60"),
       {unprotected + "minimum-preemptable-priority \"2147483648\" is not a 32-bit integer"}},
      {"PT001", "a word", tolerating("high", "60"), {"\"high\" is not a 32-bit integer"}},
      {"PT001", "none", tolerating("", "60"), {}},
      {"PT002", "below 0", tolerating("200", "-1"), {}},
      {"PT002",
       "a length of time",
       tolerating("200", "15m"),
       {unprotected + "toleration-seconds \"15m\" is not an integer"}},
      {"PT002", "none", tolerating("200", ""), {}},
      {"PT003", "both", tolerating("200", "60"), {}},
      {"PT003", "only seconds", tolerating("", "60"), {unprotected + "minimum-preemptable-priority is missing"}},
      {"PT003", "only a minimum", tolerating("200", ""), {}},
      {"PT004", "missing", tolerating("200", ""), {unprotected + "toleration-seconds is missing"}},
      {"PT004", "0", tolerating("200", "0"), {unprotected + "toleration-seconds is 0"}},
      {"PT004", "1", tolerating("200", "1"), {}},
      {"PT004", "forever", tolerating("200", "-1"), {}},
      {"PT004", "another mistake: the minimum", tolerating("high", ""), {}},
      {"PT004", "another mistake: the seconds", tolerating("200", "15m"), {}},
      {"PT004", "without a minimum", tolerating("", "0"), {}},
      // The lowest preemptor has 101, which reaches a minimum of 101.
      {"PT005", "101", tolerating("101", "60"), {unprotected + "every preemptor reaches the minimum 101"}},
      {"PT005", "102", tolerating("102", "60"), {}},
      {"PT005", "below the class", tolerating("-5", "60"), {"every preemptor reaches the minimum -5"}},
      {"PT005", "none", tolerating("", "60"), {}},
      {"PT005", "seconds that are none", tolerating("101", "15m"), {}},
      // (2^63 - 1) / 10^9 = 9223372036.85
      {"PT010", "as many as fit", tolerating("200", "9223372036"), {}},
      {"PT010",
       "one more",
       tolerating("200", "9223372037"),
       {"low: 9223372037 seconds overflow the plugin's 64 bits of nanoseconds; at most 9223372036 are kept"}},
      {"PT010", "below 0", tolerating("200", "-9223372036"), {}},
      {"PT010", "one less", tolerating("200", "-9223372037"), {"low: -9223372037 seconds overflow"}},
      {"PT011", "as high as the system's", tolerating("2000001000", "60"), {}},
      {"PT011",
       "above",
       tolerating("2000001001", "60"),
       {"low tolerates preemption even by system-node-critical (2000001000)"}},
      {"PT011", "for no time", tolerating("2000001001", "0"), {}},
      {"PT006",
       "the prefix of early texts",
       object("scheduling.k8s.io/v1", "PriorityClass",
              "name: low, annotations: {preemption-toleration.scheduling.sigs.k8s.io/toleration-seconds: \"1\"}",
              "value: 1"),
       {"preemption-toleration.scheduling.sigs.k8s.io/toleration-seconds is ignored"}},
      {"PT006", "the prefix that is read", tolerating("200", "60"), {}},
      {"PT016", "known keys", tolerating("200", "60"), {}},
      {"PT016",
       "without a hyphen",
       key("tolerationSeconds"),
       {"low: the plugin does not know the key tolerationSeconds; did you mean toleration-seconds?"}},
      {"PT016", "a short one", key("seconds"), {"did you mean toleration-seconds?"}},
      {"PT016", "the minimum", key("minimum_preemptable_priority"), {"did you mean minimum-preemptable-priority?"}},
      {"PT016",
       "like none that is known",
       key("excluded-namespaces"),
       {"low: the plugin does not know the key excluded-namespaces"}},
  });
  const auto fixes = [](std::string_view rule, const std::string& text) {
    return findings_of(rule, text).at(0).fixes.size();
  };
  CHECK(fixes("PT002", tolerating("200", "15m")) == 1);
  CHECK(fixes("PT002", tolerating("200", "1500ms")) == 0);
  CHECK(fixes("PT002", tolerating("200", "soon")) == 0);
  CHECK(fixes("PT016", key("seconds")) == 1);
  CHECK(fixes("PT016", key("seconds", fmt::format(", {}toleration-seconds: \"2\"", kPrefix))) == 0);
  CHECK(fixes("PT016", key("excluded-namespaces")) == 0);
}

TEST_CASE("lint limits: tolerations among classes and pods", "[lint]") {
  const std::string yes = tolerating("200", "60");
  const std::string no = tolerating("200", "0");
  const auto at = [](int value, std::string_view more = "") { return priority_class("other", value, more); };
  const std::string nobody = "low: no class that may preempt has a priority between 101 and 199";
  const auto running = [](std::string_view conditions, std::string_view of = "low",
                          std::string_view more = ", nodeName: n1") {
    return pod("name: p", fmt::format("priorityClassName: {}{}", of, more), fmt::format("status: {{{}}}", conditions));
  };
  const std::string scheduled = "conditions: [{type: PodScheduled, status: \"True\"}]";
  const std::string never_ends = "has no condition PodScheduled=True, so its toleration never ends";
  const auto deadline = [](std::string_view seconds, std::string_view of = "low") {
    return pod("name: p", fmt::format("priorityClassName: {}, activeDeadlineSeconds: {}", of, seconds));
  };
  check({
      {"PT012", "a class in between", yes + at(101), {}},
      {"PT012", "the highest that it tolerates", yes + at(199), {}},
      {"PT012", "one that reaches the minimum", yes + at(200), {nobody}},
      {"PT012", "one as high as itself", yes + at(100), {nobody}},
      {"PT012", "one that never preempts", yes + at(150, "preemptionPolicy: Never"), {nobody}},
      {"PT012", "alone, nothing is known of others", yes, {}},
      {"PT012", "it tolerates for no time", no + at(200), {}},
      {"PT017",
       "the default",
       tolerating("200", "60", "globalDefault: true"),
       {"low is the default of all pods and tolerates preemption"}},
      {"PT017", "for no time", tolerating("200", "0", "globalDefault: true"), {}},
      {"PT017", "another is the default", yes + at(150, "globalDefault: true"), {}},
      {"PT018", "it preempts", yes, {"low preempts pods of lower priority and tolerates preemption itself"}},
      {"PT018", "it never preempts", tolerating("200", "60", "preemptionPolicy: Never"), {}},
      {"PT018", "for no time", no, {}},
      {"PT015", "at the same time", yes + deadline("60"), {"ends after 60s, before its toleration of 60s does"}},
      {"PT015", "later", yes + deadline("61"), {}},
      {"PT015", "of another class", yes + at(5) + deadline("60", "other"), {}},
      {"PT015", "for no time", no + deadline("60"), {}},
      {"PT015", "forever", tolerating("200", "-1") + deadline("60"), {}},
      {"PT015", "no deadline", yes + running("phase: Running"), {}},
      {"PT021", "scheduled", yes + running(scheduled), {}},
      {"PT021", "not scheduled", yes + running("conditions: [{type: PodScheduled, status: \"False\"}]"), {never_ends}},
      {"PT021", "another condition", yes + running("conditions: [{type: Ready, status: \"True\"}]"), {never_ends}},
      {"PT021", "no conditions", yes + running("phase: Running"), {never_ends}},
      {"PT021", "even for no time", no + running("phase: Running"), {never_ends}},
      {"PT021", "on no node", yes + running("phase: Pending", "low", ""), {}},
      {"PT021", "of another class", yes + at(5) + running("phase: Running", "other"), {}},
      {"PT021", "a minimum that all reach", tolerating("101", "60") + running("phase: Running"), {}},
      {"PT021", "the next one", tolerating("102", "60") + running("phase: Running"), {never_ends}},
      {"PT021", "a policy that is not read", tolerating("200", "15m") + running("phase: Running"), {}},
      {"PT007", "a class that is gone", yes + running(scheduled, "gone"), {"PriorityClass gone is not in the input"}},
      {"PT007", "a class that is there", yes + running(scheduled), {}},
      {"PT007", "a pod that does not run", yes + running("phase: Pending", "gone", ""), {}},
      {"PT007", "nothing tolerates", at(5) + running(scheduled, "gone"), {}},
      {"PT009",
       "on a pod",
       pod(fmt::format("name: p, annotations: {{{}toleration-seconds: \"1\"}}", kPrefix), ""),
       {kPrefix + "toleration-seconds has no effect on a Pod"}},
      {"PT009",
       "on a template",
       workload("Deployment", "d", "", "replicas: 1",
                fmt::format("annotations: {{{}toleration-seconds: \"1\"}}", kPrefix)),
       {"has no effect on a template"}},
      {"PT009",
       "a label of a namespace",
       object("v1", "Namespace", fmt::format("name: n, labels: {{{}toleration-seconds: \"1\"}}", kPrefix), ""),
       {"has no effect on a Namespace"}},
      {"PT009",
       "a label of a class",
       object("scheduling.k8s.io/v1", "PriorityClass",
              fmt::format("name: n, labels: {{{}toleration-seconds: \"1\"}}", kPrefix), "value: 1"),
       {"has no effect on labels"}},
      {"PT009", "where it belongs", yes, {}},
  });
}

// Source: kubernetes pkg/scheduler/framework/runtime/framework.go expandMultiPointPlugins.
TEST_CASE("lint limits: profiles that run PreemptionToleration, DefaultPreemption, or neither", "[lint]") {
  const std::string yes = tolerating("200", "60");
  const auto one = [](std::string_view plugins) {
    return configuration(fmt::format("profiles:\n- plugins: {{{}}}", plugins));
  };
  const std::string on = configuration("profiles:\n- " + kOn);
  const std::string off = "low tolerates, but no profile runs PreemptionToleration";
  const std::string also = "profile default-scheduler enables PreemptionToleration but leaves DefaultPreemption on";
  const std::string never = "profile default-scheduler never preempts";
  const auto arguments = [](std::string_view plugin, std::string_view plugins) {
    return configuration(fmt::format("profiles:\n- pluginConfig: [{{name: {}}}]\n  {}", plugin, plugins));
  };
  const std::string toleration = "{name: PreemptionToleration}";
  check({
      {"PT013", "it runs", on + yes, {}},
      {"PT013", "no profiles", configuration("leaderElection: {}") + yes, {off}},
      {"PT013", "another plugin", one("postFilter: {enabled: [{name: Own}]}") + yes, {off}},
      {"PT013", "at all points", one("multiPoint: {enabled: [" + toleration + "]}") + yes, {}},
      {"PT013",
       "at all points but this",
       one("multiPoint: {enabled: [" + toleration + "]}, postFilter: {disabled: [" + toleration + "]}") + yes,
       {off}},
      {"PT013",
       "at all points, and all disabled here",
       one("multiPoint: {enabled: [" + toleration + "]}, postFilter: {disabled: [{name: \"*\"}]}") + yes,
       {off}},
      {"PT013", "no class tolerates for some time", configuration("leaderElection: {}") + tolerating("200", "0"), {}},
      {"PT013", "no configuration", yes, {}},
      {"PT014",
       "a second profile",
       configuration("profiles:\n- schedulerName: a\n  " + kOn + "\n- schedulerName: b") + yes,
       {"profile b runs DefaultPreemption and ignores tolerations"}},
      {"PT014",
       "which does not preempt",
       configuration("profiles:\n- schedulerName: a\n  " + kOn +
                     "\n- schedulerName: b\n  plugins: {postFilter: {disabled: [{name: DefaultPreemption}]}}") +
           yes,
       {}},
      {"PT014",
       "no class tolerates",
       configuration("profiles:\n- schedulerName: a\n  " + kOn + "\n- schedulerName: b"),
       {}},
      {"PT014", "none runs it", configuration("profiles:\n- schedulerName: a\n- schedulerName: b") + yes, {}},
      {"SC001", "instead", on, {}},
      {"SC001", "as well", one("postFilter: {enabled: [" + toleration + "]}"), {also}},
      {"SC001", "as well, at all points", one("multiPoint: {enabled: [" + toleration + "]}"), {also}},
      {"SC001",
       "all defaults disabled",
       one("postFilter: {enabled: [" + toleration + "], disabled: [{name: \"*\"}]}"),
       {}},
      {"SC001",
       "disabled at all points",
       one("postFilter: {enabled: [" + toleration + "]}, multiPoint: {disabled: [{name: DefaultPreemption}]}"),
       {}},
      {"SC010", "the default", one("score: {}"), {}},
      {"SC010", "another one", on, {}},
      {"SC010", "all disabled", one("postFilter: {disabled: [{name: \"*\"}]}"), {never}},
      {"SC010", "it is disabled", one("postFilter: {disabled: [{name: DefaultPreemption}]}"), {never}},
      {"SC010", "at all points", one("multiPoint: {disabled: [{name: DefaultPreemption}]}"), {never}},
      {"SC010", "all, at all points", one("multiPoint: {disabled: [{name: \"*\"}]}"), {never}},
      {"SC010",
       "enabled again",
       one("multiPoint: {disabled: [{name: \"*\"}], enabled: [{name: DefaultPreemption}]}"),
       {}},
      {"SC010", "one that is not known", one("postFilter: {enabled: [{name: Own}], disabled: [{name: \"*\"}]}"), {}},
      {"SC003", "it runs", arguments("DefaultPreemption", ""), {}},
      {"SC003",
       "the other one runs",
       arguments("DefaultPreemption", kOn),
       {"profile default-scheduler does not run DefaultPreemption: these arguments have no effect"}},
      {"SC003",
       "the other one runs",
       arguments("PreemptionToleration", ""),
       {"profile default-scheduler does not run PreemptionToleration"}},
      {"SC003", "it runs", arguments("PreemptionToleration", kOn), {}},
      {"SC003", "of others", arguments("NodeResourcesFit", kOn), {}},
  });
}

TEST_CASE("lint limits: classes that tolerate, and what their pods and profiles say", "[lint]") {
  const std::string forever = tolerating("10000", "-1");
  const std::string long_time = tolerating("10000", "3600");
  const auto ends = [](std::string_view after, std::string_view meta = "name: p", std::string_view rest = "") {
    return pod(meta, fmt::format("priorityClassName: low, activeDeadlineSeconds: {}", after), rest);
  };
  const auto key = [](std::string_view name, std::string_view more = "") {
    return object("scheduling.k8s.io/v1", "PriorityClass",
                  fmt::format("name: low, annotations: {{{}{}: \"1\"{}}}", kPrefix, name, more), "value: 100");
  };
  const auto unknown_value = [](std::string_view seconds) {
    return object(
        "scheduling.k8s.io/v1", "PriorityClass",
        fmt::format("name: low, annotations: {{{0}minimum-preemptable-priority: \"200\", {0}toleration-seconds: "
                    "\"{1}\"}}",
                    kPrefix, seconds),
        "value: x");
  };
  const std::string runs = pod("name: p", "nodeName: n1, priorityClassName: low", "status: {phase: Running}");
  const std::string conditions = "status: {conditions: [{type: PodScheduled, status: 'True'}]}";
  const std::string both =
      "plugins: {postFilter: {enabled: [{name: PreemptionToleration}, {name: DefaultPreemption}]}}";
  check(
      {{"PT015", "it ends before", long_time + ends("60"), {"ends after 60s, before its toleration of 3600s does"}},
       {"PT015", "it ends with it", long_time + ends("3600"), {"ends after 3600s"}},
       {"PT015", "it ends after it", long_time + ends("3601"), {}},
       {"PT015", "it has finished", long_time + ends("60", "name: p", kDone), {}},
       {"PT015", "it has an owner", long_time + ends("60", kOwned), {}},
       {"PT015", "forever", forever + ends("60"), {}},
       {"PT015", "of another class", long_time + pod("name: p", "priorityClassName: x, activeDeadlineSeconds: 60"), {}},
       {"PT016", "in other letters", key("Toleration_Seconds"), {"did you mean toleration-seconds?"}},
       {"PT016", "without dashes", key("minimumPreemptablePriority"), {"did you mean minimum-preemptable-priority?"}},
       {"PT016", "only seconds", key("seconds"), {"did you mean toleration-seconds?"}},
       {"PT016", "like none", key("colour"), {"colour"}},
       {"PT016", "known", key("toleration-seconds"), {}},
       {"PT017", "the default", tolerating("10000", "60", "globalDefault: true"), {"is the default of all pods"}},
       {"PT017", "no default", tolerating("10000", "60"), {}},
       {"PT005", "a value that is unknown", unknown_value("60"), {}},
       {"PT021", "a value that is unknown", unknown_value("60") + runs, {}},
       {"PT021", "no conditions", long_time + runs, {"has no condition PodScheduled=True"}},
       {"PT021", "no status", long_time + pod("name: p", "nodeName: n1, priorityClassName: low"), {}},
       {"PT021", "the condition", long_time + pod("name: p", "nodeName: n1, priorityClassName: low", conditions), {}},
       {"PT021", "of another class", long_time + pod("name: p", "nodeName: n1", "status: {phase: Running}"), {}},
       {"PT021", "on no node", long_time + pod("name: p", "priorityClassName: low", "status: {phase: Pending}"), {}},
       {"PT014",
        "two profiles",
        forever + configuration("profiles: [{schedulerName: a, " + kOn + "}, {schedulerName: b}]"),
        {"profile b runs DefaultPreemption"}},
       {"PT014", "one profile with both", forever + configuration("profiles: [{schedulerName: a, " + both + "}]"), {}},
       {"PT014",
        "no toleration",
        configuration("profiles: [{schedulerName: a, " + kOn + "}, {schedulerName: b}]"),
        {}}});
  CHECK(findings_of("PT016", key("seconds")).at(0).fixes.size() == 1);
  CHECK(findings_of("PT016", key("seconds", ", " + kPrefix + "toleration-seconds: \"1\"")).at(0).fixes.empty());
  CHECK(findings_of("PT016", key("colour")).at(0).fixes.empty());
}

TEST_CASE("lint limits: labels that are no strings, and classes that are misplaced, by kind and state", "[lint]") {
  const auto classed = [](std::string_view meta, std::string_view rest = "") {
    return object("v1", "Pod", meta,
                  fmt::format("spec: {{containers: [{{name: c, priorityClassName: x}}]}}\n{}", rest));
  };
  const auto deployment = [](std::string_view more) {
    return object("apps/v1", "Deployment", "name: d",
                  fmt::format("spec: {{template: {{{}spec: {{containers: [{{name: c}}]}}}}}}", more));
  };
  check({{"PO011", "a number", pod("name: p, labels: {a: 1}", ""), {"label a is not a string"}},
         {"PO011", "a list", pod("name: p, labels: {a: [1]}", ""), {"label a is not a string"}},
         {"PO011", "a text", pod("name: p, labels: {a: '1'}", ""), {}},
         {"PO011", "of a template", deployment("metadata: {labels: {a: 1}}, "), {"label a is not a string"}},
         {"PO011",
          "an annotation of a template",
          deployment("metadata: {annotations: {a: 1}}, "),
          {"annotation a is not a string"}},
         {"PO011",
          "of a template of another kind",
          object("example.com/v1", "Thing", "name: t",
                 "spec: {template: {metadata: {labels: {a: 1}}, spec: {containers: [{name: c}]}}}"),
          {}},
         {"PO012", "of a container", classed("name: p"), {"priorityClassName is not in the pod spec"}},
         {"PO012", "it has an owner", classed(kOwned), {}},
         {"PO012", "it has finished", classed("name: p", kDone), {}},
         {"PO012", "of a template", deployment("priorityClassName: x, "), {"is not in the pod spec"}},
         {"PO012", "of its metadata", deployment("metadata: {priorityClassName: x}, "), {"is not in the pod spec"}},
         {"PO012",
          "of the workload",
          object("apps/v1", "Deployment", "name: d",
                 "spec: {priorityClassName: x, template: {spec: {containers: [{name: c}]}}}"),
          {"is not in the pod spec"}},
         {"PO012",
          "of another group",
          object("example.com/v1", "Thing", "name: d",
                 "spec: {priorityClassName: x, template: {spec: {containers: [{name: c}]}}}"),
          {}},
         {"PO012", "misspelled", pod("name: p", "priorityclassname: x"), {"did you mean priorityClassName?"}},
         {"PO012", "its priority", pod("name: p", "priority: 5"), {}}});
  CHECK(findings_of("PO011", pod("name: p, labels: {a: 1}", "")).at(0).fixes.size() == 1);
  CHECK(findings_of("PO011", pod("name: p, labels: {a: [1]}", "")).at(0).fixes.empty());
}

}  // namespace previct::lint::edges::of_tolerations
