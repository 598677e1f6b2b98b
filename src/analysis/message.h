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
  const KnownMessage* known = nullptr;  ///< null: not recognised
  std::string text;                     ///< as it stands in the message, without its number
  std::optional<std::int64_t> count;    ///< of nodes, or of what the list is about
  OperandValues operands;
  bool of_preemption = false;  ///< behind `preemption:`, or in a second list
};

/// A message of a scheduler, taken apart.
struct TakenApart {
  std::string text;                  ///< on one line, blanks single
  const Messages* writer = nullptr;  ///< null: no piece is recognised
  std::vector<MessagePiece> pieces;
  std::optional<std::int64_t> nodes;  ///< of the cluster, as the message says
  int first = 0;                      ///< minor releases that write such words; 0: no bound
  int last = 0;
  std::string plugin;  ///< that wrote what preemption says; may be empty

  std::vector<std::size_t> lines;               ///< in which the text has it, from 1
  std::string about;                            ///< `pod/train-0`, as the text has it; may be empty
  const KnownReason* reason = nullptr;          ///< that the text gives beside it
  [[nodiscard]] auto complete() const -> bool;  ///< is every piece recognised?
};

/// All messages of a text.
struct MessagesOfText {
  std::vector<TakenApart> messages;  ///< each once, in the order of the text
  std::size_t lines = 0;             ///< that are not blank
  std::size_t passed_over = 0;       ///< of them, those without a message
  std::size_t left_out = 0;          ///< messages beyond the first `kMostMessages`
};
inline constexpr std::size_t kMostMessages = 100;
inline constexpr std::uint64_t kLongestMessageText = 1U << 20U;  ///< bytes that are read, unless the caller says more

/// Takes one message apart: what no teller knows is a piece without `known`, never a guess.
[[nodiscard]] auto take_apart(std::string_view message) -> TakenApart;

/// Finds messages in any text: a message by itself, a table of events, what `kubectl describe` prints, YAML, JSON, a
/// log; a message may be folded over several lines. Of a text without any, all of it is one message that is not
/// recognised, if it is a single line.
[[nodiscard]] auto messages_of_text(std::string_view text) -> MessagesOfText;

}  // namespace previct
