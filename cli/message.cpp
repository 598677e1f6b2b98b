#include "cli/message.h"

#include "analysis/message_report.h"
#include "base/contains.h"
#include "base/descriptor.h"
#include "cli/load.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

namespace previct::cli {
namespace {

// Fails for flags that name a pod, or change the state.
auto check_alone(const Options& options) -> Result<void> {
  constexpr std::string_view kWhy = "--message works without a cluster or a dump, and cannot be combined with";
  if (!options.arguments.empty()) return fail(fmt::format("{} POD", kWhy));
  constexpr std::array kTakes = {Group::message, Group::output, Group::strictness, Group::help};
  for (const Flag& flag : flags()) {
    if (flag.name == "max-input" || !is_given(options, flag.name)) continue;
    if (contains(kTakes, flag.group) && flag.name != "fail-on") continue;
    return fail(flag.letter != 0 ? fmt::format("{} -{}", kWhy, flag.letter) : fmt::format("{} --{}", kWhy, flag.name));
  }
  return {};
}

auto check_size(std::size_t size, std::uint64_t most) -> Result<void> {
  if (size <= most) return {};
  return fail(fmt::format("--message: the text is longer than {} bytes", most), {}, "--max-input changes this limit");
}

auto text_of_stdin(std::uint64_t most) -> Result<std::string> {
  const Descriptor in = open_to_read("-");
  std::string text;
  std::array<char, 1U << 16U> part{};
  while (true) {
    const std::ptrdiff_t size = in.read(part);
    if (size < 0) return fail(fmt::format("--message -: {}", std::strerror(errno)));
    if (size == 0) return text;
    text.append(part.data(), static_cast<std::size_t>(size));
    PREVICT_CHECK(check_size(text.size(), most));
  }
}

}  // namespace

auto explain_message(const Session& session) -> Result<CommandResult> {
  const Options& options = session.options;
  PREVICT_CHECK(check_alone(options));
  PREVICT_TRY(std::uint64_t most, size_from(options.max_input, "--max-input"));
  if (most == 0) most = kLongestMessageText;
  std::string text = options.message;
  if (text == "-") {
    PREVICT_TRY(text, text_of_stdin(most));
  }
  PREVICT_CHECK(check_size(text.size(), most));
  const MessagesOfText messages = messages_of_text(text);
  if (messages.lines == 0) return fail("--message: the text is empty");
  const bool whole = !messages.messages.empty() && messages.left_out == 0 &&
                     std::all_of(messages.messages.begin(), messages.messages.end(), [](const ParsedMessage& message) {
                       return message.writer != nullptr && message.complete();
                     });
  CommandResult done;
  done.report = message_report(messages, session.program);
  done.status = options.strict && !whole ? kIncomplete : kAnswered;
  return done;
}

}  // namespace previct::cli
