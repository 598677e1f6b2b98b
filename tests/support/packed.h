#pragma once

#include <string>
#include <string_view>

namespace previct::test {

/// Return one gzip member, and one zstd frame, that hold `text`.
[[nodiscard]] auto gzipped(std::string_view text) -> std::string;
[[nodiscard]] auto zstandard(std::string_view text) -> std::string;

}  // namespace previct::test
