#include "base/descriptor.h"
#include "base/duration.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/file.h"
#include "cli/flag_echo.h"
#include "cli/load.h"
#include "cli/mcp/plain_lines.h"
#include "cli/mcp/roots.h"
#include "cli/mcp/server.h"
#include "cli/working_folder.h"
#include "system/process.h"
#include "system/signals.h"
#include "system/terminal.h"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <optional>

namespace previct::cli {
namespace {

constexpr std::array kMcpTakes = {Group::state, Group::server, Group::connection, Group::help};

auto allowed_by(const Options& options) -> Result<mcp::Allowed> {
  mcp::Allowed allowed{.roots = options.roots, .inputs = options.filenames, .live = options.live};
  if (allowed.roots.empty()) allowed.roots.push_back(working_folder().generic_string());
  PREVICT_TRY(allowed.roots, mcp::real_folders(allowed.roots));
  for (const std::string& input : allowed.inputs) {
    if (input == "-") return fail("-f -: standard input belongs to the client; name a file");
    PREVICT_CHECK(mcp::check_below_roots(input, allowed.roots, "-f"));
  }
  if (allowed.live) allowed.connection = words_again(options, Group::connection);
  return allowed;
}

auto limits_by(const Options& options) -> Result<mcp::ServerLimits> {
  mcp::ServerLimits limits;
  const auto time = parse_go_duration(options.time_limit);
  if (!time || *time <= 0)
    return fail(fmt::format("--time-limit \"{}\" is not a duration; expected one such as 30s", options.time_limit));
  limits.time = std::chrono::nanoseconds(*time);
  PREVICT_TRY(limits.worker.memory, size_from(options.max_memory, "--max-memory"));
  return limits;
}

/// Passes lines between the client and the server until the client closes standard input.
class Connection {
 public:
  Connection(mcp::Allowed allowed, mcp::ServerLimits limits, Instant (*clock)())
      : server_(std::move(allowed), limits, clock, [this](const std::string& line) { write(line); }) {}

  auto run() -> Result<void> {
    while ((!ended_ || server_.is_busy()) && !broken_) {
      wait();
      server_.carry_on(mcp::Server::Clock::now());
    }
    if (broken_) return not_written("stdout");
    if (input_error_ != 0) return fail(fmt::format("standard input: cannot read: {}", std::strerror(input_error_)));
    return {};
  }

 private:
  // Longer lines are no requests that a tool can need, and would fill the memory.
  static constexpr std::size_t kLongestLine = std::size_t{1} << 20U;

  void wait() {
    std::vector<int> wanted = server_.descriptors();
    const bool reads = !ended_ && !server_.is_full();
    if (reads) wanted.push_back(kStandardInput);
    const std::vector<bool> ready = system::wait_for_input(wanted, server_.patience(mcp::Server::Clock::now()));
    if (reads && ready.back()) read();
  }

  void read() {
    constexpr std::size_t kChunk = 65'536;
    std::array<char, kChunk> chunk{};
    const std::ptrdiff_t got = input_.read(chunk);
    if (got < 0 && errno == EAGAIN) return;
    if (got <= 0) {
      ended_ = true;
      if (got < 0) input_error_ = errno;
      if (got == 0 && !text_.empty()) take_line();
      return;
    }
    for (const char c : std::string_view(chunk.data(), static_cast<std::size_t>(got))) take(c);
  }

  void take_line() {
    ++line_;
    if (text_.find_first_not_of(" \t\r") == std::string::npos) return;
    if (!plain_) plain_ = mcp::is_plain(text_);
    if (!*plain_) return server_.take(text_);
    if (const auto request = mcp::request_of(text_, line_)) return server_.take(*request);
    write(mcp::error_line({line_, mcp::Code::invalid_request, "the line is not a JSON object"}));
  }

  void take(char c) {
    if (c == '\n') {
      if (!too_long_) take_line();
      text_.clear();
      too_long_ = false;
    } else if (!too_long_) {
      text_ += c;
      if (text_.size() < kLongestLine) return;
      too_long_ = true;
      text_.clear();
      ++line_;
      const Json id = plain_.value_or(false) ? Json(line_) : Json();
      write(mcp::error_line({id, mcp::Code::invalid_request, "the line is longer than 1 MiB"}));
    }
  }

  void write(const std::string& line) {
    if (!broken_) broken_ = !write_all(kStandardOutput, (plain_.value_or(false) ? mcp::plain_line(line) : line) + "\n");
  }

  mcp::Server server_;
  Descriptor input_{kStandardInput};
  std::optional<bool> plain_;  // as the first line is: a question of a script, without the frame of the protocol
  std::uint64_t line_ = 0;     // number of lines taken
  std::string text_;
  bool too_long_ = false;
  bool ended_ = false;
  int input_error_ = 0;  // errno, if standard input ended because it could not be read
  bool broken_ = false;
};

auto run_mcp(Session& session) -> Result<CommandResult> {
  PREVICT_TRY(mcp::Allowed allowed, allowed_by(session.options));
  PREVICT_TRY(const mcp::ServerLimits limits, limits_by(session.options));
  if (system::is_terminal(kStandardInput))
    write_message(
        fmt::format("previct: waiting for a client of the Model Context Protocol on standard input; {} ends it\n",
                    system::keys_that_end_input()));
  // The client, or a worker, may end at any time: writing to it is then an error, and no reason to end.
  const system::IgnoredPipeSignal ignored;
  PREVICT_CHECK(Connection(std::move(allowed), limits, session.read_clock).run());
  return CommandResult{.report = {}, .wrote_itself = true};
}

}  // namespace

const Command& mcp_command = Command{
    .name = "mcp",
    .task = Task::program,
    .what = "answer questions of agents (Model Context Protocol)",
    .arguments = "",
    .most_arguments = 0,
    .groups = kMcpTakes,
    .examples =
        "mcp < questions.jsonl                     one line for each question; an agent writes them one by one\n"
        "mcp --root . -f dump.yaml < questions.jsonl   this dump, unless a call names another file\n"
        "mcp --live --context prod < questions.jsonl   calls without files read the cluster\n"
        "mcp -f dump.yaml < plain.jsonl            for scripts: lines such as {\"tool\": \"explain\", \"pod\": "
        "\"ml/a\"}",
    .more =
        "Agents start this command and talk to it on standard input and output. It offers the commands that only read "
        "as tools, and rules and manuals as resources. It never writes a file, and reads only files below --root. "
        "docs/agents.md shows how to configure common clients.",
    .run = run_mcp};

}  // namespace previct::cli
