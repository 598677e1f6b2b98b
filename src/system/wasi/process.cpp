#include "system/process.h"

#include "system/child_output.h"

#include <fmt/format.h>

// WASI cannot run programs.
namespace previct::system {

auto open_pipe() -> Result<Pipe> {
  return fail("no pipe: this build of previct starts no processes");
}

auto read_some(const Descriptor& /*from*/, std::string& /*into*/, std::size_t /*most*/) -> std::optional<std::size_t> {
  return {};
}

void do_not_wait(const Descriptor& /*pipe*/) {}

auto wait_for_input(std::span<const int> descriptors, std::chrono::milliseconds /*most*/) -> std::vector<bool> {
  return std::vector<bool>(descriptors.size(), false);
}

auto run_program(const std::string& program, const std::vector<std::string>& /*arguments*/,
                 const ProgramLimits& /*patience*/) -> Result<Finished> {
  return fail(fmt::format("{} cannot be run: this build of previct runs no programs", program));
}

void kill_running_programs() {}

auto Running::start(const std::string& program, const std::vector<std::string>& /*arguments*/) -> Result<Running> {
  return fail(fmt::format("{} cannot be run: this build of previct runs no programs", program));
}

Running::~Running() = default;

void Running::kill() {}

auto Running::status() -> int {
  return status_;
}

}  // namespace previct::system
