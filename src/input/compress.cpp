#include "input/compress.h"

#include <algorithm>
#include <bit>
#include <climits>
#include <memory>
#include <new>
#include <vector>

#include <zlib.h>
#include <zstd.h>

namespace previct {
namespace {

using Context = std::unique_ptr<ZSTD_CCtx, std::size_t (*)(ZSTD_CCtx*)>;

auto new_context() -> Context {
  Context context(ZSTD_createCCtx(), ZSTD_freeCCtx);
  if (!context) throw std::bad_alloc();
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);
  return context;
}

auto compressed(const Context& context, std::string_view bytes) -> std::string {
  std::string out(ZSTD_compressBound(bytes.size()), '\0');
  const std::size_t size = ZSTD_compress2(context.get(), out.data(), out.size(), bytes.data(), bytes.size());
  if (ZSTD_isError(size) != 0)
    throw std::bad_alloc();  // the output buffer is large enough, so only memory can be
                             // missing
  out.resize(size);
  return out;
}

// log2 of a window that reaches from the end of `bytes` to the start of `before`, within what zstd allows.
auto window_over(std::size_t size) -> int {
  const ZSTD_bounds bounds = ZSTD_cParam_getBounds(ZSTD_c_windowLog);
  return std::clamp(static_cast<int>(std::bit_width(size)), bounds.lowerBound, bounds.upperBound);
}

}  // namespace

auto zstd(std::string_view bytes) -> std::string {
  return compressed(new_context(), bytes);
}

auto zstd_patch(std::string_view bytes, std::string_view before) -> std::string {
  const Context context = new_context();
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_windowLog, window_over(bytes.size() + before.size()));
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_enableLongDistanceMatching, 1);
  ZSTD_CCtx_refPrefix(context.get(), before.data(), before.size());
  return compressed(context, bytes);
}

auto gzip(std::string_view bytes) -> std::string {
  constexpr int kGzip = 16 + MAX_WBITS;
  constexpr int kMemory = 8;
  constexpr std::size_t kStep = std::size_t{256} << 10U;
  z_stream stream{};
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzip, kMemory, Z_DEFAULT_STRATEGY) != Z_OK) {
    throw std::bad_alloc();
  }
  const std::unique_ptr<z_stream, int (*)(z_stream*)> guard(&stream, deflateEnd);
  std::vector<unsigned char> buffer(kStep);
  std::string out;
  stream.next_in = const_cast<unsigned char*>(reinterpret_cast<const unsigned char*>(bytes.data()));
  std::size_t left = bytes.size();
  for (int status = Z_OK; status != Z_STREAM_END;) {
    const auto offered = static_cast<uInt>(std::min<std::size_t>(left, UINT_MAX));
    stream.avail_in = offered;
    stream.next_out = buffer.data();
    stream.avail_out = static_cast<uInt>(buffer.size());
    status = deflate(&stream, offered == left ? Z_FINISH : Z_NO_FLUSH);
    left -= offered - stream.avail_in;
    out.append(reinterpret_cast<const char*>(buffer.data()), buffer.size() - stream.avail_out);
  }
  return out;
}

}  // namespace previct
