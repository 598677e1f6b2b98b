#pragma once

#include "tell/known_message.h"

namespace previct::kueue {

/// Returns the messages that Kueue writes, from messages.def.
[[nodiscard]] auto known_messages() -> Messages;

}  // namespace previct::kueue
