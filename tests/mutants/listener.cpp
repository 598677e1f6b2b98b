// Records which mutants each test reaches, and each case of the real schedulers, so that only those need to run for a
// mutant. Linked into the tests by tests/mutants/mutate.py.

#include "mutants.h"

#define CATCH_CONFIG_EXTERNAL_INTERFACES
#include <catch2/catch.hpp>

#include <string>
#include <string_view>

namespace {

class Meetings : public Catch::TestEventListenerBase {
 public:
  using TestEventListenerBase::TestEventListenerBase;

  // In tests/golden/golden_test.cpp, the first line of a case's message is its folder.
  auto assertionEnded(const Catch::AssertionStats& stats) -> bool override {
    const std::string_view file = stats.assertionResult.getSourceInfo().file;
    if (file.ends_with("golden_test.cpp") && !stats.infoMessages.empty()) {
      const std::string& said = stats.infoMessages.back().message;
      previct::mutants::state.met_by("case", said.substr(0, said.find('\n')).c_str());
    }
    return true;
  }

  void testCaseEnded(const Catch::TestCaseStats& stats) override {
    previct::mutants::state.met_by("test", stats.testInfo.name.c_str());
  }
};

}  // namespace

CATCH_REGISTER_LISTENER(Meetings)
