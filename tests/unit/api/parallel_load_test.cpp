#include "api/parallel_load.h"

#include "api/fast_load.h"
#include "api/load.h"
#include "api/store_sink.h"
#include "input/read_ahead.h"
#include "support/input.h"
#include "support/objects_text.h"
#include "support/scratch.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <set>
#include <stdexcept>

using namespace previct;

namespace {

/// Returns everything that was read, with the numbers of the symbols.
auto all_of(Objects& objects) -> std::string {
  std::string text = test::objects_text(objects);
  text += fmt::format("fast {} general {}\n", objects.read.fast, objects.read.general);
  for (std::uint32_t i = 0; i < objects.symbols.size(); ++i)
    text += fmt::format("{} ", objects.symbols.text(Symbol{i}));
  return text;
}

auto in_one(std::string_view text) -> std::string {
  Objects objects;
  StoreSink sink(FileId{0}, objects);
  return read_fast(*memory_source(text), FileId{0}, objects, sink) ? all_of(objects) : "";
}

auto in_parts(std::string_view text, const ListShape& shape, const std::vector<std::uint64_t>& borders) -> std::string {
  Objects objects;
  return read_parts(pieces_of(text), shape, borders, FileId{0}, objects) ? all_of(objects) : "";
}

/// Cuts `text` at each of its bytes, into two and into three parts, also where no item begins. Checks that right
/// borders give the same objects; returns the number of right borders.
auto right_borders(std::string_view text) -> std::size_t {
  const std::string whole = in_one(text);
  const auto shape = list_shape(*memory_source(text));
  if (!shape) return 0;
  std::set<std::vector<std::uint64_t>> all;
  for (std::uint64_t cut = 0; cut <= text.size(); ++cut) {
    for (const auto& cuts : {std::vector{cut}, std::vector{cut, (cut + text.size()) / 2}}) {
      const auto borders = part_borders(pieces_of(text), *shape, cuts);
      if (borders.size() > 2) all.insert(borders);
    }
    if (cut > 0 && cut < text.size() && cut % 5 == 0) all.insert({0, cut, text.size()});
  }
  std::size_t right = 0;
  for (const auto& borders : all) {
    const std::string parts = in_parts(text, *shape, borders);
    if (parts.empty()) continue;
    INFO(text << "\nfrom " << borders[1]);
    REQUIRE(parts == whole);
    ++right;
  }
  return right;
}

constexpr std::string_view kEnd = "kind: List\nmetadata:\n  resourceVersion: \"\"\n";

auto yaml_pod(std::string_view name, std::string_view more = "") -> std::string {
  return fmt::format(
      "- apiVersion: v1\n  kind: Pod\n  metadata:\n    labels:\n      app: {}\n      tier: web\n    name: {}\n    "
      "namespace: ml\n"
      "{}  spec:\n    nodeName: node-{}\n  status:\n    phase: Running\n",
      name, name, more, name);
}

auto yaml_list(const std::vector<std::string>& items) -> std::string {
  return fmt::format("apiVersion: v1\nitems:\n{}{}", fmt::join(items, ""), kEnd);
}

auto json_pod(std::string_view name, std::string_view more = "") -> std::string {
  return fmt::format(
      R"({{"apiVersion":"v1","kind":"Pod","metadata":{{"labels":{{"app":"{}"}},"name":"{}","namespace":"ml"{}}},"spec":{{"nodeName":"node-{}"}}}})",
      name, name, more, name);
}

auto json_list(const std::vector<std::string>& items) -> std::string {
  return fmt::format(R"({{"apiVersion":"v1","items":[{}],"kind":"List","metadata":{{"resourceVersion":""}}}})",
                     fmt::join(items, ","));
}

auto indented(const std::string& json) -> std::string {
  return nlohmann::ordered_json::parse(json).dump(4) + "\n";
}

}  // namespace

TEST_CASE("parallel load: equal to a serial load, wherever the dump is cut") {
  // Four items have three borders for two parts, and some of the three pairs for three parts.
  const std::string yaml = yaml_list({yaml_pod("a"), yaml_pod("b"), yaml_pod("c"), yaml_pod("d")});
  const std::string json = json_list({json_pod("a"), json_pod("b"), json_pod("c"), json_pod("d")});
  const std::string lines = json_pod("a") + "\n" + json_pod("b") + "\n\n" + json_pod("c") + "\n" + json_pod("d") + "\n";
  for (const std::string& text : {yaml, json, indented(json), lines}) {
    REQUIRE_FALSE(in_one(text).empty());
    CHECK(right_borders(text) > 3);
  }
}

TEST_CASE("parallel load: fixtures of every kind are equal") {
  const std::string text =
      test::fixture(GENERATE(as<std::string>(), "input/small.yaml", "input/small.json", "input/raw-pods.json"));
  CHECK(right_borders(text) > 0);
}

TEST_CASE("parallel load: general-path input, warnings and several lists are equal") {
  // A comment, a flow mapping, a duplicate key (a warning with its position), and a text that contains what looks like
  // an item (read by the general path, because kubectl would not write it so).
  const std::string odd =
      yaml_list({yaml_pod("a", "    # one\n"), yaml_pod("b", "    annotations: {previct/x: \"1\"}\n"),
                 yaml_pod("c", "    name: c\n"),
                 yaml_pod("d", "    annotations:\n      previct/y: |\n        x\n\n        - z\n"), yaml_pod("e")});
  CHECK(right_borders(odd) > 0);
  CHECK(right_borders(yaml_list({yaml_pod("a"), yaml_pod("b")}) + "---\n" +
                      yaml_list({yaml_pod("c"), yaml_pod("d", "    # x\n")})) > 0);
  const std::string odd_json = json_list({json_pod("a"), json_pod("b", R"(,"name":"b")"),
                                          json_pod("c", R"(,"annotations":{"previct/\u0061":"},{\"apiVersion\":"})")});
  CHECK(right_borders(odd_json) > 0);
  CHECK(right_borders(indented(odd_json)) > 0);
  CHECK(right_borders(indented(json_list({json_pod("a"), json_pod("b")})) +
                      indented(json_list({json_pod("c"), json_pod("d")}))) > 0);
  const std::string typed =
      R"({"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"7"},"items":[{"metadata":{"name":"a","namespace":"n"}},)"
      R"({"metadata":{"name":"b","namespace":"n"},"metadata":{"name":"c","namespace":"n"}},{"metadata":{"name":"d","namespace":"n"}}]})";
  CHECK(right_borders(typed) > 0);
}

TEST_CASE("parallel load: lists with apparent items at the cut, or with unlike items, are read serially") {
  // The second list has another kind, or other fields before its items; what looks like an item of the first list is in
  // another list, or in a text.
  const std::vector<std::string> texts = {
      R"({"kind":"PodList","apiVersion":"v1","items":[{"metadata":{"name":"a"}},{"metadata":{"name":"b"}}]})"
      "\n"
      R"({"kind":"NodeList","apiVersion":"v1","items":[{"metadata":{"name":"c"}},{"metadata":{"name":"d"}}]})",
      json_pod("a") + "\n" + json_list({json_pod("b"), json_pod("c")}) + "\n" + json_pod("d") + "\n",
      yaml_list({yaml_pod("a"), yaml_pod("b")}) + "other:\n" + yaml_pod("c") + yaml_pod("d"),
      yaml_list({yaml_pod("a", "    annotations:\n      previct/x: \"y\n- apiVersion: v1\n  kind: Pod\n  z\"\n"),
                 yaml_pod("b")}),
      yaml_list({yaml_pod("a"), yaml_pod("b")}) + "---\n- apiVersion: v1\n  kind: Pod\n  metadata:\n    name: z\n"};
  for (const std::string& text : texts) right_borders(text);
}

TEST_CASE("parallel load: cut or broken input, or other line breaks, are refused as in a serial load") {
  const std::string yaml = yaml_list({yaml_pod("a"), yaml_pod("b"), yaml_pod("c")});
  const std::string json = indented(json_list({json_pod("a"), json_pod("b"), json_pod("c")}));
  for (std::size_t size = 0; size + 1 < json.size(); size += 211) {
    for (const std::string& text : {yaml.substr(0, std::min(size, yaml.size() - 1)), json.substr(0, size)}) {
      INFO(text);
      REQUIRE(in_one(text).empty());
      CHECK(right_borders(text) == 0);
    }
  }
  std::string broken = yaml;
  broken.insert(broken.rfind("    nodeName"), "   x: [\n");
  CHECK(right_borders(broken) == 0);
  std::string crlf;
  for (const char c : yaml) crlf += c == '\n' ? "\r\n" : std::string(1, c);
  CHECK(right_borders(crlf) == 0);
}

TEST_CASE("parallel load: a large file gives the same result with any threads, even if its second half is broken") {
  std::vector<std::string> items;
  for (int i = 0; i < 600; ++i) items.push_back(yaml_pod(fmt::format("p{}", i), i == 500 ? "    name: twice\n" : ""));
  const std::string good = yaml_list(items);
  std::string broken = good;
  broken.replace(broken.find("node-p550"), 4, "{x: ");
  std::string refused = good;
  refused.replace(refused.find("node-p550"), 9, "55");
  const test::Scratch scratch;
  for (const std::string& text : {good, broken, refused, good.substr(0, good.size() - 200)}) {
    const std::string path = scratch.file("parts.yaml", text);
    std::string first;
    for (const unsigned threads : {1U, 3U}) {
      Objects objects;
      const auto done = load({path}, {.threads = threads, .smallest_part = 4096}, objects);
      const std::string said = done ? all_of(objects) + fmt::format("{}", objects.inputs.front().unpacked)
                                    : objects.files.describe(done.error().place) + ": " + done.error().message;
      if (threads == 1) first = said;
      CHECK(said == first);
      CHECK(done.has_value() == (text == good));
    }
  }
}

TEST_CASE("parallel load: any number of threads detects what concerns the whole input") {
  // Two consecutive captures report how many pods both hold; a watch deletes a pod; a configuration is in use.
  const std::string config = R"({"apiVersion":"kubescheduler.config.k8s.io/v1","kind":"KubeSchedulerConfiguration"})";
  const std::string capture =
      R"({"apiVersion":"previct/v1alpha1","kind":"Capture","of":"files","kinds":[{"kind":"Pod","count":200}]})";
  std::string pods;
  for (int i = 0; i < 200; ++i) pods += json_pod(fmt::format("p{}", i)) + "\n";
  std::string others = pods;
  for (std::size_t at = 0; (at = others.find("\"ml\"", at)) != std::string::npos;) others.replace(at, 4, "\"dl\"");
  const std::string deleted = R"({"type":"DELETED","object":)" + json_pod("p7") + "}\n";
  const test::Scratch scratch;
  for (const std::string& text :
       {capture + "\n" + pods + capture + "\n" + others, pods + config + "\n" + others, pods + deleted + others}) {
    const std::string path = scratch.file("whole.jsonl", text);
    for (const unsigned threads : {1U, 2U, 3U}) {
      Objects objects;
      const auto done = load({path}, {.threads = threads, .smallest_part = 4096}, objects);
      INFO(text.substr(0, 200) << (done ? "" : done.error().message));
      REQUIRE(done);
      const bool watched = text.find("DELETED") != std::string::npos;
      CHECK(objects.pods.size() == (watched ? 399 : 400));
      CHECK(done->scheduler_config.has_value() == (text.find(config) != std::string::npos));
      CHECK(objects.captures.size() == (text.starts_with(capture) ? 2 : 0));
      if (objects.captures.size() == 2) CHECK(objects.captures[1].source.line == 202);
    }
  }
}

TEST_CASE("read-ahead: gives the same bytes and the same failure") {
  std::string text;
  for (int i = 0; i < 400'000; ++i) text += fmt::format("{}\n", i);
  const auto ahead = read_ahead(memory_source(text));
  std::string read;
  std::vector<char> piece(100'000);
  for (;;) {
    const auto count = ahead->read(piece);
    REQUIRE(count);
    if (*count == 0) break;
    read.append(piece.data(), *count);
  }
  CHECK(read == text);
  CHECK(ahead->read(piece) == 0U);

  class Broken final : public ByteSource {
   public:
    explicit Broken(bool throws) : throws_(throws) {}
    auto read(std::span<char> into) -> Result<std::size_t> override {
      if (count_++ < 3) return into.size();
      if (throws_) throw std::runtime_error("no more");
      return fail("broken");
    }

   private:
    bool throws_;
    int count_ = 0;
  };
  const auto drain = [&](ByteSource& source) -> Result<void> {
    for (;;) {
      PREVICT_TRY(const std::size_t count, source.read(piece));
      if (count == 0) return {};
    }
  };
  const auto failing = drain(*read_ahead(std::make_unique<Broken>(false)));
  REQUIRE_FALSE(failing);
  CHECK(failing.error().message == "broken");
  CHECK_THROWS_AS(drain(*read_ahead(std::make_unique<Broken>(true))), std::runtime_error);
  const auto unread = read_ahead(std::make_unique<Broken>(false));  // is not read to its end
}
