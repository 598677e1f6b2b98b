#include "api/decode.h"

#include "base/ascii.h"
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <bitset>

namespace previct {
namespace {

constexpr std::size_t kShownValue = 60;

auto operator_of(std::string_view text) -> SelectorOperator {
  if (text == "In") return SelectorOperator::in;
  if (text == "NotIn") return SelectorOperator::not_in;
  if (text == "Exists") return SelectorOperator::exists;
  if (text == "DoesNotExist") return SelectorOperator::does_not_exist;
  if (text == "Gt") return SelectorOperator::greater;
  if (text == "Lt") return SelectorOperator::less;
  return SelectorOperator::unknown;
}

/// Returns true if the map may have a duplicate key; false positives are possible. It allocates no memory, because it
/// runs for nearly all maps.
auto may_repeat_key(const Tape& tape, std::uint32_t map) -> bool {
  std::bitset<1024> seen;
  for (std::uint32_t i = map + 1; i < tape[map].next; i = tape[i + 1].next) {
    const std::string_view key = tape.text(tape[i]);
    const auto at = [&](std::size_t n) { return static_cast<unsigned>(static_cast<unsigned char>(key[n])); };
    const std::size_t hash =
        key.empty() ? 0 : at(0) * 37 + at(key.size() / 2) * 11 + at(key.size() - 1) * 5 + key.size() * 131;
    if (seen[hash % seen.size()]) return true;
    seen.set(hash % seen.size());
  }
  return false;
}

auto type_name(const Tape::Entry& entry) -> std::string_view {
  if (entry.type == EventType::begin_map) return "an object";
  if (entry.type == EventType::begin_list) return "a list";
  switch (entry.scalar) {
    case ScalarType::null: return "null";
    case ScalarType::boolean: return "the boolean";
    case ScalarType::integer:
    case ScalarType::floating: return "the number";
    case ScalarType::string: return "the string";
  }
  return "a value";
}

}  // namespace

auto Decoder::expect(EventType type, std::string_view what) -> bool {
  if (tape_[at_].type == type) return true;
  mismatch(what);
  return false;
}

void Decoder::skip_string() {
  const Tape::Entry& entry = tape_[at_];
  if (entry.type != EventType::scalar || entry.scalar != ScalarType::string) {
    // The skipped value may be a secret, so the message reports only its type.
    const bool number = entry.scalar == ScalarType::integer || entry.scalar == ScalarType::floating;
    const std::string_view found = entry.type != EventType::scalar ? type_name(entry)
                                   : number                        ? "a number"
                                                                   : "a boolean";
    if (!failure_) failure_ = Failure{fmt::format("{}: expected a string, found {}", path(), found), place(at_), {}};
  }
  skip();
}

auto Decoder::present() -> bool {
  const Tape::Entry& entry = tape_[at_];
  const bool nothing = is_null() || (entry.type == EventType::begin_list && entry.next == at_ + 1);
  skip();
  return !nothing;
}

void Decoder::embedded(EmbeddedText& out) {
  const Scalar scalar = peek();
  if (!scalar.scalar || scalar.type != ScalarType::string) return mismatch("a string");
  out.place = place(at_);
  out.text = std::string(scalar.text);
  skip();
}

void Decoder::large_quantity(std::string_view text) {
  diagnostics_.warn(
      "quantity-range",
      fmt::format("{}: quantity \"{}\" is larger than Kubernetes supports; it counts as {}, and sums overflow", path(),
                  text.substr(0, kShownValue), INT64_MAX),
      place(at_));
}

void Decoder::misspelt_field(std::string_view meant) {
  if (strict_) return;
  diagnostics_.warn("misspelt-field",
                    fmt::format("unknown field \"{}\", which Kubernetes ignores; did you mean \"{}\"?", path(), meant),
                    place(key_));
}

auto is_misspelt(std::string_view key, std::string_view name) -> bool {
  if (key == "annotation" || key == "label") return name.substr(0, key.size()) == key;
  return equal_but_for_case(key, name);
}

void finish(Requirement& out, const Symbols& symbols) {
  out.op = operator_of(symbols.text(out.operator_text));
}

void Decoder::warn_of_repeated_keys(std::uint32_t map) {
  if (!may_repeat_key(tape_, map)) return;
  std::vector<std::pair<std::string_view, std::uint32_t>> keys;
  for (std::uint32_t i = map + 1; i < tape_[map].next; i = tape_[i + 1].next) {
    keys.emplace_back(tape_.text(tape_[i]), i);
  }
  std::stable_sort(keys.begin(), keys.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (std::size_t i = 1; i < keys.size(); ++i) {
    if (keys[i].first != keys[i - 1].first) continue;
    diagnostics_.warn(
        "duplicate-key",
        fmt::format("key \"{}\" occurs twice in one object; the last one counts, as for kubectl", keys[i].first),
        place(keys[i].second));
  }
}

void Decoder::refuse_field(std::string_view key, const std::vector<std::string>& known) {
  if (failure_) return;
  const auto similar = nearest(key, known);
  failure_ = Failure{fmt::format("unknown field \"{}\"", path()), place(key_),
                     similar ? fmt::format("did you mean \"{}\"?", *similar) : std::string()};
}

void Decoder::mismatch(std::string_view what) {
  const Tape::Entry& entry = tape_[at_];
  if (!failure_) {
    std::string found(type_name(entry));
    if (entry.type == EventType::scalar && entry.scalar != ScalarType::null) {
      const std::string_view text = tape_.text(entry);
      const std::string_view quote = entry.scalar == ScalarType::string ? "\"" : "";
      found +=
          fmt::format(" {}{}{}{}", quote, text.substr(0, kShownValue), text.size() > kShownValue ? "…" : "", quote);
    }
    failure_ = Failure{fmt::format("{}: expected {}, found {}", path(), what, found), place(at_), {}};
  }
  skip();
}

auto Decoder::path() const -> std::string {
  std::string text;
  for (const PathStep& step : path_) {
    if (step.key.empty()) {
      text += fmt::format("[{}]", step.index);
    } else {
      text += fmt::format("{}{}", text.empty() ? "" : ".", step.key);
    }
  }
  return text.empty() ? "the object" : text;
}

}  // namespace previct
