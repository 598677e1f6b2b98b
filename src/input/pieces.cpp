#include "input/pieces.h"

#include "base/descriptor.h"
#include "base/file_status.h"
#include "input/window.h"

#include <algorithm>

namespace previct {
namespace {

class FilePiece final : public ByteSource {
 public:
  FilePiece(std::shared_ptr<const Descriptor> file, std::uint64_t begin, std::uint64_t end)
      : file_(std::move(file)), at_(begin), end_(end) {}

  auto read(std::span<char> into) -> Result<std::size_t> override {
    const std::size_t wanted = static_cast<std::size_t>(std::min<std::uint64_t>(into.size(), end_ - at_));
    const std::ptrdiff_t count = file_->read(into.first(wanted), at_);
    if (count < 0) return fail({});
    at_ += static_cast<std::uint64_t>(count);
    return static_cast<std::size_t>(count);
  }
  [[nodiscard]] auto left() const -> std::uint64_t override { return end_ - at_; }

 private:
  std::shared_ptr<const Descriptor> file_;
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
  const auto file = std::make_shared<const Descriptor>(open_regular(path));
  const auto status = *file ? status_of(file->number()) : std::nullopt;
  if (!status) return {};
  return PiecewiseText{status->size, [file](std::uint64_t begin, std::uint64_t end) {
                         return std::make_unique<FilePiece>(file, begin, end);
                       }};
}

auto find_in(const PiecewiseText& text, std::string_view mark, std::uint64_t from, std::uint64_t end)
    -> std::optional<std::uint64_t> {
  constexpr std::size_t kWindow = std::size_t{16} << 10U;
  end = std::min(end, text.size);
  if (from >= end) return {};
  // A mark that begins before `end` may extend beyond it.
  const auto source = text.open(from, std::min<std::uint64_t>(text.size, end + mark.size() - 1));
  Window window(*source, kWindow);
  while (window.more()) {
    const std::size_t found = window.text().find(mark);
    if (found != std::string_view::npos) return from + found;
    const std::size_t passed = window.text().size() - std::min(window.text().size(), mark.size() - 1);
    window.advance(window.begin() + passed);
    from += passed;
  }
  return {};
}

}  // namespace previct
