#include "input/archive.h"

#include "support/input.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <string>

using namespace previct;

namespace {

/// Returns a ustar header block, and the contents padded to whole blocks.
auto tar_entry(const std::string& name, const std::string& text, char type = '0', const std::string& link = "")
    -> std::string {
  std::string block(512, '\0');
  block.replace(0, name.size(), name);
  block.replace(100, 7, "0000644");
  block.replace(124, 11, fmt::format("{:011o}", text.size()));
  block.replace(136, 11, "00000000000");
  block.replace(148, 8, "        ");
  block[156] = type;
  block.replace(157, link.size(), link);
  block.replace(257, 8,
                std::string("ustar\0"
                            "00",
                            8));
  unsigned sum = 0;
  for (const char c : block) sum += static_cast<unsigned char>(c);
  block.replace(148, 7, fmt::format("{:06o}", sum) + '\0');
  return block + text + std::string((512 - text.size() % 512) % 512, '\0');
}

const std::string kEnd(1024, '\0');

/// Returns `name=text …`, or the failure's message.
auto files_in(std::string_view bytes, Limits limits = {.bytes = 1000}) -> std::string {
  Archive archive(bytes, limits, FileId{0});
  std::string line;
  for (;;) {
    const auto name = archive.next();
    if (!name) return "failure: " + name.error().message;
    if (!*name) return line;
    std::string text;
    if (const auto read = archive.read(text); !read) return "failure: " + read.error().message;
    line += fmt::format("{}{}={}", line.empty() ? "" : " ", **name, text);
  }
}

}  // namespace

TEST_CASE("archive: recognised by its first header, not by a name or magic") {
  std::string old = tar_entry("a", "1");
  CHECK(is_archive(old + kEnd));
  // V7 tar has no magic: only the checksum of the header identifies it, here without the 559 of `ustar` and the two
  // `0`.
  old.replace(257, 8, std::string(8, '\0'));
  unsigned sum = 0;
  for (std::size_t i = 0; i < 512; ++i) sum += i >= 148 && i < 156 ? 32U : static_cast<unsigned char>(old[i]);
  old.replace(148, 7, fmt::format("{:06o}", sum) + '\0');
  CHECK(is_archive(old + kEnd));
  CHECK(files_in(old + kEnd) == "a=1");
  old[0] = 'b';
  CHECK_FALSE(is_archive(old + kEnd));
  CHECK_FALSE(is_archive(std::string(512, '\0')));
  CHECK_FALSE(is_archive(std::string(512, 'a')));
}

TEST_CASE("archive: names of members are only names; links are skipped") {
  CHECK(files_in(tar_entry("../../etc/cron.d/x", "1") + tar_entry("/abs", "2") + kEnd) ==
        "../../etc/cron.d/x=1 /abs=2");
  CHECK(files_in(tar_entry("a", "", '2', "/etc/passwd") + tar_entry("b", "", '1', "a") + tar_entry("d/", "", '5') +
                 tar_entry("fifo", "", '6') + tar_entry("c", "3") + kEnd) == "c=3");
}

TEST_CASE("archive: a tar that was cut between two files is not accepted as complete") {
  const std::string one = tar_entry("a", "1");
  CHECK(files_in(one + std::string(512, '\0')) == "a=1");
  CHECK(files_in(one) == "failure: truncated tar archive: it ends without its end mark");
  CHECK(files_in(one + tar_entry("b", std::string(512, 'x'))) ==
        "failure: truncated tar archive: it ends without its end mark");
  CHECK(files_in(one + tar_entry("b", std::string(600, 'x')).substr(0, 1000)).starts_with("failure: "));
}

TEST_CASE("archive: limits are exact to the byte and to the file") {
  const std::string two = tar_entry("a", "12345") + tar_entry("b", "67890") + kEnd;
  CHECK(files_in(two, {.bytes = 10}) == "a=12345 b=67890");
  CHECK(files_in(two, {.bytes = 9}) == "failure: decompresses to more than the limit of 9 bytes");
  CHECK(files_in(two, {.bytes = 10, .members = 2}) == "a=12345 b=67890");
  CHECK(files_in(two, {.bytes = 10, .members = 1}) == "failure: more than the limit of 1 files in an archive");
}

TEST_CASE("archive: damage is detected") {
  std::string zip = test::fixture("input/containers/small.zip");
  REQUIRE(files_in(zip, {.bytes = 10'000}).starts_with("small.yaml=apiVersion: v1\n"));
  zip[100] = static_cast<char>(zip[100] ^ 1);
  CHECK(files_in(zip, {.bytes = 10'000}).starts_with("failure: "));
  std::string encrypted = test::fixture("input/containers/small.zip");
  encrypted[6] = 1;  // the flag in the local header, and the one in the directory
  encrypted[encrypted.find("PK\x01\x02") + 8] = 1;
  CHECK(files_in(encrypted, {.bytes = 10'000}).starts_with("failure: "));
}
