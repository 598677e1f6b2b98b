#pragma once

namespace previct {

/// Calls `leave` with `value` when the current thread ends, unless `value` is null by then. All calls must pass the
/// same function. Defined in src/system. A thread_local destructor would also work, but if there is no memory to
/// register it, glibc ends the program.
void at_end_of_thread(void (*leave)(void*), void* value);

}  // namespace previct
