#pragma once

#include "api/wire.h"
#include "base/place.h"
#include "input/events.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// How the files of previct's own formats (test suites, `.previct.yaml`, assumptions) and YuniKorn's `queues.yaml` are
/// described: once, next to each struct, as objects of the API are (wire.h):
///
///     template <class Field>
///     friend void describe(Field& field, Case& self) {
///       field("at", as(self.at, moment_form()), "+20m from now, or RFC 3339");
///       field("expect", self.expect, "the expected result", Need::required);
///     }
///
/// A StrictReader reads a file by it; the JSON Schemas in schema/, and with them the manual pages, are written from it.
/// Fields are read in the order of the description. A member `Place place` is set to the place of the mapping. A struct
/// may also have
///   - `friend auto finish(T& self, const Place& place) -> std::string`: called once the fields are read, with the
///     place of the mapping; returns why the values do not go together, or nothing
///   - `friend auto short_form(T& self) -> As<V>`: what a scalar in place of the mapping means
///   - `static constexpr std::size_t kLeastKeys`: how many keys it must have
///   - `static constexpr std::string_view kDefinition`: its name in the schema, which then has it once
namespace previct {

/// Whether a key must be present.
enum class Need : std::uint8_t {
  optional,
  for_editors,  ///< the schema requires it, for editors that choose a schema by it; files without it are read
  required
};

/// What a scalar may be, and the value that it stands for.
template <class V>
struct Form {
  std::string expected;  ///< for errors: `a time such as 2026-05-01T12:00:00Z`; empty: one of `words`
  /// None if the text is not of this form. The type is that of the text's format; string in files of previct's own.
  std::function<std::optional<V>(std::string_view text, ScalarType type)> parse;
  std::string schema;                   ///< JSON Schema; empty: an enumeration of `words`
  std::vector<std::string> words = {};  ///< all words that are allowed; empty: there are others
  std::string help = {};                ///< what to do about another text, if no word is similar
  std::string definition = {};          ///< its name in the schema, which then has it once; empty: none
  /// True for a text that an error may quote even if it quotes nothing else of the file (StrictReading::quotes).
  bool (*harmless)(std::string_view text) = nullptr;
};

/// A scalar.
template <class V>
struct As {
  Form<V> form;
  std::function<void(V value, const Place& place)> set;
};

/// A scalar, or an interval [FROM, TO] of them.
template <class V>
struct IntervalOf {
  Form<V> form;
  /// Returns why it is not an interval, or nothing.
  std::function<std::string(V from, std::optional<V> to)> set;
};

/// A list. `add` adds an element and returns how it is read: a reference to a described struct, or As.
template <class Inner>
struct ListOf {
  std::function<Inner()> add;
  std::function<void(const Place& place)> begin = [](const Place& /*place*/) {};  ///< called before the elements
  bool or_single = false;                                                         ///< a scalar counts as a list
  std::size_t least = 0;
  std::size_t most = SIZE_MAX;
  std::string expected = {};  ///< for errors; empty: a list
};

/// A mapping with keys of the user's choice. `entry` returns how the value of a key is read: As, IntervalOf.
template <class Inner>
struct MapTo {
  Form<std::string> key;
  std::function<Inner(std::string key, const Place& place)> entry;
  std::string expected;                 ///< for errors: `RESOURCE: QUANTITY`
  std::function<void()> begin = [] {};  ///< called before the keys
};

/// A mapping that has no struct of its own: `fields(field)` describes it.
template <class Fields>
struct FieldGroup {
  Fields fields;

  template <class Field>
  friend void describe(Field& field, FieldGroup& self) {
    self.fields(field);
  }
};

/// A word instead of the value that is otherwise read.
template <class Inner>
struct WordOr {
  std::string word;
  std::function<void()> set;
  Inner other;
};

/// A key that another reader reads, with its JSON Schema.
struct ReadElsewhere {
  std::string schema;
};

template <class M, class V>
[[nodiscard]] auto as(M& member, Form<V> form) -> As<V> {
  return {std::move(form), [&member](V value, const Place& /*place*/) { member = std::move(value); }};
}
template <class V>
[[nodiscard]] auto appended_to(std::vector<V>& list, Form<V> form) -> As<V> {
  return {std::move(form), [&list](V value, const Place& /*place*/) { list.push_back(std::move(value)); }};
}
template <class V>
[[nodiscard]] auto list_of(std::vector<V>& member, Form<V> form, std::string expected = {}) -> ListOf<As<V>> {
  ListOf<As<V>> list{[&member, form = std::move(form)] { return appended_to(member, form); }};
  list.begin = [&member](const Place& /*place*/) { member.clear(); };
  list.expected = std::move(expected);
  return list;
}
template <class V>
[[nodiscard]] auto one_or_list_of(std::vector<V>& member, Form<V> form) -> ListOf<As<V>> {
  ListOf<As<V>> list = list_of(member, std::move(form));
  list.or_single = true;
  return list;
}
template <class T>
[[nodiscard]] auto records(std::vector<T>& member, std::size_t least = 0) -> ListOf<T&> {
  ListOf<T&> list{[&member]() -> T& { return member.emplace_back(); }};
  list.least = least;
  return list;
}
template <class Fields>
[[nodiscard]] auto group(Fields fields) -> FieldGroup<Fields> {
  return {std::move(fields)};
}

/// The names of the fields that describe() lists.
struct KeyNames {
  std::vector<std::string> names = {};

  template <class M>
  void operator()(std::string_view name, M&& /*member*/, std::string_view /*what*/ = {},
                  Need /*need*/ = Need::optional) {
    names.emplace_back(name);
  }
};

template <class T>
concept Described = requires(KeyNames& keys, T& self) {
  describe(keys, self);
};

template <class T>
[[nodiscard]] auto key_names(T& self) -> std::vector<std::string> {
  KeyNames keys;
  describe(keys, self);
  return std::move(keys.names);
}

// --- Forms that several formats have.

/// A text that `accepts` accepts.
[[nodiscard]] auto checked_text_form(std::string expected, bool (*accepts)(std::string_view), std::string schema)
    -> Form<std::string>;
/// Any scalar that is not empty, as written: `1.30` is the text 1.30. With `numbers`, the schema says so.
[[nodiscard]] auto text_form(bool numbers = false) -> Form<std::string>;
[[nodiscard]] auto boolean_form() -> Form<bool>;
/// A number from 1.
[[nodiscard]] auto count_form() -> Form<std::uint32_t>;
/// An integer of 64 bits, from `least`.
[[nodiscard]] auto integer_form(std::int64_t least = INT64_MIN) -> Form<std::int64_t>;
/// A Go duration that is not negative, in nanoseconds.
[[nodiscard]] auto duration_form(const std::string& example) -> Form<std::int64_t>;
/// NAMESPACE/NAME.
[[nodiscard]] auto namespaced_name_form() -> Form<std::string>;

/// One of these words; the value is the one next to the word.
template <class V>
[[nodiscard]] auto word_form_for(std::vector<std::pair<std::string, V>> table) -> Form<V> {
  Form<V> form;
  for (const auto& [word, value] : table) form.words.push_back(word);
  form.parse = [table = std::move(table)](std::string_view text, ScalarType /*type*/) -> std::optional<V> {
    for (const auto& [word, value] : table) {
      if (word == text) return value;
    }
    return std::nullopt;
  };
  return form;
}
/// One of these words.
[[nodiscard]] auto word_form(std::vector<std::string> words) -> Form<std::string>;
/// The word, for keys such as `kind`.
[[nodiscard]] auto constant(std::string word) -> As<std::string>;

}  // namespace previct
