#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "api/pod.h"
#include "base/diagnostics.h"
#include "base/symbols.h"
#include "input/tape.h"

namespace previct {

/// Reads typed values from a recorded object, by their describe() (see api/wire.h).
///
/// Types are as strict as the API's own decoder, because one field read wrongly would make the answer
/// wrong: a number where a string belongs is a failure with its place, not a guess. Fields that nothing
/// describes are skipped unread. A repeated key is a warning, and the last one counts, as upstream.
class Decoder {
 public:
  Decoder(const Tape& tape, FileId file, Symbols& symbols, Diagnostics& diagnostics)
      : tape_(tape), file_(file), symbols_(symbols), diagnostics_(diagnostics) {}

  /// Decodes the value at `index` of the tape into `out`. After a failure `out` is half filled: drop it.
  template <class T>
  [[nodiscard]] auto decode(std::uint32_t index, T& out) -> Result<void> {
    at_ = index;
    read(out);
    if (failure_) return tl::unexpected(*failure_);
    return {};
  }

  /// Refuse fields that nothing describes (configuration files: upstream decodes those strictly).
  void strict() { strict_ = true; }

 private:
  // Calls describe() once a key; the line whose name equals the key reads the value.
  struct FieldMatcher {
    Decoder& decoder;
    std::string_view key;
    bool matched = false;
    std::vector<std::string>* known = nullptr;

    template <class T>
    void operator()(std::string_view name, T&& member) {
      if (known != nullptr) known->emplace_back(name);
      if (matched || name != key) return;
      matched = true;
      decoder.read(member);
    }
  };

  template <class T>
  void read(T& out) {
    if (is_null()) {
      skip();
      return;
    }
    if constexpr (std::is_same_v<T, Symbol>) {
      const std::string_view text = string();
      out = text.empty() ? Symbol{} : symbols_.intern(text);
    } else if constexpr (std::is_same_v<T, std::string>) {
      out = std::string(string());
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
    } else if constexpr (std::is_same_v<T, SymbolMap>) {
      symbol_map(out, false);
    } else if constexpr (std::is_same_v<T, Annotations>) {
      symbol_map(out, true);
    } else if constexpr (std::is_same_v<T, ResourceList>) {
      resource_list(out);
    } else {
      object(out);
    }
  }

  template <class T>
  void read(std::optional<T>& out) {
    if (is_null()) {
      skip();
      return;
    }
    read(out.emplace());
  }

  template <class T>
  void read(std::vector<T>& out) {
    if (is_null()) {
      skip();
      return;
    }
    out.clear();
    if (!expect(EventType::begin_list, "a list")) return;
    const std::uint32_t end = tape_[at_].next;
    ++at_;
    for (std::size_t i = 0; at_ < end && !failure_; ++i) {
      path_.push_back({{}, i});
      if constexpr (std::is_same_v<T, Symbol>) {
        out.push_back(symbols_.intern(is_null() ? skip_null() : string()));
      } else {
        read(out.emplace_back());
      }
      path_.pop_back();
    }
  }

  template <class T>
  void read(MapOf<T>& out) {
    if (is_null()) {
      skip();
      return;
    }
    out.clear();
    each_entry([&](std::string_view key) {
      auto& entry = out.emplace_back();
      entry.first = symbols_.intern(key);
      read(entry.second);
    });
  }

  void read(Present& out);
  void read(EmbeddedText& out);
  void read(AsNumber& out);
  void read(OptionalNumber& out);
  void read(KeysOf& out);
  void read(InTreeDisk& out);
  void read(Ignored& /*out*/) { skip(); }
  void read(OnTape& out) {
    if (!is_null()) out.index = at_;
    skip();
  }

  template <class T>
  void object(T& out) {
    each_entry([&](std::string_view key) {
      FieldMatcher field{*this, key};
      describe(field, out);
      if (field.matched) return;
      if (strict_) {
        std::vector<std::string> known;
        FieldMatcher names{*this, {}, true, &known};
        describe(names, out);
        unknown_field(key, known);
      }
      skip();
    });
    finish(out);
  }

  // What a type still needs once its fields are known.
  template <class T>
  static void finish(T& /*out*/) {}
  void finish(Requirement& out) const;
  static void finish(PodSpec& out);
  static void finish(PodStatus& out);

  /// Calls `visit(key)` with the cursor on each value of the map at the cursor; it must consume the value.
  template <class Visit>
  void each_entry(Visit visit) {
    if (!expect(EventType::begin_map, "an object")) return;
    const std::uint32_t map = at_;
    const std::uint32_t end = tape_[map].next;
    warn_of_repeated_keys(map);
    for (++at_; at_ < end && !failure_;) {
      const std::string_view key = tape_.text(tape_[at_]);
      key_ = at_;
      path_.push_back({key, 0});
      ++at_;
      visit(key);
      path_.pop_back();
    }
  }

  [[nodiscard]] auto is_null() const -> bool {
    return tape_[at_].type == EventType::scalar && tape_[at_].scalar == ScalarType::null;
  }
  void skip() { at_ = tape_[at_].next; }
  auto skip_null() -> std::string_view {
    skip();
    return {};
  }
  auto expect(EventType type, std::string_view what) -> bool;
  auto string() -> std::string_view;
  auto boolean() -> bool;
  auto integer(int bits) -> std::int64_t;
  auto number() -> double;
  auto quantity() -> Quantity;
  auto instant() -> Instant;
  auto duration() -> Duration;
  void symbol_map(SymbolMap& out, bool only_what_matters);
  void resource_list(ResourceList& out);
  void warn_of_repeated_keys(std::uint32_t map);
  void unknown_field(std::string_view key, const std::vector<std::string>& known);

  /// Records `<path>: expected <what>, found <value>` at the cursor, and moves on.
  void mismatch(std::string_view what);
  [[nodiscard]] auto path() const -> std::string;
  [[nodiscard]] auto place(std::uint32_t index) const -> Place {
    return {file_, tape_[index].line, tape_[index].column};
  }

  struct PathStep {
    std::string_view key;
    std::size_t index;  // of a list element, when the key is empty
  };

  const Tape& tape_;
  FileId file_;
  Symbols& symbols_;
  Diagnostics& diagnostics_;
  std::uint32_t at_ = 0;
  std::uint32_t key_ = 0;
  bool strict_ = false;
  std::vector<PathStep> path_;
  std::optional<Failure> failure_;
};

}  // namespace previct
