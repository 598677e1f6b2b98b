#include "input/byte_source.h"

#include "input/bytes.h"
#include "input/decompress.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <new>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

namespace previct {
namespace {

constexpr std::size_t kStep = std::size_t{128} << 10U;

class MemorySource final : public ByteSource {
 public:
  explicit MemorySource(std::string_view text) : left_(text) {}
  auto read(std::span<char> into) -> Result<std::size_t> override {
    const std::size_t size = left_.copy(into.data(), into.size());
    left_.remove_prefix(size);
    return size;
  }

 private:
  std::string_view left_;
};

class FileSource final : public ByteSource {
 public:
  FileSource(int descriptor, std::uint64_t limit) : descriptor_(descriptor), left_(limit) {}
  FileSource(const FileSource&) = delete;
  auto operator=(const FileSource&) -> FileSource& = delete;
  ~FileSource() override { ::close(descriptor_); }

  auto read(std::span<char> into) -> Result<std::size_t> override {
    for (;;) {
      const ssize_t count = ::read(descriptor_, into.data(), into.size());
      if (count < 0 && errno == EINTR) continue;
      if (count < 0 || static_cast<std::uint64_t>(count) > left_) return fail({});
      left_ -= static_cast<std::uint64_t>(count);
      return static_cast<std::size_t>(count);
    }
  }

 private:
  int descriptor_;
  std::uint64_t left_;
};

/// What an unpacker reads: pieces of the packed bytes.
class Packed {
 public:
  explicit Packed(std::unique_ptr<ByteSource> source) : source_(std::move(source)), buffer_(kStep) {}
  /// False at the end.
  auto more() -> Result<bool> {
    PREVICT_TRY(const std::size_t count, source_->read(buffer_));
    piece = {buffer_.data(), count};
    return count > 0;
  }
  std::span<char> piece;

 private:
  std::unique_ptr<ByteSource> source_;
  std::vector<char> buffer_;
};

class ZstdSource final : public ByteSource {
 public:
  ZstdSource(std::unique_ptr<ByteSource> packed, std::uint64_t limit)
      : packed_(std::move(packed)), context_(ZSTD_createDCtx(), ZSTD_freeDCtx), left_(limit) {
    if (!context_) throw std::bad_alloc();
    ZSTD_DCtx_setParameter(context_.get(), ZSTD_d_windowLogMax, kMaxZstdWindow);
  }

  auto read(std::span<char> into) -> Result<std::size_t> override {
    ZSTD_outBuffer out{into.data(), into.size(), 0};
    while (out.pos == 0) {
      if (in_.pos == in_.size && flushed_) {
        PREVICT_TRY(const bool any, packed_.more());
        if (!any) return complete_ ? Result<std::size_t>(std::size_t{0}) : fail({});
        in_ = {packed_.piece.data(), packed_.piece.size(), 0};
      }
      const std::size_t hint = ZSTD_decompressStream(context_.get(), &out, &in_);
      if (ZSTD_isError(hint) != 0) return fail({});
      complete_ = hint == 0;
      flushed_ = complete_ || out.pos < out.size;
    }
    if (out.pos > left_) return fail({});
    left_ -= out.pos;
    return out.pos;
  }

 private:
  Packed packed_;
  std::unique_ptr<ZSTD_DCtx, std::size_t (*)(ZSTD_DCtx*)> context_;
  std::uint64_t left_;
  ZSTD_inBuffer in_{nullptr, 0, 0};
  bool flushed_ = true;
  bool complete_ = false;
};

class GzipSource final : public ByteSource {
 public:
  GzipSource(std::unique_ptr<ByteSource> packed, std::uint64_t limit) : packed_(std::move(packed)), left_(limit) {
    constexpr int kGzipOnly = 16 + MAX_WBITS;
    if (inflateInit2(&stream_, kGzipOnly) != Z_OK) throw std::bad_alloc();
  }
  GzipSource(const GzipSource&) = delete;
  auto operator=(const GzipSource&) -> GzipSource& = delete;
  ~GzipSource() override { inflateEnd(&stream_); }

  // A stream that ends with anything but another one is left to gunzip().
  auto read(std::span<char> into) -> Result<std::size_t> override {
    const auto offered = static_cast<uInt>(std::min<std::size_t>(into.size(), UINT_MAX));
    stream_.next_out = reinterpret_cast<unsigned char*>(into.data());
    stream_.avail_out = offered;
    while (stream_.avail_out == offered) {
      if (stream_.avail_in == 0) {
        PREVICT_TRY(const bool any, packed_.more());
        if (!any) return complete_ ? Result<std::size_t>(std::size_t{0}) : fail({});
        stream_.next_in = reinterpret_cast<unsigned char*>(packed_.piece.data());
        stream_.avail_in = static_cast<uInt>(packed_.piece.size());
      }
      if (complete_ && inflateReset(&stream_) != Z_OK) return fail({});
      const int status = inflate(&stream_, Z_NO_FLUSH);
      if (status != Z_OK && status != Z_STREAM_END) return fail({});
      complete_ = status == Z_STREAM_END;
    }
    const std::size_t count = offered - stream_.avail_out;
    if (count > left_) return fail({});
    left_ -= count;
    return count;
  }

 private:
  Packed packed_;
  z_stream stream_{};
  std::uint64_t left_;
  bool complete_ = false;
};

}  // namespace

auto memory_source(std::string_view text) -> std::unique_ptr<ByteSource> {
  return std::make_unique<MemorySource>(text);
}

auto file_source(const std::string& path, FileId file, std::uint64_t max_bytes)
    -> Result<std::unique_ptr<ByteSource>> {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
  if (descriptor < 0) return fail({}, {file});
  auto bytes = std::make_unique<FileSource>(descriptor, max_bytes == 0 ? kLargestInput : max_bytes);
  struct stat status {};
  std::array<char, 4> magic{};
  if (::fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) return fail({}, {file});
  const ssize_t count = ::pread(descriptor, magic.data(), magic.size(), 0);
  const std::string_view start(magic.data(), static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
  const std::uint64_t limit = unpacked_limit(static_cast<std::uint64_t>(status.st_size), max_bytes);
  if (is_zstd(start)) return std::make_unique<ZstdSource>(std::move(bytes), limit);
  if (is_gzip(start)) return std::make_unique<GzipSource>(std::move(bytes), limit);
  return bytes;
}

}  // namespace previct
