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
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <sys/types.h>

namespace previct::live {

/// Bytes that several programs may have said and nobody has read yet, together.
class SharedBytes {
 public:
  explicit SharedBytes(std::size_t most) : most_(most) {}
  [[nodiscard]] auto most() const -> std::size_t { return most_; }

 private:
  friend class HeldBytes;
  std::size_t most_;
  std::atomic<std::size_t> held_ = 0;
};

/// A part of them, given back when this goes.
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
  /// False: the others and this one together hold more than there may be.
  auto take(std::size_t bytes) -> bool {
    held_ += bytes;
    return !of_ || (of_->held_ += bytes) <= of_->most();
  }
  /// How many may still be taken, by whoever comes first.
  [[nodiscard]] auto left() const -> std::size_t {
    return of_ ? of_->most() - std::min<std::size_t>(of_->most(), of_->held_) : SIZE_MAX / 2;
  }

 private:
  std::shared_ptr<SharedBytes> of_;
  std::size_t held_ = 0;
};

/// Bounds on a program that is run: it is killed, with what it has started, when it exceeds them.
struct Patience {
  std::chrono::milliseconds silence{60'000};         ///< how long it may say next to nothing
  std::size_t most_bytes = std::size_t{512} << 20U;  ///< of its standard output
  std::shared_ptr<SharedBytes> shared = {};          ///< of all that run beside it; null: no limit
  /// Called once, by the thread that waits, when it has said nothing for a while; may be empty.
  std::function<void(std::chrono::milliseconds silence)> waiting = {};
};

/// What a program left.
struct Finished {
  int status = 0;  ///< exit status; 128 + signal if one ended it
  std::string out;
  std::string errors;  ///< the beginning of its standard error, 16 KiB at most; raw
  bool held = false;   ///< a program that it left behind still has its output open, and is not waited for
  HeldBytes bytes;     ///< of `out`
};

/// The executable file `name` in the folders of `path` (the value of PATH). Empty folders, which would mean the working
/// folder, are passed over. A name with a slash is a file itself.
[[nodiscard]] auto find_program(const std::string& name, std::string_view path) -> Result<std::string>;

/// Runs the file `program` with `arguments`, each handed over as it is: no shell sees them. Standard input is empty,
/// the environment our own; it is killed when the thread that runs it ends. Once it has ended, what it has said is
/// taken, whoever else has its output open. Errors: it cannot be started; it says next to nothing for too long, or too
/// much.
[[nodiscard]] auto run_program(const std::string& program, const std::vector<std::string>& arguments,
                               const Patience& patience) -> Result<Finished>;

/// The last line that says something: before it stand warnings of the client library.
[[nodiscard]] auto last_line(std::string_view text) -> std::string;

/// Kills all programs that run now, with what they have started, and does not wait for them: for a signal handler,
/// before this program ends.
void end_running();

/// A program that runs on beside us; it is ended when this goes.
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

  /// Where it speaks; -1: no more. Both can be polled for.
  [[nodiscard]] auto out() const -> int { return out_.number(); }
  [[nodiscard]] auto errors() const -> int { return errors_.number(); }
  /// Appends what it has said since, 1 MiB at most; waits for nothing. One that floods its standard error is killed.
  void read(std::string& into);
  /// It says no more.
  [[nodiscard]] auto ended() const -> bool { return out() < 0 && errors() < 0; }
  /// Of one that has ended, as in Finished; one that only says no more is killed.
  [[nodiscard]] auto status() -> int;
  /// The last line of its standard error, raw.
  [[nodiscard]] auto words() const -> std::string;

 private:
  Running(Descriptor out, Descriptor errors, pid_t process)
      : out_(std::move(out)), errors_(std::move(errors)), process_(process) {}

  Descriptor out_;
  Descriptor errors_;
  pid_t process_ = 0;  // 0: it has been waited for
  int status_ = 0;
  std::size_t said_ = 0;  // on its standard error
  std::string words_;
};

}  // namespace previct::live
