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

/// The toleration that a PriorityClass declares: where it stands, and as the PreemptionToleration plugin reads it.
struct TolerationPolicy {
  const PriorityClassShape* of = nullptr;
  Value minimum = {};  ///< as written; nothing if the annotation is absent
  Value seconds = {};
  kep205::Policy read = {};

  [[nodiscard]] auto broken() const -> bool { return read.malformed; }
  /// What the plugin goes by: value + 1 if absent.
  [[nodiscard]] auto effective_minimum() const -> std::int64_t { return read.minimum_preemptable_priority; }
  /// Pods of the class are left alone by somebody for some time.
  [[nodiscard]] auto tolerates() const -> bool {
    return !broken() && of->value && effective_minimum() > *of->value + 1 && read.toleration_seconds != 0;
  }
  [[nodiscard]] auto name() const -> const std::string& { return of->name; }
};

/// Of all classes with at least one of the two annotations.
[[nodiscard]] auto toleration_policies(const Repository& repository) -> std::vector<TolerationPolicy>;

}  // namespace previct::lint
