#include "input/bytes.h"

#include "base/ascii.h"
#include "base/clamped.h"
#include "base/descriptor.h"
#include "base/file_status.h"
#include "base/text.h"
#include "input/collection.h"
#include "input/decompress.h"
#include "input/memory_guard.h"
#include "input/series.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <string_view>
#include <system_error>
#include <utility>

namespace previct {
namespace {

auto beyond(std::size_t limit, FileId file) {
  return fail(fmt::format("more than the limit of {} bytes", limit), {file}, std::string(kRaiseLimit));
}

auto system_message(int error) -> std::string {
  std::string text = std::generic_category().message(error);
  if (!text.empty()) text[0] = lower(text[0]);
  return text;
}

auto read_all(const Descriptor& descriptor, std::size_t expected, std::size_t limit, FileId file)
    -> Result<std::string> {
  constexpr std::size_t kStep = std::size_t{1} << 16U;
  std::string text;
  text.resize(expected + 1);  // one extra byte, so that the end is detected without growing
  std::size_t size = 0;
  for (;;) {
    if (size == text.size()) text.resize(text.size() + std::max(kStep, text.size() / 2));
    const std::ptrdiff_t count = descriptor.read({text.data() + size, text.size() - size});
    if (count < 0) return fail(fmt::format("cannot read: {}", system_message(errno)), {file});
    if (count == 0) break;
    size += static_cast<std::size_t>(count);
    if (size > limit) return beyond(limit, file);
    // A stream that begins like this (such as /dev/zero) would be read up to the limit only to be refused.
    if (size >= 4 && text.compare(0, 4, "\0\0\0\0", 4) == 0) {
      return fail("binary data (NUL bytes), not YAML or JSON", {file, 1, 1});
    }
  }
  text.resize(size);
  return text;
}

struct RawInput {
  std::string bytes;
  bool regular = false;
};

auto read_path(const std::string& path, FileId file, std::uint64_t max_bytes) -> Result<RawInput> {
  const auto limit = clamped(max_bytes == 0 ? kLargestInput : max_bytes);
  const Descriptor descriptor = open_to_read(path);
  if (!descriptor) return fail(system_message(errno), {file});
  const auto status = status_of(descriptor.number());
  if (!status) return fail(system_message(errno), {file});
  if (status->is_folder()) return fail("is a directory", {file});
  const bool regular = status->is_file() && path != "-";
  const std::uint64_t size = regular ? status->size : 0;
  if (size > limit) return beyond(limit, file);
  PREVICT_TRY(std::string bytes, read_all(descriptor, static_cast<std::size_t>(size), limit, file));
  return RawInput{std::move(bytes), regular};
}

// --- Containers.

constexpr int kMostLayers = 4;

/// A compression format: how to recognize and unpack it.
struct Compression {
  std::string_view name;
  auto(*is)(std::string_view bytes) -> bool;
  auto(*unpack)(std::string_view bytes, std::size_t limit, FileId file) -> Result<std::string>;
};

constexpr std::array<Compression, 4> kCompressions = {{{"gzip", is_gzip, gunzip},
                                                       {"zstd", is_zstd, unzstd},
                                                       {"xz", is_xz, unpack_stream},
                                                       {"bzip2", is_bzip2, unpack_stream}}};

auto compression_of(std::string_view bytes) -> const Compression* {
  const auto* const found =
      std::find_if(kCompressions.begin(), kCompressions.end(), [&](const Compression& c) { return c.is(bytes); });
  return found == kCompressions.end() ? nullptr : found;
}

void name_container(std::string& containers, std::string_view outermost) {
  containers = containers.empty() ? std::string(outermost) : fmt::format("{}, {}", outermost, containers);
}

/// Removes all layers of compression and puts their names in front of those in `containers`.
auto unpacked(std::string bytes, std::size_t limit, FileId file, std::string& containers) -> Result<std::string> {
  int layer = 0;
  while (const Compression* const compression = compression_of(bytes)) {
    if (layer++ == kMostLayers) {
      return fail(fmt::format("compressed more than the limit of {} times over", kMostLayers), {file});
    }
    PREVICT_TRY(bytes, compression->unpack(bytes, limit, file));
    name_container(containers, compression->name);
  }
  return bytes;
}

auto refused_format(std::string_view bytes, FileId file) -> Result<void> {
  if (bytes.substr(0, 6) == "7z\xbc\xaf\x27\x1c") {
    return fail("a 7z archive, which is not read", {file}, "extract it first and name the directory with -R");
  }
  if (bytes.substr(0, 4) == std::string_view("\xff\xfe\0\0", 4) ||
      bytes.substr(0, 4) == std::string_view("\0\0\xfe\xff", 4)) {
    return fail("text in UTF-32, which is not supported", {file}, "save it as UTF-8");
  }
  return {};
}

auto utf8_of_utf16(std::string_view bytes, bool big_endian, FileId file) -> Result<std::string> {
  if (bytes.size() % 2 != 0) return fail("UTF-16 text that is cut short in the middle of a character", {file});
  std::string out;
  out.reserve(bytes.size() / 2);
  char32_t high = 0;
  for (std::size_t i = 2; i < bytes.size(); i += 2) {
    const auto first = static_cast<unsigned char>(bytes[i]);
    const auto second = static_cast<unsigned char>(bytes[i + 1]);
    const auto unit = static_cast<char32_t>(big_endian ? first << 8U | second : second << 8U | first);
    const bool is_low = unit >= 0xdc00 && unit < 0xe000;
    if (is_low != (high != 0)) return fail("UTF-16 text with half a surrogate pair", {file});
    if (unit >= 0xd800 && unit < 0xdc00) {
      high = unit;
      continue;
    }
    append_utf8(out, is_low ? 0x10000 + ((high - 0xd800) << 10U) + (unit - 0xdc00) : unit);
    high = 0;
  }
  if (high != 0) return fail("UTF-16 text that is cut short in the middle of a character", {file});
  return out;
}

auto decoded(std::string bytes, FileId file) -> Result<std::string> {
  PREVICT_CHECK(refused_format(bytes, file));
  const std::string_view start = std::string_view(bytes).substr(0, 3);
  if (start == kByteOrderMark) bytes.erase(0, start.size());
  if (start.substr(0, 2) == "\xff\xfe") return utf8_of_utf16(bytes, false, file);
  if (start.substr(0, 2) == "\xfe\xff") return utf8_of_utf16(bytes, true, file);
  return bytes;
}

}  // namespace

auto unpacked_limit(std::uint64_t packed, std::uint64_t max_bytes) -> std::uint64_t {
  constexpr std::uint64_t kMaxGrowth = 256;  // kubectl's indented JSON of a large cluster shrinks by a factor of 134
  return max_bytes == 0 ? kMaxGrowth * packed + (std::uint64_t{64} << 20U) : max_bytes;
}

auto Input::of(std::string bytes, FileId file, const InputLimits& limits) -> Result<Input> {
  Input input;
  input.file_ = file;
  input.bytes_read_ = bytes.size();
  MemoryGuard memory(limits.memory);
  memory.add_input_bytes(bytes.size());
  const bool said = limits.bytes != 0 && limits.memory == 0;
  const std::uint64_t limit = unpacked_limit(bytes.size(), limits.bytes);
  input.limit_ = clamped(said ? limit : std::min(limit, memory.limit()));
  PREVICT_TRY(std::string whole, unpacked(std::move(bytes), input.limit_, file, input.containers_));
  input.bytes_ = std::make_unique<std::string>(std::move(whole));
  if (previct::is_archive(*input.bytes_)) {
    name_container(input.containers_, is_zip(*input.bytes_) ? "zip" : "tar");
    input.archive_ = std::make_unique<Archive>(*input.bytes_, Limits{.bytes = input.limit_}, file);
  }
  return input;
}

auto Input::next() -> Result<std::optional<Member>> {
  if (archive_) return next_of_archive();
  if (!bytes_) return std::nullopt;
  const std::unique_ptr<std::string> bytes = std::move(bytes_);
  const bool marked = bytes->starts_with(kByteOrderMark);
  const bool wide = bytes->starts_with("\xff\xfe") || bytes->starts_with("\xfe\xff");
  PREVICT_TRY(std::string text, decoded(std::move(*bytes), file_));
  const bool converted = wide || !containers_.empty();
  return Member{.name = {},
                .text = std::move(text),
                .damage = {},
                .stored = converted ? Member::Stored::converted
                          : marked  ? Member::Stored::marked
                                    : Member::Stored::plain};
}

auto Input::next_of_archive() -> Result<std::optional<Member>> {
  for (;;) {
    PREVICT_TRY(std::optional<std::string> name, archive_->next());
    if (!name) return std::nullopt;
    std::string bytes;
    // A patch needs the files before it, and several states are the same cluster at different times.
    if (const auto state = series_file_of(*name); state && (!state->whole || ++states_ > 1)) {
      return fail("this archive contains the states of a series", {file_},
                  "unpack it, and pass the folder or one of its files");
    }
    PREVICT_CHECK(archive_->read(bytes, kHead));
    if (!has_dump_name(*name) && !begins_like_dump(bytes)) {
      ++ignored_;
      continue;
    }
    PREVICT_CHECK(archive_->read(bytes));
    auto text = text_of(std::move(bytes));
    if (!text) return Member{*std::move(name), {}, std::move(text.error())};
    return Member{*std::move(name), *std::move(text)};
  }
}

auto Input::text_of(std::string bytes) -> Result<std::string> {
  if (compression_of(bytes) != nullptr) {
    std::string within;
    PREVICT_TRY(bytes, unpacked(std::move(bytes), limit_, file_, within));
    limit_ -= bytes.size();
  }
  return decoded(std::move(bytes), file_);
}

auto open_input(const std::string& path, FileId file, const InputLimits& limits, bool digest) -> Result<Input> {
  PREVICT_TRY(RawInput raw, read_path(path, file, limits.bytes));
  std::string sha256 = digest ? sha256_of(raw.bytes) : std::string();
  if (raw.regular && names_patch(path)) {
    PREVICT_TRY(raw.bytes, text_of_patch(path, limits.bytes, file));
  }
  PREVICT_TRY(Input input, Input::of(std::move(raw.bytes), file, limits));
  input.sha256 = std::move(sha256);
  input.can_be_read_again = raw.regular;
  return input;
}

auto read_text_file(const std::string& path, FileId file, std::uint64_t max_bytes, FileDigest* arrived, bool* marked)
    -> Result<std::string> {
  PREVICT_TRY(Input input, open_input(path, file, {.bytes = max_bytes}, arrived != nullptr));
  if (arrived != nullptr) *arrived = {input.bytes_read(), input.sha256};
  if (input.is_archive()) return fail("expected one file, not an archive", {file});
  PREVICT_TRY(std::optional<Member> member, input.next());
  if (marked != nullptr) *marked = member->stored == Member::Stored::marked;
  return std::move(member)->text;
}

auto read_written_file(const std::string& path, FileId file, FileDigest* arrived, bool* marked) -> Result<std::string> {
  constexpr std::uint64_t kLargest = 64 << 20U;
  Result<std::string> text = read_text_file(path, file, kLargest, arrived, marked);
  if (!text && text.error().help == kRaiseLimit)
    text.error().help = "a file of settings, tests, configurations or assumptions, or a baseline, is smaller";
  return text;
}

auto read_packed_file(const std::string& path, FileId file, std::uint64_t max_bytes) -> Result<std::string> {
  PREVICT_TRY(RawInput raw, read_path(path, file, max_bytes));
  return std::move(raw.bytes);
}

auto head_of(const std::string& path) -> std::string {
  std::string head(kHead, '\0');
  const Descriptor descriptor = open_to_inspect(path);
  const std::ptrdiff_t count = descriptor ? descriptor.read(head) : 0;
  head.resize(static_cast<std::size_t>(std::max<std::ptrdiff_t>(count, 0)));
  return head;
}

}  // namespace previct
