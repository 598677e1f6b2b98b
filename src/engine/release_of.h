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
  bool whole = true;  ///< false: how it evicts pods is not modelled, but by the rules of a newer one
};

/// The minor releases by which a rule holds: from one on (0: ever since), until another, which no longer has it (0: to
/// this day).
struct RuleExtent {
  int since = 0;
  int until = 0;
};

/// Which of the rules that changed a release of a scheduler has. `Table` is what its releases.def says: the enumeration
/// `Change`, and the rows `releases`, the oldest first, and `changes`, in the order of `Change`.
template <class Table>
class ReleaseOf {
 public:
  using Change = typename Table::Change;

  /// The newest that is known.
  ReleaseOf() : ReleaseOf(std::rbegin(Table::releases)->minor) {}
  /// The rules are those of the newest known release that is not newer, or of the oldest.
  explicit ReleaseOf(int minor) : row_(std::begin(Table::releases)), meant_(minor) {
    for (const ReleaseRow& row : Table::releases) {
      if (row.minor <= minor) row_ = &row;
    }
  }

  [[nodiscard]] auto has(Change change) const -> bool {
    const RuleExtent& extent = Table::changes[static_cast<std::size_t>(change)];
    return row_->minor >= extent.since && (extent.until == 0 || row_->minor < extent.until);
  }

  /// The second number of the version whose rules are applied, and of the one that is meant.
  [[nodiscard]] auto minor() const -> int { return row_->minor; }
  [[nodiscard]] auto meant() const -> int { return meant_; }
  [[nodiscard]] auto known() const -> bool { return row_->minor == meant_; }
  [[nodiscard]] auto whole() const -> bool { return row_->whole; }
  [[nodiscard]] auto compared_with() const -> std::string_view { return row_->compared_with; }

  /// The nearest newer release of which it is modelled how pods are evicted.
  [[nodiscard]] auto evicts_as() const -> int {
    const ReleaseRow* row = row_;
    while (!row->whole) ++row;
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
