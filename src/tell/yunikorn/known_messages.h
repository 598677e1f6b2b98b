#pragma once

#include "tell/known_message.h"

namespace previct::yunikorn {

/// Returns the messages that YuniKorn writes, from messages.def.
[[nodiscard]] auto known_messages() -> Messages;

}  // namespace previct::yunikorn
