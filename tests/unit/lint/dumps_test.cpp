#include "unit/lint/scopes.h"

// Which files are dumps of clusters, and which of them belong together. A dump has objects that an API server stored:
// at least one node with a status, or one pod on a node.

namespace previct::lint::together::dumps {
namespace {

using Lines = std::vector<std::string>;

auto object(const std::string& kind, const std::string& name, const std::string& meta, const std::string& more = "")
    -> std::string {
  return "---\napiVersion: v1\nkind: " + kind + "\nmetadata: {name: " + name + (meta.empty() ? "" : ", " + meta) +
         "}\n" + more;
}
auto node(const std::string& uid = "u") -> std::string {
  return object("Node", "n1", "uid: " + uid, "status: {allocatable: {cpu: 1}}\n");
}
auto pod(const std::string& uid = "p") -> std::string {
  return object("Pod", "p1", "uid: " + uid, "spec: {nodeName: n1, containers: [{name: c}]}\n");
}
auto config_map(const std::string& meta) -> std::string {
  return object("ConfigMap", "c", meta);
}
auto secret(const std::string& name) -> std::string {
  return object("Secret", name, "");
}

}  // namespace

TEST_CASE("lint dumps: more than half of the objects come from an API server, and one is live", "[lint][dumps]") {
  const auto is_dump = [](const std::string& text) {
    const Lines lines = scopes_of({{"x/a.yaml", text}});
    return lines == Lines{"dump .: x/a.yaml"};
  };
  CHECK(is_dump(node()));
  CHECK(is_dump(pod()));
  CHECK(is_dump(node() + pod() + secret("a")));
  CHECK_FALSE(is_dump(node() + secret("a")));
  CHECK_FALSE(is_dump(node() + pod() + secret("a") + secret("b")));
  CHECK(is_dump(node() + config_map("resourceVersion: '1'") + secret("a")));
  CHECK_FALSE(is_dump(node() + config_map("creationTimestamp: '2026-05-01T00:00:00Z'") + secret("a")));
  CHECK_FALSE(is_dump(object("Node", "n1", "uid: u")));
  CHECK_FALSE(is_dump(object("Pod", "p1", "uid: p", "spec: {containers: [{name: c}]}\n")));
  CHECK_FALSE(is_dump(config_map("uid: c")));
  // An object without a name does not count, nor does a configuration within an object.
  CHECK(is_dump(node() + "---\napiVersion: v1\nkind: ConfigMap\n"));
  const std::string configuration =
      "data:\n  c.yaml: |\n    apiVersion: kubescheduler.config.k8s.io/v1\n    kind: KubeSchedulerConfiguration\n"
      "    metadata: {name: s}\n";
  CHECK(is_dump(node() + pod() + object("ConfigMap", "c", "", configuration)));
  CHECK_FALSE(is_dump(node() + pod() + object("ConfigMap", "c", "", configuration) + secret("a")));
}

TEST_CASE("lint dumps: folders that hold an object twice are dumps of their own", "[lint][dumps]") {
  const Lines apart = {"dump one: one/a.yaml", "dump two: two/a.yaml"};
  const Lines together = {"dump .: one/a.yaml two/a.yaml"};
  // A node is in one dump only once, whatever its uid.
  CHECK(scopes_of({{"one/a.yaml", node()}, {"two/a.yaml", node()}}) == apart);
  CHECK(scopes_of({{"one/a.yaml", node("u")}, {"two/a.yaml", node("v")}}) == apart);
  // Another object may be in several files of a dump, but with one uid; only a pod may be created again meanwhile.
  CHECK(scopes_of({{"one/a.yaml", node() + config_map("uid: c")}, {"two/a.yaml", config_map("uid: c")}}) == together);
  CHECK(scopes_of({{"one/a.yaml", node() + config_map("uid: c")}, {"two/a.yaml", config_map("uid: d")}}) == apart);
  CHECK(scopes_of({{"one/a.yaml", node() + pod("p")}, {"two/a.yaml", pod("q")}}) == together);
  // Only objects that an API server stored count.
  CHECK(scopes_of({{"one/a.yaml", node() + pod() + secret("s")}, {"two/a.yaml", pod() + secret("s")}}) == together);
}

TEST_CASE("lint dumps: a dump is the folder just below the innermost shared one", "[lint][dumps]") {
  CHECK(scopes_of({{"all/one/x/a.yaml", node()}, {"all/one/y/b.yaml", pod()}, {"all/two/a.yaml", node()}}) ==
        Lines{"dump all/one: all/one/x/a.yaml all/one/y/b.yaml", "dump all/two: all/two/a.yaml"});
  // A file in a parent folder of the other one shares no folder with it.
  CHECK(scopes_of({{"all/a.yaml", node()}, {"all/two/a.yaml", node()}}) == Lines{"dump .: all/a.yaml all/two/a.yaml"});
}

TEST_CASE("lint dumps: objects outside of several dumps belong to each of them", "[lint][dumps]") {
  CHECK(scopes_of({{"one/a.yaml", node()}, {"two/a.yaml", node()}, {"classes.yaml", config_map("uid: c")}}) ==
        Lines{"dump one: classes.yaml one/a.yaml", "dump two: classes.yaml two/a.yaml"});
}

TEST_CASE("lint dumps: many objects outside of many dumps stay apart, and all of them are partial", "[lint][dumps]") {
  // 500 dumps and 401 objects are 200,500 pairs; 400 objects are 200,000, which is the limit.
  const auto of = [](int objects) {
    std::string all;
    for (int i = 0; i < objects; ++i) all += object("ConfigMap", "c" + std::to_string(i), "uid: c" + std::to_string(i));
    Texts texts = {{"all.yaml", all}};
    for (int i = 0; i < 500; ++i) texts.emplace_back("d" + std::to_string(i) + "/a.yaml", node());
    return scopes_of(texts);
  };
  const Lines below = of(400);
  REQUIRE(below.size() == 500);
  CHECK(below.front() == "dump d0: all.yaml d0/a.yaml");
  const Lines above = of(401);
  REQUIRE(above.size() == 501);
  CHECK(std::count(above.begin(), above.end(), "dump . (partial): all.yaml") == 1);
  CHECK(std::count(above.begin(), above.end(), "dump d7 (partial): d7/a.yaml") == 1);
}

TEST_CASE("lint dumps: files of one folder are captures of their own if an object changed between them",
          "[lint][dumps]") {
  const auto at = [](const std::string& version) { return "uid: c, resourceVersion: '" + version + "'"; };
  CHECK(scopes_of({{"x/a.yaml", node() + config_map(at("1"))}, {"x/b.yaml", node() + config_map(at("2"))}}) ==
        Lines{"dump x/a.yaml: x/a.yaml", "dump x/b.yaml: x/b.yaml"});
  // One without nodes may be a part of the cluster.
  CHECK(scopes_of({{"x/a.yaml", node() + config_map(at("1"))}, {"x/b.yaml", config_map(at("2"))}}) ==
        Lines{"dump x/a.yaml: x/a.yaml", "dump x/b.yaml (partial): x/b.yaml"});
  CHECK(scopes_of({{"x/a.yaml", node() + config_map(at("1"))}, {"x/b.yaml", node() + config_map(at("1"))}}) ==
        Lines{"dump .: x/a.yaml x/b.yaml"});
  CHECK(scopes_of({{"x/a.yaml", node() + config_map("uid: c")}, {"x/b.yaml", config_map("resourceVersion: '2'")}}) ==
        Lines{"dump .: x/a.yaml x/b.yaml"});
}

}  // namespace previct::lint::together::dumps
