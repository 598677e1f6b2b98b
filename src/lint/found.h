#pragma once

#include "base/diagnostics.h"
#include "lint/range.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace previct::lint {

/// `` (and 3 more)`` where one of four is named; empty for one.
[[nodiscard]] auto and_more(std::size_t count) -> std::string;

/// Where a rule puts what it finds.
class Found {
 public:
  /// A scalar that a fix writes in place of a value, or of its key.
  struct Wanted {
    Value value = {};
    bool of_key = false;
    std::string text = {};
    ScalarType type = ScalarType::string;
    bool as_written = false;  ///< what stands there itself, and not `text`: in quotes
  };

  /// What was found, each with the text and the manifest, as they were read, that it is of.
  struct Item {
    Finding finding = {};
    const SourceText* source = nullptr;
    const Manifest* manifest = nullptr;     ///< null: of no manifest
    bool unknown = false;                   ///< what is written there is a placeholder
    std::optional<TextRange> written = {};  ///< of what Helm rendered, the place in the template
    std::vector<Wanted> wanted = {};        ///< fixes, until they are offered (fix.h)
  };

  /// A finding that can still be told more.
  class Note {
   public:
    Note(Item& item, const Value& value) : item_(item), value_(value) {}

    /// What follows from it, or how to mend it: a line below the finding.
    auto note(std::string text) -> Note&;
    /// The message, if it was not known at first.
    auto say(std::string message) -> Note&;
    /// Beside the mark in the excerpt.
    auto mark(std::string text) -> Note&;
    /// Another place it speaks of, if there is one.
    auto related(const Value& value, std::string message) -> Note&;
    /// Mends for certain: writes this string in place of the value,
    auto fix_value(std::string text) -> Note&;
    /// or what stands there without quotes, letter for letter, as a string: `1.10` is "1.10",
    auto fix_quotes() -> Note&;
    /// or this number,
    auto fix_number(std::string text) -> Note&;
    /// or this key in place of the key.
    auto fix_key(std::string text) -> Note&;

   private:
    Item& item_;
    Value value_;
  };

  /// Something is wrong with what is written there, with a key, or with the two together.
  auto value(const Value& value, std::string message) -> Note { return add(value, Part::value, std::move(message)); }
  auto key(const Value& value, std::string message) -> Note { return add(value, Part::key, std::move(message)); }
  auto field(const Value& value, std::string message) -> Note { return add(value, Part::field, std::move(message)); }
  /// As a reader of the whole manifest tells it: with the key or the value that begins there.
  auto failure(const Manifest& manifest, const Failure& failure) -> Note;
  /// With the object as a whole: at its name.
  auto object(const Manifest& manifest, std::string message) -> Note;
  /// With a text that is no manifest, at a line and a column in bytes; line 0: the whole of it.
  void text(const SourceText& source, std::uint32_t line, std::uint32_t column, std::string message);

  [[nodiscard]] auto items() -> std::deque<Item>& { return items_; }

 private:
  /// Of one value, kustomizations may make many copies: it is reported in no more objects.
  static constexpr std::size_t kMostCopies = 20;
  struct Copies {
    std::size_t count = 0;
    Item* last = nullptr;
  };

  auto add(const Value& value, Part part, std::string message) -> Note;
  [[nodiscard]] auto item_for(const Value& value) -> Item&;

  std::deque<Item> items_;
  std::map<std::pair<const Manifest*, std::uint32_t>, Copies> copies_;  // by where the value was read
  Item one_too_many_;
};

}  // namespace previct::lint
