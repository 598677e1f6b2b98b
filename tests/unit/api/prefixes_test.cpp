#include "api/load.h"
#include "input/yaml_source.h"
#include "support/input.h"
#include "support/packed.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include <unistd.h>

using namespace previct;
using test::gzipped;
using test::zstandard;
namespace fs = std::filesystem;

namespace {

/// Returns the smallest of the fixtures' lists as kubectl prints them.
auto dumps(std::size_t count) -> std::vector<std::string> {
  std::vector<std::pair<std::uintmax_t, std::string>> files;
  for (const auto& entry : fs::recursive_directory_iterator(PREVICT_SOURCE_DIR "/fixtures")) {
    if (entry.path().extension() != ".yaml") continue;
    std::ifstream file(entry.path(), std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    if (text.starts_with("apiVersion: v1\nitems:\n- ") &&
        text.ends_with("kind: List\nmetadata:\n  resourceVersion: \"\"\n")) {
      files.emplace_back(text.size(), text);
    }
  }
  std::sort(files.begin(), files.end());
  std::vector<std::string> texts;
  for (const auto& [size, text] : files) {
    if (texts.size() < count && (texts.empty() || texts.back() != text)) texts.push_back(text);
  }
  return texts;
}

auto is_read(const std::string& path) -> bool {
  Objects objects;
  return load({path}, {.threads = 2}, objects).has_value();
}

}  // namespace

// Takes minutes: `unit_tests "[prefixes]"`.
TEST_CASE("load: no prefix of twenty dumps that may lack objects is accepted as complete, in four formats",
          "[.][prefixes]") {
  const std::vector<std::string> texts = dumps(20);
  REQUIRE(texts.size() == 20);
  const std::string path = (fs::temp_directory_path() / fmt::format("previct-prefix-{}", ::getpid())).string();
  std::size_t prefixes = 0;
  for (const std::string& yaml : texts) {
    const std::string json =
        nlohmann::ordered_json::parse(test::json_of(*yaml_source(yaml, FileId{0}))->dump()).dump(4) + "\n";
    for (const std::string& whole : {yaml, json, gzipped(yaml), zstandard(yaml)}) {
      std::ofstream(path, std::ios::binary) << whole;
      REQUIRE(is_read(path));
      // A text is complete without its last line break.
      const std::size_t text_end = whole == json || whole == yaml ? 1 : 0;
      for (std::size_t size = whole.size() - text_end; size-- > 0;) {
        fs::resize_file(path, size);
        ++prefixes;
        INFO(size << " bytes of " << whole.size() << ": " << whole.substr(0, 40));
        if (!test::ends_with_kind(std::string_view(whole).substr(0, size))) REQUIRE_FALSE(is_read(path));
      }
    }
  }
  fs::remove(path);
  WARN(prefixes << " prefixes");
}
