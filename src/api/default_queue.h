#pragma once

#include "api/objects.h"

#include <string_view>

namespace previct::kueue {

/// Returns true if Jobs of the namespace that name no queue join the LocalQueue `default`.
/// Source: kueue pkg/controller/jobframework/defaults.go ApplyDefaultLocalQueue.
[[nodiscard]] auto has_default_queue(const Objects& objects, std::string_view ns) -> bool;

}  // namespace previct::kueue
