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

}  // namespace previct::lint
