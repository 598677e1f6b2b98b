#pragma once

#include "base/diagnostics.h"
#include "cluster/snapshot.h"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace previct {

class ChangedCluster;
struct Question;

/// One field of the input of which `sweep` tries values.
struct VariedField {
  enum class Unit : std::uint8_t {
    number,
    seconds,
    amount,      ///< of `resource`: cpu in thousandths, everything else in units; written as a quantity
    thousandths  ///< written as a quantity: `1`, `500m`
  };
  Unit unit = Unit::number;
  std::string resource{};  ///< of an amount
  std::int64_t least = 0;  ///< the values that the API server accepts
  std::int64_t most = INT64_MAX;
  std::function<void(ChangedCluster&, std::int64_t)> set{};
  /// Values at which the result may change, such as the current value and the sums of requests; in any order.
  std::vector<std::int64_t> turning{};
};

/// A kind of field of the objects that only one scheduler reads, such as the quota of its queues.
struct FieldParameter {
  std::string_view name;      ///< as in `--vary`, before the first colon: `nominal-quota`
  std::string_view operands;  ///< what follows that colon: `QUEUE:FLAVOR:RESOURCE`
  std::string_view what;      ///< the field in words
  /// Finds the field. Errors: what the input does not have.
  Result<VariedField> (*find)(const Snapshot& cluster, const Question& question, std::string_view operands);
};

}  // namespace previct
