#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string_view>

namespace previct {

/// A minor release of a scheduler, and the tag whose answers were compared; empty: none were.
struct ReleaseRow {
  int minor = 0;
  std::string_view compared_with{};
  bool whole = true;    ///< false: its evictions were not compared
  bool modeled = true;  ///< false: its evictions are not modeled; the rules of a newer release are used
};

/// The minor releases that have a rule: from `since` (0: always) up to, but not including, `until` (0: still valid).
struct RuleExtent {
  int since = 0;
  int until = 0;
};

/// A release with the changed rules that it has. `Table` is generated from the engine's releases.def: the enumeration
/// `Change`, and the rows `releases` (oldest first) and `changes` (in the order of `Change`).
template <class Table>
class ReleaseOf {
 public:
  using Change = typename Table::Change;

  /// The newest known release.
  ReleaseOf() : ReleaseOf(std::rbegin(Table::releases)->minor) {}
  /// The rules are those of the newest known release that is not newer than `minor`, or of the oldest known release.
  explicit ReleaseOf(int minor) : row_(std::begin(Table::releases)), meant_(minor) {
    for (const ReleaseRow& row : Table::releases) {
      if (row.minor <= minor) row_ = &row;
    }
  }

  [[nodiscard]] auto has(Change change) const -> bool {
    const RuleExtent& extent = Table::changes[static_cast<std::size_t>(change)];
    return row_->minor >= extent.since && (extent.until == 0 || row_->minor < extent.until);
  }

  /// The minor version whose rules are applied, and the minor version that was asked for.
  [[nodiscard]] auto minor() const -> int { return row_->minor; }
  [[nodiscard]] auto meant() const -> int { return meant_; }
  [[nodiscard]] auto known() const -> bool { return row_->minor == meant_; }
  [[nodiscard]] auto whole() const -> bool { return row_->whole; }
  [[nodiscard]] auto modeled() const -> bool { return row_->modeled; }
  [[nodiscard]] auto compared_with() const -> std::string_view { return row_->compared_with; }

  /// Returns the oldest release, from this one on, whose eviction is modeled.
  [[nodiscard]] auto evicts_as() const -> int {
    const ReleaseRow* row = row_;
    while (!row->modeled) ++row;
    return row->minor;
  }

  [[nodiscard]] static auto oldest() -> int { return std::begin(Table::releases)->minor; }
  [[nodiscard]] static auto newest() -> int { return std::rbegin(Table::releases)->minor; }

  friend auto operator==(const ReleaseOf&, const ReleaseOf&) -> bool = default;

 private:
  const ReleaseRow* row_;
  int meant_;
};

}  // namespace previct
