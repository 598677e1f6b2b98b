#pragma once

#include "api/toleration_annotations.h"
#include "lint/repository.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace previct::lint {

inline constexpr std::string_view kTolerationPrefix = kep205::kPrefix;
inline constexpr std::string_view kMinimumKey = kep205::kMinimum;
inline constexpr std::string_view kSecondsKey = kep205::kSeconds;

/// The toleration that a PriorityClass declares: its places, and its values as the PreemptionToleration plugin reads
/// them.
struct TolerationPolicy {
  const PriorityClassShape* of = nullptr;
  Value minimum = {};  ///< as written; empty if the annotation is absent
  Value seconds = {};
  kep205::Policy read = {};

  [[nodiscard]] auto broken() const -> bool { return read.malformed; }
  /// The minimum that the plugin uses: value + 1 if absent.
  [[nodiscard]] auto effective_minimum() const -> std::int64_t { return read.minimum_preemptable_priority; }
  /// Returns true if pods of the class tolerate preemption by some pods for some time.
  [[nodiscard]] auto tolerates() const -> bool {
    return !broken() && of->value && effective_minimum() > *of->value + 1 && read.toleration_seconds != 0;
  }
  [[nodiscard]] auto name() const -> const std::string& { return of->name; }
};

/// The policies of all classes with at least one of the two annotations.
[[nodiscard]] auto toleration_policies(const Repository& repository) -> std::vector<TolerationPolicy>;

}  // namespace previct::lint
