#include "cli/excerpt.h"

#include "support/scratch.h"

#include <catch2/catch.hpp>

using namespace previct;
using namespace previct::cli;

namespace {

// Returns the line as it is shown, with the marked part in brackets.
auto shown(std::string_view line, std::uint32_t column) -> std::string {
  const Excerpt excerpt = excerpt_of(line, {FileId{0}, 7, column});
  if (excerpt.empty()) return "nothing";
  std::string text = excerpt.text;
  text.insert(excerpt.from + excerpt.length, "]");
  text.insert(excerpt.from, "[");
  return text;
}

}  // namespace

TEST_CASE("excerpt: of a line with an error, shows the key and at most one character of a value", "[cli]") {
  CHECK(shown("    value: hunter2", 12) == "    value: [h]");
  CHECK(shown("  - value: \"hunter2", 12) == "  - value: [\"]");
  CHECK(shown("    value: hunter2", 5) == "    [v]alue: ");
  CHECK(shown("    value: hunter2", 1) == "[ ]   value: ");
  CHECK(shown("  {\"password\": \"hunter2\", \"x\": }", 32) == "[}]");
  CHECK(shown("    value: hunter2: x", 19) == "[:]");
  CHECK(shown("hunter2 and more", 9) == "[a]");
  CHECK(shown("\xc3\xa4: 1", 1) == "[\xc3\xa4]");
}

TEST_CASE("excerpt: a position beyond the line shows nothing", "[cli]") {
  CHECK(shown("a: b", 5) == "nothing");
  CHECK(shown("", 1) == "nothing");
  CHECK(excerpt_of("a: b", {FileId{0}, 7, 0}).empty());
}

TEST_CASE("excerpt: only plain files are read again", "[cli]") {
  const test::Scratch scratch;
  Files files;
  const FileId plain = files.add(scratch.file("a.yaml", "a: b\r\nc: d\n"));
  CHECK(excerpt_at({plain, 2, 1}, files).text == "c: ");
  CHECK(excerpt_at({plain, 1, 4}, files).text == "a: b");
  CHECK(excerpt_at({plain, 3, 1}, files).empty());
  const FileId packed = files.add(scratch.file("a.yaml.gz", "\x1f\x8b\x08\xff\xff"));
  CHECK(excerpt_at({packed, 1, 2}, files).empty());
  CHECK(excerpt_at({files.add("<stdin>"), 1, 1}, files).empty());
  CHECK(excerpt_at({files.add(scratch.path()), 1, 1}, files).empty());
}
