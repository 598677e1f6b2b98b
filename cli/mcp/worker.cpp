#include "cli/mcp/worker.h"

#include "cli/file.h"
#include "cli/load.h"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <map>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace previct::cli::mcp {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kUsualMemory = std::uint64_t{4} << 30U;

auto key_of(const Call& call) -> std::string {
  if (call.inputs.empty()) return {};
  return Json({call.inputs, call.recursive, call.keep_going}).dump(-1, ' ', false, Json::error_handler_t::replace);
}

auto line_of(const Call& call) -> std::string {
  const Json json = {{"words", call.words},          {"inputs", call.inputs}, {"recursive", call.recursive},
                     {"keepGoing", call.keep_going}, {"page", call.page},     {"offset", call.offset},
                     {"mostBytes", call.most_bytes}};
  return json.dump(-1, ' ', true, Json::error_handler_t::replace) + "\n";
}

auto call_from(std::string_view line) -> Call {
  const Json json = Json::parse(line);
  return {json["words"], json["inputs"], json["recursive"], json["keepGoing"],
          json["page"],  json["offset"], json["mostBytes"]};
}

// Waits until the process has ended; returns its status as waitpid() does.
auto end_of(pid_t process) -> int {
  int status = 0;
  while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

auto limit_of(const WorkerLimits& limits) -> std::uint64_t {
  return limits.memory == 0 ? kUsualMemory : limits.memory;
}

/// The inputs of a worker's calls.
class Kept {
 public:
  Kept(const Call& first, unsigned threads) : first_(first), threads_(threads) {}

  /// Reads the inputs, if they have not been read or have changed.
  auto bring_up_to_date() -> Result<void> {
    if (loaded_ && !changed()) return {};
    loaded_.reset();
    Session& session = session_.emplace();
    session.options.filenames = first_.inputs;
    session.options.recursive = first_.recursive;
    session.options.keep_going = first_.keep_going;
    session.options.threads = threads_;
    for (const std::string& input : first_.inputs) folders_[input] = changed_at(input);
    PREVICT_TRY(const LoadOptions reading, load_options_of(session));
    loaded_ = std::make_unique<Loaded>(LoadRequest{}, session.inputs);
    Result<void> done = read_files(session, first_.inputs, reading, *loaded_);
    if (!done) loaded_.reset();
    return done;
  }

  [[nodiscard]] auto files() const -> const Files& { return session_->inputs->files; }

  /// Gives them away, in a process that answers one call.
  void hand_to(Session& session) {
    if (!loaded_) return;
    session.inputs = session_->inputs;
    session.read = std::move(loaded_);
  }

 private:
  static auto changed_at(const std::string& folder) -> fs::file_time_type {
    std::error_code error;
    return fs::is_directory(folder, error) ? fs::last_write_time(folder, error) : fs::file_time_type();
  }

  [[nodiscard]] auto changed() const -> bool {
    for (const auto& [folder, at] : folders_) {
      if (changed_at(folder) != at) return true;
    }
    const InputTables& tables = *session_->inputs;
    for (std::uint32_t i = 0; i < tables.files.size(); ++i) {
      if (tables.sources.changed(tables.files.name(FileId{i}))) return true;
    }
    return false;
  }

  const Call& first_;
  unsigned threads_;
  std::optional<Session> session_{};
  std::map<std::string, fs::file_time_type> folders_{};
  std::unique_ptr<Loaded> loaded_{};
};

/// The process of a worker.
class Process {
 public:
  Process(const Call& first, const WorkerLimits& limits, Instant (*clock)(), int calls, int replies)
      : first_(first), limits_(limits), clock_(clock), calls_(calls), replies_(replies) {}

  [[noreturn]] void run() {
    Kept kept(first_, limits_.threads);
    std::string line;
    while (next_line(line)) {
      const Call call = call_from(line);
      if (const Result<void> read = call.inputs.empty() ? Result<void>() : kept.bring_up_to_date(); !read) {
        write(failed(read.error(), kept.files()));
      } else {
        answer_in_copy(call, kept);
      }
    }
    ::_exit(0);
  }

 private:
  // A call is small; reading byte by byte costs nothing.
  auto next_line(std::string& line) const -> bool {
    line.clear();
    char c = 0;
    while (::read(calls_, &c, 1) == 1) {
      if (c == '\n') return true;
      line += c;
    }
    return false;
  }

  void write(const Reply& reply) const {
    if (!write_all(replies_, mcp::line_of(reply))) ::_exit(0);
  }

  void answer_in_copy(const Call& call, Kept& kept) {
    const pid_t self = ::getpid();
    const pid_t copy = ::fork();
    if (copy == 0) {
      if (::prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || ::getppid() != self) ::_exit(0);
      answer(call, kept);
    }
    const int status = copy < 0 ? -1 : end_of(copy);
    if (copy > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0) return;
    write({why(status), {}});
    ::_exit(0);
  }

  [[nodiscard]] auto why(int status) const -> std::string {
    if (status < 0) return "no process can be started for the answer";
    if (WIFEXITED(status) && WEXITSTATUS(status) == kNotAnswered)
      return fmt::format("out of memory (the limit is {} MiB: --max-memory)", limit_of(limits_) >> 20U);
    return "internal error, please report it";
  }

  [[noreturn]] void answer(const Call& call, Kept& kept) {
    Session session;
    session.program = "previct";
    session.clock = clock_();
    kept.hand_to(session);
    write(reply_to(call, session));
    ::_exit(0);
  }

  const Call& first_;
  WorkerLimits limits_;
  Instant (*clock_)();
  int calls_;
  int replies_;
};

// Runs in the new process. Nothing that a command prints may reach the client.
[[noreturn]] void become(pid_t parent, const WorkerLimits& limits, Process process) {
  ::setpgid(0, 0);
  const int nothing = ::open("/dev/null", O_RDWR);
  const bool ready = ::prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && ::getppid() == parent && nothing >= 0 &&
                     ::dup2(nothing, STDIN_FILENO) >= 0 && ::dup2(nothing, STDOUT_FILENO) >= 0;
  const rlimit memory{.rlim_cur = limit_of(limits), .rlim_max = limit_of(limits)};
  if (!ready || ::setrlimit(RLIMIT_DATA, &memory) != 0) ::_exit(kNotAnswered);
  try {
    process.run();
  } catch (const std::exception&) {
    ::_exit(kBug);
  }
}

}  // namespace

auto Worker::start(const Call& first, const WorkerLimits& limits, Instant (*clock)())
    -> Result<std::unique_ptr<Worker>> {
  PREVICT_TRY(Pipe calls, open_pipe());
  PREVICT_TRY(Pipe replies, open_pipe());
  const pid_t parent = ::getpid();
  const pid_t process = ::fork();
  if (process < 0) return fail(fmt::format("no process can be started: {}", std::strerror(errno)));
  if (process == 0) {
    calls.write.reset();
    become(parent, limits, Process(first, limits, clock, calls.read.number(), replies.write.number()));
  }
  ::setpgid(process, process);
  ::fcntl(replies.read.number(), F_SETFL, O_NONBLOCK);
  return std::unique_ptr<Worker>(new Worker(process, std::move(calls.write), std::move(replies.read), key_of(first)));
}

Worker::~Worker() {
  ::kill(-process_, SIGKILL);
  static_cast<void>(end_of(process_));
}

auto Worker::serves(const Call& call) const -> bool {
  return !ended_ && !key_.empty() && key_ == key_of(call);
}

auto Worker::send(const Call& call) -> bool {
  ended_ = !write_all(calls_.number(), line_of(call));
  return !ended_;
}

auto Worker::receive() -> std::optional<Reply> {
  constexpr std::size_t kChunk = 65'536;
  std::array<char, kChunk> chunk{};
  while (true) {
    const ssize_t got = replies_.read(chunk);
    if (got < 0 && errno == EAGAIN) return {};
    if (got <= 0) return why_it_ended();
    arrived_.append(chunk.data(), static_cast<std::size_t>(got));
    if (const std::size_t end = arrived_.find('\n'); end != std::string::npos) {
      Reply reply = reply_from(std::string_view(arrived_).substr(0, end));
      arrived_.erase(0, end + 1);
      return reply;
    }
  }
}

auto Worker::why_it_ended() -> Reply {
  ended_ = true;
  return {"the input could not be read: out of memory, or an internal error (stderr has the reason)", {}};
}

}  // namespace previct::cli::mcp
