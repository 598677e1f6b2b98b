#pragma once

#include "api/load_text.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace previct {

/// Loads texts that differ little from the one before, such as the states of a series. In a capture, each object is a
/// line: those whose lines did not change are kept, and only the others are read. The objects are the same as those of
/// load_text(), apart from Objects::read and the numbers of symbols.
class SuccessiveTexts {
 public:
  explicit SuccessiveTexts(const LoadOptions& options) : options_(options) {}

  /// Reads the next text, which `name` names in messages. It must stay in memory until the next call has returned.
  /// Objects of earlier texts are invalid from then on, because all share the symbols. After an error, the next text is
  /// read as if it were the first.
  [[nodiscard]] auto next(const std::string& name, std::string_view text) -> Result<void>;

  /// Returns true if the last text is the same as the one before, apart from a first line that describes a capture.
  [[nodiscard]] auto is_like_before() const -> bool { return like_before_; }

  /// The pods of the text before of which the last one has none with this UID. They refer to tables(). Null if the last
  /// text was read as a whole.
  [[nodiscard]] auto gone_pods() const -> const std::vector<Pod>* { return changes_.empty() ? nullptr : &gone_pods_; }

  /// What the objects of the last text refer to.
  [[nodiscard]] auto tables() const -> const std::shared_ptr<InputTables>& { return tables_; }

  /// Puts a copy of the objects of the last text into `objects`, which are empty and have these tables.
  [[nodiscard]] auto objects(Objects& objects) const -> Result<Configurations>;

 private:
  void split(std::string_view text);
  [[nodiscard]] auto can_keep() const -> bool;
  auto read_whole(const std::string& name) -> Result<void>;
  auto read_changes(const std::string& name) -> bool;
  void keep_unchanged(Objects& changed);
  void note_gone_pods(const std::vector<std::uint32_t>& line_now, const Objects& changed);
  void note_kept_lines();

  LoadOptions options_;
  std::shared_ptr<InputTables> tables_{};
  std::unique_ptr<Objects> read_{};  // the objects of the last text, before complete_objects()
  std::vector<Pod> gone_pods_{};
  FoundBesides besides_{};
  std::string changes_{};  // what was read of the last text, with the other lines empty; empty: all of it
  std::string_view text_{};
  bool like_before_ = false;
  std::size_t symbols_of_whole_ = 0;  // when a text had been read as a whole

  std::vector<std::string_view> lines_{};     // of the last text; two if its objects are not lines
  std::size_t lines_before_ = 0;              // of the text before
  std::vector<std::uint32_t> same_before_{};  // for each line, the one of the text before that is kept; from 1, 0: none
  std::vector<bool> can_be_kept_{};           // for each line: it is one object, with no effect but that it is stored
};

}  // namespace previct
