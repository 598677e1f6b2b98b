#include "cli/flag_echo.h"

#include <catch2/catch.hpp>

#include <array>

namespace previct::cli {

TEST_CASE("quoted: a shell reads the word as it was", "[cli]") {
  CHECK(quoted("ml/train-0") == "ml/train-0");
  CHECK(quoted("aZ09_./:=,+@%-") == "aZ09_./:=,+@%-");
  CHECK(quoted("") == "''");
  CHECK(quoted("a b") == "'a b'");
  CHECK(quoted("$HOME") == "'$HOME'");
  CHECK(quoted("train-*") == "'train-*'");
  CHECK(quoted("it's") == "'it'\\''s'");
  CHECK(quoted("a\\b") == "'a\\b'");
  CHECK(quoted("a\nb") == "$'a\\nb'");
  CHECK(quoted("it's\n\\") == "$'it\\'s\\n\\\\'");
  CHECK(quoted("\x1b[0m") == "$'\\x1b[0m'");
  CHECK(quoted("\xc3\xa4~") == "$'\\xc3\\xa4~'");
}

TEST_CASE("written_again: names the flags that do not have their default", "[cli]") {
  Options options;
  constexpr std::array kInput = {Group::state};
  CHECK(written_again(options, kInput).empty());
  options.filenames = {"a.yaml", "b c.yaml"};
  CHECK(written_again(options, kInput) == " -f a.yaml -f 'b c.yaml'");
  CHECK(written_again(options, kInput, "filename").empty());
  CHECK(written_again(options, {}).empty());
}

}  // namespace previct::cli
