#pragma once

#include "cli/mcp/server.h"

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include <poll.h>

namespace previct::test {

inline auto noon() -> Instant {
  return {1'800'000'000, 0};
}

inline const std::string kFixtures = PREVICT_SOURCE_DIR "/fixtures";  // NOLINT: a test

/// A client of `previct mcp`, with the server in the same process.
class McpClient {
 public:
  explicit McpClient(cli::mcp::Allowed allowed = {.roots = {kFixtures}}, cli::mcp::ServerLimits limits = usual())
      : server_(std::move(allowed), limits, noon, [this](const std::string& line) { lines_.push_back(line); }) {}

  /// All lines that the server writes for these lines, in that order.
  auto lines_for(const std::vector<std::string>& lines) -> std::vector<std::string> {
    lines_.clear();
    for (const std::string& line : lines) server_.take(line);
    while (server_.is_busy()) {
      std::vector<pollfd> wanted;
      for (const int descriptor : server_.descriptors()) wanted.push_back({descriptor, POLLIN, 0});
      const auto patience = server_.patience(cli::mcp::Server::Clock::now());
      ::poll(wanted.data(), wanted.size(), static_cast<int>(patience.count()));
      server_.carry_on(cli::mcp::Server::Clock::now());
    }
    return lines_;
  }

  auto ask(const std::vector<std::string>& lines) -> std::vector<Json> {
    std::vector<Json> answers;
    for (const std::string& line : lines_for(lines)) answers.push_back(Json::parse(line));
    return answers;
  }

  static auto request_for(const std::string& tool, const Json& arguments) -> std::string {
    const Json request = {{"jsonrpc", "2.0"},
                          {"id", 1},
                          {"method", "tools/call"},
                          {"params", {{"name", tool}, {"arguments", arguments}}}};
    return request.dump();
  }

  auto call(const std::string& tool, const Json& arguments) -> Json {
    return ask({request_for(tool, arguments)}).at(0).at("result");
  }

  static auto usual() -> cli::mcp::ServerLimits {
    cli::mcp::ServerLimits limits;
    limits.time = std::chrono::minutes(2);
    return limits;
  }

 private:
  std::vector<std::string> lines_;
  cli::mcp::Server server_;
};

}  // namespace previct::test
