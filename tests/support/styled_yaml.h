#pragma once

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>

namespace previct::test {

/// Writes values as YAML in random styles, as people and many tools write them: block and flow style, lists indented or
/// not, with or without quotes, texts on several lines, comments, blanks.
class StyledYaml {
 public:
  explicit StyledYaml(std::uint32_t seed) : random_(seed) {}

  [[nodiscard]] auto document(const nlohmann::ordered_json& value) -> std::string;

 private:
  [[nodiscard]] auto below(std::size_t n) -> std::size_t { return random_() % n; }
  /// Writes what follows a colon or a dash.
  void value(const nlohmann::ordered_json& value, std::size_t column, bool behind_key);
  void map(const nlohmann::ordered_json& value, std::size_t column, bool begun);
  void list(const nlohmann::ordered_json& value, std::size_t column, bool begun);
  void flow(const nlohmann::ordered_json& value, std::size_t column);
  void scalar(const nlohmann::ordered_json& value, std::size_t column, bool flow);
  void text_lines(const std::string& text, std::size_t column);
  void key(const std::string& text);
  void end_line();
  void blanks(std::size_t n) { out_.append(n, ' '); }

  std::mt19937 random_;
  std::string out_;
};

}  // namespace previct::test
