#include "input/byte_source.h"

#include "input/bytes.h"
#include "input/decompress.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

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
  if (is_zstd(start)) return unzstd(std::move(bytes), limit, file);
  if (is_gzip(start)) return gunzip(std::move(bytes), limit, file);
  return bytes;
}

}  // namespace previct
