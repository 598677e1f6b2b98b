#include "cli/progress.h"

#include <catch2/catch.hpp>

using previct::cli::progress_words;

TEST_CASE("progress: one line that fits, whatever the name of the input", "[cli]") {
  CHECK(progress_words("a/busy-gpu.yaml", 81'400'000, 138'900'000, 80) == "reading a/busy-gpu.yaml  81/138 MB  58%");
  // The last column stays free, so 38 of 39 columns are used: then the name without its directory, then no name.
  CHECK(progress_words("a/busy-gpu.yaml", 81'400'000, 138'900'000, 39) == "reading busy-gpu.yaml  81/138 MB  58%");
  CHECK(progress_words("a/busy-gpu.yaml", 81'400'000, 138'900'000, 20) == "reading  81/138 MB  58%");
  CHECK(progress_words("-", 5'000'000, 0, 80) == "reading -  5 MB");
  CHECK(progress_words("\x1b[2J", 0, 0, 80) == "reading \\x1b[2J  0 MB");
}
