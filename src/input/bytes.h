#pragma once

#include "base/diagnostics.h"

#include <cstdint>
#include <string>
#include <vector>

namespace previct {

/// One text of an input. A plain or compressed file has one, unnamed; an archive has one per entry.
struct Member {
  std::string name;  ///< within the input; empty for the input itself
  std::string text;  ///< UTF-8 without byte order mark, decompressed
};

struct Input {
  std::vector<Member> members;
  bool can_be_read_again = false;  ///< a regular file, not a pipe
};

/// The texts in the file at `path` (`-`: standard input), by content and not by name: plain, gzip or zstd, in
/// UTF-8 or UTF-16 with a byte order mark.
///
/// `max_bytes` bounds the input and what comes out of decompression; 0: 4 GiB, and 256 times the compressed
/// size plus 64 MiB. Windows of zstd are bounded by 64 MiB. Errors (`file` as place): what the operating
/// system says; a compressed stream that is cut, damaged or grows beyond the limit; a container that is not
/// read.
[[nodiscard]] auto read_input(const std::string& path, FileId file, std::uint64_t max_bytes) -> Result<Input>;

/// The texts in `bytes`, as read_input() has read them.
[[nodiscard]] auto members_of(std::string bytes, FileId file, std::uint64_t max_bytes)
    -> Result<std::vector<Member>>;

}  // namespace previct
