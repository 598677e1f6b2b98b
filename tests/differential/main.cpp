// Reads generated and broken dumps both ways, and stops at the first difference: `differential [COUNT [SEED]]`.
#define CATCH_CONFIG_RUNNER
#include "support/differential.h"
#include "support/workloads.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <cstdlib>
#include <fstream>

namespace {
std::size_t count = 100'000;
std::uint32_t seed = 1;
}  // namespace

TEST_CASE("dump readers: the fast and the general path agree") {
  previct::test::DumpMaker maker(seed);
  previct::test::WorkloadMaker workloads(seed, true);
  std::size_t fast = 0;
  std::size_t read = 0;
  for (std::size_t i = 0; i < count; ++i) {
    // Some lists are long, because the reader remembers some things only for many pods.
    const std::size_t pods = i % 500 == 1 ? 400 : 1 + i % 7;
    const std::string text = i % 4 == 1 ? workloads.list(pods) : i % 2 == 0 ? maker.yaml() : maker.json();
    const auto result = previct::test::compared(text, i % 3 == 0 ? 512 : 65536);
    fast += result.fast ? 1 : 0;
    read += result.read ? 1 : 0;
    if (!result.difference.empty()) {
      std::ofstream("differential.yaml", std::ios::binary) << text;
      FAIL("document " << i << ", kept in differential.yaml: " << result.difference);
    }
  }
  fmt::print("{} documents, {} read by the general path, {} of them by the fast one, no difference\n", count, read,
             fast);
}

auto main(int argc, char** argv) -> int {
  if (argc > 1) count = std::strtoull(argv[1], nullptr, 10);
  if (argc > 2) seed = static_cast<std::uint32_t>(std::strtoul(argv[2], nullptr, 10));
  return Catch::Session().run();
}
