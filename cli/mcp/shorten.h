#pragma once

#include "base/diagnostics.h"
#include "report/report.h"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace previct::cli::mcp {

/// A list of a document of which only the beginning is shown.
struct Cut {
  std::string path;  ///< JSON Pointer (RFC 6901) of the list: `/nodes`
  std::size_t shown = 0;
  std::size_t total = 0;
};

/// Shortens `document` until `fits` returns true, which is false for more than `most` bytes; returns what was cut, in
/// the order of the paths. It cuts long texts, drops the `evidence` of items, and halves the largest list again and
/// again, so that short lists stay whole; `victims` is cut last. At last, it drops the largest members. Paths refer to
/// the original document, because only ends of lists are cut. The time depends on `most`, not on the length of the
/// lists.
[[nodiscard]] auto shorten(Json& document, std::size_t most, const std::function<bool(const Json&)>& fits)
    -> std::vector<Cut>;
/// As above, until its serialized form has at most `most` bytes.
[[nodiscard]] auto shorten(Json& document, std::size_t most) -> std::vector<Cut>;

/// The items of the list at `path` from `offset` on, as many as fit into `most` bytes, but at least one, shortened if
/// necessary. `total`: the length of the list. Fails if there is no list at `path`, or `offset` is beyond its end.
struct Page {
  Json items;
  std::size_t total = 0;
};
[[nodiscard]] auto page_of(const Json& document, const std::string& path, std::size_t offset, std::size_t most)
    -> Result<Page>;

/// The length of the serialized form, in bytes. Texts from inputs may not be UTF-8; such bytes count as U+FFFD.
[[nodiscard]] auto serialized(const Json& value) -> std::string;

}  // namespace previct::cli::mcp
