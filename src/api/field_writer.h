#pragma once

#include "api/pod.h"

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace previct {

/// Determines how the texts of an object are written.
class Wording {
 public:
  virtual ~Wording() = default;
  [[nodiscard]] virtual auto text(Symbol symbol) const -> std::string_view = 0;
  [[nodiscard]] virtual auto embedded(const EmbeddedText& value) const -> std::string = 0;
};

/// Appends `text` as a JSON string.
void append_json_string(std::string& out, std::string_view text);

/// The exact quantity: `2`, `500m`, `3n`.
[[nodiscard]] auto exact_quantity(Quantity quantity) -> std::string;

/// Writes objects as JSON with their describe() (see api/wire.h). The output has the fields that a FieldReader reads,
/// and reading it produces the same object. Members with their default value are omitted.
class FieldWriter {
 public:
  FieldWriter(const Wording& wording, std::string& out) : wording_(wording), out_(out) {}

  /// Writes an object on one line, without a line end.
  template <class T>
  void write(std::string_view api_version, std::string_view kind, T object) {
    out_ += '{';
    (*this)("apiVersion", api_version);
    (*this)("kind", kind);
    describe(*this, object);
    out_ += '}';
  }

  template <class T>
  void operator()(std::string_view name, T&& member) {
    const std::size_t before = out_.size();
    begin(name);
    if (!value(member)) out_.resize(before);
  }

 private:
  // Writes a comma before every value except the first.
  void separate() {
    if (out_.back() != '{' && out_.back() != '[') out_ += ',';
  }
  void begin(std::string_view key) {
    separate();
    append_json_string(out_, key);
    out_ += ':';
  }

  // These append the value and return false if it is the default.

  template <class T>
  auto value(T& member) -> bool {
    if constexpr (std::is_same_v<T, Symbol>) {
      append_json_string(out_, wording_.text(member));
      return static_cast<bool>(member);
    } else if constexpr (std::is_convertible_v<T, std::string_view>) {
      append_json_string(out_, member);
      return !std::string_view(member).empty();
    } else if constexpr (std::is_arithmetic_v<T>) {
      out_ += fmt::format("{}", member);
      return member != T{};
    } else if constexpr (std::is_same_v<T, Quantity>) {
      append_json_string(out_, exact_quantity(member));
      return true;
    } else if constexpr (std::is_same_v<T, Instant>) {
      append_json_string(out_, format_instant(member));
      return true;
    } else if constexpr (std::is_same_v<T, Duration>) {
      append_json_string(out_, fmt::format("{}ns", member.nanos));
      return true;
    } else if constexpr (std::is_same_v<T, NumberOrPercent>) {
      out_ += member.percent ? fmt::format("\"{}%\"", member.number) : fmt::format("{}", member.number);
      return true;
    } else if constexpr (std::is_base_of_v<SymbolMap, T> || std::is_same_v<T, ResourceList>) {
      return entries(member);
    } else {
      out_ += '{';
      describe(*this, member);
      if constexpr (requires { member.unknown_fields; }) {
        for (const Symbol field : member.unknown_fields) {
          begin(wording_.text(field));
          out_ += "true";
        }
      }
      bool holds = out_.back() != '{';
      if constexpr (requires { member.given; }) holds = member.given;
      out_ += '}';
      return holds;
    }
  }

  template <class Map>
  auto entries(Map& map) -> bool {
    out_ += '{';
    for (auto [key, held] : map) {
      begin(wording_.text(key));
      value(held);
    }
    out_ += '}';
    return !map.empty();
  }

  template <class T>
  auto value(std::optional<T>& member) -> bool {
    if (member) value(*member);
    return member.has_value();
  }
  template <AnyList List>
  auto value(List& member) -> bool {
    out_ += '[';
    for (auto& element : member) {
      separate();
      value(element);
    }
    out_ += ']';
    return !member.empty();
  }
  template <class T>
  auto value(MapOf<T>& member) -> bool {
    return entries(member);
  }
  auto value(Present& member) -> bool { return value(member.value); }
  auto value(EmbeddedText& member) -> bool {
    append_json_string(out_, wording_.embedded(member));
    return member.place.line != 0;
  }
  auto value(AsNumber& member) -> bool {
    append_json_string(out_, fmt::format("{}", member.value));
    return member.value != 0;
  }
  auto value(OptionalNumber& member) -> bool {
    value(member.value);
    return member.given;
  }
  auto value(KeysOf& member) -> bool {
    out_ += '{';
    for (const Symbol key : member.keys) {
      begin(wording_.text(key));
      out_ += "null";
    }
    out_ += '}';
    return !member.keys.empty();
  }
  auto value(InTreeDisk& member) -> bool {
    if (member.disk.kind != member.kind) return false;
    out_ += '{';
    if (!member.id_field.empty()) (*this)(member.id_field, member.disk.id);
    (*this)(member.pool_field, member.disk.pool);
    (*this)("kind", member.disk.azure_kind);
    (*this)("monitors", member.disk.monitors);
    (*this)("readOnly", member.disk.read_only);
    out_ += '}';
    return true;
  }
  template <class T>
  auto value(Reduced<T>& member) -> bool {
    return value(member.kept);
  }
  auto value(Ignored& /*member*/) -> bool { return false; }
  auto value(OnTape& /*member*/) -> bool { return false; }

  const Wording& wording_;
  std::string& out_;
};

}  // namespace previct
