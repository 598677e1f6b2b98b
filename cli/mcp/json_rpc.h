#pragma once

#include "report/report.h"

#include <tl/expected.hpp>

#include <string>
#include <string_view>

/// JSON-RPC 2.0, one message per line, as the stdio transport of the Model Context Protocol has it.
/// Source: https://www.jsonrpc.org/specification; modelcontextprotocol.io: specification 2026-07-28, basic/transports.
namespace previct::cli::mcp {

enum class Code : int {
  parse_error = -32700,
  invalid_request = -32600,
  method_not_found = -32601,
  invalid_params = -32602,
  unsupported_version = -32022  ///< of the Model Context Protocol
};

/// A request, or a notification.
struct Message {
  Json id;  ///< a string or a number; null: a notification, which gets no response
  std::string method;
  Json params = Json::object();

  [[nodiscard]] auto is_notification() const -> bool { return id.is_null(); }
};

/// An error response.
struct RpcError {
  Json id;
  Code code = Code::invalid_request;
  std::string message;
  Json data{};  ///< null: none
};

/// Parses a line of the client: a value that is_discarded() if it is not JSON, or nested deeper than kMostNested, as
/// values are copied and released by recursion.
[[nodiscard]] auto parsed(std::string_view line) -> Json;
inline constexpr std::size_t kMostNested = 100;

/// Reads a line. Responses of the client, which has no requests to answer, are notifications with an empty method.
[[nodiscard]] auto read_message(std::string_view line) -> tl::expected<Message, RpcError>;

/// Returns true for a string or an integer.
[[nodiscard]] auto is_id(const Json& value) -> bool;

/// The lines without their ends. All characters beyond ASCII are escaped, so that no text of an input can break a line
/// or reach a log as a control character.
[[nodiscard]] auto line_of(const Json& message) -> std::string;
[[nodiscard]] auto request_line(const Json& id, std::string_view method, Json params) -> std::string;
[[nodiscard]] auto response_line(const Json& id, Json result) -> std::string;
[[nodiscard]] auto error_line(const RpcError& error) -> std::string;
[[nodiscard]] auto notification_line(std::string_view method, Json params) -> std::string;

}  // namespace previct::cli::mcp
