#include "base/base64.h"
#include "cli/exit_codes.h"
#include "cli/kept_inputs.h"
#include "cli/run.h"
#include "support/scratch.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

using namespace previct;

namespace {

constexpr const char* kManualDump = PREVICT_SOURCE_DIR "/fixtures/manual/dump.yaml";
constexpr const char* kEmptyPage = "<p>before</p><script type=\"application/json\" id=\"data\"></script><p>after</p>";

auto fixed_clock() -> Instant {
  return Instant{1'700'000'000, 0};
}

// Runs a command line as one of several: this process does not end with it.
auto run_one(const std::vector<std::string>& words) -> int {
  cli::KeptInputs kept;
  return cli::run(words, fixed_clock, &kept);
}

// Explains a pod of the manual's dump with these words added; PREVICT_PAGE is `page`.
auto write_app(const std::string& page, std::vector<std::string> more) -> int {
  ::setenv("PREVICT_PAGE", page.c_str(), 1);
  std::vector<std::string> words{"previct", "explain", "-f", kManualDump, "ml/train-big-0"};
  words.insert(words.end(), more.begin(), more.end());
  const int status = run_one(words);
  ::unsetenv("PREVICT_PAGE");
  return status;
}

auto bytes_of(const std::string& file) -> std::string {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

TEST_CASE("app: the page contains the state and the question, between the bytes of the page", "[app]") {
  const test::Scratch scratch;
  const std::string page = scratch.file("page.html", kEmptyPage);
  const std::string out = scratch.path() + "/out.html";
  REQUIRE(write_app(page, {"--now", "2026-11-20T22:58:30Z", "--k8s-version", "1.33", "-o", "app=" + out}) == 0);
  const std::string text = bytes_of(out);
  const std::string before = "<p>before</p><script type=\"application/json\" id=\"data\">";
  const std::string after = "</script><p>after</p>";
  REQUIRE(text.starts_with(before));
  REQUIRE(text.ends_with(after));
  const auto data = nlohmann::json::parse(text.substr(before.size(), text.size() - before.size() - after.size()));
  CHECK(data.at("subject") == "ml/train-big-0");
  CHECK(data.at("now") == "2026-11-20T22:58:30Z");
  CHECK(data.at("flags") == nlohmann::json{{"--k8s-version", "1.33"}});
  std::string state;
  REQUIRE(decode_base64(data.at("files").at(0).at("base64").get<std::string>(), state));
  // The state is an input: it gives the same answer as the dump.
  const std::string copy = scratch.file("state.jsonl.zst", state);
  const auto names = [&](const std::string& input, const std::string& file) {
    REQUIRE(run_one({"previct", "explain", "-f", input, "ml/train-big-0", "-o", "name=" + file}) == 0);
    return bytes_of(file);
  };
  const std::string of_dump = names(kManualDump, scratch.path() + "/dump.txt");
  CHECK(!of_dump.empty());
  CHECK(names(copy, scratch.path() + "/copy.txt") == of_dump);
}

TEST_CASE("app: the subject is written with its kind and namespace; a question about all pods has none", "[app]") {
  const test::Scratch scratch;
  const std::string page = scratch.file("page.html", kEmptyPage);
  const std::string out = scratch.path() + "/out.html";
  const auto data = [&](const std::vector<std::string>& question) {
    ::setenv("PREVICT_PAGE", page.c_str(), 1);
    std::vector<std::string> words{"previct", "explain", "-f", kManualDump, "-o", "app=" + out};
    words.insert(words.end(), question.begin(), question.end());
    CHECK(run_one(words) == 0);
    ::unsetenv("PREVICT_PAGE");
    const std::string text = bytes_of(out);
    const std::size_t begin = text.find('{');
    return nlohmann::json::parse(text.substr(begin, text.rfind('}') + 1 - begin));
  };
  const nlohmann::json all = data({});
  CHECK(all.at("subject") == "");
  CHECK(all.at("now") == "");
  CHECK(data({"-n", "ml", "train-big-0"}).at("subject") == "ml/train-big-0");
  CHECK(data({"--now", "dump"}).at("now") == "");
  CHECK(data({"--now", "clock"}).at("now") == format_instant(fixed_clock()));
}

TEST_CASE("app: refused without a page, a file, or a state", "[app]") {
  const test::Scratch scratch;
  const std::string page = scratch.file("page.html", kEmptyPage);
  const std::string out = scratch.path() + "/out.html";
  CHECK(write_app(scratch.path() + "/none.html", {"-o", "app=" + out}) == cli::kNotAnswered);
  CHECK(write_app(scratch.file("other.html", "<p></p>"), {"-o", "app=" + out}) == cli::kNotAnswered);
  CHECK(write_app(page, {"-o", "app"}) == cli::kNotAnswered);
  CHECK(write_app(page, {"-o", "app=" + page}) == cli::kNotAnswered);
  CHECK(bytes_of(page) == kEmptyPage);
  CHECK(!std::filesystem::exists(out));
  ::setenv("PREVICT_PAGE", page.c_str(), 1);
  CHECK(run_one({"previct", "fleet", "-f", kManualDump, "-o", "app=" + out}) == cli::kNotAnswered);
  CHECK(run_one({"previct", "explain", "--message", "0/1 nodes are available: 1 Insufficient cpu.", "-o",
                 "app=" + out}) == cli::kNotAnswered);
  ::unsetenv("PREVICT_PAGE");
  CHECK(!std::filesystem::exists(out));
}

TEST_CASE("base64: written as RFC 4648, section 10, has it", "[app]") {
  for (const auto& [bytes, text] : std::vector<std::pair<std::string, std::string>>{{"", ""},
                                                                                    {"f", "Zg=="},
                                                                                    {"fo", "Zm8="},
                                                                                    {"foo", "Zm9v"},
                                                                                    {"foob", "Zm9vYg=="},
                                                                                    {"fooba", "Zm9vYmE="},
                                                                                    {"foobar", "Zm9vYmFy"}}) {
    CHECK(encode_base64(bytes) == text);
  }
  CHECK(encode_base64("\xff\xfe\xfd") == "//79");
}
