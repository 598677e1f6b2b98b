// Dumps in JSON, also with several values in sequence: events are well formed, the fast path reads what the general
// path reads, and both accept exactly the single documents that simdjson accepts.

#include "fuzz/events.h"
#include "fuzz/fuzz.h"
#include "input/json_source.h"
#include "support/differential.h"

#include <string>

#include <simdjson.h>

namespace previct::fuzz {

void json(std::string_view input) {
  const Walk walk = insist_on_events(*json_source(input, FileId{0}));
  static simdjson::dom::parser parser;
  const simdjson::padded_string padded(input);
  simdjson::dom::element document;
  const simdjson::error_code error = parser.parse(padded).get(document);
  // simdjson reads one value, and rejects integers beyond 64 bits, doubles out of range, and a byte order mark.
  insist(error != simdjson::SUCCESS || (walk.whole && walk.documents == 1) || walk.too_deep,
         "simdjson reads what is refused here");
  const std::size_t window = input.size() % 2 == 0 ? 64 : 4096;
  const test::Compared both = test::compared(input, window);
  insist(both.difference.empty(), both.difference);
}

}  // namespace previct::fuzz
