#pragma once

#include <chrono>
#include <cstdint>
#include <memory>

namespace previct::system {

/// Faults of the program itself.
enum class Fault : std::uint8_t { check, memory, instruction };

/// Calls `handler`, which must not return, after a fault: also after a stack overflow.
void catch_faults(void (*handler)(Fault fault));

/// Calls `handler` before a signal ends the program, for all such signals that can be caught and were not ignored at
/// start. `broken_pipe`: no process reads the output any more. The program then ends by the same signal, so that a
/// shell sees 130 or 143 and stops its loop. A file size limit is no signal: it becomes an error of write().
void catch_ending_signals(void (*handler)(bool broken_pipe));

/// Sets the signal of a broken pipe to its default: the program was perhaps started with another setting.
void end_by_broken_pipe();

/// Calls `handler`, which must not return, after this time. A later call replaces the time.
void give_up_after(std::chrono::microseconds time, void (*handler)());
/// The time of give_up_after() is over, or is no longer needed.
void do_not_give_up();

/// Blocks signals that end the program during its lifetime.
class WithoutSignals {
 public:
  WithoutSignals();
  WithoutSignals(const WithoutSignals&) = delete;
  auto operator=(const WithoutSignals&) -> WithoutSignals& = delete;
  ~WithoutSignals();

 private:
  struct Before;
  std::unique_ptr<Before> before_;
};

/// Writing to a broken pipe is an error during its lifetime, and does not end the program.
class IgnoredPipeSignal {
 public:
  IgnoredPipeSignal();
  IgnoredPipeSignal(const IgnoredPipeSignal&) = delete;
  auto operator=(const IgnoredPipeSignal&) -> IgnoredPipeSignal& = delete;
  ~IgnoredPipeSignal();

 private:
  void (*before_)(int) = nullptr;
};

}  // namespace previct::system
