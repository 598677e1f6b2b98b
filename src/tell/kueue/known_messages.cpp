#include "tell/kueue/known_messages.h"

namespace previct::kueue {

#define PREVICT_MESSAGES "tell/kueue/messages.def"
#include "tell/known_messages.inc"

auto known_messages() -> Messages {
  return messages_of("Kueue", "0.");
}

}  // namespace previct::kueue
