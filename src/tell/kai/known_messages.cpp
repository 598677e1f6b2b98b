#include "tell/kai/known_messages.h"

namespace previct::kai {

#define PREVICT_MESSAGES "tell/kai/messages.def"
#include "tell/known_messages.inc"

auto known_messages() -> Messages {
  return messages_of("KAI Scheduler", "0.");
}

}  // namespace previct::kai
