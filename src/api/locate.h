#pragma once

#include "api/meta.h"
#include "base/place.h"
#include "input/sources.h"

#include <string>
#include <string_view>
#include <vector>

namespace previct {

/// A field of the object at `object`.
///
/// `path` has the notation of messages: `spec.containers[0].resources.requests.cpu`,
/// `metadata.annotations["key/with.dots"]`, `status.conditions[type=PodScheduled].lastTransitionTime`.
struct FieldOf {
  Source object;
  std::string path;
};

/// The places of `fields`, in the same order: of the key, or of the list element. If a field does not exist, the place
/// of the deepest existing part of its path; at worst that of the object.
///
/// Loading does not keep the places of fields; this function reads the objects again. Therefore request only the fields
/// that are shown, and all of them at once. If a file has changed since it was read, the result is the object's place.
/// Cost: one pass over each file up to the last object in it, with a window of it in memory, and reading the objects;
/// for a file with anchors, its whole text.
/// `missed`: receives the files with an object that could not be read again; null: not needed.
[[nodiscard]] auto locate(const Sources& sources, const std::vector<FieldOf>& fields,
                          std::vector<FileId>* missed = nullptr) -> std::vector<Place>;

/// The place of one field.
[[nodiscard]] auto locate(const Sources& sources, const Source& object, std::string_view path) -> Place;

}  // namespace previct
