#include "input/stream.h"

#include <archive.h>

namespace previct {

const Stream& xz_stream = Stream{.name = "xz", .support = archive_read_support_filter_xz};

}  // namespace previct
