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

/// The two interpretations of the order in which the strategies of the 1.5.1 design document consider candidates. Its
/// step (4), "Sorting Pods", sorts by priority, age and then resources, and its figure marks pods that are equal in
/// priority and age as a zone; its step (5) asks for the nearest size among all single victims, and for the largest
/// pods first. The class of a pod comes first in both.
enum class DesignOrder : std::uint8_t {
  zones,  ///< sizes decide only among pods with the same priority and age, as in the figure
  sizes   ///< sizes decide among all pods of a class
};

/// The settings that the 1.5.1 design document offers to an administrator. The document specifies the default of
/// `strategies`; the other defaults are previct's own.
struct DesignSettings {
  DesignOrder order = DesignOrder::zones;
  std::vector<std::string> strategies = {"single", "multiple"};
  Decimal deviation_percent{10 * Decimal::kScale};
  std::int64_t max_victims = 3;
  std::int64_t start_delay = 0;  ///< nanoseconds
  std::optional<Instant> reservation_created;
  bool count_free = false;
  bool descending = true;  ///< order of sizes within a zone for the strategy `multiple`
  /// The origin of each key that is set: `--assume`.
  std::map<std::string, std::string, std::less<>> origins;
};

/// What no dump contains: the state in the scheduler's memory.
struct Assumptions {
  std::vector<PodName> preempted;  ///< marked by an earlier preemption and still present
  std::vector<PodName> released;   ///< placeholders that are being terminated
  bool ask_triggered = false;      ///< the pending pod has already triggered preemption
  DesignSettings design;
};

/// Reads an assumptions file (YAML or JSON, kind Assumptions). Sections for other engines are ignored.
/// Errors, with their place: syntax errors, unknown keys, values of the wrong type.
[[nodiscard]] auto read_assumptions(const ConfigFile& file) -> Result<Assumptions>;

/// Sets a member of DesignSettings by its key in an assumptions file; returns false if there is no such key. `origin`
/// names where the value comes from. Errors: a value of the wrong type.
[[nodiscard]] auto set_design(std::string_view key, const std::string& value, const std::string& origin, Place place,
                              DesignSettings& settings) -> Result<bool>;

}  // namespace previct::yunikorn
