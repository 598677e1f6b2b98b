#pragma once

#include "base/extent.h"
#include "report/report.h"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace previct {

/// The content of a cell: a text, or a number, which stays a number in JSON.
class Cell {
 public:
  // NOLINTBEGIN(google-explicit-constructor): a description passes any of them
  Cell(Span span) : span_(std::move(span)) {}
  Cell(std::string text, Tone tone = Tone::plain) : span_{std::move(text), tone} {}
  Cell(std::string_view text, Tone tone = Tone::plain) : span_{std::string(text), tone} {}
  Cell(const char* text, Tone tone = Tone::plain) : span_{text, tone} {}
  template <std::integral Number>
  Cell(Number number, Tone tone = Tone::plain) : span_{std::to_string(number), tone}, number_(number) {}
  // NOLINTEND(google-explicit-constructor)

  [[nodiscard]] auto span() const -> const Span& { return span_; }
  [[nodiscard]] auto json() const -> Json { return number_ ? Json(*number_) : Json(span_.text); }

 private:
  Span span_;
  std::optional<std::int64_t> number_;
};

/// One row of a table, and the JSON object of the same value. A table and its JSON are described once, column by
/// column, in a function that is called for each value; formats take what they show:
///
///     const auto describe = [&](Row& row, const Victim& victim) {
///       row.text("VICTIM", victim.name, Tone::danger).key("pod");
///       row.number("PRIORITY", victim.priority).optional().key("priority");
///       row.key("certain", victim.certain);  // only in JSON
///     };
///     Table table = table_of(victims, describe);
///     json["victims"] = list_of(victims, describe);
///
/// Cells are placed by their heading: if a description leaves a column out for some rows, their cells are empty.
class Row {
 public:
  /// Begins a row at the end of the table.
  explicit Row(Table& table);
  explicit Row(Json& object) : object_(&object) {}

  /// A column, by its heading, and its cell in this row. Numbers are right aligned.
  auto text(std::string_view head, const Cell& cell) -> Row& { return add(head, cell, false); }
  auto text(std::string_view head, std::string text, Tone tone) -> Row& {
    return add(head, {std::move(text), tone}, false);
  }
  auto number(std::string_view head, const Cell& cell) -> Row& { return add(head, cell, true); }
  /// A cell that takes long to make, and is only made for a table. Its key needs a value.
  template <std::invocable Make>
  auto text(std::string_view head, const Make& make) -> Row& {
    return table_ == nullptr ? pass() : add(head, make(), false);
  }
  template <std::invocable Make>
  auto number(std::string_view head, const Make& make) -> Row& {
    return table_ == nullptr ? pass() : add(head, make(), true);
  }

  // ---- properties of the column added last: see Column
  auto only_wide(bool holds = true) -> Row& { return set(&Column::only_wide, holds); }
  auto optional(bool holds = true) -> Row& { return set(&Column::optional, holds); }
  auto only_terminal() -> Row& { return set(&Column::only_terminal, true); }
  /// The table omits the column if it is empty in all rows.
  auto unless_empty(bool holds = true) -> Row& { return set(&Column::unless_empty, holds); }

  /// The key in JSON of the cell added last, and its value, if that is not the text or the number of the cell. Null:
  /// the key is absent. Each key is a property in schema/.
  auto key(std::string_view name) -> Row&;
  auto key(std::string_view name, Json value) -> Row&;
  /// A value that takes long to make, and is only made for JSON.
  template <std::invocable Make>
  auto key(std::string_view name, const Make& make) -> Row& {
    return object_ == nullptr ? *this : key(name, Json(make()));
  }

 private:
  auto add(std::string_view head, const Cell& cell, bool numeric) -> Row&;
  auto set(bool Column::*property, bool holds) -> Row&;
  auto pass() -> Row& {
    last_.reset();
    return *this;
  }

  Table* table_ = nullptr;
  Json* object_ = nullptr;
  std::size_t next_ = 0;  // index of the next column
  std::optional<Cell> last_;
};

/// Returns the value, or null if it is an empty text, list or object.
[[nodiscard]] auto present(Json value) -> Json;
/// Returns true, or null.
[[nodiscard]] inline auto only_if(bool holds) -> Json {
  return holds ? Json(true) : Json();
}

/// Removes the columns that are left out because they are empty.
void remove_empty_columns(Table& table);

/// Returns the values as a table, as `describe(Row&, value)` describes them.
template <class Values, class Describe>
[[nodiscard]] auto table_of(const Values& values, const Describe& describe) -> Table {
  Table table;
  for (const auto& value : values) {
    Row row(table);
    describe(row, value);
  }
  remove_empty_columns(table);
  return table;
}

/// Returns a value as an object, and values as a list of objects.
template <class Value, class Describe>
[[nodiscard]] auto object_of(const Value& value, const Describe& describe) -> Json {
  Json object = Json::object();
  Row row(object);
  describe(row, value);
  return object;
}
/// Where only a part of a document is shown, the number of bytes of a text of it, at most.
inline constexpr std::size_t kLongestText = 400;

/// The number of bytes of the serialized value, at least, if long texts are cut; counting ends soon after `most`.
[[nodiscard]] auto size_up_to(const Json& value, std::size_t most) -> std::size_t;

/// If only a part of the list is shown, its other items are null.
template <class Values, class Describe>
[[nodiscard]] auto list_of(const Values& values, const Describe& describe, Extent extent = {}) -> Json {
  Json list = Json::array();
  std::size_t size = 0;
  for (const auto& value : values) {
    const std::size_t at = list.size();
    const bool shown = at >= extent.first && size <= extent.bytes;
    list.push_back(shown ? object_of(value, describe) : Json());
    if (shown && at > extent.first && !extent.is_all()) size += size_up_to(list.back(), extent.bytes);
  }
  return list;
}

}  // namespace previct
