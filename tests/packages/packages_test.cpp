// The contents of packages, as far as they can be checked without building one.

#include "support/source.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <yaml-cpp/yaml.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

using previct::test::kSource;
using previct::test::read_all;

namespace {

namespace fs = std::filesystem;

// An installation into a temporary folder.
class Installed {
 public:
  Installed() {
    REQUIRE(mkdtemp(root_.data()) != nullptr);
    const std::string install =
        "DESTDIR='" + root_ + "' cmake --install '" PREVICT_BINARY_DIR "' --prefix /opt/previct > /dev/null";
    REQUIRE(std::system(install.c_str()) == 0);
  }
  Installed(const Installed&) = delete;
  auto operator=(const Installed&) -> Installed& = delete;
  ~Installed() { fs::remove_all(root_); }

  [[nodiscard]] auto operator/(const std::string& path) const -> fs::path {
    return fs::path(root_) / "opt/previct" / path;
  }

 private:
  std::string root_ = (fs::temp_directory_path() / "previct-install-XXXXXX").string();
};

auto said_by(const std::string& command) -> std::string {
  std::FILE* pipe = popen(command.c_str(), "r");
  std::string out;
  char buffer[4096];
  for (std::size_t n = 0; (n = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;) out.append(buffer, n);
  pclose(pipe);
  return out;
}

}  // namespace

TEST_CASE("installation: is complete, and works from its folder", "[packages]") {
  const Installed installed;
  CHECK(said_by((installed / "bin/previct").string() + " --version").starts_with("previct "));
  CHECK(fs::read_symlink(installed / "bin/kubectl-previct") == "previct");
  CHECK(fs::read_symlink(installed / "bin/kubectl_complete-previct") == "previct");
  CHECK(said_by((installed / "bin/kubectl_complete-previct").string() + " expl").starts_with("explain\t"));

  const auto same = [&](const std::string& there, const std::string& here) {
    INFO(there);
    CHECK(fs::exists(installed / there));
    CHECK((read_all(installed / there) == read_all(kSource / here)));
  };
  same("share/bash-completion/completions/previct", "completions/previct.bash");
  same("share/zsh/site-functions/_previct", "completions/previct.zsh");
  same("share/fish/vendor_completions.d/previct.fish", "completions/previct.fish");
  for (const char* text : {"README.md", "CHANGELOG.md", "SECURITY.md", "LICENSE"}) {
    same(std::string("share/doc/previct/") + text, text);
  }
  for (const auto& page : fs::directory_iterator(kSource / "man")) {
    const std::string name = page.path().filename().string();
    same("share/man/man" + name.substr(name.size() - 1) + '/' + name, "man/" + name);
  }
  for (const auto& schema : fs::directory_iterator(kSource / "schema")) {
    const std::string name = schema.path().filename().string();
    if (schema.path().extension() == ".json") same("share/previct/schema/" + name, "schema/" + name);
  }
}

TEST_CASE("bill of materials: names every library that is linked, and no other", "[packages]") {
  // It omits the C and C++ runtime, which every program has; libresolv is part of the sanitizers.
  const std::string runtime = R"(libstdc\+\+|libm|libgcc_s|libc|ld-linux|libresolv)";
  const YAML::Node bill = YAML::LoadFile(std::string(PREVICT_BINARY_DIR) + "/previct.spdx.json");
  CHECK(bill["spdxVersion"].as<std::string>() == "SPDX-2.3");
  std::string names;
  for (const auto& package : bill["packages"]) {
    names += package["name"].as<std::string>() + ' ';
    INFO(names);
    CHECK(!package["versionInfo"].as<std::string>().empty());
    CHECK(!package["licenseDeclared"].as<std::string>().empty());
  }
  CHECK(bill["relationships"].size() == bill["packages"].size());
  std::size_t rows = 0;
  for (const auto& each : bill["relationships"]) {
    if (each["relationshipType"].as<std::string>() == "DYNAMIC_LINK") ++rows;
  }

  std::size_t libraries = 0;
  const std::string linked =
      said_by("readelf -dW '" PREVICT_BINARY_DIR "/previct' | sed -n 's/.*NEEDED.*\\[\\(.*\\)\\]/\\1/p'");
  std::istringstream lines(linked);
  for (std::string library; std::getline(lines, library);) {
    if (std::regex_search(library, std::regex("^(" + runtime + ")[.-]"))) continue;
    ++libraries;
    // libyaml-0.so.2 is libyaml, from the letters after `lib`; two libraries have other names.
    const std::string stem = library.substr(3, library.find_first_of(".-", 3) - 3);
    const std::string known = stem == "z" ? "zlib" : stem == "bz2" ? "bzip2" : stem;
    INFO(library << " is in no row of cmake/sbom.cmake");
    CHECK(names.find(known) != std::string::npos);
  }
  CHECK(libraries == rows);
}

namespace {

// A folder with an archive for each target, and what manifests.cmake writes there. The targets are those that
// `make cross` builds, and the static program for Linux on amd64.
class Released {
 public:
  Released() {
    REQUIRE(mkdtemp(folder_.data()) != nullptr);
    const std::string release = read_all(kSource / "cmake/project.cmake");
    std::smatch found;
    REQUIRE(std::regex_search(release, found, std::regex(R"(PREVICT_RELEASE ([\d.]+)\))")));
    version_ = found[1].str();
    std::vector<std::string> targets = {"linux-amd64"};
    for (const auto& file : fs::directory_iterator(kSource / "cmake/cross")) {
      const std::string target = file.path().stem().string();
      const bool is_target = file.path().extension() == ".cmake" && target.find('-') != std::string::npos;
      if (is_target && target != "wasm32-wasi") targets.push_back(target);
    }
    for (const std::string& target : targets) {
      const std::string named = std::regex_replace(target, std::regex("macos"), "darwin");
      const std::string ending = named.starts_with("windows") ? ".zip" : ".tar.gz";
      archives_.push_back("previct-" + version_ + '-' + named + ending);
      std::ofstream(fs::path(folder_) / archives_.back()) << target;
    }
    REQUIRE(fill() == 0);
  }
  Released(const Released&) = delete;
  auto operator=(const Released&) -> Released& = delete;
  ~Released() { fs::remove_all(folder_); }

  [[nodiscard]] auto fill() const -> int {
    const std::string script = (kSource / "cmake/manifests/manifests.cmake").string();
    return std::system(("cmake -D FOLDER='" + folder_ + "' -P '" + script + "' 2> /dev/null").c_str());
  }
  [[nodiscard]] auto operator/(const std::string& name) const -> fs::path { return fs::path(folder_) / name; }
  [[nodiscard]] auto version() const -> const std::string& { return version_; }
  [[nodiscard]] auto archives() const -> const std::vector<std::string>& { return archives_; }
  [[nodiscard]] auto address_of(const std::string& archive) const -> std::string {
    return "https://github.com/previct/previct/releases/download/v" + version_ + '/' + archive;
  }
  [[nodiscard]] auto sum_of(const std::string& archive) const -> std::string {
    return said_by("sha256sum '" + (*this / archive).string() + "'").substr(0, 64);
  }

 private:
  std::string folder_ = (fs::temp_directory_path() / "previct-released-XXXXXX").string();
  std::string version_{};
  std::vector<std::string> archives_{};
};

}  // namespace

TEST_CASE("krew manifest: follows krew's rules, and names every archive", "[packages]") {
  const Released released;
  const YAML::Node manifest = YAML::LoadFile((released / "previct.yaml").string());
  CHECK(manifest["apiVersion"].as<std::string>() == "krew.googlecontainertools.github.com/v1alpha2");
  CHECK(manifest["kind"].as<std::string>() == "Plugin");
  const auto name = manifest["metadata"]["name"].as<std::string>();
  CHECK(std::regex_match(name, std::regex("[a-z0-9]+(-[a-z0-9]+)*")));
  CHECK(name.find("kube") == std::string::npos);
  const YAML::Node spec = manifest["spec"];
  CHECK(std::regex_match(spec["version"].as<std::string>(), std::regex(R"(v\d+\.\d+\.\d+)")));
  const auto summary = spec["shortDescription"].as<std::string>();
  CHECK(summary.size() <= 60);
  CHECK(!std::regex_search(summary, std::regex("kubectl|plugin|krew", std::regex::icase)));
  CHECK(summary.back() != '.');
  CHECK(spec["homepage"].as<std::string>().starts_with("https://"));
  CHECK(!spec["description"].as<std::string>().empty());
  CHECK(spec["version"].as<std::string>() == "v" + released.version());
  std::map<std::string, std::string> sums;
  for (const auto& platform : spec["platforms"]) {
    const auto address = platform["uri"].as<std::string>();
    INFO(address);
    sums[address] = platform["sha256"].as<std::string>();
    const YAML::Node labels = platform["selector"]["matchLabels"];
    const auto system = labels["os"].as<std::string>();
    CHECK(address.find('-' + system + '-' + labels["arch"].as<std::string>() + '.') != std::string::npos);
    const std::string program = system == "windows" ? "previct.exe" : "previct";
    CHECK(platform["bin"].as<std::string>() == program);
    CHECK(platform["files"][0]["from"].as<std::string>().ends_with("/bin/" + program));
    CHECK(platform["files"][1]["from"].as<std::string>().ends_with("/LICENSE"));
  }
  CHECK(sums.size() == released.archives().size());
  for (const std::string& archive : released.archives()) {
    CHECK(sums[released.address_of(archive)] == released.sum_of(archive));
  }
}

TEST_CASE("Homebrew formula, Scoop manifest: each address is followed by the checksum of its archive", "[packages]") {
  const Released released;
  const std::string formula = read_all(released / "previct.rb");
  const std::string scoop = read_all(released / "previct.json");
  for (const std::string& archive : released.archives()) {
    INFO(archive);
    const bool windows = archive.ends_with(".zip");
    const std::string& text = windows ? scoop : formula;
    const std::size_t at = text.find('"' + released.address_of(archive) + '"');
    REQUIRE(at != std::string::npos);
    const std::string key = windows ? "\"hash\": " : "sha256 ";
    CHECK(text.substr(text.find(key, at) + key.size() + 1, 64) == released.sum_of(archive));
  }
  for (const std::string& text : {formula, scoop}) CHECK(text.find('@') == std::string::npos);
  const nlohmann::json manifest = nlohmann::json::parse(scoop);
  CHECK(manifest["version"] == released.version());
  CHECK(manifest["bin"][0] == "bin\\previct.exe");
  CHECK(manifest["bin"][1] == nlohmann::json({"bin\\previct.exe", "kubectl-previct"}));
}

TEST_CASE("Homebrew formula: installs files that an archive has", "[packages]") {
  const Released released;
  const Installed installed;
  const std::string formula = read_all(released / "previct.rb");
  const std::regex path(R"re("((?:bin|share)/[^"]+)")re");
  std::size_t paths = 0;
  for (std::sregex_iterator at(formula.begin(), formula.end(), path); at != std::sregex_iterator(); ++at, ++paths) {
    const std::string named = (*at)[1].str();
    INFO(named);
    CHECK(fs::exists(installed / (named.ends_with("/*") ? named.substr(0, named.size() - 2) : named)));
  }
  CHECK(paths == 9);
}

TEST_CASE("manifests: are not written if an archive is missing", "[packages]") {
  const Released released;
  for (const std::string& archive : released.archives()) {
    INFO(archive);
    fs::rename(released / archive, released / "away");
    CHECK(released.fill() != 0);
    fs::rename(released / "away", released / archive);
  }
  CHECK(released.fill() == 0);
}
