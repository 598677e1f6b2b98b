#include "base/pool.h"

#include <catch2/catch.hpp>

#include <cstdint>
#include <cstring>
#include <numeric>
#include <set>
#include <thread>

using namespace previct;

namespace {

auto is_aligned(const void* block) -> bool {
  return reinterpret_cast<std::uintptr_t>(block) % Pool::kAlignment == 0;
}

}  // namespace

TEST_CASE("pool: blocks of any size do not overlap") {
  struct Block {
    unsigned char* at;
    std::size_t size;
  };
  std::vector<Block> blocks;
  for (std::size_t size = 1; size <= 3000; size += size < 200 ? 1 : 97) {
    auto* const at = static_cast<unsigned char*>(Pool::take(size));
    REQUIRE(is_aligned(at));
    std::memset(at, static_cast<int>(size % 251), size);
    blocks.push_back({at, size});
  }
  for (const Block& block : blocks) {
    bool whole = true;
    for (std::size_t i = 0; i < block.size; ++i) whole = whole && block.at[i] == block.size % 251;
    CHECK(whole);
    Pool::give(block.at, block.size);
  }
}

TEST_CASE("pool: blocks freed by one thread can be reused and freed by others") {
  constexpr std::size_t kBlocks = 5000;
  constexpr std::size_t kSize = 48;
  std::vector<void*> blocks;
  std::thread([&] {
    for (std::size_t i = 0; i < kBlocks; ++i) blocks.push_back(Pool::take(kSize));
  }).join();
  CHECK(std::set<void*>(blocks.begin(), blocks.end()).size() == kBlocks);
  std::vector<std::thread> threads;
  for (std::size_t half = 0; half < 2; ++half) {
    threads.emplace_back([&, half] {
      for (std::size_t i = half; i < kBlocks; i += 2) Pool::give(blocks[i], kSize);
      std::set<void*> mine;
      for (std::size_t i = 0; i < kBlocks; ++i) mine.insert(Pool::take(kSize));
      if (mine.size() != kBlocks) std::abort();
      for (void* const block : mine) Pool::give(block, kSize);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST_CASE("pool: a growing list keeps its elements") {
  std::vector<std::uint64_t> list(100);
  std::iota(list.begin(), list.end(), 0);
  reserve_with_large_pages(list, 1'000'000);
  CHECK(list.capacity() >= 1'000'000);
  while (list.size() < 1'000'000) list.push_back(list.size());
  reserve_with_large_pages(list);
  CHECK(list.capacity() > list.size());
  list.push_back(list.size());
  bool whole = true;
  for (std::size_t i = 0; i < list.size(); ++i) whole = whole && list[i] == i;
  CHECK(whole);
}

TEST_CASE("pool: a piece that holds a large page is aligned to it") {
  CHECK(piece_of(100) != nullptr);
  const Piece piece = piece_of(kLargePage + 1);
  CHECK(reinterpret_cast<std::uintptr_t>(piece.get()) % kLargePage == 0);
  std::memset(piece.get(), 1, 2 * kLargePage);  // rounded up
}
