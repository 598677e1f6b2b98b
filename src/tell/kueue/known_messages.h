#pragma once

#include "tell/known_message.h"

namespace previct::kueue {

/// What Kueue writes, of messages.def.
[[nodiscard]] auto known_messages() -> Messages;

}  // namespace previct::kueue
