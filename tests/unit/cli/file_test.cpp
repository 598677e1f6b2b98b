#include "cli/file.h"

#include "base/sanitizer.h"
#include "cli/interrupt.h"
#include "support/scratch.h"
#include "support/source.h"

#include <catch2/catch.hpp>

#include <csignal>
#include <filesystem>
#include <functional>
#include <iterator>
#include <new>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace previct;

namespace {

auto files_in(const std::string& folder) -> std::ptrdiff_t {
  return std::distance(std::filesystem::directory_iterator(folder), {});
}

// How a program ends that does this: its status, or the signal as a negative number.
auto end_of(const std::function<void()>& deed) -> int {
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(::open("/dev/null", O_WRONLY | O_CLOEXEC), STDERR_FILENO);
    deed();
    ::_exit(0);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

}  // namespace

TEST_CASE("a file is written whole, or nothing of it is left") {
  const test::Scratch scratch;
  const std::string path = scratch.path() + "/out";
  REQUIRE(cli::write_file(path, "first"));
  CHECK(test::read_all(path) == "first");
  CHECK_FALSE(cli::write_file(path, "second", {.replace = false}));
  CHECK(test::read_all(path) == "first");
  CHECK(cli::write_file(scratch.path(), "x").error().message == scratch.path() + ": not written: Is a directory");
  CHECK(files_in(scratch.path()) == 1);
  const std::string long_path = scratch.path() + '/' + std::string(5000, 'x');
  CHECK(cli::write_file(long_path, "x").error().message == long_path + ": not written: File name too long");
}

TEST_CASE("a file that is not finished is removed, however the program ends") {
  const test::Scratch scratch;
  {
    const cli::UnfinishedFile file(scratch.path() + "/out");
    REQUIRE(file.descriptor() >= 0);
    CHECK(files_in(scratch.path()) == 1);
    ::close(file.descriptor());
  }
  CHECK(files_in(scratch.path()) == 0);
  const int signal = end_of([&] {
    cli::end_cleanly_when_interrupted();
    const cli::UnfinishedFile file(scratch.path() + "/out");
    std::raise(SIGTERM);
  });
  CHECK(signal == -SIGTERM);
  CHECK(files_in(scratch.path()) == 0);
}

#if !PREVICT_ADDRESS_SANITIZER  // under which memory that runs out ends the program otherwise
TEST_CASE("memory that runs out ends the program with status 2, or behind the answer with that of the answer") {
  const test::Scratch scratch;
  const auto run_out = [](bool answered) {
    return [answered] {
      cli::end_cleanly_when_broken();
      if (answered) cli::answer_is_out(1);
      std::get_new_handler()();  // what operator new calls
    };
  };
  CHECK(end_of(run_out(false)) == 2);
  CHECK(end_of(run_out(true)) == 1);
  const int status = end_of([&] {
    cli::end_cleanly_when_broken();
    const cli::UnfinishedFile file(scratch.path() + "/out");
    std::get_new_handler()();
  });
  CHECK(status == 2);
  CHECK(files_in(scratch.path()) == 0);
}
#endif
