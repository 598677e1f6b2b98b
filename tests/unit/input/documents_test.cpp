#include "input/documents.h"

#include "support/input.h"

#include <catch2/catch.hpp>

#include <string>

using namespace previct;
using previct::test::fixture;
using previct::test::read_text;

namespace {

auto failure_of(std::string_view text) -> std::string {
  Objects objects;
  const auto result = read_text(text, objects);
  return result ? std::string() : result.error().message;
}

auto names(const Objects& objects) -> std::string {
  std::string line;
  for (const Pod& pod : objects.pods) line += std::string(objects.symbols.text(pod.meta.name)) + " ";
  return line;
}

}  // namespace

TEST_CASE("documents: no prefix of a kubectl dump that lacks objects is accepted as complete", "[long]") {
  const std::string name = GENERATE(as<std::string>(), "small.yaml", "small.json", "cluster.yaml", "cluster.json",
                                    "raw-pods.json", "pod-list.yaml");
  const std::string dump = fixture("input/" + name);
  Objects whole;
  REQUIRE(read_text(dump, whole));
  std::size_t accepted = 0;
  for (std::size_t size = 0; size < dump.size(); ++size) {
    Objects objects;
    if (!read_text(std::string_view(dump).substr(0, size), objects)) continue;
    // After the kind of a list, or without the last line break.
    if (objects.counts == whole.counts && objects.listed == whole.listed) continue;
    ++accepted;
    UNSCOPED_INFO(name << " cut at byte " << size);
  }
  CHECK(accepted == 0);
}

TEST_CASE("documents: an empty List is complete only with its kind, and with its metadata if they have begun") {
  CHECK(failure_of("apiVersion: v1\nitems: []\nkind: List\nmetadata:\n  resourceVersion: \"\"\n").empty());
  CHECK_FALSE(failure_of("apiVersion: v1\nitems: []\nkind: List\nmetadata:\n  resourceVersion: ").empty());
  CHECK_FALSE(failure_of("apiVersion: v1\nitems: []\nkind: List\nmetadata:\n").empty());
  CHECK(failure_of("apiVersion: v1\nitems: []\nkind: List\n").empty());
  CHECK_FALSE(failure_of("apiVersion: v1\nitems: []\n").empty());
  CHECK_FALSE(failure_of("apiVersion: v1\nitems: []\nkind: Lis").empty());
}

TEST_CASE("documents: a hand-written List needs no trailer") {
  const std::string pod = "- {apiVersion: v1, kind: Pod, metadata: {name: a}}\n";
  CHECK(failure_of("kind: List\nitems:\n" + pod).empty());
  CHECK(failure_of("items:\n" + pod + "kind: List\n").empty());
}

TEST_CASE("documents: a List of another tool ends with its kind, or with metadata that no cut leaves") {
  const std::string stored =
      "apiVersion: v1\nitems:\n- apiVersion: v1\n  kind: Pod\n  metadata:\n    name: a\n    resourceVersion: \"4\"\n"
      "    uid: u\nkind: PodList\n";
  CHECK(failure_of(stored + "metadata: {}\n").empty());
  CHECK_FALSE(failure_of(stored + "metadata:\n").empty());
  // PyYAML sorts keys: in a list without metadata, the kind is last.
  CHECK(failure_of(stored).empty());
  CHECK_FALSE(failure_of(stored.substr(0, stored.find("kind: PodList"))).empty());
  CHECK_FALSE(failure_of(stored.substr(0, stored.size() - 3)).empty());
}

TEST_CASE("documents: a list with a continue token is refused") {
  CHECK(failure_of(R"({"kind":"PodList","apiVersion":"v1","metadata":{"continue":"abc"},"items":[]})")
            .find("metadata.continue") != std::string::npos);
}

TEST_CASE("documents: objects are found in every format that tools write") {
  const std::string a = R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"}})";
  const std::string b = R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"b"}})";
  const std::string bare = R"({"metadata":{"name":"c"}})";
  const std::string list = R"({"apiVersion":"v1","kind":"List","items":[)";
  struct Row {
    std::string text;
    std::string pods;
  };
  const Row rows[] = {
      {a, "a "},
      {a + b, "a b "},
      {a + "\n" + b + "\n", "a b "},
      {"[" + a + "," + b + "]", "a b "},
      {list + a + "," + b + "]}", "a b "},
      {list + list + a + "]}," + b + "]}", "a b "},
      {R"({"kind":"PodList","items":[)" + bare + "]}", "c "},
      {R"({"items":[)" + bare + R"(],"kind":"PodList"})", "c "},
      {R"({"items":null,"kind":"PodList"})", ""},
      {R"({"type":"ADDED","object":)" + a + "}\n" + R"({"type":"BOOKMARK","object":{}})", "a "},
      {"---\n" + a + "\n---\n---\n# nothing\n---\n" + b, "a b "},
      {"---\n{\n  apiVersion: \"v1\",\n  kind: \"Pod\",\n  metadata: {\n    name: \"k\",\n  },\n}\n", "k "},
      {"items:\n- metadata: {name: z}\nkind: PodList\n", "z "}};
  for (const Row& row : rows) {
    INFO(row.text);
    Objects objects;
    const auto result = read_text(row.text, objects);
    INFO((result ? "" : result.error().message));
    CHECK(result);
    CHECK(names(objects) == row.pods);
  }
}

TEST_CASE("documents: an object without a kind is refused with its position") {
  Objects objects;
  const auto result = read_text("kind: List\nitems:\n- apiVersion: v1\n  metadata: {name: a}\n", objects);
  REQUIRE_FALSE(result);
  CHECK(result.error().message == "an object without a kind");
  CHECK(result.error().place.line == 3);
  CHECK(result.error().place.column == 3);
}

TEST_CASE("documents: input that is not a dump is named in the error") {
  struct Row {
    std::string text;
    std::string word;
  };
  const Row rows[] = {
      {"", "has no objects"},
      {" \n\t\n", "has no objects"},
      {"NAME   READY   STATUS\nweb    1/1     Running\n", "table"},
      {"Name:             web-0\nNamespace:        default\nNode:  <none>\n", "kubectl describe"},
      {"Error from server (Forbidden): pods is forbidden\n", "Error from server"},
      {"error: the server doesn't have a resource type\n", "error: "},
      {"<!DOCTYPE html><html></html>", "HTML"},
      {"Warning: v1 ComponentStatus is deprecated\napiVersion: v1\n", "kubectl warning"},
      {"apiVersion: v1\nWarning: v1 is deprecated\nkind: Pod\n", "kubectl warning"},
      {std::string("\x7f"
                   "ELF\x02\x01\x01\0",
                   8),
       "binary"},
      {std::string("a\0p\0i\0V\0e\0r\0s\0:\0", 16), "UTF-16 without a byte order mark"},
      {std::string("\0a\0p\0i\0V\0e\0r\0s\0:", 16), "UTF-16 without a byte order mark"},
      {"Flag --export has been deprecated\napiVersion: v1\n", "kubectl warning"},
      {"E1123 10:01:02.123456   12 memcache.go:265] no metrics: x\n{\"kind\": \"List\"}\n", "kubectl warning"},
      {"```yaml\napiVersion: v1\nkind: Pod\n```\n", "code fence"},
      {"apiVersion: v1\nkind: Pod\n```\n", "code fence"},
      {"$ kubectl get pod a -o yaml\napiVersion: v1\nkind: Pod\n", "a shell command before the dump"},
      {"[root@a ~]# kubectl get pod a -o yaml\nkind: Pod\n", "a shell command before the dump"},
      {"PS C:\\me> kubectl get pod a -o json\r\n{\"kind\": \"Pod\"}\r\n", "a shell command before the dump"},
      {"kubectl get pod a -o json\n{\"kind\": \"Pod\"}\n", "a shell command before the dump"},
      {"> oc get pod a -o json\n{\"kind\": \"Pod\"}\n", "a shell command before the dump"},
      {"kind: Pod\nmetadata:\n  name: a\nroot@master:~# \n", "a shell prompt after the dump: root@master:~#"},
      {"{\"kind\": \"Pod\"}\n$ \n", "a shell prompt after the dump: $"},
      {"WARN[0000] Unable to read /etc/rancher/k3s/k3s.yaml\napiVersion: v1\nkind: Pod\n", "kubectl warning"},
      {"42\n", "expected a Kubernetes object"},
      {"items: [1]\nkind: List\n", "expected a Kubernetes object"},
      {"apiVersion: v1\nitems: []\nkind: List\napiVersion: v1\nitems: []\nkind: List\n", "occurs twice"}};
  for (const Row& row : rows) {
    INFO(row.text);
    CHECK(failure_of(row.text).find(row.word) != std::string::npos);
  }
}

TEST_CASE("documents: text like a prompt or a command inside an object is part of it") {
  const std::string pod = "apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\n";
  for (const std::string& text :
       {"# kubectl get pod a -o yaml\n" + pod, pod + "  annotations:\n    price: 5 $\n", pod + "# root@master:~#\n",
        pod + "  annotations:\n    run: |\n      kubectl get pods\n      $\n", pod + "spec: {hostname: a$}\n",
        std::string("metadata: {name: a, annotations: {run: $ kubectl get pods}}\napiVersion: v1\nkind: Pod\n"),
        std::string(R"({"kind":"Pod","apiVersion":"v1","metadata":{"name":"a","annotations":{"a":"$ kubectl get"}}})"),
        std::string("metadata: {name: a}\napiVersion: v1\nkind: Pod\nlist:\n- 5 $\n")}) {
    INFO(text);
    CHECK(failure_of(text).empty());
  }
}

TEST_CASE("documents: JSON and YAML are distinguished by the first characters") {
  CHECK(looks_like_json("{\"a\": 1}"));
  CHECK(looks_like_json("\n [ {\n"));
  CHECK(looks_like_json("{"));
  CHECK_FALSE(looks_like_json("{a: 1}"));
  CHECK_FALSE(looks_like_json("apiVersion: v1"));
  CHECK_FALSE(looks_like_json("---\n{\"a\": 1}"));
}
