#include <catch2/catch.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace {

struct Layer {
  std::string folder;
  std::vector<std::string> may_include;  // besides itself
};

// The whole rule: a folder includes what stands beside it, and nothing else.
// Schedulers do not know each other; KAI and YuniKorn ask kube-scheduler's filters whether a pod could run on
// a node, as upstream's do. Lint asks YuniKorn's own reader whether it would take a configuration.
const std::vector<Layer> kLayers = {
    {"base", {}},
    {"input", {"base"}},
    {"api", {"base", "input"}},
    {"cluster", {"base", "input", "api"}},
    {"live", {"base", "input", "api"}},
    {"capture", {"base", "input", "api", "live"}},
    {"overlay", {"base", "input", "api", "cluster"}},
    {"report", {"base", "input", "api", "cluster"}},
    {"engine", {"base", "input", "api", "cluster", "report"}},
    {"engine/kube", {"base", "input", "api", "cluster", "report", "engine"}},
    {"engine/yunikorn", {"base", "input", "api", "cluster", "report", "engine", "engine/kube"}},
    {"engine/kai", {"base", "input", "api", "cluster", "report", "engine", "engine/kube"}},
    {"analysis", {"base", "input", "api", "cluster", "report", "engine"}},
    {"lint", {"base", "input", "api", "cluster", "report", "engine", "engine/yunikorn", "analysis"}},
    {"history", {"base", "input", "api", "cluster", "report", "engine", "analysis"}},
    {"sequence", {"base", "input", "api", "cluster", "report", "engine", "engine/kube", "analysis"}},
    {"fit", {"base", "input", "api", "cluster", "overlay", "report", "engine", "analysis"}},
    {"suite", {"base", "input", "api", "cluster", "overlay", "report", "engine", "analysis", "lint"}},
    {"cli",
     {"base", "input", "api", "cluster", "live", "capture", "overlay", "report", "engine", "analysis", "history",
      "sequence", "fit", "lint", "suite"}},
};

// Libraries that one part alone may include: the rest of the program does not know which one it is.
struct Fence {
  std::string header;
  std::string only_in;  // start of the file's path
};
const std::vector<Fence> kFences = {{"CLI/", "cli/options.cpp"},
                                    {"yaml.h", "src/input/"},
                                    {"simdjson.h", "src/input/"},
                                    {"zlib.h", "src/input/"},
                                    {"zstd.h", "src/input/"},
                                    {"archive", "src/input/archive"},
                                    {"nettle/", "src/input/digest.cpp"},
                                    {"nlohmann/", "src/report/report.h"}};

// The layer of a path below src (or of cli/…): the longest folder of the table it lies in; null for none.
auto layer_of(const std::string& path) -> const Layer* {
  const Layer* best = nullptr;
  for (const Layer& layer : kLayers) {
    if (path.starts_with(layer.folder + "/") && (best == nullptr || layer.folder.size() > best->folder.size())) {
      best = &layer;
    }
  }
  return best;
}

auto source_files() -> std::vector<std::string> {
  const std::filesystem::path root = PREVICT_SOURCE_DIR;
  std::vector<std::string> files;
  for (const char* folder : {"src", "cli"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root / folder)) {
      const std::string ending = entry.path().extension().string();
      if (ending == ".h" || ending == ".cpp") files.push_back(entry.path().lexically_relative(root).generic_string());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

// What stands between the quotes or brackets of the #include lines.
auto includes_of(const std::string& file) -> std::vector<std::string> {
  std::ifstream stream(std::string(PREVICT_SOURCE_DIR "/") + file);
  std::vector<std::string> includes;
  for (std::string line; std::getline(stream, line);) {
    const std::size_t begin = line.find_first_of("\"<");
    if (!line.starts_with("#include ") || begin == std::string::npos) continue;
    includes.push_back(line.substr(begin + 1, line.find_first_of("\">", begin + 1) - begin - 1));
  }
  return includes;
}

}  // namespace

TEST_CASE("a folder includes only what stands left of it", "[layering]") {
  for (const std::string& file : source_files()) {
    const Layer* from = layer_of(file.starts_with("src/") ? file.substr(4) : file);
    INFO(file << ": add its folder to the table in tests/layering");
    CHECK(from != nullptr);
    if (from == nullptr) continue;
    for (const std::string& include : includes_of(file)) {
      const Layer* to = layer_of(include);
      const bool allowed =
          to == nullptr || to == from ||
          std::find(from->may_include.begin(), from->may_include.end(), to->folder) != from->may_include.end();
      INFO(file << " includes " << include);
      CHECK(allowed);
    }
  }
}

TEST_CASE("a library is known to the part that needs it only", "[layering]") {
  for (const std::string& file : source_files()) {
    for (const std::string& include : includes_of(file)) {
      for (const Fence& fence : kFences) {
        INFO(file << " includes " << include);
        CHECK((!include.starts_with(fence.header) || file.starts_with(fence.only_in)));
      }
    }
  }
}

TEST_CASE("the clock is read in main alone", "[layering]") {
  for (const std::string& file : source_files()) {
    std::ifstream stream(std::string(PREVICT_SOURCE_DIR "/") + file);
    for (std::string line; std::getline(stream, line);) {
      INFO(file << ": " << line);
      CHECK((file == "cli/main.cpp" || line.find("system_clock") == std::string::npos));
    }
  }
}
