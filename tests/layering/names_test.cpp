// Knowledge about one scheduler or one of its plugins belongs into its folders; the rest of the program asks for it.

#include "engine/engine.h"
#include "engine/kube/plugins.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace previct;

struct Name {
  std::string text;
  std::string engine;  // the scheduler that it belongs to
};

auto names() -> std::vector<Name> {
  std::vector<Name> all;
  for (const Engine* engine : engines()) {
    const std::string name(engine->name());
    all.push_back({name, name});
    if (!engine->scheduler_name().empty()) all.push_back({std::string(engine->scheduler_name()), name});
  }
  for (const kube::PluginInfo& plugin : kube::plugins()) all.push_back({std::string(plugin.name), "kube"});
  return all;
}

// Words that another scheduler uses for something of its own.
const std::vector<std::pair<std::string, std::string>> kOtherMeanings = {
    {"src/tell/yunikorn/messages.def", "GangScheduling"},  // a reason of YuniKorn's events
    {"src/engine/own_flags.cpp", "kube"}};                 // the name of Kubernetes as a component with feature gates

auto is_own(const std::string& file, const Name& name) -> bool {
  return file.starts_with("src/engine/" + name.engine + "/") || file.starts_with("src/tell/" + name.engine + "/");
}

}  // namespace

TEST_CASE("names: schedulers and plugins are named only in their folders", "[layering]") {
  const std::filesystem::path root = PREVICT_SOURCE_DIR;
  const std::vector<Name> all = names();
  for (const char* folder : {"src", "cli"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root / folder)) {
      const std::string ending = entry.path().extension().string();
      if (ending != ".h" && ending != ".cpp" && ending != ".def") continue;
      const std::string file = entry.path().lexically_relative(root).generic_string();
      std::ifstream stream(entry.path());
      std::size_t number = 0;
      for (std::string line; std::getline(stream, line);) {
        ++number;
        for (const Name& name : all) {
          if (line.find('"' + name.text + '"') == std::string::npos || is_own(file, name)) continue;
          if (std::count(kOtherMeanings.begin(), kOtherMeanings.end(), std::pair(file, name.text)) > 0) continue;
          FAIL_CHECK(file << ":" << number << " names " << name.text << "; ask its engine or teller instead");
        }
      }
    }
  }
}
