#include "api/fast_load.h"

#include "api/store_sink.h"
#include "input/yaml_source.h"
#include "support/differential.h"
#include "support/input.h"
#include "support/workloads.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <span>
#include <string>
#include <string_view>

using namespace previct;

TEST_CASE("load: fast and general path agree on generated and broken dumps") {
  test::DumpMaker maker(20261120);
  std::size_t fast = 0;
  std::size_t read = 0;
  for (int i = 0; i < 3000; ++i) {
    const std::string text = i % 2 == 0 ? maker.yaml() : maker.json();
    INFO(text);
    const auto result = test::compared(text, i % 3 == 0 ? 512 : 65536);
    REQUIRE(result.difference.empty());
    fast += result.fast ? 1 : 0;
    read += result.read ? 1 : 0;
  }
  CHECK(fast > 1000);
  CHECK(read >= fast);
}

TEST_CASE("load: the fast path accepts no prefix of a dump as complete", "[long]") {
  const std::string text =
      test::fixture(GENERATE(as<std::string>(), "input/cluster.yaml", "input/cluster.json", "input/raw-pods.json"));
  REQUIRE(test::compared(text).read);
  // JSON is complete without the last line break.
  for (std::size_t size = 0; size + 1 < text.size(); ++size) {
    const std::string_view part = std::string_view(text).substr(0, size);
    const auto result = test::compared(part, 1024);
    INFO(size);
    REQUIRE(result.difference.empty());
    if (!test::ends_with_kind(part)) REQUIRE_FALSE(result.fast);
  }
}

namespace {

/// Returns `size` bytes of a text, and then fails.
class FailingSource final : public ByteSource {
 public:
  FailingSource(std::string_view text, std::size_t size) : left_(text.substr(0, size)) {}
  auto read(std::span<char> into) -> Result<std::size_t> override {
    if (left_.empty()) return fail("the disk is gone");
    const std::size_t size = left_.copy(into.data(), into.size());
    left_.remove_prefix(size);
    return size;
  }

 private:
  std::string_view left_;
};

}  // namespace

TEST_CASE("load: a failing source is never treated as its end, not even between two documents") {
  const std::string json = R"({"apiVersion":"v1","kind":"Node","metadata":{"name":"a"}})";
  const std::string yaml = "apiVersion: v1\nkind: Node\nmetadata:\n  name: a\n";
  for (const std::string& text : {json + "\n" + json + "\n", yaml + "---\n" + yaml, test::fixture("input/small.yaml"),
                                  test::fixture("input/small.json")}) {
    for (std::size_t size = 0; size <= text.size(); ++size) {
      FailingSource source(text, size);
      Objects objects;
      StoreSink sink(FileId{0}, objects);
      INFO(size);
      REQUIRE_FALSE(read_fast(source, FileId{0}, objects, sink, {}, 256));
    }
  }
}

TEST_CASE("load: a key of a list that begins with a dash is not an item") {
  const auto dump = [](std::string_view between) {
    const std::string item = "- apiVersion: v1\n  kind: Node\n  metadata:\n    name: ";
    return fmt::format("apiVersion: v1\nitems:\n{}a\n{}{}b\nkind: List\nmetadata:\n  resourceVersion: \"\"\n", item,
                       between, item);
  };
  CHECK(test::compared(dump("")).fast);
  // The key ends the list, so that the item after it belongs to nothing.
  for (const std::string_view between : {"-alue: 8000\n", "-a:\n", "--- x\n", "-\"a\": b\n"}) {
    INFO(between);
    const auto result = test::compared(dump(between));
    CHECK(result.difference.empty());
    CHECK_FALSE(result.fast);
    // Unless it is the key of the value that follows.
    CHECK(result.read == (between == "-a:\n"));
  }
}

TEST_CASE("load: an item whose line ends with U+2028 is not treated as separate") {
  const auto dump = [](std::string_view blank) {
    return fmt::format(
        "apiVersion: v1\nitems:\n- apiVersion: v1\n  kind: Node\n  metadata:\n    name: a\n {}key: b\n"
        "- apiVersion: v1\n  kind: Node\n  metadata:\n    name: b\nkind: List\nmetadata:\n  resourceVersion: \"\"\n",
        blank);
  };
  CHECK(test::compared(dump(" ")).fast);
  CHECK_FALSE(test::compared(dump("\xe2\x80\xa8")).read);
  CHECK_FALSE(test::compared(dump("\xe2\x80\xa8")).fast);
}

TEST_CASE("load: both paths read maps of any size alike, even with duplicate keys") {
  for (const int labels : {10, 40, 600, 5000}) {
    for (const bool twice : {false, true}) {
      std::string map;
      for (int i = 0; i < labels; ++i) map += fmt::format(R"("k{}":"v{}",)", i, i % 7);
      map += twice ? R"("k3":"last")" : R"("other":"last")";
      const auto result = test::compared(fmt::format(
          R"({{"apiVersion":"v1","kind":"Pod","metadata":{{"labels":{{{}}},"name":"a","namespace":"n"}},"spec":{{"nodeSelector":{{{}}}}}}})",
          map, map));
      INFO(labels << ' ' << twice << ' ' << result.difference);
      CHECK(result.read);
      CHECK(result.difference.empty());
    }
  }
}

namespace {

constexpr std::string_view kPod = R"(- apiVersion: v1
  kind: Pod
  metadata:
    annotations:
      example.org/build: pipeline-1
      kai.scheduler/queue: red
    creationTimestamp: "2026-01-01T00:00:00Z"
    labels:
      app: a
      zone: west-1
    name: a-1
    namespace: ns
    resourceVersion: "11"
    uid: u-1
  spec:
    affinity:
      nodeAffinity:
        requiredDuringSchedulingIgnoredDuringExecution:
          nodeSelectorTerms:
          - matchExpressions:
            - key: pool
              operator: In
              values:
              - red
    containers:
    - args:
      - --shards=25
      env:
      - name: A
        value: "x y-1"
      name: main
      ports:
      - containerPort: 80
        hostPort: 8080
      resources:
        limits:
          memory: 64Mi
        requests:
          cpu: 100m
      volumeMounts:
      - mountPath: /token
        name: kube-api-access-m569p
    - name: second
      resources: {}
    nodeName: node-1
    overhead:
      cpu: 10m
    priority: 5
    tolerations:
    - key: dedicated
      operator: Exists
    volumes:
    - name: kube-api-access-m569p
      projected:
        defaultMode: 420
    - name: data
      persistentVolumeClaim:
        claimName: claim-1
  status:
    conditions:
    - lastProbeTime: null
      lastTransitionTime: "2026-01-01T00:00:01Z"
      status: "True"
      type: PodScheduled
    containerStatuses:
    - containerID: containerd://f24
      name: main
      ready: true
      state:
        running:
          startedAt: "2026-01-01T00:00:02Z"
    hostIP: 10.0.0.1
    phase: Running
    startTime: "2026-01-01T00:00:01Z"
)";

/// A difference in a pod that follows a similar one.
struct Change {
  std::string_view from;
  std::string_view to;
  bool valid = true;  ///< Kubernetes would accept it
};

const Change kChanges[] = {
    {"", ""},
    {"name: a-1", "name: a-22"},
    {"name: a-1", "name: a"},
    {"name: a-1", "name: 'it''s'"},
    {"name: a-1", "name: \"a\\x41\""},
    {"name: a-1", "name: null", false},
    {"name: a-1", "name: 12", false},
    {"pipeline-1", "pipeline-207"},
    {"pipeline-1", "true", false},
    {"pipeline-1", "1e3", false},
    {"queue: red", "queue: blue"},
    {"example.org/build", "example.org/built"},
    {"      example.org/build: pipeline-1\n", "      kai.scheduler/a: b\n"},
    {"      example.org/build: pipeline-1\n", ""},
    {"      zone: west-1\n", "      zone: west-1\n      zoo: z\n"},
    {"zone: west-1", "app: west-1"},
    {"uid: u-1", "uid: |-\n      u"},
    {"resourceVersion: \"11\"", "resourceVersion: \"7\""},
    {"- red", "- blue"},
    {"operator: In", "operator: NotIn"},
    {"              - red\n", "              - red\n              - blue\n"},
    {"--shards=25", "--shards=26"},
    {"--shards=25", "'--shards'"},
    {"--shards=25", "--shards: 25"},
    {"--shards=25", "--shards=2: 5"},
    {"--shards=25", "--feature-gates=A=true"},
    {"--shards=25", "--config=x"},
    {"--shards=25", "true"},
    {"--shards=25", "\"\""},
    {"--shards=25", "\"--emulated-version=1.33\""},
    {"x y-1", "x y-2"},
    {"x y-1\"", "x y-\\\"2\""},
    {"value: \"x y-1\"", "value: \"x y\n          - 1\""},
    {"value: \"x y-1\"", "value: |\n          x y: z"},
    {"hostPort: 8080", "hostPort: 80"},
    {"hostPort: 8080", "hostPort: 80000000000", false},
    {"containerPort: 80\n", "containerPort: 81\n"},
    {"containerPort: 80\n", "containerPort: 80x\n", false},
    {"memory: 64Mi", "memory: 128Mi"},
    {"memory: 64Mi", "memory: 128x", false},
    {"cpu: 100m", "cpu: 1\n          memory: 1Gi"},
    {"resources: {}", "resources:\n        requests:\n          cpu: 1"},
    {"kube-api-access-m569p\n    - name: second", "kube-api-access-xxxxx\n    - name: second"},
    {"kube-api-access-m569p\n    - name: second", "kube-api-access-m569p: 1\n    - name: second", false},
    {"name: kube-api-access-m569p\n      projected", "name: kube-api-access-7\n      projected"},
    {"    - name: second\n      resources: {}\n", ""},
    {"    nodeName: node-1\n", ""},
    {"nodeName: node-1", "nodeName: \"\""},
    {"    nodeName: node-1\n", "    nodeName: node-1\n    nominated: x\n"},
    {"cpu: 10m", "memory: 10Mi"},
    {"priority: 5", "priority: 50"},
    {"priority: 5", "priority: null"},
    {"priority: 5", "priority: 5.5", false},
    {"operator: Exists", "operator: Equal\n      value: x"},
    {"defaultMode: 420", "defaultMode: 4"},
    {"projected:\n        defaultMode: 420", "persistentVolumeClaim:\n        claimName: other"},
    {"claimName: claim-1", "claimName: claim-2"},
    {"claimName: claim-1", "claimName: \"\""},
    {"00:00:01Z\"\n      status", "00:05:01Z\"\n      status"},
    {"status: \"True\"", "status: \"False\""},
    {"status: \"True\"", "status: True", false},
    {"lastProbeTime: null", "lastProbeTime: {}"},
    {"containerd://f24", "containerd://0a:b"},
    {"containerd://f24", "containerd://f24:", false},
    {"containerd://f24", "\"containerd", false},
    {"startedAt: \"2026-01-01T00:00:02Z\"", "startedAt: \"2026-01-01T00:00:02Z", false},
    {"startedAt: ", "~: ", false},
    {"10.0.0.1", "10.0.0.100"},
    {"phase: Running", "phase: Failed"},
    {"    startTime: \"2026-01-01T00:00:01Z\"\n", "    startTime: \"2026-01-01T00:00:09Z\"\n    zone: x\n"},
    {"    startTime: \"2026-01-01T00:00:01Z\"\n", ""},
    {"kind: Pod", "kind: Node"},
    {"apiVersion: v1", "apiVersion: v2", false},
};

}  // namespace

TEST_CASE("load: an object similar to the previous one is read as if it were alone") {
  std::size_t fast = 0;
  for (const Change& change : kChanges) {
    std::string other(kPod);
    if (!change.from.empty()) other.replace(other.find(change.from), change.from.size(), change.to);
    // The next object shows whether the positions are still right, and the one after it whether the difference is read
    // when it occurs again.
    const std::string text = fmt::format(
        "apiVersion: v1\nitems:\n{0}{1}{0}{1}{0}kind: List\nmetadata:\n  resourceVersion: \"\"\n", kPod, other);
    INFO("\"" << change.from << "\" becomes \"" << change.to << "\"");
    const auto yaml = test::compared(text);
    CHECK(yaml.difference == "");
    CHECK(yaml.read == change.valid);
    CHECK(test::compared(text, 512).difference == "");
    fast += yaml.fast ? 1 : 0;
    const auto json = test::json_of(*yaml_source(text, FileId{0}));
    if (!json) continue;
    CHECK(test::compared(json->dump(4) + "\n").difference == "");
    CHECK(test::compared(json->dump(), 512).difference == "");
  }
  CHECK(fast > 40);
}

TEST_CASE("load: alternating pods of several workloads are read as if each were alone, even with odd values") {
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    // Many odd values at once leave little that any reader accepts.
    test::WorkloadMaker maker(seed, seed % 3 > 0);
    const std::string text = maker.list(seed % 3 == 2 ? 3 : 40);
    INFO("seed " << seed);
    const auto yaml = test::compared(text, seed % 2 == 0 ? 512 : 65536);
    REQUIRE(yaml.difference == "");
    CHECK((seed % 3 > 0 || yaml.fast));
    const auto json = test::json_of(*yaml_source(text, FileId{0}));
    if (!json) continue;
    CHECK(test::compared(json->dump(4) + "\n").difference == "");
    CHECK(test::compared(json->dump(2) + "\n", 512).difference == "");
    CHECK(test::compared(json->dump()).difference == "");
  }
}
