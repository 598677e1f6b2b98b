#include "system/copy.h"

#include "system/files.h"
#include "system/process.h"
#include "system/windows/wide.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>

// Windows copies no process.
namespace previct::system {

auto makes_copies() -> bool {
  return false;
}

auto run_in_copy(const std::function<void()>& work) -> int {
  work();
  return -1;
}

auto BackgroundProcess::start(const Work& work, std::uint64_t memory, Statuses /*statuses*/)
    -> Result<std::unique_ptr<BackgroundProcess>> {
  PREVICT_TRY(Pipe calls, open_pipe());
  PREVICT_TRY(Pipe replies, open_pipe());
  const std::string program = program_file();
  Child* const child = start_child(program, command_line_of(program, work.words), handle_of(calls.read.number()),
                                   handle_of(replies.write.number()), handle_of(kStandardError), memory);
  if (child == nullptr) return fail(fmt::format("no process can be started: {}", std::strerror(errno)));
  do_not_wait(replies.read);
  return std::unique_ptr<BackgroundProcess>(
      new BackgroundProcess(reinterpret_cast<std::intptr_t>(child), std::move(calls.write), std::move(replies.read)));
}

BackgroundProcess::~BackgroundProcess() {
  end_child(reinterpret_cast<Child*>(process_));  // NOLINT(performance-no-int-to-ptr): what start() stored
}

}  // namespace previct::system
