#pragma once

#include "api/objects.h"
#include "input/documents.h"
#include "input/window.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace previct {

/// How a text that kubectl may have printed begins its items, to find more of them in the midst of it.
struct ListShape {
  std::string before_item;       ///< an item begins behind the first byte of this; not only items do
  std::uint64_t first_item = 0;  ///< where it stands
  std::string head = {};         ///< JSON: all up to the items; empty if the objects are in no list
  EnclosingList list = {};       ///< what the head says
};

/// Of the text that begins here; none if it is of another kind.
[[nodiscard]] auto list_shape(ByteSource& source) -> std::optional<ListShape>;

/// Which part of a text is read.
struct TextPart {
  const ListShape* shape = nullptr;  ///< of the text, if this is not all of it
  bool from_front = true;            ///< else from an item on
  bool to_end = true;                ///< else to the next item
  std::uint64_t others = 0;          ///< bytes of the parts whose objects will be put behind those of this one
};
struct PartRead {
  std::size_t objects;
  Place end;  ///< counted from where the part begins
};

/// Reads the objects of a text that looks as kubectl prints lists, several hundred times as fast as the general path
/// and with no more than a window of it in memory. Items that hold anything unusual are handed to the general path one
/// by one; `sink` gets these, and the lists.
///
/// None if the text is not of this kind, or broken, or if the part does not end where an item ends and the list goes
/// on: then `objects` may hold some of it, which is to be taken back, and the general path tells what there is to say.
/// What it returns is in every respect what read_documents() would have given. `window`: bytes that are looked at at
/// once, more if an item is larger.
[[nodiscard]] auto read_fast(ByteSource& source, FileId file, Objects& objects, ObjectSink& sink,
                             const TextPart& part = {}, std::size_t window = std::size_t{256} << 10U)
    -> std::optional<PartRead>;

}  // namespace previct
