#include "cli/progress.h"

#include <catch2/catch.hpp>

using previct::cli::progress_words;

TEST_CASE("progress is one line that fits, whatever the input is called") {
  CHECK(progress_words("a/busy-gpu.yaml", 81'400'000, 138'900'000, 80) == "reading a/busy-gpu.yaml  81/138 MB  58%");
  // The last column stays free; of 39 columns 38 are used: then the name without its directory, and none.
  CHECK(progress_words("a/busy-gpu.yaml", 81'400'000, 138'900'000, 39) == "reading busy-gpu.yaml  81/138 MB  58%");
  CHECK(progress_words("a/busy-gpu.yaml", 81'400'000, 138'900'000, 20) == "reading  81/138 MB  58%");
  CHECK(progress_words("-", 5'000'000, 0, 80) == "reading -  5 MB");
  CHECK(progress_words("\x1b[2J", 0, 0, 80) == "reading \\x1b[2J  0 MB");
}
