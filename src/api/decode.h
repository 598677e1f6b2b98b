#pragma once

#include "api/field_reader.h"
#include "base/diagnostics.h"
#include "base/symbols.h"
#include "input/tape.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace previct {

/// Reads typed values from a recorded object. It is a cursor for FieldReader that reports mismatches with their place,
/// their field, and what was found. A duplicate key causes a warning, and the last one counts, as upstream.
class Decoder {
 public:
  Decoder(const Tape& tape, FileId file, Symbols& symbols, Diagnostics& diagnostics)
      : tape_(tape), file_(file), symbols_(symbols), diagnostics_(diagnostics) {}

  /// Decodes the value at `index` of the tape into `out`. After a failure, `out` is incomplete and must be dropped.
  template <class T>
  [[nodiscard]] auto decode(std::uint32_t index, T& out) -> Result<void> {
    at_ = index;
    FieldReader<Decoder>(*this, symbols_).read(out);
    if (failure_) return tl::unexpected(*failure_);
    return {};
  }

  /// Refuses unknown fields (for configuration files, which upstream decodes strictly).
  void strict() { strict_ = true; }

 private:
  friend class FieldReader<Decoder>;

  struct Names {
    std::vector<std::string> names;

    template <class T>
    void operator()(std::string_view name, T&& /*member*/) {
      names.emplace_back(name);
    }
  };

  // --- The interface of a cursor.

  [[nodiscard]] auto is_null() const -> bool {
    return tape_[at_].type == EventType::scalar && tape_[at_].scalar == ScalarType::null;
  }
  [[nodiscard]] auto may_be_string() const -> bool {
    return tape_[at_].type == EventType::scalar && tape_[at_].scalar == ScalarType::string;
  }
  [[nodiscard]] auto may_be_list() const -> bool { return tape_[at_].type == EventType::begin_list; }
  [[nodiscard]] auto stopped() const -> bool { return failure_.has_value(); }
  void skip() { at_ = tape_[at_].next; }
  void skip_string();
  [[nodiscard]] auto peek() const -> Scalar {
    const Tape::Entry& entry = tape_[at_];
    return {entry.scalar, tape_.text(entry), entry.type == EventType::scalar};
  }
  void accept() {
    if (!failure_) skip();
  }
  [[nodiscard]] auto present() -> bool;
  void embedded(EmbeddedText& out);
  void remember(OnTape& out) {
    if (!is_null()) out.index = at_;
    skip();
  }

  /// Calls `visit(key)` for each entry of the map at the cursor, with the cursor on its value, which `visit` must
  /// consume.
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

  template <class Visit>
  void each_element(Visit visit) {
    if (!expect(EventType::begin_list, "a list")) return;
    const std::uint32_t end = tape_[at_].next;
    ++at_;
    for (std::size_t i = 0; at_ < end && !failure_; ++i) {
      path_.push_back({{}, i});
      visit();
      path_.pop_back();
    }
  }

  void misspelt_field(std::string_view meant);
  template <class T>
  void unknown_field(std::string_view key, T& out) {
    if (!strict_) return;
    Names known;
    describe(known, out);
    refuse_field(key, known.names);
  }

  auto open_part(std::string_view /*key*/) -> int { return 0; }
  auto open_scalar() -> int { return 0; }
  void close_part(int /*part*/, Part::Use /*use*/, const void* /*holder*/, Part::Read /*read*/) {}
  auto open_element(const void* /*list*/, const void* /*element*/, std::size_t /*size*/) -> int { return 0; }
  void close_element(int /*element*/, std::size_t /*index*/, Element::At /*at*/, Element::Read /*read*/) {}

  /// Records `<path>: expected <what>, found <value>` for the value at the cursor, and skips the value.
  void mismatch(std::string_view what);
  void large_quantity(std::string_view text);

  auto expect(EventType type, std::string_view what) -> bool;
  void warn_of_repeated_keys(std::uint32_t map);
  void refuse_field(std::string_view key, const std::vector<std::string>& known);
  [[nodiscard]] auto path() const -> std::string;
  [[nodiscard]] auto place(std::uint32_t index) const -> Place {
    return {file_, tape_[index].line, tape_[index].column};
  }

  struct PathStep {
    std::string_view key;
    std::size_t index;  // index of a list element, if the key is empty
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
