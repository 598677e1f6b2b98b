// Dumps in JSON, several values behind each other included: the events are well formed, the fast path reads what the
// general one reads, and what simdjson takes for one good document is read, and nothing else that is one.

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
  // simdjson reads one value, refuses integers beyond 64 bits and doubles beyond what they hold, and a byte order mark.
  insist(error != simdjson::SUCCESS || (walk.whole && walk.documents == 1) || walk.too_deep,
         "simdjson reads what is refused here");
  const std::size_t window = input.size() % 2 == 0 ? 64 : 4096;
  const test::Compared both = test::compared(input, window);
  insist(both.difference.empty(), both.difference);
}

}  // namespace previct::fuzz
