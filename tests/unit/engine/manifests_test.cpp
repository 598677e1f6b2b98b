// What admission would add to a manifest among the inputs; --with applies it.
#include "tell/gap_words.h"
#include "unit/engine/kube/ask.h"

#include <catch2/catch.hpp>

using namespace previct;
using namespace previct::test;

namespace {

// Returns why the outcome of ns/new is not known; empty if it is known.
auto doubt_about(const std::string& metadata, const std::string& spec, const std::string& more) -> std::string {
  const auto cluster = a_cluster(
      {a_node("a", "4"), more,
       "apiVersion: v1\nkind: Pod\nmetadata: {namespace: ns, name: new" + metadata + "}\nspec: {" + spec + "}\n"});
  const Verdict verdict = verdict_on(*cluster, a_question());
  for (const Gap& gap : verdict.gaps) {
    if (gap.rule == GapRule::admission_left_out && gap.decides) return because_words(gap);
  }
  return {};
}

const std::string kRequesting = "containers: [{name: c, resources: {requests: {cpu: 1}}}]";

}  // namespace

// Source: kubernetes: plugin/pkg/admission/limitranger; pkg/apis/core/v1/defaults.go SetDefaults_LimitRangeItem.
TEST_CASE("manifests: LimitRanges of their namespace are not applied to them", "[engine]") {
  const auto range = [](const std::string& ns, const std::string& item) {
    return "apiVersion: v1\nkind: LimitRange\nmetadata: {namespace: " + ns + ", name: l}\nspec: {limits: [{" + item +
           "}]}\n";
  };
  const std::string left = "LimitRange ns/l adds requests to the pod, which only --with applies";
  CHECK(doubt_about("", "containers: [{name: c}]", range("ns", "type: Container, defaultRequest: {cpu: 3}")) == left);
  CHECK(doubt_about("", "containers: [{name: c}]", range("ns", "type: Container, default: {cpu: 3}")) == left);
  CHECK(doubt_about("", kRequesting, range("ns", "type: Container, defaultRequest: {cpu: 3}")).empty());
  CHECK(doubt_about("", "schedulingGates: [{name: g}], containers: [{name: c}]",
                    range("ns", "type: Container, defaultRequest: {cpu: 3}"))
            .empty());
  CHECK(doubt_about("", "containers: [{name: c}]", range("other", "type: Container, default: {cpu: 3}")).empty());
  CHECK(doubt_about("", "containers: [{name: c}]", range("ns", "type: Pod, max: {cpu: 3}")).empty());
  CHECK(doubt_about(", uid: u", "containers: [{name: c}]", range("ns", "type: Container, default: {cpu: 3}")).empty());
}

// Source: kubernetes: plugin/pkg/admission/runtimeclass.
TEST_CASE("manifests: the overhead and the node labels of their RuntimeClass are not applied to them", "[engine]") {
  const std::string kata =
      "apiVersion: node.k8s.io/v1\nkind: RuntimeClass\nmetadata: {name: kata}\nhandler: kata\noverhead: {podFixed: "
      "{cpu: 2500m}}\nscheduling: {nodeSelector: {kata: \"true\"}}\n";
  CHECK(doubt_about("", "runtimeClassName: kata, " + kRequesting, kata) ==
        "RuntimeClass kata adds to the pod, which only --with applies");
  CHECK(doubt_about("", "runtimeClassName: other, " + kRequesting, kata).empty());
  CHECK(doubt_about("", kRequesting, kata).empty());
  CHECK(doubt_about(
            "", "runtimeClassName: kata, overhead: {cpu: 2500m}, nodeSelector: {kata: \"true\"}, " + kRequesting, kata)
            .empty());
}

// Source: kubernetes: plugin/pkg/admission/storage/storageclass/setdefault.
TEST_CASE("manifests: their claims get no default StorageClass", "[engine]") {
  const std::string usual =
      "apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: {name: std, annotations: "
      "{storageclass.kubernetes.io/is-default-class: \"true\"}}\nprovisioner: x\nvolumeBindingMode: "
      "WaitForFirstConsumer\n---\napiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {namespace: ns, name: c1";
  const std::string uses = "volumes: [{name: v, persistentVolumeClaim: {claimName: c1}}], " + kRequesting;
  CHECK(doubt_about("", uses, usual + "}\nspec: {accessModes: [ReadWriteOnce]}\n") ==
        "the claim c1 gets the default StorageClass std, which only --with applies");
  CHECK(doubt_about("", uses, usual + ", uid: u}\nspec: {accessModes: [ReadWriteOnce]}\n").empty());
  CHECK(doubt_about("", uses, usual + "}\nspec: {storageClassName: std}\n").empty());
}
