#pragma once

#include "cli/command.h"
#include "cli/mcp/tools.h"

#include <string>

namespace previct::cli::mcp {

/// The outcome of a call.
struct Reply {
  std::string error{};  ///< why there is no answer, with what to do; empty: there is one
  Json answer{};        ///< as the output schema of listed() says
};

/// Answers the call with the session, which may hold the inputs already (Session::read). The report's document is
/// shortened to Call::most_bytes, its words to a part of that.
[[nodiscard]] auto reply_to(const Call& call, Session& session) -> Reply;

/// The result of tools/call: the answer as an object, and for older clients as text.
[[nodiscard]] auto result_of(const Reply& reply) -> Json;

[[nodiscard]] auto failed(const Failure& failure, const Files& files) -> Reply;

/// The reply as a line, for a pipe between two processes.
[[nodiscard]] auto line_of(const Reply& reply) -> std::string;
[[nodiscard]] auto reply_from(std::string_view line) -> Reply;

}  // namespace previct::cli::mcp
