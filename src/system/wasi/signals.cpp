#include "system/signals.h"

// WASI has no signals: a fault ends the instance, and its host ends it if it takes too long.
namespace previct::system {

void catch_faults(void (* /*handler*/)(Fault fault)) {}
void catch_ending_signals(void (* /*handler*/)(bool broken_pipe)) {}
void end_by_broken_pipe() {}
void give_up_after(std::chrono::microseconds /*time*/, void (* /*handler*/)()) {}
void do_not_give_up() {}

struct WithoutSignals::Before {};
WithoutSignals::WithoutSignals() = default;
WithoutSignals::~WithoutSignals() = default;

IgnoredPipeSignal::IgnoredPipeSignal() = default;
IgnoredPipeSignal::~IgnoredPipeSignal() = default;

}  // namespace previct::system
