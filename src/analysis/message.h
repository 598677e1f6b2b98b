#pragma once

#include "analysis/words_pattern.h"
#include "tell/known_message.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace previct {

/// A piece of a message.
struct MessagePiece {
  const KnownMessage* known = nullptr;  ///< null: not recognized
  std::string text;                     ///< as in the message, without its number
  std::optional<std::int64_t> count;    ///< of nodes, or of what the list counts
  OperandValues operands;
  bool of_preemption = false;  ///< after `preemption:`, or in a second list
};

/// A scheduler's message, parsed.
struct ParsedMessage {
  std::string text;                  ///< on one line, with single blanks
  const Messages* writer = nullptr;  ///< null: no piece is recognized
  std::vector<MessagePiece> pieces;
  std::optional<std::int64_t> nodes;  ///< nodes of the cluster, according to the message
  int first = 0;                      ///< minor releases that use this wording; 0: no bound
  int last = 0;
  std::string plugin;  ///< the plugin that wrote the part about preemption; may be empty

  std::vector<std::size_t> lines;               ///< line numbers of the text that contain the message, from 1
  std::string about;                            ///< `pod/train-0`, as in the text; may be empty
  const KnownReason* reason = nullptr;          ///< reason that the text gives with the message
  [[nodiscard]] auto complete() const -> bool;  ///< true if every piece is recognized
};

/// All messages of a text.
struct MessagesOfText {
  std::vector<ParsedMessage> messages;  ///< without duplicates, in the order of the text
  std::size_t lines = 0;                ///< lines that are not blank
  std::size_t passed_over = 0;          ///< lines without a known message
  std::size_t left_out = 0;             ///< messages beyond the first `kMostMessages`
};
inline constexpr std::size_t kMostMessages = 100;
inline constexpr std::uint64_t kLongestMessageText = 1U << 20U;  ///< bytes to read, by default

/// Parses one message. Text that no teller knows becomes a piece without `known`, never a guess.
[[nodiscard]] auto parse_message(std::string_view message) -> ParsedMessage;

/// Finds messages in any text: a single message, a table of events, output of `kubectl describe`, YAML, JSON, a log; a
/// message may be folded over several lines. A single line without a known message is returned as one unrecognized
/// message.
[[nodiscard]] auto messages_of_text(std::string_view text) -> MessagesOfText;

}  // namespace previct
