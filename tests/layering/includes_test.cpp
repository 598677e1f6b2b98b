#include <catch2/catch.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace {

struct Layer {
  std::string folder;
  std::vector<std::string> may_include;  // in addition to itself
};

// The complete rule, with rules_of_schedulers(): a folder includes only the folders listed next to it. KAI and YuniKorn
// ask kube-scheduler's filters whether a pod could run on a node, as upstream's do. Lint asks YuniKorn's own reader
// whether it would accept a configuration, and Kueue's engine which workloads could ever be admitted.
const std::vector<Layer> kListed = {
    {"base", {}},
    {"system", {"base"}},
    {"input", {"base", "system"}},
    {"api", {"base", "input"}},
    {"cluster", {"base", "input", "api"}},
    {"live", {"base", "system", "input", "api"}},
    {"capture", {"base", "input", "api", "live"}},
    {"report", {"base", "input", "api", "cluster"}},
    {"engine", {"base", "input", "api", "cluster"}},
    {"overlay", {"base", "input", "api", "cluster", "engine"}},
    {"engine/yunikorn", {"base", "input", "api", "cluster", "engine", "engine/kube"}},
    {"engine/kai", {"base", "input", "api", "cluster", "engine", "engine/kube"}},
    {"tell", {"base", "input", "api", "cluster", "report", "engine"}},
    {"tell/kai",
     {"base", "input", "api", "cluster", "report", "engine", "engine/kube", "engine/kai", "tell", "tell/kube"}},
    {"tell/yunikorn",
     {"base", "input", "api", "cluster", "report", "engine", "engine/kube", "engine/yunikorn", "tell", "tell/kube"}},
    {"analysis", {"base", "input", "api", "cluster", "overlay", "report", "engine", "tell"}},
    {"lint",
     {"base", "input", "api", "cluster", "report", "engine", "engine/kube", "engine/kueue", "engine/yunikorn", "tell",
      "analysis"}},
    {"history", {"base", "input", "api", "cluster", "report", "engine", "tell", "analysis"}},
    {"sequence",
     {"base", "input", "api", "cluster", "overlay", "report", "engine", "engine/kube", "tell", "tell/kube",
      "analysis"}},
    {"sweep", {"base", "input", "api", "cluster", "overlay", "report", "engine", "tell", "analysis", "sequence"}},
    {"failures",
     {"base", "input", "api", "cluster", "report", "engine", "engine/kube", "tell", "analysis", "sequence"}},
    {"backtest", {"base", "input", "api", "cluster", "report", "engine", "tell", "analysis", "history"}},
    {"fit", {"base", "input", "api", "cluster", "overlay", "report", "engine", "engine/kube", "tell", "analysis"}},
    {"prove", {"base", "input", "api", "cluster", "overlay", "report", "engine", "engine/kube", "tell", "analysis"}},
    {"suite", {"base", "input", "api", "cluster", "overlay", "report", "engine", "tell", "analysis", "lint", "prove"}},
    {"cli",
     {"base",     "system",  "input",    "api",   "cluster",  "live", "capture", "overlay", "report", "engine",  "tell",
      "analysis", "history", "sequence", "sweep", "failures", "fit",  "lint",    "prove",   "suite",  "backtest"}},
};

// The folders of each scheduler that the table does not list include no other scheduler.
auto rules_of_schedulers() -> std::vector<Layer> {
  std::vector<Layer> layers;
  for (const auto& entry : std::filesystem::directory_iterator(PREVICT_SOURCE_DIR "/src/engine")) {
    if (!entry.is_directory()) continue;
    const std::string name = entry.path().filename().string();
    layers.push_back({"engine/" + name, {"base", "input", "api", "cluster", "engine"}});
    layers.push_back(
        {"tell/" + name, {"base", "input", "api", "cluster", "report", "engine", "engine/" + name, "tell"}});
  }
  return layers;
}

auto layers() -> const std::vector<Layer>& {
  static const std::vector<Layer> kLayers = [] {
    std::vector<Layer> all = kListed;
    for (Layer& layer : rules_of_schedulers()) {
      if (std::none_of(all.begin(), all.end(), [&](const Layer& each) { return each.folder == layer.folder; }))
        all.push_back(std::move(layer));
    }
    return all;
  }();
  return kLayers;
}

// Libraries that only one part may include: the rest of the program does not know which library is used.
struct Fence {
  std::string header;
  std::string only_in;  // prefix of the file's path
};
const std::vector<Fence> kFences = {{"CLI/", "cli/options.cpp"},
                                    {"yaml.h", "src/input/"},
                                    {"yaml-cpp/", "src/input/written_yaml.cpp"},
                                    {"re2/", "src/base/regexp.cpp"},
                                    {"zlib.h", "src/input/"},
                                    {"zstd.h", "src/input/"},
                                    {"archive", "src/input/archive"},
                                    {"archive", "src/input/streams/"},
                                    {"nettle/", "src/input/digest.cpp"},
                                    {"nlohmann/", "src/report/report.h"},
                                    {"nlohmann/", "src/api/yunikorn_annotations.cpp"}};

// Returns the layer of a path below src (or of cli/…): the longest folder of the table that contains it; null for none.
auto layer_of(const std::string& path) -> const Layer* {
  const Layer* best = nullptr;
  for (const Layer& layer : layers()) {
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

// Returns the paths in the #include lines.
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

TEST_CASE("includes: a folder includes only the folders listed for it", "[layering]") {
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

// They are part of api/objects.h.
TEST_CASE("includes: the kinds of a scheduler include no more than api", "[layering]") {
  const std::vector<std::string> allowed = {"base", "input", "api"};
  for (const std::string& file : source_files()) {
    if (!file.starts_with("src/engine/") || !file.ends_with("/kinds.h")) continue;
    for (const std::string& include : includes_of(file)) {
      const Layer* to = layer_of(include);
      INFO(file << " includes " << include);
      CHECK((to == nullptr || std::count(allowed.begin(), allowed.end(), to->folder) > 0));
    }
  }
}

TEST_CASE("includes: a library is included only by the part that uses it", "[layering]") {
  for (const std::string& file : source_files()) {
    for (const std::string& include : includes_of(file)) {
      INFO(file << " includes " << include);
      const auto of_library = [&](const Fence& fence) { return include.starts_with(fence.header); };
      const auto allows = [&](const Fence& fence) { return of_library(fence) && file.starts_with(fence.only_in); };
      const bool fenced = std::any_of(kFences.begin(), kFences.end(), of_library);
      CHECK((!fenced || std::any_of(kFences.begin(), kFences.end(), allows)));
    }
  }
}

// Engines decide and src/tell formats: an engine includes no text, table or JSON, not even indirectly.
TEST_CASE("includes: an engine reaches no wording, table or JSON", "[layering]") {
  std::set<std::string> seen;
  std::vector<std::string> open;
  for (const std::string& file : source_files()) {
    if (file.starts_with("src/engine/")) open.push_back(file);
  }
  while (!open.empty()) {
    const std::string file = open.back();
    open.pop_back();
    if (!seen.insert(file).second) continue;
    for (const std::string& include : includes_of(file)) {
      INFO(file << " includes " << include);
      const bool words = include.starts_with("report/") || include.starts_with("tell/") ||
                         include.starts_with("nlohmann/") || include.starts_with("analysis/");
      CHECK_FALSE(words);
      if (std::filesystem::exists(PREVICT_SOURCE_DIR "/src/" + include)) open.push_back("src/" + include);
    }
  }
}

TEST_CASE("system: nothing else asks which system it is", "[layering]") {
  // What a compiler or a processor has is no question about the system.
  const std::vector<std::string> systems = {"_WIN32",      "__MINGW",     "__CYGWIN__", "__linux",      "__unix",
                                            "__APPLE__",   "__wasi",      "__wasm__",   "__wasm32",     "__GLIBC__",
                                            "__FreeBSD__", "__ANDROID__", "_POSIX",     "defined(MADV_"};
  for (const std::string& file : source_files()) {
    if (file.starts_with("src/system/")) continue;
    std::ifstream stream(std::string(PREVICT_SOURCE_DIR "/") + file);
    std::size_t number = 0;
    for (std::string line; std::getline(stream, line);) {
      ++number;
      INFO(file << ":" << number << ": " << line);
      CHECK(std::none_of(systems.begin(), systems.end(),
                         [&](const std::string& name) { return line.find(name) != std::string::npos; }));
    }
  }
}

TEST_CASE("system: only the folders of systems include headers of a system", "[layering]") {
  // base/shared_list.h compiles without it.
  const std::pair<std::string, std::string> optional = {"src/base/shared_list.h", "sys/single_threaded.h"};
  const std::set<std::string> standard = {"csignal", "signal.h"};  // of which some systems lack nearly all
  std::set<std::string> using_system;
  for (const std::string& file : source_files()) {
    for (const std::string& include : includes_of(file)) {
      const bool own = include.find('/') != std::string::npos && !include.starts_with("sys/");
      const bool of_c = include.ends_with(".h") && include.find('/') == std::string::npos;
      const bool of_library = of_c && std::any_of(kFences.begin(), kFences.end(), [&](const Fence& fence) {
                                return include.starts_with(fence.header);
                              });
      const bool of_processor = include.ends_with("mmintrin.h");
      if (own || of_library || of_processor || (!of_c && !include.starts_with("sys/") && !standard.contains(include)))
        continue;
      if (std::pair(file, include) == optional) continue;
      // Only POSIX systems include beyond_posix.h.
      const bool of_system =
          file.starts_with("src/system/") && (file == "src/system/beyond_posix.h" ||
                                              file.find('/', std::string("src/system/").size()) != std::string::npos);
      INFO(file << " includes " << include);
      CHECK(of_system);
      using_system.insert(file);
    }
  }
  CHECK(using_system.contains("src/system/unix/descriptor.cpp"));  // it is found where it is allowed
}

TEST_CASE("system: each system has the same files", "[layering]") {
  const std::filesystem::path root = PREVICT_SOURCE_DIR "/src/system";
  std::map<std::string, std::set<std::string>> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
    const std::filesystem::path file = entry.path().lexically_relative(root);
    if (file.extension() == ".cpp" && file.has_parent_path())
      files[file.parent_path().string()].insert(file.filename().string());
  }
  std::size_t kernels = 0;
  // What posix and wasi have in common is in unix.
  const std::set<std::string> both = files["unix"];
  files.erase("unix");
  for (const char* const system : {"posix", "wasi"}) files[system].insert(both.begin(), both.end());
  for (const auto& [system, names] : files) {
    INFO(system);
    const bool is_kernel = system.starts_with("posix/kernels/");
    kernels += is_kernel ? 1 : 0;
    // A kernel has only files that it replaces.
    const std::set<std::string>& all = files.at(is_kernel ? "posix/kernels/any" : "posix");
    CHECK(std::includes(all.begin(), all.end(), names.begin(), names.end()));
    CHECK((is_kernel || names == all));
  }
  CHECK(kernels > 1);
  CHECK(files.size() - kernels > 1);
}

TEST_CASE("clock: only main and the reactor read it", "[layering]") {
  for (const std::string& file : source_files()) {
    std::ifstream stream(std::string(PREVICT_SOURCE_DIR "/") + file);
    for (std::string line; std::getline(stream, line);) {
      INFO(file << ": " << line);
      CHECK((file == "cli/main.cpp" || file == "cli/reactor.cpp" || line.find("system_clock") == std::string::npos));
    }
  }
}
