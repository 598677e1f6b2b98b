#pragma once

#include <string_view>

namespace previct {

/// The reasons of the events that are kept, such as `event_reasons::preempted`.
namespace event_reasons {
#define PREVICT_EVENT_REASON(name, text, ends) inline constexpr std::string_view name = text;
#include "api/event_reasons.def"
#undef PREVICT_EVENT_REASON
}  // namespace event_reasons

/// Returns true if an event with this reason is kept.
[[nodiscard]] auto event_matters(std::string_view reason) -> bool;

/// Returns true if such an event shows that its pod ended. YuniKorn writes all its events with one reason, so that the
/// note decides.
[[nodiscard]] auto ends_pod(std::string_view reason, std::string_view note) -> bool;

}  // namespace previct
