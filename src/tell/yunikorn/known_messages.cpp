#include "tell/yunikorn/known_messages.h"

namespace previct::yunikorn {

#define PREVICT_MESSAGES "tell/yunikorn/messages.def"
#include "tell/known_messages.inc"

auto known_messages() -> Messages {
  return messages_of("YuniKorn", "1.");
}

}  // namespace previct::yunikorn
