#include "api/fields.h"

#include "api/decode.h"
#include "api/objects.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

namespace previct {
namespace {

/// Collects the fields of an object by their paths, as text.
class AsText {
 public:
  explicit AsText(const Symbols& symbols) : symbols_(symbols) {}

  auto enter(std::string_view name) -> std::size_t {
    const bool plain = !name.empty() && name.find_first_of("./[") == std::string_view::npos;
    return add(plain ? std::string(name) : fmt::format("[\"{}\"]", name), plain);
  }
  auto enter(Symbol name) -> std::size_t { return enter(symbols_.text(name)); }
  auto enter(std::size_t index) -> std::size_t { return add(fmt::format("[{}]", index), false); }
  void leave(std::size_t outer) { path_.resize(outer); }

  void put(std::string text) { fields_.insert_or_assign(path_, std::move(text)); }
  void put(Symbol symbol) { put(std::string(symbols_.text(symbol))); }
  void put(Quantity quantity) { put(format_quantity(quantity)); }
  void put(Instant instant) { put(format_instant(instant)); }
  void put(Duration duration) { put(fmt::format("{}s", static_cast<double>(duration.nanos) / 1e9)); }
  void put(NumberOrPercent value) { put(fmt::format("{}{}", value.number, value.percent ? "%" : "")); }
  template <class Number>
  requires std::is_arithmetic_v<Number>
  void put(Number number) { put(fmt::format("{}", number)); }

  auto take() -> std::map<std::string, std::string> { return std::move(fields_); }

 private:
  /// Returns the length of the path around the step.
  auto add(const std::string& step, bool dot) -> std::size_t {
    const std::size_t outer = path_.size();
    if (dot && !path_.empty()) path_ += '.';
    path_ += step;
    return outer;
  }

  const Symbols& symbols_;
  std::string path_;
  std::map<std::string, std::string> fields_;
};

/// Collects what decides whether two objects of one type have the same fields, as numbers: symbols of one table, the
/// addresses of the names of fields, and values.
class AsNumbers {
 public:
  explicit AsNumbers(std::vector<std::uint64_t>& numbers) : numbers_(numbers) { numbers_.clear(); }

  auto enter(std::string_view name) -> std::size_t {
    add(reinterpret_cast<std::uintptr_t>(name.data()));
    return 0;
  }
  auto enter(Symbol name) -> std::size_t {
    put(name);
    return 0;
  }
  auto enter(std::size_t index) -> std::size_t {
    add(index);
    return 0;
  }
  void leave(std::size_t /*outer*/) { add(UINT64_MAX); }

  void put(const std::string& text) {
    add(text.size());
    for (std::size_t at = 0; at < text.size(); at += sizeof(std::uint64_t)) {
      std::uint64_t part = 0;
      std::memcpy(&part, text.data() + at, std::min(sizeof part, text.size() - at));
      add(part);
    }
  }
  void put(Symbol symbol) { add(symbol.index); }
  void put(Quantity quantity) { raw(quantity); }
  void put(Instant instant) { raw(instant.seconds), raw(instant.nanos); }
  void put(Duration duration) { raw(duration.nanos); }
  void put(NumberOrPercent value) { raw(value.number), add(value.percent ? 1 : 0); }
  template <class Number>
  requires std::is_arithmetic_v<Number>
  void put(Number number) { raw(number); }

 private:
  void add(std::uint64_t number) { numbers_.push_back(number); }
  template <class T>
  void raw(const T& value) {
    static_assert(std::has_unique_object_representations_v<T> || std::is_floating_point_v<T>);
    std::array<std::uint64_t, (sizeof value + sizeof(std::uint64_t) - 1) / sizeof(std::uint64_t)> parts{};
    std::memcpy(parts.data(), &value, sizeof value);
    for (const std::uint64_t part : parts) add(part);
  }

  std::vector<std::uint64_t>& numbers_;
};

/// Visits the fields of an object; those that are absent are left out. Changes nothing.
template <class Out>
class FieldVisitor {
 public:
  explicit FieldVisitor(Out& out) : out_(out) {}

  template <class T>
  void operator()(std::string_view name, T&& member) {
    at(name, member);
  }

 private:
  template <class Step, class T>
  void at(Step step, T& member) {
    const std::size_t outer = out_.enter(step);
    value(member);
    out_.leave(outer);
  }

  template <class T>
  void value(T& member) {
    if constexpr (std::is_same_v<T, Symbol>) {
      if (member) out_.put(member);
    } else if constexpr (std::is_same_v<T, std::string>) {
      if (!member.empty()) out_.put(member);
    } else if constexpr (std::is_arithmetic_v<T> || std::is_same_v<T, Quantity> || std::is_same_v<T, Instant> ||
                         std::is_same_v<T, Duration> || std::is_same_v<T, NumberOrPercent>) {
      out_.put(member);
    } else if constexpr (std::is_base_of_v<SymbolMap, T> || std::is_same_v<T, ResourceList>) {
      for (auto [key, held] : member) at(key, held);
    } else {
      describe(*this, member);
    }
  }

  template <class T>
  void value(std::optional<T>& member) {
    if (member) value(*member);
  }
  template <class T>
  void value(std::vector<T>& member) {
    elements(std::span(member));
  }
  template <class T>
  void value(SharedList<T>& member) {
    elements(member.elements_of_all());
  }
  template <class T>
  void elements(std::span<T> all) {
    for (std::size_t i = 0; i < all.size(); ++i) at(i, all[i]);
  }
  template <class T>
  void value(MapOf<T>& member) {
    for (auto& [key, held] : member) at(key, held);
  }
  void value(Present& member) {
    if (member.value) out_.put(std::string("given"));
  }
  void value(EmbeddedText& member) { value(member.text); }
  void value(AsNumber& member) { value(member.value); }
  void value(OptionalNumber& member) {
    if (member.given) value(member.value);
  }
  void value(KeysOf& member) { value(member.keys); }
  void value(InTreeDisk& member) {
    if (member.disk.kind == member.kind && member.disk.id) out_.put(member.disk.id);
  }
  template <class T>
  void value(Reduced<T>& member) {
    value(member.kept);
  }
  void value(Ignored& /*member*/) {}
  void value(OnTape& /*member*/) {}

  Out& out_;
};

template <class T, class Out>
void visit_fields(const T& object, Out& out) {
  FieldVisitor visitor(out);
  describe(visitor, const_cast<T&>(object));  // NOLINT(cppcoreguidelines-pro-type-const-cast): the visitor only reads
}

}  // namespace

auto format_quantity(Quantity quantity) -> std::string {
  struct Unit {
    std::int64_t size;
    std::string_view suffix;
  };
  constexpr std::array kBinaryUnits = {Unit{std::int64_t{1} << 40U, "Ti"}, Unit{std::int64_t{1} << 30U, "Gi"},
                                       Unit{std::int64_t{1} << 20U, "Mi"}};
  const std::int64_t whole = quantity.value();
  if (Quantity::of(whole) != quantity) return fmt::format("{}m", quantity.milli());
  for (const Unit& unit : kBinaryUnits) {
    if (whole != 0 && whole % unit.size == 0) return fmt::format("{}{}", whole / unit.size, unit.suffix);
  }
  return fmt::format("{}", whole);
}

template <class T>
auto fields_of(const T& object, const Symbols& symbols) -> std::map<std::string, std::string> {
  AsText text(symbols);
  visit_fields(object, text);
  return text.take();
}

template <class T>
auto have_same_fields(const T& one, const T& other) -> bool {
  constexpr std::size_t kUsual = 512;  // a pod with one container has fewer numbers
  std::array<std::vector<std::uint64_t>, 2> numbers;
  for (std::vector<std::uint64_t>& each : numbers) each.reserve(kUsual);
  AsNumbers of_one(numbers[0]);
  AsNumbers of_other(numbers[1]);
  visit_fields(one, of_one);
  visit_fields(other, of_other);
  return numbers[0] == numbers[1];
}

template auto fields_of(const PodSpec& object, const Symbols& symbols) -> std::map<std::string, std::string>;
template auto have_same_fields(const PodSpec& one, const PodSpec& other) -> bool;
#define PREVICT_KIND(type, ...)                                                                            \
  template auto fields_of(const type& object, const Symbols& symbols)->std::map<std::string, std::string>; \
  template auto have_same_fields(const type& one, const type& other)->bool;
#include "api/kinds.def"

}  // namespace previct
