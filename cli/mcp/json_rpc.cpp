#include "cli/mcp/json_rpc.h"

#include <fmt/format.h>

#include <utility>

namespace previct::cli::mcp {

// Counts brackets outside of texts.
static auto is_nested_too_deep(std::string_view line) -> bool {
  std::size_t depth = 0;
  bool in_text = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (in_text && c == '\\') {
      ++i;
    } else if (c == '"') {
      in_text = !in_text;
    } else if (!in_text && (c == '{' || c == '[')) {
      if (++depth > kMostNested) return true;
    } else if (!in_text && (c == '}' || c == ']') && depth > 0) {
      --depth;
    }
  }
  return false;
}

auto parsed(std::string_view line) -> Json {
  return is_nested_too_deep(line) ? Json(Json::value_t::discarded) : Json::parse(line, nullptr, false);
}

auto line_of(const Json& message) -> std::string {
  return message.dump(-1, ' ', true, Json::error_handler_t::replace);
}

auto is_id(const Json& value) -> bool {
  return value.is_string() || value.is_number_integer();
}

auto request_line(const Json& id, std::string_view method, Json params) -> std::string {
  return line_of({{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", std::move(params)}});
}

auto read_message(std::string_view line) -> tl::expected<Message, RpcError> {
  const auto wrong = [](Json id, std::string why) {
    return tl::unexpected(RpcError{std::move(id), Code::invalid_request, std::move(why)});
  };
  const Json json = parsed(line);
  if (json.is_discarded()) {
    return tl::unexpected(RpcError{nullptr, Code::parse_error,
                                   is_nested_too_deep(line)
                                       ? fmt::format("the line is nested deeper than {} levels", kMostNested)
                                       : "the line is not JSON"});
  }
  if (!json.is_object()) return wrong(nullptr, "expected one object per line");
  const Json id = json.value("id", Json());
  if (!id.is_null() && !is_id(id)) return wrong(nullptr, "id: expected a string or an integer");
  if (json.value("jsonrpc", Json()) != "2.0") return wrong(id, "jsonrpc: expected \"2.0\"");
  if (json.contains("result") || json.contains("error")) return Message{};
  Message message{id, {}};
  const Json method = json.value("method", Json());
  if (!method.is_string()) return wrong(id, "method: expected a string");
  message.method = method;
  message.params = json.value("params", Json::object());
  if (!message.params.is_object()) return wrong(id, "params: expected an object");
  return message;
}

auto response_line(const Json& id, Json result) -> std::string {
  return line_of({{"jsonrpc", "2.0"}, {"id", id}, {"result", std::move(result)}});
}

auto error_line(const RpcError& error) -> std::string {
  Json json = {{"code", static_cast<int>(error.code)}, {"message", error.message}};
  if (!error.data.is_null()) json["data"] = error.data;
  return line_of({{"jsonrpc", "2.0"}, {"id", error.id}, {"error", std::move(json)}});
}

auto notification_line(std::string_view method, Json params) -> std::string {
  return line_of({{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}});
}

}  // namespace previct::cli::mcp
