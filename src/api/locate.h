#pragma once

#include "api/meta.h"
#include "base/place.h"
#include "input/sources.h"

#include <string>
#include <string_view>
#include <vector>

namespace previct {

/// A field of the object that stands at `object`.
///
/// `path` is written as messages write it: `spec.containers[0].resources.requests.cpu`,
/// `metadata.annotations["key/with.dots"]`, `status.conditions[type=PodScheduled].lastTransitionTime`.
struct FieldOf {
  Source object;
  std::string path;
};

/// The places of `fields`, in their order: of the key, or of the element of a list. If a field is not there, the
/// place of the deepest part of its path that is; at worst that of the object.
///
/// Loading keeps no places of fields; this reads the objects again, so ask for what is shown only, and for all of it
/// at once. If a file has changed since it was read, the answer is the object's place. Cost: one pass over each file
/// up to the last object in it, with a window of it in memory, and reading the objects; the whole text of a file with
/// anchors.
/// `missed`: gets the files of which some object could not be read again; null: nobody asks.
[[nodiscard]] auto locate(const Sources& sources, const std::vector<FieldOf>& fields,
                          std::vector<FileId>* missed = nullptr) -> std::vector<Place>;

/// The place of one.
[[nodiscard]] auto locate(const Sources& sources, const Source& object, std::string_view path) -> Place;

}  // namespace previct
