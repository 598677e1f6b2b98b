#pragma once

#include "base/diagnostics.h"
#include "lint/range.h"

#include <deque>
#include <optional>
#include <string>
#include <string_view>

namespace previct::lint {

/// `text` as a double-quoted scalar, which YAML and JSON both read as a string.
[[nodiscard]] auto quoted(std::string_view text) -> std::string;

/// `` (and 3 more)`` where one of four is named; empty for one.
[[nodiscard]] auto and_more(std::size_t count) -> std::string;

/// Where a rule puts what it finds.
class Found {
 public:
  /// A finding that can still be told more.
  class Note {
   public:
    Note(Finding& finding, const Value& value) : finding_(finding), value_(value) {}

    /// What follows from it, or how to mend it: a line below the finding.
    auto note(std::string text) -> Note&;
    /// The message, if it was not known at first.
    auto say(std::string message) -> Note&;
    /// Beside the mark in the excerpt.
    auto mark(std::string text) -> Note&;
    /// Another place it speaks of, if there is one.
    auto related(const Value& value, std::string message) -> Note&;
    /// Mends for certain: writes `text` (as YAML) in place of the value,
    auto fix_value(std::string text) -> Note&;
    /// or of the key.
    auto fix_key(std::string text) -> Note&;

   private:
    auto fix(std::string what, TextRange place, std::string text) -> Note&;
    Finding& finding_;
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

  /// What was found, each with the text and the manifest, as they were read, that it is of.
  struct Item {
    Finding finding;
    const SourceText* source = nullptr;
    const Manifest* manifest = nullptr;     ///< null: of no manifest
    bool unknown = false;                   ///< what is written there is a placeholder
    std::optional<TextRange> written = {};  ///< of what Helm rendered, the place in the template
  };
  [[nodiscard]] auto items() -> std::deque<Item>& { return items_; }

 private:
  auto add(const Value& value, Part part, std::string message) -> Note;

  std::deque<Item> items_;
};

}  // namespace previct::lint
