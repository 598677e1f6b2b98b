#pragma once

#include "api/meta.h"
#include "base/diagnostics.h"
#include "base/symbols.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace previct {

/// A label selector in the syntax of `kubectl -l`: `a=b`, `a==b`, `c!=d`, `e`, `!f`, `g in (h,i)`, `j notin (k)`,
/// joined by commas; all terms must hold. An absent label satisfies `c!=d` and `j notin (k)`.
/// Source: kubernetes: apimachinery pkg/labels/selector.go, Parse.
class LabelQuery {
 public:
  /// Fails if the text is not a selector. An empty selector matches everything.
  [[nodiscard]] static auto parse(std::string_view text) -> Result<LabelQuery>;

  [[nodiscard]] auto matches(const SymbolMap& labels, const Symbols& symbols) const -> bool;

 private:
  struct Term {
    std::string key;
    std::vector<std::string> values;  ///< the label must have one of them; empty: any value
    bool negated = false;
  };
  /// None if the text is not a term.
  [[nodiscard]] static auto term_of(std::string_view text) -> std::optional<Term>;

  std::vector<Term> terms_;
};

}  // namespace previct
