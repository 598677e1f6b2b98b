#include "cli/mcp/worker.h"

#include "base/descriptor.h"
#include "cli/file.h"
#include "cli/kept_inputs.h"
#include "cli/load.h"
#include "cluster/controlled_pods.h"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstdlib>

namespace previct::cli::mcp {
namespace {

constexpr std::uint64_t kUsualMemory = std::uint64_t{4} << 30U;

auto key_of(const Call& call) -> std::string {
  if (call.inputs.empty()) return {};
  return Json({call.inputs, call.recursive, call.keep_going}).dump(-1, ' ', false, Json::error_handler_t::replace);
}

auto line_of(const Call& call) -> std::string {
  const Json json = {{"words", call.words},         {"inputs", call.inputs},        {"roots", call.roots},
                     {"recursive", call.recursive}, {"keepGoing", call.keep_going}, {"page", call.page},
                     {"offset", call.offset},       {"mostBytes", call.most_bytes}};
  return json.dump(-1, ' ', true, Json::error_handler_t::replace) + "\n";
}

auto call_from(std::string_view line) -> Call {
  const Json json = Json::parse(line);
  return {json["words"],     json["inputs"], json["roots"],  json["recursive"],
          json["keepGoing"], json["page"],   json["offset"], json["mostBytes"]};
}

auto limit_of(const WorkerLimits& limits) -> std::uint64_t {
  return limits.memory == 0 ? kUsualMemory : limits.memory;
}

constexpr std::string_view kWorks = "__work";

// The words with which a worker is started as a program: `__work MEMORY THREADS`.
auto words_with(const WorkerLimits& limits) -> std::vector<std::string> {
  return {std::string(kWorks), std::to_string(limits.memory), std::to_string(limits.threads)};
}

template <class Number>
auto number_from(const std::string& word) -> Number {
  Number number = 0;
  std::from_chars(word.data(), word.data() + word.size(), number);
  return number;
}

/// The process of a worker.
class Process {
 public:
  Process(const WorkerLimits& limits, Instant (*clock)(), int calls, int replies)
      : limits_(limits), clock_(clock), calls_(calls), replies_(replies) {}

  void run() {
    std::string line;
    while (next_line(line)) {
      const Call call = call_from(line);
      if (const std::optional<Reply> refused = read_inputs(call)) {
        write(*refused);
      } else if (!answer_in_copy(call)) {
        return;
      }
    }
  }

 private:
  // A call is small; reading byte by byte costs nothing.
  auto next_line(std::string& line) const -> bool {
    line.clear();
    char c = 0;
    while (calls_.read({&c, 1}) == 1) {
      if (c == '\n') return true;
      line += c;
    }
    return false;
  }

  void write(const Reply& reply) const {
    if (!write_all(replies_, mcp::line_of(reply))) std::_Exit(0);
  }

  // Reads the inputs, so that the copy finds them. Returns the reply if they cannot be read.
  auto read_inputs(const Call& call) -> std::optional<Reply> {
    if (call.inputs.empty()) return {};
    Session session;
    session.options.filenames = call.inputs;
    session.options.recursive = call.recursive;
    session.options.keep_going = call.keep_going;
    session.options.threads = limits_.threads;
    session.kept = &kept_;
    const auto read = load_inputs(session, {.keeps_objects = true});
    if (!read) return failed(read.error(), session.inputs->files);
    const std::shared_ptr<Loaded>& loaded = session.loaded.back();
    if (prepared_.lock() != loaded) prepare(loaded->cluster());
    prepared_ = loaded;
    return {};
  }

  // Derives what most answers need, so that each copy has it.
  static void prepare(const Snapshot& cluster) {
    for (const Engine* engine : engines()) engine->prepare(cluster);
    static_cast<void>(running_pods(cluster, {}));
  }

  // Returns false if the copy could not answer; then the reply says why.
  auto answer_in_copy(const Call& call) -> bool {
    const int status = system::run_in_copy([&] { answer(call); });
    if (status != 0) write({why(status), {}});
    return status == 0;
  }

  [[nodiscard]] auto why(int status) const -> std::string {
    if (status < 0) return "no process can be started for the answer";
    if (status == kNotAnswered)
      return fmt::format("out of memory (the limit is {} MiB: --max-memory)", limit_of(limits_) >> 20U);
    return "internal error, please report it";
  }

  [[noreturn]] void answer(const Call& call) {
    Session session;
    session.program = "previct";
    session.clock = clock_();
    kept_.end();
    session.kept = &kept_;
    session.roots = call.roots;
    write(reply_to(call, session));
    std::_Exit(0);
  }

  WorkerLimits limits_;
  Instant (*clock_)();
  Descriptor calls_;
  int replies_;
  KeptInputs kept_{};
  std::weak_ptr<Loaded> prepared_{};
};

}  // namespace

auto Worker::start(const Call& first, const WorkerLimits& limits, Instant (*clock)())
    -> Result<std::unique_ptr<Worker>> {
  const system::BackgroundProcess::Work work{.run =
                                                 [&](int calls, int replies) {
                                                   Process(limits, clock, calls, replies).run();
                                                   std::_Exit(0);
                                                 },
                                             .words = words_with(limits)};
  PREVICT_TRY(auto process,
              system::BackgroundProcess::start(work, limit_of(limits), {.no_memory = kNotAnswered, .bug = kBug}));
  return std::unique_ptr<Worker>(new Worker(std::move(process), key_of(first)));
}

auto Worker::serves(const Call& call) const -> bool {
  return !ended_ && system::makes_copies() && !key_.empty() && key_ == key_of(call);
}

auto Worker::send(const Call& call) -> bool {
  ended_ = !write_all(process_->calls().number(), line_of(call));
  return !ended_;
}

auto Worker::receive() -> std::optional<Reply> {
  constexpr std::size_t kChunk = 65'536;
  std::array<char, kChunk> chunk{};
  while (true) {
    const std::ptrdiff_t got = process_->replies().read(chunk);
    if (got < 0 && errno == EAGAIN) return {};
    if (got <= 0) return why_it_ended();
    arrived_.append(chunk.data(), static_cast<std::size_t>(got));
    if (const std::size_t end = arrived_.find('\n'); end != std::string::npos) {
      Reply reply = reply_from(std::string_view(arrived_).substr(0, end));
      arrived_.erase(0, end + 1);
      return reply;
    }
  }
}

auto Worker::why_it_ended() -> Reply {
  ended_ = true;
  return {"no answer: the process that reads the input ended (out of memory, or an internal error; see stderr)", {}};
}

auto is_worker(const std::vector<std::string>& words) -> bool {
  return words.size() == 4 && words[1] == kWorks;
}

auto work(const std::vector<std::string>& words, Instant (*clock)()) -> int {
  const WorkerLimits limits{.memory = number_from<std::uint64_t>(words[2]), .threads = number_from<unsigned>(words[3])};
  Process(limits, clock, kStandardInput, kStandardOutput).run();
  return kAnswered;
}

}  // namespace previct::cli::mcp
