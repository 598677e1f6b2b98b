#pragma once

#include "analysis/message.h"
#include "report/report.h"

#include <string>
#include <string_view>

namespace previct {

/// The answer in one line: `2 of 3 nodes lack cpu, 1 lacks memory; preemption would not help on any node
/// (kube-scheduler 1.34 or newer, DefaultPreemption)`.
[[nodiscard]] auto sentence_of(const ParsedMessage& message) -> std::string;

/// `1.34 or newer`, `1.24 to 1.33`; empty: not known.
[[nodiscard]] auto releases_of(const ParsedMessage& message) -> std::string;

/// What the messages of a text mean, piece by piece, and what to look at next (`kind: MessageReport`). `program`: how
/// the previct commands in the report begin.
[[nodiscard]] auto message_report(const MessagesOfText& text, std::string_view program) -> Report;

}  // namespace previct
