#include "input/bytes.h"

#include "support/input.h"
#include "support/packed.h"
#include "support/scratch.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <filesystem>
#include <string>
#include <vector>

using namespace previct;
using test::gzipped;
using test::zstandard;

namespace {

/// Returns the text of the only member, or the failure's message.
auto text_in(std::string bytes, std::uint64_t max_bytes = 0) -> std::string {
  auto input = Input::of(std::move(bytes), FileId{0}, {.bytes = max_bytes});
  if (!input) return "failure: " + input.error().message;
  auto member = input->next();
  if (!member) return "failure: " + member.error().message;
  REQUIRE(*member);
  return (*member)->text;
}

auto starts_with(const std::string& text, std::string_view prefix) -> bool {
  return text.compare(0, prefix.size(), prefix) == 0;
}

}  // namespace

TEST_CASE("compressed input: recognised by content and read completely") {
  const std::string text = test::fixture("input/small.yaml");
  CHECK(text_in(text) == text);
  CHECK(text_in(gzipped(text)) == text);
  CHECK(text_in(zstandard(text)) == text);
  CHECK(text_in(gzipped("a: ") + gzipped("1\n")) == "a: 1\n");
  CHECK(text_in(gzipped("a: 1\n") + std::string(512, '\0')) == "a: 1\n");
  CHECK(text_in(zstandard("a: ") + zstandard("1\n")) == "a: 1\n");
  CHECK(text_in(gzipped("")).empty());
}

TEST_CASE("compressed input: no prefix of a dump is accepted as complete") {
  const std::string text = test::fixture("input/small.yaml");
  for (const char* name :
       {"small.yaml.gz", "small.yaml.zst", "small.yaml.xz", "small.yaml.bz2", "small.tar", "small.zip"}) {
    const std::string bytes = test::fixture(fmt::format("input/containers/{}", name));
    INFO(name);
    CHECK(text_in(bytes) == text);
    for (std::size_t size = 1; size < bytes.size(); ++size) {
      const std::string cut = text_in(bytes.substr(0, size));
      if (starts_with(cut, "failure: ")) continue;
      INFO(size);
      Objects objects;
      // What remains is refused as a text, or is complete: half of a tar's end mark may be missing.
      const auto read = test::read_text(cut, objects);
      CHECK((!read || cut == text));
    }
  }
  const auto half = [](const char* name) {
    const std::string bytes = test::fixture(fmt::format("input/containers/{}", name));
    return text_in(bytes.substr(0, bytes.size() / 2));
  };
  CHECK(starts_with(half("small.yaml.gz"), "failure: truncated gzip stream"));
  CHECK(starts_with(half("small.yaml.zst"), "failure: truncated zstd stream"));
  CHECK(starts_with(half("small.yaml.xz"), "failure: a cut or corrupt xz stream"));
  CHECK(starts_with(half("small.yaml.bz2"), "failure: a cut or corrupt bzip2 stream"));
}

TEST_CASE("compressed input: damage is detected") {
  const std::string text = test::fixture("input/small.yaml");
  std::string wrong_crc = gzipped(text);
  wrong_crc[wrong_crc.size() - 6] ^= 1;
  CHECK(text_in(wrong_crc) == "failure: a corrupt gzip stream: incorrect data check");
  std::string wrong_size = gzipped(text);
  wrong_size[wrong_size.size() - 1] ^= 1;
  CHECK(text_in(wrong_size) == "failure: a corrupt gzip stream: incorrect length check");
  CHECK(text_in(gzipped(text) + "more") == "failure: bytes after the end of the gzip stream");
  CHECK(starts_with(text_in(zstandard(text) + "more"), "failure: a corrupt zstd stream"));
}

TEST_CASE("compressed input: decompression stops at its limit") {
  const std::string zeros(1U << 20U, '0');
  CHECK(text_in(gzipped(zeros), zeros.size()) == zeros);
  CHECK(text_in(gzipped(zeros), zeros.size() - 1) == "failure: decompresses to more than the limit of 1048575 bytes");
  CHECK(text_in(zstandard(zeros), zeros.size()) == zeros);
  CHECK(text_in(zstandard(zeros), zeros.size() - 1) == "failure: decompresses to more than the limit of 1048575 bytes");
}

TEST_CASE("input: byte order marks are understood") {
  CHECK(text_in("\xef\xbb\xbf"
                "a: 1") == "a: 1");
  CHECK(text_in(std::string("\xff\xfe"
                            "a\0\xe9\0\x3c\xd8\x89\xdf",
                            10)) == "a\xc3\xa9\xf0\x9f\x8e\x89");
  CHECK(text_in(std::string("\xfe\xff\0a\0\xe9\xd8\x3c\xdf\x89", 10)) == "a\xc3\xa9\xf0\x9f\x8e\x89");
  CHECK(text_in(std::string("\xff\xfe"
                            "a\0b",
                            5)) == "failure: UTF-16 text that is cut short in the middle of a character");
  CHECK(text_in(std::string("\xff\xfe\x3c\xd8", 4)) ==
        "failure: UTF-16 text that is cut short in the middle of a character");
  CHECK(text_in(std::string("\xff\xfe\x89\xdf", 4)) == "failure: UTF-16 text with half a surrogate pair");
  CHECK(text_in(std::string("\xff\xfe\0\0a\0\0\0", 8)) == "failure: text in UTF-32, which is not supported");
}

TEST_CASE("input: unsupported containers are named in the error") {
  CHECK(text_in("7z\xbc\xaf\x27\x1c rest") == "failure: a 7z archive, which is not read");
}

TEST_CASE("input: errors of the operating system are reported") {
  const auto message = [](const std::string& path) {
    const auto input = open_input(path, FileId{0}, {});
    return input ? std::string() : input.error().message;
  };
  CHECK(message("/nowhere/at/all.yaml") == "no such file or directory");
  CHECK(message("/") == "is a directory");
  CHECK(message("/dev/zero") == "binary data (NUL bytes), not YAML or JSON");
}

TEST_CASE("input: a text file's digest is that of its bytes as read, compressed or not") {
  const test::Scratch scratch;
  const std::string packed = gzipped("a: 1\n");
  FileDigest arrived;
  const auto text = read_text_file(scratch.file("a.yaml.gz", packed), FileId{0}, 0, &arrived);
  REQUIRE(text);
  CHECK(*text == "a: 1\n");
  CHECK(arrived.bytes == packed.size());
  CHECK(arrived.sha256 == sha256_of(packed));
}

TEST_CASE("input: a file that people write is refused if it is huge") {
  const test::Scratch scratch;
  const std::string path = scratch.file("settings.yaml", "a: 1\n");
  CHECK(read_written_file(path, FileId{0}).value_or("") == "a: 1\n");
  std::filesystem::resize_file(path, (64U << 20U) + 1);
  const auto text = read_written_file(path, FileId{0});
  REQUIRE_FALSE(text);
  CHECK(text.error().message == "more than the limit of 67108864 bytes");
  CHECK(text.error().help == "a file of settings, tests, configurations or assumptions, or a baseline, is smaller");
  CHECK(read_text_file(path, FileId{0}, 1 << 20U).error().help == "raise the limit with --max-input");
}
