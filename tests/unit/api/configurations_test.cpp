#include "api/configurations.h"

#include "api/load.h"
#include "support/input.h"

#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>

#include <unistd.h>

using namespace previct;

namespace {

class TextFile {
 public:
  explicit TextFile(const std::string& text)
      : path_(std::filesystem::temp_directory_path() / ("previct-configurations-" + std::to_string(::getpid()) + ".yaml")) {
    std::ofstream(path_) << text;
  }
  TextFile(const TextFile&) = delete;
  auto operator=(const TextFile&) -> TextFile& = delete;
  ~TextFile() { std::filesystem::remove(path_); }
  [[nodiscard]] auto path() const -> std::string { return path_; }

 private:
  std::filesystem::path path_;
};

constexpr const char* kNode = "apiVersion: v1\nkind: Node\nmetadata: {name: a}\n";
constexpr const char* kScheduler = "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n";
constexpr const char* kQueues = "partitions:\n- name: default\n";

}  // namespace

TEST_CASE("configurations among objects are taken as such, with their lines", "[load]") {
  // The node takes lines 1 to 3, its separator 4, the scheduler's document 5 and 6, the next separator 7.
  const TextFile file(std::string(kNode) + "---\n" + kScheduler + "---\n" + kQueues);
  Objects objects;
  const auto found = load({file.path()}, {}, objects);
  REQUIRE(found);
  CHECK(objects.nodes.size() == 1);
  REQUIRE(found->scheduler_config);
  CHECK(found->scheduler_config->bytes == "\n\n\n\n" + std::string(kScheduler));
  REQUIRE(found->yunikorn_config);
  CHECK(found->yunikorn_config->bytes == "\n\n\n\n\n\n\n" + std::string(kQueues));
  CHECK_FALSE(found->assumptions);
}

TEST_CASE("of two configurations of one kind none counts, with a warning", "[load]") {
  const TextFile file(std::string(kScheduler) + "---\n" + kScheduler + "---\n" + kNode);
  Objects objects;
  const auto found = load({file.path()}, {}, objects);
  REQUIRE(found);
  CHECK_FALSE(found->scheduler_config);
  REQUIRE(objects.diagnostics.sorted().size() == 1);
  CHECK(objects.diagnostics.sorted()[0].place.line == 4);
}

TEST_CASE("a later configuration takes the place of an earlier one of its kind alone", "[load]") {
  Configurations configurations{.scheduler_config = ConfigFile{{}, "a"}, .yunikorn_config = ConfigFile{{}, "b"}, .assumptions = {}};
  configurations.replace_by({.scheduler_config = ConfigFile{{}, "c"}, .yunikorn_config = {}, .assumptions = {}});
  CHECK(configurations.scheduler_config->bytes == "c");
  CHECK(configurations.yunikorn_config->bytes == "b");
}
