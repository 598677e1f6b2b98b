#pragma once

#include "input/byte_source.h"

#include <memory>

namespace previct {

/// Returns the same bytes, fetched in advance by a separate thread, at most a few pieces ahead. For sources that do
/// work for their bytes, such as decompressors.
[[nodiscard]] auto read_ahead(std::unique_ptr<ByteSource> source) -> std::unique_ptr<ByteSource>;

}  // namespace previct
