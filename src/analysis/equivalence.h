#pragma once

#include "analysis/decision.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace previct {

/// Something that two states of one cluster, whose names differ, do not say alike.
struct Disagreement {
  std::string pod;  ///< by its name in the first
  std::string before;
  std::string after;
};

/// Where `after` decides or protects otherwise than `before`. `rename` gives the name in `after` of each in `before`.
[[nodiscard]] auto disagreements(const Stock& before, const Stock& after,
                                 const std::function<std::string(std::string_view)>& rename)
    -> std::vector<Disagreement>;

/// `NAMESPACE/NAME`, renamed part by part.
[[nodiscard]] auto renamed_key(std::string_view key, const std::function<std::string(std::string_view)>& rename)
    -> std::string;

}  // namespace previct
