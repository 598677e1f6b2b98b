#include "api/event_reasons.h"

#include <algorithm>
#include <array>

namespace previct {
namespace {

struct Reason {
  std::string_view text;
  bool ends;
};

constexpr std::array kReasons = {
#define PREVICT_EVENT_REASON(name, text, ends) Reason{text, ends},
#include "api/event_reasons.def"
#undef PREVICT_EVENT_REASON
};

auto find(std::string_view reason) -> const Reason* {
  const auto found =
      std::find_if(kReasons.begin(), kReasons.end(), [&](const Reason& each) { return each.text == reason; });
  return found == kReasons.end() ? nullptr : &*found;
}

}  // namespace

auto event_matters(std::string_view reason) -> bool {
  return find(reason) != nullptr;
}

auto ends_pod(std::string_view reason, std::string_view note) -> bool {
  if (reason == event_reasons::informational) return note.starts_with("Preempted by ");
  const Reason* const known = find(reason);
  return known != nullptr && known->ends;
}

}  // namespace previct
