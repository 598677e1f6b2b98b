// Runs every fuzz target with its corpus and with mutants of it, the same ones in every run. PREVICT_FUZZ_RUNS sets the
// number of mutants, PREVICT_FUZZ_SEED selects others.

#include "fuzz/fuzz.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <vector>

namespace previct::fuzz {
namespace {

struct Target {
  const char* name;
  void (*run)(std::string_view);
  std::size_t runs;  // takes about a second
};
constexpr std::array kTargets = {Target{"capture", capture, 2000},
                                 Target{"cluster", cluster, 300},
                                 Target{"container", container, 5000},
                                 Target{"json", json, 5000},
                                 Target{"quantity", quantity, 20000},
                                 Target{"queues", queues, 1000},
                                 Target{"scheduler_config", scheduler_config, 500},
                                 Target{"selector", selector, 20000},
                                 Target{"time", time, 20000},
                                 Target{"written_files", written_files, 1000},
                                 Target{"yaml", yaml, 3000}};

auto corpus_of(const std::string& name) -> std::vector<std::string> {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(PREVICT_SOURCE_DIR "/tests/fuzz/corpus/" + name))
    paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> texts = {""};
  for (const auto& path : paths) {
    std::ifstream file(path, std::ios::binary);
    texts.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  return texts;
}

auto setting(const char* name, std::size_t usual) -> std::size_t {
  const char* const text = std::getenv(name);
  return text == nullptr ? usual : static_cast<std::size_t>(std::atoll(text));
}

/// Changes a text at random places: bytes, and pieces that are doubled, dropped or copied from another text.
class Mutator {
 public:
  Mutator(const std::vector<std::string>& corpus, std::size_t seed)
      : corpus_(corpus), random_(static_cast<std::uint32_t>(seed)) {}

  auto next() -> std::string {
    std::string text = any();
    for (std::size_t n = 1 + below(4); n > 0; --n) change(text);
    return text;
  }

 private:
  auto below(std::size_t n) -> std::size_t { return n == 0 ? 0 : random_() % n; }
  auto any() -> const std::string& { return corpus_[below(corpus_.size())]; }

  void change(std::string& text) {
    constexpr std::string_view kTelling = "\n\t :-{}[],\"'#&*!|>%@`0123456789.eEiKMGm+\\\0\xff\xc3nullyestrue";
    const std::size_t at = below(text.size() + 1);
    const std::size_t size = below(std::min<std::size_t>(text.size() - at, 32) + 1);
    const std::string& other = any();
    const std::size_t from = below(other.size() + 1);
    switch (below(7)) {
      case 0: text.insert(at, 1, static_cast<char>(below(256))); break;
      case 1: text.insert(at, 1, kTelling[below(kTelling.size())]); break;
      case 2:
        if (at < text.size()) text[at] = kTelling[below(kTelling.size())];
        break;
      case 3: text.erase(at, size); break;
      case 4: text.insert(at, text.substr(at, size)); break;
      case 5: text.insert(at, other.substr(from, below(64))); break;
      default:
        if (at < text.size()) text[at] = static_cast<char>(text[at] ^ (1 << below(8)));
        break;
    }
    if (text.size() > std::size_t{64} << 10U) text.resize(std::size_t{64} << 10U);
  }

  const std::vector<std::string>& corpus_;
  std::mt19937 random_;
};

auto shown(const std::string& text) -> std::string {
  std::string out;
  for (const char c : text) {
    const bool plain = c >= ' ' && c < '\x7f' && c != '\\';
    constexpr std::string_view kDigits = "0123456789abcdef";
    const auto value = static_cast<unsigned char>(c);
    out += plain ? std::string(1, c) : std::string("\\x") + kDigits[value / 16U] + kDigits[value % 16U];
  }
  return out;
}

void run(const Target& target, const std::string& text) {
  INFO(target.name << ": " << shown(text));
  CHECK_NOTHROW(target.run(text));
}

}  // namespace

TEST_CASE("fuzz targets: their invariants hold for the corpus and for mutants of it", "[fuzz]") {
  const char* const only = std::getenv("PREVICT_FUZZ_ONLY");
  for (const Target& target : kTargets) {
    if (only != nullptr && std::string_view(only) != target.name) continue;
    const std::vector<std::string> corpus = corpus_of(target.name);
    for (const std::string& text : corpus) run(target, text);
    Mutator mutator(corpus, setting("PREVICT_FUZZ_SEED", 1));
    for (std::size_t n = setting("PREVICT_FUZZ_RUNS", target.runs); n > 0; --n) run(target, mutator.next());
  }
}

}  // namespace previct::fuzz
