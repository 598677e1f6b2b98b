#pragma once

#include "input/events.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace previct::live {

/// What the metadata of a list says beside its items.
struct ListMeta {
  std::string resource_version;
  std::string continue_token;  ///< where the next page begins; empty: this is the last
};

/// What the metadata of a list says, if it stands before the items, as in lists of built-in kinds. The token is taken
/// out of `text`, which is a whole list from then on. None: `text` is as it was.
[[nodiscard]] auto take_meta(std::string& text, FileId file) -> std::optional<ListMeta>;

/// The events of one page of a list, as those of a whole list: the continue token is taken out. `on_meta` is called
/// once, as soon as the list's metadata was read, which in lists of built-in kinds comes before the items.
[[nodiscard]] auto page_source(std::unique_ptr<EventSource> source, std::function<void(const ListMeta&)> on_meta)
    -> std::unique_ptr<EventSource>;

}  // namespace previct::live
