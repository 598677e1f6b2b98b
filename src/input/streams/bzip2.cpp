#include "input/stream.h"

#include <archive.h>

namespace previct {

const Stream& bzip2_stream = Stream{.name = "bzip2", .support = archive_read_support_filter_bzip2};

}  // namespace previct
