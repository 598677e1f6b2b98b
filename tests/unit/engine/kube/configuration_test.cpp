#include "engine/kube/configuration.h"

#include "support/cluster.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

// kube-scheduler reads one document of a file (cmd/kube-scheduler/app/options/configfile.go); users have the ConfigMap
// that its pod mounts, or a dump of it. Lines are counted by hand in the texts below.

using namespace previct;

namespace {

struct Read {
  bool ok = false;
  std::string message;
  std::uint32_t line = 0;
  std::int32_t percentage = -1;
};

auto read_configuration(std::string text) -> Read {
  const auto cluster = test::a_cluster({test::a_node("n", "1")});
  const FileId file = cluster->objects.files.add("scheduler.yaml");
  Diagnostics diagnostics;
  const auto found =
      kube::read_configuration(*cluster->snapshot, kube::Release(35), {file, std::move(text)}, diagnostics);
  if (!found) return {false, found.error().message, found.error().place.line};
  return {true, {}, found->place(0).line, found->config.percentage_of_nodes_to_score.value_or(-1)};
}

constexpr std::string_view kConfig =
    "apiVersion: kubescheduler.config.k8s.io/v1\n"
    "kind: KubeSchedulerConfiguration\n"
    "percentageOfNodesToScore: 7\n";
// Returns `text` with every line indented like a block in a ConfigMap.
auto indented(std::string_view text) -> std::string {
  std::string out;
  while (!text.empty()) {
    const std::size_t length = text.find('\n') + 1;
    out += "    " + std::string(text.substr(0, length));
    text.remove_prefix(length);
  }
  return out;
}
// Returns a ConfigMap with `text` after six other lines.
auto in_config_map(std::string_view text) -> std::string {
  return "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata:\n  policy.json: '{}'\n  config.yaml: |\n" +
         indented(text);
}

}  // namespace

TEST_CASE("scheduler configuration: found among the documents of a file", "[kube][configuration]") {
  const std::string config(kConfig);
  CHECK(read_configuration(config).percentage == 7);
  CHECK(read_configuration("---\n# nothing\n---\n" + config).line == 4);
  CHECK(read_configuration("apiVersion: v1\nkind: Namespace\nmetadata: {name: a}\n---\n" + config).percentage == 7);
  // Upstream does not read past the first document.
  CHECK(read_configuration(config + "---\n{\n").percentage == 7);
  const Read broken = read_configuration("---\na: b\nc: [\n---\n" + config);
  CHECK_FALSE(broken.ok);
  CHECK(broken.line == 4);

  const Read two = read_configuration(config + "---\n" + config);
  CHECK(two.message == "two documents are a KubeSchedulerConfiguration: this one and the one at line 1");
  CHECK(two.line == 5);
}

TEST_CASE("scheduler configuration: found in a List", "[kube][configuration]") {
  const std::string list =
      "apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: Namespace, metadata: {name: a}}\n"
      "- apiVersion: kubescheduler.config.k8s.io/v1\n  kind: KubeSchedulerConfiguration\n"
      "  percentageOfNodesToScore: 7\n";
  const Read found = read_configuration(list);
  CHECK(found.percentage == 7);
  CHECK(found.line == 5);
  CHECK(read_configuration("apiVersion: v1\nkind: List\nitems: none\n").message ==
        "expected kind KubeSchedulerConfiguration, found \"List\"");
  CHECK(read_configuration("apiVersion: v1\nkind: List\nitems: {a: {kind: KubeSchedulerConfiguration}}\n").message ==
        "expected kind KubeSchedulerConfiguration, found \"List\"");
}

TEST_CASE("scheduler configuration: found in a ConfigMap, with the lines of the file", "[kube][configuration]") {
  const Read found = read_configuration(in_config_map(kConfig));
  CHECK(found.percentage == 7);
  CHECK(found.line == 7);
  const Read wrong =
      read_configuration(in_config_map("apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n"
                                       "percentageOfNodesToScore: many\n"));
  CHECK_FALSE(wrong.ok);
  CHECK(wrong.line == 9);
  // The text of other keys does not matter, even if it is not YAML.
  CHECK(read_configuration("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata:\n  script: '{'\n"
                           "  config.yaml: |\n" +
                           indented(kConfig))
            .percentage == 7);
  // The second line of the text has a list without an end.
  const Read broken = read_configuration(in_config_map("kind: KubeSchedulerConfiguration\nprofiles: [\n"));
  CHECK_FALSE(broken.ok);
  CHECK(broken.line >= 8);
}

TEST_CASE("scheduler configuration: the error names what the document is instead", "[kube][configuration]") {
  CHECK(read_configuration("").message == "empty: no KubeSchedulerConfiguration in it");
  CHECK(read_configuration("---\n# nothing\n").message == "empty: no KubeSchedulerConfiguration in it");
  CHECK(read_configuration("some text\n").message == "expected a KubeSchedulerConfiguration");
  CHECK(read_configuration("- kind: KubeSchedulerConfiguration\n").message == "expected a KubeSchedulerConfiguration");
  const std::string pod = "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\n";
  CHECK(read_configuration(pod).message == "expected kind KubeSchedulerConfiguration, found \"Pod\"");
  const Read none = read_configuration("---\n" + pod + "---\n" + pod);
  CHECK(none.message == "none of the 2 documents is a KubeSchedulerConfiguration");
  CHECK(none.line == 2);
  CHECK(read_configuration("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\n").message ==
        "this ConfigMap has no KubeSchedulerConfiguration");
  CHECK(read_configuration("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {a: b}\n").message ==
        "this ConfigMap has no KubeSchedulerConfiguration");
}

TEST_CASE("scheduler configuration: place_of returns the place of a path, or of its nearest ancestor",
          "[kube][configuration]") {
  const auto cluster = test::a_cluster({test::a_node("n", "1")});
  const FileId file = cluster->objects.files.add("scheduler.yaml");
  Diagnostics diagnostics;
  const std::string text =
      "apiVersion: kubescheduler.config.k8s.io/v1\n"  // 1
      "kind: KubeSchedulerConfiguration\n"            // 2
      "profiles:\n"                                   // 3
      "- schedulerName: a\n"                          // 4
      "- schedulerName: b\n"                          // 5
      "  plugins:\n"                                  // 6
      "    filter:\n"                                 // 7
      "      disabled:\n"                             // 8
      "      - name: NodePorts\n";                    // 9
  const auto read = kube::read_configuration(*cluster->snapshot, kube::Release(35), {file, text}, diagnostics);
  REQUIRE(read);
  CHECK(read->place_of("").line == 1);
  CHECK(read->place_of("profiles[0].schedulerName").line == 4);
  CHECK(read->place_of("profiles[1].plugins.filter.disabled[0].name").line == 9);
  CHECK(read->place_of("profiles[1].schedulerName").line == 5);
  CHECK(read->place_of("profiles[0].plugins.filter").line == 4);
  CHECK(read->place_of("profiles[2].plugins").line == read->place_of("profiles").line);
}
