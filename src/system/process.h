#pragma once

#include "base/descriptor.h"
#include "base/diagnostics.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace previct::system {

struct Pipe {
  Descriptor read, write;
};

/// Opens a pipe whose ends are closed when another program is executed. Fails if the system refuses.
[[nodiscard]] auto open_pipe() -> Result<Pipe>;

/// Reading from an empty pipe then fails with EAGAIN.
void do_not_wait(const Descriptor& pipe);

/// Waits, at most so long, until one of the descriptors, pipes or standard input, has something to read or is closed.
/// Returns for each whether it is so.
[[nodiscard]] auto wait_for_input(std::span<const int> descriptors, std::chrono::milliseconds most)
    -> std::vector<bool>;

/// A limit on the bytes that several programs have written and previct has not processed yet, all together.
class SharedBytes {
 public:
  explicit SharedBytes(std::size_t most) : most_(most) {}
  [[nodiscard]] auto most() const -> std::size_t { return most_; }

 private:
  friend class HeldBytes;
  std::size_t most_;
  std::atomic<std::size_t> held_ = 0;
};

/// The part of the shared bytes that one program uses; the destructor gives it back.
class HeldBytes {
 public:
  HeldBytes() = default;
  explicit HeldBytes(std::shared_ptr<SharedBytes> of) : of_(std::move(of)) {}
  HeldBytes(HeldBytes&& from) noexcept : of_(std::move(from.of_)), held_(std::exchange(from.held_, 0)) {}
  auto operator=(HeldBytes&& from) noexcept -> HeldBytes& {
    std::swap(of_, from.of_);
    std::swap(held_, from.held_);
    return *this;
  }
  ~HeldBytes() {
    if (of_) of_->held_ -= held_;
  }
  /// Returns false if all holders together exceed the limit.
  auto take(std::size_t bytes) -> bool {
    held_ += bytes;
    return !of_ || (of_->held_ += bytes) <= of_->most();
  }
  /// The number of bytes that any holder may still take.
  [[nodiscard]] auto left() const -> std::size_t {
    return of_ ? of_->most() - std::min<std::size_t>(of_->most(), of_->held_) : SIZE_MAX / 2;
  }

 private:
  std::shared_ptr<SharedBytes> of_;
  std::size_t held_ = 0;
};

/// Limits for a program. If it exceeds them, it is killed together with its children.
struct ProgramLimits {
  std::chrono::milliseconds silence{60'000};         ///< how long it may write almost nothing
  std::size_t most_bytes = std::size_t{512} << 20U;  ///< limit on its standard output
  std::shared_ptr<SharedBytes> shared = {};          ///< limit on the output of all programs that run at the same time;
                                                     ///< null: none
  /// Called once, by the waiting thread, if the program has written nothing for a while; may be empty.
  std::function<void(std::chrono::milliseconds silence)> waiting = {};
};

/// The result of a program.
struct Finished {
  int status = 0;  ///< exit status; 128 + signal if a signal ended it
  std::string out;
  std::string errors;  ///< the beginning of its standard error, at most 16 KiB; raw
  bool held = false;   ///< a child that it left running keeps its output open; the child is not waited for
  HeldBytes bytes;     ///< the part of the shared bytes that `out` holds
};

/// Finds the executable file `name` in the folders of `path` (the value of PATH). Empty folders, which would mean the
/// working folder, are skipped. A name with a slash is a path. A system may add an ending to the name.
[[nodiscard]] auto find_program(const std::string& name, std::string_view path) -> Result<std::string>;

/// Runs the file `program` with `arguments`, which are passed without a shell. Standard input is empty and the
/// environment is inherited. The program is killed if the thread that runs it ends. After it has ended, its output is
/// taken even if other processes keep it open.
/// Errors: the program cannot be started; it writes almost nothing for too long, or too much.
[[nodiscard]] auto run_program(const std::string& program, const std::vector<std::string>& arguments,
                               const ProgramLimits& patience) -> Result<Finished>;

/// The last line that is not blank: warnings of the client library may precede it.
[[nodiscard]] auto last_line(std::string_view text) -> std::string;

/// Kills all running programs and their children, without waiting for them. For a signal handler, before previct ends.
void kill_running_programs();

/// A program that runs in the background; the destructor ends it.
class Running {
 public:
  [[nodiscard]] static auto start(const std::string& program, const std::vector<std::string>& arguments)
      -> Result<Running>;
  Running(Running&& from) noexcept
      : out_(std::move(from.out_)),
        errors_(std::move(from.errors_)),
        process_(std::exchange(from.process_, 0)),
        status_(from.status_),
        said_(from.said_),
        words_(std::move(from.words_)) {}
  auto operator=(Running&&) -> Running& = delete;
  ~Running();

  /// The descriptors of its output, for wait_for_input(); -1: closed.
  [[nodiscard]] auto out() const -> int { return out_.number(); }
  [[nodiscard]] auto errors() const -> int { return errors_.number(); }
  /// Appends its new output, at most 1 MiB, without blocking. A program that floods its standard error is killed.
  void read(std::string& into);
  /// Returns true if the program has closed its output.
  [[nodiscard]] auto ended() const -> bool { return out() < 0 && errors() < 0; }
  /// The exit status, as in Finished. Requires ended(); a program that still runs is killed.
  [[nodiscard]] auto status() -> int;
  /// The last line of its standard error, raw.
  [[nodiscard]] auto words() const -> std::string;

 private:
  Running(Descriptor out, Descriptor errors, std::intptr_t process)
      : out_(std::move(out)), errors_(std::move(errors)), process_(process) {}
  void kill();  // the program, and those that it started

  Descriptor out_;
  Descriptor errors_;
  std::intptr_t process_ = 0;  // as the system names it; 0: already waited for
  int status_ = 0;
  std::size_t said_ = 0;  // bytes of its standard error
  std::string words_;
};

}  // namespace previct::system
