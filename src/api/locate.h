#pragma once

#include "api/meta.h"
#include "base/place.h"
#include "input/sources.h"

#include <string_view>

namespace previct {

/// The place of a field of the object at `object`: of its key, or of the element of a list. If the field is
/// not there, the place of the deepest part of `path` that is; at worst that of the object.
///
/// `path` is written as messages write it: `spec.containers[0].resources.requests.cpu`,
/// `metadata.annotations["key/with.dots"]`, `status.conditions[type=PodScheduled].lastTransitionTime`.
///
/// Loading keeps no places of fields; this reads the one object again, so ask for what is shown only. If the
/// file has changed since it was read, the answer is the object's place. Cost: the object, and counting the
/// lines before it; the whole text up to it if it uses anchors.
[[nodiscard]] auto locate(const Sources& sources, const Source& object, std::string_view path) -> Place;

}  // namespace previct
