#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>

namespace previct::test {

/// Generates the pods of several workloads in turn, as kubectl prints them: pods of one workload have the same fields,
/// and no two pods have the same values.
class WorkloadMaker {
 public:
  /// `odd`: one value in ten may mean something else in YAML, has another type, or takes several lines.
  WorkloadMaker(std::uint32_t seed, bool odd) : random_(seed), odd_(odd) {}

  [[nodiscard]] auto list(std::size_t pods) -> std::string;

 private:
  [[nodiscard]] auto below(std::size_t n) -> std::size_t { return random_() % n; }
  [[nodiscard]] auto pod() -> std::string;
  void container(std::string& out, std::string_view name, std::size_t workload);
  void conditions(std::string& out);
  /// Returns `usual`, or an odd value for this column.
  [[nodiscard]] auto value(std::string usual, std::size_t column) -> std::string;
  [[nodiscard]] auto word() -> std::string;
  [[nodiscard]] auto time() -> std::string;
  [[nodiscard]] auto quantity() -> std::string;

  std::mt19937 random_;
  bool odd_;
};

}  // namespace previct::test
