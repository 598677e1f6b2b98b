#include "api/successive_texts.h"

#include "support/objects_text.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <random>
#include <utility>

namespace previct::successive_texts_test {
namespace {

constexpr std::string_view kTaken = "2026-11-20T23:41:17Z";

auto manifest(std::string_view taken = kTaken) -> std::string {
  return fmt::format(R"({{"apiVersion":"previct/v1alpha1","kind":"Capture","of":"cluster","taken":"{}","kinds":[]}})",
                     taken);
}

auto pod(std::string_view name, std::string_view node = "a", std::string_view more = "") -> std::string {
  return fmt::format(
      R"({{"apiVersion":"v1","kind":"Pod","metadata":{{"name":"{0}","namespace":"ml","uid":"{0}-uid"{2}}},"spec":{{"nodeName":"{1}","containers":[{{"name":"c","resources":{{"requests":{{"cpu":"1"}}}}}}]}},"status":{{"phase":"Running","startTime":"2026-11-20T20:00:00Z"}}}})",
      name, node, more);
}

auto node(std::string_view name, std::string_view heartbeat) -> std::string {
  return fmt::format(
      R"({{"apiVersion":"v1","kind":"Node","metadata":{{"name":"{}","uid":"{}-uid"}},"status":{{"allocatable":{{"cpu":"8"}},"conditions":[{{"type":"Ready","status":"True","lastHeartbeatTime":"{}"}}]}}}})",
      name, name, heartbeat);
}

auto text_of(const std::vector<std::string>& lines) -> std::string {
  return fmt::format("{}\n", fmt::join(lines, "\n"));
}

auto words_of(Objects& objects, const Result<Configurations>& found) -> std::string {
  if (!found) return objects.files.describe(found.error().place) + ": " + found.error().message;
  std::string words = test::objects_text(objects);
  if (found->scheduler_config) words += "scheduler " + found->scheduler_config->bytes;
  for (const Capture& each : objects.captures) words += fmt::format("capture {}\n", each.source.line);
  for (const InputRecord& each : objects.inputs) words += fmt::format("input {} {}\n", each.file.index, each.unpacked);
  return words;
}

auto read_alone(std::string_view text) -> std::string {
  Objects objects;
  const auto found = load_text("state", text, {}, objects);
  return words_of(objects, found);
}

/// Reads texts in succession. Each stays in memory for the next.
class Succession {
 public:
  auto read(std::string text) -> std::string {
    text.reserve(64);  // a very short text would move together with its string
    before_ = std::exchange(text_, std::move(text));
    const auto done = texts_.next("state", text_);
    Objects objects(texts_.tables());
    if (!done) return words_of(objects, tl::unexpected(done.error()));
    const auto found = texts_.objects(objects);
    fast_ = objects.read.fast;
    return words_of(objects, found);
  }
  [[nodiscard]] auto gone() const -> std::vector<std::string> {
    std::vector<std::string> names;
    if (texts_.gone_pods() == nullptr) return {"unknown"};
    for (const Pod& each : *texts_.gone_pods()) names.emplace_back(texts_.tables()->symbols.text(each.meta.name));
    return names;
  }
  [[nodiscard]] auto is_like_before() const -> bool { return texts_.is_like_before(); }

 private:
  SuccessiveTexts texts_{LoadOptions{}};
  std::string text_;
  std::string before_;
  std::size_t fast_ = 0;
};

// Each text, read after the ones before it, must give what it gives alone.
void check_all(const std::vector<std::string>& texts) {
  Succession succession;
  for (const std::string& text : texts) {
    INFO(text);
    CHECK(succession.read(text) == read_alone(text));
  }
}

const std::vector<std::string> kState = {manifest(),
                                         node("a", "2026-11-20T23:40:00Z"),
                                         node("b", "2026-11-20T23:40:10Z"),
                                         pod("p1"),
                                         pod("p2"),
                                         pod("p3", "b"),
                                         pod("p4", "b")};

}  // namespace

TEST_CASE("successive texts: objects change, come, end and move", "[series]") {
  auto changed = kState;
  changed[0] = manifest("2026-11-20T23:46:17Z");
  changed[1] = node("a", "2026-11-20T23:45:00Z");
  changed[4] = pod("p2", "b");
  auto fewer = changed;
  fewer.erase(fewer.begin() + 3);
  auto more = fewer;
  more.insert(more.begin() + 4, pod("p5"));
  more.push_back(pod("p0"));
  auto moved = more;
  std::swap(moved[3], moved[5]);
  check_all({text_of(kState), text_of(changed), text_of(fewer), text_of(more), text_of(moved), text_of(kState)});
}

TEST_CASE("successive texts: pods that are gone, or that another pod has replaced", "[series]") {
  Succession succession;
  auto state = kState;
  for (const char* const name : {"p5", "p6", "p7"}) state.push_back(pod(name));
  succession.read(text_of(state));
  CHECK(succession.gone() == std::vector<std::string>{"unknown"});
  auto next = state;
  next[3] = pod("p1", "b");  // it has changed
  next[4].replace(next[4].find("p2-uid"), 6, "uid-of");
  next.erase(next.begin() + 5);
  succession.read(text_of(next));
  CHECK(succession.gone() == std::vector<std::string>{"p2", "p3"});
  succession.read(text_of(next));
  CHECK(succession.gone().empty());
}

TEST_CASE("successive texts: a state that is cut, damaged or in another form is read as a whole", "[series]") {
  const std::string whole = text_of(kState);
  auto damaged = kState;
  damaged[4] = damaged[4].substr(0, damaged[4].size() - 1);
  auto list = kState;
  list[4] = R"({"apiVersion":"v1","kind":"List","items":[)" + list[4] + "]}";
  auto blank = kState;
  blank[5] = "";
  const std::string yaml = "apiVersion: v1\nkind: Pod\nmetadata: {name: web}\n";
  check_all({whole, text_of(damaged), whole, text_of(list), text_of(kState), text_of(blank), whole, yaml, yaml, whole,
             whole.substr(0, whole.size() - 1), whole.substr(0, whole.size() - 20), whole, "", whole, "kind: PodList",
             whole});
  auto few = kState;
  few[0].replace(few[0].find("[]"), 2, R"([{"kind":"Pod","count":5}])");
  check_all({whole, text_of(few), whole});
}

TEST_CASE("successive texts: two objects of one name, and what depends on other objects", "[series]") {
  auto twice = kState;
  twice.push_back(pod("p1", "b"));
  auto equal = kState;
  equal.insert(equal.begin() + 4, pod("p1"));
  auto classes = kState;
  classes.push_back(
      R"({"apiVersion":"scheduling.k8s.io/v1","kind":"PriorityClass","metadata":{"name":"low"},"value":7})");
  classes.push_back(
      R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"w","namespace":"ml"},"spec":{"priorityClassName":"low"}})");
  auto other_value = classes;
  other_value[7].replace(other_value[7].find(":7}"), 3, ":8}");
  check_all({text_of(twice), text_of(twice), text_of(equal), text_of(equal), text_of(kState), text_of(classes),
             text_of(other_value), text_of(classes)});
}

TEST_CASE("successive texts: messages, configurations and objects without their content", "[series]") {
  auto all = kState;
  all.insert(all.begin() + 2,
             R"({"apiVersion":"kubescheduler.config.k8s.io/v1","kind":"KubeSchedulerConfiguration","profiles":[]})");
  all.push_back(
      R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"yunikorn-configs","namespace":"yunikorn"},"data":{"queues.yaml":"a"}})");
  all.push_back(R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"other"},"data":{"a":"b"}})");
  all.push_back(R"({"apiVersion":"unknown/v1","kind":"Thing","metadata":{"name":"t"}})");
  auto later = all;
  later.insert(later.begin() + 1, pod("p0"));
  auto warned = later;
  warned[6] = pod("p3", "b", R"(,"label":{"a":"b"})");
  auto after = warned;
  after.pop_back();
  check_all({text_of(all), text_of(all), text_of(later), text_of(warned), text_of(after), text_of(later)});
}

TEST_CASE("successive texts: a state is like the one before if only its first line differs", "[series]") {
  Succession succession;
  auto later = kState;
  later[0] = manifest("2026-11-20T23:46:17Z");
  auto fewer = later;
  fewer.pop_back();
  static_cast<void>(succession.read(text_of(kState)));
  CHECK_FALSE(succession.is_like_before());
  static_cast<void>(succession.read(text_of(later)));
  CHECK(succession.is_like_before());
  CHECK(succession.read(text_of(later)) == read_alone(text_of(later)));
  CHECK(succession.is_like_before());
  static_cast<void>(succession.read(text_of(fewer)));
  CHECK_FALSE(succession.is_like_before());
  static_cast<void>(succession.read(text_of(later)));
  CHECK_FALSE(succession.is_like_before());
  const std::string yaml = "apiVersion: v1\nkind: Pod\nmetadata: {name: web}\n";
  const auto of_documents = [&](std::string_view taken) { return "--- " + manifest(taken) + "\n---\n" + yaml; };
  const auto is_like = [&](const std::string& before, const std::string& text) {
    static_cast<void>(succession.read(before));
    static_cast<void>(succession.read(text));
    return succession.is_like_before();
  };
  CHECK(is_like(of_documents(kTaken), of_documents("2026-11-20T23:46:17Z")));
  CHECK(is_like(yaml, yaml));
  CHECK_FALSE(is_like(yaml, yaml + "spec: {}\n"));
  CHECK_FALSE(is_like("# before\n" + yaml, "# after\n" + yaml));
  // Without a manifest, the only line may be the whole state.
  CHECK(is_like(pod("p1"), pod("p1")));
  CHECK_FALSE(is_like(pod("p1"), pod("p2")));
  CHECK_FALSE(is_like(text_of({pod("p1"), pod("p3")}), text_of({pod("p2"), pod("p3")})));
}

TEST_CASE("successive texts: any changes of lines", "[series]") {
  std::mt19937 random(59);  // NOLINT(cert-msc32-c,cert-msc51-cpp): the same changes in each run
  const auto below = [&](std::size_t most) { return std::uniform_int_distribution<std::size_t>(0, most - 1)(random); };
  Succession succession;
  std::vector<std::string> lines = kState;
  for (int i = 0; i < 300; ++i) {
    for (std::size_t changes = below(4); changes > 0; --changes) {
      const std::size_t at = 1 + below(lines.size());
      const std::string other = pod(fmt::format("q{}", below(12)), below(2) == 0 ? "a" : "b");
      const auto place = lines.begin() + static_cast<std::ptrdiff_t>(std::min(at, lines.size()));
      if (at == lines.size() || below(3) == 0) {
        lines.insert(place, other);
      } else if (below(2) == 0 && lines.size() > 4) {
        lines.erase(place);
      } else {
        *place = below(4) == 0 ? lines[1 + below(lines.size() - 1)] : other;
      }
    }
    const std::string text = text_of(lines);
    INFO(i << "\n" << text);
    REQUIRE(succession.read(text) == read_alone(text));
  }
}

}  // namespace previct::successive_texts_test
