#pragma once

#include "api/objects.h"

#include <cstdint>
#include <optional>

namespace previct {

/// The settings that pods get from their PriorityClass.
struct KnownClass {
  std::int32_t value = 0;
  Symbol policy;  ///< none: not set, which means PreemptLowerPriority
};

/// The class with this name, including those that the API server creates itself.
[[nodiscard]] auto known_class(Symbol name, const Objects& objects) -> std::optional<KnownClass>;

/// The StorageClass that the API server gives a claim that names none: of several defaults, the newest. Null if there
/// is no default, or if the claim names a class or a volume. Source:
/// plugin/pkg/admission/storage/storageclass/setdefault.
[[nodiscard]] auto default_class(const PersistentVolumeClaim& claim, const Objects& objects) -> const StorageClass*;

/// The class of new pods that name none: the global default or, of several, the one with the lowest value; null if
/// there is none.
[[nodiscard]] auto default_class(const Objects& objects) -> const PriorityClass*;

}  // namespace previct
