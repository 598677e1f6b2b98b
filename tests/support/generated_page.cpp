#include "support/generated_page.h"

#include <catch2/catch.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace previct::test {

void check_generated_page(std::string_view name, const std::string& page) {
  const auto path = std::filesystem::path(PREVICT_SOURCE_DIR) / "docs" / name;
  if (std::getenv("PREVICT_UPDATE") != nullptr) std::ofstream(path, std::ios::binary) << page;
  std::ifstream file(path, std::ios::binary);
  const std::string there{std::istreambuf_iterator<char>(file), {}};
  INFO("docs/" << name << " differs from the catalogue: PREVICT_UPDATE=1 unit_tests \"[manual]\" writes it");
  CHECK((there == page));
}

}  // namespace previct::test
