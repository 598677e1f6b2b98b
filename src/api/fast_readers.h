#pragma once

#include "api/fast_load.h"

/// read_fast() and list_shape() for each format; the first bytes are already in the window.
namespace previct::fast {

[[nodiscard]] auto read_yaml(Window window, FileId file, Objects& objects, ObjectSink& sink, const TextPart& part)
    -> std::optional<PartRead>;
[[nodiscard]] auto read_json(Window window, FileId file, Objects& objects, ObjectSink& sink, const TextPart& part)
    -> std::optional<PartRead>;
[[nodiscard]] auto yaml_shape(const Window& window) -> std::optional<ListShape>;
[[nodiscard]] auto json_shape(Window window) -> std::optional<ListShape>;

}  // namespace previct::fast
