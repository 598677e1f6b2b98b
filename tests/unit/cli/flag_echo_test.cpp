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

TEST_CASE("without_secrets: neither tokens nor the users of URLs are shown", "[cli]") {
  using Words = std::vector<std::string>;
  CHECK(without_secrets({"explain", "--token", "s3", "p"}) == Words{"explain", "--token", "TOKEN", "p"});
  CHECK(without_secrets({"--token=s3", "p"}) == Words{"--token=TOKEN", "p"});
  CHECK(without_secrets({"--token"}) == Words{"--token"});
  CHECK(without_secrets({"-s", "https://u:p@w@h:1/a@b"}) == Words{"-s", "https://h:1/a@b"});
  CHECK(without_secrets({"--server=https://u@h"}) == Words{"--server=https://h"});
  CHECK(without_secrets({"a@b", "https://h/a@b"}) == Words{"a@b", "https://h/a@b"});
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
