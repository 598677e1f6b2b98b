#pragma once

#include "input/byte_source.h"

#include <memory>

namespace previct {

/// The same bytes, fetched by a thread of their own while the ones before are being read: for a source that works for
/// them, as unpackers do. Some pieces ahead at most.
[[nodiscard]] auto read_ahead(std::unique_ptr<ByteSource> source) -> std::unique_ptr<ByteSource>;

}  // namespace previct
