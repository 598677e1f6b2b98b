// Dumps in YAML: the events of the general path are well formed, and the fast path reads what the general path reads.

#include "fuzz/events.h"
#include "fuzz/fuzz.h"
#include "input/yaml_source.h"
#include "support/differential.h"

namespace previct::fuzz {

void yaml(std::string_view input) {
  insist_on_events(*yaml_source(input, FileId{0}));
  insist_on_events(*yaml_source(input, FileId{0}, ScalarText::written));
  const std::size_t window = input.size() % 2 == 0 ? 64 : 4096;  // an item may need several windows
  const test::Compared both = test::compared(input, window);
  insist(both.difference.empty(), both.difference);
}

}  // namespace previct::fuzz
