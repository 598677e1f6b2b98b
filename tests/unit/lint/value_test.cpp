// Values, places and names of manifests.
#include "lint/value.h"

#include "lint/placeholder.h"
#include "lint/tree.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <string>

using namespace previct;
using namespace previct::lint;

namespace {

struct Read {
  explicit Read(const std::string& text) { tree.read_text("m.yaml", text, false); }

  [[nodiscard]] auto of_kind(const std::string& kind) const -> const Manifest& {
    const auto& all = tree.manifests();
    const auto found = std::find_if(all.begin(), all.end(), [&](const Manifest& each) { return each.kind == kind; });
    REQUIRE(found != all.end());
    return *found;
  }

  Tree tree;
};

}  // namespace

TEST_CASE("lint values: the offset of a line and a column, both from 1 on", "[lint]") {
  // Line 1 begins at 0, line 2 at 3. The place after the last byte is one, too.
  SourceText source;
  source.text = "ab\ncd";
  source.line_starts = {0, 3};
  CHECK(source.offset(1, 1) == 0);
  CHECK(source.offset(1, 2) == 1);
  CHECK(source.offset(2, 1) == 3);
  CHECK(source.offset(2, 3) == 5);
  for (const auto& [line, column] : {std::pair(2U, 4U), {0U, 1U}, {1U, 0U}, {2U, 0U}, {3U, 1U}, {9U, 1U}})
    CHECK(source.offset(line, column) == std::string::npos);
  CHECK(source.line(1) == "ab");
  CHECK(source.line(2) == "cd");
  CHECK(source.line(0).empty());
  CHECK(source.line(3).empty());
}

TEST_CASE("lint values: the value at a place is the one whose key or text begins there", "[lint]") {
  const Read read("kind: Pod\napiVersion: v1\nmetadata:\n  name: p\nspec:\n  containers:\n  - name: c\n    image: i\n");
  const Manifest& pod = read.of_kind("Pod");
  CHECK(pod.at(1, 1).text() == "Pod");  // the root begins at its first key, which is meant
  CHECK(pod.at(1, 7).text() == "Pod");
  CHECK(pod.at(4, 3).text() == "p");
  CHECK(pod.at(4, 9).text() == "p");
  CHECK(pod.at(3, 1).key() == "metadata");
  CHECK(pod.at(8, 5).key() == "image");
  CHECK(pod.at(8, 12).text() == "i");
  // Where no value begins, it is the root.
  for (const auto& [line, column] : {std::pair(4U, 4U), {4U, 1U}, {9U, 1U}, {0U, 0U}, {1U, 2U}})
    CHECK(pod.at(line, column).index() == pod.root().index());
}

TEST_CASE("lint values: a configuration without a name is called like its ConfigMap", "[lint]") {
  const auto identity = [](const std::string& meta) {
    const Read read(
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c, namespace: team}\ndata:\n  f.yaml: |\n"
        "    apiVersion: kubescheduler.config.k8s.io/v1\n    kind: KubeSchedulerConfiguration\n" +
        meta);
    CHECK(read.of_kind("ConfigMap").identity() == "ConfigMap team/c");
    return read.of_kind("KubeSchedulerConfiguration").identity();
  };
  CHECK(identity("") == "ConfigMap team/c");
  CHECK(identity("    metadata: {name: mine}\n") == "KubeSchedulerConfiguration mine");
}

// Texts that a program fills in later: shell and make variables, Go, Jinja, ERB and ytt templates, Helm's default name,
// and markers of sed. A rule does not judge them.
TEST_CASE("lint placeholders: what is filled in later, and what only looks like it", "[lint]") {
  for (const char* text : {"${A}",
                           "a-${b}",
                           "{{ .Values.a }}",
                           "$(VAR)",
                           "{% if a %}",
                           "<%= a %>",
                           "[[ .a ]]",
                           "RELEASE-NAME-app",
                           "$NAME",
                           "a$_b",
                           "a$b$C",
                           "<a>",
                           "<a b>",
                           "FROM_OVERLAY",
                           "A_BCD",
                           "XVERSIONX",
                           "X123X",
                           "docker.io/XIMAGEX",
                           "__a__",
                           "__a-b.c_1__",
                           "%a%",
                           "@a@"}) {
    INFO(text);
    CHECK(is_placeholder(text));
    CHECK(line_holds_placeholder(text));
  }
  for (const char* text :
       {"",        "a",    "$",     "a$",    "$a",    "$1",    "<>",    "a<b>",           "<a>b", "<a><b>", "X12X",
        "XAX",     "A_BC", "ABCDE", "XABCD", "ABCDX", "XabcX", "a_bcd", "FROM_OVERLAY/a", "____", "__a",    "a__",
        "__a b__", "%%",   "%a",    "%a b%", "@@",    "@a",    "@a/b@", "__a%",           "{a}"}) {
    INFO(text);
    CHECK_FALSE(is_placeholder(text));
  }
  for (const char* line : {"a: @b@", "a: %b% c", "a: {b}", "a: <b> c", "  <a b>  ", "@a b@c@", "a: {} {b}"}) {
    INFO(line);
    CHECK(line_holds_placeholder(line));
  }
  for (const char* line : {"", "a: b", "a: {b: c}", "a: {}", "a < b > c", "a@b", "50%", "a: <b c> d", "a: {b"}) {
    INFO(line);
    CHECK_FALSE(line_holds_placeholder(line));
  }
  for (const char* text :
       {"a: {{ b }}", "{% for a in b %}", "<% a %>", "[[ a ]]", "a: b\n[[ if c ]]\n", "#@ if values.ha:\na: b\n",
        "a: b #@ for c in d:", "#@ load(\"@ytt:data\", \"data\")", "#@ end\n#@ if a:\n"}) {
    INFO(text);
    CHECK(is_template(text));
  }
  for (const char* text : {"", "a: b\n", "a: [[b]]\n", "#@ end\n", "#@if a:\n", "# @ if a:\n", "#@ format\n"}) {
    INFO(text);
    CHECK_FALSE(is_template(text));
  }
}
