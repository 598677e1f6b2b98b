#pragma once

#include "api/objects.h"
#include "input/documents.h"
#include "input/window.h"

#include <cstddef>
#include <optional>

namespace previct {

/// Reads the objects of a text that looks as kubectl prints lists, several hundred times as fast as the general path
/// and with no more than a window of it in memory. Items that hold anything unusual are handed to the general path one
/// by one; `sink` gets these, and the lists.
///
/// Returns how many objects there were; none if the text is not of this kind, or broken: then `objects` may hold a
/// part of it, which is to be taken back, and the general path tells what there is to say. What it returns is in every
/// respect what read_documents() would have given.
/// `window`: bytes that are looked at at once, more if an item is larger.
[[nodiscard]] auto read_fast(ByteSource& source, FileId file, Objects& objects, ObjectSink& sink,
                             std::size_t window = std::size_t{256} << 10U) -> std::optional<std::size_t>;

}  // namespace previct
