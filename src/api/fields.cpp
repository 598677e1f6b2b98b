#include "api/fields.h"

#include "api/decode.h"
#include "api/objects.h"

#include <fmt/format.h>

#include <array>
#include <string_view>
#include <type_traits>

namespace previct {
namespace {

class FieldList {
 public:
  explicit FieldList(const Symbols& symbols) : symbols_(symbols) {}

  template <class T>
  [[nodiscard]] static auto of(T object, const Symbols& symbols) -> std::map<std::string, std::string> {
    FieldList list(symbols);
    describe(list, object);
    return std::move(list.fields_);
  }

  template <class T>
  void operator()(std::string_view name, T&& member) {
    at(step(name), member);
  }

 private:
  template <class T>
  void at(const std::string& step, T& member) {
    const std::size_t length = path_.size();
    path_ += !path_.empty() && !step.starts_with('[') ? "." + step : step;
    value(member);
    path_.resize(length);
  }

  /// `name`, or `["name"]` if a dot in it would be read as a separator.
  static auto step(std::string_view name) -> std::string {
    const bool plain = !name.empty() && name.find_first_of("./[") == std::string_view::npos;
    return plain ? std::string(name) : fmt::format("[\"{}\"]", name);
  }

  void put(std::string text) { fields_.insert_or_assign(path_, std::move(text)); }

  template <class T>
  void value(T& member) {
    if constexpr (std::is_same_v<T, Symbol>) {
      if (member) put(std::string(symbols_.text(member)));
    } else if constexpr (std::is_same_v<T, std::string>) {
      if (!member.empty()) put(member);
    } else if constexpr (std::is_arithmetic_v<T>) {
      put(fmt::format("{}", member));
    } else if constexpr (std::is_same_v<T, Quantity>) {
      put(format_quantity(member));
    } else if constexpr (std::is_same_v<T, Instant>) {
      put(format_instant(member));
    } else if constexpr (std::is_same_v<T, Duration>) {
      put(fmt::format("{}s", static_cast<double>(member.nanos) / 1e9));
    } else if constexpr (std::is_base_of_v<SymbolMap, T>) {
      for (auto [key, text] : member) at(step(symbols_.text(key)), text);
    } else if constexpr (std::is_same_v<T, ResourceList>) {
      for (auto [key, quantity] : member) at(step(symbols_.text(key)), quantity);
    } else {
      describe(*this, member);
    }
  }

  template <class T>
  void value(std::optional<T>& member) {
    if (member) value(*member);
  }
  template <AnyList List>
  void value(List& member) {
    for (std::size_t i = 0; i < member.size(); ++i) at(fmt::format("[{}]", i), member[i]);
  }
  template <class T>
  void value(MapOf<T>& member) {
    for (auto& [key, held] : member) at(step(symbols_.text(key)), held);
  }
  void value(Present& member) {
    if (member.value) put("given");
  }
  void value(EmbeddedText& member) { value(member.text); }
  void value(AsNumber& member) { value(member.value); }
  void value(OptionalNumber& member) {
    if (member.given) value(member.value);
  }
  void value(KeysOf& member) { value(member.keys); }
  void value(InTreeDisk& member) {
    if (member.disk.kind == member.kind && member.disk.id) put(std::string(symbols_.text(member.disk.id)));
  }
  template <class T>
  void value(Reduced<T>& member) {
    value(member.kept);
  }
  void value(Ignored& /*member*/) {}
  void value(OnTape& /*member*/) {}

  const Symbols& symbols_;
  std::string path_;
  std::map<std::string, std::string> fields_;
};

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
auto fields_of(T object, const Symbols& symbols) -> std::map<std::string, std::string> {
  return FieldList::of(object, symbols);
}

template auto fields_of(PodSpec object, const Symbols& symbols) -> std::map<std::string, std::string>;
#define PREVICT_KIND(type, ...) \
  template auto fields_of(type object, const Symbols& symbols)->std::map<std::string, std::string>;
#include "api/kinds.def"

}  // namespace previct
