#pragma once

#include "report/report.h"

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace previct {

/// The items of a list in a document, as JSON text that is kept compressed: thousands of items may be a hundred times
/// larger than the cluster that they are about.
class PackedRows {
 public:
  /// Adds an item: one JSON object on one line, as json_text() writes it.
  void add(std::string_view row);
  /// Adds a last member to an item.
  void add_member(std::size_t row, std::string_view key, const Json& value);
  [[nodiscard]] auto size() const -> std::size_t { return count_; }

  using Sink = std::function<bool(std::string_view)>;  ///< returns false if nothing more can be written
  /// Passes each item as one line to `sink`. Returns false if `sink` did.
  [[nodiscard]] auto write_lines(const Sink& sink) const -> bool;
  /// Passes the document to `sink`, with these items as its last member, which is an empty list in `document`. The
  /// bytes are those of json_text() with an indent of 2, and a line end. Returns false if `sink` did.
  [[nodiscard]] auto write_document(const Json& document, const Sink& sink) const -> bool;

 private:
  [[nodiscard]] auto each(const std::function<bool(std::string_view row, std::size_t index)>& use) const -> bool;
  void pack();

  std::vector<std::string> packed_;  // each is some rows with line ends, compressed
  std::string open_;                 // the last rows
  std::size_t count_ = 0;
  std::vector<std::pair<std::size_t, std::string>> members_;  // by row: `"key":value`
};

/// A text that is kept compressed.
class PackedText {
 public:
  explicit PackedText(std::string_view text);
  [[nodiscard]] auto text() const -> std::string;

 private:
  std::string packed_;
};

}  // namespace previct
