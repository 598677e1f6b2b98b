#include "cli/run.h"

#include "cli/exit_codes.h"

#include <catch2/catch.hpp>

#include <new>
#include <stdexcept>

using namespace previct;

TEST_CASE("run: an unexpected exception ends the program, and is reported as a bug of previct", "[cli]") {
  CHECK(cli::run({"previct", "version"}, []() -> Instant { throw std::runtime_error("made by a test"); }) == cli::kBug);
  CHECK(cli::run({"previct", "version"}, []() -> Instant { throw std::bad_alloc(); }) == cli::kNotAnswered);
}
