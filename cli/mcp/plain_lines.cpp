#include "cli/mcp/plain_lines.h"

#include "cli/mcp/json_rpc.h"

#include <utility>

namespace previct::cli::mcp {
namespace {

auto taken(Json& from, const char* key) -> Json {
  Json value = from.value(key, Json());
  from.erase(key);
  return value;
}

}  // namespace

auto is_plain(std::string_view line) -> bool {
  const Json json = parsed(line);
  return json.is_object() && json.contains("tool") && !json.contains("jsonrpc");
}

auto request_of(std::string_view line, std::uint64_t number) -> std::optional<std::string> {
  Json question = parsed(line);
  if (!question.is_object()) return {};
  Json id = taken(question, "id");
  if (!is_id(id)) id = number;
  Json tool = taken(question, "tool");
  Json params = {{"name", std::move(tool)}, {"arguments", std::move(question)}};
  return request_line(id, "tools/call", std::move(params));
}

auto plain_line(std::string_view message) -> std::string {
  const Json json = Json::parse(message, nullptr, false);
  Json line = {{"id", json.value("id", Json())}};
  const Json result = json.value("result", Json::object());
  if (const auto error = json.find("error"); error != json.end()) {
    line["error"] = error->at("message");
  } else if (result.value("isError", false)) {
    line["error"] = result.at("content").at(0).at("text");
  } else {
    line.update(result.value("structuredContent", Json::object()));
  }
  return line_of(line);
}

}  // namespace previct::cli::mcp
