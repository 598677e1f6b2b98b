#include "lint/rules_page.h"

#include "lint/rule.h"
#include "support/generated_page.h"

#include <catch2/catch.hpp>

using namespace previct::lint;

TEST_CASE("docs/rules.md: is the catalogue", "[lint][manual]") {
  const std::string page = rules_page();
  previct::test::check_generated_page("rules.md", page);
  for (const Rule* rule : rules()) CHECK(page.find("\n### " + std::string(rule->id) + "\n") != std::string::npos);
}
