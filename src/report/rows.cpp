#include "report/rows.h"

#include <algorithm>

namespace previct {

Row::Row(Table& table) : table_(&table) {
  table.rows.emplace_back(table.columns.size());
}

auto Row::add(std::string_view head, const Cell& cell, bool numeric) -> Row& {
  last_ = cell;
  if (table_ == nullptr) return *this;
  std::vector<Column>& columns = table_->columns;
  const auto expected = columns.begin() + static_cast<std::ptrdiff_t>(next_);
  auto at = std::find_if(expected, columns.end(), [&](const Column& column) { return column.head == head; });
  const auto index = at == columns.end() ? expected - columns.begin() : at - columns.begin();
  if (at == columns.end()) {
    columns.insert(expected, {.head = std::string(head), .numeric = numeric});
    for (auto& cells : table_->rows) cells.insert(cells.begin() + index, Span{});
  }
  table_->rows.back()[static_cast<std::size_t>(index)] = cell.span();
  next_ = static_cast<std::size_t>(index) + 1;
  return *this;
}

auto Row::set(bool Column::*property, bool holds) -> Row& {
  if (table_ != nullptr) table_->columns[next_ - 1].*property = holds;
  return *this;
}

auto Row::key(std::string_view name) -> Row& {
  return key(name, last_.value().json());
}

auto Row::key(std::string_view name, Json value) -> Row& {
  if (object_ != nullptr && !value.is_null()) (*object_)[std::string(name)] = std::move(value);
  return *this;
}

auto present(Json value) -> Json {
  const bool empty = value.empty() || (value.is_string() && value.get_ref<const std::string&>().empty());
  if (empty) value = nullptr;
  return value;
}

// NOLINTNEXTLINE(misc-no-recursion): as deep as the documents that previct makes
auto size_up_to(const Json& value, std::size_t most) -> std::size_t {
  if (value.is_string()) return std::min(value.get_ref<const std::string&>().size(), kLongestText) + 2;
  if (!value.is_structured()) return 1;
  std::size_t size = 2;
  for (auto it = value.begin(); it != value.end() && size <= most; ++it)
    size += (value.is_object() ? it.key().size() + 4 : 1) + size_up_to(*it, most - std::min(most, size));
  return size;
}

void remove_empty_columns(Table& table) {
  for (std::size_t c = table.columns.size(); c-- > 0;) {
    if (!table.columns[c].unless_empty) continue;
    const bool empty = std::all_of(table.rows.begin(), table.rows.end(),
                                   [&](const std::vector<Span>& cells) { return cells[c].text.empty(); });
    if (!empty) continue;
    table.columns.erase(table.columns.begin() + static_cast<std::ptrdiff_t>(c));
    for (auto& cells : table.rows) cells.erase(cells.begin() + static_cast<std::ptrdiff_t>(c));
  }
}

}  // namespace previct
