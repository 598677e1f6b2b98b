#include "lint/rules_page.h"

#include "lint/rule.h"

#include <catch2/catch.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

using namespace previct::lint;

TEST_CASE("docs/rules.md is the catalogue", "[lint][manual]") {
  const auto path = std::filesystem::path(PREVICT_SOURCE_DIR) / "docs" / "rules.md";
  const std::string page = rules_page();
  if (std::getenv("PREVICT_UPDATE") != nullptr) std::ofstream(path, std::ios::binary) << page;
  std::ifstream file(path, std::ios::binary);
  const std::string there{std::istreambuf_iterator<char>(file), {}};
  INFO("docs/rules.md differs from the rules: PREVICT_UPDATE=1 unit_tests \"[manual]\" writes it");
  CHECK((there == page));
  for (const Rule* rule : rules()) CHECK(page.find("\n### " + std::string(rule->id) + "\n") != std::string::npos);
}
