#pragma once

#include "base/descriptor.h"
#include "base/diagnostics.h"

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <sys/types.h>

namespace previct::live {

/// Bounds on a program that is run: it is killed when it exceeds them.
struct Patience {
  std::chrono::milliseconds silence{60'000};         ///< how long it may say nothing
  std::size_t most_bytes = std::size_t{512} << 20U;  ///< of its standard output
};

/// What a program left.
struct Finished {
  int status = 0;  ///< exit status; 128 + signal if one ended it
  std::string out;
  std::string errors;  ///< the beginning of its standard error, 16 KiB at most; raw
  bool held = false;   ///< a program that it left behind still has its output open, and is not waited for
};

/// The executable file `name` in the folders of `path` (the value of PATH). Empty folders, which would mean the working
/// folder, are passed over. A name with a slash is a file itself.
[[nodiscard]] auto find_program(const std::string& name, std::string_view path) -> Result<std::string>;

/// Runs the file `program` with `arguments`, each handed over as it is: no shell sees them. Standard input is empty,
/// the environment our own. Once it has ended, what it has said is taken, whoever else has its output open. Errors: it
/// cannot be started; it says nothing for too long, or too much.
[[nodiscard]] auto run_program(const std::string& program, const std::vector<std::string>& arguments,
                               const Patience& patience) -> Result<Finished>;

/// The last line that says something: before it stand warnings of the client library.
[[nodiscard]] auto last_line(std::string_view text) -> std::string;

/// Asks all programs that run now to end, and does not wait for them: for a signal handler, before this program ends.
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
        words_(std::move(from.words_)) {}
  auto operator=(Running&&) -> Running& = delete;
  ~Running();

  /// Where it speaks; -1: no more. Both can be polled for.
  [[nodiscard]] auto out() const -> int { return out_.number(); }
  [[nodiscard]] auto errors() const -> int { return errors_.number(); }
  /// Appends what it has said since; waits for nothing.
  void read(std::string& into);
  /// It says no more.
  [[nodiscard]] auto ended() const -> bool { return out() < 0 && errors() < 0; }
  /// Of one that has ended, as in Finished; waits for it.
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
  std::string words_;
};

}  // namespace previct::live
