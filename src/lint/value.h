#pragma once

#include "api/kind_info.h"
#include "input/tape.h"

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace previct::lint {

struct Manifest;

/// A value in a manifest, or nothing: absent and null are the same, as for the API server. Accessors of nothing return
/// nothing, so that `m["spec"]["template"]` needs no checks.
///
/// Rules read values and not decoded objects: a linter must see misspelled keys, wrong types and the place of each.
class Value {
 public:
  Value() = default;
  Value(const Manifest& manifest, std::uint32_t index, std::uint32_t key = kNone)
      : manifest_(&manifest), index_(index), key_(key) {}

  [[nodiscard]] explicit operator bool() const { return manifest_ != nullptr; }
  [[nodiscard]] auto is_map() const -> bool;
  [[nodiscard]] auto is_list() const -> bool;
  [[nodiscard]] auto is_string() const -> bool;
  [[nodiscard]] auto is_scalar() const -> bool;

  /// The text of a scalar, as JSON would print it: `true`, `8000`, `10m`. Empty for anything else.
  [[nodiscard]] auto text() const -> std::string_view;
  /// The key of the value; empty for elements of lists and whole manifests.
  [[nodiscard]] auto key() const -> std::string_view;
  [[nodiscard]] auto is(std::string_view text) const -> bool { return is_scalar() && this->text() == text; }

  /// The value of `key` in this map.
  [[nodiscard]] auto operator[](std::string_view key) const -> Value;
  /// The value at `path`, keys separated by dots: `spec.template`.
  [[nodiscard]] auto in(std::string_view path) const -> Value;

  /// Iterates over the values of a map or the elements of a list, in the order of the text; nulls are skipped.
  class Iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = Value;
    using difference_type = std::ptrdiff_t;
    using pointer = void;
    using reference = Value;

    Iterator(const Value& of, std::uint32_t at) : of_(&of), at_(at) { skip_nulls(); }
    [[nodiscard]] auto operator*() const -> Value;
    auto operator++() -> Iterator&;
    auto operator==(const Iterator& other) const -> bool { return at_ == other.at_; }

   private:
    void step();
    void skip_nulls();
    const Value* of_;
    std::uint32_t at_;
  };
  [[nodiscard]] auto begin() const -> Iterator;
  [[nodiscard]] auto end() const -> Iterator;
  [[nodiscard]] auto size() const -> std::size_t;

  [[nodiscard]] auto manifest() const -> const Manifest& { return *manifest_; }
  /// Index on the manifest's tape.
  [[nodiscard]] auto index() const -> std::uint32_t { return index_; }
  /// Index of the key on the tape; kNone if there is no key.
  [[nodiscard]] auto key_index() const -> std::uint32_t { return key_; }
  static constexpr std::uint32_t kNone = 0xffff'ffff;

 private:
  [[nodiscard]] auto entry() const -> const Tape::Entry&;

  const Manifest* manifest_ = nullptr;
  std::uint32_t index_ = 0;
  std::uint32_t key_ = kNone;
};

/// The keys that a map contains more than once, nulls too: for each repetition, the first occurrence and the
/// repetition.
[[nodiscard]] auto keys_twice(const Value& map) -> std::vector<std::pair<Value, Value>>;

/// The index on the tape of the map that holds the value, which has a key.
[[nodiscard]] auto map_around(const Value& value) -> std::uint32_t;

/// The text of one input.
struct SourceText {
  std::string name;  ///< as shown in findings: a path from the working folder, with `/`
  std::string text;
  std::string path;     ///< of a file with only this text; empty: it cannot be written
  bool marked = false;  ///< the file begins with a byte order mark
  bool json = false;
  bool ascii = false;  ///< each byte is one character
  std::vector<std::size_t> line_starts;
  /// Start and length of the scalar whose end was computed last. A text within an object may be the whole file, and
  /// each finding in it is shown at its place.
  mutable std::pair<std::size_t, std::size_t> last_scalar = {SIZE_MAX, 0};

  /// The line without its line end; `line` is 1-based. Empty if there is no such line.
  [[nodiscard]] auto line(std::uint32_t line) const -> std::string_view;
  /// The offset of a byte; npos if there is no such place.
  [[nodiscard]] auto offset(std::uint32_t line, std::uint32_t column) const -> std::size_t;
};

/// One object, or a configuration file within one.
struct Manifest {
  const SourceText* source = nullptr;
  Tape tape;
  std::string group;  ///< `apps`; empty: core
  std::string version;
  std::string kind;  ///< `QueueConfiguration` for YuniKorn's queues.yaml, which has no kind
  std::string name;
  std::string ns;       ///< as written; empty if absent
  bool stored = false;  ///< an API server stored it: it has fields that only a server writes

  // For a file within a ConfigMap: where its lines are in the source.
  const Manifest* wrapper = nullptr;
  std::uint32_t lines_before = 0;    ///< lines of the source before its first line
  std::uint32_t columns_before = 0;  ///< columns of each line before its first column
  bool exact = true;                 ///< false: its places are not places in the source; `held_by` is shown instead
  Value held_by;
  bool in_list = false;  ///< item of a list

  /// For a generated object (by a kustomization), the original entry of each entry on the tape.
  struct Origin {
    const Manifest* manifest = nullptr;
    std::uint32_t index = 0;
  };
  std::vector<Origin> origins;
  const Manifest* original = nullptr;  ///< as it was read; null: this manifest was read

  [[nodiscard]] auto root() const -> Value { return {*this, 0}; }
  [[nodiscard]] auto operator[](std::string_view key) const -> Value { return root()[key]; }
  [[nodiscard]] auto in(std::string_view path) const -> Value { return root().in(path); }
  /// The value whose key or text begins at this line and column of the manifest (the root if there is none).
  [[nodiscard]] auto at(std::uint32_t line, std::uint32_t column) const -> Value;
  /// `Pod ml/a`, `PriorityClass low`.
  [[nodiscard]] auto identity() const -> std::string;
  /// Equal for all manifests of one object, whatever their version.
  [[nodiscard]] auto key() const -> std::string { return group + '/' + kind + '/' + ns + '/' + name; }
  /// The ConfigMap if this is wrapped, else this.
  [[nodiscard]] auto object() const -> const Manifest& { return wrapper != nullptr ? *wrapper : *this; }
  /// The manifest as it was read.
  [[nodiscard]] auto as_read() const -> const Manifest& { return original != nullptr ? *original : *this; }
};

/// Returns true for kinds of Kubernetes or KAI Scheduler: how the API server handles their fields is known.
[[nodiscard]] auto has_known_api(const Manifest& manifest) -> bool;

/// Returns true if a scheduler reads objects of this kind.
[[nodiscard]] auto takes_part(const Manifest& manifest) -> bool;

/// The kind as in kinds.h: `Queue.scheduling.run.ai`, `Pod`.
[[nodiscard]] auto kind_of(const Manifest& manifest) -> std::string;

/// The description of the kind; null if previct does not know it.
[[nodiscard]] auto known_kind(const Manifest& manifest) -> const KindInfo*;

}  // namespace previct::lint
