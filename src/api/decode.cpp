#include "api/decode.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/go.h"
#include "base/text.h"

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

auto type_name(const Tape::Entry& entry) -> std::string_view {
  if (entry.type == EventType::begin_map) return "an object";
  if (entry.type == EventType::begin_list) return "a list";
  switch (entry.scalar) {
    case ScalarType::null: return "null";
    case ScalarType::boolean: return "the boolean";
    case ScalarType::integer: return "the number";
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

auto Decoder::string() -> std::string_view {
  const Tape::Entry& entry = tape_[at_];
  if (entry.type != EventType::scalar || entry.scalar != ScalarType::string) {
    mismatch("a string");
    return {};
  }
  skip();
  return tape_.text(entry);
}

auto Decoder::boolean() -> bool {
  const Tape::Entry& entry = tape_[at_];
  if (entry.type != EventType::scalar || entry.scalar != ScalarType::boolean) {
    mismatch("a boolean");
    return false;
  }
  skip();
  return tape_.text(entry) == "true";
}

auto Decoder::integer(int bits) -> std::int64_t {
  const Tape::Entry& entry = tape_[at_];
  if (entry.type == EventType::scalar && entry.scalar == ScalarType::integer) {
    if (const auto value = go::parse_int(tape_.text(entry), bits)) {
      skip();
      return *value;
    }
  }
  mismatch(fmt::format("an integer of {} bits", bits));
  return 0;
}

auto Decoder::number() -> double {
  const Tape::Entry& entry = tape_[at_];
  const bool numeric = entry.scalar == ScalarType::integer || entry.scalar == ScalarType::floating;
  const std::string_view text = tape_.text(entry);
  double value = 0;
  if (entry.type == EventType::scalar && numeric &&
      std::from_chars(text.data(), text.data() + text.size(), value).ec == std::errc()) {
    skip();
    return value;
  }
  mismatch("a number");
  return 0;
}

auto Decoder::quantity() -> Quantity {
  const Tape::Entry& entry = tape_[at_];
  const bool readable = entry.type == EventType::scalar && entry.scalar != ScalarType::boolean;
  if (const auto value = readable ? Quantity::parse(tape_.text(entry)) : std::nullopt) {
    if (value->capped()) {
      diagnostics_.warn("quantity-range",
                        fmt::format("{}: quantity \"{}\" is larger than Kubernetes can hold; it counts as {}, and sums wrap",
                                    path(), tape_.text(entry).substr(0, kShownValue), INT64_MAX),
                        place(at_));
    }
    skip();
    return *value;
  }
  mismatch("a resource quantity such as \"500m\" or \"2Gi\"");
  return {};
}

auto Decoder::instant() -> Instant {
  const Tape::Entry& entry = tape_[at_];
  const bool readable = entry.type == EventType::scalar && entry.scalar == ScalarType::string;
  if (const auto value = readable ? parse_instant(tape_.text(entry)) : std::nullopt) {
    skip();
    return *value;
  }
  mismatch("a time as RFC 3339 writes it, \"2026-01-02T03:04:05Z\"");
  return {};
}

auto Decoder::duration() -> Duration {
  const Tape::Entry& entry = tape_[at_];
  const bool readable = entry.type == EventType::scalar && entry.scalar == ScalarType::string;
  if (const auto nanos = readable ? parse_go_duration(tape_.text(entry)) : std::nullopt) {
    skip();
    return {*nanos};
  }
  mismatch("a duration with its unit, such as \"90s\" or \"1h30m\"");
  return {};
}

void Decoder::symbol_map(SymbolMap& out, bool only_what_matters) {
  each_entry([&](std::string_view key) {
    if (only_what_matters && !annotation_matters(key)) {
      // The value is not looked at beyond its type, so no secret in it is ever kept.
      is_null() ? skip() : static_cast<void>(string());
      return;
    }
    const std::string_view value = is_null() ? skip_null() : string();
    if (!failure_) out.set(symbols_.intern(key), symbols_.intern(value));
  });
}

void Decoder::resource_list(ResourceList& out) {
  out.clear();
  each_entry([&](std::string_view key) {
    Quantity value;
    read(value);
    if (!failure_) out.set(symbols_.intern(key), value);
  });
}

void Decoder::read(Present& out) {
  const Tape::Entry& entry = tape_[at_];
  out.value = !(is_null() || (entry.type == EventType::begin_list && entry.next == at_ + 1));
  skip();
}

void Decoder::read(EmbeddedText& out) {
  if (is_null()) return skip();
  out.place = place(at_);
  out.text = std::string(string());
}

void Decoder::read(AsNumber& out) {
  if (is_null()) return skip();
  out.value = go::parse_int(string(), 64).value_or(0);
}

void Decoder::read(OptionalNumber& out) {
  if (is_null()) return skip();
  out.value = static_cast<std::int32_t>(integer(32));
  out.given = true;
}

void Decoder::read(KeysOf& out) {
  if (is_null()) return skip();
  out.keys.clear();
  each_entry([&](std::string_view key) {
    out.keys.push_back(symbols_.intern(key));
    skip();
  });
}

void Decoder::read(InTreeDisk& out) {
  if (is_null()) return skip();
  out.disk.kind = out.kind;
  each_entry([&](std::string_view key) {
    if (key == out.id_field) {
      read(out.disk.id);
    } else if (key == "readOnly") {
      read(out.disk.read_only);
    } else if (key == "pool") {
      read(out.disk.pool);
    } else if (key == "monitors" && out.kind == DiskKind::rbd) {
      read(out.disk.monitors);
    } else {
      skip();
    }
  });
}

void Decoder::finish(Requirement& out) const { out.op = operator_of(symbols_.text(out.operator_text)); }

void Decoder::finish(PodSpec& out) {
  std::erase_if(out.volumes, [](const Volume& v) { return !v.matters(); });
}

void Decoder::finish(PodStatus& out) {
  const auto idle = [](const ContainerStatus& s) { return !s.resources && s.allocated_resources.empty(); };
  std::erase_if(out.container_statuses, idle);
  std::erase_if(out.init_container_statuses, idle);
}

void Decoder::warn_of_repeated_keys(std::uint32_t map) {
  std::vector<std::pair<std::string_view, std::uint32_t>> keys;
  for (std::uint32_t i = map + 1; i < tape_[map].next; i = tape_[i + 1].next) {
    keys.emplace_back(tape_.text(tape_[i]), i);
  }
  std::stable_sort(keys.begin(), keys.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  for (std::size_t i = 1; i < keys.size(); ++i) {
    if (keys[i].first != keys[i - 1].first) continue;
    diagnostics_.warn("duplicate-key",
                      fmt::format("key \"{}\" stands twice in one object; the last one counts, as for kubectl",
                                  keys[i].first),
                      place(keys[i].second));
  }
}

void Decoder::unknown_field(std::string_view key, const std::vector<std::string>& known) {
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
      found += fmt::format(" {}{}{}{}", quote, text.substr(0, kShownValue),
                           text.size() > kShownValue ? "…" : "", quote);
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
