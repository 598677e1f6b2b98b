#pragma once

#include "analysis/decision.h"
#include "report/rows.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace previct {

/// A difference between two states of one cluster that use different names.
struct Disagreement {
  std::string pod;  ///< its name in the first state
  std::string before;
  std::string after;
};

/// Returns where `after` decides or protects differently from `before`. `rename` maps each name of `before` to that of
/// `after`.
[[nodiscard]] auto disagreements(const ClusterDecisions& before, const ClusterDecisions& after,
                                 const std::function<std::string(std::string_view)>& rename)
    -> std::vector<Disagreement>;

void disagreement_row(Row& row, const Disagreement& each);

/// `NAMESPACE/NAME`, renamed part by part.
[[nodiscard]] auto renamed_key(std::string_view key, const std::function<std::string(std::string_view)>& rename)
    -> std::string;

}  // namespace previct
