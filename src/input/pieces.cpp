#include "input/pieces.h"

#include "input/window.h"

#include <algorithm>
#include <cerrno>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace previct {
namespace {

class OpenFile {
 public:
  explicit OpenFile(int descriptor) : descriptor_(descriptor) {}
  OpenFile(const OpenFile&) = delete;
  auto operator=(const OpenFile&) -> OpenFile& = delete;
  ~OpenFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  [[nodiscard]] auto descriptor() const -> int { return descriptor_; }

 private:
  int descriptor_;
};

class FilePiece final : public ByteSource {
 public:
  FilePiece(std::shared_ptr<const OpenFile> file, std::uint64_t begin, std::uint64_t end)
      : file_(std::move(file)), at_(begin), end_(end) {}

  auto read(std::span<char> into) -> Result<std::size_t> override {
    const std::size_t wanted = static_cast<std::size_t>(std::min<std::uint64_t>(into.size(), end_ - at_));
    for (;;) {
      const ssize_t count = ::pread(file_->descriptor(), into.data(), wanted, static_cast<off_t>(at_));
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) return fail({});
      at_ += static_cast<std::uint64_t>(count);
      return static_cast<std::size_t>(count);
    }
  }

 private:
  std::shared_ptr<const OpenFile> file_;
  std::uint64_t at_;
  std::uint64_t end_;
};

}  // namespace

auto pieces_of(std::string_view text) -> PiecewiseText {
  return {text.size(), [text](std::uint64_t begin, std::uint64_t end) {
            return memory_source(text.substr(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin)));
          }};
}

auto pieces_of_file(const std::string& path) -> std::optional<PiecewiseText> {
  const auto file = std::make_shared<const OpenFile>(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK));
  struct stat status {};
  if (file->descriptor() < 0 || ::fstat(file->descriptor(), &status) != 0 || !S_ISREG(status.st_mode)) return {};
  return PiecewiseText{static_cast<std::uint64_t>(status.st_size),
                       [file](std::uint64_t begin, std::uint64_t end) { return std::make_unique<FilePiece>(file, begin, end); }};
}

auto find_in(const PiecewiseText& text, std::string_view mark, std::uint64_t from, std::uint64_t end)
    -> std::optional<std::uint64_t> {
  constexpr std::size_t kWindow = std::size_t{16} << 10U;
  end = std::min(end, text.size);
  if (from >= end) return {};
  // What begins before the end may end behind it.
  const auto source = text.open(from, std::min<std::uint64_t>(text.size, end + mark.size() - 1));
  Window window(*source, kWindow);
  while (!window.whole() && window.more()) {
    const std::size_t found = window.text().find(mark);
    if (found != std::string_view::npos) return from + found;
    const std::size_t passed = window.text().size() - std::min(window.text().size(), mark.size() - 1);
    window.advance(window.begin() + passed);
    from += passed;
  }
  return {};
}

}  // namespace previct
