#pragma once

#include "api/described.h"
#include "base/diagnostics.h"
#include "input/tape.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace previct {

/// How a StrictReader reads values and reports errors.
struct StrictReading {
  /// As Go reads YAML into structs: a key without a value is absent, and so are such elements of a list; a scalar of a
  /// map is then parsed with the type null. Otherwise a missing value is an error.
  bool null_is_absent = false;
  /// Errors quote the file. If not, they quote only what is similar to a known word, for files that may be a link to
  /// anything.
  bool quotes = true;
};

/// Reads the files that api/described.h describes from a tape. It refuses unknown keys (and names the most similar
/// known one), keys that occur twice, missing keys and values, and values of another type, each with its place and the
/// path of its field. Stops at the first error.
class StrictReader {
 public:
  StrictReader(const Tape& tape, FileId file, StrictReading how = {}) : tape_(tape), file_(file), how_(how) {}

  [[nodiscard]] auto failure() const -> const std::optional<Failure>& { return failure_; }
  [[nodiscard]] auto place(std::uint32_t index) const -> Place {
    return {file_, tape_[index].line, tape_[index].column};
  }

  /// Reads a mapping with a description.
  template <Described T>
  void read(std::uint32_t index, T& out) {
    if (failure_) return;
    if constexpr (requires { short_form(out); }) {
      if (tape_[index].type == EventType::scalar && !is_null(index)) return read(index, short_form(out));
    }
    std::size_t least = 0;
    if constexpr (requires { T::kLeastKeys; }) least = T::kLeastKeys;
    // A file of another kind is not refused for its keys.
    Fields constants{*this, index, true};
    describe(constants, out);
    if (!check_keys(index, key_names(out), least)) return;
    Fields fields{*this, index, false};
    describe(fields, out);
    if constexpr (requires { out.place = Place{}; }) out.place = place(index);
    if constexpr (requires { finish(out, Place{}); }) {
      if (failure_) return;
      if (std::string why = finish(out, place(index)); !why.empty()) refuse(index, with_path(index, why));
    }
  }
  template <class T>
  void read(std::uint32_t index, std::optional<T>& out) {
    read(index, out.emplace());
  }
  template <class V>
  void read(std::uint32_t index, const As<V>& out) {
    if (auto value = parsed(index, out.form)) out.set(*std::move(value), place(index));
  }
  template <class V>
  void read(std::uint32_t index, const IntervalOf<V>& out) {
    std::vector<V> ends;
    ListOf<As<V>> list = one_or_list_of(ends, out.form);
    list.least = 1;
    list.most = 2;
    list.expected = "one value, or an interval [FROM, TO]";
    read(index, list);
    if (failure_) return;
    std::optional<V> to;
    if (ends.size() == 2) to = std::move(ends[1]);
    if (std::string why = out.set(std::move(ends[0]), std::move(to)); !why.empty()) {
      refuse(index, with_path(index, why));
    }
  }
  template <class Inner>
  void read(std::uint32_t index, const ListOf<Inner>& out) {
    if (!failure_) out.begin(place(index));
    if (out.or_single && tape_[index].type == EventType::scalar) return read(index, out.add());
    std::size_t count = 0;
    each_item(index, out.expected, [&](std::uint32_t item) {
      ++count;
      read(item, out.add());
    });
    if (count >= out.least && count <= out.most) return;
    out.expected.empty() ? refuse(index, with_path(index, "at least one is needed")) : mismatch(index, out.expected);
  }
  template <class Inner>
  void read(std::uint32_t index, const MapTo<Inner>& out) {
    const bool fixed = out.key.expected.empty();
    if (!(fixed ? check_keys(index, out.key.words, 0, out.expected) : check_mapping(index, out.expected))) return;
    out.begin();
    for (std::uint32_t key = index + 1; key < tape_[index].next && !failure_; key = tape_[key + 1].next) {
      if (auto name = parsed(key, out.key)) read(key + 1, out.entry(*std::move(name), place(key)));
    }
  }
  template <class Inner>
  void read(std::uint32_t index, const WordOr<Inner>& out) {
    if (tape_[index].type != EventType::scalar || tape_.text(tape_[index]) != out.word) return read(index, out.other);
    out.set();
  }
  void read(std::uint32_t index, OnTape out) { out.index = index; }
  void read(std::uint32_t /*index*/, Ignored /*out*/) {}
  void read(std::uint32_t /*index*/, const ReadElsewhere& /*out*/) {}

  /// Calls visit(index) for each element of a list; `expected` is for errors.
  template <class Visit>
  void each_item(std::uint32_t list, std::string_view expected, Visit visit) {
    if (failure_) return;
    if (tape_[list].type != EventType::begin_list) return mismatch(list, expected.empty() ? "a list" : expected);
    for (std::uint32_t item = list + 1; item < tape_[list].next && !failure_; item = tape_[item].next) {
      if (!how_.null_is_absent || !is_null(item)) visit(item);
    }
  }

  /// Returns true if the value is a mapping in which no key occurs twice; records the failure otherwise. `keys_known`:
  /// its keys are known words, which errors may quote.
  auto check_mapping(std::uint32_t index, std::string_view expected = {}, bool keys_known = false) -> bool;

 private:
  struct Fields {
    StrictReader& reader;
    std::uint32_t map;
    bool only_constants;  // such as `kind`

    template <class M>
    void operator()(std::string_view name, M&& member, std::string_view /*what*/ = {}, Need need = Need::optional) {
      if (reader.failure_) return;
      std::string constant;
      if constexpr (requires { member.form.words; }) {
        if (member.form.words.size() == 1) constant = ": " + member.form.words.front();
      }
      if (only_constants && constant.empty()) return;
      const std::uint32_t value = reader.tape_.find(map, name);
      if (value < reader.tape_.size() && !(reader.how_.null_is_absent && reader.is_null(value))) {
        reader.read(value, member);
      } else if (need == Need::required && !only_constants) {
        reader.refuse(map, reader.with_path(map, std::string(name) + constant + " is missing"));
      }
    }
  };

  [[nodiscard]] auto is_null(std::uint32_t index) const -> bool {
    return tape_[index].type == EventType::scalar && tape_[index].scalar == ScalarType::null;
  }

  template <class V>
  auto parsed(std::uint32_t index, const Form<V>& form) -> std::optional<V> {
    if (failure_) return {};
    std::optional<V> value;
    if (tape_[index].type == EventType::scalar && (how_.null_is_absent || !is_null(index)))
      value = form.parse(tape_.text(tape_[index]), tape_[index].scalar);
    if (!value) {
      const bool harmless = form.harmless != nullptr && form.harmless(tape_.text(tape_[index]));
      mismatch(index, form.expected, form.words, form.help, harmless);
    }
    return value;
  }

  /// Returns true if the value is a mapping with known keys, each once, and not fewer than `least`.
  auto check_keys(std::uint32_t map, const std::vector<std::string>& known, std::size_t least,
                  std::string_view expected = {}) -> bool;
  /// Refuses a value that is not `expected`. `harmless`: a scalar may be quoted.
  void mismatch(std::uint32_t index, std::string_view expected, const std::vector<std::string>& words = {},
                std::string_view help = {}, bool harmless = false);
  void refuse(std::uint32_t index, std::string message, std::string help = {}) {
    if (!failure_) failure_ = Failure{std::move(message), place(index), std::move(help)};
  }
  /// `tests[0].expect: WHAT`; only WHAT for the document itself.
  [[nodiscard]] auto with_path(std::uint32_t index, std::string_view what) const -> std::string;
  /// The path to the value at `index`, or to the mapping of the key there: `tests[0].expect`; empty for the document.
  [[nodiscard]] auto path(std::uint32_t index) const -> std::string;

  const Tape& tape_;
  FileId file_;
  StrictReading how_;
  std::optional<Failure> failure_;
};

/// Reads the value at `index` of the tape.
template <class T>
[[nodiscard]] auto read_strictly(const Tape& tape, std::uint32_t index, FileId file, StrictReading how, T& out)
    -> Result<void> {
  StrictReader reader(tape, file, how);
  reader.read(index, out);
  if (reader.failure()) return tl::unexpected(*reader.failure());
  return {};
}

/// Sets the field `name` of `out`, whose fields are scalars, from a text at `place` that is outside of a file of this
/// format. Returns false if there is no such field.
template <class T>
[[nodiscard]] auto set_described(std::string_view name, std::string_view value, Place place, T& out) -> Result<bool> {
  Tape tape;
  tape.add(Event{EventType::begin_map, {}, {}, place.line, place.column});
  tape.add(Event{EventType::scalar, ScalarType::string, name, place.line, place.column});
  tape.add(Event{EventType::scalar, ScalarType::string, value, place.line, place.column});
  tape.add(Event{EventType::end, {}, {}});
  const std::vector<std::string> known = key_names(out);
  if (std::find(known.begin(), known.end(), name) == known.end()) return false;
  PREVICT_CHECK(read_strictly(tape, 0, place.file, {}, out));
  return true;
}

}  // namespace previct
