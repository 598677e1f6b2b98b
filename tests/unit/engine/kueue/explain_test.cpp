#include "support/kueue.h"
#include "tell/pod_words.h"

#include <catch2/catch.hpp>

// Features that golden cases do not cover. Source: kubernetes-sigs/kueue v0.19.0; paths in the comments are below pkg/.

namespace previct {
namespace {

using test::flavor;
using test::KueueAsked;
using test::queue;
using test::workload;

auto has(const Answer& answer, GapRule rule, bool decides) -> bool {
  return std::any_of(answer.gaps.begin(), answer.gaps.end(),
                     [&](const Gap& gap) { return gap.rule == rule && gap.decides == decides; });
}

}  // namespace

TEST_CASE("kueue sentence: names flavor, cohort and numbers", "[kueue]") {
  KueueAsked asked(flavor() + queue({.cpu = "4", .cohort = "team"}) +
                   queue({.name = "o", .cpu = "1", .cohort = "team"}) +
                   workload({.name = "run", .cpu = "4", .holds = true}) + workload({.name = "first", .cpu = "1"}) +
                   workload({.name = "want", .cpu = "3", .minute = 1}));
  // Alone, it lacks 2, since 1 of the cohort is free. `first` comes before it and borrows that 1, so it is 2nd of 2.
  const Answer answer = asked.explain("want");
  CHECK(answer.outcome == Outcome::pending);
  CHECK(answer.sentence ==
        "stays pending, 2nd of 2 in ClusterQueue q (it is tried in cycle 2): flavor f then lacks 3 cpu; no "
        "workload may be preempted for it");
  const Answer first = asked.explain("first");
  CHECK(first.outcome == Outcome::fits);
  CHECK(first.sentence == "would be admitted by ClusterQueue q on flavor f, borrowing from cohort team");
}

TEST_CASE("kueue sentence: of a skipped workload, what the next cycle gives", "[kueue]") {
  // Both fit alone. own does not borrow and is processed first, so that nothing is left to lend, also in cycle 2.
  KueueAsked asked(flavor() + queue({.name = "a", .cpu = "0", .cohort = "team"}) +
                   queue({.name = "b", .cpu = "4", .cohort = "team"}) +
                   workload({.name = "own", .queue = "b", .cpu = "4"}) +
                   workload({.name = "want", .queue = "a", .cpu = "4"}));
  CHECK(asked.explain("want").sentence ==
        "stays pending: earlier workloads of the cycle use the quota; in cycle 2, it stays pending in ClusterQueue a: "
        "flavor f then lacks 4 cpu; ClusterQueue a may not preempt to borrow (borrowWithinCohort: Never)");
}

TEST_CASE("kueue cohorts: a Cohort that the input lacks may have the quota", "[kueue]") {
  const std::string objects = flavor() + queue({.cpu = "0", .cohort = "team"}) + workload({.name = "w", .cpu = "4"});
  CHECK(KueueAsked(objects).explain("w").outcome == Outcome::unknown);
  CHECK(KueueAsked(objects + test::kueue_object("Cohort", "team",
                                                "resourceGroups: [{coveredResources: [cpu], flavors: [{name: f, "
                                                "resources: [{name: cpu, nominalQuota: 4}]}]}]"))
            .explain("w")
            .outcome == Outcome::fits);
}

TEST_CASE("kueue sentence: a preemption names the victims", "[kueue]") {
  KueueAsked asked(flavor() + queue({.preemption = "withinClusterQueue: LowerPriority"}) +
                   workload({.name = "a", .cpu = "2", .holds = true}) +
                   workload({.name = "b", .cpu = "2", .priority = 5, .holds = true}) +
                   workload({.name = "want", .cpu = "2", .priority = 9}));
  const Answer answer = asked.explain("want");
  CHECK(answer.outcome == Outcome::preempts);
  CHECK(answer.sentence == "would preempt 1 workload of ClusterQueue q (ns/a), and then be admitted on flavor f");
  CHECK(
      answer.scheduler_message ==
      "couldn't assign flavors to pod set main: insufficient unused quota for cpu in flavor f, 2 more needed. Pending "
      "the preemption of 1 workload(s)");
}

TEST_CASE("kueue v1beta1: its objects mean the same as those of v1beta2", "[kueue]") {
  const std::string old =
      "---\n{apiVersion: kueue.x-k8s.io/v1beta1, kind: ClusterQueue, metadata: {name: q}, spec: {cohort: team, "
      "namespaceSelector: {}, admissionChecks: [c], flavorFungibility: {whenCanBorrow: Borrow, whenCanPreempt: "
      "Preempt}, "
      "resourceGroups: [{coveredResources: [cpu], flavors: [{name: f, resources: [{name: cpu, nominalQuota: "
      "1}]}]}]}}\n";
  KueueAsked asked(flavor() + old + test::kueue_object("LocalQueue", "q", "clusterQueue: q", "ns") +
                   workload({.name = "w"}));
  const kueue::ClusterQueue& read = asked.objects.cluster_queues.front();
  CHECK(asked.objects.symbols.text(read.spec.cohort) == "team");
  CHECK(read.spec.admission_checks.checks.size() == 1);
  CHECK(asked.objects.symbols.text(read.spec.fungibility.when_can_preempt) == "MayStopSearch");
  // Without the check, the queue is inactive; the input has no checks at all, so it may exist.
  const Answer answer = asked.explain("w");
  CHECK(answer.outcome == Outcome::unknown);
  CHECK(answer.sentence ==
        "cannot tell, because AdmissionCheck is not in the input. Apart from that, it stays pending, because "
        "ClusterQueue q is inactive: AdmissionCheck c does not exist");
  CHECK(answer.scheduler_message == "ClusterQueue q is inactive");
}

TEST_CASE("kueue fair sharing: enabled by its section alone, and in v1beta1 by its switch", "[kueue]") {
  const std::string objects = flavor() + queue({}) + workload({.name = "w"});
  const auto fair = [&](const std::string& text, bool v1beta1) {
    KueueAsked asked(objects);
    asked.config(text);
    if (v1beta1)
      asked.question.kueue_config->bytes.replace(asked.question.kueue_config->bytes.find("v1beta2"), 7, "v1beta1");
    const Answer answer = asked.explain("w");
    return static_cast<const kueue::EngineTrace&>(*answer.account).inventory->settings().fair;
  };
  CHECK(fair(test::kFairSharing + "\n", false));
  CHECK_FALSE(fair(test::kFairSharing + "\n", true));
  CHECK(fair("fairSharing: {enable: true}\n", true));
  CHECK_FALSE(fair("", false));
}

// Source: kubernetes-sigs/kueue v0.19.0 pkg/scheduler/preemption/fairsharing/strategy.go, preemption.go
// parseStrategies, fairPreemptions. The cohort has 10 CPUs, all of them of queue c; a share is what a queue borrows of
// them. Queue b borrows 8, its workloads have 4 each.
TEST_CASE("kueue fair sharing: the strategies compare the shares before and after a preemption", "[kueue]") {
  const auto outcome = [](const std::string& strategies, const std::string& cpu, bool one_large) {
    const auto holds = [](const std::string& name, const std::string& amount) {
      return workload({.name = name, .queue = "b", .cpu = amount, .holds = true});
    };
    KueueAsked asked(test::kNoCohorts + flavor() +
                     queue({.name = "a", .cpu = "0", .cohort = "x", .preemption = "reclaimWithinCohort: Any"}) +
                     queue({.name = "b", .cpu = "0", .cohort = "x"}) +
                     queue({.name = "c", .cpu = "10", .cohort = "x"}) +
                     (one_large ? holds("v", "8") : holds("v", "4") + holds("w", "4")) +
                     workload({.name = "p", .queue = "a", .cpu = cpu, .minute = 30}));
    asked.config("fairSharing: {preemptionStrategies: [" + strategies + "]}");
    return asked.explain("p").outcome;
  };
  const std::string final_share = "LessThanOrEqualToFinalShare";
  const std::string initial_share = "LessThanInitialShare";
  struct Row {
    std::string cpu;
    bool one_large;
    bool by_final;    // of a with the workload <= of b without the victim
    bool by_initial;  // of a with the workload < of b with the victim
  };
  for (const Row& row : {Row{"4", false, true, true}, Row{"5", false, false, true}, Row{"7", true, false, true},
                         Row{"8", true, false, false}, Row{"3", true, false, true}}) {
    INFO(row.cpu);
    const auto preempts = [&](const std::string& strategies) {
      return outcome(strategies, row.cpu, row.one_large) == Outcome::preempts;
    };
    CHECK(preempts(final_share) == row.by_final);
    CHECK(preempts(initial_share) == row.by_initial);
    CHECK(preempts(final_share + ", " + initial_share) == (row.by_final || row.by_initial));
  }
}

TEST_CASE("kueue configuration: an invalid configuration is an error", "[kueue]") {
  KueueAsked asked(flavor() + queue({}) + workload({.name = "w"}));
  asked.question.kueue_config = ConfigFile{asked.objects.files.add("c.yaml"), "apiVersion: v1\nkind: Pod\n"};
  CHECK(asked.failure("w").message == "expected a Configuration of config.kueue.x-k8s.io/v1beta2, found v1 \"Pod\"");
  asked.config("fairSharing: {preemptionStrategies: [Best]}\n");
  CHECK(asked.failure("w").message == "fairSharing.preemptionStrategies: no strategy \"Best\"");
  asked.config("");
  asked.question.kueue_version = "nineteen";
  CHECK(asked.failure("w").message == "\"nineteen\" is not a release of Kueue; expected one such as 0.19.0");
}

TEST_CASE("kueue cohorts: too deep nesting is an error, a cycle is not", "[kueue]") {
  const auto chain = [](int length, const std::string& last) {
    std::string text = flavor() + queue({.cohort = "c0"}) + workload({.name = "w"});
    for (int i = 0; i < length; ++i) {
      text += test::kueue_object("Cohort", fmt::format("c{}", i),
                                 "parentName: " + (i + 1 < length ? fmt::format("c{}", i + 1) : last));
    }
    return text;
  };
  CHECK(KueueAsked(chain(3, "c0")).explain("w").sentence ==
        "stays pending, because ClusterQueue q is inactive: the cohorts above it form a cycle (c0)");
  CHECK(KueueAsked(chain(900, "top")).explain("w").outcome == Outcome::fits);
  CHECK(KueueAsked(chain(1200, "top")).failure("w").message == "cohort c199 is nested deeper than 1000 levels");
}

TEST_CASE("kueue gaps: what is not modeled decides if the verdict could be another one", "[kueue]") {
  const std::string base = flavor() + queue({}) + workload({.name = "run", .cpu = "3", .holds = true});
  const auto asked = [&](const std::string& cpu) {
    return KueueAsked(
               base +
               workload({.name = "w", .cpu = cpu, .meta = ", annotations: {kueue.x-k8s.io/elastic-job: \"true\"}"}))
        .explain("w");
  };
  const Answer fits = asked("1");
  CHECK(fits.outcome == Outcome::unknown);
  CHECK(has(fits, GapRule::kueue_elastic, true));
  // There is no quota for it, whichever slice it replaces.
  const Answer pending = asked("2");
  CHECK(pending.outcome == Outcome::pending);
  CHECK(has(pending, GapRule::kueue_elastic, false));
}

TEST_CASE("kueue requests: counted as Kueue counts them", "[kueue]") {
  // Source: workload/resources.go AdjustResources, workload/workload.go applyResourceTransformations.
  const auto free_for = [](const std::string& pod, const std::string& config, const std::string& more) {
    KueueAsked asked(flavor() + queue({.cpu = "3"}) + more +
                     workload({.name = "w", .cpu = "1", .pod = pod, .count = 2}));
    asked.config(config);
    return asked.explain("w").sentence;
  };
  const std::string fits = "would be admitted by ClusterQueue q on flavor f";
  CHECK(free_for("", "", "") == fits);
  // 0.5 of overhead each: 2 pods request 3.
  const std::string runtime =
      "---\n{apiVersion: node.k8s.io/v1, kind: RuntimeClass, metadata: {name: vm}, handler: vm, overhead: {podFixed: "
      "{cpu: 500m}}}\n";
  CHECK(free_for("runtimeClassName: vm, ", "", runtime) == fits);
  // An init container of 2 is the peak: 2 pods request 4.
  CHECK(
      free_for("initContainers: [{name: i, image: x, resources: {requests: {cpu: 2}}}], ", "", "") ==
      "stays pending in ClusterQueue q: it requests 4 cpu of flavor f, and ClusterQueue q can never have more than 3");
  // A request for cpu counts as three times as much.
  CHECK(
      free_for("", "resources: {transformations: [{input: cpu, strategy: Replace, outputs: {cpu: 3}}]}\n", "") ==
      "stays pending in ClusterQueue q: it requests 6 cpu of flavor f, and ClusterQueue q can never have more than 3");
  CHECK(free_for("", "resources: {excludeResourcePrefixes: [cp]}\n", "") == "would be admitted by ClusterQueue q");
}

TEST_CASE("kueue requests: a resource that the queue does not cover counts unless it is zero or ignored", "[kueue]") {
  // Source: pkg/scheduler/flavorassigner/flavorassigner.go assignFlavors, resources.quotaCheckStrategy.
  const auto outcome = [](const std::string& memory, const std::string& config) {
    KueueAsked asked(flavor() + queue({}) +
                     workload({.name = "w",
                               .pod = fmt::format("initContainers: [{{name: i, image: x, resources: {{requests: "
                                                  "{{memory: {}}}}}}}], ",
                                                  memory)}));
    asked.config(config);
    return asked.explain("w").outcome;
  };
  CHECK(outcome("1Gi", "") == Outcome::pending);
  CHECK(outcome("0", "") == Outcome::fits);
  CHECK(outcome("1Gi", "resources: {quotaCheckStrategy: IgnoreUndeclared}\n") == Outcome::fits);
}

TEST_CASE("kueue requests: a request for nothing does not count as borrowing", "[kueue]") {
  // a borrows 1Gi of memory and none of its 4 CPUs; c borrows 4 CPUs. w requests the 4 CPUs of a, and no memory, so
  // that it stays within the quota of a, and reclaims the CPUs from `run`.
  // Source: pkg/scheduler/flavorassigner/flavorassigner.go TotalRequestsFor.
  const auto queue_of = [](const std::string& name, const std::string& memory) {
    return test::kueue_object(
               "ClusterQueue", name,
               fmt::format("namespaceSelector: {{}}, cohortName: all, preemption: {{reclaimWithinCohort: Any}}, "
                           "resourceGroups: [{{coveredResources: [cpu, memory], flavors: [{{name: f, resources: "
                           "[{{name: cpu, nominalQuota: 4}}, {{name: memory, nominalQuota: {}}}]}}]}}]",
                           memory)) +
           test::kueue_object("LocalQueue", name, "clusterQueue: " + name, "ns");
  };
  const auto with_memory = [](std::string workload, const std::string& amount) {
    workload.replace(workload.find("flavors: {cpu: f}"), 17, "flavors: {cpu: f, memory: f}");
    const std::string usage = "resourceUsage: {";
    workload.insert(workload.find(usage) + usage.size(), fmt::format("memory: {}, ", amount));
    return workload;
  };
  const auto outcome = [&](const std::string& memory) {
    KueueAsked asked(flavor() + queue_of("a", "1Gi") + queue_of("c", "8Gi") +
                     with_memory(workload({.name = "big", .queue = "a", .cpu = "0", .holds = true}), "2Gi") +
                     with_memory(workload({.name = "run", .queue = "c", .cpu = "8", .holds = true}), "0") +
                     workload({.name = "w",
                               .queue = "a",
                               .cpu = "4",
                               .pod = fmt::format("initContainers: [{{name: i, image: x, resources: {{requests: "
                                                  "{{memory: {}}}}}}}], ",
                                                  memory)}));
    const Answer answer = asked.explain("w");
    return std::pair(answer.outcome, answer.evicted);
  };
  CHECK(outcome("0") == std::pair(Outcome::preempts, std::vector<std::string>{"workload/ns/run"}));
  // With any memory, it would borrow.
  CHECK(outcome("1") == std::pair(Outcome::pending, std::vector<std::string>()));
}

TEST_CASE("kueue fair sharing: within its quota of what it needs, a queue preempts whatever else it borrows",
          "[kueue]") {
  // Each queue has 4 CPUs and 1Gi. a borrows 1Gi of memory: its share is 1 of 2, 500. c borrows 2 CPUs: its share is 2
  // of 8, 250. w of a needs the 4 CPUs of a, of which c uses 2, so that shares do not count. Source:
  // pkg/scheduler/preemption/preemption.go fairPreemptions, gate FairSharingPreemptWithinNominal.
  const auto queue_of = [](const std::string& name) {
    return test::kueue_object("ClusterQueue", name,
                              "namespaceSelector: {}, cohortName: all, preemption: {reclaimWithinCohort: Any}, "
                              "resourceGroups: [{coveredResources: [cpu, memory], flavors: [{name: f, resources: "
                              "[{name: cpu, nominalQuota: 4}, {name: memory, nominalQuota: 1Gi}]}]}]") +
           test::kueue_object("LocalQueue", name, "clusterQueue: " + name, "ns");
  };
  std::string big = workload({.name = "big", .queue = "a", .cpu = "0", .holds = true});
  big.replace(big.find("flavors: {cpu: f}"), 17, "flavors: {cpu: f, memory: f}");
  big.insert(big.find("resourceUsage: {") + 16, "memory: 2Gi, ");
  const auto evicted = [&](const std::string& gates) {
    KueueAsked asked(flavor() + queue_of("a") + queue_of("c") + big +
                     workload({.name = "run", .queue = "c", .cpu = "6", .holds = true}) +
                     workload({.name = "w", .queue = "a", .cpu = "4"}));
    asked.config(test::kFairSharing + "\n" + gates);
    return asked.explain("w").evicted;
  };
  CHECK(evicted("") == std::vector<std::string>{"workload/ns/run"});
  // Without the gate, the share of a, 500, would have to be below that of c.
  CHECK(evicted("featureGates: {FairSharingPreemptWithinNominal: false}\n").empty());
}

TEST_CASE("kueue pod: one with Kueue's gate gets the answer of its workload", "[kueue]") {
  KueueAsked asked(
      flavor() + queue({}) + workload({.name = "w"}) +
      "---\n{apiVersion: v1, kind: Pod, metadata: {name: p, namespace: ns, uid: p, annotations: "
      "{kueue.x-k8s.io/workload: w}}, spec: {schedulingGates: [{name: kueue.x-k8s.io/admission}], containers: "
      "[{name: c, image: x}]}}\n");
  asked.cluster = std::make_unique<Snapshot>(asked.objects);
  CHECK(kueue_engine.owns_pod(*asked.cluster, asked.cluster->find_pod("ns", "p")));
  KueueAsked without(
      "---\n{apiVersion: v1, kind: Pod, metadata: {name: p, namespace: ns}, spec: {schedulingGates: [{name: "
      "kueue.x-k8s.io/admission}], containers: [{name: c, image: x}]}}\n");
  without.cluster = std::make_unique<Snapshot>(without.objects);
  CHECK_FALSE(kueue_engine.owns_pod(*without.cluster, without.cluster->find_pod("ns", "p")));
  asked.question.kind = "pod";
  asked.question.ns = "ns";
  asked.question.name = "p";
  asked.question.now = *parse_instant("2026-05-01T12:00:00Z");
  const auto verdict = kueue_engine.decide(*asked.cluster, asked.question);
  REQUIRE(verdict);
  CHECK(verdict->outcome == Outcome::fits);
  CHECK(verdict->subject_name == "ns/p");
}

TEST_CASE("kueue workload: one that does not exist is an error with the nearest name", "[kueue]") {
  KueueAsked asked(flavor() + queue({}) + workload({.name = "train"}));
  CHECK(asked.failure("trian").message == "no workload ns/trian in the input; did you mean ns/train? (1 workload)");
}

// Each cycle admits one workload of the queue, and all of them fit. The document has the first cycles only.
TEST_CASE("kueue: a workload is followed up to its turn", "[kueue]") {
  std::string objects = flavor() + queue({.cpu = "300"});
  for (int i = 0; i < 8; ++i) objects += workload({.name = fmt::format("w{}", i), .cpu = "1", .minute = i});
  KueueAsked asked(objects);
  asked.question.cycles = 5;
  CHECK(asked.explain("w7").sentence == "would be admitted by ClusterQueue q on flavor f, in cycle 8 from now");
  asked.question.documents = true;
  const Answer document = asked.explain("w7");
  CHECK(document.outcome == Outcome::fits);
  CHECK(document.evidence["cycles"].size() == 5);
  CHECK(document.evidence["outcome"] == "waiting");
  asked.question.documents = false;
  for (int i = 8; i < 205; ++i) objects += workload({.name = fmt::format("w{}", i), .cpu = "1", .minute = i % 60});
  KueueAsked many(objects + workload({.name = "last", .cpu = "1", .priority = -1, .minute = 59}));
  const Answer last = many.explain("last");
  CHECK(last.outcome == Outcome::unknown);
  CHECK(last.sentence.starts_with("cannot tell, because only 200 cycles were simulated, and its turn comes later"));
}

// One cycle finds no quota for w0, and makes w1 inadmissible with it. Source: gate SchedulingEquivalenceHashing.
TEST_CASE("kueue: a workload with the same pods as one that was tried has the same cause", "[kueue]") {
  KueueAsked asked(flavor() + queue({.cpu = "1"}) + workload({.name = "w0", .cpu = "2"}) +
                   workload({.name = "w1", .cpu = "2", .minute = 1}));
  const Answer tried = asked.explain("w0");
  const Answer like = asked.explain("w1");
  CHECK(like.outcome == Outcome::pending);
  CHECK(like.cause == tried.cause);
  CHECK(like.sentence.starts_with("stays pending, 2nd of 2 in ClusterQueue q: it requests 2 cpu of flavor f"));
  CHECK(like.sentence.ends_with(" (as ns/w0, which has the same pods)"));
}

TEST_CASE("kueue: a workload that finds too few victims says why", "[kueue]") {
  // low frees 1 of the 3 CPUs that w lacks; high is no candidate.
  KueueAsked few(flavor() + queue({.preemption = "withinClusterQueue: LowerPriority"}) +
                 workload({.name = "low", .cpu = "1", .holds = true}) +
                 workload({.name = "high", .cpu = "3", .priority = 5, .holds = true}) +
                 workload({.name = "w", .cpu = "3", .priority = 1}));
  CHECK(few.explain("w").sentence.ends_with("; 1 workload may be preempted, but that is not enough"));

  // a may take its 4 GPUs back from b only while it stays within its nominal quota, and w needs 2 CPUs more than that.
  // Source: pkg/scheduler/preemption/classical/candidate_generator.go.
  const auto queue_of = [](const std::string& name, int cpu, int gpu) {
    return test::kueue_object(
               "ClusterQueue", name,
               fmt::format("namespaceSelector: {{}}, cohortName: team, preemption: {{reclaimWithinCohort: Any}}, "
                           "resourceGroups: [{{coveredResources: [cpu, gpu], flavors: [{{name: f, resources: [{{name: "
                           "cpu, nominalQuota: {}}}, {{name: gpu, nominalQuota: {}}}]}}]}}]",
                           cpu, gpu)) +
           test::kueue_object("LocalQueue", name, "clusterQueue: " + name, "ns");
  };
  const auto with_gpus = [](std::string object) {
    for (const auto& [from, to] :
         {std::pair("{cpu: f}", "{cpu: f, gpu: f}"), std::pair("{cpu: \"", "{gpu: 4, cpu: \"")}) {
      for (std::size_t at = object.find(from); at != std::string::npos; at = object.find(from, at + 20))
        object.replace(at, std::string_view(from).size(), to);
    }
    return object;
  };
  KueueAsked borrows(test::kNoCohorts + flavor() + queue_of("a", 2, 4) + queue_of("b", 8, 0) +
                     with_gpus(workload({.name = "run", .queue = "b", .cpu = "1", .holds = true})) +
                     with_gpus(workload({.name = "w", .queue = "a", .cpu = "4"})));
  CHECK(borrows.explain("w").sentence.ends_with(
      "; 1 workload may be preempted only if ClusterQueue a does not borrow, but it would borrow 2 cpu "
      "(borrowWithinCohort: Never)"));
}

// Source: pkg/controller/jobs/pod/pod_controller.go validatePodGroupMetadata.
TEST_CASE("kueue: a gated pod of a group that lacks pods says so", "[kueue]") {
  const auto words = [](int pods, const std::string& more) {
    std::string manifests;
    for (int i = 0; i < pods; ++i)
      manifests += fmt::format(
          "---\n{{apiVersion: v1, kind: Pod, metadata: {{name: g-{}, namespace: ns, labels: "
          "{{kueue.x-k8s.io/pod-group-name: grp}}, annotations: {{kueue.x-k8s.io/pod-group-total-count: \"3\"{}}}}}, "
          "spec: {{schedulingGates: [{{name: kueue.x-k8s.io/admission}}], containers: [{{name: c}}]}}}}\n",
          i, more);
    KueueAsked asked(manifests);
    const Snapshot cluster(asked.objects);
    return kueue_gate_words(cluster.pod(cluster.find_pod("ns", "g-0")), cluster);
  };
  CHECK(words(2, "") == "; Kueue creates no Workload before all 3 pods of group grp exist, and there are 2");
  const std::string waits = "; Kueue removes its gate when it admits the pod's Workload";
  CHECK(words(3, "") == waits);
  CHECK(words(2, ", kueue.x-k8s.io/pod-group-fast-admission: \"true\"") == waits);
}

TEST_CASE("kueue sentence: of an admitted workload, what preempts it next", "[kueue]") {
  // r borrows 1 cpu of q, which q takes back for `want` in the next cycle; `own` stays.
  const auto asked_with = [](const std::string& more) {
    return KueueAsked(
        flavor() + test::kNoCohorts + queue({.cohort = "team", .preemption = "reclaimWithinCohort: Any"}) +
        queue({.name = "r", .cohort = "team"}) + workload({.name = "own", .queue = "r", .cpu = "4", .holds = true}) +
        workload({.name = "more", .queue = "r", .holds = true, .minute = 1}) + more);
  };
  KueueAsked asked = asked_with(workload({.name = "want", .cpu = "4", .minute = 2}));
  const Answer more = asked.explain("more");
  CHECK(more.outcome == Outcome::scheduled);
  CHECK(more.evicted_for == "workload/ns/want");
  CHECK(more.sentence ==
        "is already admitted by ClusterQueue r on flavor f; workload ns/want would preempt it in the next cycle");
  CHECK(asked.explain("own").sentence == "is already admitted by ClusterQueue r on flavor f");
  KueueAsked idle = asked_with("");
  CHECK(idle.explain("more").evicted_for.empty());
}

TEST_CASE("kueue candidates: fair sharing spares those of a cohort that borrows nothing", "[kueue][fair]") {
  // `be` uses its own 1 cpu, which its ClusterQueue b, with a quota of 0, borrows from it. For the root, `be` borrows
  // nothing, so that the search never comes to `run`, although nothing else would free a cpu.
  const std::string cohort = test::kueue_object(
      "Cohort", "be",
      "parentName: root, fairSharing: {weight: 0}, resourceGroups: [{coveredResources: [cpu], flavors: [{name: f, "
      "resources: [{name: cpu, nominalQuota: 1}]}]}]");
  KueueAsked asked(flavor() + cohort + test::kueue_object("Cohort", "root", "") +
                   queue({.name = "b", .cpu = "0", .cohort = "be"}) +
                   queue({.name = "h", .cpu = "0", .cohort = "root", .preemption = "reclaimWithinCohort: Any"}) +
                   workload({.name = "run", .queue = "b", .holds = true}) + workload({.name = "want", .queue = "h"}));
  asked.config(test::kFairSharing + "\n");
  const Answer answer = asked.explain("want");
  CHECK(answer.outcome == Outcome::pending);
  std::vector<std::string> row;
  for (const Block& block : answer.details) {
    const Table* const table = std::get_if<Table>(&block);
    if (table == nullptr || table->columns.front().head != "CANDIDATE") continue;
    for (const Span& cell : table->rows.front()) row.push_back(cell.text);
  }
  CHECK(row == std::vector<std::string>{"ns/run", "b", "0", "passed over",
                                        "its ClusterQueue, or a cohort above it, uses only its own quota"});
}

TEST_CASE("kueue fair sharing: a queue preempts its own workloads also if it borrows nothing", "[kueue][fair]") {
  // a uses 2 of its 4 cpus, and b, which may not be reclaimed from, uses 6 of its own 4 and the rest of a's. Source:
  // pkg/scheduler/preemption/fairsharing/ordering.go, which prunes queues that borrow nothing, but not the own one.
  const auto holds = [](const std::string& name, const std::string& of, const std::string& cpu) {
    return workload({.name = name, .queue = of, .cpu = cpu, .holds = true});
  };
  const auto objects = [&](const std::string& within) {
    return test::kNoCohorts + flavor() + queue({.name = "a", .cpu = "4", .cohort = "x", .preemption = within}) +
           queue({.name = "b", .cpu = "4", .cohort = "x"}) + holds("low", "a", "2") + holds("other", "b", "6") +
           workload({.name = "high", .queue = "a", .cpu = "2", .priority = 10, .minute = 30});
  };
  KueueAsked asked(objects("withinClusterQueue: LowerPriority"));
  asked.config(test::kFairSharing + "\n");
  const Answer answer = asked.explain("high");
  CHECK(answer.outcome == Outcome::preempts);
  // Each candidate is listed once.
  std::vector<std::string> candidates;
  for (const Block& block : answer.details) {
    const Table* const table = std::get_if<Table>(&block);
    if (table == nullptr || table->columns.front().head != "CANDIDATE") continue;
    for (const auto& row : table->rows) candidates.push_back(row.front().text);
  }
  CHECK(candidates == std::vector<std::string>{"ns/low"});
  KueueAsked never(objects(""));
  never.config(test::kFairSharing + "\n");
  CHECK(never.explain("high").outcome == Outcome::pending);
}

}  // namespace previct
