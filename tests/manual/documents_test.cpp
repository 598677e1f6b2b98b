// The Markdown documents: their links have targets, their index is complete, the first page stays short.

#include "support/source.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

using previct::test::kSource;
using previct::test::read_all;

namespace {

namespace fs = std::filesystem;

auto documents() -> std::vector<fs::path> {
  std::vector<fs::path> files;
  for (const char* folder : {"", "docs", "src"}) {
    for (const auto& entry : fs::directory_iterator(kSource / folder)) {
      if (entry.path().extension() == ".md") files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

// Returns the lines outside code fences, where links and headings can be.
auto prose_of(const std::string& text) -> std::vector<std::string> {
  std::vector<std::string> lines;
  bool fenced = false;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    if (line.starts_with("```")) fenced = !fenced;
    if (!fenced) lines.push_back(line);
  }
  return lines;
}

// Returns the anchor that GitHub generates: lower case, hyphens for blanks, and no punctuation except hyphens and
// underscores.
auto anchor_of(const std::string& heading) -> std::string {
  std::string anchor;
  for (const char c : heading) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == ' ') {
      anchor += '-';
    } else if (std::isalnum(byte) != 0 || c == '-' || c == '_' || byte >= 0x80) {
      anchor += static_cast<char>(std::tolower(byte));
    }
  }
  return anchor;
}

auto anchors_of(const fs::path& document) -> std::set<std::string> {
  std::set<std::string> anchors;
  const std::regex heading("#+ +(.*)");
  for (const std::string& line : prose_of(read_all(document))) {
    std::smatch match;
    if (std::regex_match(line, match, heading)) anchors.insert(anchor_of(match[1]));
  }
  return anchors;
}

auto links_of(const fs::path& document) -> std::vector<std::string> {
  std::vector<std::string> links;
  const std::regex link(R"(\]\(([^()\s]+)\))");
  for (const std::string& line : prose_of(read_all(document))) {
    for (std::sregex_iterator at(line.begin(), line.end(), link), end; at != end; ++at) links.push_back((*at)[1]);
  }
  return links;
}

// Reads `set(NAME value)` from cmake/project.cmake.
auto project_value(const std::string& name) -> std::string {
  const std::string text = read_all(kSource / "cmake/project.cmake");
  std::smatch match;
  REQUIRE(std::regex_search(text, match, std::regex("set\\(" + name + " ([^)]*)\\)")));
  return match[1];
}

}  // namespace

TEST_CASE("documents: links lead to files and headings that exist", "[manual]") {
  for (const fs::path& document : documents()) {
    for (const std::string& link : links_of(document)) {
      INFO(document.lexically_relative(kSource).string() << ": " << link);
      if (link.starts_with("https://")) continue;
      const std::size_t hash = link.find('#');
      const fs::path target = hash == 0 ? document : (document.parent_path() / link.substr(0, hash)).lexically_normal();
      CHECK(fs::exists(target));
      if (hash != std::string::npos && fs::exists(target)) CHECK(anchors_of(target).contains(link.substr(hash + 1)));
    }
  }
}

TEST_CASE("documents: docs/README.md names every page, and README.md stays short", "[manual]") {
  const auto links = links_of(kSource / "docs/README.md");
  for (const auto& entry : fs::directory_iterator(kSource / "docs")) {
    const std::string name = entry.path().filename().string();
    if (entry.path().extension() != ".md" || name == "README.md") continue;
    INFO(name);
    CHECK(std::find(links.begin(), links.end(), name) != links.end());
  }
  const std::string first = read_all(kSource / "README.md");
  CHECK(std::count(first.begin(), first.end(), '\n') <= 180);
}

TEST_CASE("documents: previct has one address", "[manual]") {
  const std::string home = project_value("PREVICT_HOMEPAGE");
  const std::string name = home.substr(std::string("https://github.com/").size());
  const std::string owner = name.substr(0, name.find('/'));
  const std::regex address(R"((github\.com|ghcr\.io|uses:) ?/?([\w.-]+)/previct\b)");
  std::vector<fs::path> files = documents();
  for (const char* other : {"action.yml", ".pre-commit-hooks.yaml", ".github/workflows/release.yml"}) {
    files.push_back(kSource / other);
  }
  for (const fs::path& file : files) {
    INFO(file.lexically_relative(kSource).string());
    const std::string text = read_all(file);
    for (std::sregex_iterator at(text.begin(), text.end(), address), end; at != end; ++at) CHECK((*at)[2] == owner);
  }
}
