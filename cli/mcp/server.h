#pragma once

#include "cli/mcp/json_rpc.h"
#include "cli/mcp/tools.h"
#include "cli/mcp/worker.h"

#include <chrono>
#include <functional>
#include <list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace previct::cli::mcp {

/// How much a server uses at most.
struct ServerLimits {
  WorkerLimits worker;
  std::size_t workers = 4;          ///< processes at a time; each keeps the inputs of one set of files
  std::size_t calls = 1000;         ///< that are not answered yet
  std::chrono::nanoseconds time{};  ///< of one call
};

/// A server of the Model Context Protocol with tools and resources: revision 2026-07-28, where each request stands by
/// itself, and the earlier ones from 2024-11-05 on, which begin with `initialize`. It never writes a file and never
/// asks anything of the client.
/// Source: modelcontextprotocol.io, specification: schema, basic/lifecycle, server/tools, server/resources.
class Server {
 public:
  using Clock = std::chrono::steady_clock;
  /// `write` receives the lines for the client, without their ends.
  Server(Allowed allowed, ServerLimits limits, Instant (*clock)(), std::function<void(const std::string&)> write)
      : allowed_(std::move(allowed)), limits_(limits), clock_(clock), write_(std::move(write)) {}

  /// Takes a line of the client.
  void take(std::string_view line);

  /// The descriptors of calls in progress; when one is readable, continue() has something to do.
  [[nodiscard]] auto descriptors() const -> std::vector<int>;
  /// The time until continue() has something to do even if no descriptor is readable; none if there is no call.
  [[nodiscard]] auto patience(Clock::time_point now) const -> std::chrono::milliseconds;
  /// Answers calls that are done or took too long, reports progress, and starts calls that wait.
  void carry_on(Clock::time_point now);
  [[nodiscard]] auto is_busy() const -> bool { return !asked_.empty(); }
  /// Returns true if so many calls wait that no more lines should be taken now.
  [[nodiscard]] auto is_full() const -> bool { return asked_.size() >= limits_.calls; }

 private:
  /// A call that has not been answered.
  struct Asked {
    Json id;
    Call call;
    bool modern = false;
    Json token{};              ///< for progress; null: not requested
    Worker* worker = nullptr;  ///< null: it waits
    Clock::time_point begin{};
    std::int64_t seconds = 0;  ///< reported progress
  };
  /// A worker, and when it was used last.
  struct Working {
    std::unique_ptr<Worker> worker;
    std::uint64_t used = 0;
  };

  [[nodiscard]] auto result_of(const Message& message) -> tl::expected<Json, RpcError>;
  [[nodiscard]] auto read_resource(const Message& message) -> tl::expected<Json, RpcError>;
  [[nodiscard]] auto begin_call(const Message& message) -> tl::expected<void, RpcError>;
  void cancel(const Json& id);
  void start(std::list<Asked>::iterator asked);
  [[nodiscard]] auto worker_for(const Call& call) -> Result<Worker*>;
  [[nodiscard]] auto is_idle(const Worker* worker) const -> bool;
  void finish(std::list<Asked>::iterator asked, const Reply& reply);
  void drop(const Worker* worker);
  void respond(const Json& id, bool modern, Json result);

  Allowed allowed_;
  ServerLimits limits_;
  Instant (*clock_)();
  std::function<void(const std::string&)> write_;
  std::vector<Working> workers_{};
  std::list<Asked> asked_{};
  std::uint64_t uses_ = 0;
};

}  // namespace previct::cli::mcp
