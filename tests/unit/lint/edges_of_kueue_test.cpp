// Sources: kubernetes-sigs/kueue v0.19.0 apis/kueue/v1beta1 and v1beta2, clusterqueue_types.go (enums, defaults); the
// sources that the rules name.
#include "unit/lint/edges.h"

namespace previct::lint::edges::of_kueue {
namespace {

auto of_kueue(std::string_view kind, std::string_view meta, std::string_view spec, std::string_view version = "v1beta2")
    -> std::string {
  return object(fmt::format("kueue.x-k8s.io/{}", version), kind, meta, fmt::format("spec: {{{}}}", spec));
}

/// `resources` of flavor f; `more` fields of the spec.
auto cluster_queue(std::string_view name, std::string_view resources, std::string_view more = "",
                   std::string_view version = "v1beta2") -> std::string {
  return of_kueue("ClusterQueue", fmt::format("name: {}", name),
                  fmt::format("namespaceSelector: {{}}, resourceGroups: [{{coveredResources: [cpu], flavors: [{{name: "
                              "f, resources: [{}]}}]}}]{}{}",
                              resources, more.empty() ? "" : ", ", more),
                  version);
}
const std::string kFour = "{name: cpu, nominalQuota: 4}";
const std::string kFlavor = of_kueue("ResourceFlavor", "name: f", "");

auto local_queue(std::string_view name, std::string_view spec = "clusterQueue: q") -> std::string {
  return of_kueue("LocalQueue", fmt::format("name: {}, namespace: ml", name), spec);
}

auto workload_of(std::string_view name, std::string_view cpu, std::string_view spec = "queueName: l",
                 std::string_view status = "", int minute = 0, std::string_view pod = "") -> std::string {
  return of_kueue("Workload",
                  fmt::format("name: {}, namespace: ml, creationTimestamp: \"2026-03-02T08:{:02}:00Z\"", name, minute),
                  fmt::format("podSets: [{{name: main, count: 1, template: {{spec: {{{}containers: [{{name: c, "
                              "resources: {{requests: {{cpu: \"{}\"}}}}}}]}}}}}}], {}",
                              pod, cpu, spec)) +
         (status.empty() ? "" : fmt::format("status: {{{}}}\n", status));
}
const std::string kFinished = "conditions: [{type: Finished, status: \"True\"}]";
const std::string kReserved = "conditions: [{type: QuotaReserved, status: \"True\"}]";
const std::string kNoLonger = "conditions: [{type: QuotaReserved, status: \"False\"}]";

auto check_of(std::string_view status) -> std::string {
  return object("kueue.x-k8s.io/v1beta2", "AdmissionCheck", "name: c", status);
}

}  // namespace

TEST_CASE("lint limits: what a ClusterQueue can give a workload", "[lint]") {
  const std::string names = kFlavor + local_queue("l");
  const std::string q = names + cluster_queue("q", kFour);
  const std::string strict = names + cluster_queue("q", kFour, "queueingStrategy: StrictFIFO");
  const auto message = [](std::string_view name) {
    return fmt::format("Workload ml/{} requests more than ClusterQueue q can ever have", name);
  };
  const std::string run =
      workload_of("run", "2", "queueName: l",
                  "admission: {clusterQueue: q, podSetAssignments: [{name: main, flavors: {cpu: f}, resourceUsage: "
                  "{cpu: 2}, count: 1}]}, " +
                      kReserved);
  const std::string tainted = of_kueue("ResourceFlavor", "name: f", "nodeTaints: [{key: t, effect: NoSchedule}]") +
                              local_queue("l") + cluster_queue("q", kFour);
  const std::string unsuited = "the pods of Workload ml/w suit no flavor of ClusterQueue q";
  check({
      {"KQ001", "as much as there is", q + workload_of("w", "4"), {}},
      {"KQ001", "a thousandth more", q + workload_of("w", "4001m"), {message("w")}},
      {"KQ001",
       "of two, the larger one",
       q + workload_of("w", "4") + workload_of("x", "5", "queueName: l", "", 1),
       {message("x")}},
      {"KQ001", "what is used comes back", q + run + workload_of("w", "4"), {}},
      {"KQ001", "a finished workload", q + workload_of("w", "5", "queueName: l", kFinished), {}},
      {"KQ001", "a deactivated one", q + workload_of("w", "5", "queueName: l, active: false"), {}},
      {"KQ001", "in a queue that is not there", names + workload_of("w", "5"), {}},
      {"KQ001",
       "an inactive queue says nothing of its workloads",
       local_queue("l") + cluster_queue("q", kFour) + workload_of("w", "5"),
       {}},
      {"KQ001",
       "it may borrow as much",
       names + cluster_queue("q", kFour, "cohortName: all") + cluster_queue("r", kFour, "cohortName: all") +
           workload_of("w", "8"),
       {}},
      {"KQ001",
       "more than it may borrow",
       names + cluster_queue("q", "{name: cpu, nominalQuota: 4, borrowingLimit: 3}", "cohortName: all") +
           cluster_queue("r", kFour, "cohortName: all") + workload_of("w", "8"),
       {message("w")}},
      {"KQ015", "a taint without a toleration", tainted + workload_of("w", "1"), {unsuited}},
      {"KQ015", "a finished workload", tainted + workload_of("w", "1", "queueName: l", kFinished), {}},
      {"KQ015", "a workload that is too large as well", tainted + workload_of("w", "9"), {unsuited}},
      {"KQ015",
       "without a toleration for the effect",
       tainted + workload_of("w", "1", "queueName: l", "", 0,
                             "tolerations: [{key: t, operator: Exists, effect: NoExecute}], "),
       {unsuited}},
      {"KQ015",
       "with it",
       tainted + workload_of("w", "1", "queueName: l", "", 0,
                             "tolerations: [{key: t, operator: Exists, effect: NoSchedule}], "),
       {}},
      {"KQ002",
       "the first waits, the second would fit",
       strict + run + workload_of("big", "3") + workload_of("small", "2", "queueName: l", "", 1),
       {"ClusterQueue q: ml/big keeps ml/small waiting, which would fit"}},
      {"KQ002",
       "once for each queue",
       strict + run + workload_of("big", "3") + workload_of("small", "2", "queueName: l", "", 1) +
           workload_of("tiny", "1", "queueName: l", "", 2),
       {"ml/big keeps ml/small waiting"}},
      {"KQ002",
       "the second would not fit either",
       strict + run + workload_of("big", "3") + workload_of("small", "3", "queueName: l", "", 1),
       {}},
      {"KQ002",
       "the third would",
       strict + run + workload_of("big", "3") + workload_of("small", "3", "queueName: l", "", 1) +
           workload_of("tiny", "1", "queueName: l", "", 2),
       {"ml/big keeps ml/tiny waiting"}},
      {"KQ002",
       "the first fits",
       strict + run + workload_of("big", "2") + workload_of("small", "2", "queueName: l", "", 1),
       {}},
      {"KQ002",
       "the first preempts",
       names +
           cluster_queue("q", kFour, "queueingStrategy: StrictFIFO, preemption: {withinClusterQueue: LowerPriority}") +
           run + workload_of("big", "3", "queueName: l, priority: 5") +
           workload_of("small", "2", "queueName: l", "", 1),
       {}},
      {"KQ002",
       "BestEffortFIFO does not wait",
       q + run + workload_of("big", "3") + workload_of("small", "2", "queueName: l", "", 1),
       {}},
      {"KQ002",
       "of another queue",
       strict + cluster_queue("r", kFour) + local_queue("lr", "clusterQueue: r") + run + workload_of("big", "3") +
           workload_of("small", "2", "queueName: lr", "", 1),
       {}},
  });
}

TEST_CASE("lint limits: quotas that a ClusterQueue lends, or has none of", "[lint]") {
  const std::string other = cluster_queue("r", kFour, "cohortName: all");
  const auto lends = [&](std::string_view resources, std::string_view more = "cohortName: all") {
    return other + cluster_queue("q", resources, more);
  };
  const std::string q = "ClusterQueue q lends cpu of flavor f to cohort all, and cannot take it back";
  const std::string r = "ClusterQueue r lends cpu of flavor f to cohort all, and cannot take it back";
  const std::string reclaims = "cohortName: all, preemption: {reclaimWithinCohort: Any}";
  const auto zero = [](std::string_view resources, std::string_view more = "cohortName: all") {
    return cluster_queue("q", resources, more);
  };
  check({
      {"KQ004", "the default is Never", lends(kFour), {r, q}},
      {"KQ004", "it is said", lends(kFour, "cohortName: all, preemption: {reclaimWithinCohort: Never}"), {r, q}},
      {"KQ004", "it takes quota back", lends(kFour, reclaims), {r}},
      {"KQ004",
       "of lower priority",
       lends(kFour, "cohortName: all, preemption: {reclaimWithinCohort: LowerPriority}"),
       {r}},
      {"KQ004", "alone in its cohort", lends(kFour, "cohortName: mine"), {}},
      {"KQ004", "in no cohort", cluster_queue("q", kFour) + cluster_queue("r", kFour), {}},
      {"KQ004",
       "as v1beta1 names it",
       cluster_queue("q", kFour, "cohort: all", "v1beta1") + cluster_queue("r", kFour, reclaims),
       {q}},
      {"KQ004", "it has nothing to lend", lends("{name: cpu, nominalQuota: 0}"), {r}},
      {"KQ004", "it lends nothing", lends("{name: cpu, nominalQuota: 4, lendingLimit: 0}"), {r}},
      {"KQ004", "it lends a little", lends("{name: cpu, nominalQuota: 4, lendingLimit: 1m}"), {r, q}},
      {"KQ004",
       "the first resource that it lends",
       lends("{name: memory, nominalQuota: 4, lendingLimit: 0}, {name: cpu, nominalQuota: 4}, {name: gpu, "
             "nominalQuota: 1}"),
       {r, q}},
      {"KQ006",
       "no cpu beside gpus",
       zero("{name: cpu, nominalQuota: 0}, {name: gpu, nominalQuota: 8}"),
       {"ClusterQueue q has quota for gpu of flavor f, and none for cpu"}},
      {"KQ006",
       "of two that it has none of, each",
       zero("{name: cpu, nominalQuota: 0}, {name: memory, nominalQuota: \"0\"}, {name: gpu, nominalQuota: 8}"),
       {"none for cpu", "none for memory"}},
      {"KQ006", "a little", zero("{name: cpu, nominalQuota: 1m}, {name: gpu, nominalQuota: 8}"), {}},
      {"KQ006", "none of either", zero("{name: cpu, nominalQuota: 0}, {name: gpu, nominalQuota: 0}"), {}},
      {"KQ006", "it cannot borrow", zero("{name: cpu, nominalQuota: 0}, {name: gpu, nominalQuota: 8}", ""), {}},
      {"KQ006",
       "of another flavor",
       of_kueue(
           "ClusterQueue", "name: q",
           "cohortName: all, namespaceSelector: {}, resourceGroups: [{coveredResources: [cpu], flavors: [{name: f, "
           "resources: [{name: cpu, nominalQuota: 0}]}, {name: g, resources: [{name: cpu, nominalQuota: 4}]}]}]"),
       {}},
      {"KQ013",
       "a weight of 0",
       zero(kFour, "cohortName: all, fairSharing: {weight: \"0\"}"),
       {"ClusterQueue q has weight 0, and may borrow"}},
      {"KQ013", "a thousandth", zero(kFour, "cohortName: all, fairSharing: {weight: 1m}"), {}},
      {"KQ013", "not said: 1", zero(kFour, "cohortName: all, fairSharing: {}"), {}},
      {"KQ013", "in no cohort", zero(kFour, "fairSharing: {weight: 0}"), {}},
      {"KQ013",
       "it may not borrow",
       zero("{name: cpu, nominalQuota: 4, borrowingLimit: 0}", "cohortName: all, fairSharing: {weight: 0}"),
       {}},
      {"KQ013",
       "it may borrow one of two resources",
       zero("{name: cpu, nominalQuota: 4, borrowingLimit: 0}, {name: gpu, nominalQuota: 4, borrowingLimit: 1}",
            "cohortName: all, fairSharing: {weight: 0}"),
       {"ClusterQueue q has weight 0"}},
  });
}

TEST_CASE("lint limits: fair sharing and policies of ClusterQueues", "[lint]") {
  const auto configuration = [](std::string_view version, std::string_view sharing) {
    return fmt::format("---\napiVersion: config.kueue.x-k8s.io/{}\nkind: Configuration\n{}\n", version, sharing);
  };
  const auto borrows = [](std::string_view policy) {
    return cluster_queue("q", kFour,
                         fmt::format("cohortName: all, preemption: {{borrowWithinCohort: {{{}}}}}", policy));
  };
  const std::string fair = configuration("v1beta2", "fairSharing: {}");
  const std::string ignored = "ClusterQueue q: borrowWithinCohort has no effect, because fair sharing is enabled";
  const auto old = [](std::string_view more) { return cluster_queue("q", kFour, more, "v1beta1"); };
  const auto queue = [](std::string_view more) { return cluster_queue("q", kFour, more); };
  check({
      {"KQ005", "fair sharing", fair + borrows("policy: LowerPriority"), {ignored}},
      {"KQ005", "no fair sharing", configuration("v1beta2", "") + borrows("policy: LowerPriority"), {}},
      {"KQ005", "Never", fair + borrows("policy: Never"), {}},
      {"KQ005", "no policy", fair + borrows(""), {}},
      // In v1beta1, `enable` turns it on.
      {"KQ005",
       "v1beta1: enabled",
       configuration("v1beta1", "fairSharing: {enable: true}") + borrows("policy: LowerPriority"),
       {ignored}},
      {"KQ005",
       "v1beta1: not enabled",
       configuration("v1beta1", "fairSharing: {enable: false}") + borrows("policy: LowerPriority"),
       {}},
      {"KQ005",
       "v1beta1: not said",
       configuration("v1beta1", "fairSharing: {}") + borrows("policy: LowerPriority"),
       {}},
      {"KQ003", "all namespaces", queue(""), {}},
      {"KQ003",
       "no selector",
       of_kueue("ClusterQueue", "name: q", "cohortName: a"),
       {"ClusterQueue q has no namespaceSelector, so it admits no workload"}},
      {"KQ016",
       "withinClusterQueue",
       queue("preemption: {withinClusterQueue: Any}"),
       {"ClusterQueue q: spec.preemption.withinClusterQueue \"Any\" is not one of Never, LowerPriority, "
        "LowerOrNewerEqualPriority"}},
      {"KQ016",
       "reclaimWithinCohort",
       queue("preemption: {reclaimWithinCohort: LowerOrNewerEqualPriority}"),
       {"spec.preemption.reclaimWithinCohort \"LowerOrNewerEqualPriority\" is not one of Never, LowerPriority, Any"}},
      {"KQ016",
       "borrowWithinCohort",
       queue("preemption: {borrowWithinCohort: {policy: Any}}"),
       {"spec.preemption.borrowWithinCohort.policy \"Any\" is not one of Never, LowerPriority"}},
      {"KQ016",
       "queueingStrategy",
       queue("queueingStrategy: FIFO"),
       {"spec.queueingStrategy \"FIFO\" is not one of StrictFIFO, BestEffortFIFO"}},
      {"KQ016",
       "stopPolicy",
       queue("stopPolicy: Drain"),
       {"spec.stopPolicy \"Drain\" is not one of None, Hold, HoldAndDrain"}},
      {"KQ016",
       "whenCanBorrow",
       queue("flavorFungibility: {whenCanBorrow: Borrow}"),
       {"spec.flavorFungibility.whenCanBorrow \"Borrow\" is not one of MayStopSearch, TryNextFlavor"}},
      {"KQ016",
       "whenCanPreempt",
       queue("flavorFungibility: {whenCanPreempt: Preempt}"),
       {"spec.flavorFungibility.whenCanPreempt \"Preempt\" is not one of MayStopSearch, TryNextFlavor"}},
      {"KQ016",
       "preference",
       queue("flavorFungibility: {preference: Borrowing}"),
       {"spec.flavorFungibility.preference \"Borrowing\" is not one of BorrowingOverPreemption, "
        "PreemptionOverBorrowing"}},
      {"KQ016",
       "all that are known",
       queue("cohortName: a, queueingStrategy: StrictFIFO, stopPolicy: HoldAndDrain, admissionChecksStrategy: "
             "{admissionChecks: []}, preemption: {withinClusterQueue: LowerOrNewerEqualPriority, reclaimWithinCohort: "
             "Any, borrowWithinCohort: {policy: LowerPriority}}, flavorFungibility: {whenCanBorrow: TryNextFlavor, "
             "whenCanPreempt: MayStopSearch, preference: PreemptionOverBorrowing}"),
       {}},
      {"KQ016", "an empty one is the default", queue("queueingStrategy: \"\""), {}},
      {"KQ016",
       "the old names in the old version",
       old("cohort: a, admissionChecks: [c], flavorFungibility: {whenCanBorrow: Borrow, whenCanPreempt: Preempt}"),
       {}},
      {"KQ016",
       "each old name has its field",
       old("flavorFungibility: {whenCanBorrow: Preempt, whenCanPreempt: Borrow}"),
       {"whenCanBorrow \"Preempt\" is not one of MayStopSearch, TryNextFlavor, Borrow",
        "whenCanPreempt \"Borrow\" is not one of MayStopSearch, TryNextFlavor, Preempt"}},
      {"KQ016",
       "old fields in the new version",
       queue("cohort: a, admissionChecks: [c]"),
       {"ClusterQueue q: v1beta2 has no field spec.cohort, but spec.cohortName",
        "v1beta2 has no field spec.admissionChecks, but spec.admissionChecksStrategy"}},
      {"KQ016",
       "the new field in the old version",
       old("cohortName: a"),
       {"ClusterQueue q: v1beta1 has no field spec.cohortName, but spec.cohort"}},
      {"KQ016",
       "of a LocalQueue",
       local_queue("l", "clusterQueue: q, stopPolicy: Stop"),
       {"LocalQueue l: spec.stopPolicy \"Stop\" is not one of None, Hold, HoldAndDrain"}},
      {"KQ016", "a LocalQueue that is stopped", local_queue("l", "clusterQueue: q, stopPolicy: Hold"), {}},
  });
}

TEST_CASE("lint limits: names between Kueue's queues", "[lint]") {
  const std::string q = cluster_queue("q", kFour);
  const std::string held = cluster_queue("q", kFour, "stopPolicy: Hold");
  const std::string w = workload_of("w", "1");
  const auto with_check = [](std::string_view checks) { return kFlavor + cluster_queue("q", kFour, checks); };
  const std::string one = "admissionChecksStrategy: {admissionChecks: [{name: c}]}";
  const std::string inactive = "ClusterQueue q is inactive: ";
  const auto cohort = [](std::string_view name, std::string_view parent) {
    return of_kueue("Cohort", fmt::format("name: {}", name),
                    parent.empty() ? "" : fmt::format("parentName: {}", parent));
  };
  const auto flavors = [](std::string_view a, std::string_view b) {
    return of_kueue("ResourceFlavor", "name: a", fmt::format("nodeLabels: {{{}}}", a)) +
           of_kueue("ResourceFlavor", "name: b", fmt::format("nodeLabels: {{{}}}", b)) +
           of_kueue("ClusterQueue", "name: q",
                    "namespaceSelector: {}, resourceGroups: [{coveredResources: [cpu], flavors: [{name: gone}, {name: "
                    "a}, {name: b}]}]");
  };
  const std::string same = "flavors a and b of ClusterQueue q may mean the same nodes";
  check({
      {"KQ007", "all are there", q + local_queue("l") + w, {}},
      {"KQ007",
       "no such ClusterQueue",
       q + local_queue("l", "clusterQueue: p"),
       {"LocalQueue ml/l: no ClusterQueue p in the input"}},
      {"KQ007", "without any, nothing is known", local_queue("l", "clusterQueue: p"), {}},
      {"KQ007", "no name", q + local_queue("l", ""), {}},
      {"KQ007", "it is stopped", held + local_queue("l"), {"LocalQueue ml/l: ClusterQueue q is stopped"}},
      {"KQ007", "its policy is None", cluster_queue("q", kFour, "stopPolicy: None") + local_queue("l"), {}},
      {"KQ007",
       "no such LocalQueue",
       q + local_queue("other") + w,
       {"Workload ml/w: LocalQueue l is not in the input"}},
      {"KQ007", "without any, nothing is known of it", q + w, {}},
      {"KQ007",
       "a LocalQueue of another namespace",
       q + of_kueue("LocalQueue", "name: l, namespace: x", "clusterQueue: q") + w,
       {"Workload ml/w: LocalQueue l is not in the input"}},
      {"KQ007",
       "the LocalQueue is stopped",
       q + local_queue("l", "clusterQueue: q, stopPolicy: HoldAndDrain") + w,
       {"Workload ml/w: LocalQueue l is stopped"}},
      {"KQ007",
       "it names none",
       q + local_queue("l") + workload_of("w", "1", "priority: 1"),
       {"Workload ml/w names no LocalQueue"}},
      {"KQ007", "it has quota", q + local_queue("other") + workload_of("w", "1", "queueName: l", kReserved), {}},
      {"KQ007",
       "it had quota",
       q + local_queue("other") + workload_of("w", "1", "queueName: l", kNoLonger),
       {"LocalQueue l is not in the input"}},
      {"KQ007", "it has finished", q + local_queue("other") + workload_of("w", "1", "queueName: l", kFinished), {}},
      {"KQ007",
       "it is deactivated",
       q + local_queue("other") + workload_of("w", "1", "queueName: l, active: false"),
       {}},
      {"KQ008", "no flavor is there", q, {inactive + "no ResourceFlavor f in the input"}},
      {"KQ008",
       "another flavor is there",
       q + of_kueue("ResourceFlavor", "name: g", ""),
       {inactive + "no ResourceFlavor f in the input"}},
      {"KQ008", "the flavor is there", q + kFlavor, {}},
      {"KQ008", "no check is there", with_check(one), {inactive + "no AdmissionCheck c in the input"}},
      {"KQ008",
       "another check is there",
       with_check(one) + object("kueue.x-k8s.io/v1beta2", "AdmissionCheck", "name: d", "spec: {}"),
       {inactive + "no AdmissionCheck c in the input"}},
      {"KQ008", "a manifest has no status", with_check(one) + check_of("spec: {}"), {}},
      {"KQ008",
       "it is active",
       with_check(one) + check_of("status: {conditions: [{type: Active, status: \"True\"}]}"),
       {}},
      {"KQ008",
       "it is not",
       with_check(one) + check_of("status: {conditions: [{type: Active, status: \"False\"}]}"),
       {inactive + "AdmissionCheck c is not active"}},
      {"KQ008",
       "its condition is not set yet",
       with_check(one) + check_of("status: {conditions: []}"),
       {inactive + "AdmissionCheck c is not active"}},
      {"KQ008",
       "as v1beta1 names them",
       kFlavor + cluster_queue("q", kFour, "admissionChecks: [c, e]", "v1beta1") + check_of("spec: {}"),
       {inactive + "no AdmissionCheck e in the input"}},
      {"KQ009", "its own parent", cohort("a", "a"), {"cohort a is its own ancestor, through a"}},
      {"KQ009",
       "two, and one below them",
       cohort("a", "b") + cohort("b", "a") + cohort("c", "a"),
       {"cohort a is its own ancestor, through b", "cohort b is its own ancestor, through a"}},
      {"KQ009", "a tree", cohort("a", "") + cohort("b", "a") + cohort("c", "a") + cohort("d", "gone"), {}},
      {"KQ010", "the same labels", flavors("x: y", "x: y"), {same}},
      {"KQ010", "another value", flavors("x: y", "x: z"), {}},
      {"KQ010", "the first has none", flavors("", "x: y"), {same}},
      {"KQ010", "the second has none", flavors("x: y", ""), {same}},
  });
  // In files of a repository, what is never defined may be elsewhere.
  CHECK(findings_of("KQ008", q, false).empty());
  CHECK(findings_of("KQ008", with_check(one), false).empty());
  CHECK(findings_of("KQ008", q + of_kueue("ResourceFlavor", "name: g", ""), false).size() == 1);
}

TEST_CASE("lint limits: priorities of Kueue's workloads", "[lint]") {
  const auto q = [](std::string_view more = "") { return cluster_queue("q", kFour, more) + local_queue("l"); };
  const auto w = [](std::string_view name, std::string_view priority, std::string_view status = "") {
    return workload_of(name, "1", fmt::format("queueName: l{}{}", priority.empty() ? "" : ", priority: ", priority),
                       status);
  };
  const std::string two = "workloads of ClusterQueue q have 2 priorities, and do not preempt each other";
  const std::string classes = object("kueue.x-k8s.io/v1beta2", "WorkloadPriorityClass", "name: high", "value: 1000") +
                              priority_class("high", 9);
  const auto of_class = [](std::string_view spec, std::string_view status = "") {
    return workload_of("w", "1", fmt::format("queueName: l, {}", spec), status);
  };
  const std::string of_kueue_class =
      "priorityClassRef: {group: kueue.x-k8s.io, kind: WorkloadPriorityClass, name: high}";
  const std::string of_pods = "priorityClassRef: {group: scheduling.k8s.io, kind: PriorityClass, name: high}";
  check({
      {"KQ012", "two priorities", q() + w("a", "1") + w("b", "2"), {two}},
      {"KQ012", "one that is not said is 0", q() + w("a", "1") + w("b", ""), {two}},
      {"KQ012", "which is the same", q() + w("a", "0") + w("b", ""), {}},
      {"KQ012", "one has finished", q() + w("a", "1") + w("b", "2", kFinished), {}},
      {"KQ012", "one has quota", q() + w("a", "1") + w("b", "2", kReserved), {two}},
      {"KQ012",
       "they preempt each other",
       q("preemption: {withinClusterQueue: LowerPriority}") + w("a", "1") + w("b", "2"),
       {}},
      {"KQ012", "one is of no queue", q() + w("a", "1") + workload_of("b", "1", "priority: 2"), {}},
      {"KQ014", "the class's value", classes + of_class("priority: 1000, " + of_kueue_class), {}},
      {"KQ014",
       "another",
       classes + of_class("priority: 900, " + of_kueue_class),
       {"Workload ml/w has priority 900, and its class high has 1000"}},
      {"KQ014", "of its pods", classes + of_class("priority: 9, " + of_pods), {}},
      {"KQ014",
       "not that of its pods",
       classes + of_class("priority: 1000, " + of_pods),
       {"Workload ml/w has priority 1000, and its class high has 9"}},
      {"KQ014",
       "none",
       classes + of_class(of_kueue_class),
       {"Workload ml/w names a class and has no spec.priority: it counts as 0"}},
      {"KQ014", "no class", classes + of_class("priority: 3"), {}},
      {"KQ014", "a class that is not there", of_class("priority: 3, " + of_kueue_class), {}},
      {"KQ014", "it has finished", classes + of_class("priority: 3, " + of_kueue_class, kFinished), {}},
      // v1beta1 names the class and its group.
      {"KQ014",
       "v1beta1, of Kueue",
       classes + of_class("priority: 3, priorityClassName: high, priorityClassSource: "
                          "kueue.x-k8s.io/workloadpriorityclass"),
       {"its class high has 1000"}},
      {"KQ014",
       "v1beta1, of pods",
       classes + of_class("priority: 3, priorityClassName: high, priorityClassSource: scheduling.k8s.io/priorityclass"),
       {"its class high has 9"}},
  });
}

TEST_CASE("lint limits: quotas of cohorts, and partial inputs", "[lint]") {
  const std::string quota =
      "resourceGroups: [{coveredResources: [cpu], flavors: [{name: f, resources: [{name: cpu, "
      "nominalQuota: 5}]}]}]";
  const std::string node = object("v1", "Node", "name: n", "status: {allocatable: {cpu: 8}}");
  check({
      {"KQ011",
       "of a cohort and a queue",
       kFlavor + cluster_queue("q", kFour) + of_kueue("Cohort", "name: c", quota) + node,
       {"the quotas of cpu of flavor f add up to 9, and its nodes have 8"}},
      {"KQ011",
       "a quota that is no quantity counts nothing",
       kFlavor + cluster_queue("q", "{name: cpu, nominalQuota: many}") + of_kueue("Cohort", "name: c", quota) + node,
       {}},
      {"KQ011", "without nodes", kFlavor + cluster_queue("q", kFour), {}},
  });
}

}  // namespace previct::lint::edges::of_kueue
