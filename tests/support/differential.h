#pragma once

#include <cstddef>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

/// Comparison of the ways to read a dump: the general path is the reference, since it is compared with other parsers
/// and with what Kubernetes' own loader reads.
namespace previct::test {

struct Compared {
  bool fast = false;       ///< the fast path read it
  bool read = false;       ///< the general path did
  std::string difference;  ///< empty: none
};

/// Reads `text` both ways, through windows of `window` bytes at first.
[[nodiscard]] auto compared(std::string_view text, std::size_t window = 4096) -> Compared;

/// Makes dumps out of the items of others, and breaks some of them.
class DumpMaker {
 public:
  explicit DumpMaker(std::uint32_t seed);

  /// A list as kubectl prints it: one or two items of fixtures, up to three times each, with up to three changes:
  /// bytes, words that mean something in the format, blanks, whole lines, values of the emitter battery.
  [[nodiscard]] auto yaml() -> std::string;

  /// The same in JSON: as kubectl prints it, on one line, typed as the API server answers, or objects one a line.
  [[nodiscard]] auto json() -> std::string;

  /// One change of a text in either.
  void change(std::string& text);

 private:
  [[nodiscard]] auto below(std::size_t n) -> std::size_t { return random_() % n; }
  [[nodiscard]] auto list() -> std::string;
  std::mt19937 random_;
  std::vector<std::string> items_;
  std::vector<std::string> scalars_;
};

}  // namespace previct::test
