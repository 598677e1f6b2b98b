#include "capture/capture.h"

#include "api/field_writer.h"
#include "api/load.h"
#include "base/files_read.h"
#include "cli/file.h"
#include "engine/required_kind.h"
#include "input/compress.h"
#include "input/decompress.h"
#include "live/resources.h"
#include "support/input.h"
#include "support/objects_text.h"
#include "support/scratch.h"

#include <catch2/catch.hpp>

#include <algorithm>

#include <sys/stat.h>
#include <unistd.h>

using namespace previct;
using previct::test::Scratch;

namespace {

auto written(const Objects& objects, const Configurations& configurations = {}) -> std::string {
  const Capture manifest = capture::manifest_of(objects, nullptr, {});
  return capture::text_of(objects, configurations, manifest, capture::AsRead(objects.symbols)).value();
}

auto lines_of(const std::string& text) -> std::vector<std::string> {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

auto error_of(const Result<Configurations>& result) -> std::string {
  return result ? "" : result.error().message;
}

}  // namespace

TEST_CASE("capture: every stored kind can be captured", "[capture]") {
  Objects().each_store([](std::string_view kind, const auto&) {
    INFO(kind);
    CHECK(std::any_of(live::resources().begin(), live::resources().end(),
                      [&](const live::Resource& resource) { return resource.kind->store_name == kind; }));
  });
}

TEST_CASE("capture: quantities are written exactly", "[capture]") {
  for (const char* text : {"0", "1", "100m", "1500m", "2Gi", "1.5Ki", "1n", "999u", "1e9", "0.000000001",
                           "12345678901n", "9223372036854775807", "-3", "-1m", "1Ei"}) {
    INFO(text);
    const auto quantity = Quantity::parse(text);
    REQUIRE(quantity);
    CHECK(Quantity::parse(exact_quantity(*quantity)) == quantity);
  }
}

TEST_CASE("capture: a kind of which the input has only manifests stays incomplete", "[capture]") {
  // The node is from an API server, which would have given the class a uid. In a list, the class would be proven.
  const std::string node = "apiVersion: v1\nkind: Node\nmetadata: {name: n1, uid: u}\n---\n";
  const std::string kind = "apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass";
  const auto may_hold_more_again = [](const std::string& text) {
    const Scratch scratch;
    Objects objects;
    REQUIRE(load({scratch.file("in.yaml", text)}, {}, objects));
    Objects again;
    REQUIRE(load({scratch.file("capture.jsonl", written(objects))}, {}, again));
    CHECK(may_hold_more(again, kinds::priority_classes) == may_hold_more(objects, kinds::priority_classes));
    return may_hold_more(again, kinds::priority_classes);
  };
  CHECK(may_hold_more_again(node + kind + "\nmetadata: {name: c}\nvalue: 1\n"));
  CHECK_FALSE(may_hold_more_again(node + kind + "\nmetadata: {name: c, uid: c}\nvalue: 1\n"));
  CHECK_FALSE(may_hold_more_again(node + kind + "List\nitems: [{metadata: {name: c}, value: 1}]\n"));
}

TEST_CASE("capture: holds the fields that are read, one object per line", "[capture]") {
  Objects objects;
  REQUIRE(test::read_text(R"(apiVersion: v1
kind: Pod
metadata:
  name: "a\u0001\"\\b"
  namespace: ml
  uid: 1-2
  creationTimestamp: "2026-01-02T03:04:05.678Z"
  annotations: {kubectl.kubernetes.io/last-applied-configuration: "{}", yunikorn.apache.org/queue: root.q}
  managedFields: [{manager: kubectl}]
spec:
  containers:
  - name: c
    image: registry/secret-image
    command: [sh, -c, secret-command]
    env: [{name: KEY, value: secret-value}]
    resources: {requests: {cpu: 1500m, memory: 0.5}}
  priority: 0
  tolerations: [{operator: Exists}]
status:
  phase: Pending
)",
                          objects));
  // Derived by hand from the field tables, which do not contain command, env, managedFields and the foreign annotation;
  // a present priority differs from an absent one.
  CHECK(
      lines_of(written(objects)) ==
      std::vector<std::string>{
          R"({"apiVersion":"previct/v1alpha1","kind":"Capture","tool":"previct )" PREVICT_VERSION
          R"(","of":"files","taken":"2026-01-02T03:04:05.678Z","kinds":[{"kind":"Pod","count":1}]})",
          R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"a\u0001\"\\b","namespace":"ml","uid":"1-2",)"
          R"("annotations":{"yunikorn.apache.org/queue":"root.q"},"creationTimestamp":"2026-01-02T03:04:05.678Z"},)"
          R"("spec":{"containers":[{"name":"c","resources":{"requests":{"cpu":"1500m","memory":"500m"}},"image":"registry/secret-image"}],"priority":0,)"
          R"("tolerations":[{"operator":"Exists"}]},"status":{"phase":"Pending"}})"});
}

TEST_CASE("capture: absent, empty and unusual values keep their meaning", "[capture]") {
  // One object for each special way of writing: selectors that match everything and nothing, empty values, disks,
  // marks, maps of keys, durations, numbers of shares, a text in another format.
  const std::string text = R"(
{"apiVersion":"policy/v1","kind":"PodDisruptionBudget","metadata":{"name":"all","namespace":"x"},"spec":{"selector":{}},"status":{"disruptionsAllowed":2,"disruptedPods":{"p":"2026-01-01T00:00:00Z"}}}
{"apiVersion":"policy/v1","kind":"PodDisruptionBudget","metadata":{"name":"none"},"spec":{}}
{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p","labels":{"empty":""},"resourceVersion":"7"},"spec":{"volumes":[{"name":"r","rbd":{"image":"i","pool":"q","monitors":["m1","m2"],"readOnly":true}},{"name":"e","ephemeral":{"volumeClaimTemplate":{}}},{"name":"f","azureFile":{"shareName":"s"}}],"affinity":{"podAntiAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":[{"topologyKey":"z","labelSelector":{},"namespaceSelector":{"matchExpressions":[{"key":"k","operator":"In","values":["","a"]}]}}]}},"resourceClaims":[{"name":"gpu"}],"topologySpreadConstraints":[{"maxSkew":1,"topologyKey":"z","whenUnsatisfiable":"DoNotSchedule","minDomains":2}]},"status":{"containerStatuses":[{"name":"c","allocatedResources":{"cpu":"1n"}}]}}
{"apiVersion":"scheduling.run.ai/v2","kind":"Queue","metadata":{"name":"q"},"spec":{"resources":{"gpu":{"quota":-1,"limit":0.25,"overQuotaWeight":1e+30}},"reclaimMinRuntime":"1h0m0.5s"}}
{"apiVersion":"kai.scheduler/v1","kind":"SchedulingShard","metadata":{"name":"s"},"spec":{"plugins":{"a":{"enabled":false,"arguments":{}}},"minRuntime":{"preemptMinRuntime":""},"queueDepthPerAction":{"x":3},"newField":["secret"]}}
{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"yunikorn-configs"},"data":{"queues.yaml":"partitions:\n- name: default\n","other":"secret"}}
{"apiVersion":"storage.k8s.io/v1","kind":"CSINode","metadata":{"name":"n"},"spec":{"drivers":[{"name":"d","allocatable":{"count":0}},{"name":"e","allocatable":{}}]}}
{"config":{"actions":"allocate","tiers":[{"plugins":[{"name":"p","arguments":{"a":"b"}}]}]},"schedulerParams":{"fullHierarchyFairness":true},"rawObjects":{}}
)";
  Objects objects;
  REQUIRE(test::read_text(text, objects));
  const std::string captured = written(objects);
  CHECK(captured.find("secret") == std::string::npos);
  CHECK(captured.find("newField") != std::string::npos);  // an unknown setting indicates its release
  Objects again;
  REQUIRE(test::read_text(captured, again));
  CHECK(test::objects_text_without_places(again) == test::objects_text_without_places(objects));
  CHECK(written(again) == captured);
}

TEST_CASE("capture: of an empty input, it states of which kinds there are no objects", "[capture]") {
  Objects objects;
  REQUIRE(test::read_text(R"({"apiVersion":"policy/v1","kind":"PodDisruptionBudgetList","metadata":{},"items":[]})",
                          objects));
  Objects again;
  REQUIRE(test::read_text(written(objects), again));
  CHECK(again.listed.contains("policy/PodDisruptionBudget"));
  CHECK_FALSE(again.listed.contains("Pod"));
}

TEST_CASE("capture: refused kinds are recorded, even by a capture of a capture", "[capture]") {
  live::Reading reading;
  for (const live::Resource& resource : live::resources()) {
    if (resource.kind == &kinds::priority_classes) reading.refused.push_back({&resource, true, "jane may not"});
    if (resource.kind == &kinds::pods) reading.lists.emplace_back(&resource, "12");
    if (resource.kind == &kinds::nodes) reading.lists.emplace_back(&resource, "13");
    if (resource.kind == &kinds::kai_queues) reading.refused.push_back({&resource, false, "no such kind"});
  }
  Objects objects;
  REQUIRE(test::read_text(R"({"kind":"PodList","apiVersion":"v1","metadata":{},"items":[]})", objects));
  REQUIRE(test::read_text(R"({"kind":"NodeList","apiVersion":"v1","metadata":{},"items":[]})", objects));
  const Capture manifest = capture::manifest_of(objects, &reading, parse_instant("2026-01-02T00:00:00Z").value());
  CHECK(manifest.of == "cluster");
  Objects once;
  REQUIRE(test::read_text(capture::text_of(objects, {}, manifest, capture::AsRead(objects.symbols)).value(), once));
  Objects twice;
  REQUIRE(test::read_text(written(once), twice));
  for (const Objects* each : {&once, &twice}) {
    CHECK(each->newest == parse_instant("2026-01-02T00:00:00Z"));
    REQUIRE(each->captures.size() == 1);
    const live::Reading told = capture::reading_of(each->captures.front(), live::needed_for(*each, "kube", {}));
    REQUIRE(told.refused.size() == 1);  // a kind that the cluster does not have is not missing
    CHECK(told.refused[0].resource->kind == &kinds::priority_classes);
    CHECK(told.refused[0].words == "jane may not");
    CHECK(told.lists == reading.lists);
  }
}

TEST_CASE("capture: of one namespace's pods, it records that there may be others", "[capture]") {
  live::Reading reading;
  reading.ns = "ml";
  for (const live::Resource& resource : live::resources()) {
    if (resource.kind != &kinds::pods) continue;
    reading.lists.emplace_back(&resource, "12");
    reading.of_one_namespace.insert(&resource);
  }
  Objects objects;
  REQUIRE(test::read_text(R"({"kind":"PodList","apiVersion":"v1","metadata":{},"items":[]})", objects));
  const Capture manifest = capture::manifest_of(objects, &reading, parse_instant("2026-01-02T00:00:00Z").value());
  Objects once;
  REQUIRE(test::read_text(capture::text_of(objects, {}, manifest, capture::AsRead(objects.symbols)).value(), once));
  Objects twice;
  REQUIRE(test::read_text(written(once), twice));
  for (const Objects* each : {&once, &twice}) {
    CHECK(each->only_pods_of() == "ml");
    const live::Reading told = capture::reading_of(each->captures.front(), live::needed_for(*each, "kube", {}));
    CHECK(told.ns == "ml");
    CHECK(told.of_one_namespace == reading.of_one_namespace);
  }
  // The same for an input that is read in parts.
  InputSummary whole;
  whole.add(once);
  CHECK(whole.only_pods_of() == "ml");
}

TEST_CASE("capture: one that was cut between two lines is refused", "[capture]") {
  Objects objects;
  REQUIRE(test::read_text(test::fixture("input/small.yaml"), objects));
  const std::string whole = written(objects);
  const Scratch scratch;
  Objects read;
  REQUIRE(error_of(load({scratch.file("whole.jsonl", whole)}, {}, read)).empty());
  const std::vector<std::string> lines = lines_of(whole);
  REQUIRE(lines.size() > 2);
  std::string cut;
  for (std::size_t i = 0; i + 1 < lines.size(); ++i) {
    cut += lines[i] + '\n';
    Objects part;
    const std::string error = error_of(load({scratch.file("cut.jsonl", cut)}, {}, part));
    CHECK(error.find("cut short") != std::string::npos);
    Objects kept;
    CHECK(load({scratch.file("cut.jsonl", cut)}, {.keep_going = true}, kept));
    CHECK(kept.inputs_skipped);
  }
  // Two consecutive captures, as cat produces them, are complete.
  Objects both;
  CHECK(error_of(load({scratch.file("both.jsonl", whole + whole)}, {}, both)).empty());
}

TEST_CASE("capture: records whether the nodes of its input may be a selection", "[capture]") {
  const std::string node = "{apiVersion: v1, kind: Node, metadata: {name: a}}";
  const std::string pod = "{apiVersion: v1, kind: Pod, metadata: {name: p, namespace: x}, spec: {nodeName: b}}";
  const auto list = [](const std::string& kind, const std::string& items) {
    return "---\napiVersion: v1\nkind: " + kind + "\nitems: [" + items + "]\n";
  };
  const auto with_nodes = [](const std::string& text) {
    Objects objects;
    REQUIRE(test::read_text(text, objects));
    Objects again;
    REQUIRE(test::read_text(written(objects), again));
    const auto file = [](const Objects& of) { return of.pods[PodId{0}].meta.source.file; };
    CHECK(listed_with_nodes(again, file(again)) == listed_with_nodes(objects, file(objects)));
    return listed_with_nodes(again, file(again));
  };
  CHECK_FALSE(with_nodes(list("List", node + ", " + pod) + list("NodeList", "")));
  CHECK(with_nodes(list("NodeList", node) + "---\n" + pod + "\n"));
  CHECK_FALSE(with_nodes(list("NodeList", node) + list("PodList", pod)));
  CHECK_FALSE(with_nodes("---\n" + node + "\n---\n" + pod + "\n"));
}

TEST_CASE("capture: a configuration in the input is captured, without access to API servers", "[capture]") {
  const Scratch scratch;
  Objects objects;
  const auto found = load({scratch.file("a.yaml", R"(apiVersion: v1
kind: Node
metadata: {name: a}
---
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
clientConnection: {kubeconfig: secret-path, qps: 20}
leaderElection: {leaderElect: true, resourceName: secret-name}
extenders:
- urlPrefix: https://user:secret@host/x   # secret comment
  filterVerb: filter
  tlsConfig: {keyData: secret-key}
profiles:
- schedulerName: mine
  pluginConfig: [{name: PodTopologySpread, args: {defaultConstraints: [{topologyKey: zone, maxSkew: 1}]}}]
---
apiVersion: previct/v1alpha1
kind: Assumptions
yunikorn: {preempted: [ns/a]}
)")},
                          {}, objects);
  REQUIRE(found);
  const std::string captured = written(objects, *found);
  CHECK(captured.find("secret") == std::string::npos);
  CHECK(captured.find(R"("urlPrefix":"https://host/x")") != std::string::npos);
  Objects again;
  const auto read = load({scratch.file("b.jsonl", captured)}, {}, again);
  REQUIRE(read);
  CHECK(again.diagnostics.empty());
  CHECK(again.read.fast == 2);  // the manifest and the node
  CHECK(again.nodes.size() == 1);
  REQUIRE(read->scheduler_config);
  CHECK(
      read->scheduler_config->bytes ==
      "\n"
      R"({"apiVersion":"kubescheduler.config.k8s.io/v1","kind":"KubeSchedulerConfiguration","clientConnection":{"qps":20},)"
      R"("extenders":[{"urlPrefix":"https://host/x","filterVerb":"filter"}],"profiles":[{"schedulerName":"mine",)"
      R"("pluginConfig":[{"name":"PodTopologySpread","args":{"defaultConstraints":[{"topologyKey":"zone","maxSkew":1}]}}]}]})"
      "\n");
  REQUIRE(read->assumptions);
  CHECK(lines_of(read->assumptions->bytes)[2] ==
        R"({"apiVersion":"previct/v1alpha1","kind":"Assumptions","yunikorn":{"preempted":["ns/a"]}})");
}

TEST_CASE("capture: compressed output can be decompressed", "[capture]") {
  std::string text;
  for (int i = 0; i < 100'000; ++i) text += fmt::format("line {}\n", std::int64_t{i} * i);
  for (const std::string& bytes : {std::string(), std::string("x"), text}) {
    CHECK(unzstd(zstd(bytes), SIZE_MAX, {}).value() == bytes);
    CHECK(gunzip(gzip(bytes), SIZE_MAX, {}).value() == bytes);
  }
  CHECK(zstd(text) == zstd(text));
  CHECK(gzip(text) == gzip(text));
}

TEST_CASE("capture: a private file appears complete, and replaces no other file", "[capture]") {
  const Scratch scratch;
  forget_files_read();  // a new file may have the inode number of one that another test read and removed
  const std::string path = scratch.path() + "/a.jsonl";
  REQUIRE(cli::write_file(path, "one", {.for_owner_only = true, .replace = false}));
  struct stat status {};
  REQUIRE(stat(path.c_str(), &status) == 0);
  CHECK((status.st_mode & 0777U) == 0600U);
  CHECK_FALSE(cli::write_file(path, "two", {.for_owner_only = true, .replace = false}));
  CHECK(lines_of(test::fixture("input/small.json")).size() > 1);
  std::ifstream stream(path);
  std::string held;
  stream >> held;
  CHECK(held == "one");
  // A file at the temporary path is neither followed nor removed, and does not interfere.
  const std::string elsewhere = scratch.file("elsewhere", "theirs");
  const std::string next = scratch.path() + "/b.jsonl";
  const std::string prepared = fmt::format("{}.{}.tmp", next, getpid());
  REQUIRE(symlink(elsewhere.c_str(), prepared.c_str()) == 0);
  CHECK(cli::write_file(next, "mine", {.for_owner_only = true}));
  CHECK(std::filesystem::is_symlink(prepared));
  CHECK(std::filesystem::file_size(elsewhere) == 6);
  // Links to the target are replaced, not written through.
  const std::string link = scratch.path() + "/link";
  REQUIRE(symlink(elsewhere.c_str(), link.c_str()) == 0);
  REQUIRE(cli::write_file(link, "mine"));
  CHECK_FALSE(std::filesystem::is_symlink(link));
  CHECK(std::filesystem::file_size(elsewhere) == 6);
  // A failed attempt leaves nothing.
  CHECK_FALSE(cli::write_file(scratch.path() + "/no/folder", "x"));
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(scratch.path()))
    files += entry.is_regular_file() && !entry.is_symlink() ? 1U : 0U;
  CHECK(files == 4);  // a.jsonl, b.jsonl, elsewhere, link
}
