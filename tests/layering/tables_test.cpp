// A column is described once: its heading, its cells and its key in JSON stand in one place (report/rows.h).

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <functional>
#include <regex>
#include <set>
#include <string>

namespace {

namespace fs = std::filesystem;

// Calls `each` for the lines of the program outside of src/report, where tables are laid out.
void each_line(const std::function<void(const std::string& place, const std::string& line)>& each) {
  const fs::path root = PREVICT_SOURCE_DIR;
  for (const char* folder : {"src", "cli"}) {
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
      const std::string ending = entry.path().extension().string();
      const std::string file = entry.path().lexically_relative(root).generic_string();
      const bool lays_out = file.starts_with("src/report/") && !file.starts_with("src/report/formats/");
      if ((ending != ".h" && ending != ".cpp") || lays_out) continue;
      std::ifstream stream(entry.path());
      std::size_t number = 0;
      for (std::string line; std::getline(stream, line);) each(file + ":" + std::to_string(++number), line);
    }
  }
}

// The names of all properties of a schema.
void add_properties(const nlohmann::json& schema, std::set<std::string>& names) {
  if (!schema.is_structured()) return;
  if (schema.is_object() && schema.contains("properties")) {
    for (const auto& [name, of] : schema["properties"].items()) names.insert(name);
  }
  for (const auto& each : schema) add_properties(each, names);
}

}  // namespace

TEST_CASE("tables: no table is written as a list of headings and lists of cells", "[layering]") {
  const std::regex positional(
      R"(\bTable(\s+\w+)?\{\s*([^}\s]|$)|\btable\.rows\.(push_back|emplace_back|insert)|\.columns\.(push_back|emplace_back|insert|erase|pop_back)|\.columns = \{)");
  CHECK(std::regex_search(R"(  Table table{{{"POD"}, {"NODE"}}, {}, {}};)", positional));
  CHECK(std::regex_search(R"(    table.rows.push_back({{pod}, {node}});)", positional));
  each_line([&](const std::string& place, const std::string& line) {
    if (std::regex_search(line, positional))
      FAIL_CHECK(place << ": describe each column once, with table_of() of report/rows.h");
  });
}

TEST_CASE("tables: the keys of rows are properties of a schema", "[layering]") {
  std::set<std::string> properties;
  for (const auto& entry : fs::directory_iterator(fs::path(PREVICT_SOURCE_DIR) / "schema")) {
    std::ifstream stream(entry.path());
    add_properties(nlohmann::json::parse(stream), properties);
  }
  const std::regex key(R"re(\.key\("(\w+)")re");
  std::size_t keys = 0;
  each_line([&](const std::string& place, const std::string& line) {
    for (std::sregex_iterator at(line.begin(), line.end(), key); at != std::sregex_iterator(); ++at) {
      ++keys;
      const std::string name = (*at)[1];
      if (!properties.contains(name)) FAIL_CHECK(place << ": schema/ has no property " << name);
    }
  });
  CHECK(keys > 100);
}
