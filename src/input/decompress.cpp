#include "input/decompress.h"

#include <fmt/format.h>

#include <algorithm>
#include <climits>
#include <new>
#include <optional>
#include <utility>
#include <vector>

#include <zlib.h>
#include <zstd.h>

namespace previct {
namespace {

constexpr std::size_t kStep = std::size_t{128} << 10U;
constexpr int kMaxZstdWindow = 26;  // log2 of 64 MiB

auto cut(std::string_view format, FileId file) {
  return fail(fmt::format("truncated {} stream: it ends before its end mark", format), {file},
              "copy or save the file again");
}

auto corrupt(std::string_view format, const char* what, FileId file) {
  return fail(fmt::format("a corrupt {} stream: {}", format, what == nullptr ? "damaged" : what), {file},
              "copy or save the file again");
}

/// A stream that is unpacked piece by piece.
class Unpacked : public ByteSource {
 public:
  Unpacked(std::unique_ptr<ByteSource> packed, std::size_t limit, FileId file)
      : file_(file), packed_(std::move(packed)), buffer_(kStep), limit_(limit), left_(limit) {}

  auto read(std::span<char> into) -> Result<std::size_t> final {
    if (into.empty()) return std::size_t{0};
    for (;;) {
      if (wants_more()) {
        PREVICT_TRY(const std::size_t count, packed_->read(buffer_));
        if (count == 0) return at_end();
        set_input({buffer_.data(), count});
      }
      PREVICT_TRY(const std::size_t count, unpack(into));
      if (count > left_) return unpacks_beyond(limit_, file_);
      left_ -= count;
      if (count > 0) return count;
    }
  }

 protected:
  /// Returns true if no output is possible without more input.
  [[nodiscard]] virtual auto wants_more() const -> bool = 0;
  virtual void set_input(std::span<char> bytes) = 0;
  /// Unpacks the input as far as it fits into `into`.
  [[nodiscard]] virtual auto unpack(std::span<char> into) -> Result<std::size_t> = 0;
  /// Called when there is no more input; returns 0 or a failure.
  [[nodiscard]] virtual auto at_end() const -> Result<std::size_t> = 0;

  FileId file_;

 private:
  std::unique_ptr<ByteSource> packed_;
  std::vector<char> buffer_;
  std::size_t limit_;
  std::size_t left_;
};

class Zstd final : public Unpacked {
 public:
  Zstd(std::unique_ptr<ByteSource> packed, std::size_t limit, FileId file)
      : Unpacked(std::move(packed), limit, file), context_(ZSTD_createDCtx(), ZSTD_freeDCtx) {
    if (!context_) throw std::bad_alloc();
    ZSTD_DCtx_setParameter(context_.get(), ZSTD_d_windowLogMax, kMaxZstdWindow);
  }

 private:
  [[nodiscard]] auto wants_more() const -> bool override { return in_.pos == in_.size && flushed_; }
  void set_input(std::span<char> bytes) override { in_ = {bytes.data(), bytes.size(), 0}; }
  auto unpack(std::span<char> into) -> Result<std::size_t> override {
    ZSTD_outBuffer out{into.data(), into.size(), 0};
    const std::size_t hint = ZSTD_decompressStream(context_.get(), &out, &in_);
    if (ZSTD_isError(hint) != 0) return corrupt("zstd", ZSTD_getErrorName(hint), file_);
    complete_ = hint == 0;
    flushed_ = complete_ || out.pos < out.size;
    return out.pos;
  }
  [[nodiscard]] auto at_end() const -> Result<std::size_t> override {
    if (!complete_) return cut("zstd", file_);
    return std::size_t{0};
  }

  std::unique_ptr<ZSTD_DCtx, std::size_t (*)(ZSTD_DCtx*)> context_;
  ZSTD_inBuffer in_{nullptr, 0, 0};
  bool flushed_ = true;
  bool complete_ = false;
};

class Gzip final : public Unpacked {
 public:
  Gzip(std::unique_ptr<ByteSource> packed, std::size_t limit, FileId file) : Unpacked(std::move(packed), limit, file) {
    constexpr int kGzipOnly = 16 + MAX_WBITS;
    if (inflateInit2(&stream_, kGzipOnly) != Z_OK) throw std::bad_alloc();
  }
  Gzip(const Gzip&) = delete;
  auto operator=(const Gzip&) -> Gzip& = delete;
  ~Gzip() override { inflateEnd(&stream_); }

 private:
  enum class State : std::uint8_t { member, between, padding };

  [[nodiscard]] auto wants_more() const -> bool override {
    return stream_.avail_in == 0 && (state_ != State::member || flushed_);
  }
  void set_input(std::span<char> bytes) override {
    stream_.next_in = reinterpret_cast<unsigned char*>(bytes.data());
    stream_.avail_in = static_cast<uInt>(bytes.size());
  }

  auto unpack(std::span<char> into) -> Result<std::size_t> override {
    if (state_ != State::member) {
      // After a member, another member may follow, or zero bytes, which gzip itself ignores.
      const bool another = *stream_.next_in == 0x1f && state_ == State::between;
      if (!another) {
        state_ = State::padding;
        if (std::any_of(stream_.next_in, stream_.next_in + stream_.avail_in, [](unsigned char c) { return c != 0; }))
          return behind_end();
        stream_.avail_in = 0;
        return std::size_t{0};
      }
      if (inflateReset(&stream_) != Z_OK) return corrupt("gzip", nullptr, file_);
      state_ = State::member;
      ++members_;
    }
    const auto offered = static_cast<uInt>(std::min<std::size_t>(into.size(), UINT_MAX));
    stream_.next_out = reinterpret_cast<unsigned char*>(into.data());
    stream_.avail_out = offered;
    const int status = inflate(&stream_, Z_NO_FLUSH);
    if (status == Z_MEM_ERROR) throw std::bad_alloc();
    if (status == Z_DATA_ERROR && members_ > 0 && stream_.total_in <= 2) return behind_end();
    if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR) return corrupt("gzip", stream_.msg, file_);
    if (status == Z_STREAM_END) state_ = State::between;
    flushed_ = stream_.avail_out > 0;
    return std::size_t{offered - stream_.avail_out};
  }
  [[nodiscard]] auto behind_end() const -> tl::unexpected<Failure> {
    return fail("bytes after the end of the gzip stream", {file_});
  }
  [[nodiscard]] auto at_end() const -> Result<std::size_t> override {
    if (state_ == State::member) return cut("gzip", file_);
    return std::size_t{0};
  }

  z_stream stream_{};
  State state_ = State::member;
  std::size_t members_ = 0;  // number of members before the current one
  bool flushed_ = true;
};

auto all_of(ByteSource& source) -> Result<std::string> {
  std::string text;
  std::vector<char> piece(kStep);
  for (;;) {
    PREVICT_TRY(const std::size_t count, source.read(piece));
    if (count == 0) return text;
    text.append(piece.data(), count);
  }
}

}  // namespace

auto unpacks_beyond(std::size_t limit, FileId file) -> tl::unexpected<Failure> {
  return fail(fmt::format("decompresses to more than the limit of {} bytes", limit), {file}, std::string(kRaiseLimit));
}

auto is_gzip(std::string_view bytes) -> bool {
  return bytes.substr(0, 2) == "\x1f\x8b";
}

auto is_zstd(std::string_view bytes) -> bool {
  if (bytes.substr(0, 4) == "\x28\xb5\x2f\xfd") return true;
  const bool skippable = bytes.size() >= 4 && (static_cast<unsigned char>(bytes[0]) & 0xf0U) == 0x50;
  return skippable && bytes.substr(1, 3) == "\x2a\x4d\x18";
}

auto gunzip(std::unique_ptr<ByteSource> packed, std::size_t limit, FileId file) -> std::unique_ptr<ByteSource> {
  return std::make_unique<Gzip>(std::move(packed), limit, file);
}

auto unzstd(std::unique_ptr<ByteSource> packed, std::size_t limit, FileId file) -> std::unique_ptr<ByteSource> {
  return std::make_unique<Zstd>(std::move(packed), limit, file);
}

auto gunzip(std::string_view bytes, std::size_t limit, FileId file) -> Result<std::string> {
  return all_of(*gunzip(memory_source(bytes), limit, file));
}

auto unzstd(std::string_view bytes, std::size_t limit, FileId file) -> Result<std::string> {
  return all_of(*unzstd(memory_source(bytes), limit, file));
}

auto unzstd_patch(std::string_view bytes, std::string_view before, std::size_t limit, FileId file, std::string memory)
    -> Result<std::string> {
  const unsigned long long size = ZSTD_getFrameContentSize(bytes.data(), bytes.size());
  if (size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN)
    return corrupt("zstd", "it does not tell its size", file);
  if (size > limit) return unpacks_beyond(limit, file);
  const std::unique_ptr<ZSTD_DCtx, std::size_t (*)(ZSTD_DCtx*)> context(ZSTD_createDCtx(), ZSTD_freeDCtx);
  if (!context) throw std::bad_alloc();
  ZSTD_DCtx_refPrefix(context.get(), before.data(), before.size());
  std::string text = std::move(memory);
  // Some more, because the next text is often a little larger; growing would copy it, to twice the memory.
  constexpr std::size_t kMore = 64;
  if (text.capacity() < size) {
    text = {};
    text.reserve(size + size / kMore);
  }
  text.resize(size);
  const std::size_t written = ZSTD_decompressDCtx(context.get(), text.data(), text.size(), bytes.data(), bytes.size());
  if (ZSTD_isError(written) != 0) return corrupt("zstd", ZSTD_getErrorName(written), file);
  if (written != size) return cut("zstd", file);
  return text;
}

}  // namespace previct
