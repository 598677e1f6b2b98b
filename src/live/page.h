#pragma once

#include "input/events.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace previct::live {

/// The metadata of a list.
struct ListMeta {
  std::string resource_version;
  std::string continue_token;  ///< start of the next page; empty: this is the last page
};

/// Returns the metadata of a list if it precedes the items, as in lists of built-in kinds, and removes the token from
/// `text`, which is then a whole list. Otherwise returns none and leaves `text` unchanged.
[[nodiscard]] auto take_meta(std::string& text, FileId file) -> std::optional<ListMeta>;

/// The events of one page of a list, presented as a whole list: the continue token is removed. `on_meta` is called
/// once, as soon as the list's metadata is read; in lists of built-in kinds it precedes the items.
[[nodiscard]] auto page_source(std::unique_ptr<EventSource> source, std::function<void(const ListMeta&)> on_meta)
    -> std::unique_ptr<EventSource>;

}  // namespace previct::live
