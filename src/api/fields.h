#pragma once

#include "api/decode.h"

#include <fmt/format.h>

#include <map>
#include <string>
#include <string_view>
#include <type_traits>

namespace previct {

/// `500m`, `2`, `4Gi`: whole units where they are.
[[nodiscard]] auto format_quantity(Quantity quantity) -> std::string;

/// The fields of an object by their paths (as in locate.h) and in words, absent ones left out: for comparing two states
/// of it. Made from describe(), so it holds what is read and nothing else.
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

  /// `name`, or `["name"]` where a dot would be read as a step.
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

}  // namespace previct
