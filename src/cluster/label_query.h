#pragma once

#include "api/meta.h"
#include "base/diagnostics.h"
#include "base/symbols.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace previct {

/// A label selector as `kubectl -l` takes it: `a=b`, `a==b`, `c!=d`, `e`, `!f`, `g in (h,i)`, `j notin (k)`, joined by
/// commas; all of them must hold. An absent label satisfies `c!=d` and `j notin (k)`. Source: kubernetes: apimachinery
/// pkg/labels/selector.go, Parse.
class LabelQuery {
 public:
  /// Fails if the text is none; an empty one matches everything.
  [[nodiscard]] static auto parse(std::string_view text) -> Result<LabelQuery>;

  [[nodiscard]] auto matches(const SymbolMap& labels, const Symbols& symbols) const -> bool;

 private:
  struct Term {
    std::string key;
    std::vector<std::string> values;  ///< one of which the label has; empty: any value
    bool negated = false;
  };
  /// None if the text is no term.
  [[nodiscard]] static auto term_of(std::string_view text) -> std::optional<Term>;

  std::vector<Term> terms_;
};

}  // namespace previct
