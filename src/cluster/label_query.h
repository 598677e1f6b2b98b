#pragma once

#include "api/meta.h"
#include "base/diagnostics.h"
#include "base/symbols.h"

#include <string>
#include <string_view>
#include <vector>

namespace previct {

/// A label selector as `kubectl -l` takes it: `a=b`, `a==b`, `c!=d`, `e`, `!f`, joined by commas; all of them must
/// hold. An absent label satisfies `c!=d`. Sets (`a in (b,c)`) are not read. Source: kubernetes: apimachinery
/// pkg/labels/selector.go, Parse.
class LabelQuery {
 public:
  /// Fails if the text is none; an empty one matches everything.
  [[nodiscard]] static auto parse(std::string_view text) -> Result<LabelQuery>;

  [[nodiscard]] auto matches(const SymbolMap& labels, const Symbols& symbols) const -> bool;

 private:
  struct Term {
    std::string key;
    std::string value;
    bool equal = true;
    bool exists_only = false;
  };
  std::vector<Term> terms_;
};

}  // namespace previct
