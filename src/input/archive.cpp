#include "input/archive.h"

#include "input/decompress.h"
#include "input/stream.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <new>

#include <archive.h>
#include <archive_entry.h>

namespace previct {
namespace {

constexpr std::size_t kBlock = 512;  // block size of a tar archive
constexpr std::string_view kSaveAgain = "copy or save the file again";

auto is_tar(std::string_view bytes) -> bool {
  constexpr std::size_t kSum = 148;
  constexpr std::size_t kSumSize = 8;
  if (bytes.size() < kBlock || bytes.front() == '\0') return false;
  std::size_t sum = 0;
  for (std::size_t i = 0; i < kBlock; ++i) {
    const bool within = i >= kSum && i < kSum + kSumSize;
    sum += within ? std::size_t{' '} : static_cast<unsigned char>(bytes[i]);
  }
  std::size_t written = 0;
  for (const char c : bytes.substr(kSum, kSumSize)) {
    if (c >= '0' && c <= '7') written = written * 8 + static_cast<std::size_t>(c - '0');
  }
  return sum == written;
}

// Only these formats are linked in, so that no input can reach the other formats of libarchive.
auto reader_of(std::string_view bytes) -> archive* {
  archive* const reader = archive_read_new();
  if (reader == nullptr) throw std::bad_alloc();
  if (is_zip(bytes)) {
    archive_read_support_format_zip_seekable(reader);  // reads the directory of the zip file, so that a truncated file
                                                       // is refused
  } else if (is_archive(bytes)) {
    archive_read_support_format_tar(reader);
  } else {
    archive_read_support_format_raw(reader);
    archive_read_support_format_empty(reader);
    for (const Stream* stream : streams()) stream->support(reader);
  }
  archive_read_open_memory(reader, bytes.data(), bytes.size());
  return reader;
}

}  // namespace

auto is_xz(std::string_view bytes) -> bool {
  return bytes.substr(0, 6) == std::string_view(
                                   "\xfd"
                                   "7zXZ\0",
                                   6);
}

auto is_bzip2(std::string_view bytes) -> bool {
  return bytes.size() >= 4 && bytes.substr(0, 3) == "BZh" && bytes[3] >= '1' && bytes[3] <= '9';
}

auto is_zip(std::string_view bytes) -> bool {
  const std::string_view magic = bytes.substr(0, 4);
  return magic == "PK\x03\x04" || magic == "PK\x05\x06";  // the latter: a zip file without members
}

auto is_archive(std::string_view bytes) -> bool {
  return is_zip(bytes) || is_tar(bytes);
}

auto unpack_stream(std::string_view bytes, std::size_t limit, FileId file) -> Result<std::string> {
  const std::string_view what = is_xz(bytes) ? "xz" : "bzip2";
  if (std::none_of(streams().begin(), streams().end(), [&](const Stream* stream) { return stream->name == what; })) {
    return fail(fmt::format("this build of previct does not read {}", what), {file},
                fmt::format("decompress it, for example with {} -d", what));
  }
  Archive stream(bytes, {.bytes = limit, .members = 1}, file);
  std::string text;
  const auto damaged = [&](const Failure& why) {
    return why.help == kSaveAgain
               ? fail(fmt::format("a cut or corrupt {} stream: {}", what, why.message), {file}, why.help)
               : tl::unexpected(why);
  };
  const auto entry = stream.next();
  if (!entry) return damaged(entry.error());
  if (!*entry) return text;
  if (const auto read = stream.read(text); !read) return damaged(read.error());
  return text;
}

void Archive::Close::operator()(archive* a) const {
  archive_read_free(a);
}

Archive::Archive(std::string_view bytes, Limits limits, FileId file)
    : bytes_(bytes), limits_(limits), file_(file), archive_(reader_of(bytes)), zip_(is_zip(bytes)) {}

auto Archive::damaged() const -> tl::unexpected<Failure> {
  const char* const why = archive_error_string(archive_.get());
  return fail(why == nullptr ? "damaged" : why, {file_}, std::string(kSaveAgain));
}

auto Archive::end() const -> Result<std::optional<std::string>> {
  if (zip_ || !is_archive(bytes_)) return std::nullopt;
  // A tar archive ends with blocks of zeros. libarchive does not require them, but nothing else reveals a cut between
  // two members: the last block of a member is never all padding.
  const std::string_view last = bytes_.substr(bytes_.size() - kBlock);
  if (last.find_first_not_of('\0') == std::string_view::npos) return std::nullopt;
  return fail("truncated tar archive: it ends without its end mark", {file_}, std::string(kSaveAgain));
}

auto Archive::next() -> Result<std::optional<std::string>> {
  for (;;) {
    archive_entry* entry = nullptr;
    const int status = archive_read_next_header(archive_.get(), &entry);
    if (status == ARCHIVE_EOF) return end();
    if (status < ARCHIVE_WARN) return damaged();
    if (++members_ > limits_.members) {
      return fail(fmt::format("more than the limit of {} files in an archive", limits_.members), {file_},
                  "extract it and name only the files that you need");
    }
    const bool link = archive_entry_hardlink(entry) != nullptr || archive_entry_symlink(entry) != nullptr;
    if (archive_entry_filetype(entry) != AE_IFREG || link) continue;
    const char* name = archive_entry_pathname_utf8(entry);
    if (name == nullptr) name = archive_entry_pathname(entry);
    return name == nullptr ? std::string("?") : std::string(name);
  }
}

auto Archive::read(std::string& text, std::size_t size) -> Result<void> {
  std::array<char, std::size_t{1} << 16U> buffer;
  while (text.size() < size) {
    const std::size_t wanted = std::min(buffer.size(), size - text.size());
    const la_ssize_t count = archive_read_data(archive_.get(), buffer.data(), wanted);
    if (count < 0) return damaged();
    if (count == 0) return {};
    unpacked_ += static_cast<std::size_t>(count);
    if (unpacked_ > limits_.bytes) return unpacks_beyond(limits_.bytes, file_);
    text.append(buffer.data(), static_cast<std::size_t>(count));
  }
  return {};
}

}  // namespace previct
