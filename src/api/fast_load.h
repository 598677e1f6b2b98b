#pragma once

#include "api/objects.h"
#include "input/documents.h"
#include "input/window.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace previct {

/// How the items of a text in kubectl's format begin; used to find items in the middle of the text.
struct ListShape {
  std::string before_item;       ///< text before an item, which begins after its first byte; may also occur elsewhere
  std::uint64_t first_item = 0;  ///< offset of the first item
  std::string head = {};         ///< JSON: the text up to the items; empty if the objects are not in a list
  EnclosingList list = {};       ///< the list that the head describes
};

/// The shape of the text that begins here; none if it has another format.
[[nodiscard]] auto list_shape(ByteSource& source) -> std::optional<ListShape>;

/// The part of a text that is read.
struct TextPart {
  const ListShape* shape = nullptr;  ///< shape of the text, if only a part is read
  bool from_front = true;            ///< false: from an item on
  bool to_end = true;                ///< false: to the next item
  std::uint64_t others = 0;          ///< bytes of the parts whose objects will be appended to those of this one
  bool patterns = true;              ///< false: read every object in full (see PatternReader)
};
struct PartRead {
  std::size_t objects;
  Place end;  ///< relative to the beginning of the part
};

/// Reads the objects of a text in the format of kubectl's lists, several hundred times as fast as the general reader
/// and with only a window of the text in memory. Unusual items are passed to the general reader one by one; `sink`
/// receives these, and the lists.
///
/// Returns none if the text has another format or is invalid, or if the part does not end between two items of a list
/// that continues. Then `objects` may hold some of its objects, which the caller must remove, and the general reader
/// reports the error. Otherwise the result equals that of read_documents() in every respect. `window`: the number of
/// bytes in memory, more if an item is larger.
[[nodiscard]] auto read_fast(ByteSource& source, FileId file, Objects& objects, ObjectSink& sink,
                             const TextPart& part = {}, std::size_t window = std::size_t{256} << 10U)
    -> std::optional<PartRead>;

}  // namespace previct
