#pragma once

#include <cstddef>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

/// Compares the ways to read a dump. The general path is the reference, because it is compared with other parsers and
/// with what Kubernetes' own loader reads.
namespace previct::test {

struct Compared {
  bool fast = false;       ///< the fast path read the text
  bool read = false;       ///< the general path read the text
  std::string difference;  ///< empty: none
};

/// Reads `text` both ways, at first through windows of `window` bytes.
[[nodiscard]] auto compared(std::string_view text, std::size_t window = 4096) -> Compared;

/// Generates dumps from the items of others, and breaks some of them.
class DumpMaker {
 public:
  explicit DumpMaker(std::uint32_t seed);

  /// Returns a list as kubectl prints it: one or two items of fixtures, up to three times each, with up to three
  /// changes: bytes, words with a meaning in the format, blanks, whole lines, values of the emitter battery.
  [[nodiscard]] auto yaml() -> std::string;

  /// Returns the same in JSON: as kubectl prints it, on one line, typed as the API server answers, or one object per
  /// line.
  [[nodiscard]] auto json() -> std::string;

  /// Makes one change to a text in either format.
  void change(std::string& text);

 private:
  [[nodiscard]] auto below(std::size_t n) -> std::size_t { return random_() % n; }
  [[nodiscard]] auto list() -> std::string;
  std::mt19937 random_;
  std::vector<std::string> items_;
  std::vector<std::string> scalars_;
};

}  // namespace previct::test
