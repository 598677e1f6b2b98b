#include "api/locate.h"

#include "api/load.h"
#include "support/input.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <string>

#include <unistd.h>

using namespace previct;

namespace {

auto source_of(const Objects& objects, std::string_view pod) -> Source {
  for (const Pod& each : objects.pods) {
    if (objects.symbols.text(each.meta.name) == pod) return each.meta.source;
  }
  return {};
}

/// Returns the line of the text at a position, from its column on.
auto shown(std::string_view text, const Place& place) -> std::string {
  std::size_t begin = 0;
  for (std::uint32_t line = 1; line < place.line; ++line) begin = text.find('\n', begin) + 1;
  const std::string_view rest = text.substr(begin + place.column - 1);
  return std::string(rest.substr(0, rest.find('\n')));
}

}  // namespace

TEST_CASE("locate: finds a field in the text again, or the deepest part of its path") {
  const std::string yaml = R"(# two documents
apiVersion: v1
items:
- apiVersion: v1
  kind: Pod
  metadata:
    name: a
    annotations:
      key/with.dots: "1"
- kind: Pod
  apiVersion: v1
  metadata: {name: b, annotations: {"key/with.dots": "2"}}
  spec:
    containers:
    - name: main
      resources:
        requests:
          cpu: "1"
  status:
    conditions:
    - type: Ready
    - lastTransitionTime: "2026-01-01T00:00:00Z"
      type: PodScheduled
kind: List
)";
  struct Row {
    const char* pod;
    const char* path;
    const char* shown;
  };
  const Row rows[] = {
      {"a", "metadata.annotations[\"key/with.dots\"]", "key/with.dots: \"1\""},
      {"b", "metadata.annotations[\"key/with.dots\"]", "\"key/with.dots\": \"2\"}}"},
      {"b", "spec.containers[0].resources.requests.cpu", "cpu: \"1\""},
      {"b", "spec.containers[name=main].resources", "resources:"},
      {"b", "spec.containers[1].resources", "containers:"},
      {"b", "status.conditions[type=PodScheduled].lastTransitionTime", "lastTransitionTime: \"2026-01-01T00:00:00Z\""},
      {"b", "status.conditions[type=PodScheduled]", "lastTransitionTime: \"2026-01-01T00:00:00Z\""},
      {"b", "metadata.labels.app", "metadata: {name: b, annotations: {\"key/with.dots\": \"2\"}}"},
      {"b", "", "kind: Pod"},
      {"b", "nothing.such", "kind: Pod"}};
  for (const Row& row : rows) {
    INFO(row.path);
    Objects objects;
    REQUIRE(test::read_text(yaml, objects));
    Sources sources;
    sources.add_text(FileId{0}, yaml);
    CHECK(shown(yaml, locate(sources, source_of(objects, row.pod), row.path)) == row.shown);
  }
}

TEST_CASE("locate: finds fields in JSON, in flow style and after anchors") {
  const char* const texts[] = {
      R"({"kind":"List","items":[{"kind":"Pod","metadata":{"name":"a"}},{"kind":"Pod","metadata":{"name":"b"},"spec":{"nodeName":"here"}}]})",
      "{\n  \"items\": [\n    {\n      \"kind\": \"Pod\",\n      \"metadata\": {\"name\": \"b\"},\n      "
      "\"spec\": {\"nodeName\": \"here\"}}],\n  \"kind\": \"List\"}",
      "---\n{\n  kind: \"List\", items: [{\n    kind: \"Pod\", metadata: {name: \"b\"},\n    spec: "
      "{nodeName: \"here\"}}]}\n",
      "x: &m {name: b}\nkind: List\nitems:\n- kind: Pod\n  metadata: *m\n  spec: {nodeName: \"here\"}\n",
      "kind: Pod\nmetadata: {name: a}\n---\nkind: Pod\nmetadata: {name: b}\nspec: {nodeName: "
      "\"here\"}\n---\nkind: Pod\nmetadata: {name: c}\n"};
  for (const std::string text : texts) {
    INFO(text);
    Objects objects;
    REQUIRE(test::read_text(text, objects));
    Sources sources;
    sources.add_text(FileId{0}, text);
    const Place place = locate(sources, source_of(objects, "b"), "spec.nodeName");
    const std::string found = shown(text, place);
    CHECK(found.substr(0, found.front() == '"' ? 10 : 8) == (found.front() == '"' ? "\"nodeName\"" : "nodeName"));
    CHECK(place.line ==
          1 + static_cast<std::size_t>(
                  std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(text.find("nodeName")), '\n')));
  }
}

TEST_CASE("locate: finds fields of many objects in one pass, in any order and size of objects and lines") {
  // Some objects are larger than one read, and have multi-byte characters at its end.
  std::string yaml = "apiVersion: v1\nitems:\n";
  std::string compact = R"({"apiVersion":"v1","items":[)";
  std::string indented = "{\n    \"apiVersion\": \"v1\",\n    \"items\": [\n";
  constexpr std::size_t kPods = 60;
  for (std::size_t i = 0; i < kPods; ++i) {
    std::string filler;
    while (i % 7 == 3 && filler.size() < 100'000 + i) filler += i % 2 == 0 ? "äß€" : "x";
    yaml += fmt::format(
        "- apiVersion: v1\n  kind: Pod\n  metadata:\n    labels:\n      filler: \"{}\"\n    name: p{}\n  spec:\n    "
        "nodeName: node-{}\n",
        filler, i, i);
    compact += fmt::format(
        R"({}{{"apiVersion":"v1","kind":"Pod","metadata":{{"labels":{{"filler":"{}"}},"name":"p{}"}},"spec":{{"nodeName":"node-{}"}}}})",
        i == 0 ? "" : ",", filler, i, i);
    indented += fmt::format(
        "        {{\n            \"apiVersion\": \"v1\",\n            \"kind\": \"Pod\",\n            \"metadata\": "
        "{{\"name\": \"p{}\", \"labels\": "
        "{{\"filler\": \"{}\"}}}},\n            \"spec\": {{\n                \"nodeName\": \"node-{}\"\n            "
        "}}\n        }}{}\n",
        i, filler, i, i + 1 == kPods ? "" : ",");
  }
  yaml += "kind: List\nmetadata:\n  resourceVersion: \"\"\n";
  compact += R"(],"kind":"List","metadata":{"resourceVersion":""}})";
  indented += "    ],\n    \"kind\": \"List\",\n    \"metadata\": {\"resourceVersion\": \"\"}\n}\n";
  // Anchors and a leading comment disable the fast path.
  const std::string anchored =
      "# all\nx: &s {note: here}\n" + std::string(yaml).replace(yaml.find("  spec:\n"), 8, "  status: *s\n  spec:\n");

  const auto path = std::filesystem::temp_directory_path() / fmt::format("previct-locate-{}", ::getpid());
  for (const std::string& text : {yaml, compact, indented, anchored}) {
    std::ofstream(path, std::ios::binary) << text;
    Objects objects;
    REQUIRE(load({path.string()}, {}, objects));
    CHECK(objects.read.fast == (text == anchored ? 0 : kPods));
    std::vector<FieldOf> fields;
    for (std::size_t i = kPods; i-- > 0;) {
      fields.push_back({objects.pods[PodId{static_cast<std::uint32_t>(i)}].meta.source, "spec.nodeName"});
      fields.push_back({fields.back().object, "metadata.name"});
    }
    const std::vector<Place> places = locate(objects.sources, fields);
    REQUIRE(places.size() == fields.size());
    const std::string_view quote = text.front() == '{' ? "\"" : "";
    const std::string_view blank = text == compact ? "" : " ";
    for (std::size_t i = 0; i < kPods; ++i) {
      const std::size_t pod = kPods - 1 - i;
      const std::string node = fmt::format("{0}nodeName{0}:{1}{0}node-{2}{0}", quote, blank, pod);
      const std::string name = fmt::format("{0}name{0}:{1}{0}p{2}{0}", quote, blank, pod);
      REQUIRE(shown(text, places[2 * i]).starts_with(node));
      REQUIRE(shown(text, places[2 * i + 1]).starts_with(name));
      REQUIRE(places[2 * i] == locate(objects.sources, fields[2 * i].object, "spec.nodeName"));
    }
    std::ofstream(path, std::ios::binary) << "changed: since\n";
    if (text != anchored) CHECK(locate(objects.sources, fields)[1] == fields[1].object);
  }
  std::filesystem::remove(path);
}

TEST_CASE("locate: a text that cannot be read again gives the position of the object") {
  CHECK(locate(Sources(), {FileId{3}, 7, 3}, "spec") == Place{FileId{3}, 7, 3});
  Sources changed;
  changed.add_text(FileId{0}, "a: 1\n");
  CHECK(locate(changed, {FileId{0}, 7, 3}, "spec") == Place{FileId{0}, 7, 3});
}
