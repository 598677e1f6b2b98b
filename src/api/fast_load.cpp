#include "api/fast_load.h"

#include "api/fast_readers.h"
#include "input/json_source.h"

#include <utility>

namespace previct {

auto list_shape(ByteSource& source) -> std::optional<ListShape> {
  Window text(source, std::size_t{64} << 10U);
  if (!text.more()) return {};
  return looks_like_json(text.text()) ? fast::json_shape(std::move(text)) : fast::yaml_shape(text);
}

auto read_fast(ByteSource& source, FileId file, Objects& objects, ObjectSink& sink, const TextPart& part,
               std::size_t window) -> std::optional<PartRead> {
  Window text(source, window);
  if (!text.more()) return {};
  // In the middle of a list, a YAML item begins with a dash.
  const std::size_t first = text.text().find_first_not_of(' ');
  const bool dash = first != std::string_view::npos && text.text()[first] == '-';
  const bool json = part.from_front ? looks_like_json(text.text()) : !dash;
  return json ? fast::read_json(std::move(text), file, objects, sink, part)
              : fast::read_yaml(std::move(text), file, objects, sink, part);
}

}  // namespace previct
