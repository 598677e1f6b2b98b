#include "live/process.h"

#include "base/descriptor.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;  // NOLINT: POSIX

namespace previct::live {
namespace {

constexpr std::size_t kErrorsKept = 16'384;
constexpr std::chrono::milliseconds kBehindTheEnd{500};  // what was said is there at once

struct Pipe {
  Descriptor read, write;
};

auto open_pipe() -> Result<Pipe> {
  std::array<int, 2> ends{};
  // Closed in what is started, now or by another thread; dup2 clears that for the two ends meant for it.
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return fail(fmt::format("no pipe: {}", std::strerror(errno)));
  return Pipe{Descriptor(ends[0]), Descriptor(ends[1])};
}

// The programs that run, where a signal handler can reach them. More than these are never run at once.
constexpr std::size_t kMostRunning = 64;
std::array<std::atomic<pid_t>, kMostRunning>
    running_now{};  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)
static_assert(std::atomic<pid_t>::is_always_lock_free);

void replace_running(pid_t one, pid_t other) {
  for (std::atomic<pid_t>& each : running_now) {
    pid_t expected = one;
    if (each.compare_exchange_strong(expected, other)) return;
  }
}

auto start(const std::string& program, const std::vector<std::string>& arguments, const Pipe& out, const Pipe& errors)
    -> Result<pid_t> {
  std::vector<std::string> words = {program};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  pointers.reserve(words.size() + 1);
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, out.write.number(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, errors.write.number(), STDERR_FILENO);
  pid_t process = 0;
  const int failed = ::posix_spawn(&process, program.c_str(), &actions, nullptr, pointers.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) return fail(fmt::format("{} cannot be run: {}", program, std::strerror(failed)));
  replace_running(0, process);
  return process;
}

auto wait_for(pid_t process) -> int {
  int status = 0;
  while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  replace_running(process, 0);
  constexpr int kSignalBase = 128;
  return WIFEXITED(status) ? WEXITSTATUS(status) : kSignalBase + WTERMSIG(status);
}

auto kill_and_fail(pid_t process, std::string why) {
  ::kill(process, SIGKILL);
  (void)wait_for(process);
  return fail(std::move(why));
}

// Appends what can be read now; false at the end.
auto read_some(const Descriptor& from, std::string& into, std::size_t most) -> bool {
  constexpr std::size_t kChunk = 65'536;
  std::array<char, kChunk> chunk{};
  const ssize_t got = from.read(chunk);
  if (got < 0) return errno == EAGAIN;
  into.append(chunk.data(), std::min(static_cast<std::size_t>(got), most - std::min(most, into.size())));
  return got > 0;
}

auto is_executable(const std::string& file) -> bool {
  struct stat status {};
  return ::stat(file.c_str(), &status) == 0 && S_ISREG(status.st_mode) && ::access(file.c_str(), X_OK) == 0;
}

}  // namespace

auto find_program(const std::string& name, std::string_view path) -> Result<std::string> {
  if (name.find('/') != std::string::npos) {
    if (is_executable(name)) return name;
    return fail(fmt::format("{} is no program that can be run", name));
  }
  while (!path.empty()) {
    const std::size_t end = std::min(path.find(':'), path.size());
    if (end > 0) {
      std::string file = fmt::format("{}/{}", path.substr(0, end), name);
      if (is_executable(file)) return file;
    }
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return fail(fmt::format("there is no {} in PATH", name));
}

auto last_line(std::string_view text) -> std::string {
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r' || text.back() == ' ')) text.remove_suffix(1);
  const std::size_t from = text.rfind('\n');
  return std::string(from == std::string_view::npos ? text : text.substr(from + 1));
}

auto Running::start(const std::string& program, const std::vector<std::string>& arguments) -> Result<Running> {
  PREVICT_TRY(Pipe out, open_pipe());
  PREVICT_TRY(Pipe errors, open_pipe());
  PREVICT_TRY(const pid_t process, live::start(program, arguments, out, errors));
  for (const Descriptor* each : {&out.read, &errors.read}) ::fcntl(each->number(), F_SETFL, O_NONBLOCK);
  return Running(std::move(out.read), std::move(errors.read), process);
}

Running::~Running() {
  if (process_ == 0) return;
  ::kill(process_, SIGTERM);
  (void)wait_for(process_);
}

void Running::read(std::string& into) {
  const auto all_of = [](Descriptor& from, std::string& text, std::size_t most) {
    for (std::size_t before = std::string::npos; from && before != text.size();) {
      before = text.size();
      if (!read_some(from, text, most)) from.reset();
    }
  };
  all_of(out_, into, std::string::npos);
  all_of(errors_, words_, kErrorsKept);
}

auto Running::status() -> int {
  if (process_ != 0) status_ = wait_for(std::exchange(process_, 0));
  return status_;
}

auto Running::words() const -> std::string {
  return last_line(words_);
}

void end_running() {
  for (const std::atomic<pid_t>& each : running_now) {
    if (const pid_t process = each; process != 0) ::kill(process, SIGTERM);
  }
}

auto run_program(const std::string& program, const std::vector<std::string>& arguments, const Patience& patience)
    -> Result<Finished> {
  PREVICT_TRY(Pipe out, open_pipe());
  PREVICT_TRY(Pipe errors, open_pipe());
  PREVICT_TRY(const pid_t process, start(program, arguments, out, errors));
  out.write.reset();
  errors.write.reset();

  Finished finished;
  // Its end can be waited for like its words; an old kernel cannot do that, and then they alone count.
  const Descriptor end(static_cast<int>(::syscall(SYS_pidfd_open, process, 0)));
  std::array<pollfd, 3> waiting = {pollfd{out.read.number(), POLLIN, 0}, pollfd{errors.read.number(), POLLIN, 0},
                                   pollfd{end.number(), POLLIN, 0}};
  bool ended = false;
  while (waiting[0].fd >= 0 || waiting[1].fd >= 0) {
    const auto limit = ended ? std::min(kBehindTheEnd, patience.silence) : patience.silence;
    const int ready = ::poll(waiting.data(), waiting.size(), static_cast<int>(limit.count()));
    if (ready < 0 && errno == EINTR) continue;
    if (ready == 0 && ended) {
      finished.held = true;
      break;
    }
    if (ready <= 0) {
      return kill_and_fail(process, fmt::format("no word for {} s, so it was ended",
                                                static_cast<double>(patience.silence.count()) / 1000.0));
    }
    if (waiting[2].revents != 0) {
      ended = true;
      waiting[2].fd = -1;
    }
    if (waiting[0].revents != 0 && !read_some(out.read, finished.out, patience.most_bytes + 1)) waiting[0].fd = -1;
    if (waiting[1].revents != 0 && !read_some(errors.read, finished.errors, kErrorsKept)) waiting[1].fd = -1;
    if (finished.out.size() > patience.most_bytes) {
      return kill_and_fail(process, fmt::format("more than {} bytes, so it was ended", patience.most_bytes));
    }
  }
  finished.status = wait_for(process);
  return finished;
}

}  // namespace previct::live
