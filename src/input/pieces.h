#pragma once

#include "input/byte_source.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace previct {

/// A text that several threads can read at once, each a piece of it.
struct PiecewiseText {
  std::uint64_t size = 0;
  /// The bytes from `begin` up to `end`.
  std::function<std::unique_ptr<ByteSource>(std::uint64_t begin, std::uint64_t end)> open;
};

/// Of `text`, which must outlive it.
[[nodiscard]] auto pieces_of(std::string_view text) -> PiecewiseText;

/// Of the regular file at `path`, as it is; none if there is no such file. It stays open as long as it is needed.
[[nodiscard]] auto pieces_of_file(const std::string& path) -> std::optional<PiecewiseText>;

/// The first place of `mark` in the text that begins at `from` or behind it; none before `end`.
[[nodiscard]] auto find_in(const PiecewiseText& text, std::string_view mark, std::uint64_t from, std::uint64_t end)
    -> std::optional<std::uint64_t>;

}  // namespace previct
