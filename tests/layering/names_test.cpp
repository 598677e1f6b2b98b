// Knowledge about one scheduler or one of its plugins belongs into its folders; the rest of the program asks for it.

#include "engine/engine.h"
#include "engine/kube/plugins.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
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

// Files that may name them. Each row is one that should become unnecessary.
const std::vector<std::pair<std::string, std::string>> kExceptions = {
    {"src/api/pod.cpp", "the images of components, by which their releases are known"},
    {"src/api/plugin_kinds.cpp", "plugins that read kinds of objects of their own"},
    {"src/api/upstream.h", "where names of schedulers stand that readers of pods need, too"},
    {"src/engine/gaps.def", "the words of one gap"},
    {"src/engine/yunikorn/assumptions.cpp", "the file of assumptions has a part for each engine"},
    {"src/lint/rules/sc0", "rules about the configuration of one plugin"},
    {"src/lint/rules_page.cpp", "their heading"},
    {"src/lint/schedulers.h", "which plugin preempts"},
    {"src/live/cluster.cpp", "which lists an engine needs"},
    {"src/sequence/endings.cpp", "kube-scheduler's own simulation"},
    {"src/sequence/kube_cycle.cpp", "a group that waits is rejected by GangScheduling"},
    {"src/tell/reason_report.cpp", "an example of an operand"},
    {"src/tell/yunikorn/messages.def", "a reason of YuniKorn's own events has the name of a plugin"}};

auto is_own(const std::string& file, const Name& name) -> bool {
  return file.starts_with("src/engine/" + name.engine + "/") || file.starts_with("src/tell/" + name.engine + "/");
}

}  // namespace

TEST_CASE("names: schedulers and plugins are named only in their folders", "[layering]") {
  const std::filesystem::path root = PREVICT_SOURCE_DIR;
  const std::vector<Name> all = names();
  std::set<std::string> excepted;
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
          const auto exception = std::find_if(kExceptions.begin(), kExceptions.end(),
                                              [&](const auto& each) { return file.starts_with(each.first); });
          if (exception == kExceptions.end()) {
            FAIL_CHECK(file << ":" << number << " names " << name.text << "; ask its engine or teller instead");
          } else {
            excepted.insert(exception->first);
          }
        }
      }
    }
  }
  for (const auto& [file, why] : kExceptions) {
    INFO(file << " is an exception no longer: take it out of the list");
    CHECK(excepted.contains(file));
  }
}
