// The positions of findings, in the many ways in which people write manifests. Each text marks the expected range with
// <<…>>; the marks are removed before the text is read.

#include "lint/linter.h"
#include "lint/range.h"
#include "lint/rule.h"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace previct;
using namespace previct::lint;

namespace {

constexpr std::string_view kPrefix = "preemption-toleration.scheduling.x-k8s.io/";

struct Marked {
  std::string text;
  std::string wanted;
};

auto unmarked(std::string text) -> Marked {
  for (std::size_t at = 0; (at = text.find("P/", at)) != std::string::npos;) text.replace(at, 2, kPrefix);
  const std::size_t begin = text.find("<<");
  REQUIRE(begin != std::string::npos);
  text.erase(begin, 2);
  const std::size_t end = text.find(">>");
  REQUIRE(end != std::string::npos);
  text.erase(end, 2);
  return {text, text.substr(begin, end - begin)};
}

// Counted in characters, not bytes.
auto covered_by(const std::string& text, const TextRange& place) -> std::string {
  std::uint32_t line = 1;
  std::uint32_t column = 1;
  std::string out;
  for (const char c : text) {
    const bool continues = (static_cast<unsigned char>(c) & 0xc0U) == 0x80;
    if (continues) --column;
    const auto here = std::pair(line, column);
    if (here >= std::pair(place.line, place.column) && here < std::pair(place.end_line, place.end_column)) out += c;
    ++column;
    if (c == '\n') {
      ++line;
      column = 1;
    }
  }
  return out;
}

void check_place(std::string_view rule, const std::string& marked) {
  const Marked it = unmarked(marked);
  INFO(it.text);
  Tree tree;
  tree.read_text("m", it.text);
  CHECK(tree.broken().empty());
  tree.finish({}, true);
  const auto found = lint::lint(tree, {}, {}).items;
  const auto finding = std::find_if(found.begin(), found.end(), [&](const Finding& f) { return f.rule == rule; });
  REQUIRE(finding != found.end());
  CHECK(covered_by(it.text, finding->place) == it.wanted);
}

}  // namespace

TEST_CASE("lint positions: a finding covers the value as written", "[lint]") {
  const std::string head =
      "kind: PriorityClass\napiVersion: scheduling.k8s.io/v1\nvalue: 8000\nmetadata:\n  name: low\n";
  const std::string minimum = "P/minimum-preemptable-priority: \"10000\"";
  check_place("PT002", head + "  annotations:\n    " + minimum + "\n    P/toleration-seconds: <<\"15m\">>\n");
  check_place("PT002",
              head + "  annotations:\n    " + minimum + "\n    P/toleration-seconds: <<'15m'>>  # 15 minutes\n");
  check_place("PT002", head + "  annotations:\n    " + minimum + "\n    P/toleration-seconds: <<15m>> # 15 minutes\n");
  check_place("PT002", head + "  annotations:\n    " + minimum + "\n    P/toleration-seconds: <<15m>>   \n");
  check_place("PT002", head + "  annotations:\n    " + minimum + "\n    P/toleration-seconds:   <<15m>>");
  check_place("PT002", head + "  annotations:\n    " + minimum + "\r\n    P/toleration-seconds: <<15m>>\r\n");
  check_place("PT002", head + "  annotations: {" + minimum + ", P/toleration-seconds: <<15m>>}\n");
  check_place("PT002", head + "  annotations: {P/toleration-seconds: <<15m>>, " + minimum + "}\n");
  check_place("PT002", head + "  annotations:\n    " + minimum + "\n    P/toleration-seconds: <<\"15\\\"m\">>\n");
  check_place("PT002", head + "  annotations:\n    " + minimum + "\n    P/toleration-seconds: <<'15''m'>>\n");
  check_place("PT002", head + "  annotations:\n    " + minimum + "\n    \"P/toleration-seconds\": <<!!str 15m>>\n");
  check_place("PT002", head + "  annotations:\n    " + minimum + "\n    P/toleration-seconds: <<&long 15m>>\n");
  check_place("PO011", head + "  annotations:\n    " + minimum + "\n    P/toleration-seconds: <<0x10>>\n");
  check_place("PO011", head + "  annotations: {a: <<1_000>>, " + minimum + "}\n");
  check_place("PC003", "kind: PriorityClass\nvalue: <<2e9>>\nmetadata: {name: \xc3\xa4\xc3\xb6}\n");
}

TEST_CASE("lint positions: columns count characters, not bytes", "[lint]") {
  check_place("PC003",
              "{kind: PriorityClass, metadata: {name: \xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80}, value: <<2000000000>>}\n");
  check_place("PC003", "{\"kind\":\"PriorityClass\",\"metadata\":{\"name\":\"\xc3\xa4\"},\"value\":<<2000000000>>}");
}

TEST_CASE("lint positions: a finding about a key covers the key", "[lint]") {
  check_place("PT008", "kind: PriorityClass\nmetadata:\n  name: a\n  <<annotation>>:\n    b: c\n");
  check_place("PT008", "kind: PriorityClass\nmetadata: {name: a, <<annotation>>: {b: c}}\n");
  check_place("PT008", "{\"kind\": \"PriorityClass\", \"metadata\": {<<\"annotation\">>: {}, \"name\": \"a\"}}\n");
}

TEST_CASE("lint positions: lists, streams, anchors and templates are searched", "[lint]") {
  check_place("PC003",
              "# head\n---\n---\nkind: PriorityClass\nmetadata: {name: a}\nvalue: 1\n---\n# Source: chart/b.yaml\n"
              "kind: PriorityClass\nmetadata: {name: b}\nvalue: <<2000000000>>\n...\n");
  check_place(
      "PC003",
      "apiVersion: v1\nkind: List\nitems:\n- kind: PriorityClass\n  metadata: {name: a}\n  value: <<2000000000>>\n");
  check_place("PC003",
              "apiVersion: scheduling.k8s.io/v1\nkind: PriorityClassList\nitems:\n- metadata: {name: a}\n  value: "
              "<<2000000000>>\n");
  // For an alias, the text of the anchor is shown.
  check_place("PT002",
              "kind: PriorityClass\nvalue: 8000\nmetadata:\n  name: <<&a 15m>>\n  annotations:\n"
              "    P/minimum-preemptable-priority: \"10000\"\n    P/toleration-seconds: *a\n");
  check_place(
      "KA016",
      "apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: a}\nspec:\n  jobTemplate:\n    spec:\n      template:\n"
      "        metadata:\n          annotations:\n            kai.scheduler/preemption-delay: <<\"5\">>\n"
      "        spec:\n          containers: [{name: c}]\n");
}

TEST_CASE("lint positions: configurations in ConfigMaps have their positions in the file", "[lint]") {
  check_place("YK001",
              "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: yunikorn-configs\ndata:\n  queues.yaml: |\n"
              "    # the queues\n    partitions:\n    - name: default\n      queues:\n      - name: root\n"
              "        properties:\n          preemption.policy: <<offf>>  # not so\n");
  check_place(
      "SC005",
      "kind: List\napiVersion: v1\nitems:\n- apiVersion: v1\n  kind: ConfigMap\n  metadata:\n    name: c\n  data:\n"
      "    scheduler-config.yaml: |\n\n      apiVersion: <<kubescheduler.config.k8s.io/v1beta2>>\n"
      "      kind: KubeSchedulerConfiguration\n");
  // A text inside a text.
  check_place(
      "SC005",
      "patches:\n- |-\n  cluster:\n    # as it is\n    scheduler:\n      config:\n"
      "        apiVersion: <<kubescheduler.config.k8s.io/v1beta2>>\n        kind: KubeSchedulerConfiguration\n");
  check_place("SC005",
              "patches:\n- |-\n  files:\n  - content: |\n      # as it is\n"
              "      apiVersion: <<kubescheduler.config.k8s.io/v1beta2>>\n      kind: KubeSchedulerConfiguration\n");
  // A quoted text has no lines of its own, so the key of the ConfigMap is shown.
  check_place("SC005",
              "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata:\n  c.yaml: "
              "<<\"apiVersion: kubescheduler.config.k8s.io/v1beta2\\nkind: KubeSchedulerConfiguration\\n\">>\n");
}

TEST_CASE("lint positions: a JSON dump has positions, too", "[lint]") {
  check_place("PC003",
              "{\n    \"apiVersion\": \"v1\",\n    \"items\": [\n        {\n            \"kind\": \"PriorityClass\",\n"
              "            \"metadata\": {\"name\": \"a\"},\n            \"value\": <<2000000000>>\n        }\n    ],\n"
              "    \"kind\": \"List\"\n}\n");
}

TEST_CASE("lint excerpt: of a Secret, only keys are shown", "[lint]") {
  const auto excerpt = [](const std::string& kind, Part part, const char* path) {
    Tree tree;
    tree.read_text("m", "apiVersion: v1\nkind: " + kind + "\nmetadata: {name: s}\nstringData:\n  password: hunter2\n");
    tree.finish({}, true);
    const Manifest& manifest = tree.manifests().front();
    const Excerpt found = excerpt_of(*path == '\0' ? manifest.root() : manifest.in(path), part);
    return found.text + "|" + found.text.substr(found.from, found.length);
  };
  CHECK(excerpt("ConfigMap", Part::field, "stringData.password") == "  password: hunter2|password: hunter2");
  CHECK(excerpt("ConfigMap", Part::value, "stringData.password") == "  password: hunter2|hunter2");
  CHECK(excerpt("Secret", Part::field, "stringData.password") == "  password|password");
  CHECK(excerpt("Secret", Part::key, "stringData.password") == "  password|password");
  CHECK(excerpt("Secret", Part::value, "stringData.password") == "|");
  CHECK(excerpt("Secret", Part::value, "") == "|");
}

TEST_CASE("lint excerpt: a value that may be a secret is not shown", "[lint]") {
  Tree tree;
  tree.read_text("m",
                 "apiVersion: v1\nkind: Pod\nmetadata:\n  name: p\n  annotations:\n    token: 4711\n"
                 "    yunikorn.apache.org/queue: root.a\nspec:\n  nodeName: n1\n  containers:\n  - name: c\n"
                 "    args: [--password=hunter2]\n    env:\n    - name: PW\n      value: hunter2\n");
  tree.finish({}, true);
  const Manifest& manifest = tree.manifests().front();
  const auto shown = [](const Value& value, Part part) { return excerpt_of(value, part).text; };
  const Value annotations = manifest.in("metadata.annotations");
  CHECK(shown(annotations["token"], Part::field) == "    token");
  CHECK(shown(annotations["token"], Part::value).empty());
  CHECK(shown(annotations["yunikorn.apache.org/queue"], Part::value) == "    yunikorn.apache.org/queue: root.a");
  const Value container = *manifest.in("spec.containers").begin();
  CHECK(shown(*container["args"].begin(), Part::value).empty());
  const Value variable = *container["env"].begin();
  CHECK(shown(variable["value"], Part::field) == "      value");
  CHECK(shown(variable["value"], Part::value).empty());
  CHECK(shown(variable["name"], Part::value) == "    - name: PW");
  // An unknown key is marked alone: what it holds is not known either.
  CHECK(shown(manifest.in("spec.nodeName"), Part::key) == "  nodeName");
  CHECK(shown(manifest.in("spec.nodeName"), Part::value) == "  nodeName: n1");
}
