#pragma once

#include "api/objects.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace previct {

/// The metadata.generateName of an object without a name, without trailing dashes.
[[nodiscard]] auto prefix_of(const ObjectMeta& meta, const Symbols& symbols) -> std::string_view;

/// Returns the name of an object by its metadata, or else that prefix.
[[nodiscard]] auto name_or_prefix(const Tape& tape, std::uint32_t metadata) -> std::string;

/// Names the objects that are not created yet after their prefix, without the five letters that the API server appends:
/// `job`, and `job-2` for the second of one kind with that prefix, in the order of the input.
void name_generated_objects(Objects& objects);

}  // namespace previct
