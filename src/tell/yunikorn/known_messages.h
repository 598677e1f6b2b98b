#pragma once

#include "tell/known_message.h"

namespace previct::yunikorn {

/// What YuniKorn writes, of messages.def.
[[nodiscard]] auto known_messages() -> Messages;

}  // namespace previct::yunikorn
