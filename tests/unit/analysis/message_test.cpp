#include "analysis/message.h"

#include "analysis/message_report.h"
#include "support/source.h"
#include "tell/tell.h"

#include <catch2/catch.hpp>

#include <set>

using namespace previct;

namespace {

// Returns `2 kube.filter.resources cpu` for each piece with a meaning; `?` for one that is not recognized.
auto pieces_of(const ParsedMessage& message) -> std::vector<std::string> {
  std::vector<std::string> pieces;
  for (const MessagePiece& piece : message.pieces) {
    if (piece.known != nullptr && piece.known->meaning.empty()) continue;
    std::string text = piece.of_preemption ? "preemption " : "";
    if (piece.count) text += std::to_string(*piece.count) + " ";
    text += piece.known == nullptr ? "? " + piece.text : std::string(piece.known->id);
    if (piece.known != nullptr && !piece.operands['a'].empty()) text += " " + std::string(piece.operands['a']);
    pieces.push_back(std::move(text));
  }
  return pieces;
}

using Pieces = std::vector<std::string>;

}  // namespace

// Source of the messages: kubernetes/kubernetes test/e2e/dra and pkg/scheduler/framework/plugins/defaultpreemption
// tests.
TEST_CASE("message: kube-scheduler's messages are split into pieces", "[message]") {
  const ParsedMessage message = parse_message(
      "0/5 nodes are available: 2 Insufficient cpu, 3 node(s) had untolerated taint {gpu: yes}. preemption: 0/5 nodes "
      "are "
      "available: 2 No preemption victims found for incoming pod, 3 Preemption is not helpful for scheduling.");
  CHECK(message.complete());
  CHECK(message.nodes == 5);
  CHECK(message.writer->writer == "kube-scheduler");
  CHECK(message.plugin == "DefaultPreemption");
  // `preemption:` exists since 1.24; the taint has its key until 1.33.
  CHECK(releases_of(message) == "1.24 to 1.33");
  CHECK(pieces_of(message) == Pieces{"2 kube.filter.resources cpu", "3 kube.filter.taint {gpu: yes}",
                                     "preemption 2 kube.preempt.no-victims", "preemption 3 kube.preempt.not-helpful"});
  CHECK(sentence_of(message) ==
        "3 of 5 nodes have a taint that the pod does not tolerate {gpu: yes}, 2 lack cpu; there is no pod of lower "
        "priority on 2 nodes; preemption would not help on 3 nodes (kube-scheduler 1.24 to 1.33, DefaultPreemption)");
}

TEST_CASE("message: all forms of the preemption part are read", "[message]") {
  CHECK(pieces_of(parse_message("0/1 nodes are available: 1 Insufficient cpu. preemption: not eligible due to "
                                "preemptionPolicy=Never.")) ==
        Pieces{"1 kube.filter.resources cpu", "preemption kube.eligible.never"});
  CHECK(pieces_of(
            parse_message("0/1 nodes are available: 1 Insufficient cpu. preemption: not eligible due to a terminating "
                          "pod on the nominated node.")) ==
        Pieces{"1 kube.filter.resources cpu", "preemption kube.eligible.terminating"});
  const ParsedMessage claims = parse_message(
      "0/8 nodes are available: 8 Insufficient my-example.com/my-extended-resource. no new claims to deallocate, "
      "preemption: 0/8 nodes are available: 8 Preemption is not helpful for scheduling.");
  CHECK(claims.complete());
  CHECK(releases_of(claims) == "1.34 to 1.36");
  const ParsedMessage pools = parse_message(
      "0/8 nodes are available: 1 invalid resource pools were encountered, 7 cannot allocate all claims. still not "
      "schedulable, preemption: 0/8 nodes are available: 8 Preemption is not helpful for scheduling.");
  CHECK(pools.complete());
  CHECK(pieces_of(pools).front() == "1 kube.filter.device-pools");
  // PreemptionToleration omits the prefix.
  const ParsedMessage other = parse_message(
      "0/2 nodes are available: 2 Insufficient cpu. 0/2 nodes are available: 1 Insufficient cpu, 1 No victims found on "
      "node node1 for preemptor pod p.");
  CHECK(pieces_of(other) == Pieces{"2 kube.filter.resources cpu", "preemption 1 kube.filter.resources cpu",
                                   "preemption 1 kube.preempt.no-victims-tolerating node1"});
  CHECK(other.plugin.starts_with("PreemptionToleration"));
  CHECK(
      sentence_of(other).starts_with("both nodes lack cpu; even without the pods of lower priority, 1 of 2 nodes "
                                     "lacks cpu; there is no pod to evict on 1 node ("));
  const ParsedMessage placed = parse_message(
      "0/3 nodes are available: 3 Insufficient cpu. preemption: found a potential placement for pod on node node-2, "
      "preempting 2 victims");
  CHECK(placed.complete());
  CHECK(releases_of(placed) == "1.37 or newer");
}

TEST_CASE("message: wording of older releases shows the release", "[message]") {
  const ParsedMessage taint = parse_message(
      "0/7 nodes are available: 3 node(s) had taint {node-role.kubernetes.io/master: }, that the pod didn't tolerate, "
      "4 "
      "Insufficient memory.");
  CHECK(pieces_of(taint) ==
        Pieces{"3 kube.filter.taint {node-role.kubernetes.io/master: }", "4 kube.filter.resources memory"});
  CHECK(releases_of(taint) == "1.23 or older");
  const ParsedMessage affinity = parse_message(
      "0/1 nodes are available: 1 node(s) didn\u2019t match pod affinity/anti-affinity, 1 node(s) didn\u2019t satisfy "
      "existing pods anti-affinity rules.");
  CHECK(affinity.complete());
  CHECK(releases_of(affinity) == "1.21 or older");
  CHECK(parse_message("0/2 nodes are available: 2 node(s) didn't match Pod's node affinity.").complete());
  CHECK(parse_message("0/3 nodes are available: 1 Too many pods, 2 node is filtered out by the prefilter result.")
            .complete());
}

TEST_CASE("message: messages without counts are read", "[message]") {
  const auto only = [](std::string_view message) { return pieces_of(parse_message(message)); };
  CHECK(only("no nodes available to schedule pods") == Pieces{"kube.no-nodes"});
  CHECK(only("persistentvolumeclaim \"jenkins-pvc\" not found") == Pieces{"kube.prefilter.claim-missing jenkins-pvc"});
  CHECK(only("0/3 nodes are available: pod has unbound immediate PersistentVolumeClaims. not found") ==
        Pieces{"kube.prefilter.claim-unbound"});
  CHECK(only("skip schedule deleting pod: ml/train-0") == Pieces{"kube.skipped.deleting ml/train-0"});
  CHECK(only("waiting for scheduling gates: [example.com/a example.com/b]") ==
        Pieces{"kube.gated example.com/a example.com/b"});
  CHECK(only("running \"VolumeBinding\" filter plugin for pod \"web-0\": pod has unbound immediate "
             "PersistentVolumeClaims") == Pieces{"kube.error.filter VolumeBinding", "kube.prefilter.claim-unbound"});
  CHECK(only("running PreBind plugin \"VolumeBinding\": binding volumes: timed out waiting for the condition") ==
        Pieces{"kube.error.prebind VolumeBinding", "kube.error.binding-volumes", "kube.error.timeout"});
}

TEST_CASE("message: unrecognised pieces are reported, with their count", "[message]") {
  const ParsedMessage message = parse_message(
      "0/3 nodes are available: 1 Insufficient cpu, 2 node(s) had no cat. preemption: 0/3 nodes are available: 3 "
      "Preemption is not helpful for scheduling.");
  CHECK_FALSE(message.complete());
  CHECK(pieces_of(message) ==
        Pieces{"1 kube.filter.resources cpu", "2 ? node(s) had no cat", "preemption 3 kube.preempt.not-helpful"});
  CHECK(sentence_of(message).find("1 part is not recognized") != std::string::npos);
  const ParsedMessage nothing = parse_message("the cat sat on the mat");
  CHECK(nothing.writer == nullptr);
  CHECK(sentence_of(nothing).starts_with("not recognized as a message of "));
  // Volcano quotes the reasons of kube-scheduler's plugins in its own sentence.
  const auto volcano = messages_of_text(
      "0/2 nodes are unavailable: 1 plugin NodeUnschedulable predicates failed node(s) were unschedulable.");
  REQUIRE(volcano.messages.size() == 1);
  CHECK_FALSE(volcano.messages.front().complete());
}

// Source: kai-scheduler/KAI-Scheduler pkg/scheduler/api/unschedule_info_test.go, actions tests.
TEST_CASE("message: a quotation at the end of an unrecognised piece is kept whole", "[message]") {
  const ParsedMessage message = parse_message(
      "error while running \"VolumeBinding\" filter plugin for pod \"x\": could not find v1.PersistentVolume "
      "\"pvc-1\"");
  CHECK(pieces_of(message) ==
        Pieces{"kube.error.filter VolumeBinding", "? could not find v1.PersistentVolume \"pvc-1\""});
}

// Source: kubernetes/autoscaler cluster-autoscaler/processors/status: the numbers are of node groups.
TEST_CASE("message: Cluster Autoscaler counts groups of nodes", "[message]") {
  CHECK(sentence_of(parse_message("pod didn't trigger scale-up: 1 max node group size reached")) ==
        "1 group of nodes is at its largest size; no group of nodes is scaled up for the pod (Cluster Autoscaler)");
  CHECK(sentence_of(parse_message(
            "pod didn't trigger scale-up: 3 Insufficient nvidia.com/gpu, 1 in backoff after failed scale-up")) ==
        "3 groups of nodes lack nvidia.com/gpu, 1 is not scaled up again yet after a failure; no group of nodes is "
        "scaled up for the pod (Cluster Autoscaler)");
}

TEST_CASE("message: one pod is not called pods", "[message]") {
  CHECK(sentence_of(parse_message("pre-filter pod x cannot find enough sibling pods, current pods number: 1, minMember "
                                  "of group: 2")) == "the group has 1 pod, and needs 2 (kube-scheduler)");
}

// Source: kubernetes v1.35 pkg/kubelet/preemption/preemption.go, pkg/kubelet/eviction/helpers.go;
// kubernetes-sigs/karpenter v1.2.0 pkg/controllers/node/termination/terminator/events/events.go EvictPod;
// kubernetes/autoscaler cluster-autoscaler/core/scaledown/actuation/drain.go.
TEST_CASE("message: events of components that evict pods are read", "[message]") {
  const auto of = [](std::string_view text) {
    const ParsedMessage message = parse_message(text);
    CHECK(message.complete());
    return sentence_of(message);
  };
  CHECK(of("Preempted in order to admit critical pod") == "the kubelet evicted the pod for a critical one (kubelet)");
  CHECK(of("The node was low on resource: memory. Threshold quantity: 100Mi, available: 60Mi. Container c was using "
           "1Gi, request is 0, has larger consumption of memory. ") ==
        "the kubelet evicted the pod: its node was low on memory (kubelet)");
  CHECK(of("Evicted pod: Underutilized") == "the pod was evicted: its node is removed (Underutilized) (Karpenter)");
  CHECK(of("deleting pod for node scale down") == "the pod was evicted: its node is removed (Cluster Autoscaler)");
  const MessagesOfText events = messages_of_text(
      "2m   Warning   Preempting   pod/web-1   Preempted in order to admit critical pod\n"
      "2m   Warning   Evicted      pod/web-2   The node was low on resource: memory.\n"
      "3m   Normal    Killing      pod/op-1    Stopping container c\n"
      "90s  Normal    Evicted      pod/kp      Evicted pod: Underutilized\n");
  REQUIRE(events.messages.size() == 3);
  CHECK(events.passed_over == 1);
  CHECK(events.messages[1].about == "pod/web-2");
}

TEST_CASE("message: KAI Scheduler's messages are read", "[message][kai]") {
  const ParsedMessage nodes = parse_message(
      "no nodes with enough resources were found: 2 node(s) had untolerated taint(s). \n5 node(s) didn't have enough "
      "resources: GPUs.");
  CHECK(nodes.writer->writer == "KAI Scheduler");
  CHECK(pieces_of(nodes) == Pieces{"kai.message.no-nodes", "2 kube.filter.taint", "5 kai.filter.resources GPUs"});
  CHECK(sentence_of(nodes).starts_with(
      "5 nodes lack GPUs, 2 have a taint that the pod does not tolerate; no node takes the pod ("));
  const ParsedMessage limit = parse_message(
      "gpu-queue quota has reached the allowable limit of GPUs. Limit is 8 GPUs, currently 6 GPUs allocated and "
      "workload "
      "requested 4 GPUs");
  CHECK(limit.complete());
  CHECK(sentence_of(limit).starts_with(
      "queue gpu-queue would exceed its limit of 8 GPUs (6 allocated, 4 GPUs requested)"));
  const ParsedMessage quota = parse_message(
      "NonPreemptibleOverQuota: Non-preemptible workload is over quota. Workload requested 0.59 GPUs, but queue0 quota "
      "is "
      "0.5 GPUs, while 0 GPUs are already allocated for non-preemptible pods. Use a preemptible workload to go over "
      "quota..");
  CHECK(quota.complete());
  CHECK(pieces_of(quota) == Pieces{"kai.action.over-quota 0.59"});
  // Source: pkg/scheduler/actions/utils/input_jobs.go recordPreemptionDelayFitError, v0.17.0.
  const ParsedMessage delay = parse_message(
      "Workload is within its preemption delay window (5m0s) and may not trigger evictions before "
      "2026-07-12T10:33:43Z.");
  CHECK(delay.complete());
  CHECK(sentence_of(delay).starts_with(
      "the group evicts no pods before 2026-07-12T10:33:43Z: its preemptionDelay is 5m0s"));
  CHECK(releases_of(
            parse_message("Workload doesn't meet the minimum required number of pods (3), evicting remaining pod: "
                          "ml/a-0")) == "0.8 or newer");
}

// Source: apache/yunikorn-core pkg/scheduler/objects/events/ask_events_test.go.
TEST_CASE("message: YuniKorn's messages are read", "[message][yunikorn]") {
  const ParsedMessage headroom = parse_message(
      "Request 'alloc-0' does not fit in queue 'root.test' (requested map[cpu:100 memory:100], available "
      "map[first:1])");
  CHECK(headroom.complete());
  CHECK(sentence_of(headroom) ==
        "queue root.test has no headroom: map[cpu:100 memory:100] requested, map[first:1] available (YuniKorn 1.5 or "
        "newer)");
  const ParsedMessage failed = parse_message("Unschedulable request 'alloc-0': Insufficient cpu (12x); error#0 (2x); ");
  CHECK(pieces_of(failed) ==
        Pieces{"yunikorn.request.unschedulable alloc-0", "12 kube.filter.resources cpu", "? error#0 (2x)"});
  CHECK(parse_message("Unschedulable request 'alloc-0' with required node 'node-1', no preemption victim found")
            .complete());
  // yunikorn-core v1.5.2 pkg/scheduler/partition.go addApplication
  const ParsedMessage rejected = parse_message("ApplicationRejected: application rejected by placement rules: spark-1");
  CHECK(rejected.complete());
  CHECK(sentence_of(rejected).find("no placement rule gave application spark-1 a queue") != std::string::npos);
}

// Source: kubernetes-sigs/kueue test/integration and site documentation.
TEST_CASE("message: Kueue's messages are read", "[message][kueue]") {
  const ParsedMessage quota = parse_message(
      "couldn't assign flavors to pod set main: insufficient unused quota for cpu in flavor default-flavor, 3 more "
      "needed. "
      "Pending the preemption of 1 workload(s)");
  CHECK(quota.complete());
  CHECK(pieces_of(quota) == Pieces{"kueue.flavor.short cpu", "preemption kueue.message.pending 1"});
  const ParsedMessage flavors = parse_message(
      "couldn't assign flavors to pod set main: Flavor \"rtx4000\" supports only TopologyAwareScheduling, insufficient "
      "quota "
      "for nvidia.com/gpu in flavor cpu-any, previously considered podsets requests (0) + current podset request (1) > "
      "maximum capacity (0)");
  CHECK(flavors.complete());
  CHECK(parse_message(
            "Preempted to accommodate a workload (UID: 2dae, JobUID: 5e63) due to reclamation within the cohort; "
            "preemptor path: /c/high; preemptee path: /c/low")
            .complete());
}

TEST_CASE("message: messages are found in tables of events, YAML, JSON and logs", "[message]") {
  const std::string folder = PREVICT_SOURCE_DIR "/fixtures/";
  const MessagesOfText events = messages_of_text(test::read_all(folder + "manual/events.txt"));
  REQUIRE(events.messages.size() == 3);
  CHECK(events.lines == 5);
  CHECK(events.passed_over == 2);
  CHECK(events.messages[1].about == "pod/train-big-0");
  CHECK(events.messages[1].complete());
  REQUIRE(events.messages[1].reason != nullptr);
  CHECK(events.messages[1].reason->word == "FailedScheduling");
  CHECK(releases_of(events.messages[1]) == "1.34 to 1.36");

  const MessagesOfText folded = messages_of_text(test::read_all(folder + "messages/pod.yaml"));
  REQUIRE(folded.messages.size() == 1);
  CHECK(folded.messages[0].complete());
  CHECK(folded.messages[0].nodes == 4);
  REQUIRE(folded.messages[0].reason != nullptr);
  CHECK(folded.messages[0].reason->word == "Unschedulable");
  CHECK(pieces_of(folded.messages[0]).size() == 5);

  const MessagesOfText json = messages_of_text(
      R"({"message": "running \"VolumeBinding\" filter plugin: persistentvolumeclaim \"a\" not found", "reason": "x"})");
  REQUIRE(json.messages.size() == 1);
  CHECK(json.messages[0].complete());
  const MessagesOfText log = messages_of_text(
      R"(I0302 10:00:00.000000 1 schedule_one.go:1055] "Unable to schedule pod; no fit; waiting" pod="ml/a" err="0/1 nodes are available: 1 Too many pods. preemption: 0/1 nodes are available: 1 No preemption victims found for incoming pod.")");
  REQUIRE(log.messages.size() == 1);
  CHECK(log.messages[0].complete());
  CHECK(log.messages[0].about == "ml/a");
}

TEST_CASE("message: a text of any size and content takes bounded work", "[message]") {
  std::string text;
  for (int i = 0; i < 3000; ++i)
    text += "0/3 nodes are available: " + std::to_string(i) + " Insufficient r" + std::to_string(i) + ".\n";
  const MessagesOfText many = messages_of_text(text);
  CHECK(many.messages.size() == kMostMessages);
  CHECK(many.left_out == 3000 - kMostMessages);
  CHECK(messages_of_text(std::string(200'000, '{')).messages.size() <= 1);
  CHECK(messages_of_text(std::string(1000, '\n')).lines == 0);
  std::string odd = "0/3 nodes are available: ";
  for (int i = 0; i < 4000; ++i) odd += "1 node(s) had untolerated taint {a{";
  CHECK_FALSE(parse_message(odd).complete());
}

TEST_CASE("message: the report explains every known piece", "[message]") {
  const std::set<MessagePart> silent = {MessagePart::context, MessagePart::counts, MessagePart::preempting};
  for (const Teller* teller : tellers()) {
    for (const Messages& writer : teller->messages()) {
      for (const KnownMessage& known : writer.known) {
        INFO(known.pattern);
        CHECK_FALSE(known.pattern.empty());
        if (silent.contains(known.part) || known.pattern.size() < 10) continue;
        CHECK_FALSE(known.meaning.empty());
        // With its operands filled in, the pattern is recognised as itself.
        const ParsedMessage apart = parse_message(known.pattern);
        CHECK_FALSE(apart.pieces.empty());
      }
    }
  }
}
