#pragma once

#include "base/instant.h"
#include "engine/engine.h"

#include <optional>
#include <string>
#include <vector>

namespace previct::yunikorn {

struct PodName {
  std::string ns;
  std::string name;
};

/// A number with at most nine decimals, exact: percentages.
struct Decimal {
  std::int64_t scaled = 0;
  static constexpr std::int64_t kScale = 1'000'000'000;
};

/// The settings that the 1.5.1 design document gives an administrator. Defaults are previct's own.
struct DesignSettings {
  std::vector<std::string> strategies = {"single", "multiple"};
  Decimal deviation_percent{10 * Decimal::kScale};
  std::int64_t max_victims = 3;
  std::int64_t start_delay = 0;  ///< nanoseconds
  std::optional<Instant> reservation_created;
  bool count_free = false;
  bool descending = true;  ///< order of sizes within a zone for the strategy `multiple`
};

/// What no dump contains: the scheduler's memory.
struct Assumptions {
  std::vector<PodName> preempted;  ///< marked by an earlier preemption, still there
  std::vector<PodName> released;   ///< placeholders on their way out
  bool ask_triggered = false;      ///< the pending pod has triggered preemption before
  DesignSettings design;
};

/// Reads an assumptions file (YAML or JSON, kind Assumptions). Sections of other engines are left alone.
/// Errors: broken syntax, unknown keys, values of the wrong kind; all with their place.
[[nodiscard]] auto read_assumptions(const ConfigFile& file) -> Result<Assumptions>;

}  // namespace previct::yunikorn
