// Inputs from practice: bundles with files that are not dumps, lists without kinds, empty items. They are written as
// the tools named in the comments write them.

#include "api/load.h"
#include "api/recognise.h"
#include "base/progress.h"
#include "support/scratch.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <unistd.h>

using namespace previct;
using previct::test::Scratch;

namespace {

const std::string kBarePod =
    R"({"metadata":{"name":"web","namespace":"d"},"spec":{"containers":[{"name":"c"}]},"status":{"phase":"Pending"}})";
const std::string kBareNode = R"({"metadata":{"name":"n"},"status":{"allocatable":{"cpu":"4"},"nodeInfo":{}}})";
const std::string kPodList = R"({"kind":"PodList","apiVersion":"v1","items":[)" + kBarePod + "]}";

/// Returns `pods nodes classes; ids of the warnings`, or the failure.
auto read(const std::vector<std::string>& paths, const LoadOptions& options = {}) -> std::string {
  Objects objects;
  const auto done = load(paths, options, objects);
  if (!done) return fmt::format("failure at line {}: {}", done.error().place.line, done.error().message);
  std::vector<std::string> ids;
  for (const Warning& warning : objects.diagnostics.sorted()) ids.push_back(warning.id);
  return fmt::format("{} {} {}; {}", objects.pods.size(), objects.nodes.size(), objects.priority_classes.size(),
                     fmt::join(ids, " "));
}

auto read_as(const std::string& name, const std::string& text) -> std::string {
  const Scratch scratch;
  return read({scratch.file(name, text)});
}

}  // namespace

TEST_CASE("load: a list without a kind does not count as cut short") {
  CHECK(read_as("result.json", R"({"items":[]})") == "failure at line 1: the file has no objects");
  CHECK(read_as("result.yaml", "items: []\n") == "failure at line 1: the file has no objects");
  // The file name gives the kind of the empty list.
  CHECK(read_as("nodes.json", R"({"items":[]})") == "0 0 0; ");
  CHECK(read_as("x.json", R"({"items":[)" + kBarePod + "]}") == "1 0 0; recognised-kind");
  // An object of another kind that has items.
  CHECK(read_as("x.yaml", "apiVersion: e/v1\nitems:\n- a\nkind: Thing\nmetadata:\n  name: x\n") == "0 0 0; ");
  // kubectl writes kind and metadata after the items.
  CHECK(read_as("x.yaml", "apiVersion: v1\nitems:\n- kind: Pod\n  metadata:\n    name: a\n").find("cut short") !=
        std::string::npos);
  CHECK(read_as("x.yaml", "apiVersion: v1\nitems: []\nkind: Lis\n").find("cut short") != std::string::npos);
}

TEST_CASE("load: objects without a kind are recognised by their fields, their link, or the name of the file") {
  // A template of kube-scheduler-simulator: the API server would also generate the name.
  CHECK(read_as("x.yaml", "metadata:\n  generateName: node-\nspec: {}\nstatus:\n  allocatable: {cpu: 4}\n") ==
        "0 1 0; recognised-kind");
  CHECK(read_as("Pods.json", "[" + kBarePod + "," + kBareNode + "]") == "1 1 0; recognised-kind recognised-kind");
  CHECK(read_as("x.json", R"([{"metadata":{"name":"high"},"value":5,"globalDefault":false}])") ==
        "0 0 1; recognised-kind");
  // With all fields of the kind: those that are read, and a description.
  CHECK(read_as("x.json", R"([{"metadata":{"name":"high"},"value":5,"preemptionPolicy":"Never","description":"d"}])") ==
        "0 0 1; recognised-kind");
  CHECK(read_as("x.json", R"([{"metadata":{"name":"n","selfLink":"/api/v1/nodes/n"}}])") == "0 1 0; recognised-kind");
  CHECK(read_as("nodes.json", R"([{"metadata":{"name":"n"}}])") == "0 1 0; recognised-kind");
  // Not from Kubernetes: no names, other fields.
  CHECK(read_as("nodes.json", R"([{"id":1,"host":"a"}])").starts_with("failure at line 1: no Kubernetes object"));
  CHECK(read_as("nodes.json", R"([{"metadata":{"name":"n"},"host":"a"}])")
            .starts_with("failure at line 1: no Kubernetes object"));
  // `No` is a boolean in YAML, not a string.
  CHECK(read_as("nodes.yaml", "items:\n- kind: No\n  metadata: {name: n}\n  status: {allocatable: {cpu: 4}}\n")
            .starts_with("failure at line 2: no Kubernetes object"));
  // A workload also has containers, but inside a template.
  CHECK(read_as("x.json", R"([{"metadata":{"name":"w"},"spec":{"template":{"spec":{"containers":[]}}}}])")
            .starts_with("failure at line 1: no Kubernetes object"));
}

TEST_CASE("load: a file's name gives the kind of its list, if it names one kind") {
  const auto kind_of = [](const char* path) {
    const auto list = list_of_path(path);
    return list ? list->list.kind : std::string();
  };
  CHECK(kind_of("Pods.json") == "PodList");
  CHECK(kind_of("/tmp/dump/nodes.yaml.gz") == "NodeList");
  CHECK(kind_of("sos/kubectl_get_pods_-A_-o_json") == "PodList");
  CHECK(kind_of("bundle.tar.gz!b/cluster-resources/pods/default.json") == "PodList");
  CHECK(kind_of("b/cluster-resources/pod-disruption-budgets/d.json") == "PodDisruptionBudgetList");
  CHECK(kind_of("b/priority-classes.json") == "PriorityClassList");
  CHECK(kind_of("dump/pods/default.json") == "PodList");
  CHECK(kind_of("pods-and-nodes.json") == "");
  CHECK(kind_of("nodes-pods.json") == "");
  CHECK(kind_of("everything.json") == "");
}

TEST_CASE("load: empty items are skipped with a warning, at any depth") {
  CHECK(read_as("x.json", R"({"kind":"List","apiVersion":"v1","items":[null,{},)" + kPodList + "]}") ==
        "1 0 0; item-skipped");
  CHECK(read_as("x.json", R"({"kind":"PodList","apiVersion":"v1","items":[null,)" + kBarePod + "]}") ==
        "1 0 0; item-skipped");
  CHECK(read_as("x.json", "[null," + kPodList + "," + kPodList + "]") == "1 0 0; item-skipped duplicate-object");
  const std::string nameless = R"({"metadata":{},"spec":{"containers":[]}})";
  Objects objects;
  const Scratch scratch;
  REQUIRE(
      load({scratch.file("x.json", R"({"kind":"List","apiVersion":"v1","items":[{"kind":"PodList","apiVersion":"v1",)"
                                   R"("items":[)" +
                                       nameless + "," + kBarePod + "]}]}")},
           {}, objects));
  CHECK(objects.pods.size() == 1);
  CHECK(objects.lost_objects.count == 1);
  // An object whose name is not generated yet is kept, in any style.
  CHECK(read_as("x.json", R"({"kind":"PodList","apiVersion":"v1","items":[{"metadata":{"generateName":"a-"}}]})") ==
        "1 0 0; ");
  CHECK(read_as("x.yaml",
                "apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: Pod\n  metadata:\n"
                "    generateName: a-\n") == "1 0 0; ");
  CHECK(read_as("x.yaml",
                "apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: Pod, metadata: {generateName: "
                "a-}}\n") == "1 0 0; ");
  // A pod on a node uses resources, so it must not be skipped.
  CHECK(
      read_as("x.json", R"({"kind":"PodList","apiVersion":"v1","items":[{"metadata":{},"spec":{"nodeName":"n"}}]})") ==
      "failure at line 1: an object without metadata.name");
  // Outside a list it is an error.
  CHECK(read_as("x.json", R"({"kind":"Pod","apiVersion":"v1","metadata":{}})") ==
        "failure at line 1: an object without metadata.name");
}

TEST_CASE("load: an input that is not a list of objects gets a one-line error with its position") {
  CHECK(read_as("x.json", R"({"kind":"Table","apiVersion":"meta.k8s.io/v1","rows":[]})")
            .starts_with("failure at line 1: a Table"));
  CHECK(read_as("x.yaml", "apiVersion: v1\nkind: List\nitems:\n  a: 1\n") ==
        "failure at line 4: expected a list of objects as `items`, found a mapping");
  const std::string line = R"({"kind":"Pod","apiVersion":"v1","metadata":{"name":"a"}})";
  CHECK(read_as("x.jsonl", line + "\n" + R"({"kind":"Pod","metadata":{)" + "\n" + line + "\n")
            .find("the object begins on line 2") != std::string::npos);
}

TEST_CASE("load: a collection is read whatever else is in it, and its broken dumps are reported") {
  const Scratch scratch;
  (void)scratch.file("pods.json", kPodList);
  (void)scratch.file("values.yaml", "a: {{ .Values.b }}\n");
  (void)scratch.file("result.json", R"({"items":[]})");
  (void)scratch.file("array.json", R"(["x","y"])");
  (void)scratch.file("Chart.yaml", "apiVersion: v2\nname: chart\n");
  CHECK(read({scratch.path()}) == "1 0 0; no-objects");
  (void)scratch.file("cut.json", R"({"kind":"NodeList","apiVersion":"v1","items":[)" + kBareNode);
  (void)scratch.file("bad.json.gz", "\x1f\x8b\x08nothing");
  Objects objects;
  REQUIRE(load({scratch.path()}, {}, objects));
  CHECK(objects.pods.size() == 1);
  CHECK(objects.nodes.empty());
  CHECK(objects.broken_files.count == 2);
  CHECK(objects.broken_pods.count == 0);
  // Outside a collection it is a failure.
  CHECK(read({scratch.path() + "/cut.json"}).starts_with("failure"));
  std::filesystem::remove(scratch.path() + "/pods.json");
  CHECK(read({scratch.path()}).starts_with("failure"));
}

TEST_CASE("load: for a broken file of a collection, it is known whether it held pods") {
  const Scratch scratch;
  (void)scratch.file("nodes.json", R"({"kind":"NodeList","apiVersion":"v1","items":[)" + kBareNode + "]}");
  // It is known from what was read before the error, and from the name: a list that the API server prints as a table
  // holds none.
  (void)scratch.file("cut.json", R"({"kind":"PodList","apiVersion":"v1","items":[)" + kBarePod + ",");
  (void)scratch.file("pods.json", R"({"kind":"Table","apiVersion":"meta.k8s.io/v1","rows":[]})");
  (void)scratch.file("configmaps.json", R"({"kind":"ConfigMapList","apiVersion":"v1","items":[)");
  (void)scratch.file("pod.yaml", "apiVersion: v1\nkind: Pod\n{{ if .Values.x }}\nspec: {}\n{{ end }}\n");  // of a chart
  Objects objects;
  REQUIRE(load({scratch.path()}, {}, objects));
  CHECK(objects.pods.empty());
  CHECK(objects.broken_pods.count == 2);
  CHECK(objects.broken_files.count == 2);
}

TEST_CASE("load: the output folder of an old kubectl cluster-info dump is refused with the reason") {
  const Scratch scratch;
  (void)scratch.file("nodes.json", R"({"selfLink":"/api/v1/nodes","resourceVersion":"5","Items":[{"name":"a"}]})");
  (void)scratch.file("events.json", R"({"selfLink":"/api/v1/events","resourceVersion":"5","Items":[]})");
  CHECK(read({scratch.path()}).starts_with("failure at line 1: a list as kubectl cluster-info dump printed it"));
  // A file with such a key alone may be something else.
  const Scratch other;
  (void)other.file("scan.json", R"({"Count":1,"Items":[{"name":"a"}]})");
  CHECK(read({other.path()}).starts_with("failure at line 0: no Kubernetes objects in it"));
}

TEST_CASE("load: a folder read without its sub-folders reports that it has some") {
  const Scratch scratch;
  std::filesystem::create_directory(scratch.path() + "/ns");
  (void)scratch.file("ns/pods.json", kPodList);
  CHECK(read({scratch.path()}) == "failure at line 0: no file is read here; 1 sub-folder: add -R");
  (void)scratch.file("version.yaml", "client: 1\n");
  CHECK(read({scratch.path()}) == "failure at line 0: no file is read here; 1 sub-folder: add -R");
  (void)scratch.file("nodes.json", "[" + kBareNode + "]");
  CHECK(read({scratch.path()}) == "0 1 0; folders-not-read no-objects recognised-kind");
  CHECK(read({scratch.path()}, {.recursive = true}) == "1 1 0; no-objects recognised-kind");
}

TEST_CASE("load: of a series in a folder, the newest state is read") {
  // Both are the same cluster; the pod is gone in the later one.
  const Scratch scratch;
  const std::string pod = "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\n";
  const std::string node = "apiVersion: v1\nkind: Node\nmetadata: {name: host}\n";
  (void)scratch.file("s/20260302T120100Z.yaml", node);
  CHECK(read({scratch.path() + "/s"}) == "0 1 0; ");
  (void)scratch.file("s/20260302T120000Z.yaml", pod + "---\n" + node);
  (void)scratch.file("s/classes.yaml",
                     "apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: c}\nvalue: 1\n");
  CHECK(read({scratch.path() + "/s"}) == "0 1 1; older-states");
  CHECK(read({scratch.path()}, {.recursive = true}) == "0 1 1; older-states");
  CHECK(read({scratch.path() + "/s/20260302T120000Z.yaml"}) == "1 1 0; ");
  // A patch is a state, too; this one is damaged, and no older state stands in for it.
  const std::string patch = scratch.file("s/20260302T120200Z.patch.zst", "no patch");
  CHECK(read({scratch.path() + "/s"}) == "0 0 1; older-states input-skipped");
}

TEST_CASE("load: a folder reports which of its links were not followed") {
  const Scratch scratch;
  (void)scratch.file("here/nodes.json", "[" + kBareNode + "]");
  (void)scratch.file("there/pods.json", kPodList);
  const std::string here = scratch.path() + "/here";
  std::filesystem::create_symlink("nodes.json", here + "/README");  // not the name of a dump
  CHECK(read({here}) == "0 1 0; recognised-kind");
  std::filesystem::create_symlink("../there", here + "/there");
  CHECK(read({here}) == "0 1 0; links-not-followed recognised-kind");
  CHECK(read({here}, {.recursive = true}) == "0 1 0; links-not-followed recognised-kind");
  std::filesystem::create_symlink("../there/pods.json", here + "/pods.json");
  Objects objects;
  REQUIRE(load({here}, {}, objects));
  CHECK(objects.diagnostics.sorted()[0].message ==
        "2 links not followed; to read a link's target, pass the link with -f");
  // A folder that holds only links reports it, too.
  std::filesystem::create_directory(scratch.path() + "/links");
  std::filesystem::create_symlink("../there/pods.json", scratch.path() + "/links/pods.json");
  Objects none;
  const auto refused = load({scratch.path() + "/links"}, {}, none);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().help == "links in it are not followed; name their targets");
}

TEST_CASE("load: a running pod without a node is reported") {
  Objects objects;
  const Scratch scratch;
  REQUIRE(load({scratch.file("x.json", R"({"kind":"Pod","apiVersion":"v1","metadata":{"name":"lost"},)"
                                       R"("status":{"phase":"Running"}})")},
               {}, objects));
  CHECK(objects.unplaced_pods.count == 1);
  REQUIRE(objects.diagnostics.sorted().size() == 1);
  CHECK(objects.diagnostics.sorted()[0].id == "pod-on-no-node");
}

TEST_CASE("load: times that KAI notes in annotations of a PodGroup are times of the input") {
  const auto newest = [](const std::string& annotation, const std::string& value) {
    Objects objects;
    const Scratch scratch;
    REQUIRE(load({scratch.file("x.yaml",
                               "apiVersion: scheduling.run.ai/v2alpha2\nkind: PodGroup\nmetadata:\n  name: g\n"
                               "  creationTimestamp: \"2026-03-02T09:00:00Z\"\n  annotations:\n    " +
                                   annotation + ": \"" + value + "\"\n")},
                 {}, objects));
    return format_instant(objects.newest);
  };
  for (const std::string key : {"kai.scheduler/last-start-timestamp", "kai.scheduler/last-eviction-timestamp",
                                "kai.scheduler/stale-podgroup-timestamp"}) {
    CHECK(newest(key, "2026-03-02T10:00:00Z") == "2026-03-02T10:00:00Z");
    CHECK(newest(key, "never") == "2026-03-02T09:00:00Z");
  }
  CHECK(newest("kai.scheduler/other", "2026-03-02T10:00:00Z") == "2026-03-02T09:00:00Z");
}

TEST_CASE("load: a version that no known release serves is reported") {
  const auto warned = [](const std::string& version) {
    Objects objects;
    const Scratch scratch;
    REQUIRE(load({scratch.file("x.yaml", "apiVersion: scheduling.run.ai/" + version +
                                             "\nkind: Queue\nmetadata: {name: q}\nspec: {reclaimMinRuntime: 1h}\n")},
                 {}, objects));
    CHECK(objects.kai_queues.size() == 1);
    std::vector<std::string> said;
    for (const Warning& warning : objects.diagnostics.sorted()) said.push_back(warning.message);
    return said;
  };
  CHECK(warned("v2").empty());
  CHECK(warned("v3alpha1") ==
        std::vector<std::string>{"no known release serves Queue in scheduling.run.ai/v3alpha1; it is read as v2"});
}

TEST_CASE("load: memory is limited, and so is decompressed data") {
  const Scratch scratch;
  const std::string path = scratch.file("pods.json", kPodList);
  CHECK(read({path}, {.max_memory = 4096}) ==
        "failure at line 0: reading it needs more than the limit of 0 MiB of memory");
  CHECK(read({path}, {.general = true, .max_memory = 4096}).find("of memory") != std::string::npos);
  CHECK(read({path}, {.max_memory = std::uint64_t{64} << 30U}) == "1 0 0; ");
}

namespace {

/// Writes to the file each time some of the input has been read; it stops at some point, so that the reader reaches the
/// end.
class Writer final : public Progress {
 public:
  Writer(std::string input, std::string path) : input_(std::move(input)), path_(std::move(path)) {}
  void at(std::string_view name, std::uint64_t /*done*/, std::uint64_t /*total*/) override {
    if (name == input_ && left_-- > 0) std::ofstream(path_, std::ios::app) << "\n";
  }

 private:
  std::string input_;
  std::string path_;
  int left_ = 20;
};

}  // namespace

TEST_CASE("load: a file that changes while it is read is an error, or skipped in a folder") {
  const std::string dump =
      R"({"kind":"List","apiVersion":"v1","items":[{"apiVersion":"v1","kind":"Pod",)" + kBarePod.substr(1) + "]}";
  const Scratch scratch;
  const std::string alone = scratch.file("alone/dump.json", dump);
  Writer writer(alone, alone);
  CHECK(read({alone}, {.progress = &writer}) == "failure at line 0: the file changed while it was read");
  CHECK(read({alone}) == "1 0 0; ");
  // Members of a folder are read by their names.
  (void)scratch.file("folder/nodes.json", "[" + kBareNode + "]");
  const std::string pods = scratch.file("folder/pods.json", kPodList);
  Writer other(scratch.path() + "/folder", pods);
  Objects objects;
  REQUIRE(load({scratch.path() + "/folder"}, {.progress = &other}, objects));
  CHECK(objects.nodes.size() == 1);
  CHECK(objects.pods.empty());
  CHECK(objects.broken_pods.count == 1);
}

TEST_CASE("load: deleted lines of a dump are reported, not the error after them") {
  const std::string head = "apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\n";
  CHECK(read_as("x.yaml", head + "  ...\nspec:\n  nodeName: n\n") ==
        "failure at line 5: lines of the dump are missing here: ...");
  CHECK(read_as("x.yaml", head + "spec:\n  containers:\n  - name: c\n    <snip>\n  nodeName: n\n") ==
        "failure at line 8: lines of the dump are missing here: <snip>");
  CHECK(read_as("x.yaml", head + "me@host:~$ kubectl describe pod a\nName:   a\n") ==
        "failure at line 5: a shell command within the dump: me@host:~$ kubectl describe pod a");
  // An end-of-document marker.
  CHECK(read_as("x.yaml", head + "...\n") == "1 0 0; ");
  // In the text of a value, and far from the error.
  CHECK(read_as("x.yaml", head + "  annotations:\n    a: |\n      ...\n    b: c\nspec: [\n").find("missing here") ==
        std::string::npos);
}

TEST_CASE("load: damage by a shell, an editor or a web page is named") {
  const std::string head = "apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\n";
  const std::string json = "{\n  \"apiVersion\": \"v1\",\n  \"kind\": \"Pod\",\n  \"metadata\": {\"name\": \"a\"}\n}\n";
  // kubectl with 2>&1 that may not list one of the kinds.
  CHECK(read_as("x.yaml", head + "Error from server (Forbidden): nodes is forbidden: no\n") ==
        "failure at line 5: a kubectl error within the dump: Error from server (Forbidden): nodes is forbidden: no");
  CHECK(read_as("x.json", json + "Error from server (Forbidden): nodes is forbidden: no\n") ==
        "failure at line 6: a kubectl error within the dump: Error from server (Forbidden): nodes is forbidden: no");
  // >> of an output of -o yaml and one of -o json.
  CHECK(read_as("x.yaml", head + json) == "failure at line 5: JSON after YAML in one file");
  CHECK(read_as("x.json", json + head) == "failure at line 6: YAML after JSON in one file");
  CHECK(read_as("x.yaml", head + "---\n" + json) == "1 0 0; duplicate-object");
  CHECK(read_as("x.yaml", "\x1b[33mapiVersion\x1b[0m: v1\n\x1b[33mkind\x1b[0m: Pod\n") ==
        "failure at line 1: terminal color codes within the dump");
  CHECK(read_as("x.json", "{\n  \"kind\": \"Pod\",\n  \u201capiVersion\u201d: \"v1\"\n}\n") ==
        "failure at line 3: typographic quotes, with which a text editor replaced JSON's quotes");
  CHECK(read_as("x.yaml", "{\n  &quot;kind&quot;: &quot;Pod&quot;\n}\n") ==
        "failure at line 2: HTML-escaped text within the dump (&quot;)");
  // Two U+00A0 before `name`.
  CHECK(read_as("x.yaml", "apiVersion: v1\nkind: Pod\nmetadata:\n\u00a0\u00a0name: a\n  namespace: d\n") ==
        "failure at line 4: a blank other than a space (such as U+00A0) as indentation");
}

TEST_CASE("load: objects that a program wrapped or renamed are reported") {
  // Ansible's k8s_info, Rancher's API, and to_dict() of the Python client.
  CHECK(read_as("x.json", R"({"changed": false, "resources": [)" + kBarePod + "]}") ==
        "failure at line 1: an object without a kind, with objects in its field resources");
  CHECK(read_as("x.json", R"({"type": "collection", "links": {}, "data": [)" + kBarePod + "]}") ==
        "failure at line 1: an object without a kind, with objects in its field data");
  CHECK(read_as("x.json", R"({"code": 0, "data": {"items": [)" + kBareNode + "]}}") ==
        "failure at line 1: an object without a kind, with objects in its field data");
  CHECK(read_as("x.json", R"({"a": [], "b": {}, "c": []})") == "failure at line 1: an object without a kind");
  CHECK(read_as("x.json", R"({"api_version": "v1", "kind": "PodList", "items": [{"api_version": null, "kind": null,
      "metadata": {"name": "a"}, "spec": {"containers": [{"name": "c"}], "node_name": "n"}}]})")
            .find("names of a Python client") != std::string::npos);
}

TEST_CASE("load: namespaces that cannot be deleted distinguish two clusters") {
  const auto ns = [](const std::string& name, const std::string& uid) {
    return "apiVersion: v1\nkind: Namespace\nmetadata: {name: " + name + ", uid: " + uid + "}\n---\n";
  };
  CHECK(read_as("x.yaml", ns("kube-system", "a") + ns("kube-system", "b")).find("objects of two clusters") !=
        std::string::npos);
  CHECK(read_as("x.yaml", ns("kube-system", "a") + ns("kube-system", "a")).find("two clusters") == std::string::npos);
  // Any other namespace may have been deleted and recreated.
  CHECK(read_as("x.yaml", ns("team", "a") + ns("team", "b")).find("two clusters") == std::string::npos);
}

TEST_CASE("load: pods that controllers count, and the input lacks, are counted") {
  const auto controller = [](const std::string& kind, const std::string& name, const std::string& metadata,
                             const std::string& status) {
    return fmt::format("apiVersion: {}\nkind: {}\nmetadata: {{namespace: d, name: {}{}}}\nstatus: {{{}}}\n---\n",
                       kind == "Job" ? "batch/v1" : "apps/v1", kind, name, metadata, status);
  };
  const Scratch scratch;
  Objects objects;
  const std::string text =
      controller("ReplicaSet", "web", ", uid: a", "replicas: 3") + controller("Job", "train", ", uid: b", "active: 2") +
      // No API server has stored the first one, and the pods of the second one may be gone.
      controller("StatefulSet", "db", "", "replicas: 2") +
      controller("ReplicaSet", "old", ", uid: c, deletionTimestamp: \"2026-03-02T11:59:00Z\"", "replicas: 2") +
      "apiVersion: v1\nkind: Pod\nmetadata: {namespace: d, name: web-1, ownerReferences: [{kind: "
      "ReplicaSet, name: web, controller: true}]}\nspec: {containers: [{name: c}]}\n";
  REQUIRE(load({scratch.file("a.yaml", text)}, {}, objects));
  CHECK(objects.lacking_pods.counted == 5);
  CHECK(objects.lacking_pods.lacking == 4);
  CHECK(objects.lacking_pods.owners == std::vector<std::string>{"ReplicaSet d/web", "Job d/train"});
}

TEST_CASE("load: pods that only an earlier dump holds are counted") {
  const auto pod = [](const std::string& name, int version, const std::string& ns = "d") {
    return fmt::format(R"({{"apiVersion":"v1","kind":"Pod","metadata":{{"name":"{0}","namespace":"{2}","uid":"{0}",)"
                       R"("resourceVersion":"{1}"}},"spec":{{"nodeName":"n","containers":[]}}}})",
                       name, version, ns);
  };
  const auto list = [](const std::string& items) {
    return R"({"apiVersion":"v1","kind":"List","metadata":{"resourceVersion":""},"items":[)" + items + "]}";
  };
  const auto left = [&](const std::string& one, const std::string& other) {
    const Scratch scratch;
    Objects objects;
    REQUIRE(load({scratch.file("a.json", one), scratch.file("b.json", other)}, {}, objects));
    return objects.overtaken_pods.count;
  };
  // Pod a changed from 1 to 5 in between, so the first dump is earlier: b is gone since, or was not requested again.
  const std::string before = list(pod("a", 1) + "," + pod("b", 2));
  CHECK(left(before, list(pod("a", 5))) == 1);
  CHECK(left(list(pod("a", 5)), before) == 1);
  CHECK(left(before, list(pod("a", 5) + "," + pod("b", 2))) == 0);
  // Two halves of the same time; namespaces that the later dump does not cover; a single object is not a list.
  CHECK(left(before, list(pod("c", 3))) == 0);
  CHECK(left(list(pod("a", 1) + "," + pod("b", 2, "e")), list(pod("a", 5))) == 0);
  CHECK(left(before, pod("a", 5)) == 0);
}

TEST_CASE("load: a file that changed after it was read is not read again as if unchanged") {
  const Scratch scratch;
  const std::string path = scratch.file("pods.json", kPodList);
  Objects objects;
  REQUIRE(load({path}, {}, objects));
  const FileId file = objects.pods.items().front().meta.source.file;
  std::ofstream(path, std::ios::app) << "\n";
  CHECK(objects.sources.text(file).error().message == "the file changed after it was read");
  CHECK(load({path}, {.keep_going = true}, objects).error().message == "the file changed after it was read");
  Objects others;
  CHECK(load({path}, {}, others));
}

TEST_CASE("load: a sub-folder that cannot be read is reported") {
  if (::geteuid() == 0) return;  // root may read everything
  const Scratch scratch;
  (void)scratch.file("nodes.json", "[" + kBareNode + "]");
  (void)scratch.file("ns/b/pods.json", kPodList);
  std::filesystem::permissions(scratch.path() + "/ns/b", std::filesystem::perms::none);
  CHECK(read({scratch.path()}, {.recursive = true}) ==
        "failure at line 0: cannot read the sub-folder ns/b: Permission denied");
  CHECK(read({scratch.path()}, {.recursive = true, .keep_going = true}) == "0 1 0; input-skipped recognised-kind");
  std::filesystem::permissions(scratch.path() + "/ns/b", std::filesystem::perms::owner_all);
}
