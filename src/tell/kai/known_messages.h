#pragma once

#include "tell/known_message.h"

namespace previct::kai {

/// What KAI Scheduler writes, of messages.def.
[[nodiscard]] auto known_messages() -> Messages;

}  // namespace previct::kai
