#pragma once

#include "api/config_map.h"
#include "api/pod.h"
#include "api/recent.h"
#include "base/go.h"
#include "base/symbols.h"
#include "input/cursor.h"
#include "input/pattern.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstring>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace previct {

/// True for members that keep nothing of their old value when they are read again. Structs do not qualify, because they
/// may have absent fields.
template <class T>
inline constexpr bool kReplaced =
    kIsValue<T> || std::is_same_v<T, Symbol> || std::is_same_v<T, SymbolMap> || std::is_same_v<T, Annotations> ||
    std::is_same_v<T, ResourceList> || std::is_same_v<T, KeysOf>;
template <class T>
inline constexpr bool kReplaced<std::optional<T>> = true;
template <class T>
inline constexpr bool kReplaced<Reduced<T>> = true;
template <AnyList List>
inline constexpr bool kReplaced<List> = true;
template <class T>
inline constexpr bool kReplaced<MapOf<T>> = true;

/// Post-processing of a type once its fields are known, if it needs any.
void finish(Requirement& out, const Symbols& symbols);
template <class T>
concept Finished = requires(T& out, const Symbols& symbols) {
  finish(out, symbols);
};
/// The elements of a list while their number is unknown. Most lists are short and need only one allocation.
template <class T>
class Gathered {
 public:
  Gathered() = default;
  Gathered(const Gathered&) = delete;
  auto operator=(const Gathered&) -> Gathered& = delete;
  ~Gathered() { clear(); }

  auto add() -> T& {
    if (size_ < kFew) return *std::construct_at(few_.data() + size_++);
    return many_.emplace_back();
  }
  /// Removes the last element.
  void drop() { many_.empty() ? std::destroy_at(few_.data() + --size_) : many_.pop_back(); }
  [[nodiscard]] auto size() const -> std::size_t { return size_ + many_.size(); }
  template <class List>
  auto move_to() -> List {
    List list;
    list.reserve(size());
    for (std::size_t i = 0; i < size_; ++i) list.push_back(std::move(few_.data()[i]));
    for (T& element : many_) list.push_back(std::move(element));
    return list;
  }

 private:
  static constexpr std::size_t kFew = sizeof(T) >= 128 ? 4 : 512 / sizeof(T);

  class Room {
   public:
    auto data() -> T* { return reinterpret_cast<T*>(bytes_); }

   private:
    alignas(T) std::byte bytes_[kFew * sizeof(T)];
  };

  void clear() { std::destroy_n(few_.data(), std::exchange(size_, 0)); }

  Room few_;
  std::size_t size_ = 0;
  std::vector<T> many_;
};

/// Returns true if the names are equal except for the case of letters, or for `annotation` and `label` instead of
/// `annotations` and `labels`, as in the examples of KEP-205.
[[nodiscard]] auto is_misspelt(std::string_view key, std::string_view name) -> bool;

struct FieldMeant {
  std::string_view key;
  std::string_view meant = {};

  template <class Member>
  void operator()(std::string_view name, Member&& /*member*/) {
    if (name.size() - key.size() <= 1 && is_misspelt(key, name)) meant = name;
  }
};

/// The field of `out` that `key`, which is not a field, probably stands for; empty if there is none. The API's decoder
/// does not report such keys; it treats them as unknown.
template <class T>
auto field_meant(std::string_view key, T& out) -> std::string_view {
  FieldMeant search{key};
  describe(search, out);
  return search.meant;
}

/// Parses a quantity as the API's decoder does, from a string or a number, with surrounding blanks removed.
/// Source: k8s.io/apimachinery: pkg/api/resource/quantity.go, Quantity.UnmarshalJSON (strings.TrimSpace of the raw
/// JSON, in which tabs and line breaks are escapes, so that they stay).
[[nodiscard]] inline auto quantity_of(std::string_view text) -> std::optional<Quantity> {
  const std::size_t first = std::min(text.find_first_not_of(' '), text.size());
  return Quantity::parse(text.substr(first, text.find_last_not_of(' ') + 1 - first));
}

/// Reads typed values with their describe() (see api/wire.h) from a cursor, which walks a recorded object or the bytes
/// of a dump.
///
/// Types are as strict as in the API's own decoder, because one misread field would make the answer wrong: a number in
/// place of a string is a mismatch. Fields that describe() does not list are skipped.
///
/// A Cursor is positioned on a value and provides
///   is_null(), stopped()           any error stops it permanently; then reads return arbitrary values
///   may_be_string(), may_be_list() false: the value has another type
///   skip()                         skips the value
///   peek() -> Scalar, accept()     returns the value if it is a scalar; skips it (one peek, one accept)
///   each_entry(visit)              calls visit(key) on each value of a map, which it must consume
///   each_element(visit)            the same for a list
///   present()                      consumes the value; true if it is not null or an empty list
///   skip_string()                  skips a value that must be a string
///   embedded(EmbeddedText&), remember(OnTape&)
///   mismatch(what)                 stops: the value is not `what`
///   large_quantity(text)           reports a quantity beyond what Kubernetes can hold
///   unknown_field(key, out)        reports a key that describe() does not list; the value is skipped afterwards
///   misspelt_field(meant)          reports that the next unknown key was probably meant to be `meant`
///   open_part(key) -> part, close_part(part, use, holder, read)
///                                  before and after the value of a key (see input/pattern.h)
///   open_scalar() -> part          as open_part(), for an element of a list that is a scalar
///   open_element(list, element, size) -> element, close_element(element, index, read)
///                                  before and after an element of a list
template <class Cursor>
class FieldReader {
 public:
  FieldReader(Cursor& cursor, Symbols& symbols, Recent* recent = nullptr)
      : cursor_(cursor), symbols_(symbols), recent_(recent) {}

  /// Reads the value of one key of `out`: calls describe(), in which the line with the same name reads it. If there is
  /// none, the value is skipped.
  template <class T>
  [[gnu::always_inline]] void entry(std::string_view key, T& out) {
    const auto part = cursor_.open_part(key);
    FieldMatcher matcher{*this, key};
    describe(matcher, out);
    if (!matcher.matched) {
      if (const std::string_view meant = field_meant(key, out); !meant.empty()) cursor_.misspelt_field(meant);
      cursor_.unknown_field(key, out);
      if constexpr (requires { out.unknown_fields; }) out.unknown_fields.push_back(symbols_.intern(key));
      if (!cursor_.stopped()) cursor_.skip();
    }
    const Part::Use use = !matcher.matched                   ? Part::Use::skipped
                          : matcher.replaced && !Finished<T> ? Part::Use::read
                                                             : Part::Use::fixed;
    cursor_.close_part(part, use, &out, read_again<T>);
  }

  template <class T>
  void read(T& out) {
    if (cursor_.is_null()) {
      cursor_.skip();
      return;
    }
    if constexpr (std::is_same_v<T, Symbol>) {
      const std::string_view text = string();
      out = text.empty() ? Symbol{} : symbols_.intern(text);
      cursor_.accept();
    } else if constexpr (std::is_same_v<T, std::string>) {
      out = std::string(string());
      cursor_.accept();
    } else if constexpr (std::is_same_v<T, bool>) {
      out = boolean();
    } else if constexpr (std::is_same_v<T, std::int32_t> || std::is_same_v<T, std::int64_t>) {
      out = static_cast<T>(integer(sizeof(T) * 8));
    } else if constexpr (std::is_same_v<T, double>) {
      out = number();
    } else if constexpr (std::is_same_v<T, Quantity>) {
      out = quantity();
    } else if constexpr (std::is_same_v<T, Instant>) {
      out = instant();
    } else if constexpr (std::is_same_v<T, Duration>) {
      out = duration();
    } else if constexpr (std::is_same_v<T, NumberOrPercent>) {
      out = number_or_percent();
    } else {
      container(out);
    }
  }

  template <class T>
  void read(std::optional<T>& out) {
    if (cursor_.is_null()) {
      cursor_.skip();
      return;
    }
    read(out.emplace());
  }

  template <AnyList List>
  void read(List& out) {
    if (cursor_.is_null()) {
      cursor_.skip();
      return;
    }
    list(out);
  }

  template <class T>
  void read(MapOf<T>& out) {
    if (cursor_.is_null()) {
      cursor_.skip();
      return;
    }
    out.clear();
    cursor_.each_entry([&](std::string_view key) {
      if (std::is_same_v<T, EmbeddedText> && !embedded_text_matters(key)) return cursor_.skip();
      auto& entry = out.emplace_back();
      entry.first = symbols_.intern(key);
      read(entry.second);
    });
  }

  void read(Present& out) { out.value = cursor_.present(); }
  void read(Ignored& /*out*/) { cursor_.skip(); }
  void read(OnTape& out) { cursor_.remember(out); }
  void read(EmbeddedText& out) { cursor_.is_null() ? cursor_.skip() : cursor_.embedded(out); }
  void read(AsNumber& out) {
    if (cursor_.is_null()) return cursor_.skip();
    out.value = go::parse_int(string(), 64).value_or(0);
    cursor_.accept();
  }
  void read(OptionalNumber& out) {
    if (cursor_.is_null()) return cursor_.skip();
    out.value = static_cast<std::int32_t>(integer(32));
    out.given = true;
  }
  void read(KeysOf& out) {
    if (cursor_.is_null()) return cursor_.skip();
    out.keys.clear();
    cursor_.each_entry([&](std::string_view key) {
      out.keys.push_back(symbols_.intern(key));
      cursor_.skip();
    });
  }
  void read(InTreeDisk& out);
  // If no scheduler reads the rest of such a field, a value of another type is not an error.
  void read(Reduced<Symbol>& out) {
    out.kept = {};
    if (cursor_.is_null() || (!out.strict && !cursor_.may_be_string())) return cursor_.skip();
    const std::string_view text = out.reduce(string());
    out.kept = text.empty() ? Symbol{} : symbols_.intern(text);
    cursor_.accept();
  }
  void read(Reduced<SharedList<Symbol>>& out) {
    if (cursor_.is_null() || !cursor_.may_be_list()) return cursor_.skip();
    out.kept = {};
    const bool arguments = out.reduce == flag_of_release;
    bool is_value = false;  // of the flag before it
    cursor_.each_element([&] {
      const auto part = cursor_.open_scalar();
      Symbol element;
      Reduced<Symbol> one{element, is_value ? number_of_flag : out.reduce, out.strict};
      read(one);
      if (element) out.kept.push_back(element);
      const bool dropped = !element && arguments && !is_value;
      is_value = arguments && takes_number(symbols_.text(element));
      cursor_.close_part(part, dropped ? Part::Use::element : Part::Use::fixed, &out.kept, pass_argument);
    });
  }

 private:
  struct FieldMatcher {
    FieldReader& reader;
    std::string_view key;
    bool matched = false;
    bool replaced = false;

    template <class T>
    [[gnu::always_inline]] void operator()(std::string_view name, T&& member) {
      if (matched || name.size() != key.size() || __builtin_memcmp(name.data(), key.data(), name.size()) != 0) return;
      matched = true;
      replaced = kReplaced<std::decay_t<T>>;
      reader.read(member);
    }
  };

  template <class T>
  static void read_again(void* reader, std::string_view key, void* out) {
    FieldMatcher matcher{*static_cast<FieldReader*>(reader), key};
    describe(matcher, *static_cast<T*>(out));
  }

  /// Reads a member of a list element again. Returns false if this changes whether the element is dropped. An element
  /// is dropped if none of its members matters.
  template <class List>
  static auto read_element_again(void* reader, std::string_view key, void* list, std::uint32_t index, const Part& part)
      -> bool {
    using T = typename List::value_type;
    // Nested members of a dropped element are not stored.
    if (index == Element::kDropped && part.offset != 0) return false;
    const auto read = [&](T& element) {
      part.read(reader, key, reinterpret_cast<std::byte*>(&element) + part.offset);
      if constexpr (requires { element.matters(); }) return element.matters() == (index != Element::kDropped);
      return true;
    };
    if (index != Element::kDropped) return read((*static_cast<List*>(list))[index]);
    T dropped;
    return read(dropped);
  }

  template <class List>
  static auto element_at(void* list, std::uint32_t index) -> void* {
    return &(*static_cast<List*>(list))[index];
  }

  template <class List>
  void list(List& out) {
    using T = typename List::value_type;
    Gathered<T> elements;
    cursor_.each_element([&] {
      T& element = elements.add();
      const auto opened = cursor_.open_element(&out, &element, sizeof element);
      bool matters = true;
      if constexpr (std::is_same_v<T, Symbol>) {
        const bool null = cursor_.is_null();
        element = symbols_.intern(null ? std::string_view() : string());
        null ? cursor_.skip() : cursor_.accept();
      } else {
        read(element);
        if constexpr (requires { element.matters(); }) matters = element.matters();
      }
      if (!matters) elements.drop();
      cursor_.close_element(opened, matters ? elements.size() - 1 : Element::kDropped, element_at<List>,
                            read_element_again<List>);
    });
    out = elements.template move_to<List>();
  }

  template <class T>
  void container(T& out) {
    if constexpr (std::is_same_v<T, SymbolMap> || std::is_same_v<T, Annotations>) {
      symbol_map(out);
    } else if constexpr (std::is_same_v<T, ResourceList>) {
      resource_list(out);
    } else {
      object(out);
    }
  }

  template <class T>
  void object(T& out) {
    if constexpr (requires { out.given = true; }) out.given = true;
    cursor_.each_entry([&](std::string_view key) { entry(key, out); });
    if constexpr (Finished<T>) finish(out, symbols_);
  }

  // The readers below that return a view leave it to the caller to accept the value once the view is no longer needed.
  auto string() -> std::string_view {
    const Scalar scalar = cursor_.peek();
    if (scalar.scalar && scalar.type == ScalarType::string) return scalar.text;
    cursor_.mismatch("a string");
    return {};
  }

  /// Parses the scalar at the cursor with `parse`; a result of none is a mismatch.
  template <class Parse>
  auto parsed(std::string_view what, Parse parse) {
    const Scalar scalar = cursor_.peek();
    const auto value = scalar.scalar ? parse(scalar) : std::nullopt;
    if (!value) {
      cursor_.mismatch(what);
    } else {
      cursor_.accept();
    }
    return value.value_or(typename decltype(value)::value_type{});
  }

  auto boolean() -> bool {
    return parsed("a boolean", [](const Scalar& scalar) {
      return scalar.type == ScalarType::boolean ? std::optional(scalar.text == "true") : std::nullopt;
    });
  }
  auto integer(int bits) -> std::int64_t {
    const auto read_it = [&](const Scalar& scalar) {
      return scalar.type == ScalarType::integer ? go::parse_int(scalar.text, bits) : std::nullopt;
    };
    return parsed(bits == 32 ? "an integer of 32 bits" : "an integer of 64 bits", read_it);
  }
  auto number() -> double;
  /// Stands in for an argument that was not kept: accepts only another such argument.
  static void pass_argument(void* reader, std::string_view /*key*/, void* /*arguments*/) {
    FieldReader& self = *static_cast<FieldReader*>(reader);
    const std::string_view text = self.string();
    if (!flag_of_release(text).empty()) return self.cursor_.mismatch("an argument, which is not kept");
    self.cursor_.accept();
  }
  auto quantity() -> Quantity {
    return parsed("a resource quantity such as \"500m\" or \"2Gi\"", [&](const Scalar& scalar) {
      const auto value = scalar.type == ScalarType::boolean ? std::nullopt : quantity_of(scalar.text);
      if (value && value->capped()) cursor_.large_quantity(scalar.text);
      return value;
    });
  }
  auto instant() -> Instant {
    return parsed("a time as RFC 3339 writes it, \"2026-01-02T03:04:05Z\"", [&](const Scalar& scalar) {
      if (scalar.type != ScalarType::string) return std::optional<Instant>();
      return recent_ != nullptr ? recent_->instant(scalar.text) : parse_instant(scalar.text);
    });
  }
  auto duration() -> Duration {
    return parsed("a duration with its unit, such as \"90s\" or \"1h30m\"", [](const Scalar& scalar) {
      const auto nanos = scalar.type == ScalarType::string ? parse_go_duration(scalar.text) : std::nullopt;
      return nanos ? std::optional(Duration{*nanos}) : std::nullopt;
    });
  }

  auto number_or_percent() -> NumberOrPercent {
    return parsed("an integer or a percentage such as \"25%\"", [](const Scalar& scalar) {
      const bool percent = scalar.type == ScalarType::string && scalar.text.ends_with('%');
      if (!percent && scalar.type != ScalarType::integer) return std::optional<NumberOrPercent>();
      const auto number = go::parse_int(scalar.text.substr(0, scalar.text.size() - (percent ? 1 : 0)), 32);
      return number ? std::optional(NumberOrPercent{static_cast<std::int32_t>(*number), percent}) : std::nullopt;
    });
  }

  template <class Map>
  void symbol_map(Map& out) {
    Gathered<SymbolMap::Entry> entries;
    cursor_.each_entry([&](std::string_view key) {
      const auto part = cursor_.open_part(key);
      if (const auto entry = symbol_entry<Map>(key)) entries.add() = *entry;
      cursor_.close_part(part, is_wanted<Map>(key) ? Part::Use::read : Part::Use::text, &out, read_symbol_again<Map>);
    });
    out = Map(entries.template move_to<SharedList<SymbolMap::Entry>>());
  }
  template <class Map>
  static auto is_wanted(std::string_view key) -> bool {
    return !std::is_same_v<Map, Annotations> || annotation_matters(key);
  }
  template <class Map>
  static auto is_read(std::string_view key) -> bool {
    return !std::is_same_v<Map, Annotations> || annotation_is_read(key);
  }
  /// None if the entry is not needed or the cursor stopped.
  template <class Map>
  auto symbol_entry(std::string_view key, const Map* known = nullptr) -> std::optional<SymbolMap::Entry> {
    if (!is_wanted<Map>(key)) {
      // Only the type of the value is checked, so no secret in it is ever kept.
      cursor_.is_null() ? cursor_.skip() : cursor_.skip_string();
      return {};
    }
    SymbolMap::Entry entry{known == nullptr ? symbols_.intern(key) : name_in(*known, key), {}};
    if (cursor_.is_null()) {
      entry.second = symbols_.intern({});
      cursor_.skip();
      return entry;
    }
    const std::string_view value = string();
    if (cursor_.stopped()) return {};
    entry.second = symbols_.intern(is_read<Map>(key) ? value : std::string_view());
    cursor_.accept();
    return entry;
  }
  template <class Map>
  static void read_symbol_again(void* reader, std::string_view key, void* out) {
    Map& map = *static_cast<Map*>(out);
    const auto entry = static_cast<FieldReader*>(reader)->symbol_entry<Map>(key, &map);
    if (entry) map.set(entry->first, entry->second);
  }
  /// The symbol of `key`, which usually is a key of the map already.
  template <class Map>
  auto name_in(const Map& map, std::string_view key) -> Symbol {
    for (const auto& entry : map) {
      if (symbols_.text(entry.first) == key) return entry.first;
    }
    return symbols_.intern(key);
  }

  void resource_list(ResourceList& out) {
    Gathered<ResourceList::Entry> entries;
    cursor_.each_entry([&](std::string_view key) {
      const auto part = cursor_.open_part(key);
      ResourceList::Entry& entry = entries.add();
      entry.first = symbols_.intern(key);
      read(entry.second);
      if (cursor_.stopped()) entries.drop();
      cursor_.close_part(part, Part::Use::read, &out, read_resource_again);
    });
    out = ResourceList(entries.template move_to<SharedList<ResourceList::Entry>>());
    if (recent_ != nullptr) out = recent_->shared(std::move(out));
  }
  static void read_resource_again(void* reader, std::string_view key, void* list) {
    FieldReader& self = *static_cast<FieldReader*>(reader);
    ResourceList& out = *static_cast<ResourceList*>(list);
    const Symbol name = self.name_in(out, key);
    Quantity quantity;
    self.read(quantity);
    self.recent_ == nullptr ? out.set(name, quantity)
                            : static_cast<void>(out = self.recent_->with(out, name, quantity));
  }

  Cursor& cursor_;
  Symbols& symbols_;
  Recent* recent_;
};

template <class Cursor>
auto FieldReader<Cursor>::number() -> double {
  return parsed("a number", [](const Scalar& scalar) -> std::optional<double> {
    const bool numeric = scalar.type == ScalarType::integer || scalar.type == ScalarType::floating;
    double value = 0;
    const auto [end, error] = std::from_chars(scalar.text.data(), scalar.text.data() + scalar.text.size(), value);
    return numeric && error == std::errc() ? std::optional(value) : std::nullopt;
  });
}

template <class Cursor>
void FieldReader<Cursor>::read(InTreeDisk& out) {
  if (cursor_.is_null()) return cursor_.skip();
  out.disk.kind = out.kind;
  cursor_.each_entry([&](std::string_view key) {
    if (key == out.id_field) {
      read(out.disk.id);
    } else if (key == "readOnly") {
      read(out.disk.read_only);
    } else if (key == out.pool_field && out.kind == DiskKind::empty_dir) {
      Reduced<Symbol> size{out.disk.pool, [](std::string_view text) { return text; }, false};  // may be a number
      read(size);
    } else if (key == out.pool_field) {
      read(out.disk.pool);
    } else if (key == "kind" && out.kind == DiskKind::azure_disk) {
      read(out.disk.azure_kind);
    } else if (key == "monitors" && out.kind == DiskKind::rbd) {
      read(out.disk.monitors);
    } else {
      cursor_.skip();
    }
  });
}

}  // namespace previct
