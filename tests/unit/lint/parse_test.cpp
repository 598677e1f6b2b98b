#include "lint/parse.h"

#include "unit/lint/scopes.h"

#include <catch2/catch.hpp>

#include <array>
#include <deque>
#include <string>
#include <vector>

// Which texts are read as manifests, and which broken ones are reported.

namespace previct::lint::together {

TEST_CASE("lint: a list of operations begins with a list, after comments", "[lint]") {
  // RFC 6902 has a list of objects. In YAML, an item may begin on the line after its dash (YAML 1.2, 8.2.1).
  // Each one replaces what the budget allows by nothing.
  const std::string objects = deployment("web", "{x: y}") + "---\n" + budget_for("web", "{x: y}");
  const std::string lines = "  path: /spec/maxUnavailable\n  value: 0\n";
  for (const std::string& text :
       {std::string("[{\"op\": \"replace\", \"path\": \"/spec/maxUnavailable\", \"value\": 0}]"),
        "- op: replace\n" + lines, "-\n  op: replace\n" + lines, "-\r\n  op: replace\r\n" + lines,
        "\n# of web\n---\n- op: replace\n" + lines}) {
    INFO(text);
    CHECK(may_hold_manifests(text, "ops.yaml"));
    CHECK(found({{"kustomization.yaml",
                  "resources: [web.yaml]\npatches: [{path: ops.yaml, target: {kind: PodDisruptionBudget}}]\n"},
                 {"web.yaml", objects},
                 {"ops.yaml", text}},
                "PD002")
              .size() == 1);
  }
  for (const std::string_view text :
       {"", "# op path", "a: {op: remove, path: /a}\n", "{\"op\": \"remove\", \"path\": \"/a\"}", "-op: path\n",
        "- path: /a\n", "- op: remove\n", "--- \nstop: path\n"}) {
    INFO(text);
    CHECK_FALSE(may_hold_manifests(text, "ops.yaml"));
  }
}

TEST_CASE("lint: a broken text is meant as a manifest if it has the keys of one", "[lint]") {
  struct Row {
    std::string_view text;
    bool meant;
    std::string_view file = "a.yaml";
  };
  constexpr std::array kRows = {
      Row{"apiVersion: v1\nkind: Pod\n", true},
      Row{"- \"apiVersion\": v1\n  \"kind\": Pod\n", true},
      Row{"kind: Pod\n", false},
      Row{"apiVersion: v1\n", false},
      Row{"text: apiVersion and kind\n", false},
      Row{"text: {\"apiVersion\": \"v1\", \"kind\": \"Pod\"}\n", false},  // no object of its own
      Row{"{\"apiVersion\": \"v1\", \"kind\": \"Pod\"", true},
      Row{"{\"a\": 1, \"apiVersion\" : \"v1\", \"kind\":\"Pod\"", true},
      Row{"{\"a\": 1, \"otherapiVersion\": \"v1\", \"anykind\": \"Pod\"", false},
      Row{"{\"a\": 1, \"apiVersions\": \"v1\", \"kinds\": \"Pod\"", false},
      Row{"{\"a\": \"apiVersion\", \"b\": \"kind\", \"c\"", false},
      Row{"{\"a\": \"apiVersion1: b\", \"c\": \"kind1: d\"", false},
      Row{"{\"a\": 1, \"apiVersion", false},
      Row{"partitions:\n- name: default\n", true, "conf/queues.yaml"},
      Row{"partitions:\n- name: default\n", false},
      Row{"text: partitions\n", false, "queues.yaml"}};
  for (const Row& row : kRows) {
    INFO(row.text);
    CHECK(means_manifests(row.text, row.file) == row.meant);
  }
}

namespace {

using Identities = std::vector<std::string>;

auto source_of(std::string text) -> SourceText {
  SourceText source;
  source.text = std::move(text);
  source.line_starts = line_starts_of(source.text);
  return source;
}

// Returns `GROUP VERSION KIND NAMESPACE NAME` of each manifest, and whether it is an item of a list or stored.
auto identities(const std::string& text, const std::string& file = "a.yaml") -> Identities {
  const SourceText source = source_of(text);
  std::deque<Manifest> manifests;
  Identities found;
  const bool read = parse(source, source.text, file, manifests).has_value();
  for (const Manifest& each : manifests) {
    found.push_back(each.group + ' ' + each.version + ' ' + each.kind + ' ' + each.ns + ' ' + each.name +
                    (each.in_list ? " in list" : "") + (each.stored ? " stored" : ""));
  }
  if (!read) found.emplace_back("error");
  return found;
}

// Returns what is read within the value `k: a`, a text of a ConfigMap: the line and column in the source that are
// before it, or that its places are not known.
auto within(const std::string& text, const std::string& key = "k") -> std::string {
  const SourceText source = source_of(text);
  std::deque<Manifest> outer;
  REQUIRE(parse(source, source.text, "a.yaml", outer));
  REQUIRE(outer.size() == 1);
  std::deque<Manifest> inner;
  const Value value = outer[0]["data"][key];
  REQUIRE(value);
  REQUIRE(parse_within(value, inner));
  if (inner.empty()) return "nothing";
  CHECK(inner[0].wrapper == &outer[0]);
  CHECK(inner[0].held_by.text() == value.text());
  if (!inner[0].exact) return inner[0].kind + ", not exact";
  return inner[0].kind + ", lines " + std::to_string(inner[0].lines_before) + ", columns " +
         std::to_string(inner[0].columns_before);
}

}  // namespace

TEST_CASE("lint: a manifest has a group, a version and a kind", "[lint]") {
  CHECK(identities("apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: d, namespace: ml}\n") ==
        Identities{"apps v1 Deployment ml d"});
  CHECK(identities("apiVersion: v1\nkind: Pod\nmetadata: {generateName: p-}\n") == Identities{" v1 Pod  p-"});
  CHECK(identities("apiVersion: v1\nkind: Pod\nmetadata: {name: p, generateName: q-}\n") == Identities{" v1 Pod  p"});
  // The samples of KEP-205 have kinds without an apiVersion.
  CHECK(identities("kind: PriorityClass\nmetadata: {name: low}\n") ==
        Identities{"scheduling.k8s.io  PriorityClass  low"});
  CHECK(identities("kind: PodDisruptionBudget\nmetadata: {name: b}\n") == Identities{"policy  PodDisruptionBudget  b"});
  CHECK(identities("kind: Priority\nmetadata: {name: low}\n") == Identities{"  Priority  low"});
  CHECK(identities("kind: Pod\nmetadata: {name: p}\n") == Identities{"  Pod  p"});
  // Only an API server writes these.
  for (const std::string field : {"uid: u", "resourceVersion: '1'", "creationTimestamp: '2026-05-01T00:00:00Z'"}) {
    INFO(field);
    CHECK(identities("apiVersion: v1\nkind: Pod\nmetadata: {name: p, " + field + "}\n") ==
          Identities{" v1 Pod  p stored"});
  }
}

TEST_CASE("lint: items of a typed list have its kind and its version", "[lint]") {
  CHECK(identities("apiVersion: v1\nkind: PodList\nitems: [{metadata: {name: p}}]\n") ==
        Identities{" v1 Pod  p in list"});
  CHECK(identities("apiVersion: v1\nkind: List\nitems: [{apiVersion: v1, kind: Node, metadata: {name: n1}}]\n") ==
        Identities{" v1 Node  n1 in list"});
  CHECK(identities("apiVersion: v1\nkind: List\nitems: [{metadata: {name: n}}]\n").empty());
  CHECK(identities("apiVersion: v1\nkind: PodList\nitems: [{apiVersion: w1, metadata: {name: p}}]\n") ==
        Identities{" w1 Pod  p in list"});
}

TEST_CASE("lint: which maps without a kind are read", "[lint]") {
  CHECK(identities("resources: [a.yaml]\n", "x/kustomization.yaml") ==
        Identities{"kustomize.config.k8s.io v1beta1 Kustomization  "});
  CHECK(identities("resources: [a.yaml]\n", "kustomization.yml").size() == 1);
  CHECK(identities("resources: [a.yaml]\n", "Kustomization").size() == 1);
  CHECK(identities("resources: [a.yaml]\n", "kustomization.json").empty());
  CHECK(identities("apiVersion: kustomize.config.k8s.io/v1\nresources: [a.yaml]\n", "kustomization.yaml") ==
        Identities{"kustomize.config.k8s.io v1 Kustomization  "});
  CHECK(identities("kind: Kustomization\nresources: [a.yaml]\n", "kustomization.yaml") ==
        Identities{"kustomize.config.k8s.io v1beta1 Kustomization  "});
  CHECK(identities("kind: Other\nmetadata: {name: o}\n", "kustomization.yaml") == Identities{"  Other  o"});
  // Queues of YuniKorn: partitions with a key of a scheduler, or nothing else.
  const Identities queues{"  QueueConfiguration  "};
  for (const std::string key :
       {"queues", "placementrules", "limits", "preemption", "nodesortpolicy", "statedumpfilepath"}) {
    INFO(key);
    CHECK(identities("partitions: [{name: default, " + key + ": []}]\nmore: 1\n") == queues);
  }
  CHECK(identities("partitions: [{name: a}, {name: b, queues: []}]\nmore: 1\n") == queues);
  CHECK(identities("partitions: [{name: default}]\n") == queues);
  CHECK(identities("partitions: [{name: default}]\nmore: 1\n").empty());
  CHECK(identities("partitions: 3\n").empty());
  // Values of a chart that contain a configuration.
  const Identities values{"  Values  "};
  CHECK(identities("config: |\n  kind: KubeSchedulerConfiguration\n") == values);
  CHECK(identities("config: |\n  partitions:\n  - name: default\n") == values);
  CHECK(identities("partitions:\n  a: b\n").empty());
  CHECK(identities("config: x\n").empty());
}

TEST_CASE("lint: a record with a kind is an object only if it has marks of one", "[lint]") {
  CHECK(identities("kind: Pod\nspec: {}\n").empty());
  CHECK(identities("kind: Pod\nmetadata: {name: p}\n").size() == 1);
  CHECK(identities("apiVersion: v1\nkind: Pod\n").size() == 1);
  CHECK(identities("kind: KubeSchedulerConfiguration\nprofiles: []\n").size() == 1);
  CHECK(identities("kind: Policy\npredicates: []\n").size() == 1);
}

TEST_CASE("lint: JSON that is not valid may be YAML in flow style", "[lint]") {
  const Identities pod{" v1 Pod  p"};
  CHECK(identities("{\"apiVersion\": \"v1\", \"kind\": \"Pod\", \"metadata\": {\"name\": \"p\"}}") == pod);
  CHECK(identities("{apiVersion: v1, kind: Pod, metadata: {name: p}}") == pod);
  CHECK(identities("{\"apiVersion\": \"v1\", \"kind\": \"Pod\", # a pod\n\"metadata\": {\"name\": \"p\"}}") == pod);
  // What was read before the fault is not kept twice.
  CHECK(identities("{\"apiVersion\": \"v1\", \"kind\": \"Pod\", \"metadata\": {\"name\": \"p\"}}\n---\n"
                   "{apiVersion: v1, kind: Pod, metadata: {name: q}}\n") == Identities{" v1 Pod  p", " v1 Pod  q"});
  CHECK(identities("{\"apiVersion\": \"v1\", \"kind\": \"Pod\"") == Identities{"error"});
}

TEST_CASE("lint: a list of operations has only items with op and path", "[lint]") {
  const Identities operations{"  PatchOperations  "};
  CHECK(identities("- {op: remove, path: /a}\n") == operations);
  CHECK(identities("[{\"op\": \"remove\", \"path\": \"/a\"}]") == operations);
  CHECK(identities("- {op: remove, path: /a}\n- {op: add, path: /b, value: 1}\n") == operations);
  CHECK(identities("- {op: remove, path: /a}\n- {op: remove}\n").empty());
  CHECK(identities("- {op: remove, path: /a}\n- {path: /a}\n").empty());
}

TEST_CASE("lint: places within a literal block are places in the file", "[lint]") {
  // Columns are those of the indentation; lines those up to that of the key.
  const std::string config_map = "apiVersion: v1\nkind: ConfigMap\ndata:\n";
  const std::string pod = "    apiVersion: v1\n    kind: Pod\n";
  CHECK(within(config_map + "  k: |\n" + pod) == "Pod, lines 4, columns 4");
  CHECK(within(config_map + "  k: |\n\n" + pod) == "Pod, lines 4, columns 4");
  CHECK(within(config_map + "  k: &a |\n" + pod) == "Pod, lines 4, columns 4");
  CHECK(within(config_map + "  k: !!str |\n" + pod) == "Pod, lines 4, columns 4");
  CHECK(within(config_map + "  k: &a !!str |\n" + pod) == "Pod, lines 4, columns 4");
  CHECK(within(config_map + "  k: |-\n" + pod) == "Pod, lines 4, columns 4");
  CHECK(within(config_map + "  k: \"apiVersion: v1\\nkind: Pod\\n\"\n") == "Pod, not exact");
  CHECK(within(config_map + "  k: >\n    {apiVersion: v1, kind: Pod}\n") == "Pod, not exact");
  CHECK(within(config_map + "  k: text\n  queues.yaml: |\n    a: b\n", "queues.yaml") ==
        "QueueConfiguration, lines 5, columns 4");
}

TEST_CASE("lint: lines start after each line feed", "[lint]") {
  using Starts = std::vector<std::size_t>;
  CHECK(line_starts_of("") == Starts{0});
  CHECK(line_starts_of("a") == Starts{0});
  CHECK(line_starts_of("\n\nab\r\nc") == Starts{0, 1, 2, 6});
  CHECK(line_starts_of("a\n") == Starts{0, 2});
}

}  // namespace previct::lint::together
