#include "api/strict_reader.h"

#include "input/written_yaml.h"
#include "input/yaml_source.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <map>
#include <string>
#include <vector>

namespace {

using namespace previct;

struct Wheel {
  std::string name;
  Place place;

  friend auto short_form(Wheel& self) -> As<std::string> { return as(self.name, text_form()); }
  template <class Field>
  friend void describe(Field& field, Wheel& self) {
    field("name", as(self.name, text_form()), "its name", Need::required);
  }
};

struct Cart {
  std::vector<Wheel> wheels;
  std::string color = "red";
  std::int64_t from = 0;
  std::int64_t to = 0;
  std::map<std::string, bool> brakes;
  std::string owner;
  std::uint32_t load = 0;

  template <class Field>
  friend void describe(Field& field, Cart& self) {
    field("wheels", records(self.wheels), "its wheels");
    field("color", as(self.color, word_form({"red", "green"})), "its color");
    field("weight",
          IntervalOf<std::int64_t>{integer_form(1), [&self](std::int64_t from, std::optional<std::int64_t> to) {
                                     self.from = from;
                                     self.to = to.value_or(from);
                                     return std::string(self.to < self.from ? "the interval is empty" : "");
                                   }});
    const auto brake = [&self](const std::string& name, const Place&) { return as(self.brakes[name], boolean_form()); };
    field("brakes", MapTo<As<bool>>{text_form(), brake, "BRAKE: true or false"});
    field("owner", group([&self](auto& owner) { owner("name", as(self.owner, text_form())); }));
    field("load", on_tape(self.load));
  }
  friend auto finish(Cart& self, const Place& /*place*/) -> std::string {
    return self.wheels.size() == 1 ? "one wheel is not enough" : "";
  }
};

// Returns `line:column message; help`, or nothing.
auto refusal(const std::string& text, Cart& cart, StrictReading how = {}) -> std::string {
  const Result<Tape> tape = record_written_yaml(text, FileId{0});
  const Result<void> read = tape ? read_strictly(*tape, 0, FileId{0}, how, cart) : tl::unexpected(tape.error());
  if (read) return {};
  const Failure& f = read.error();
  return fmt::format("{}:{} {}{}{}", f.place.line, f.place.column, f.message, f.help.empty() ? "" : "; ", f.help);
}
auto refusal(const std::string& text, StrictReading how = {}) -> std::string {
  Cart cart;
  return refusal(text, cart, how);
}

}  // namespace

TEST_CASE("strict reader: reads what is described", "[strict]") {
  Cart cart;
  CHECK(refusal("wheels: [left, {name: right}]\ncolor: green\nweight: [3, 4]\nbrakes: {front: true, back: false}\n"
                "owner: {name: me}\nload: [a, b]\n",
                cart)
            .empty());
  REQUIRE(cart.wheels.size() == 2);
  CHECK(cart.wheels[0].name == "left");
  CHECK(cart.wheels[1].name == "right");
  CHECK((cart.wheels[1].place.line == 1 && cart.wheels[1].place.column == 16));
  CHECK(cart.color == "green");
  CHECK((cart.from == 3 && cart.to == 4));
  CHECK(cart.brakes == std::map<std::string, bool>{{"back", false}, {"front", true}});
  CHECK(cart.owner == "me");
  CHECK(cart.load != 0);
}

TEST_CASE("strict reader: an error has a place, a path and what to do", "[strict]") {
  CHECK(refusal("colour: red") == "1:1 unknown key \"colour\"; did you mean \"color\"?");
  CHECK(refusal("zzz: 1") == "1:1 unknown key \"zzz\"; the keys are wheels, color, weight, brakes, owner, load");
  CHECK(refusal("owner: {nam: x}") == "1:9 owner: unknown key \"nam\"; did you mean \"name\"?");
  CHECK(refusal("color: red\ncolor: green") ==
        "2:1 key \"color\" occurs twice; remove one of the two; the first is at line 1");
  CHECK(refusal("brakes: {front: true,\n  front: false}") ==
        "2:3 brakes: key \"front\" occurs twice; remove one of the two; the first is at line 1");
  CHECK(refusal("color: ree") == "1:8 color: expected red or green, found \"ree\"; did you mean \"red\"?");
  CHECK(refusal("color: [red]") == "1:8 color: expected red or green, found a list");
  CHECK(refusal("wheels:\n- left\n-\n") ==
        "3:1 wheels[1]: expected a mapping, found no value; give it a value, or remove it");
  CHECK(refusal("wheels:\n- left\n- ~\n").starts_with("3:3 wheels[1]: "));
  CHECK(refusal("color:\n\n# none\nload: 1").starts_with("1:1 color: expected red or green, found no value"));
  CHECK(refusal("color: &a\nload: 1").starts_with("1:1 color: expected red or green, found no value"));
  CHECK(refusal("{color: , load: 1}").starts_with("1:2 color: expected red or green, found no value"));
  CHECK(refusal("wheels: [{}, a]") == "1:10 wheels[0]: name is missing");
  CHECK(refusal("wheels: [a]") == "1:1 one wheel is not enough");
  CHECK(refusal("weight: [4, 3]") == "1:9 weight: the interval is empty");
  CHECK(refusal("weight: []") == "1:9 weight: expected one value, or an interval [FROM, TO], found a list");
  CHECK(refusal("weight: 0") == "1:9 weight: expected an integer, 1 or more, found \"0\"");
  CHECK(refusal("brakes: 3") == "1:9 brakes: expected BRAKE: true or false, found \"3\"");
  CHECK(refusal("brakes: {front: 3}") == "1:17 brakes.front: expected true or false, found \"3\"");
  CHECK(refusal("[a]") == "1:1 expected a mapping, found a list");
  const std::string longest(80, 'x');
  CHECK(refusal("color: " + longest) == "1:8 color: expected red or green, found \"" + longest.substr(0, 60) + "…\"");
}

TEST_CASE("strict reader: without quotes, an error repeats known words and what is similar to them", "[strict]") {
  const StrictReading how{.quotes = false};
  CHECK(refusal("s3kret: 1", how) == "1:1 unknown key; the keys are wheels, color, weight, brakes, owner, load");
  CHECK(refusal("colour: 1", how) == "1:1 unknown key \"colour\"; did you mean \"color\"?");
  CHECK(refusal("color: s3kret", how) == "1:8 color: expected red or green");
  CHECK(refusal("color: ree", how) == "1:8 color: expected red or green, found \"ree\"; did you mean \"red\"?");
  CHECK(refusal("color: red\ncolor: red", how).starts_with("2:1 key \"color\" occurs twice"));
  CHECK(refusal("brakes: {s3kret: true, s3kret: true}", how).starts_with("1:24 brakes: key occurs twice"));
}

TEST_CASE("strict reader: with Go's meaning, a key without a value is absent", "[strict]") {
  const std::string text = "wheels: [left, ~, right]\ncolor:\nbrakes: ~\n";
  const auto source = yaml_source(text, FileId{0}, ScalarText::written);
  Tape tape;
  REQUIRE(record(*source, *source->next(), tape));
  Cart cart;
  CHECK(read_strictly(tape, 0, FileId{0}, {.null_is_absent = true}, cart));
  CHECK(cart.wheels.size() == 2);
  CHECK(cart.color == "red");
}

TEST_CASE("strict reader: sets a field by its name", "[strict]") {
  Cart cart;
  const Place place{FileId{0}, 7, 9};
  CHECK(set_described("color", "green", place, cart) == true);
  CHECK(cart.color == "green");
  CHECK(set_described("colour", "green", place, cart) == false);
  const Result<bool> wrong = set_described("color", "blue", place, cart);
  REQUIRE_FALSE(wrong);
  CHECK(wrong.error().message == "color: expected red or green, found \"blue\"");
  CHECK(wrong.error().place == place);
}
