#pragma once

#include "base/instant.h"
#include "engine/engine.h"

#include <map>
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

/// The two readings of the order in which the strategies of the 1.5.1 design document look at candidates. Its step (4),
/// "Sorting Pods", sorts by priority, age and then resources, and its figure marks pods that are equal in priority and
/// age as a zone; its step (5) asks for the nearest size among all single victims, and for the largest pods first. The
/// class of a pod comes first in both.
enum class DesignOrder : std::uint8_t {
  zones,  ///< sizes decide only among pods of the same priority and age, as the figure has it
  sizes   ///< sizes decide among all pods of a class
};

/// The settings that the 1.5.1 design document gives an administrator. It names the default of `strategies`; the others
/// are previct's own.
struct DesignSettings {
  DesignOrder order = DesignOrder::zones;
  std::vector<std::string> strategies = {"single", "multiple"};
  Decimal deviation_percent{10 * Decimal::kScale};
  std::int64_t max_victims = 3;
  std::int64_t start_delay = 0;  ///< nanoseconds
  std::optional<Instant> reservation_created;
  bool count_free = false;
  bool descending = true;  ///< order of sizes within a zone for the strategy `multiple`
  std::map<std::string, std::string, std::less<>> origins;  ///< where each key that is set comes from: `--assume`
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

/// Sets one of DesignSettings by its key in an assumptions file; false: it is none of them. `origin` says where it
/// comes from. Errors: a value of the wrong kind.
[[nodiscard]] auto set_design(std::string_view key, const std::string& value, const std::string& origin, Place place,
                              DesignSettings& settings) -> Result<bool>;

}  // namespace previct::yunikorn
