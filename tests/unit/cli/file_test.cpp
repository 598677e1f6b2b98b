#include "cli/file.h"

#include "base/descriptor.h"
#include "base/files_read.h"
#include "base/sanitizer.h"
#include "cli/exit_codes.h"
#include "cli/interrupt.h"
#include "cli/kept_inputs.h"
#include "cli/run.h"
#include "support/scratch.h"
#include "support/source.h"

#include <catch2/catch.hpp>

#include <csignal>
#include <filesystem>
#include <functional>
#include <iterator>
#include <new>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace previct;

namespace {

auto files_in(const std::string& folder) -> std::ptrdiff_t {
  return std::distance(std::filesystem::directory_iterator(folder), {});
}

// Returns how a program that does this ends: its status, or the signal as a negative number.
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

TEST_CASE("output file: written completely, or not at all", "[cli]") {
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

TEST_CASE("output file: never an input, under any name", "[cli]") {
  const test::Scratch scratch;
  const std::string input = scratch.file("in.yaml", "a: b\n");
  const std::string other = scratch.file("out.yaml", "c: d\n");
  std::filesystem::create_symlink(input, scratch.path() + "/link");
  std::filesystem::create_hard_link(input, scratch.path() + "/hard");
  forget_files_read();
  REQUIRE(cli::write_file(other, "one"));
  REQUIRE(open_to_read(input));
  const std::string around = "../" + std::filesystem::path(scratch.path()).filename().string() + "/in.yaml";
  for (const std::string& name : std::vector<std::string>{"in.yaml", "link", "hard", "./in.yaml", around}) {
    const std::string path = scratch.path() + '/' + name;
    INFO(path);
    CHECK(cli::write_file(path, "x").error().message == path + " is an input, and inputs are never overwritten");
  }
  CHECK(test::read_all(input) == "a: b\n");
  CHECK(cli::write_file(other, "two"));
  // A file that replaces an input is an input.
  REQUIRE(cli::write_file(scratch.path() + "/new", "n"));
  std::filesystem::rename(scratch.path() + "/new", input);
  CHECK_FALSE(cli::write_file(input, "x"));
  forget_files_read();
  CHECK(cli::write_file(input, "x"));
}

TEST_CASE("output file: a file that another program reads is an input", "[cli]") {
  const test::Scratch scratch;
  const std::string values = scratch.file("chart/templates/NOTES.txt", "x");
  const std::string beside = scratch.file("chart-2/NOTES.txt", "x");
  forget_files_read();
  note_read_below(scratch.path() + "/chart");
  note_read(scratch.file("kubeconfig", "x"));
  CHECK_FALSE(cli::write_file(values, "y"));
  CHECK_FALSE(cli::write_file(scratch.path() + "/kubeconfig", "y"));
  CHECK(cli::write_file(beside, "y"));
  CHECK(cli::write_file(scratch.path() + "/chart/report.json", "y"));  // a new file
  forget_files_read();
}

TEST_CASE("output file: two outputs are never one file, however their paths are spelled", "[cli]") {
  const test::Scratch scratch;
  const std::string folder = scratch.path() + '/';
  std::filesystem::create_directory(folder + "sub");
  std::filesystem::create_directory_symlink(folder + "sub", folder + "to-sub");
  const std::string there = scratch.file("there", "x");
  std::filesystem::create_hard_link(there, folder + "hard");
  std::filesystem::create_symlink(there, folder + "link");
  const std::vector<std::pair<std::string, std::string>> same = {
      {"x", "x"},        {"x", "./x"},      {"x", "sub/../x"},    {"sub/x", "to-sub/x"},
      {"there", "hard"}, {"there", "link"}, {"x", "sub/../././x"}};
  for (const auto& [one, other] : same) {
    INFO(one << ' ' << other);
    cli::Targets targets;
    REQUIRE(targets.add(folder + one, "--to "));
    CHECK(targets.add(folder + other, "--map ").error().message ==
          "--to " + folder + one + " and --map " + folder + other +
              " are the same file; one would overwrite the other");
  }
  cli::Targets targets;
  CHECK(targets.add(folder + "x", "--to "));
  CHECK(targets.add(folder + "sub/x", "--map "));
  CHECK(targets.add("/dev/null", "-o json="));
  CHECK(targets.add("/dev/null", "-o md="));
}

TEST_CASE("output file: an invalid target is refused before anything is read", "[cli]") {
  const test::Scratch scratch;
  const std::string folder = scratch.path() + "/sub";
  std::filesystem::create_directory(folder);
  std::filesystem::create_directory_symlink(folder, scratch.path() + "/link");
  cli::Targets targets;
  for (const std::string name : {"/sub", "/sub/", "/link"}) {
    const std::string path = scratch.path() + name;
    CHECK(targets.add(path, "-o md=").error().message == path + ": not written: Is a directory");
  }
  const std::string lost = scratch.path() + "/none/x";
  CHECK(targets.add(lost, "-o json=").error().message == lost + ": not written: No such file or directory");
  const std::string below = scratch.file("file", "x") + "/x";
  CHECK(targets.add(below, "--to ").error().message == below + ": not written: Not a directory");
  CHECK(targets.add(scratch.path() + "/link/x", "--to "));
}

TEST_CASE("output file: changing one in place keeps its other properties", "[cli]") {
  const test::Scratch scratch;
  const std::string path = scratch.file("a.yaml", "old");
  const std::string link = scratch.path() + "/link";
  std::filesystem::create_symlink("a.yaml", link);
  ::chmod(path.c_str(), 0640);
  REQUIRE(cli::change_file(link, "old", "new") == std::string());
  CHECK(test::read_all(path) == "new");
  CHECK(std::filesystem::is_symlink(link));
  struct stat status {};
  REQUIRE(::stat(path.c_str(), &status) == 0);
  CHECK((status.st_mode & 07777U) == 0640U);
  CHECK(cli::change_file(path, "old", "newer") == "it has changed since it was read");
  CHECK(test::read_all(path) == "new");
  ::chmod(path.c_str(), 0444);
  CHECK(cli::change_file(path, "new", "newer") == "it is read-only");
  ::chmod(path.c_str(), 0644);
  std::filesystem::create_hard_link(path, scratch.path() + "/hard");
  CHECK(cli::change_file(path, "new", "newer") == "it has 2 names (hard links), and only this one would change");
  CHECK(test::read_all(path) == "new");
  CHECK(cli::change_file(scratch.path() + "/gone", "", "x") == "it is there no longer");
  CHECK(files_in(scratch.path()) == 3);
}

TEST_CASE("output file: an unfinished one is removed, however the program ends", "[cli]") {
  const test::Scratch scratch;
  {
    const cli::UnfinishedFile file(scratch.path() + "/out");
    REQUIRE(file.descriptor() >= 0);
    CHECK(files_in(scratch.path()) == 1);
    ::close(file.descriptor());
  }
  CHECK(files_in(scratch.path()) == 0);
  for (const int signal : {SIGTERM, SIGQUIT, SIGUSR1, SIGXCPU, SIGPIPE, SIGRTMIN}) {
    const int end = end_of([&] {
      std::signal(signal, SIG_DFL);  // a shell that starts the tests in the background ignores some
      cli::install_signal_handlers();
      const cli::UnfinishedFile file(scratch.path() + "/out");
      const cli::UnfinishedFile other(scratch.path() + "/other");
      std::raise(signal);
    });
    CHECK(end == -signal);
    CHECK(files_in(scratch.path()) == 0);
  }
}

#if !PREVICT_ADDRESS_SANITIZER  // it ends the program differently when memory runs out
TEST_CASE("memory exhaustion: the program ends with status 2, or after the answer with the answer's status", "[cli]") {
  const test::Scratch scratch;
  const auto run_out = [](bool answered) {
    return [answered] {
      cli::install_fault_handlers();
      if (answered) cli::answer_is_out(1);
      std::get_new_handler()();  // this is what operator new calls
    };
  };
  CHECK(end_of(run_out(false)) == 2);
  CHECK(end_of(run_out(true)) == 1);
  const int status = end_of([&] {
    cli::install_fault_handlers();
    const cli::UnfinishedFile file(scratch.path() + "/out");
    std::get_new_handler()();
  });
  CHECK(status == 2);
  CHECK(files_in(scratch.path()) == 0);
}

// The answer of a command line is the last thing that its process does; a process that keeps the inputs answers more
// questions.
TEST_CASE("memory exhaustion: after an answer, only a program that keeps inputs still has something to say", "[cli]") {
  const test::Scratch scratch;
  const auto answer_and_run_out = [&](bool keeps) {
    return [&scratch, keeps] {
      cli::install_fault_handlers();
      cli::KeptInputs kept;
      const std::vector<std::string> words = {"previct", "version", "-o", "json=" + scratch.path() + "/version"};
      if (cli::run(
              words, [] { return Instant{}; }, keeps ? &kept : nullptr) != cli::kAnswered)
        ::_exit(7);
      std::get_new_handler()();
    };
  };
  CHECK(end_of(answer_and_run_out(false)) == cli::kAnswered);
  CHECK(end_of(answer_and_run_out(true)) == cli::kNotAnswered);
}
#endif
