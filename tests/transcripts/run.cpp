// Runs the commands of every *.transcript, of README.md and of docs/*.md, and compares their output with the text
// there:
//
//     $ previct explain -f x        a command, run by sh in the source folder
//     no such file                  its stdout, up to the next command
//     ! previct: error: …           its stderr, each line after `! `
//     [2]                           its exit status, unless 0
//
// In Markdown only fenced `console` blocks count, and commands other than previct are left alone.
// PREVICT_UPDATE=1 rewrites the files instead; read the difference before you commit it.

#include "support/program.h"
#include "support/source.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

using previct::test::read_all;

namespace {

namespace fs = std::filesystem;

auto lines_of(const std::string& text) -> std::vector<std::string> {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

// Returns the output of a command as the lines below it should be. It does not see the caller's environment.
auto outcome_of(const std::string& command) -> std::vector<std::string> {
  static const fs::path scratch = [] {
    std::string name = (fs::temp_directory_path() / "previct-transcript-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    return fs::path(name);
  }();
  std::ofstream(scratch / "command") << "cd '" PREVICT_SOURCE_DIR "'\n" << command << '\n';
  const std::string run = "env -i PATH='" + previct::test::program_folder() +
                          "':/usr/bin:/bin HOME=/nonexistent LC_ALL=C.UTF-8 TMP='" + scratch.string() + "' sh '" +
                          (scratch / "command").string() + "' > '" + (scratch / "out").string() + "' 2> '" +
                          (scratch / "err").string() + "' < /dev/null";
  const int status = std::system(run.c_str());
  std::vector<std::string> lines = lines_of(read_all(scratch / "out"));
  for (const std::string& line : lines_of(read_all(scratch / "err"))) lines.push_back("! " + line);
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  if (code != 0) lines.push_back("[" + std::to_string(code) + "]");
  return lines;
}

// Returns the text as it should be.
auto replayed(const std::string& text, bool markdown) -> std::string {
  const std::vector<std::string> lines = lines_of(text);
  std::string out;
  bool inside = !markdown;
  for (std::size_t i = 0; i < lines.size();) {
    const std::string& line = lines[i++];
    out += line + '\n';
    if (markdown && line.starts_with("```")) inside = line == "```console";
    const bool command = inside && line.starts_with("$ ");
    if (!command || (markdown && !line.starts_with("$ previct"))) continue;
    std::size_t end = i;
    while (end < lines.size() && !lines[end].starts_with("$ ") && !lines[end].starts_with("# ") &&
           !(markdown && lines[end].starts_with("```"))) {
      ++end;
    }
    for (const std::string& said : outcome_of(line.substr(2))) out += said + '\n';
    // Blank lines before the next command belong to the author.
    while (end > i && lines[end - 1].empty()) --end;
    i = end;
  }
  return out;
}

auto transcripts() -> std::vector<fs::path> {
  const fs::path root = PREVICT_SOURCE_DIR;
  std::vector<fs::path> files = {root / "README.md"};
  for (const auto& entry : fs::directory_iterator(root / "tests/transcripts")) {
    if (entry.path().extension() == ".transcript") files.push_back(entry.path());
  }
  for (const auto& entry : fs::directory_iterator(root / "docs")) {
    if (entry.path().extension() == ".md") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

auto first_difference(const std::string& wanted, const std::string& said) -> std::string {
  const std::vector<std::string> a = lines_of(wanted);
  const std::vector<std::string> b = lines_of(said);
  std::size_t i = 0;
  while (i < a.size() && i < b.size() && a[i] == b[i]) ++i;
  const auto at = [&](const std::vector<std::string>& lines) { return i < lines.size() ? lines[i] : "(end of file)"; };
  return "line " + std::to_string(i + 1) + "\n  written: " + at(a) + "\n  says:    " + at(b);
}

}  // namespace

TEST_CASE("documents: the outputs they show are the program's", "[transcript]") {
  for (const fs::path& file : transcripts()) {
    const std::string wanted = read_all(file);
    const std::string said = replayed(wanted, file.extension() == ".md");
    if (std::getenv("PREVICT_UPDATE") != nullptr && said != wanted) {
      std::ofstream(file, std::ios::binary) << said;
      continue;
    }
    INFO(file.filename().string() << ": " << first_difference(wanted, said));
    CHECK(said == wanted);
  }
}
