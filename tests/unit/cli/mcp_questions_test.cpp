#include "support/mcp_client.h"
#include "support/source.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

using namespace previct;  // NOLINT: a test

namespace {

// The paths of the fixtures are relative to their folder.
auto with_folder(Json arguments) -> Json {
  for (const char* key : {"input", "paths", "with", "scheduler_config"}) {
    if (!arguments.contains(key)) continue;
    if (arguments[key].is_string()) {
      arguments[key] = test::kFixtures + "/" + arguments[key].get<std::string>();
    } else {
      for (Json& path : arguments[key]) path = test::kFixtures + "/" + path.get<std::string>();
    }
  }
  return arguments;
}

// Also those that the first answer does not show, page by page.
auto victims_of(const Json& content, const Json& question, test::McpClient& client) -> std::vector<std::string> {
  Json victims = content.at("answer").value("victims", Json::array());
  for (const Json& more : content.value("more", Json::array())) {
    while (more.at("page") == "/victims" && victims.size() < more.at("total").get<std::size_t>()) {
      Json arguments = with_folder(question.at("arguments"));
      arguments["page"] = "/victims";
      arguments["offset"] = victims.size();
      const Json page = client.call(question.at("tool"), arguments).at("structuredContent").at("items");
      REQUIRE(!page.empty());
      victims.insert(victims.end(), page.begin(), page.end());
    }
  }
  std::vector<std::string> names;
  for (const Json& victim : victims)
    names.push_back(victim.at("pod").at("namespace").get<std::string>() + "/" +
                    victim.at("pod").at("name").get<std::string>());
  std::sort(names.begin(), names.end());
  return names;
}

void check(const Json& question, const Json& content, test::McpClient& client) {
  const Json& expected = question.at("expect");
  const Json verdict = content.at("answer").value("verdict", Json::object());
  if (expected.contains("outcome")) CHECK(verdict.at("outcome") == expected.at("outcome"));
  if (expected.contains("node")) CHECK(verdict.at("node") == expected.at("node"));
  if (expected.contains("victims")) CHECK(Json(victims_of(content, question, client)) == expected.at("victims"));
  const std::string summary = content.at("summary");
  for (const Json& words : expected.value("says", Json::array()))
    CHECK(summary.find(words.get<std::string>()) != std::string::npos);
}

}  // namespace

// fixtures/agents/questions.jsonl says where each expected value comes from.
TEST_CASE("mcp: questions of operators get the right answers, each in at most 8 KB", "[mcp]") {
  std::istringstream lines(test::read_all(std::filesystem::path(test::kFixtures) / "agents/questions.jsonl"));
  test::McpClient client;
  int count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    const Json each = Json::parse(line);
    INFO(each.at("question"));
    const std::string request = test::McpClient::request_for(each.at("tool"), with_folder(each.at("arguments")));
    const std::vector<std::string> answers = client.lines_for({request});
    REQUIRE(answers.size() == 1);
    CHECK(answers[0].size() <= 8192);
    const Json result = Json::parse(answers[0]).at("result");
    INFO(result.at("content").at(0).at("text"));
    REQUIRE(result.at("isError") == false);
    check(each, result.at("structuredContent"), client);
  }
  CHECK(count == 40);
}
