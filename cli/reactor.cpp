// previct as a WebAssembly module that answers several questions (page/): it keeps what it has read. The host calls
// `_initialize` once, then for each question `request`, into whose room it writes the request, and `ask`. Files,
// standard output and standard error are the host's functions of WASI.
#include "base/instant.h"
#include "cli/exit_codes.h"
#include "cli/interrupt.h"
#include "cli/kept_inputs.h"
#include "cli/run.h"
#include "report/report.h"

#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

namespace {

using namespace previct;

// NOLINTBEGIN(cppcoreguidelines-avoid-non-const-global-variables): what lives as long as the module
std::string room;
Instant now;

auto kept() -> cli::KeptInputs& {
  static cli::KeptInputs all;
  return all;
}
// NOLINTEND(cppcoreguidelines-avoid-non-const-global-variables)

auto clock_of_host() -> Instant {
  const auto time = std::chrono::system_clock::now().time_since_epoch();
  return {std::chrono::duration_cast<std::chrono::seconds>(time).count(), 0};
}

auto refuse(const char* why) -> int {
  std::fprintf(stderr, "previct: error: the request is not valid: %s\n", why);
  return cli::kNotAnswered;
}

}  // namespace

/// Room for a request of this size. The request is `{"words": ["explain", …], "now": "2026-01-02T03:04:05Z"}`: the
/// words of a command line without the program, and the time, which is the host's clock if it is missing.
extern "C" [[clang::export_name("request")]] auto request(std::size_t size) -> char* {
  room.resize(size);
  return room.data();
}

/// Answers the request; returns the exit status of the command line.
extern "C" [[clang::export_name("ask")]] auto ask() -> int {
  static const bool kReady = (cli::install_fault_handlers(), true);
  static_cast<void>(kReady);
  const Json request = Json::parse(room, nullptr, false);
  if (!request.is_object() || !request.contains("words")) return refuse("expected an object with words");
  std::vector<std::string> words = {"previct"};
  for (const Json& word : request["words"]) {
    if (!word.is_string()) return refuse("words: expected strings");
    words.push_back(word);
  }
  now = clock_of_host();
  if (request.contains("now")) {
    const Json& text = request["now"];
    const auto parsed = text.is_string() ? parse_instant(text.get_ref<const std::string&>()) : std::nullopt;
    if (!parsed) return refuse("now: expected a time of RFC 3339");
    now = *parsed;
  }
  const int status = cli::run(
      words, [] { return now; }, &kept());
  std::fflush(nullptr);
  return status;
}
