#include "lint/node.h"

#include <catch2/catch.hpp>

#include <string>
#include <utility>
#include <vector>

// The operations of JSON patches in kustomizations. Most examples are those of RFC 6902, appendix A.

namespace previct::lint {
namespace {

auto scalar(const std::string& text) -> Node {
  return text_node(text, {});
}
auto list(std::vector<Node> items) -> Node {
  return {.type = EventType::begin_list, .items = std::move(items)};
}
auto map(const std::vector<std::pair<std::string, Node>>& entries) -> Node {
  Node node{.type = EventType::begin_map};
  for (const auto& [key, value] : entries) node.set(scalar(key), value);
  return node;
}

// Flow style without spaces: `{a:[b,c]}`.
auto written(const Node& node) -> std::string {  // NOLINT(misc-no-recursion): as deep as the examples
  if (!node.is_map() && !node.is_list()) return node.text;
  std::string text;
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    text += text.empty() ? "" : ",";
    text += (node.is_map() ? node.keys[i].text + ":" : "") + written(node.items[i]);
  }
  return node.is_map() ? "{" + text + "}" : "[" + text + "]";
}

auto patched(Node base, const std::string& op, const std::string& path, const Node& value = scalar("x"))
    -> std::string {
  apply_operation(base, op, path, op == "remove" ? nullptr : &value);
  return written(base);
}

}  // namespace

TEST_CASE("lint JSON patch: members of objects", "[lint]") {
  const Node base = map({{"foo", scalar("bar")}});
  CHECK(patched(base, "add", "/baz", scalar("qux")) == "{foo:bar,baz:qux}");                    // A.1
  CHECK(patched(base, "remove", "/foo") == "{}");                                               // A.3
  CHECK(patched(base, "replace", "/foo", scalar("boo")) == "{foo:boo}");                        // A.5
  CHECK(patched(base, "add", "/child", map({{"a", scalar("b")}})) == "{foo:bar,child:{a:b}}");  // A.10
  CHECK(patched(base, "add", "/a~1b~0c") == "{foo:bar,a/b~c:x}");
}

TEST_CASE("lint JSON patch: elements of arrays", "[lint]") {
  const Node base = map({{"foo", list({scalar("bar"), scalar("baz")})}});
  CHECK(patched(base, "add", "/foo/1", scalar("qux")) == "{foo:[bar,qux,baz]}");  // A.2
  CHECK(patched(base, "add", "/foo/-") == "{foo:[bar,baz,x]}");                   // A.16
  CHECK(patched(base, "add", "/foo/2") == "{foo:[bar,baz,x]}");
  CHECK(patched(base, "remove", "/foo/1") == "{foo:[bar]}");  // A.4
  CHECK(patched(base, "remove", "/foo/0") == "{foo:[baz]}");
  CHECK(patched(base, "replace", "/foo/1") == "{foo:[bar,x]}");
}

TEST_CASE("lint JSON patch: a path leads through objects and arrays", "[lint]") {
  const Node base = map({{"containers", list({map({{"image", scalar("a")}}), map({{"image", scalar("b")}})})}});
  CHECK(patched(base, "replace", "/containers/0/image") == "{containers:[{image:x},{image:b}]}");
  CHECK(patched(base, "add", "/containers/1/name") == "{containers:[{image:a},{image:b,name:x}]}");
  CHECK(patched(base, "remove", "/containers/1/image") == "{containers:[{image:a},{}]}");
}

TEST_CASE("lint JSON patch: an operation on a place that does not exist changes nothing", "[lint]") {
  const Node base = map({{"foo", list({map({{"a", scalar("b")}})})}});
  const std::string same = "{foo:[{a:b}]}";
  for (const std::string path : {"/bar/a", "/foo/1/a", "/foo/-/a", "/foo/0/b/c", "foo", ""}) {
    CHECK(patched(base, "add", path) == same);
    CHECK(patched(base, "remove", path) == same);
  }
  CHECK(patched(base, "remove", "/foo/1") == same);
  CHECK(patched(base, "replace", "/foo/1") == same);
  CHECK(patched(base, "test", "/foo/0", scalar("x")) == same);
}

// Source: kubernetes apimachinery pkg/util/strategicpatch; the keys are the patchMergeKey tags of pkg/apis/core
// (staging/src/k8s.io/api/core/v1/types.go).
TEST_CASE("lint strategic merge: maps, nulls, directives and lists", "[lint]") {
  const Node null = {.scalar = ScalarType::null, .text = "null"};
  const auto one = [](const std::string& key, const Node& value) { return map({{key, value}}); };
  const auto directive = [](const std::string& word) { return std::pair<std::string, Node>("$patch", scalar(word)); };
  const Node inner = map({{"x", scalar("1")}, {"y", scalar("2")}});
  struct Row {
    std::string what;
    Node base;
    Node patch;
    std::string merged;
  };
  const std::vector<Row> rows = {
      {"maps merge", map({{"a", scalar("0")}, {"m", inner}}), one("m", map({{"y", scalar("3")}, {"z", scalar("4")}})),
       "{a:0,m:{x:1,y:3,z:4}}"},
      {"a scalar replaces a scalar", one("a", scalar("0")), one("a", scalar("1")), "{a:1}"},
      {"a map replaces a scalar", one("a", scalar("0")), one("a", inner), "{a:{x:1,y:2}}"},
      {"a scalar replaces a map", one("m", inner), one("m", scalar("1")), "{m:1}"},
      {"a list replaces a map", one("m", inner), one("m", list({scalar("1")})), "{m:[1]}"},
      {"a map replaces a list", one("l", list({scalar("1")})), one("l", inner), "{l:{x:1,y:2}}"},
      {"null removes", map({{"a", scalar("0")}, {"m", inner}}), one("m", null), "{a:0}"},
      {"null of what is absent", one("a", scalar("0")), one("b", null), "{a:0}"},
      {"delete", map({{"a", scalar("0")}, {"m", inner}}), one("m", map({directive("delete")})), "{a:0}"},
      {"delete of what is absent", one("a", scalar("0")), one("m", map({directive("delete")})), "{a:0}"},
      {"replace", one("m", inner), one("m", map({directive("replace"), {"z", scalar("4")}})), "{m:{z:4}}"},
      {"other lists are replaced", one("args", list({scalar("1"), scalar("2")})), one("args", list({scalar("3")})),
       "{args:[3]}"},
  };
  for (const Row& row : rows) {
    INFO(row.what);
    Node base = row.base;
    CHECK(merge_strategically(base, row.patch));
    CHECK(written(base) == row.merged);
  }
  Node base = inner;
  CHECK_FALSE(merge_strategically(base, map({directive("delete")})));

  const std::vector<std::pair<std::string, std::string>> merging = {{"containers", "name"},
                                                                    {"initContainers", "name"},
                                                                    {"ephemeralContainers", "name"},
                                                                    {"volumes", "name"},
                                                                    {"env", "name"},
                                                                    {"imagePullSecrets", "name"},
                                                                    {"volumeMounts", "mountPath"},
                                                                    {"ports", "containerPort"},
                                                                    {"topologySpreadConstraints", "topologyKey"}};
  for (const auto& [name, key] : merging) {
    INFO(name);
    const auto element = [&key = key](const std::string& of, const std::pair<std::string, Node>& more) {
      return map({{key, scalar(of)}, more});
    };
    const auto after = [&, name = name](const std::vector<Node>& patch) {
      Node all = one(name, list({element("a", {"v", scalar("1")}), element("b", {"v", scalar("2")})}));
      CHECK(merge_strategically(all, one(name, list(patch))));
      return written(all);
    };
    const std::string a = "{" + name + ":[{" + key + ":a,v:1}";
    CHECK(after({element("b", {"v", scalar("3")})}) == a + ",{" + key + ":b,v:3}]}");
    CHECK(after({element("b", {"w", scalar("3")})}) == a + ",{" + key + ":b,v:2,w:3}]}");
    CHECK(after({element("c", {"v", scalar("3")})}) == a + ",{" + key + ":b,v:2},{" + key + ":c,v:3}]}");
    CHECK(after({element("b", directive("delete"))}) == a + "]}");
    CHECK(after({element("c", directive("delete"))}) == a + ",{" + key + ":b,v:2}]}");
    CHECK(after({map({directive("replace")}), element("c", {"v", scalar("3")})}) ==
          "{" + name + ":[{" + key + ":c,v:3}]}");
  }
}

}  // namespace previct::lint
