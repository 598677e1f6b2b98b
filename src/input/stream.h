#pragma once

#include <string_view>
#include <vector>

struct archive;

namespace previct {

/// A compressed form of a single text that libarchive unpacks: one file in streams/ with one object named
/// `<file>_stream`. A build may leave out such a file, and the library with it.
struct Stream {
  std::string_view name;  ///< `xz`
  int (*support)(archive* reader);
};

/// All streams that this build can unpack, by name.
[[nodiscard]] auto streams() -> const std::vector<const Stream*>&;

}  // namespace previct
