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

/// Collects the findings of rules.
class FindingSink {
 public:
  /// A scalar that a fix writes in place of a value or its key.
  struct Wanted {
    Value value = {};
    bool of_key = false;
    std::string text = {};
    ScalarType type = ScalarType::string;
    bool as_written = false;  ///< writes the original text in quotes, and not `text`
  };

  /// A finding with the text and the manifest it belongs to, as they were read.
  struct Item {
    Finding finding = {};
    const SourceText* source = nullptr;
    const Manifest* manifest = nullptr;     ///< null: the finding belongs to no manifest
    bool unknown = false;                   ///< the value is a placeholder
    std::optional<TextRange> written = {};  ///< for output of Helm, the place in the template
    std::vector<Wanted> wanted = {};        ///< requested fixes, until offer_fixes() (fix.h)
  };

  /// Adds details to a finding.
  class FindingBuilder {
   public:
    FindingBuilder(Item& item, const Value& value) : item_(item), value_(value) {}

    /// Adds a line below the finding: a consequence, or how to fix it.
    auto note(std::string text) -> FindingBuilder&;
    /// Sets the message, if it was not known at first.
    auto say(std::string message) -> FindingBuilder&;
    /// Adds a text next to the mark in the excerpt.
    auto mark(std::string text) -> FindingBuilder&;
    /// Adds another place that the finding refers to, if it exists.
    auto related(const Value& value, std::string message) -> FindingBuilder&;
    /// Safe fix: writes this string in place of the value.
    auto fix_value(std::string text) -> FindingBuilder&;
    /// Safe fix: writes the unquoted value as a string, character for character: `1.10` becomes "1.10".
    auto fix_quotes() -> FindingBuilder&;
    /// Safe fix: writes this key in place of the key.
    auto fix_key(std::string text) -> FindingBuilder&;

   private:
    Item& item_;
    Value value_;
  };

  /// Reports a fault of a value, of a key, or of the whole field.
  auto value(const Value& value, std::string message) -> FindingBuilder {
    return add(value, Part::value, std::move(message));
  }
  auto key(const Value& value, std::string message) -> FindingBuilder {
    return add(value, Part::key, std::move(message));
  }
  auto field(const Value& value, std::string message) -> FindingBuilder {
    return add(value, Part::field, std::move(message));
  }
  /// Reports a failure of a reader of the whole manifest, at the key or the value that begins at its place.
  auto failure(const Manifest& manifest, const Failure& failure) -> FindingBuilder;
  /// Reports a fault of the object as a whole, at its name.
  auto object(const Manifest& manifest, std::string message) -> FindingBuilder;
  /// Reports a fault of a text that is no manifest, at a line and a column in bytes; line 0: the whole text.
  void text(const SourceText& source, std::uint32_t line, std::uint32_t column, std::string message);

  [[nodiscard]] auto items() -> std::deque<Item>& { return items_; }

 private:
  /// Kustomizations may copy one value many times: it is reported for at most this many objects.
  static constexpr std::size_t kMostCopies = 20;
  struct Copies {
    std::size_t count = 0;
    Item* last = nullptr;
  };

  auto add(const Value& value, Part part, std::string message) -> FindingBuilder;
  [[nodiscard]] auto item_for(const Value& value) -> Item&;

  std::deque<Item> items_;
  std::map<std::pair<const Manifest*, std::uint32_t>, Copies> copies_;  // by the place where the value was read
  Item one_too_many_;
};

}  // namespace previct::lint
