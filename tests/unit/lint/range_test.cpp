#include "lint/range.h"

#include "lint/parse.h"

#include <catch2/catch.hpp>

#include <deque>
#include <string>

// Where a scalar ends, which columns its characters have, and what of a line is shown. YAML 1.2: a plain scalar ends
// before ` #`, in flow style also before `,`, `]` and `}`, and a key before `: `.

namespace previct::lint::ranges {
namespace {

// The scalar that begins at `begin`, as it is written.
auto scalar(std::string_view text, std::string_view meaning, std::size_t begin = 0, bool is_key = false)
    -> std::string {
  return std::string(text.substr(begin, scalar_length(text, begin, meaning, is_key, false)));
}
auto key(std::string_view text, std::string_view meaning) -> std::string {
  return scalar(text, meaning, 0, true);
}
auto in_json(std::string_view text, std::size_t begin = 0) -> std::string {
  return std::string(text.substr(begin, scalar_length(text, begin, "", false, true)));
}

struct Read {
  explicit Read(const std::string& text) {
    source.text = text;
    source.name = "a.yaml";
    source.line_starts = line_starts_of(source.text);
    REQUIRE(parse(source, source.text, "a.yaml", manifests));
    REQUIRE_FALSE(manifests.empty());
  }
  [[nodiscard]] auto in(std::string_view path) const -> Value {
    const Value value = manifests.front().in(path);
    REQUIRE(value);
    return value;
  }

  SourceText source;
  std::deque<Manifest> manifests;
};

}  // namespace

TEST_CASE("lint ranges: a quoted scalar ends with its quote", "[lint][ranges]") {
  CHECK(scalar("\"a\" b", "a") == "\"a\"");
  CHECK(scalar("\"a\\\"b\" c", "a\"b") == "\"a\\\"b\"");
  CHECK(scalar("\"a\\\\\" b", "a\\") == "\"a\\\\\"");
  CHECK(scalar("'a' b", "a") == "'a'");
  CHECK(scalar("'a''b' c", "a'b") == "'a''b'");
  CHECK(scalar("'a\\' b", "a\\") == "'a\\'");
  CHECK(scalar("''''", "'") == "''''");
  CHECK(scalar("\"open", "open") == "\"open");
  CHECK(scalar("'open''", "open'") == "'open''");
  CHECK(scalar("a: \"b\"", "b", 3) == "\"b\"");
}

TEST_CASE("lint ranges: a plain scalar ends where the rest no longer belongs to it", "[lint][ranges]") {
  CHECK(scalar("abc", "abc") == "abc");
  CHECK(scalar("abc  \t", "abc") == "abc");
  CHECK(scalar("abc\nd", "abc") == "abc");
  CHECK(scalar("abc\r\nd", "abc") == "abc");
  CHECK(scalar("abc # d", "abc") == "abc");
  CHECK(scalar("abc\t# d", "abc") == "abc");
  CHECK(scalar("abc#d", "abc#d") == "abc#d");
  CHECK(scalar("a,b", "a,b") == "a,b");
  CHECK(scalar("a, b]", "a") == "a");
  CHECK(scalar("a]", "a") == "a");
  CHECK(scalar("a }", "a") == "a");
  CHECK(scalar("a:b", "a:b") == "a:b");
  CHECK(scalar("a: b", "a: b") == "a: b");
  CHECK(scalar("1_000, 2", "1000") == "1_000");
  CHECK(scalar("x", "x") == "x");
  CHECK(scalar("|- # d\n  text", "text") == "|-");
  CHECK(key("a: b", "a") == "a");
  CHECK(key("a : b", "a") == "a");
  CHECK(key("a:\tb", "a") == "a");
  CHECK(key("a:\n", "a") == "a");
  CHECK(key("a:b: c", "a:b") == "a:b");
}

TEST_CASE("lint ranges: anchors and tags belong to a scalar", "[lint][ranges]") {
  CHECK(scalar("&a b c", "b c") == "&a b c");
  CHECK(scalar("!!str  &a  'b' c", "b") == "!!str  &a  'b'");
  CHECK(scalar("&a\n  b # c", "b") == "&a\n  b");
  CHECK(scalar("&a", "") == "&a");
  CHECK(scalar("!!null ", "") == "!!null ");
  CHECK(in_json("&a b") == "&a");
}

TEST_CASE("lint ranges: in JSON, a scalar ends before a blank or a mark", "[lint][ranges]") {
  CHECK(in_json("\"a\\\"b\",") == "\"a\\\"b\"");
  for (const char end : {' ', '\t', '\r', '\n', ',', ':', ']', '}'})
    CHECK(in_json(std::string("12") + end + "3") == "12");
  CHECK(in_json("true") == "true");
  CHECK(in_json("'a' b") == "'a'");
  CHECK(in_json("'a b'") == "'a");  // no quote of JSON
}

TEST_CASE("lint ranges: columns count characters", "[lint][ranges]") {
  CHECK(character_count("") == 0);
  CHECK(character_count("abc") == 3);
  CHECK(character_count("a\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80") == 4);
  SourceText source;
  source.text =
      "ab\n\xc3\xa4\xe2\x82\xac"
      "c\n";
  source.line_starts = line_starts_of(source.text);
  CHECK(offset_at(source, 1, 1) == 0);
  CHECK(offset_at(source, 1, 2) == 1);
  CHECK(offset_at(source, 2, 1) == 3);
  CHECK(offset_at(source, 2, 2) == 5);
  CHECK(offset_at(source, 2, 3) == 8);
  CHECK(offset_at(source, 9, 1) == std::string::npos);
  CHECK(offset_at(source, 2, 99) == source.text.size());
  const TextRange range = range_between(source, 5, 8);
  CHECK(std::pair(range.line, range.column) == std::pair(2U, 2U));
  CHECK(std::pair(range.end_line, range.end_column) == std::pair(2U, 3U));
  source.text = "abc\nde\n";
  source.line_starts = line_starts_of(source.text);
  source.ascii = true;
  const TextRange lines = range_between(source, 2, 5);
  CHECK(std::pair(lines.line, lines.column) == std::pair(1U, 3U));
  CHECK(std::pair(lines.end_line, lines.end_column) == std::pair(2U, 2U));
}

TEST_CASE("lint ranges: a part of a value is its key, its scalar, or both", "[lint][ranges]") {
  const Read read("kind: Pod\nmetadata:\n  name: p\nspec: {nodeName: n1, list: [a, b]}\n");
  const auto range = [&](const Value& value, Part part) {
    const TextRange r = range_of(value, part);
    return std::to_string(r.line) + ":" + std::to_string(r.column) + "-" + std::to_string(r.end_line) + ":" +
           std::to_string(r.end_column);
  };
  CHECK(range(read.in("spec.nodeName"), Part::key) == "4:8-4:16");
  CHECK(range(read.in("spec.nodeName"), Part::value) == "4:18-4:20");
  CHECK(range(read.in("spec.nodeName"), Part::field) == "4:8-4:20");
  CHECK(range(read.in("metadata"), Part::key) == "2:1-2:9");
  CHECK(range(read.in("metadata"), Part::value) == "2:1-2:9");
  CHECK(range(read.in("metadata"), Part::field) == "2:1-2:9");
  CHECK(range(*read.in("spec.list").begin(), Part::key) == "4:29-4:30");
  CHECK(range(*read.in("spec.list").begin(), Part::field) == "4:29-4:30");
}

TEST_CASE("lint ranges: the field of an alias is the text of its anchor", "[lint][ranges]") {
  const Read read("kind: Pod\nmetadata:\n  name: &a p\nspec:\n  nodeName: *a\n");
  const TextRange range = range_of(read.in("spec.nodeName"), Part::field);
  CHECK(std::pair(range.line, range.column) == std::pair(3U, 9U));
  CHECK(std::pair(range.end_line, range.end_column) == std::pair(3U, 13U));
}

TEST_CASE("lint ranges: values that may be secrets", "[lint][ranges]") {
  const Read pod(
      "apiVersion: v1\nkind: Pod\nmetadata:\n  annotations:\n    token: x\n    yunikorn.apache.org/queue: root.a\n    "
      "flag: "
      "\"true\"\n  labels: {a: b}\nspec:\n  command: {a: x, b: \"false\"}\n  args: {a: x}\n  env: {name: A, value: x, "
      "valueFrom: y}\n  data: {a: x}\n");
  const auto is_secret = [&](std::string_view path) { return is_private(pod.in(path)); };
  CHECK(is_secret("spec.command.a"));
  CHECK_FALSE(is_secret("spec.command.b"));
  CHECK(is_secret("spec.args.a"));
  CHECK(is_secret("spec.env.value"));
  CHECK_FALSE(is_secret("spec.env.name"));
  CHECK_FALSE(is_secret("spec.env.valueFrom"));
  CHECK_FALSE(is_secret("spec.data.a"));
  CHECK_FALSE(is_secret("metadata.labels.a"));
  CHECK(is_secret("metadata.annotations.token"));
  CHECK_FALSE(is_private(pod.in("metadata.annotations")["yunikorn.apache.org/queue"]));
  CHECK_FALSE(is_secret("metadata.annotations.flag"));
  CHECK_FALSE(is_secret("metadata.annotations"));
  const Read config_map("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {a: x}\nbinaryData: {b: x}\n");
  CHECK(is_private(config_map.in("data.a")));
  CHECK(is_private(config_map.in("binaryData.b")));
  CHECK_FALSE(is_private(config_map.in("metadata.name")));
  const Read secret("apiVersion: v1\nkind: Secret\nmetadata: {name: s}\ntype: \"true\"\n");
  CHECK(is_private(secret.in("metadata.name")));
  CHECK(is_private(secret.in("type")));
}

TEST_CASE("lint ranges: of a line, the field is shown, and at most 200 bytes", "[lint][ranges]") {
  const auto shown = [](const std::string& text, std::string_view path, Part part) {
    const Read read(text);
    const Excerpt found = excerpt_of(read.in(path), part);
    return std::to_string(found.line) + ": " + found.text + "|" + found.text.substr(found.from, found.length);
  };
  CHECK(shown("kind: Pod\nmetadata: {name: p}\n", "metadata.name", Part::value) == "2: name: p|p");
  CHECK(shown("kind: Pod\nmetadata:\n  name: p # a\n", "metadata.name", Part::value) == "3:   name: p|p");
  CHECK(shown("kind: Pod\nmetadata:\n  name: p # a\n", "metadata.name", Part::key) == "3:   name|name");
  CHECK(shown("kind: Pod\nmetadata:\n  name: p\n", "metadata", Part::value) == "2: metadata|metadata");
  const std::string longer(300, 'x');
  CHECK(shown("kind: Pod\nmetadata:\n  name: " + longer + "\n", "metadata.name", Part::value) ==
        "3:   name: " + longer.substr(0, 192) + "|" + longer.substr(0, 192));
  // A value on a line after its key is shown alone.
  CHECK(shown("kind: Pod\nmetadata:\n  name:\n    p\n", "metadata.name", Part::value) == "4:     p|p");
  // What precedes it is shown only if it is blank, and short.
  CHECK(shown("kind: Pod\nmetadata: {name: p}\n" + std::string("spec:\n") + std::string(199, ' ') + "a: b\n", "spec.a",
              Part::value) == "4: " + std::string(199, ' ') + "a|");
  CHECK(shown("kind: Pod\nmetadata: {name: p}\n" + std::string("spec:\n") + std::string(200, ' ') + "a: b\n", "spec.a",
              Part::value) == "4: a: b|b");
}

}  // namespace previct::lint::ranges
