#include "api/load.h"

#include "support/input.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>

#include <unistd.h>

using namespace previct;
namespace fs = std::filesystem;

namespace {

/// A new directory that is removed with the test.
class Folder {
 public:
  Folder() : path_(fs::temp_directory_path() / fmt::format("previct-load-{}", ::getpid())) {
    fs::remove_all(path_);
    fs::create_directories(path_);
  }
  Folder(const Folder&) = delete;
  auto operator=(const Folder&) -> Folder& = delete;
  ~Folder() { fs::remove_all(path_); }
  auto write(const std::string& name, std::string_view text) const -> std::string {
    const fs::path file = path_ / name;
    fs::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << text;
    return file.string();
  }
  [[nodiscard]] auto path() const -> const fs::path& { return path_; }

 private:
  fs::path path_;
};

auto pod(std::string_view name, std::string_view meta = "", std::string_view node = "") -> std::string {
  return fmt::format("apiVersion: v1\nkind: Pod\nmetadata: {{name: {}{}}}\nspec: {{nodeName: \"{}\"}}\n", name, meta,
                     node);
}

/// Returns the pods as `a@n1 b@n2`, or the failure.
auto loaded(const std::vector<std::string>& paths, Objects& objects, const LoadOptions& options = {}) -> std::string {
  const auto done = load(paths, options, objects);
  if (!done) return "failure: " + done.error().message;
  std::string line;
  for (const Pod& each : objects.pods) {
    line += fmt::format("{}{}@{}", line.empty() ? "" : " ", objects.symbols.text(each.meta.name),
                        objects.symbols.text(each.spec.node_name));
  }
  return line;
}

}  // namespace

TEST_CASE("load: a dump is the same in YAML and JSON") {
  Objects yaml;
  Objects json;
  REQUIRE(load({PREVICT_SOURCE_DIR "/fixtures/input/cluster.yaml"}, {}, yaml));
  REQUIRE(load({PREVICT_SOURCE_DIR "/fixtures/input/cluster.json"}, {}, json));
  CHECK(yaml.counts == json.counts);
  CHECK(yaml.listed == json.listed);
  CHECK(yaml.newest == json.newest);
  CHECK(yaml.pods.size() == json.pods.size());
}

TEST_CASE("load: directories are read one level deep, or completely; sorted, each file once") {
  const Folder folder;
  const std::string b = folder.write("b.yaml", pod("b"));
  folder.write("a.json", R"({"kind":"Pod","apiVersion":"v1","metadata":{"name":"a"}})");
  folder.write("notes.txt", "not read");
  folder.write("deeper/c.yml", pod("c"));
  fs::create_symlink("..", folder.path() / "deeper" / "up");
  fs::create_symlink("/etc/passwd", folder.path() / "p.yaml");
  Objects flat;
  CHECK(loaded({folder.path().string(), b}, flat) == "a@ b@");
  Objects deep;
  CHECK(loaded({folder.path().string()}, deep, {.recursive = true}) == "a@ b@ c@");
  Objects none;
  fs::create_directory(folder.path() / "empty");
  CHECK(loaded({(folder.path() / "empty").string()}, none) == "failure: no YAML or JSON files in this directory");
}

TEST_CASE("load: a broken input is skipped only if requested, and completely") {
  const Folder folder;
  const std::string good = folder.write("good.yaml", pod("good"));
  const std::string bad = folder.write("bad.yaml", pod("half") + "---\na: [\n");
  Objects strict;
  CHECK(loaded({bad, good}, strict).find("failure: expected") == 0);
  Objects lenient;
  CHECK(loaded({bad, good}, lenient, {.keep_going = true}) == "good@");
  CHECK(lenient.inputs_skipped);
  CHECK(lenient.counts.at("Pod") == 1);
  REQUIRE(lenient.diagnostics.sorted().size() == 1);
  CHECK(lenient.diagnostics.sorted()[0].id == "input-skipped");
  Objects nothing;
  CHECK(loaded({bad}, nothing, {.keep_going = true}) == "failure: no input could be read");
}

TEST_CASE("load: of several states of one object one is kept, in the position of the first") {
  struct Row {
    std::string first;
    std::string second;
    const char* pods;
    std::size_t warnings;
  };
  const auto version = [](int n, std::string_view uid = "u") {
    return fmt::format(", uid: {}, resourceVersion: \"{}\"", uid, n);
  };
  const auto created = [](std::string_view uid, int day) {
    return fmt::format(", uid: {}, creationTimestamp: \"2026-01-0{}T00:00:00Z\"", uid, day);
  };
  const Row rows[] = {
      {pod("a", version(2), "n1"), pod("a", version(1), "n2"), "a@n1 z@", 1},
      {pod("a", version(1), "n1"), pod("a", version(2), "n2"), "a@n2 z@", 1},
      {pod("a", version(1), "n1"), pod("a", version(1), "n2"), "a@n2 z@", 1},
      {pod("a", created("u", 2), "n1"), pod("a", created("v", 1), "n2"), "a@n1 z@", 1},
      {pod("a", created("u", 1), "n1"), pod("a", created("v", 2), "n2"), "a@n2 z@", 1},
      {pod("a", "", "n1"), pod("a", "", "n2"), "a@n2 z@", 1},
      {pod("a", version(1), "n1"), pod("a", version(2), "n2") + "---\n" + pod("b", "", "n4"), "a@n2 z@ b@n4", 1},
      {pod("a", version(1), "n1"),
       pod("z", "", "n5") + "---\n" + pod("b", "", "n4") + "---\n" + pod("a", version(3), "n3"), "a@n3 z@n5 b@n4",
       1},  // two warnings of one kind: one line
      {pod("a", ", namespace: x", "n1"), pod("a", ", namespace: w", "n2"), "a@n1 z@ a@n2", 0}};
  for (const Row& row : rows) {
    const Folder folder;
    INFO(row.second);
    Objects objects;
    const std::string one = folder.write("1.yaml", row.first + "---\n" + pod("z"));
    CHECK(loaded({one, folder.write("2.yaml", row.second)}, objects) == row.pods);
    CHECK(objects.diagnostics.sorted().size() == row.warnings);
    if (row.warnings > 0) CHECK(objects.diagnostics.sorted()[0].id == "duplicate-object");
  }
}

TEST_CASE("load: an object repeated in one version is distinguished from one with other content") {
  const Folder folder;
  const std::string first = folder.write("1.yaml", pod("a", ", uid: u, resourceVersion: \"7\"", "n1"));
  const auto said = [&](const std::string& second) {
    Objects objects;
    CHECK(loaded({first, folder.write("2.yaml", second)}, objects).starts_with("a@n"));
    REQUIRE(objects.diagnostics.sorted().size() == 1);
    return objects.diagnostics.sorted()[0].message;
  };
  // Annotations that are not read make no difference.
  CHECK(said(pod("a", ", uid: u, resourceVersion: \"7\", annotations: {other: x}", "n1"))
            .starts_with("an object occurs again in the same version and is counted once"));
  const std::string place = (folder.path() / "1.yaml").string() + ":1:1";
  const std::string other = (folder.path() / "2.yaml").string() + ":1:1";
  CHECK(said(pod("a", ", uid: u, resourceVersion: \"7\"", "n2")) ==
        "Pod \"default/a\" occurs twice in one version with different content (spec.nodeName); kept resourceVersion 7 "
        "of " +
            other + ", dropped that of " + place);
  CHECK(said(pod("a", ", labels: {x: z}, uid: u, resourceVersion: \"7\"", "n1")).find("(metadata.labels.x)") !=
        std::string::npos);
}

TEST_CASE("load: many objects in two versions give one line for each kind of difference") {
  const Folder folder;
  const auto pods = [&](int version, const char* uid) {
    std::string text;
    for (const char* name : {"a", "b", "c"}) {
      text += "---\n" + pod(name, fmt::format(", uid: {}{}, resourceVersion: \"{}\"", uid, name, version), "n1");
    }
    return text;
  };
  Objects objects;
  // Version 7 becomes 8; then the pods are recreated with other UIDs.
  CHECK(loaded({folder.write("1.yaml", pods(7, "u")), folder.write("2.yaml", pods(8, "u")),
                folder.write("3.yaml", pods(9, "w"))},
               objects) == "a@n1 b@n1 c@n1");
  const auto said = objects.diagnostics.sorted();
  REQUIRE(said.size() == 2);
  CHECK(said[0].message.starts_with("Pod \"default/a\" occurs twice; kept resourceVersion 8 of "));
  CHECK(said[0].message.ends_with(" (and 2 more)"));
  CHECK(said[1].message.starts_with("Pod \"default/a\" occurs twice with different uids; kept the one of "));
  CHECK(said[1].message.ends_with(" (and 2 more)"));
}

TEST_CASE("load: a watch gives the last state of each object, and which are gone") {
  const Folder folder;
  const auto event = [](const char* type, const char* name, const char* node) {
    return fmt::format(
        R"({{"type":"{}","object":{{"apiVersion":"v1","kind":"Pod","metadata":{{"name":"{}","uid":"u"}},"spec":{{"nodeName":"{}"}}}}}})"
        "\n",
        type, name, node);
  };
  const std::string watch = event("ADDED", "a", "") + event("ADDED", "b", "") + event("MODIFIED", "a", "n1") +
                            event("DELETED", "b", "") + event("ADDED", "c", "n2") + event("DELETED", "c", "n2") +
                            event("ADDED", "c", "n3");
  Objects objects;
  CHECK(loaded({folder.write("watch.json", watch)}, objects) == "a@n1 c@n3");
  CHECK(objects.diagnostics.sorted().empty());
}

TEST_CASE("load: a typed list proves its kind even if it is empty; a mixed list only what it holds") {
  const Folder folder;
  Objects objects;
  const std::string text =
      R"({"kind":"PodDisruptionBudgetList","apiVersion":"policy/v1","metadata":{},"items":[]}
{"kind":"List","apiVersion":"v1","items":[{"kind":"Node","apiVersion":"v1","metadata":{"name":"n"}}]}
{"kind":"Pod","apiVersion":"v1","metadata":{"name":"alone"}}
{"kind":"DeploymentList","apiVersion":"apps/v1","items":[{"metadata":{"name":"d"}}]})";
  CHECK(loaded({folder.write("lists.json", text)}, objects) == "alone@");
  CHECK(objects.listed ==
        std::map<std::string, std::size_t>{{"policy/PodDisruptionBudget", 0}, {"Node", 1}, {"apps/Deployment", 1}});
  CHECK(objects.counts.at("apps/Deployment") == 1);
}

TEST_CASE("load: an input without objects is refused, an empty list is not") {
  const Folder folder;
  Objects none;
  CHECK(loaded({folder.write("a.yaml", "---\n# nothing\n---\n")}, none) == "failure: the file has no objects");
  Objects empty_list;
  CHECK(loaded({folder.write("b.json", R"({"kind":"PodList","items":[]})")}, empty_list).empty());
}

TEST_CASE("load: the randomly named token volume is dropped; a ConfigMap volume and its mounts are kept") {
  const Folder folder;
  std::string text = "apiVersion: v1\nkind: List\nitems:\n";
  for (const std::string name : {"abcde", "fghij", "klmno"}) {
    text += fmt::format(R"(- apiVersion: v1
  kind: Pod
  metadata:
    name: web-{0}
    namespace: default
  spec:
    containers:
    - name: c
      env:
      - name: CA
        valueFrom:
          configMapKeyRef:
            key: ca.crt
            name: kube-root-ca.crt
      volumeMounts:
      - mountPath: /etc/settings
        name: settings
      - mountPath: /var/run/secrets/kubernetes.io/serviceaccount
        name: kube-api-access-{0}
        readOnly: true
    volumes:
    - configMap:
        name: settings
      name: settings
    - name: kube-api-access-{0}
      projected:
        sources:
        - configMap:
            name: kube-root-ca.crt
)",
                        name);
  }
  Objects objects;
  REQUIRE(loaded({folder.write("pods.yaml", text)}, objects) == "web-abcde@ web-fghij@ web-klmno@");
  for (const Pod& each : objects.pods) {
    REQUIRE(each.spec.volumes.size() == 1);
    CHECK(objects.symbols.text(each.spec.volumes[0].config_map.name) == "settings");
    const Container& container = each.spec.containers[0];
    REQUIRE(container.mounts.size() == 1);
    CHECK(container.mounts[0].name == each.spec.volumes[0].name);
    CHECK(container.env.empty());
  }
  CHECK_FALSE(objects.symbols.find("kube-root-ca.crt"));
  const std::string broken = R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"},"spec":{"containers":[],
    "volumes":[{"name":"v","configMap":{"name":5}}]}})";
  Objects none;
  CHECK(loaded({folder.write("broken.json", broken)}, none).find("failure: ") == 0);
}

TEST_CASE("load: a pod with a class and no priority gets the value of the class", "[load]") {
  const Folder folder;
  const auto a_pod_of = [](const std::string& name, const std::string& spec) {
    return fmt::format("---\napiVersion: v1\nkind: Pod\nmetadata: {{name: {}, namespace: ns}}\nspec: {{{}}}\n", name,
                       spec);
  };
  const std::string file = folder.write(
      "dump.yaml", a_pod_of("critical", "priorityClassName: system-node-critical") +
                       a_pod_of("own", "priorityClassName: calm") +
                       a_pod_of("told", "priorityClassName: calm, priority: 3") +
                       a_pod_of("lost", "priorityClassName: gone") + a_pod_of("none", "") +
                       "---\napiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: calm}\nvalue: 50\n"
                       "preemptionPolicy: Never\n");
  Objects objects;
  REQUIRE(load({file}, {}, objects));
  std::map<std::string, std::string> told;
  for (const Pod& pod : objects.pods) {
    told[std::string(objects.symbols.text(pod.meta.name))] =
        pod.spec.has_priority
            ? fmt::format("{} {}", pod.spec.priority, objects.symbols.text(pod.spec.preemption_policy))
            : "-";
  }
  CHECK(told ==
        std::map<std::string, std::string>{
            {"critical", "2000001000 "}, {"own", "50 Never"}, {"told", "3 Never"}, {"lost", "-"}, {"none", "-"}});
  CHECK(objects.filled_priorities.count == 2);
  CHECK(objects.filled_policies.count == 1);  // the API server also fills in the policy
}

TEST_CASE("load: objects with generated names are named by their prefix, in the order of the files", "[load]") {
  const Folder folder;
  const auto to_come = [](std::string_view prefix) {
    return fmt::format("apiVersion: v1\nkind: Pod\nmetadata: {{generateName: {}}}\nspec: {{}}\n---\n", prefix);
  };
  const std::string first = folder.write("1.yaml", to_come("a-") + pod("b") + "---\n" + to_come("c"));
  const std::string second = folder.write("2.yaml", to_come("a-"));
  Objects objects;
  CHECK(loaded({first, second}, objects) == "a@ b@ c@ a-2@");
  Objects nameless;
  CHECK(loaded({folder.write("3.yaml", to_come("--"))}, nameless) == "failure: an object without metadata.name");
}
