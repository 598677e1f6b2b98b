#include "input/decompress.h"

#include <fmt/format.h>

#include <algorithm>
#include <climits>
#include <memory>
#include <new>
#include <vector>

#include <zlib.h>
#include <zstd.h>

namespace previct {
namespace {

constexpr std::size_t kStep = std::size_t{256} << 10U;

auto cut(std::string_view format, FileId file) {
  return fail(fmt::format("truncated {} stream: it ends before its end mark", format), {file},
              "copy or save the file again");
}

/// Bytes behind the last member that gzip itself ignores.
auto only_padding(std::string_view bytes) -> bool {
  return std::all_of(bytes.begin(), bytes.end(), [](char c) { return c == '\0'; });
}

}  // namespace

auto unpacks_beyond(std::size_t limit, FileId file) -> tl::unexpected<Failure> {
  return fail(fmt::format("unpacks to more than the limit of {} bytes", limit), {file},
              "raise the limit with --max-input");
}

auto is_gzip(std::string_view bytes) -> bool {
  return bytes.substr(0, 2) == "\x1f\x8b";
}

auto is_zstd(std::string_view bytes) -> bool {
  if (bytes.substr(0, 4) == "\x28\xb5\x2f\xfd") return true;
  const bool skippable = bytes.size() >= 4 && (static_cast<unsigned char>(bytes[0]) & 0xf0U) == 0x50;
  return skippable && bytes.substr(1, 3) == "\x2a\x4d\x18";
}

auto gunzip(std::string_view bytes, std::size_t limit, FileId file) -> Result<std::string> {
  constexpr int kGzipOnly = 16 + MAX_WBITS;
  z_stream stream{};
  if (inflateInit2(&stream, kGzipOnly) != Z_OK) throw std::bad_alloc();
  const std::unique_ptr<z_stream, int (*)(z_stream*)> guard(&stream, inflateEnd);
  std::vector<unsigned char> buffer(kStep);
  std::string out;
  stream.next_in = const_cast<unsigned char*>(reinterpret_cast<const unsigned char*>(bytes.data()));
  std::size_t left = bytes.size();
  for (;;) {
    const auto offered = static_cast<uInt>(std::min<std::size_t>(left, UINT_MAX));
    stream.avail_in = offered;
    stream.next_out = buffer.data();
    stream.avail_out = static_cast<uInt>(buffer.size());
    const int status = inflate(&stream, Z_NO_FLUSH);
    left -= offered - stream.avail_in;
    out.append(reinterpret_cast<const char*>(buffer.data()), buffer.size() - stream.avail_out);
    if (out.size() > limit) return unpacks_beyond(limit, file);
    if (status == Z_STREAM_END) {
      const std::string_view rest = bytes.substr(bytes.size() - left);
      if (only_padding(rest)) return out;
      if (!is_gzip(rest))
        return rest.size() == 1 && rest[0] == '\x1f'
                   ? Result<std::string>(cut("gzip", file))
                   : fail("bytes behind the end of the gzip stream", {file});
      if (inflateReset(&stream) != Z_OK) return fail("a damaged gzip stream", {file});
    } else if (status == Z_BUF_ERROR || (status == Z_OK && left == 0 && stream.avail_out > 0)) {
      return cut("gzip", file);
    } else if (status == Z_MEM_ERROR) {
      throw std::bad_alloc();
    } else if (status != Z_OK) {
      return fail(fmt::format("a corrupt gzip stream: {}", stream.msg == nullptr ? "damaged" : stream.msg),
                  {file}, "copy or save the file again");
    }
  }
}

auto unzstd(std::string_view bytes, std::size_t limit, FileId file) -> Result<std::string> {
  const std::unique_ptr<ZSTD_DCtx, std::size_t (*)(ZSTD_DCtx*)> context(ZSTD_createDCtx(), ZSTD_freeDCtx);
  if (!context) throw std::bad_alloc();
  ZSTD_DCtx_setParameter(context.get(), ZSTD_d_windowLogMax, kMaxZstdWindow);
  std::vector<char> buffer(kStep);
  std::string out;
  ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
  std::size_t hint = 1;
  bool flushed = true;
  while (in.pos < in.size || !flushed) {
    ZSTD_outBuffer piece{buffer.data(), buffer.size(), 0};
    hint = ZSTD_decompressStream(context.get(), &piece, &in);
    if (ZSTD_isError(hint) != 0) {
      return fail(fmt::format("a corrupt zstd stream: {}", ZSTD_getErrorName(hint)), {file},
                  "copy or save the file again");
    }
    out.append(buffer.data(), piece.pos);
    if (out.size() > limit) return unpacks_beyond(limit, file);
    flushed = hint == 0 || piece.pos < piece.size;
  }
  if (hint != 0) return cut("zstd", file);
  return out;
}

}  // namespace previct
