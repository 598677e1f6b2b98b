#include "input/quick_yaml.h"

#include "support/differential.h"
#include "support/input.h"
#include "support/styled_yaml.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <random>
#include <vector>

using namespace previct;

namespace {

struct Events {
  std::string text;  ///< up to a failure
  std::string failure;
};

/// Returns the events, with the position of each.
auto events_of(EventSource& source) -> Events {
  Events events;
  for (;;) {
    const auto event = source.next();
    if (!event) {
      const Failure& failure = event.error();
      events.failure = fmt::format("{}:{}: {}", failure.place.line, failure.place.column, failure.message);
      return events;
    }
    events.text += fmt::format("{} {} {}:{} {} {}\n", static_cast<int>(event->type), static_cast<int>(event->scalar),
                               event->line, event->column, event->block, event->text);
    if (event->type == EventType::end_stream) return events;
  }
}

/// libyaml looks ahead, so it may fail some events earlier.
auto same(const Events& ours, const Events& libyaml) -> bool {
  if (ours.failure != libyaml.failure) return false;
  return ours.failure.empty() ? ours.text == libyaml.text : ours.text.starts_with(libyaml.text);
}

auto reads_all(std::string_view text) -> bool {
  QuickYaml quick(text, ScalarText::resolved);
  Event event;
  while (quick.next(event)) {
    if (event.type == EventType::end_stream) return true;
  }
  return false;
}

/// Generates values of the emitter battery in maps and lists.
class Values {
 public:
  explicit Values(std::uint32_t seed) : random_(seed) {
    for (const auto& row : nlohmann::ordered_json::parse(test::fixture("input/emitter-battery.json"))) {
      if (row["Err"] == "") battery_.push_back(row["Back"]);
    }
  }
  auto map(int depth) -> nlohmann::ordered_json {
    nlohmann::ordered_json map = nlohmann::ordered_json::object();
    for (std::size_t n = random_() % 5 + (depth == 0 ? 1 : 0); n > 0; --n) {
      map[fmt::format("key{}", random_() % 40)] = value(depth + 1);
    }
    return map;
  }

 private:
  auto value(int depth) -> nlohmann::ordered_json {
    const auto which = random_() % (depth > 4 ? 3 : 6);
    if (which == 0) return battery_[random_() % battery_.size()];
    if (which < 3) return fmt::format("text {}", random_() % 1000);
    if (which == 3) return map(depth);
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (auto n = random_() % 4; n > 0; --n) list.push_back(value(depth + 1));
    return list;
  }

  std::mt19937 random_;
  std::vector<nlohmann::ordered_json> battery_;
};

}  // namespace

TEST_CASE("quick YAML: gives libyaml's events and positions for YAML in all styles, even broken YAML") {
  Values values(18);
  test::StyledYaml styles(18);
  test::DumpMaker changes(18);
  std::mt19937 random(18);
  std::size_t quick = 0;
  for (int i = 0; i < 3000; ++i) {
    std::string text = styles.document(values.map(0));
    if (i % 5 == 0) text += "---\n" + styles.document(values.map(0));
    for (auto n = random() % 4; n > 0; --n) changes.change(text);
    INFO(text);
    const ScalarText texts = i % 8 == 0 ? ScalarText::written : ScalarText::resolved;
    const Events ours = events_of(*yaml_source(text, FileId{0}, texts));
    REQUIRE(same(ours, events_of(*libyaml_source(text, FileId{0}, texts))));
    quick += reads_all(text) ? 1U : 0U;
  }
  CHECK(quick > 1000);
}

TEST_CASE("quick YAML: text that looks usual but means something else to libyaml is passed to libyaml") {
  for (const char* text : {"a: b: c\n",
                           "a: &x b\n",
                           "a: *x\n",
                           "!!str a: b\n",
                           "<<: {a: b}\n",
                           "? a\n: b\n",
                           "a: [b: c]\n",
                           "{a: b}: c\n",
                           "- [a]: b\n",
                           "a: {b, c: d}\n",
                           "a: [b, ]\n",
                           "a: {b: }\n",
                           "a:\tb\n",
                           "a: b\n...\n",
                           "%YAML 1.1\n---\na: b\n",
                           "a: \"b\" c\n",
                           "a:\n  - b\n c: d\n",
                           "a\n",
                           "a: b",
                           "a: b\n# \xc2\x85\n",
                           "\xef\xbb\xbf"
                           "a: b\n",
                           "null: a\n",
                           "- {a: [b], c]d: e, f: g}\n",
                           "a: 'b\n--- c'\n",
                           "a: b # c\n  d\n",
                           "a: [\"b\" \"c\": d]\n",
                           "a: [{b: c} d: e]\n",
                           "a: \"\\'\"\n",
                           "a:\n|\n b\n",
                           "- a:\n  >\n   b\n"}) {
    INFO(text);
    CHECK_FALSE(reads_all(text));
  }
}

TEST_CASE("quick YAML: usual YAML is read without libyaml") {
  for (const char* text :
       {"a: b # c\n", "a:    b\n", "-   a: b\n    c: d\n", "a: {b: c, d: [e, 'f', \"g\"]} # h\n",
        "a:\n- b\nc:\n  - d\n", "a: >-\n  b\n  c\n", "a: |2+\n    b\n\n", "a: \"b\n\n  c \\\n  d\"\n",
        "---\na: b\n---\nc: d\n", "- - a\n  - b\n-\n", "{a: b,\n c: [d e\n  f, g]}\n", "a: b\n  c\n",
        "\"a\\n\": 1\n'b''c': 2\n", "a: nginx:1.25\n", "a: [nginx:1.25]\n"}) {
    INFO(text);
    CHECK(reads_all(text));
    CHECK(same(events_of(*yaml_source(text, FileId{0})), events_of(*libyaml_source(text, FileId{0}))));
  }
}

// Only the address sanitizer detects a failure: the text ends where its memory ends.
TEST_CASE("quick YAML: nothing after the end of a text is read") {
  for (const char* name : {"input/small.yaml", "input/small.json"}) {
    const std::string text = test::fixture(name);
    for (std::size_t size = 1; size <= text.size(); ++size) {
      for (const bool whole_line : {false, true}) {
        std::vector<char> bytes(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(size));
        if (whole_line) bytes.push_back('\n');
        bytes.shrink_to_fit();
        Objects objects;
        const auto read = test::read_text({bytes.data(), bytes.size()}, objects);
        CHECK((read || !read.error().message.empty()));
      }
    }
  }
}
