// The manual says what the program says: the parts of man/*.1 between `.\" begin NAME` and `.\" end` are made from
// the same tables as the help. PREVICT_UPDATE=1 unit_tests "[manual]" writes them, and a page for a command that
// has none; everything else in a page is its author's.

#include "cli/command.h"
#include "lint/rule.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <sys/wait.h>

using namespace previct::cli;

namespace {

namespace fs = std::filesystem;

const fs::path kSource = PREVICT_SOURCE_DIR;
constexpr std::string_view kBegin = ".\\\" begin ";
constexpr std::string_view kEnd = ".\\\" end\n";

auto read_all(const fs::path& path) -> std::string {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

auto lines_of(std::string_view text) -> std::vector<std::string> {
  std::vector<std::string> lines;
  std::istringstream stream{std::string(text)};
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

// Running text for mdoc: hyphens that are typed stay what they are, no line is taken for a macro.
auto mdoc(std::string_view text) -> std::string {
  std::string out;
  for (const char c : text) {
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
  }
  return out.starts_with('.') || out.starts_with('\'') ? "\\&" + out : out;
}

// A new sentence begins a new line, as mdoc likes it.
auto sentences(std::string_view text) -> std::string {
  std::string out = mdoc(text);
  for (std::size_t at = 0; (at = out.find(". ", at)) != std::string::npos; ++at) out[at + 1] = '\n';
  return out;
}

// `one row a class` as the beginning of a sentence; `auto: …` and `-v: …` name something and stay.
auto sentence(std::string_view text) -> std::string {
  std::string out = mdoc(text);
  const std::size_t word_end = out.find_first_of(" :;,");
  if (word_end == std::string::npos || out[word_end] != ':') {
    out[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(out[0])));
  }
  return out;
}

auto upper(std::string text) -> std::string {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

auto capital(std::string text) -> std::string {
  for (std::size_t i = 1; i < text.size(); ++i) {
    text[i] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[i])));
  }
  return text;
}

struct Example {
  std::string command;  // without the program's name
  std::string what;
};

// `explain -f x     what it does`: two blanks or more divide them.
auto examples_of(const Command& command) -> std::vector<Example> {
  std::vector<Example> examples;
  for (const std::string& line : lines_of(command.examples)) {
    const std::size_t gap = line.find("  ");
    const std::size_t what = line.find_first_not_of(' ', gap);
    examples.push_back({line.substr(0, gap), what == std::string::npos ? "" : line.substr(what)});
  }
  return examples;
}

// ---- the parts that follow the program

auto name_part(const Command& command) -> std::string {
  std::string text = fmt::format(".Nm previct-{}\n.Nd {}\n.Sh SYNOPSIS\n.Nm previct {}\n", command.name,
                                 mdoc(command.what), command.name);
  if (!command.arguments.empty() && command.arguments.front() == '[') {
    text += fmt::format(".Op Ar {}\n", command.arguments.substr(1, command.arguments.size() - 2));
  } else if (!command.arguments.empty()) {
    text += fmt::format(".Ar {}\n", command.arguments);
  }
  return text + ".Op Ar flags\n";
}

auto options_part(const Command& command) -> std::string {
  std::string text;
  for (const Group group : command.groups) {
    text += fmt::format(".Ss {}\n.Bl -tag -width Ds\n", capital(std::string(group_title(group))));
    for (const Flag& flag : flags()) {
      if (flag.group != group) continue;
      text += ".It";
      if (flag.letter != 0) text += fmt::format(" Fl {}", flag.letter);
      if (!flag.name.empty()) text += fmt::format("{} Fl \\-{}", flag.letter != 0 ? " ," : "", mdoc(flag.name));
      if (!flag.value.empty()) text += fmt::format(" Ar {}", mdoc(flag.value));
      text += fmt::format("\n{}.\n", sentence(flag.what));
      if (!flag.more.empty()) text += sentences(flag.more) + '\n';
    }
    text += ".El\n";
  }
  return text;
}

auto examples_part(const Command& command) -> std::string {
  std::string text;
  for (const Example& example : examples_of(command)) {
    if (!text.empty()) text += ".Pp\n";
    if (!example.what.empty()) text += fmt::format("{}:\n", sentence(example.what));
    text += fmt::format(".Dl $ previct {}\n", mdoc(example.command));
  }
  return text;
}

auto commands_part() -> std::string {
  std::string text = ".Bl -tag -width Ds\n";
  for (const Command* command : commands()) {
    text += fmt::format(".It Xr previct-{} 1\n{}.\n", command->name, sentence(command->what));
  }
  return text + ".El\n";
}

// Every rule of lint: what it finds, why that hurts, how to mend it.
auto rules_part() -> std::string {
  std::string text = ".Bl -tag -width Ds\n";
  for (const previct::lint::Rule* rule : previct::lint::rules()) {
    text += fmt::format(".It {} {}\n{}.\n", rule->id, previct::severity_name(rule->severity), sentence(rule->title));
    for (const std::string_view paragraph : {rule->why, rule->mend}) {
      for (const std::string& line : lines_of(paragraph)) {
        if (!line.empty()) text += sentences(line) + '\n';
      }
    }
  }
  return text + ".El\n";
}

auto page_of(const Command& command) -> std::string {
  std::string text = fmt::format(".Dd November 21, 2026\n.Dt PREVICT-{} 1\n.Os previct\n.Sh NAME\n",
                                 upper(std::string(command.name)));
  text += fmt::format("{}name\n{}.Sh DESCRIPTION\n", kBegin, kEnd);
  for (const std::string& line : lines_of(command.more)) text += sentences(line) + "\n.Pp\n";
  text += fmt::format("The flags are:\n{}options\n{}", kBegin, kEnd);
  text += ".Sh EXIT STATUS\nAs in\n.Xr previct 1 .\n";
  text += fmt::format(".Sh EXAMPLES\n{}examples\n{}.Sh SEE ALSO\n.Xr previct 1\n", kBegin, kEnd);
  return text;
}

// `text` with its parts as they should be; a part that nobody knows is left alone and noted.
auto refreshed(const std::string& text, const Command* command, std::vector<std::string>& unknown) -> std::string {
  std::string out;
  std::size_t at = 0;
  while (true) {
    const std::size_t begin = text.find(kBegin, at);
    if (begin == std::string::npos) return out + text.substr(at);
    const std::size_t line_end = text.find('\n', begin) + 1;
    const std::size_t end = text.find(kEnd, line_end);
    if (end == std::string::npos) return out + text.substr(at);
    const std::string part = text.substr(begin + kBegin.size(), line_end - 1 - begin - kBegin.size());
    out += text.substr(at, line_end - at);
    if (part == "commands") {
      out += commands_part();
    } else if (part == "rules") {
      out += rules_part();
    } else if (command != nullptr && part == "name") {
      out += name_part(*command);
    } else if (command != nullptr && part == "options") {
      out += options_part(*command);
    } else if (command != nullptr && part == "examples") {
      out += examples_part(*command);
    } else {
      unknown.push_back(part);
    }
    out += kEnd;
    at = end + kEnd.size();
  }
}

auto pages() -> std::vector<fs::path> {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(kSource / "man")) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

auto command_of(const fs::path& page) -> const Command* {
  const std::string name = page.stem().string();
  const auto all = commands();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Command* c) {
    return page.extension() == ".1" && name == fmt::format("previct-{}", c->name);
  });
  return found == all.end() ? nullptr : *found;
}

struct Ran {
  int status = 0;
  std::string out;
  std::string err;
};

// In a copy of fixtures/manual, where `dump.yaml` and whatever else the examples name stands; kubectl has the same as its
// cluster.
auto run_example(const std::string& command, const fs::path& folder) -> Ran {
  const std::string line =
      "cd '" + folder.string() + "/work' && env -i PATH='" PREVICT_SOURCE_DIR "/tests/live':'" +
      PREVICT_BINARY_DIR "':/usr/bin:/bin FAKE_CLUSTER=cluster HOME=/nonexistent " +
      "LC_ALL=C.UTF-8 sh -c '" + command + "' > ../out 2> ../err < /dev/null";
  const int status = std::system(line.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128, read_all(folder / "out"), read_all(folder / "err")};
}

// Nothing said, and nothing wrong; true where the program is not installed.
auto silent(const std::string& program, const std::string& arguments, const fs::path& page) -> bool {
  if (std::system(("command -v " + program + " > /dev/null").c_str()) != 0) return true;
  const std::string check = "test -z \"$(" + program + ' ' + arguments + " '" + page.string() + "' 2>&1)\"";
  return std::system(("cd '" + kSource.string() + "/man' && " + check).c_str()) == 0;
}

}  // namespace

TEST_CASE("the manual has a page for every command, with the flags and examples of its help", "[manual]") {
  const bool update = std::getenv("PREVICT_UPDATE") != nullptr;
  for (const Command* command : commands()) {
    const fs::path path = kSource / "man" / fmt::format("previct-{}.1", command->name);
    if (update && !fs::exists(path)) std::ofstream(path) << page_of(*command);
    INFO(path.filename().string() << ": PREVICT_UPDATE=1 unit_tests \"[manual]\" writes it");
    CHECK(fs::exists(path));
  }
  for (const fs::path& path : pages()) {
    const std::string text = read_all(path);
    std::vector<std::string> unknown;
    const std::string wanted = refreshed(text, command_of(path), unknown);
    INFO(path.filename().string() << " differs from the program: PREVICT_UPDATE=1 unit_tests \"[manual]\" writes it");
    CHECK(unknown.empty());
    if (update && wanted != text) {
      std::ofstream(path, std::ios::binary) << wanted;
      continue;
    }
    CHECK((wanted == text));
    if (command_of(path) == nullptr) continue;
    for (const char* part : {"name", "options", "examples"}) {
      CHECK(text.find(std::string(kBegin) + part + '\n') != std::string::npos);
    }
  }
}

TEST_CASE("every example of help and manual runs", "[manual]") {
  std::set<std::string> examples;
  for (const Command* command : commands()) {
    for (const Example& example : examples_of(*command)) examples.insert("previct " + example.command);
  }
  for (const fs::path& path : pages()) {
    for (const std::string& line : lines_of(read_all(path))) {
      if (!line.starts_with(".Dl $ previct ")) continue;
      std::string command;
      for (std::size_t i = 6; i < line.size(); ++i) {
        if (line[i] == '\\' && i + 1 < line.size()) ++i;
        command += line[i];
      }
      examples.insert(command);
    }
  }
  std::string folder = (fs::temp_directory_path() / "previct-manual-XXXXXX").string();
  REQUIRE(mkdtemp(folder.data()) != nullptr);
  fs::copy(kSource / "fixtures/manual", fs::path(folder) / "work", fs::copy_options::recursive);
  for (const std::string& example : examples) {
    const Ran ran = run_example(example, folder);
    INFO(example << "\nin a copy of fixtures/manual: " << ran.err);
    CHECK(ran.status < 2);
    CHECK((!ran.out.empty() || example.find('=') != std::string::npos));
  }
  fs::remove_all(folder);
}

TEST_CASE("the pages are sound mdoc and refer to pages that exist", "[manual]") {
  for (const fs::path& path : pages()) {
    if (read_all(path).starts_with(".so ")) continue;
    INFO(path.filename().string());
    CHECK(silent("mandoc", "-T lint -W warning", path));
    CHECK(silent("groff", "-mandoc -ww -z -T utf8", path));
    for (const std::string& line : lines_of(read_all(path))) {
      const std::size_t at = line.find("Xr ");
      if (at == std::string::npos || !line.starts_with('.') || line.find("previct", at) != at + 3) continue;
      std::istringstream words(line.substr(at + 3));
      std::string name;
      std::string section;
      words >> name >> section;
      INFO(line);
      CHECK(fs::exists(kSource / "man" / (name + '.' + section)));
    }
  }
}
