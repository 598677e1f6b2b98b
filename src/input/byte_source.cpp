#include "input/byte_source.h"

#include "base/clamped.h"
#include "base/descriptor.h"
#include "base/file_status.h"
#include "input/bytes.h"
#include "input/decompress.h"
#include "input/series.h"

#include <algorithm>
#include <array>
#include <utility>

namespace previct {
namespace {

class MemorySource final : public ByteSource {
 public:
  explicit MemorySource(std::string_view text) : left_(text) {}
  auto read(std::span<char> into) -> Result<std::size_t> override {
    const std::size_t size = left_.copy(into.data(), into.size());
    left_.remove_prefix(size);
    return size;
  }
  [[nodiscard]] auto left() const -> std::uint64_t override { return left_.size(); }

 private:
  std::string_view left_;
};

/// Keeps the text that it reads.
class OwnedText final : public ByteSource {
 public:
  explicit OwnedText(std::string text) : text_(std::move(text)), rest_(text_) {}
  auto read(std::span<char> into) -> Result<std::size_t> override { return rest_.read(into); }
  [[nodiscard]] auto left() const -> std::uint64_t override { return rest_.left(); }

 private:
  std::string text_;
  MemorySource rest_;
};

class BytesOfFile final : public ByteSource {
 public:
  BytesOfFile(Descriptor descriptor, std::uint64_t limit) : descriptor_(std::move(descriptor)), left_(limit) {}

  auto read(std::span<char> into) -> Result<std::size_t> override {
    const std::ptrdiff_t count = descriptor_.read(into);
    if (count < 0 || static_cast<std::uint64_t>(count) > left_) return fail({});
    left_ -= static_cast<std::uint64_t>(count);
    return static_cast<std::size_t>(count);
  }

 private:
  Descriptor descriptor_;
  std::uint64_t left_;
};

}  // namespace

auto memory_source(std::string_view text) -> std::unique_ptr<ByteSource> {
  return std::make_unique<MemorySource>(text);
}

auto file_source(const std::string& path, FileId file, std::uint64_t max_bytes) -> Result<FileSource> {
  Descriptor descriptor = open_regular(path);
  const auto status = descriptor ? status_of(descriptor.number()) : std::nullopt;
  if (!status) return fail({}, {file});
  std::array<char, 4> magic{};
  const std::ptrdiff_t count = descriptor.read(magic, 0);
  FileSource source;
  source.bytes = std::make_unique<BytesOfFile>(std::move(descriptor), max_bytes == 0 ? kLargestInput : max_bytes);
  source.size = status->size;
  const std::string_view start(magic.data(), static_cast<std::size_t>(std::max<std::ptrdiff_t>(count, 0)));
  const std::size_t limit = clamped(unpacked_limit(source.size, max_bytes));
  if (names_patch(path)) {
    PREVICT_TRY(std::string text, text_of_patch(path, max_bytes, file));
    source.container = "zstd";
    source.bytes = std::make_unique<OwnedText>(std::move(text));
  } else if (is_zstd(start)) {
    source.container = "zstd";
    source.bytes = unzstd(std::move(source.bytes), limit, file);
  } else if (is_gzip(start)) {
    source.container = "gzip";
    source.bytes = gunzip(std::move(source.bytes), limit, file);
  }
  return source;
}

}  // namespace previct
