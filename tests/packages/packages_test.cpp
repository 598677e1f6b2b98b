// The contents of packages, as far as they can be checked without building one.

#include "support/source.h"

#include <catch2/catch.hpp>
#include <yaml-cpp/yaml.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <string>

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

TEST_CASE("krew manifest: follows krew's rules", "[packages]") {
  std::string folder = (fs::temp_directory_path() / "previct-krew-XXXXXX").string();
  REQUIRE(mkdtemp(folder.data()) != nullptr);
  const std::string release = read_all(kSource / "cmake/project.cmake");
  std::smatch version;
  REQUIRE(std::regex_search(release, version, std::regex(R"(PREVICT_RELEASE ([\d.]+)\))")));
  std::ofstream(fs::path(folder) / ("previct-" + version[1].str() + "-linux-amd64.tar.gz")) << "abc";
  const std::string fill = "cmake -D FOLDER='" + folder + "' -P '" + (kSource / "cmake/krew.cmake").string() + "'";
  REQUIRE(std::system(fill.c_str()) == 0);
  const YAML::Node manifest = YAML::LoadFile(folder + "/previct.yaml");
  fs::remove_all(folder);
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
  CHECK(spec["version"].as<std::string>() == "v" + version[1].str());
  REQUIRE(spec["platforms"].size() == 1);
  // The digest of "abc", from FIPS 180-2.
  CHECK(spec["platforms"][0]["sha256"].as<std::string>() ==
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(spec["platforms"][0]["uri"].as<std::string>().find("/releases/download/v" + version[1].str() + "/") !=
        std::string::npos);
  for (const auto& platform : spec["platforms"]) {
    CHECK(platform["uri"].as<std::string>().ends_with(".tar.gz"));
    CHECK(platform["bin"].as<std::string>() == "previct");
    CHECK(platform["selector"]["matchLabels"]["os"].as<std::string>() == "linux");
    bool licence = false;
    for (const auto& file : platform["files"])
      licence = licence || file["from"].as<std::string>().ends_with("/LICENSE");
    CHECK(licence);
  }
}
