#pragma once

#include "input/byte_source.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace previct {

/// A text that several threads can read at the same time, each a piece of it.
struct PiecewiseText {
  std::uint64_t size = 0;
  /// Opens the bytes [begin, end).
  std::function<std::unique_ptr<ByteSource>(std::uint64_t begin, std::uint64_t end)> open;
};

/// The pieces of `text`, which must outlive the result.
[[nodiscard]] auto pieces_of(std::string_view text) -> PiecewiseText;

/// The pieces of the regular file at `path`, not unpacked; none if there is no such file. The file stays open as long
/// as it is used.
[[nodiscard]] auto pieces_of_file(const std::string& path) -> std::optional<PiecewiseText>;

/// The first position of `mark` in the text at or after `from`; none if there is none before `end`.
[[nodiscard]] auto find_in(const PiecewiseText& text, std::string_view mark, std::uint64_t from, std::uint64_t end)
    -> std::optional<std::uint64_t>;

}  // namespace previct
