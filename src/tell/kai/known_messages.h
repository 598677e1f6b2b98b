#pragma once

#include "tell/known_message.h"

namespace previct::kai {

/// Returns the messages that KAI Scheduler writes, from messages.def.
[[nodiscard]] auto known_messages() -> Messages;

}  // namespace previct::kai
