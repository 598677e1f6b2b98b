// What src/system promises of every system: `posix_tests` runs the same tests with what macOS and Linux have in common.
// [linux]: what only Linux can do.

#include "system/copy.h"
#include "system/files.h"
#include "system/process.h"

#include <catch2/catch.hpp>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace previct;
using namespace previct::system;
using namespace std::chrono_literals;

namespace {

namespace fs = std::filesystem;

auto run_shell(const std::string& script, const ProgramLimits& limits = {}) -> Result<Finished> {
  return run_program("/bin/sh", {"-c", script}, limits);
}

auto elapsed_since(std::chrono::steady_clock::time_point start) -> std::chrono::steady_clock::duration {
  return std::chrono::steady_clock::now() - start;
}

class Folder {
 public:
  Folder() { REQUIRE(mkdtemp(path_.data()) != nullptr); }
  Folder(const Folder&) = delete;
  auto operator=(const Folder&) -> Folder& = delete;
  ~Folder() { fs::remove_all(path_); }
  [[nodiscard]] auto operator/(const std::string& name) const -> std::string { return path_ + '/' + name; }

 private:
  std::string path_ = (fs::temp_directory_path() / "previct-system-XXXXXX").string();
};

void write(const std::string& path, const std::string& content) {
  std::ofstream(path) << content;
}

auto content_of(const std::string& path) -> std::string {
  std::ostringstream out;
  out << std::ifstream(path).rdbuf();
  return out.str();
}

}  // namespace

TEST_CASE("programs: their output, errors and status are returned", "[system]") {
  const auto finished = run_shell("echo out; echo wrong >&2; exit 3");
  REQUIRE(finished);
  CHECK(finished->out == "out\n");
  CHECK(finished->errors == "wrong\n");
  CHECK(finished->status == 3);
  CHECK_FALSE(finished->held);
  CHECK(run_shell("kill -9 $$")->status == 128 + SIGKILL);
  CHECK(run_program("/nonexistent", {}, {}).error().message == "/nonexistent cannot be run: No such file or directory");
}

TEST_CASE("programs: a child that keeps the output open is not waited for", "[system]") {
  const auto start = std::chrono::steady_clock::now();
  const auto finished = run_shell("echo out; sleep 20 & exit 0");
  REQUIRE(finished);
  CHECK(finished->out == "out\n");
  CHECK(finished->status == 0);
  CHECK(finished->held);
  CHECK(elapsed_since(start) < 10s);
}

TEST_CASE("programs: are stopped if they are silent, do not end, or write too much", "[system]") {
  CHECK(run_shell("sleep 20", {.silence = 300ms}).error().message == "no output for 0.3 s, so it was stopped");
  CHECK(run_shell("exec >&- 2>&-; sleep 20", {.silence = 300ms}).error().message ==
        "it closed its output but did not end, so it was stopped");
  CHECK(run_shell("yes", {.most_bytes = 1000}).error().message == "more than 1000 bytes, so it was stopped");
}

TEST_CASE("programs: inherit no descriptor of a pipe", "[system]") {
  const std::string count = "ls /dev/fd | wc -l";
  const auto before = run_shell(count);
  const auto pipe = open_pipe();
  REQUIRE(pipe);
  CHECK(run_shell(count)->out == before->out);
}

TEST_CASE("programs: are stopped with their children", "[system][linux]") {
  const Folder folder;
  const std::string late = folder / "late";
  CHECK_FALSE(run_shell("sh -c 'sleep 1; echo > " + late + "'; true", {.silence = 300ms}));
  ::usleep(1'500'000);
  CHECK_FALSE(fs::exists(late));
}

TEST_CASE("copies: their status is returned", "[system]") {
  CHECK(run_in_copy([] { ::_exit(7); }) == 7);
  CHECK(run_in_copy([] { std::raise(SIGKILL); }) == 128 + SIGKILL);
}

TEST_CASE("copies: end with their parent", "[system]") {
  const auto pipe = open_pipe();
  REQUIRE(pipe);
  const pid_t parent = ::fork();
  if (parent == 0) {
    const auto copy = BackgroundProcess::start({.run =
                                                    [](int, int) {
                                                      for (;;) ::pause();
                                                    },
                                                .words = {}},
                                               std::uint64_t{1} << 30U, {.no_memory = 1, .bug = 2});
    ::usleep(200'000);
    std::raise(SIGKILL);
  }
  const int last_end = ::dup(pipe->read.number());
  ::close(pipe->write.number());
  const auto start = std::chrono::steady_clock::now();
  int status = 0;
  ::waitpid(parent, &status, 0);
  char byte = 0;
  CHECK(::read(last_end, &byte, 1) == 0);  // nothing has the other end any more
  CHECK(elapsed_since(start) < 10s);
  ::close(last_end);
}

TEST_CASE("copies: get calls and send replies", "[system]") {
  const auto copy = BackgroundProcess::start({.run =
                                                  [](int calls, int replies) {
                                                    char byte = 0;
                                                    while (::read(calls, &byte, 1) == 1) {
                                                      ++byte;
                                                      if (::write(replies, &byte, 1) != 1) break;
                                                    }
                                                    ::_exit(0);
                                                  },
                                              .words = {}},
                                             std::uint64_t{1} << 30U, {.no_memory = 1, .bug = 2});
  REQUIRE(copy);
  const int replies = (*copy)->replies().number();
  CHECK(wait_for_input({&replies, 1}, 50ms) == std::vector{false});
  REQUIRE(write_some((*copy)->calls().number(), "a") == 1);
  CHECK(wait_for_input({&replies, 1}, 10s) == std::vector{true});
  char byte = 0;
  CHECK((*copy)->replies().read({&byte, 1}) == 1);
  CHECK(byte == 'b');
  errno = 0;
  CHECK((*copy)->replies().read({&byte, 1}) < 0);  // it is not waited for
  CHECK(errno == EAGAIN);
}

TEST_CASE("files: a replaced file keeps its permissions, and a new one gets those of the user", "[system]") {
  const Folder folder;
  write(folder / "private", "");
  ::chmod((folder / "private").c_str(), 0600);
  std::string path = folder / "a-XXXXXX.yaml";
  const int file = create_unique(path.data(), 5, false);
  const auto permissions = [&] { return static_cast<unsigned>(fs::status(path).permissions() & fs::perms::mask); };
  const mode_t before = ::umask(027);
  copy_permissions(file, folder / "none");
  CHECK(permissions() == 0640);
  copy_permissions(file, folder / "private");
  CHECK(permissions() == 0600);
  ::umask(before);
  CHECK(system::close(file));
}

TEST_CASE("files: a new name does not replace a file", "[system]") {
  const Folder folder;
  write(folder / "one", "1");
  write(folder / "other", "2");
  CHECK_FALSE(rename_to_new((folder / "one").c_str(), (folder / "other").c_str()));
  CHECK(content_of(folder / "other") == "2");
  CHECK(rename_to_new((folder / "one").c_str(), (folder / "new").c_str()));
  CHECK(content_of(folder / "new") == "1");
}

TEST_CASE("files: exchanging them exchanges both, or neither", "[system]") {
  const Folder folder;
  write(folder / "one", "1");
  write(folder / "other", "2");
  const bool exchanged = exchange((folder / "one").c_str(), (folder / "other").c_str());
  CHECK(content_of(folder / "one") == (exchanged ? "2" : "1"));
  CHECK(content_of(folder / "other") == (exchanged ? "1" : "2"));
}

TEST_CASE("files: a unique file is new, and closed in other programs", "[system]") {
  const Folder folder;
  std::string path = folder / "a-XXXXXX.yaml";
  const int file = create_unique(path.data(), 5, false);
  REQUIRE(file >= 0);
  CHECK(fs::exists(path));
  CHECK(path.ends_with(".yaml"));
  CHECK(path.find("XXXXXX") == std::string::npos);
  CHECK((::fcntl(file, F_GETFD) & FD_CLOEXEC) != 0);
  write(folder / "private", "");
  ::chmod((folder / "private").c_str(), 0640);
  CHECK(copy_attributes(folder / "private", file));
  CHECK((fs::status(path).permissions() & fs::perms::mask) == fs::perms(0640));
  ::close(file);
}
