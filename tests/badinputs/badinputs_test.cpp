// Runs cases.yaml; its header defines what a case is.

#include "support/program.h"
#include "support/scratch.h"
#include "support/source.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cstdlib>
#include <regex>
#include <string>
#include <vector>

#include <sys/wait.h>

using previct::test::read_all;
using previct::test::Scratch;

namespace {

const std::string kFolder = PREVICT_SOURCE_DIR "/tests/badinputs/";

struct Said {
  int status = 0;
  std::string out;
  std::string err;
};

// Returns the output of a command that sh runs in the scratch folder, without the caller's environment.
auto run(const Scratch& scratch, const std::string& input, const std::string& command) -> Said {
  const std::string script = scratch.file("command", command + '\n');
  const std::string line = fmt::format(
      "cd '{0}' && env -i PATH='{4}':/usr/bin:/bin HOME=/nonexistent LC_ALL=C.UTF-8 IN='{1}' BASE='{2}base.yaml' "
      "JSON='{2}base.json' sh '{3}' > out 2> err < /dev/null",
      scratch.path(), input, kFolder, script, previct::test::program_folder());
  const int status = std::system(line.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), read_all(scratch.path() + "/out"),
          read_all(scratch.path() + "/err")};
}

auto list_of(const YAML::Node& node) -> std::vector<std::string> {
  if (!node) return {};
  if (node.IsScalar()) return {node.as<std::string>()};
  return node.as<std::vector<std::string>>();
}

// Returns one byte for each character, all of which are below U+0100.
auto bytes_of(const std::string& text) -> std::string {
  std::string bytes;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto lead = static_cast<unsigned char>(text[i]);
    if (lead < 0x80) {
      bytes += text[i];
    } else if (++i < text.size()) {
      bytes += static_cast<char>((lead & 0x03U) << 6U | (static_cast<unsigned char>(text[i]) & 0x3FU));
    }
  }
  return bytes;
}

struct Input {
  std::string path;
  std::size_t line = 0;  // of the edit
};

auto edited(const YAML::Node& test, std::string text, std::size_t& line) -> std::string {
  const auto after = test["after"] ? text.find(test["after"].as<std::string>()) : 0;
  const auto edit = test["edit"].as<std::vector<std::string>>();
  REQUIRE(edit.size() == 2);
  const auto place = text.find(edit[0], after);
  REQUIRE(place != std::string::npos);
  // The first line that changes, which may be after the start of the replaced text.
  const auto same = std::mismatch(edit[0].begin(), edit[0].end(), edit[1].begin(), edit[1].end()).first;
  const auto first = text.begin() + static_cast<std::ptrdiff_t>(place) + (same - edit[0].begin());
  line = 1 + static_cast<std::size_t>(std::count(text.begin(), first, '\n'));
  return text.replace(place, edit[0].size(), edit[1]);
}

auto input_of(const YAML::Node& test, const Scratch& scratch) -> Input {
  const std::string base = test["of"] ? test["of"].as<std::string>() : "base.yaml";
  const std::string name = test["as"] ? test["as"].as<std::string>() : base == "base.json" ? "in.json" : "in.yaml";
  Input input{scratch.path() + '/' + name};
  if (test["edit"]) {
    input.path = scratch.file(name, edited(test, read_all(kFolder + base), input.line));
  } else if (test["input"]) {
    input.path = scratch.file(name, test["input"].as<std::string>());
  } else if (test["bytes"]) {
    input.path = scratch.file(name, bytes_of(test["bytes"].as<std::string>()));
  } else if (test["make"]) {
    run(scratch, input.path, test["make"].as<std::string>());
  }
  if (test["line"] && test["line"].as<std::string>() != "true") input.line = test["line"].as<std::size_t>();
  return input;
}

auto command_of(const YAML::Node& test, const Scratch& scratch) -> std::string {
  if (test["run"]) return test["run"].as<std::string>();
  const std::string question = "previct explain default/urgent --now 2026-01-02T00:05:00Z";
  if (!test["config"]) return question + " --toleration-plugin on -f $IN";
  const std::string path = scratch.file("conf.yaml", test["config"].as<std::string>());
  return question + " -f $BASE --scheduler-config " + path;
}

auto has(const std::string& text, const std::string& pattern) -> bool {
  return std::regex_search(text, std::regex(pattern, std::regex::icase));
}

auto statuses(const YAML::Node& test) -> std::vector<std::string> {
  if (test["exit"]) return list_of(test["exit"]);
  return {"0"};
}

// Returns how the output differs from the expected one.
auto complaints(const YAML::Node& test) -> std::string {
  const Scratch scratch;
  const Input input = input_of(test, scratch);
  const std::string command = command_of(test, scratch);
  const Said said = run(scratch, input.path, command);
  const std::string all = said.out + said.err;
  std::string wrong;
  const auto complain = [&](const std::string& what) { wrong += "  " + what + '\n'; };

  const auto wanted = statuses(test);
  if (std::find(wanted.begin(), wanted.end(), std::to_string(said.status)) == wanted.end())
    complain(fmt::format("status {}, not {}", said.status, fmt::join(wanted, " or ")));
  const auto raw = [](char c) { return (static_cast<unsigned char>(c) < 0x20 && c != '\n') || c == '\x7f'; };
  if (std::any_of(all.begin(), all.end(), raw)) complain("a control character is said as it is");
  if (said.status == 2) {
    if (!said.out.empty()) complain("status 2, and something on stdout");
    static const std::regex error("(^|\n)previct: error: ");
    if (std::distance(std::sregex_iterator(said.err.begin(), said.err.end(), error), {}) != 1)
      complain("status 2 without one error");
  }
  for (const std::string& pattern : list_of(test["says"])) {
    if (!has(all, pattern)) complain("does not say " + pattern);
  }
  if (test["line"]) {
    const std::string file = test["config"] ? "conf.yaml" : input.path.substr(input.path.rfind('/') + 1);
    if (!has(all, fmt::format("{}:{}\\b", file, input.line)))
      complain(fmt::format("does not name {}:{}", file, input.line));
  }
  if (test["silent"] && has(said.err, "warning")) complain("warns");
  if (test["victims"] && said.status == 0) {
    const Said names = run(scratch, input.path, command + " -q -o name");
    if (names.out != fmt::format("{}\n", fmt::join(list_of(test["victims"]), "\n"))) complain("victims: " + names.out);
  }
  return wrong.empty() ? "" : fmt::format("{}\n{}{}\n", test["case"].as<std::string>(), wrong, all.substr(0, 600));
}

}  // namespace

TEST_CASE("bad inputs: each one gets one clear error, or upstream's answer", "[badinputs]") {
  const YAML::Node tests = YAML::LoadFile(kFolder + "cases.yaml");
  std::string wrong;
  std::size_t failed = 0;
  for (const auto& test : tests) {
    const std::string of_it = complaints(test);
    failed += of_it.empty() ? 0U : 1U;
    wrong += of_it;
  }
  INFO(failed << " of " << tests.size() << " are not as wanted:\n" << wrong);
  CHECK(failed == 0);
}
