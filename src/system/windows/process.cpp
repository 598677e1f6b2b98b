#include "system/process.h"

#include "base/ascii.h"
#include "base/file_status.h"
#include "base/files_read.h"
#include "system/child_output.h"
#include "system/files.h"
#include "system/windows/wide.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <optional>

#include <fcntl.h>
#include <io.h>

namespace previct::system {
namespace {

// Pipes cannot be waited for together, so they are looked at again after this time, in milliseconds.
constexpr DWORD kStep = 2;

using Clock = std::chrono::steady_clock;

// A handle that a child inherits; closed at the end.
class Inherited {
 public:
  explicit Inherited(HANDLE from) {
    const HANDLE self = GetCurrentProcess();
    if (from != INVALID_HANDLE_VALUE && from != nullptr &&
        DuplicateHandle(self, from, self, &handle_, 0, TRUE, DUPLICATE_SAME_ACCESS) != 0)
      return;
    SECURITY_ATTRIBUTES inherited{.nLength = sizeof inherited, .lpSecurityDescriptor = nullptr, .bInheritHandle = TRUE};
    handle_ = CreateFileW(L"NUL", GENERIC_READ | GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE, &inherited,
                          OPEN_EXISTING, 0, nullptr);
  }
  Inherited(const Inherited&) = delete;
  auto operator=(const Inherited&) -> Inherited& = delete;
  ~Inherited() { CloseHandle(handle_); }
  [[nodiscard]] auto get() const -> HANDLE { return handle_; }

 private:
  HANDLE handle_ = INVALID_HANDLE_VALUE;
};

// As programs of Microsoft's C library read a word: a backslash is one unless quotes follow.
void append_word(std::wstring& line, std::wstring_view word) {
  if (!line.empty()) line += L' ';
  if (!word.empty() && word.find_first_of(L" \t\n\v\"") == std::wstring_view::npos) {
    line += word;
    return;
  }
  line += L'"';
  std::size_t backslashes = 0;
  for (const wchar_t c : word) {
    if (c == L'\\') {
      ++backslashes;
    } else {
      if (c == L'"') line.append(backslashes + 1, L'\\');
      backslashes = 0;
    }
    line += c;
  }
  line.append(backslashes, L'\\');
  line += L'"';
}

auto set_limits(HANDLE job, DWORD flags, std::uint64_t memory) -> bool {
  JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits{};
  limits.BasicLimitInformation.LimitFlags = flags;
  limits.JobMemoryLimit = memory;
  return SetInformationJobObject(job, JobObjectExtendedLimitInformation, &limits, sizeof limits) != 0;
}

// A job ends all its programs with this process, which alone has a handle of it.
auto new_job(std::uint64_t memory) -> HANDLE {
  const HANDLE job = CreateJobObjectW(nullptr, nullptr);
  if (job == nullptr) return nullptr;
  const DWORD flags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE | (memory > 0 ? JOB_OBJECT_LIMIT_JOB_MEMORY : 0U);
  if (set_limits(job, flags, memory)) return job;
  CloseHandle(job);
  return nullptr;
}

}  // namespace

auto command_line_of(const std::string& program, const std::vector<std::string>& words) -> std::wstring {
  std::wstring line;
  append_word(line, wide(program));
  for (const std::string& word : words) append_word(line, wide(word));
  return line;
}

auto start_child(const std::string& program, const std::wstring& command_line, HANDLE in, HANDLE out, HANDLE errors,
                 std::uint64_t memory) -> Child* {
  const Inherited child_in(in);
  const Inherited child_out(out);
  const Inherited child_errors(errors);
  std::array<HANDLE, 3> handles = {child_in.get(), child_out.get(), child_errors.get()};
  std::array<char, 256> room{};
  std::size_t size = room.size();
  STARTUPINFOEXW start{};
  start.StartupInfo.cb = sizeof start;
  start.StartupInfo.dwFlags = STARTF_USESTDHANDLES;
  start.StartupInfo.hStdInput = handles[0];
  start.StartupInfo.hStdOutput = handles[1];
  start.StartupInfo.hStdError = handles[2];
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): an opaque type
  start.lpAttributeList = reinterpret_cast<LPPROC_THREAD_ATTRIBUTE_LIST>(room.data());
  const HANDLE job = new_job(memory);
  PROCESS_INFORMATION started{};
  std::wstring line = command_line;  // the call may write to it
  // It inherits these handles and no others, although other threads start programs, too.
  const bool begun =
      job != nullptr && InitializeProcThreadAttributeList(start.lpAttributeList, 1, 0, &size) != 0 &&
      UpdateProcThreadAttribute(start.lpAttributeList, 0, PROC_THREAD_ATTRIBUTE_HANDLE_LIST, handles.data(),
                                handles.size() * sizeof(HANDLE), nullptr, nullptr) != 0 &&
      CreateProcessW(wide(program).c_str(), line.data(), nullptr, nullptr, TRUE,
                     CREATE_SUSPENDED | CREATE_UNICODE_ENVIRONMENT | EXTENDED_STARTUPINFO_PRESENT, nullptr, nullptr,
                     &start.StartupInfo, &started) != 0;
  if (!begun || AssignProcessToJobObject(job, started.hProcess) == 0) {
    set_errno(GetLastError());
    if (begun) {
      TerminateProcess(started.hProcess, 1);
      CloseHandle(started.hThread);
      CloseHandle(started.hProcess);
    }
    if (job != nullptr) CloseHandle(job);
    return nullptr;
  }
  ResumeThread(started.hThread);
  CloseHandle(started.hThread);
  return new Child{started.hProcess, job};  // NOLINT(cppcoreguidelines-owning-memory): end_child() deletes it
}

auto end_child(Child* child) -> int {
  DWORD status = 1;
  if (WaitForSingleObject(child->process, 0) == WAIT_TIMEOUT) {
    TerminateJobObject(child->job, 1);
    WaitForSingleObject(child->process, INFINITE);
  } else {
    set_limits(child->job, 0, 0);  // what it left running goes on
  }
  GetExitCodeProcess(child->process, &status);
  CloseHandle(child->process);
  CloseHandle(child->job);
  delete child;  // NOLINT(cppcoreguidelines-owning-memory)
  return static_cast<int>(status);
}

namespace {

auto child_of(std::intptr_t process) -> Child* {
  return reinterpret_cast<Child*>(process);  // NOLINT(performance-no-int-to-ptr): what start() stored
}

auto started(const std::string& program, const std::vector<std::string>& arguments, const Pipe& out, const Pipe& errors)
    -> Result<Child*> {
  Child* const child = start_child(program, command_line_of(program, arguments), INVALID_HANDLE_VALUE,
                                   handle_of(out.write.number()), handle_of(errors.write.number()), 0);
  if (child == nullptr) return fail(fmt::format("{} cannot be run: {}", program, std::strerror(errno)));
  note_read(program);
  return child;
}

// Returns true if a read from it would not wait.
auto has_input(int descriptor) -> bool {
  const HANDLE handle = handle_of(descriptor);
  DWORD bytes = 0;
  switch (GetFileType(handle)) {
    case FILE_TYPE_PIPE: return PeekNamedPipe(handle, nullptr, 0, nullptr, &bytes, nullptr) == 0 || bytes > 0;
    case FILE_TYPE_CHAR: return WaitForSingleObject(handle, 0) == WAIT_OBJECT_0;
    default: return true;
  }
}

auto ends_within(const Child& child, std::chrono::milliseconds limit) -> bool {
  return WaitForSingleObject(child.process, static_cast<DWORD>(limit.count())) == WAIT_OBJECT_0;
}

auto kill_and_fail(Child* child, std::string why) -> tl::unexpected<Failure> {
  end_child(child);
  return fail(std::move(why));
}

auto is_program(const std::string& file) -> bool {
  const auto status = status_of(file);
  return status && status->is_file();
}

// The file at `path`, which has one of these endings, or gets it.
auto file_at(const std::string& path, std::initializer_list<std::string_view> endings) -> std::optional<std::string> {
  const std::string lower = lower_case(path);
  for (const std::string_view ending : endings) {
    if (lower.ends_with(ending) && is_program(path)) return path;
    if (std::string file = path + std::string(ending); is_program(file)) return file;
  }
  return {};
}

// `kubectl` is kubectl.exe; scripts would need a shell, which reads words in another way.
auto program_at(const std::string& path) -> std::optional<std::string> {
  return file_at(path, {".exe", ".com"});
}

auto script_at(const std::string& path) -> std::optional<std::string> {
  return file_at(path, {".cmd", ".bat"});
}

}  // namespace

auto find_program(const std::string& name, std::string_view path) -> Result<std::string> {
  const std::string wanted = with_slashes(name);
  std::optional<std::string> script;
  if (wanted.find('/') != std::string::npos) {
    if (auto file = program_at(wanted)) return *std::move(file);
    script = script_at(wanted);
    if (!script) return fail(fmt::format("{} is not an executable program", name));
  }
  while (!script && !path.empty()) {
    const std::size_t end = std::min(path.find(list_separator()), path.size());
    std::string folder = with_slashes(std::string(path.substr(0, end)));
    std::erase(folder, '"');
    if (!folder.empty()) {
      const std::string place = fmt::format("{}{}{}", folder, folder.ends_with('/') ? "" : "/", wanted);
      if (auto file = program_at(place)) return *std::move(file);
      script = script_at(place);
    }
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  if (script) return fail(fmt::format("{} is no .exe, and running scripts is not available on Windows", *script));
  return fail(fmt::format("there is no {} in PATH", name));
}

auto open_pipe() -> Result<Pipe> {
  constexpr DWORD kRoom = DWORD{1} << 20U;
  HANDLE read = nullptr;
  HANDLE write = nullptr;
  if (CreatePipe(&read, &write, nullptr, kRoom) == 0) {
    set_errno(GetLastError());
    return fail(fmt::format("no pipe: {}", std::strerror(errno)));
  }
  Pipe pipe{Descriptor(descriptor_of(read, _O_RDONLY)), Descriptor(descriptor_of(write, _O_WRONLY))};
  if (!pipe.read || !pipe.write) return fail(fmt::format("no pipe: {}", std::strerror(errno)));
  return pipe;
}

auto read_some(const Descriptor& from, std::string& into, std::size_t most) -> std::optional<std::size_t> {
  constexpr std::size_t kChunk = 65'536;
  std::array<char, kChunk> chunk{};
  if (!has_input(from.number())) return 0;
  const std::ptrdiff_t got = from.read(chunk);
  if (got <= 0) return {};
  into.append(chunk.data(), std::min(static_cast<std::size_t>(got), most - std::min(most, into.size())));
  return static_cast<std::size_t>(got);
}

void do_not_wait(const Descriptor& pipe) {
  DWORD mode = PIPE_READMODE_BYTE | PIPE_NOWAIT;
  SetNamedPipeHandleState(handle_of(pipe.number()), &mode, nullptr, nullptr);
}

auto wait_for_input(std::span<const int> descriptors, std::chrono::milliseconds most) -> std::vector<bool> {
  const auto until = Clock::now() + most;
  std::vector<bool> ready(descriptors.size());
  for (;;) {
    std::transform(descriptors.begin(), descriptors.end(), ready.begin(), has_input);
    if (std::find(ready.begin(), ready.end(), true) != ready.end() || Clock::now() >= until) return ready;
    Sleep(kStep);
  }
}

auto Running::start(const std::string& program, const std::vector<std::string>& arguments) -> Result<Running> {
  PREVICT_TRY(Pipe out, open_pipe());
  PREVICT_TRY(Pipe errors, open_pipe());
  PREVICT_TRY(Child* const child, started(program, arguments, out, errors));
  return Running(std::move(out.read), std::move(errors.read), reinterpret_cast<std::intptr_t>(child));
}

Running::~Running() {
  if (process_ != 0) end_child(child_of(process_));
}

void Running::kill() {
  TerminateJobObject(child_of(process_)->job, 1);
}

auto Running::status() -> int {
  if (process_ == 0) return status_;
  Child* const child = child_of(std::exchange(process_, 0));
  static_cast<void>(ends_within(*child, kOutputGrace));
  return status_ = end_child(child);
}

// Their jobs end with this process.
void kill_running_programs() {}

auto run_program(const std::string& program, const std::vector<std::string>& arguments, const ProgramLimits& patience)
    -> Result<Finished> {
  PREVICT_TRY(Pipe out, open_pipe());
  PREVICT_TRY(Pipe errors, open_pipe());
  PREVICT_TRY(Child* const child, started(program, arguments, out, errors));
  out.write.reset();
  errors.write.reset();

  Finished finished;
  finished.bytes = HeldBytes(patience.shared);
  bool told = !patience.waiting;
  std::size_t said = 0;
  std::size_t errors_said = 0;
  Silence silence(patience.silence);
  std::optional<Clock::time_point> ended;  // or when it wrote last, if that was later
  while (out.read || errors.read) {
    bool any = false;
    if (out.read) {
      const std::size_t most = std::min(patience.most_bytes, finished.out.size() + finished.bytes.left());
      const auto got = read_some(out.read, finished.out, most);
      if (!got) out.read.reset();
      any = any || got.value_or(0) > 0;
      said += got.value_or(0);
      silence.heard(got.value_or(0));
      if (!finished.bytes.take(got.value_or(0))) {
        return kill_and_fail(child, fmt::format("more than {} bytes, including other calls, so it was stopped",
                                                patience.shared->most()));
      }
    }
    if (errors.read) {
      const auto got = read_some(errors.read, finished.errors, kErrorsKept);
      if (!got) errors.read.reset();
      any = any || got.value_or(0) > 0;
      errors_said += got.value_or(0);
    }
    if (said > patience.most_bytes)
      return kill_and_fail(child, fmt::format("more than {} bytes, so it was stopped", patience.most_bytes));
    if (errors_said > kMostErrors)
      return kill_and_fail(child, fmt::format("more than {} bytes of errors, so it was stopped", kMostErrors));
    if (!told && silence.since() >= kUntilWaitingNotice) {
      told = true;
      patience.waiting(patience.silence);
    }
    if (silence.is_over() && !ended) {
      return kill_and_fail(child, fmt::format("no output for {} s, so it was stopped",
                                              static_cast<double>(patience.silence.count()) / 1000.0));
    }
    if (any) {
      if (ended) ended = Clock::now();
      if (!silence.is_over()) continue;
    }
    // Programs that it left running may keep its output open.
    if (ended && (silence.is_over() || Clock::now() - *ended >= std::min(kOutputGrace, patience.silence))) {
      finished.held = true;
      break;
    }
    if (WaitForSingleObject(child->process, ended ? 0 : kStep) == WAIT_OBJECT_0 && !ended) {
      ended = Clock::now();
    } else if (ended) {
      Sleep(kStep);
    }
  }
  if (!finished.held && !ends_within(*child, patience.silence))
    return kill_and_fail(child, "it closed its output but did not end, so it was stopped");
  finished.status = end_child(child);
  return finished;
}

}  // namespace previct::system
