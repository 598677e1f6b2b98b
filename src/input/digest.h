#pragma once

#include "base/id.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace previct {

/// SHA-256, in hexadecimal.
/// Source: FIPS 180-4; computed by nettle, which is needed for reading archives anyway.
[[nodiscard]] auto sha256_of(std::string_view bytes) -> std::string;

/// SHA-1, in hexadecimal; for names that other programs derive with it.
[[nodiscard]] auto sha1_of(std::string_view bytes) -> std::string;

/// The digest of a file, and its size.
struct FileDigest {
  std::uint64_t bytes = 0;
  std::string sha256;
};

/// The digests of the inputs, by file; members of archives and pages of a cluster have none.
using InputDigests = std::map<FileId, FileDigest>;

/// The digest of the regular file at `path`; none if there is no such file or it cannot be read.
[[nodiscard]] auto digest_of_file(const std::string& path) -> std::optional<FileDigest>;

}  // namespace previct
