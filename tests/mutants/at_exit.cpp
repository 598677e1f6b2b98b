// Records which mutants a process of the program reaches. Linked into the program by tests/mutants/mutate.py, with
// --wrap=_exit and --wrap=_Exit: copies of the process end without running destructors.

#include "mutants.h"

extern "C" {
[[noreturn]] void __real__exit(int status);
[[noreturn]] void __real__Exit(int status);
}

namespace {

struct AtExit {
  ~AtExit() { previct::mutants::state.met_by("program", ""); }
};
const AtExit at_exit;

}  // namespace

extern "C" {

[[noreturn]] void __wrap__exit(int status) {
  previct::mutants::state.met_by("program", "");
  __real__exit(status);
}

[[noreturn]] void __wrap__Exit(int status) {
  previct::mutants::state.met_by("program", "");
  __real__Exit(status);
}

}  // extern "C"
